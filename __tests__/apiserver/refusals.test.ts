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
  ['forbidden', 'the API server does not allow it to the account', 'take it out, or have'],
  ['policy', 'a policy of the cluster refuses it', 'change what the policy is about'],
  ['invalid', 'the API server takes it for invalid', 'correct the field'],
  ['unknown-field', 'it does not fit the schema that the API server has', 'correct the field, or take it out'],
  ['unknown-kind', 'the API server does not serve its kind in that version', 'use a version that is served'],
  ['no-namespace', 'the API server misses its namespace', 'write metadata.namespace'],
  ['missing-namespace', 'its namespace is not in the cluster', 'correct the name'],
  ['conflict', 'the API server takes it for a change of another state', 'take resourceVersion, uid'],
  ['webhook', 'the API server cannot ask a webhook about it', 'see whether its service runs'],
  ['other', 'the API server refuses it', 'read what the server says'],
])('%s is said in words, with what to do', (reason, words, help) => {
  expect(problemsOf(refused(reason), there.cluster, false)).toMatchObject([
    {
      message: `Deployment "a": ${words}, so Flux applies nothing of the repository: no`,
      help: expect.stringMatching(new RegExp(`^${help}`)),
    },
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
