/** The driver does what kustomize-controller was seen to do: what its conditions said, and what was left in the cluster. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defined } from '../../../src/core/defined.js';
import { type Cluster, startCluster } from '../../support/cluster.js';
import { type FluxKustomization, type Reconciled, reconcile } from '../../support/flux.js';
import { createRepo, type Files, removeRepo } from '../../support/trees.js';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  for (const name of ['flux', 'other']) {
    await cluster.adminRequest('POST', '/api/v1/namespaces', { metadata: { name } });
  }
  await cluster.adminRequest('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/flux/rolebindings', {
    metadata: { name: 'customizer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'customizer', namespace: 'flux' }],
  });
});

afterAll(() => cluster?.stop());

test('what a directory holds is applied with the owner labels, and pruned when it is gone', async () => {
  const first = await run({ 'a.yaml': configMap('one', { a: 'b' }), 'b.yaml': configMap('two', { a: 'b' }) });
  expect(first).toMatchObject({ ready: true, reason: 'ReconciliationSucceeded', message: '' });
  expect(first.changes).toEqual([
    { object: 'ConfigMap/flux/one', action: 'created' },
    { object: 'ConfigMap/flux/two', action: 'created' },
  ]);
  expect(first.inventory).toEqual([
    { id: 'flux_one__ConfigMap', v: 'v1' },
    { id: 'flux_two__ConfigMap', v: 'v1' },
  ]);
  expect(first.objects[0].metadata.labels).toEqual({
    'kustomize.toolkit.fluxcd.io/name': 'customizer',
    'kustomize.toolkit.fluxcd.io/namespace': 'flux',
  });
  expect(first.objects[0].metadata.managedFields).toMatchObject([
    { manager: 'kustomize-controller', operation: 'Apply' },
  ]);

  const second = await run({ 'a.yaml': configMap('one', { a: 'c' }) }, { inventory: first.inventory });
  expect(second.changes).toEqual([
    { object: 'ConfigMap/flux/one', action: 'configured' },
    { object: 'ConfigMap/flux/two', action: 'deleted' },
  ]);
  expect(second.objects).toMatchObject([{ metadata: { name: 'one' }, data: { a: 'c' } }]);
});

test('an object that may not be pruned stays', async () => {
  const kept = configMap('kept', {}, { annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } });
  const { inventory } = await run({ 'a.yaml': kept });
  const without = await run({ 'kustomization.yaml': 'resources: []' }, { inventory });
  expect(without).toMatchObject({
    ready: true,
    changes: [{ object: 'ConfigMap/flux/kept', action: 'skipped' }],
    inventory: [],
    objects: [{ metadata: { name: 'kept' } }],
  });
});

test('one object that is not allowed stops all', async () => {
  const refused = await run({
    'a.yaml': configMap('good', {}),
    'b.yaml': configMap('bad', {}, { namespace: 'other' }),
  });
  expect(refused).toMatchObject({ ready: false, reason: 'ReconciliationFailed', inventory: [], objects: [] });
  expect(refused.message).toBe(
    'ConfigMap/other/bad dry-run failed (Forbidden): configmaps "bad" is forbidden: User "system:serviceaccount:flux:customizer" cannot patch resource "configmaps" in API group "" in the namespace "other"\n',
  );
  const all = await run(
    { 'b.yaml': configMap('bad', {}, { namespace: 'other' }) },
    { spec: { serviceAccountName: '' } },
  );
  expect(all).toMatchObject({ ready: true, changes: [{ object: 'ConfigMap/other/bad', action: 'created' }] });
});

test('fields set by kubectl are taken over and removed, unless the manifest says Merge', async () => {
  for (const name of ['wiped', 'merged']) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { theirs: 'x' } };
    const path = '/api/v1/namespaces/flux/configmaps?fieldManager=kubectl-client-side-apply';
    await cluster.adminRequest('POST', path, object);
  }
  const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge' };
  const { objects } = await run({
    'a.yaml': configMap('wiped', { ours: 'y' }),
    'b.yaml': configMap('merged', { ours: 'y' }, { annotations }),
  });
  const data = Object.fromEntries(objects.map((object) => [object.metadata.name, object.data]));
  expect(data).toEqual({ wiped: { ours: 'y' }, merged: { ours: 'y', theirs: 'x' } });
});

test('a value that another manager owns is taken by force', async () => {
  const path = '/api/v1/namespaces/flux/configmaps/forced?fieldManager=helm-controller';
  await cluster.adminRequest('PATCH', path, JSON.parse(configMap('forced', { a: 'chart', b: 'chart' })));
  const { ready, objects } = await run({ 'a.yaml': configMap('forced', { a: 'git' }) });
  expect({ ready, data: objects[0].data }).toEqual({ ready: true, data: { a: 'git', b: 'chart' } });
});

test('what does not build says so, and prunes nothing', async () => {
  const { inventory } = await run({ 'a.yaml': configMap('built', {}) });
  const broken = await run({ 'kustomization.yaml': 'resources: [missing.yaml]' }, { inventory });
  expect(broken).toMatchObject({ ready: false, reason: 'BuildFailed', inventory, changes: [] });
  expect(broken.message).toMatch(/^kustomize build failed: accumulating resources: .*missing\.yaml/);
  expect(broken.objects).toMatchObject([{ metadata: { name: 'built' } }]);

  const nowhere = await run({ 'a.yaml': configMap('built', {}) }, { inventory, spec: { path: './nowhere' } });
  expect(nowhere.reason).toBe('ArtifactFailed');
  expect(nowhere.message).toBe(
    'kustomization path not found: stat $TMPDIR/kustomization/nowhere: no such file or directory',
  );
});

test('a patch and a variable of the Flux Kustomization are in what is applied', async () => {
  const { objects } = await run(
    { 'a.yaml': configMap('varied', { a: `\${word}` }) },
    {
      spec: {
        postBuild: { substitute: { word: 'said' } },
        patches: [{ target: { kind: 'ConfigMap' }, patch: '[{"op":"add","path":"/data/b","value":"patched"}]' }],
        commonMetadata: { labels: { team: 'a' } },
      },
    },
  );
  expect(objects).toMatchObject([{ data: { a: 'said', b: 'patched' }, metadata: { labels: { team: 'a' } } }]);
});

test('objects that are rendered already are applied as they are', async () => {
  const object = JSON.parse(configMap('rendered', { a: 'b' }));
  const { ready, changes } = await reconcile(cluster, { kustomization: kustomization({}), objects: [object] });
  expect({ ready, changes }).toEqual({
    ready: true,
    changes: [{ object: 'ConfigMap/flux/rendered', action: 'created' }],
  });
});

type Extra = { inventory?: Reconciled['inventory']; spec?: FluxKustomization['spec'] };

async function run(files: Files, { inventory, spec = {} }: Extra = {}): Promise<Reconciled> {
  const directory = createRepo(files);
  try {
    return await reconcile(cluster, { kustomization: kustomization(spec), directory, ...defined({ inventory }) });
  } finally {
    removeRepo(directory);
  }
}

function kustomization(spec: FluxKustomization['spec']): FluxKustomization {
  return {
    metadata: { name: 'customizer', namespace: 'flux' },
    spec: { path: './', prune: true, serviceAccountName: 'customizer', ...spec },
  };
}

function configMap(name: string, data: Record<string, string>, metadata: Record<string, unknown> = {}): string {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'flux', ...metadata }, data };
  return JSON.stringify(object);
}
