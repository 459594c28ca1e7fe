/** What `render --as-applied` prints is what Flux's own packages send to a real API server, object by object, in that order. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { definitionOf } from '../../../src/cluster/crds.js';
import { type Definition, loadSchemas } from '../../../src/cozystack/schemas.js';
import { root, runCli } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';
import { reconcile } from '../../support/flux.js';
import { createRepo, kustomization, removeRepo } from '../../support/trees.js';

const namespace = 'cozy-customizer';
const rbac = 'rbac.authorization.k8s.io/v1';
const flux = 'kustomize.toolkit.fluxcd.io';

type Manifest = { apiVersion: string; kind: string; metadata: { name: string; [field: string]: unknown } };

const of = (apiVersion: string, kind: string, name: string, more: object = {}): Manifest => ({
  ...{ apiVersion, kind, metadata: { name } },
  ...more,
});
const local = (apiVersion: string, kind: string, name: string, more: object = {}): Manifest => ({
  ...{ apiVersion, kind, metadata: { name, namespace } },
  ...more,
});

const container = { name: 'a', image: 'a', env: [], resources: { limits: {} }, imagePullPolicyy: 'Always' };
const strategy = { type: 'Recreate' };
const selector = { matchLabels: { app: 'a' } };
const template = { metadata: { labels: { app: 'a' }, creationTimestamp: null }, spec: { containers: [container] } };

/** In an order that is nobody's. */
const manifests: Manifest[] = [
  of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'a', { webhooks: [] }),
  of('cozystack.io/v1alpha1', 'PackageSource', 'mine', {
    spec: { sourceRef: { kind: 'OCIRepository', name: 'a', namespace: 'cozy-system' } },
  }),
  of('cozystack.io/v1alpha1', 'Package', 'mine', { spec: { components: { a: { values: { b: {}, c: null } } } } }),
  local('apps/v1', 'Deployment', 'b', { spec: { replicas: 0, strategy, selector, template }, status: { replicas: 1 } }),
  local('apps/v1', 'Deployment', 'a', { spec: { strategy, selector, template } }),
  local('v1', 'Service', 'a', { spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }], selector: {} } }),
  local('v1', 'Secret', 'a', { stringData: { a: 'b', c: 'd' }, data: { a: 'eA==' } }),
  local('v1', 'ConfigMap', 'b', { data: { a: 'yes' }, dat: {} }),
  { ...local('v1', 'ConfigMap', 'a'), metadata: { name: 'a', namespace, labels: { a: true, b: 'c' } } as never },
  { ...local('v1', 'ConfigMap', 'c'), metadata: { name: 'c', namespace, annotations: { [`${flux}/ssa`]: 'Ignore' } } },
  local(rbac, 'RoleBinding', 'a', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
    subject: [],
  }),
  local(rbac, 'Role', 'a', { rules: [] }),
  local('v1', 'ServiceAccount', 'a', { secrets: [] }),
  of('storage.k8s.io/v1', 'StorageClass', 'a', { provisioner: 'a', parameters: {} }),
  of('scheduling.k8s.io/v1', 'PriorityClass', 'a', { value: 5 }),
  of(rbac, 'ClusterRole', 'a', { rules: [] }),
  of('v1', 'Namespace', namespace, { spec: {} }),
];

let cluster: Cluster;
let folder: string;

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
  const schemas = loadSchemas(join(root, 'schemas'), 'v1.6.2');
  for (const kind of ['Package', 'PackageSource'])
    await cluster.define(definitionOf(schemas.definition('cozystack.io', kind) as Definition) as never);
  folder = createRepo({
    'kustomization.yaml': kustomization({ resources: ['all.yaml'] }),
    'all.yaml': manifests.map((one) => JSON.stringify(one)).join('\n---\n'),
  });
});

afterAll(async () => {
  await cluster?.stop();
  removeRepo(folder);
});

test('every object, as it is sent, in order', async () => {
  const printed = await runCli(['render', folder, '--as-applied', '--format', 'json', '--release', 'v1.6.2']);
  const done = await reconcile(cluster, {
    directory: folder,
    kustomization: {
      metadata: { name: 'cozystack-customizer', namespace: 'cozy-system' },
      spec: { path: './', prune: true },
    },
  });
  expect(done).toMatchObject({ ready: true, message: expect.not.stringContaining('rror') });
  const sent = cluster
    .audit()
    .filter(
      ({ verb, requestURI }) => verb === 'patch' && /fieldManager=/.test(requestURI) && !/dryRun=/.test(requestURI),
    )
    .map(({ requestObject }) => withoutTime(requestObject as Manifest));
  expect(sent.length).toBe(manifests.length - 1);
  expect(JSON.parse(printed.stdout)).toEqual(sent);
});

/** Flux adds `creationTimestamp: null` to each, which means nothing to an API server. */
function withoutTime(object: Manifest): Manifest {
  const { creationTimestamp, ...metadata } = object.metadata;
  return creationTimestamp ? object : { ...object, metadata };
}
