/** What a server answers, held against what the rules say of the same object. */
import { expect, test } from '@jest/globals';
import { compare, type Reply } from '../../src/apiserver/expected.js';
import type { Finding, Severity } from '../../src/core/model.js';

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
