/** What becomes of one field, told from the object before and after, and from who has set it. */
import { expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { Json, JsonObject, RenderedObject } from '../../src/core/model.js';
import { inventoryId } from '../../src/core/object.js';
import { clusterWithout, fateOfObject, fieldOutcome, removalOf } from '../../src/simulate/outcome.js';
import type { Simulation } from '../../src/simulate/simulate.js';

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

const entry = (manager: string, fieldsV1: JsonObject) => ({ manager, operation: 'Apply', fieldsV1 });

test('a list has one owner, and is told as a whole', () => {
  const fields = { 'f:spec': { 'f:list': {} } };
  const state = (value: number, manager: string): JsonObject => ({
    spec: { list: [{ inner: [{ a: value }] }] },
    metadata: { managedFields: [entry(manager, fields)] },
  });
  const states = { before: state(1, 'helm'), after: state(2, flux), sent: state(2, flux) };
  expect(fieldOutcome(['spec', 'list', 0, 'inner', 0, 'a'], states, 'set')).toMatchObject({
    outcome: 'taken',
    path: ['spec', 'list'],
    before: [{ inner: [{ a: 1 }] }],
    ownersBefore: ['helm'],
  });
});

test('a field of which only a map above is owned has the owner of that', () => {
  const state = {
    spec: { a: { b: { c: 1 } } },
    metadata: { managedFields: [entry('helm', { 'f:spec': { 'f:a': {} } })] },
  };
  expect(fieldOutcome(['spec', 'a', 'b', 'c'], { before: state, after: state }, 'unset').ownersBefore).toEqual([
    'helm',
  ]);
  const bare = { spec: { a: 1 }, metadata: { managedFields: [entry('helm', { 'f:data': {} })] } };
  expect(fieldOutcome(['spec', 'a'], { before: bare, after: bare }, 'unset').ownersBefore).toEqual([]);
});

test('of fields whose names begin alike each has its own owner', () => {
  const fields = { 'f:spec': { 'f:a': { 'f:b': {} }, 'f:ab': {} } };
  const other = { 'f:spec': { 'f:a': { 'f:bc': {} } } };
  const managedFields = [entry('one', fields), entry('two', other)];
  const state = { spec: { a: { b: 1, bc: 2 }, ab: 3 }, metadata: { managedFields } };
  const ownersOf = (...path: string[]) => fieldOutcome(path, { before: state, after: state }, 'unset').ownersBefore;
  expect(ownersOf('spec', 'a', 'b')).toEqual(['one']);
  expect(ownersOf('spec', 'a')).toEqual(['one', 'two']);
  expect(ownersOf('spec', 'ab')).toEqual(['one']);
});

test('a map in place of a value takes that from who has set it', () => {
  const before = object({ value: 'text', by: ['helm'] });
  const after = {
    spec: { a: { b: { c: 1 } } },
    metadata: { managedFields: [entry(flux, { 'f:spec': { 'f:a': { 'f:b': {} } } })] },
  };
  expect(fieldOutcome(['spec', 'a', 'b', 'c'], { before, after, sent: after }, 'set')).toMatchObject({
    outcome: 'taken',
    replaced: { path: ['spec', 'a'], value: 'text' },
    ownersBefore: ['helm'],
    from: ['helm'],
  });
  const map = object({ value: { x: 1 }, by: ['helm'] });
  const added = fieldOutcome(['spec', 'a', 'b', 'c'], { before: map, after, sent: after }, 'set');
  expect(added).toMatchObject({ outcome: 'added', ownersBefore: [] });
  expect(added).not.toHaveProperty('replaced');
});

const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };
const other = { ...ref, name: 'b' };
const rendered = (value: JsonObject = {}) => ({ ref, value, entrypoint: '.' }) as unknown as RenderedObject;

/** What two reconciles of the repository came to. */
function simulationOf(change: object = {}, second: object = {}): Simulation {
  const none = { changes: [], refused: [] };
  const reconciles = [{ path: '.', first: none, second: { ...none, ...second } }];
  return {
    reconciles,
    unknown: [],
    applied: [],
    outcomes: [],
    before: new Map(),
    after: new Map(),
    ...change,
  } as unknown as Simulation;
}
const done = (action: string, of: object = ref) => ({ changes: [{ ref: of, action }] });

test.each<[string, Simulation, object]>([
  ['made', simulationOf({ outcomes: [{ ref, action: 'created' }] }, done('created')), { action: 'created' }],
  ['changed', simulationOf({ outcomes: [{ ref, action: 'changed' }] }, done('configured')), { action: 'changed' }],
  ['as it was', simulationOf({}, done('unchanged')), { action: 'unchanged' }],
  [
    'as it was, beside another',
    simulationOf({ outcomes: [{ ref: other, action: 'created' }] }, done('unchanged')),
    { action: 'unchanged' },
  ],
  [
    'left alone',
    simulationOf({}, done('skipped')),
    { action: 'skipped', why: 'it is there, and is told to be left alone' },
  ],
  ['refused', simulationOf({ outcomes: [{ ref, action: 'refused', why: 'no' }] }), { action: 'refused', why: 'no' }],
  ['refused without a word', simulationOf({ outcomes: [{ ref, action: 'refused' }] }), { action: 'refused', why: '' }],
  [
    'stopped by another',
    simulationOf({}, { ...done('created', other), refused: [{ ref: other }] }),
    { action: 'stopped', why: 'ConfigMap "b" is refused, which stops the rest' },
  ],
  ['stopped by something', simulationOf(), { action: 'stopped', why: 'something is refused, which stops the rest' }],
  [
    'not known',
    simulationOf({
      unknown: [
        { what: 'v1 ConfigMap n/b', why: 'x' },
        { what: 'v1 ConfigMap n/a', why: 'encrypted' },
      ],
    }),
    { action: 'unknown', why: 'encrypted' },
  ],
])('an object that is %s', (_, simulation, expected) => {
  expect(fateOfObject(rendered(), simulation)).toEqual(expected);
});

test('an object that Flux is told to leave alone is not applied, whatever else is known', () => {
  const annotations = { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' };
  expect(fateOfObject(rendered({ metadata: { annotations } }), simulationOf({}, done('created')))).toEqual({
    action: 'skipped',
    why: 'the manifest tells Flux to leave it alone',
  });
});

test('the reconcile of another directory says nothing', () => {
  const simulation = simulationOf({}, done('created'));
  const elsewhere = simulation.reconciles.map((one) => ({ ...one, path: 'apps' }));
  expect(fateOfObject(rendered(), { ...simulation, reconciles: elsewhere }).action).toBe('stopped');
});

const field = ['data', 'x'];
const removalIn = (before: JsonObject, after: JsonObject, change: object = {}, second: object = done('configured')) => {
  const states = { before: new Map([[inventoryId(ref), before]]), after: new Map([[inventoryId(ref), after]]) };
  const simulation = simulationOf({ ...states, ...change }, second);
  return removalOf(field, { object: rendered(), removed: field, simulation });
};

test.each<[string, JsonObject, JsonObject, object]>([
  ['goes', { data: { x: 1 } }, { data: {} }, { outcome: 'goes', others: [] }],
  ['stays', { data: { x: 1 } }, { data: { x: 1 } }, { outcome: 'stays', after: 1, owners: [], others: [] }],
  [
    'becomes another',
    { data: { x: 1 } },
    { data: { x: null } },
    { outcome: 'becomes', after: null, owners: [], others: [] },
  ],
])('a field that is taken out %s', (_, before, after, expected) => {
  expect(removalIn(before, after)).toEqual(expected);
});

test('with a field that is taken out, what else changes is told', () => {
  const fields = [{ path: ['data', 'x', 'y'] }, { path: ['data', 'z'] }];
  const outcomes = [
    { ref: other, action: 'changed', fields: [{ path: ['no'] }] },
    { ref, action: 'changed', fields },
  ];
  expect(removalIn({ data: { x: 1 } }, { data: {} }, { outcomes })).toEqual({ outcome: 'goes', others: [fields[1]] });
});

test('what is refused without the field is told in the words of the server', () => {
  const outcomes = [{ ref, action: 'refused', why: 'it is invalid' }];
  expect(removalIn({}, {}, { outcomes })).toEqual({ outcome: 'refused', why: 'it is invalid', others: [] });
  expect(removalIn({}, {}, {}, {})).toMatchObject({
    outcome: 'stopped',
    why: expect.stringContaining('stops the rest'),
  });
});

test.each<[string, JsonObject, (string | number)[], JsonObject]>([
  ['a key', { data: { x: 1, y: 2 } }, ['data', 'x'], { data: { y: 2 } }],
  ['the only key of a map', { spec: { data: { x: 1 } }, kind: 'A' }, ['spec', 'data', 'x'], { kind: 'A' }],
  ['an item', { data: { x: [1, 2, 3] } }, ['data', 'x', 1], { data: { x: [1, 3] } }],
  ['the only item', { data: { x: [1], y: 2 } }, ['data', 'x', 0], { data: { y: 2 } }],
  [
    'the only key of an item',
    { data: { x: [{ a: 1 }, { a: 2 }] } },
    ['data', 'x', 0, 'a'],
    { data: { x: [{ a: 2 }] } },
  ],
  ['a map with others in it', { data: { x: { a: 1 } }, y: 1 }, ['data', 'x'], { y: 1 }],
])('the repository without %s', (_, value, path, expected) => {
  const object = rendered(value);
  const beside = { ...rendered(), ref: other } as RenderedObject;
  const head = {
    entrypoints: [{ ok: true, objects: [object, beside] }, { ok: false }],
    objects: [object, beside],
    applied: [object, beside],
  };
  const cluster = { name: 'prod', head, base: 'the base' } as unknown as Cluster;
  const states = new Map([
    ['a', { kind: 'A' }],
    ['b', undefined],
  ]);
  const simulation = simulationOf({ after: states });
  const reduced = clusterWithout(path, { object, cluster, simulation });
  const changed = [{ ...object, value: expected }, beside];
  expect(reduced.live).toEqual([{ kind: 'A' }]);
  expect(reduced.cluster).toEqual({
    name: 'prod',
    base: head,
    head: { entrypoints: [{ ok: true, objects: changed }, { ok: false }], objects: changed, applied: changed },
  });
  expect(object.value).toEqual(value);
});
