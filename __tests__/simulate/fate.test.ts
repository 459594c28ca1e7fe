/** What becomes of one field, told from the object before and after, and from who has set it. */
import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../src/core/model.js';
import { fieldOutcome } from '../../src/simulate/outcome.js';

const flux = 'kustomize-controller';
type Owned = { value?: Json; by?: string[] };

/** An object with one field, which these have set. */
function object({ value, by = [] }: Owned): JsonObject {
  return {
    spec: value === undefined ? {} : { a: value },
    metadata: {
      managedFields: by.map((manager) => ({
        ...{ manager, operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' },
        fieldsV1: { 'f:spec': { 'f:a': {} } },
      })),
    },
  };
}

type Case = [string, Owned | undefined, Owned | undefined, 'set' | 'unset' | 'held'];
test.each<Case>([
  ['unchanged', { value: 1, by: [flux] }, { value: 1, by: [flux] }, 'set'],
  ['shared', { value: 1, by: [flux, 'helm'] }, { value: 1, by: [flux, 'helm'] }, 'set'],
  ['shared', { value: 1, by: ['helm'] }, { value: 1, by: [flux, 'helm'] }, 'set'],
  ['changed', { value: 1, by: [flux] }, { value: 2, by: [flux] }, 'set'],
  ['taken', { value: 1, by: ['helm'] }, { value: 2, by: [flux] }, 'set'],
  ['taken', { value: 1, by: ['helm'] }, { value: 1, by: [flux] }, 'set'],
  ['added', undefined, { value: 1, by: [flux] }, 'set'],
  ['added', { by: [] }, { value: 1, by: [flux] }, 'set'],
  ['dropped', { value: 1, by: [flux] }, { by: [] }, 'set'],
  ['gone', { value: 1, by: [flux] }, { by: [] }, 'unset'],
  ['absent', { by: [] }, { by: [] }, 'unset'],
  ['unchanged', { value: 1, by: ['helm'] }, { value: 1, by: ['helm'] }, 'unset'],
  ['held', { value: 1, by: [flux] }, { value: 1, by: [flux] }, 'held'],
])('%s: %j, then %j, by the repository: %s', (outcome, before, after, by) => {
  const states = { before: before && object(before), after: after && object(after), sent: object({ value: 1 }) };
  expect(fieldOutcome(['spec', 'a'], states, by).outcome).toBe(outcome);
});

test('what is not sent is unsent', () => {
  const states = { before: object({ value: 1 }), after: object({ value: 1 }), sent: object({}) };
  expect(fieldOutcome(['spec', 'a'], states, 'set').outcome).toBe('unsent');
});

test('a map is taken from who has set a field in it', () => {
  const owned = (manager: string): JsonObject => {
    const managed = object({ value: { b: 1 }, by: [manager] });
    const [entry] = (managed.metadata as { managedFields: JsonObject[] }).managedFields;
    return {
      ...managed,
      metadata: { managedFields: [{ ...entry, fieldsV1: { 'f:spec': { 'f:a': { 'f:b': {} } } } }] },
    };
  };
  const states = { before: owned('helm'), after: owned(flux), sent: owned(flux) };
  expect(fieldOutcome(['spec', 'a'], states, 'set')).toMatchObject({
    outcome: 'taken',
    ownersBefore: ['helm'],
    ownersAfter: [flux],
    from: ['helm'],
  });
});
