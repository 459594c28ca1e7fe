/** What is said of a refusal, by its reason, and when it says nothing. */
import { expect, test } from '@jest/globals';
import { notKnown, problemsOf, type RefusedObject, type There } from '../../src/apiserver/refusals.js';
import type { RefusalReason } from '../../src/core/model.js';

/** Its contract knows every kind. */
const there = {
  ...{ version: 'v1.35.4', objects: [] },
  cluster: {
    contract: { schemas: { find: () => ({ known: true }) } },
    permissions: { access: () => ({ allowed: true }) },
  },
} as unknown as There;
const refused = (reason: RefusalReason) =>
  ({
    object: { ref: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', namespace: 'b' }, value: {} },
    rendered: { entrypoint: { path: '.' }, objects: [] },
    refusal: { reason, causes: [{ path: ['metadata', 'name'], message: 'no' }] },
  }) as unknown as RefusedObject;

test.each<[RefusalReason, string, string]>([
  ['forbidden', 'is refused for lack of rights', 'remove it, or have'],
  ['policy', 'is refused by a policy of the cluster', 'change what the policy refuses'],
  ['unknown-field', 'does not fit the schema of the API server', 'correct the field, or remove it'],
  ['unknown-kind', 'has a kind or version that the API server does not serve', 'use a version that is served'],
  ['no-namespace', 'has no namespace', 'set metadata.namespace'],
  ['missing-namespace', 'has a namespace that does not exist in the cluster', 'correct the name'],
  ['conflict', 'is refused as a change of another state than that of the cluster', 'remove resourceVersion, uid'],
  ['webhook', 'is refused because the API server failed to call a webhook', 'check whether the service'],
  ['other', 'is refused by the API server', 'correct what the API server reports'],
])('%s is said in words, with what to do', (reason, words, help) => {
  expect(problemsOf(refused(reason), there.cluster, false)).toMatchObject([
    {
      message: `Deployment "a" ${words}, so Flux applies nothing of the repository: no`,
      help: expect.stringMatching(new RegExp(`^${help}`)),
    },
  ]);
});

test.each([
  ['no', 'no', 'correct the field'],
  ['Invalid value: 2: must be more than 3', '2 must be more than 3', 'correct the field'],
  ['Invalid value: "a": must be one word', '"a" must be one word', 'correct the field'],
  ['each but "a": must be set', 'each but "a": must be set', 'correct the field'],
  ['Unsupported value: "a": supported values: "b", "c"', 'Unsupported value: "a"', 'write one of "b", "c"'],
  [
    `Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters (e.g. 'a')`,
    '"a b" is not a label value',
    'use only letters, digits, "-", "_" and ".", with a letter or a digit first and last',
  ],
  [
    'Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters',
    '"A" is not a DNS label',
    'use only lower-case letters, digits and "-", with a letter or a digit first and last',
  ],
])('what is invalid is said by the server, in short: %s', (message, words, help) => {
  const one = refused('invalid');
  const refusal = { reason: 'invalid' as const, causes: [{ path: ['metadata', 'name'], message }] };
  expect(problemsOf({ ...one, refusal } as unknown as RefusedObject, there.cluster, false)).toMatchObject([
    { message: `Deployment "a": ${words}; Flux applies nothing of the repository`, help },
  ]);
});

test.each([
  ['custom and changes with the release', { builtIn: false }, false, ['release']],
  ['custom and the same in all releases', { builtIn: false }, true, undefined],
  ['built in', { builtIn: true }, false, undefined],
])('a server of our own rests on an assumed release where the kind is %s', (_, found, isTheSame, assumed) => {
  const cluster = {
    ...there.cluster,
    contract: { schemas: { find: () => ({ known: true, ...found }), isTheSameEverywhere: () => isTheSame } },
    facts: { get: (name: string) => ({ name, value: 'v1', source: 'assumed' }) },
  } as unknown as There['cluster'];
  const [problem] = problemsOf(refused('invalid'), cluster, true);
  expect(problem?.assumes?.map(({ name }) => name)).toEqual(assumed);
});

test.each([
  ['the cluster that is asked counts', false, undefined],
  ['a server of our own says nothing, as one serves less', true, 'their kind is not on by default'],
])('that a known kind is not served: %s', (_, ours, why) => {
  expect(notKnown(refused('unknown-kind'), { ...there, ours })).toBe(why);
});
