/** What differs between two states of an object, and who has set what in it. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/core/model.js';
import { changesBetween, leavesIn } from '../../src/simulate/changes.js';
import { managedIn, ownersIn } from '../../src/simulate/managed-fields.js';

const managed = (manager: string, fieldsV1: JsonObject, more: JsonObject = {}) => ({
  ...{ manager, operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 },
  ...more,
});
const object = (data: JsonObject, ...managedFields: JsonObject[]): JsonObject => ({
  data,
  metadata: { managedFields },
});
const pathsOf = (value: JsonObject) => [...leavesIn(value).values()].map((path) => path.join('.'));

test('leaves are what holds nothing else, but for what the server writes', () => {
  const metadata = { name: 'a', uid: 'x', managedFields: [], labels: { uid: 'y' }, resourceVersion: '1' };
  expect(pathsOf({ kind: 'A', metadata: { ...metadata, generation: 2, creationTimestamp: 'now' } })).toEqual([
    'kind',
    'metadata.name',
    'metadata.labels.uid',
  ]);
  expect(pathsOf({ a: {}, b: { c: [1, { d: 2 }], e: null }, uid: 'own', spec: { uid: 'own' } })).toEqual([
    ...['a', 'b.c', 'b.e', 'uid', 'spec.uid'],
  ]);
  expect(leavesIn(undefined).size).toBe(0);
});

const owned = (manager: string) => managed(manager, { 'f:data': { 'f:a': {} } });

test.each<[string, JsonObject | undefined, JsonObject | undefined, object[]]>([
  ['nothing', object({ a: 1 }, owned('x')), object({ a: 1 }, owned('x')), []],
  ['another value', object({ a: 1 }), object({ a: 2 }), [{ path: ['data', 'a'], before: 1, after: 2 }]],
  [
    'another owner alone',
    object({ a: 1 }, owned('x')),
    object({ a: 1 }, owned('y')),
    [{ path: ['data', 'a'], before: 1, after: 1, ownersBefore: ['x'], ownersAfter: ['y'] }],
  ],
  ['the first key of a map', object({ a: {} }), object({ a: { b: 1 } }), [{ path: ['data', 'a', 'b'], after: 1 }]],
  ['the last key of a map', object({ a: { b: 1 } }), object({ a: {} }), [{ path: ['data', 'a', 'b'], before: 1 }]],
  [
    'a map in place of a value',
    object({ a: 1 }),
    object({ a: { b: 1 } }),
    [
      { path: ['data', 'a', 'b'], after: 1 },
      { path: ['data', 'a'], before: 1, after: { b: 1 } },
    ],
  ],
  ['what is gone', { data: { a: 1 } }, undefined, [{ path: ['data', 'a'], before: 1 }]],
  ['what comes', undefined, { data: { a: 1 } }, [{ path: ['data', 'a'], after: 1 }]],
])('a change of %s', (_, before, after, expected) => {
  expect(changesBetween(before, after)).toEqual(expected.map((one) => ({ ownersBefore: [], ownersAfter: [], ...one })));
});

test('entries of managed fields are read as the server writes them', () => {
  const fields = { 'f:data': { '.': {}, 'f:a': {}, 'f:list': { 'k:{"name":"x"}': { 'f:b': {} } } } };
  const all = [
    managed('helm', fields, { time: '2026-01-01T00:00:00Z', operation: 'Update' }),
    managed('kubectl', { 'f:data': { '.': {} } }),
    managed('status', fields, { subresource: 'status' }),
    managed('none', fields, { manager: 5 }),
  ];
  expect(managedIn(object({}, ...all))).toEqual([
    {
      ...{ manager: 'helm', operation: 'Update', time: '2026-01-01T00:00:00Z' },
      fields: [
        ['data', 'a'],
        ['data', 'list'],
      ],
    },
    { manager: 'kubectl', operation: 'Apply', fields: [['data']] },
  ]);
  expect(managedIn({ metadata: {} })).toEqual([]);
  expect(managedIn(undefined)).toEqual([]);
});

test('owners are sorted, and each is named once', () => {
  const both = object({}, owned('b'), owned('a'), managed('b', { 'f:data': { 'f:a': {} } }, { operation: 'Update' }));
  expect([...ownersIn(both).values()]).toEqual([['a', 'b']]);
});
