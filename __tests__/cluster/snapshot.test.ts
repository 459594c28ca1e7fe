/** What goes into a snapshot of a cluster, and what is read from one. */
import { describe, expect, test } from '@jest/globals';
import { readSnapshot, takeSnapshot } from '../../src/cluster/snapshot.js';
import type { JsonObject } from '../../src/core/model.js';
import { treeOf } from '../support/tree-of.js';

const take = (...objects: JsonObject[]) => takeSnapshot(objects, '2026-12-31');
const packageOf = (metadata: JsonObject, spec: JsonObject = {}): JsonObject => ({
  ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
  metadata: { name: 'cozystack.metallb', ...metadata },
  spec,
});
const managed = (...managedFields: JsonObject[]) =>
  take(packageOf({ managedFields })).packages['cozystack.metallb']?.managers;

describe('of a Package', () => {
  test('the variant and the names of its components are taken, and no value', () => {
    const spec = { variant: 'default', components: { b: { values: { a: 'b' } }, a: {} } };
    expect(take(packageOf({}, spec)).packages).toEqual({
      'cozystack.metallb': { variant: 'default', components: ['a', 'b'] },
    });
  });

  test('nothing is said of what it does not have', () => {
    expect(take(packageOf({})).packages).toEqual({ 'cozystack.metallb': {} });
    expect(take(packageOf({ managedFields: [] })).packages).toEqual({ 'cozystack.metallb': {} });
  });

  test('the ends of what each manager has are taken, once each, and none of a list', () => {
    const list = { '.': {}, 'k:{"name":"x"}': { 'f:value': {} } };
    const fieldsV1 = { 'f:spec': { 'f:variant': {}, 'f:components': { '.': {}, 'f:a': { 'f:list': list } } } };
    expect(managed({ manager: 'helm-controller', operation: 'Apply', fieldsV1 })).toEqual([
      { manager: 'helm-controller', operation: 'Apply', fields: ['spec.components.a.list', 'spec.variant'] },
    ]);
  });

  test('a manager of nothing is one all the same', () => {
    const nothing = { manager: 'kubectl', operation: 'Update' };
    expect(managed(nothing)).toEqual([{ ...nothing, fields: [] }]);
    expect(managed({ ...nothing, fieldsV1: null })).toEqual([{ ...nothing, fields: [] }]);
  });

  test('no manager is one that has only written its status, that has no name, or whose operation is another', () => {
    const entry = { manager: 'x', operation: 'Update', fieldsV1: { 'f:spec': {} } };
    expect(managed(entry, { ...entry, subresource: 'status' })).toHaveLength(1);
    expect(managed(entry, { ...entry, manager: null })).toHaveLength(1);
    expect(managed(entry, { ...entry, operation: 'Create' })).toHaveLength(1);
  });
});

test('of the same kind in another group nothing is taken', () => {
  expect(take({ apiVersion: 'example.org/v1', kind: 'Package', metadata: { name: 'a' } })).toEqual({
    ...{ taken: '2026-12-31', packages: {} },
  });
});

test('sources are named, and kinds have the versions that are served', () => {
  const source = (name: string) => ({ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource', metadata: { name } });
  const definition = (spec: JsonObject) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec,
  });
  const versions = [
    { name: 'v2', served: true },
    { name: 'v1', served: false },
  ];
  const objects = [
    ...[source('b'), source('a')],
    ...[definition({ group: 'x.org', names: { kind: 'X' }, versions }), definition({ names: { kind: 'Y' }, versions })],
  ];
  expect(take(...objects)).toEqual({
    ...{ taken: '2026-12-31', packages: {} },
    ...{ packageSources: ['a', 'b'], kinds: { 'x.org/X': ['v2'] } },
  });
});

describe('of roles', () => {
  const rbac = (kind: string, name: string, namespace: string | undefined, more: JsonObject): JsonObject => ({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind },
    metadata: { name, ...(namespace && { namespace }), labels: { a: 'b' } },
    ...more,
  });
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const subjects = [{ kind: 'ServiceAccount', name: 'x', namespace: 'n' }];
  const binding = (kind: string, name: string, namespace?: string, more: JsonObject = {}) =>
    rbac(`${namespace ? '' : 'Cluster'}RoleBinding`, `of-${name}`, namespace, {
      ...{ subjects, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name } },
      ...more,
    });
  const namesOf = (...objects: JsonObject[]) =>
    take(...objects).roles?.map(({ kind, metadata }) => {
      const { name, namespace } = metadata as JsonObject;
      return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
    });

  test('those that a service account has are taken, whole but for what says nothing of the right', () => {
    const bound = binding('Role', 'a', 'n');
    expect(take(rbac('Role', 'a', 'n', { rules }), bound).roles).toEqual([
      {
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
        ...{ metadata: { name: 'a', namespace: 'n' }, rules },
      },
      { ...bound, metadata: { name: 'of-a', namespace: 'n' } },
    ]);
  });

  test('a role counts in its own namespace, and one of the cluster in any', () => {
    const roles = [rbac('Role', 'a', 'n', { rules }), rbac('Role', 'a', 'other', { rules })];
    expect(namesOf(...roles, binding('Role', 'a', 'n'))).toEqual(['Role n/a', 'RoleBinding n/of-a']);
    const ofCluster = rbac('ClusterRole', 'a', undefined, { rules });
    expect(namesOf(ofCluster, ...roles, binding('ClusterRole', 'a', 'n'))).toEqual([
      ...['ClusterRole a', 'RoleBinding n/of-a'],
    ]);
    expect(namesOf(ofCluster, binding('ClusterRole', 'a'))).toEqual(['ClusterRole a', 'ClusterRoleBinding of-a']);
  });

  test('what bears the name of a binding in another group is none', () => {
    const other = { ...binding('Role', 'a', 'n'), apiVersion: 'authorization.openshift.io/v1' };
    expect(take(rbac('Role', 'a', 'n', { rules }), other).roles).toBeUndefined();
    const role = { ...rbac('Role', 'a', 'n', { rules }), apiVersion: 'authorization.openshift.io/v1' };
    expect(namesOf(role, binding('Role', 'a', 'n'))).toEqual(['RoleBinding n/of-a']);
  });

  test('what only people have is nobody’s business', () => {
    const people = binding('Role', 'a', 'n', { subjects: [{ kind: 'User', name: 'me' }] });
    expect(take(rbac('Role', 'a', 'n', { rules }), people)).toEqual({ taken: '2026-12-31', packages: {} });
  });

  test('a namespace is owned where the customizer is its administrator', () => {
    const customizer = { kind: 'ServiceAccount', name: 'cozystack-customizer', namespace: 'cozy-system' };
    const owned = (role: string, subject: JsonObject, namespace?: string) =>
      take(binding('ClusterRole', role, namespace, { subjects: [subject] })).ownedNamespaces;
    expect(owned('cluster-admin', customizer, 'mine')).toEqual(['mine']);
    expect(owned('cluster-admin', customizer)).toEqual([]);
    const several = { subjects: [{ ...customizer, name: 'other' }, customizer] };
    expect(take(binding('ClusterRole', 'cluster-admin', 'mine', several)).ownedNamespaces).toEqual(['mine']);
    expect(owned('edit', customizer, 'mine')).toEqual([]);
    expect(owned('cluster-admin', { ...customizer, name: 'other' }, 'mine')).toEqual([]);
    expect(owned('cluster-admin', { ...customizer, namespace: 'other' }, 'mine')).toEqual([]);
  });
});

describe('a file', () => {
  const read = (text: string) => readSnapshot(treeOf({ 'a.yaml': text }), 'a.yaml');

  test('is read as it was written, with its name', () => {
    const packages = { 'cozystack.metallb': { variant: 'default' } };
    expect(read(JSON.stringify({ taken: '2026-12-31', packages }))).toEqual({
      ...{ taken: '2026-12-31', packages, file: 'a.yaml' },
    });
  });

  test.each([
    ['that is no YAML', '{', 'the snapshot a.yaml is not valid YAML'],
    [
      'that two changes have written, though YAML is what stands above their conflict',
      'taken: 2026-12-31\npackages: {}\n<<<<<<< ours\nroles: []\n',
      'the snapshot a.yaml is not valid YAML',
    ],
    ['that is empty', '', 'a.yaml is no snapshot of a cluster'],
    ['without a day', '{"packages":{}}', 'a.yaml is no snapshot of a cluster'],
    ['whose Packages are no map', '{"taken":"2026-12-31","packages":[]}', 'a.yaml is no snapshot of a cluster'],
  ])('%s is refused', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test('that is not there is named, with where it was looked for', () => {
    expect(() => readSnapshot(treeOf({}), 'a.yaml')).toThrow('the snapshot a.yaml is not in a test');
  });
});
