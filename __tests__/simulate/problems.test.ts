/** What a simulation on live objects says of fields that others have set. */
import { expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { Finding } from '../../src/core/model.js';
import type { FieldChange } from '../../src/simulate/changes.js';
import { problemsOf } from '../../src/simulate/problems.js';
import type { Simulation } from '../../src/simulate/simulate.js';

const flux = 'kustomize-controller';
const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };
const object = { ref, entrypoint: '.', value: { data: { a: 'b', empty: null } } };
const path = ['data', 'a'];
const there = { cluster: {} as Cluster, findings: [] as Finding[], live: true };

const change = (more: Partial<FieldChange>): FieldChange => ({
  ...{ path, before: 'x', after: 'b', ownersBefore: ['helm'], ownersAfter: [flux] },
  ...more,
});

function said(field: FieldChange, outcome: object = {}, more: Partial<typeof there> = {}) {
  const outcomes = [{ ref, action: 'changed', object, fields: [field], ...outcome }];
  const simulation = { reconciles: [], earlier: [], outcomes } as unknown as Simulation;
  return problemsOf(simulation, { ...there, ...more }).head.map(({ rule, message }) => `${rule}: ${message}`);
}

const taken = 'taken-field: ConfigMap "a": Flux overwrites data.a, which helm has set to another value';
const lost = (name: string, what: string, owners = '"helm"') =>
  `lost-field: ConfigMap "a": data.${name}, set by ${owners}, ${what} when Flux applies this`;
const { after: _, ...gone } = change({ ownersAfter: [] });
const { before: __, ...fresh } = change({});

test.each<[string, FieldChange, string[]]>([
  ['is taken from another', change({}), [taken]],
  ['is taken from another, where Flux had it too', change({ ownersBefore: ['helm', flux] }), [taken]],
  ['another keeps', change({ ownersAfter: ['helm', flux] }), []],
  ['nobody had set', change({ ownersBefore: [] }), []],
  ['Flux itself had set', change({ ownersBefore: [flux] }), []],
  ['had no value before', fresh, []],
  ['vanishes', gone, [lost('a', 'is removed')]],
  ['two had set vanishes', { ...gone, ownersBefore: ['a', 'b'] }, [lost('a', 'is removed', '"a" and "b"')]],
  ['becomes null', change({ after: null, ownersAfter: ['helm'] }), [lost('a', 'becomes null')]],
  [
    'is null in git',
    change({ path: ['data', 'empty'], after: null }),
    ['taken-field: ConfigMap "a": Flux overwrites data.empty, which helm has set to another value'],
  ],
  ['is a label of Flux', change({ path: ['metadata', 'labels', 'kustomize.toolkit.fluxcd.io/name'] }), []],
])('a field that %s', (_, field, expected) => {
  expect(said(field)).toEqual(expected);
});

test('nothing is said of what the platform is known to leave, of what is not rendered, or not changed', () => {
  expect(said(change({}), {}, { live: false })).toEqual([]);
  expect(said(change({}), { object: undefined })).toEqual([]);
  expect(said(change({}), { action: 'refused' })).toEqual([]);
});

const finding = (rule: string, field: string[], more: object = {}) =>
  ({
    rule,
    field,
    object: ref,
    at: { file: 'a.yaml' },
    related: [],
    entrypoints: ['.'],
    ...more,
  }) as unknown as Finding;

test.each<[string, Finding, string[]]>([
  ['of the field', finding('chart-owned-field', path), []],
  ['of what is above it', finding('chart-owned-field', ['data']), []],
  ['of another field', finding('chart-owned-field', ['data', 'other']), [taken]],
  ['of the whole object', finding('kubectl-takeover', ['metadata', 'annotations']), []],
  ['of another object', finding('chart-owned-field', path, { object: { ...ref, name: 'b' } }), [taken]],
])('what a rule says %s', (_, one, expected) => {
  expect(said(change({}), {}, { findings: [one] })).toEqual(expected);
});

test.each<[string, string, string | undefined, number]>([
  ['its namespace is removed', 'pruned-namespace', 'n', 0],
  ['another namespace is removed', 'pruned-namespace', 'other', 1],
  ['another rule says something of the namespace', 'missing-namespace', 'n', 1],
])('what is refused as %s', (_, rule, name, count) => {
  const body = { reason: 'Forbidden', message: 'no' };
  const refused = { refused: [{ ref, status: 403, ...body, body }] };
  const rendered = { entrypoint: { path: '.' }, objects: [object] };
  const reconciles = [{ path: '.', rendered, objects: [object], first: refused, second: refused }];
  const cluster = { permissions: {}, contract: { schemas: { find: () => ({ known: false }) } } } as unknown as Cluster;
  const findings = [finding(rule, [], { object: { apiVersion: 'v1', kind: 'Namespace', name } })];
  const simulation = { reconciles, earlier: reconciles, outcomes: [] } as unknown as Simulation;
  const { head, base } = problemsOf(simulation, { cluster, findings, live: false });
  expect([head.length, base.length]).toEqual([count, 1]);
});
