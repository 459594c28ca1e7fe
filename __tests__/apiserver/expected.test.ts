/** What a server answers, held against what the rules say of the same object. */
import { expect, test } from '@jest/globals';
import {
  compare,
  findingsAbout,
  isRefusal,
  type Reply,
  saysNoKind,
  saysRefused,
} from '../../src/apiserver/expected.js';
import type { Cause } from '../../src/apiserver/status.js';
import type { FieldPath, Finding, RefusalReason, Severity } from '../../src/core/model.js';

const ref = { apiVersion: 'example.org/v1', kind: 'Thing', name: 'a', namespace: 'b' };
const accepted = { object: { ref, entrypoint: '.' }, outcome: 'accepted', conflicts: [] } as unknown as Reply;
const finding = (rule: string, severity: Severity = 'error') =>
  ({ rule, severity, object: ref, entrypoints: ['.'], field: [] }) as unknown as Finding;

test.each<[string, boolean, Finding]>([
  ['that its kind is unknown', true, finding('unknown-kind')],
  ['that its version is not served', true, finding('unserved-version')],
  ['that it does not fit its schema', true, finding('schema-violation')],
  ['that its kind may be unknown', false, finding('unknown-kind', 'warning')],
  ['that it was copied, which may be taken', false, finding('copied-live-object')],
  ['what no server knows', false, finding('dead-patch')],
])('a server that accepts an object, where a rule says %s: a contradiction is %p', (_, contradicts, said) => {
  expect(compare(accepted, [said], true).contradicted).toEqual(contradicts ? [said] : []);
});

test.each<[string, string, (string | number)[], boolean]>([
  ['that its kind is unknown', 'unknown-kind', ['metadata'], true],
  ['something of its kind', 'copied-live-object', ['kind'], true],
  ['something of its version', 'not-there-yet', ['apiVersion'], true],
  ['something below its kind', 'copied-live-object', ['kind', 'x'], false],
  ['something of a field below that is called so', 'copied-live-object', ['spec', 'kind'], false],
  ['something of another field', 'copied-live-object', ['spec'], false],
  ['something of the whole', 'copied-live-object', [], false],
  ['of its kind that it does not fit its schema', 'schema-violation', ['kind'], false],
  ['of its kind what no server knows', 'dead-patch', ['kind'], false],
])('where a rule says %s: %s at %j, that the server does not have the kind is %p', (_, rule, field, says) => {
  expect(saysNoKind({ ...finding(rule), field })).toBe(says);
});

const refused = (reason: RefusalReason, ...causes: Cause[]) =>
  ({ ...accepted, outcome: 'refused', refusal: { reason, causes } }) as unknown as Reply;
const cause = (message = 'no', path: FieldPath = []): Cause => ({ path, message });
const making = cause('a/b cannot create resource "things"');

/** In the order in which a server comes to them. */
const replies: [string, Reply][] = [
  ['kind', refused('unknown-kind', cause())],
  ['right', refused('forbidden', cause())],
  ['schema', refused('invalid', cause())],
  ['making', refused('forbidden', making)],
  ['a policy', refused('policy', cause())],
  ['nothing', accepted],
];

test.each<[string, string[], string[]]>([
  ['unknown-kind', ['kind'], ['right', 'schema', 'making', 'a policy', 'nothing']],
  ['unserved-version', ['kind'], ['right', 'schema', 'making', 'a policy', 'nothing']],
  ['other-keycloak-operator', ['kind'], ['right', 'schema', 'making', 'a policy', 'nothing']],
  ['kind-not-installed', ['kind'], []],
  ['forbidden-object', ['right', 'making'], ['schema', 'a policy', 'nothing']],
  ['missing-namespace', ['right', 'making'], ['schema', 'a policy', 'nothing']],
  ['unbound-service-account', ['right', 'making'], []],
  ['schema-violation', ['schema'], ['making', 'a policy', 'nothing']],
  ['duplicate-list-key', ['schema'], ['making', 'a policy', 'nothing']],
  ['copied-live-object', ['schema'], []],
  ['encrypted-without-decryption', ['schema'], []],
  ['claimed-field-dropped', ['schema'], []],
  ['other-flux-version', ['schema'], []],
  ['invalid-package-source', ['schema'], []],
  ['package-not-created-here', ['making'], ['a policy', 'nothing']],
  ['unknown-package', ['making'], []],
  ['not-there-yet', ['kind', 'right', 'schema', 'making', 'a policy'], []],
  ['dead-patch', [], []],
  ['constructor', [], []],
])('what %s says is confirmed by a refusal of %j, and contradicted by %j', (rule, confirmed, contradicted) => {
  const said = finding(rule);
  const of = (part: 'confirmed' | 'contradicted') =>
    replies.filter(([, reply]) => compare(reply, [said], false)[part].includes(said)).map(([name]) => name);
  expect([of('confirmed'), of('contradicted')]).toEqual([confirmed, contradicted]);
  expect(saysRefused(said)).toBe(!['dead-patch', 'constructor'].includes(rule));
});

test.each<[RefusalReason, string, boolean]>([
  ['unknown-kind', 'unknown-kind', true],
  ['no-namespace', 'forbidden-object', true],
  ['missing-namespace', 'missing-namespace', true],
  ['forbidden', 'forbidden-object', true],
  ['unknown-field', 'schema-violation', true],
  ['invalid', 'schema-violation', true],
  ['conflict', 'copied-live-object', true],
  ['policy', 'schema-violation', false],
  ['webhook', 'schema-violation', false],
  ['other', 'schema-violation', false],
])('a refusal for %s is what %s says: %p', (reason, rule, isSaid) => {
  const [said, why] = [finding(rule), cause()];
  const { unsaid, confirmed } = compare(refused(reason, why), [said], false);
  expect([unsaid, confirmed]).toEqual(isSaid ? [[], [said]] : [[why], []]);
});

test('each cause of a refusal is said by what is found at its field, above it or below it, or of the whole', () => {
  const at = (...field: FieldPath) => ({ ...finding('schema-violation'), field });
  const causes = [cause('a', ['spec', 'a']), cause('b', ['spec', 'b'])];
  const heard = (...said: Finding[]) => {
    const { unsaid, confirmed } = compare(refused('invalid', ...causes), said, true);
    return [unsaid.map(({ message }) => message), confirmed.length];
  };
  expect(heard()).toEqual([['a', 'b'], 0]);
  expect(heard(at('spec', 'a'))).toEqual([['b'], 1]);
  expect(heard(at('spec', 'b', 'c'), at('spec', 'x'))).toEqual([['a'], 1]);
  expect(heard(at('spec'))).toEqual([[], 1]);
  expect(heard(at('spec', 'a'), at('spec', 'b'))).toEqual([[], 2]);
  expect(compare(refused('invalid', cause('x')), [at('spec', 'a')], true).unsaid).toEqual([]);
  // Of a right the field says nothing.
  expect(
    compare(refused('forbidden', cause('x', ['kind'])), [{ ...finding('forbidden-object'), field: ['a'] }], true)
      .unsaid,
  ).toEqual([]);
});

test('that one of several causes is about making is enough, and of no other reason', () => {
  const said = finding('package-not-created-here');
  expect(compare(refused('forbidden', cause(), making), [said], true).confirmed).toEqual([said]);
  expect(compare(refused('invalid', making), [said], true).confirmed).toEqual([]);
});

test('what is only suspected is no prediction for a server that knows better', () => {
  const said = finding('schema-violation', 'warning');
  const why = cause();
  const heard = (sure: boolean) => compare(refused('invalid', why), [said], sure);
  expect(heard(false)).toEqual({ unsaid: [], confirmed: [said], contradicted: [] });
  expect(heard(true)).toEqual({ unsaid: [why], confirmed: [], contradicted: [] });
});

test('a finding about what is not sent says nothing of a refusal', () => {
  const said = { ...finding('schema-violation'), unsent: true };
  expect([saysRefused(said), isRefusal(said), saysNoKind({ ...finding('unknown-kind'), unsent: true })]).toEqual([
    false,
    false,
    false,
  ]);
  expect(compare(accepted, [said], true).contradicted).toEqual([]);
});

test.each<[string, Severity, FieldPath, boolean]>([
  ['schema-violation', 'error', [], true],
  ['forbidden-object', 'error', [], true],
  ['missing-namespace', 'error', [], true],
  ['package-not-created-here', 'error', [], true],
  ['duplicate-list-key', 'error', [], true],
  ['not-there-yet', 'error', [], true],
  ['kind-not-installed', 'error', [], true],
  ['schema-violation', 'warning', [], false],
  ['unknown-package', 'error', [], false],
  ['unknown-package', 'error', ['kind'], true],
  ['copied-live-object', 'error', ['metadata'], false],
  ['dead-patch', 'error', [], false],
  ['toString', 'error', ['kind'], false],
])('that an object is refused is certain by %s, a %s at %j: %p', (rule, severity, field, isCertain) => {
  expect(isRefusal({ ...finding(rule, severity), field })).toBe(isCertain);
});

test('a finding is about its object, and about the others of its line, wherever they are rendered', () => {
  const other = { ...ref, name: 'c' };
  const said = { ...finding('schema-violation'), also: [other, ref], entrypoints: ['.', 'apps'] } as Finding;
  const { object: _, ...none } = finding('unknown-kind');
  const findings = [said, none as Finding];
  const about = (one: typeof ref, entrypoint: string) => findingsAbout({ ref: one, entrypoint }, findings);
  expect([about(ref, '.'), about(other, 'apps')]).toEqual([[said], [said]]);
  expect([about({ ...ref, name: 'd' }, '.'), about(ref, 'infra')]).toEqual([[], []]);
});
