/**
 * The driver that the other tests use for Flux, beside the real kustomize-controller: both reconcile the same commits, each
 * on an API server of its own, and have to leave the same conditions, inventories and objects with the same owners.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Cluster, type Definition, startCluster } from '../../support/cluster.js';
import { type Controller, hasController, type Observed, startController } from '../../support/controller.js';
import { type FluxKustomization, type Reference, reconcile } from '../../support/flux.js';
import { createRepo, type Files, removeRepo } from '../../support/trees.js';

let real: Cluster;
let driven: Cluster;
let controller: Controller;

beforeAll(async () => {
  if (!hasController) return;
  [real, driven] = await Promise.all([startCluster(), startCluster()]);
  await Promise.all([prepare(real), prepare(driven)]);
  controller = await startController(real);
});

afterAll(async () => {
  await controller?.stop();
  await Promise.all([real?.stop(), driven?.stop()]);
});

type Commit = { files: Files; spec?: FluxKustomization['spec'] };
type History = {
  /** What others have written before, by field manager. */
  seed?: [manager: string, object: string][];
  commits: Commit[];
  /** The reasons of the Ready condition, one for each commit: so that nothing is the same for being wrong. */
  reasons: string[];
};

const good = 'ReconciliationSucceeded';
const refused = 'ReconciliationFailed';
const merge = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge' };

const histories: Record<string, History> = {
  'made, changed and pruned': {
    commits: [
      { files: { 'a.yaml': configMap('a', { k: '1' }), 'b.yaml': configMap('b', {}) } },
      { files: { 'a.yaml': configMap('a', { k: '2' }) } },
    ],
    reasons: [good, good],
  },
  'not to be pruned': {
    commits: [
      { files: { 'a.yaml': configMap('kept', {}, { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' }) } },
      { files: { 'kustomization.yaml': 'resources: []' } },
    ],
    reasons: [good, good],
  },
  'one of two is forbidden': {
    commits: [
      { files: { 'a.yaml': configMap('fine', {}), 'b.yaml': inNamespace('kube-system', configMap('no', {})) } },
    ],
    reasons: [refused],
  },
  'may be made and not be deleted': {
    commits: [
      { files: { 'a.yaml': inNamespace('other', configMap('stuck', {})) } },
      { files: { 'kustomization.yaml': 'resources: []' } },
      { files: { 'kustomization.yaml': 'resources: []' } },
    ],
    reasons: [good, 'PruneFailed', good],
  },
  'what kubectl wrote is taken over': {
    seed: [['kubectl-client-side-apply', configMap('wiped', { theirs: 'x' })]],
    commits: [{ files: { 'a.yaml': configMap('wiped', { ours: 'y' }) } }],
    reasons: [good],
  },
  'what kubectl wrote stays until Merge is dropped, and one reconcile longer': {
    seed: [['kubectl', configMap('merged', { theirs: 'x' })]],
    commits: [
      { files: { 'a.yaml': configMap('merged', { ours: 'y' }, merge) } },
      { files: { 'a.yaml': configMap('merged', { ours: 'y' }) } },
      { files: { 'a.yaml': configMap('merged', { ours: 'y' }) } },
    ],
    reasons: [good, good, good],
  },
  'a value taken from the chart and released': {
    seed: [['helm-controller', widget('taken', { size: 1, values: { a: { b: 1, c: 2 }, d: { e: 1 } } })]],
    commits: [
      { files: { 'a.yaml': widget('taken', { values: { a: { b: 5 }, d: { e: 5 } } }) } },
      { files: { 'a.yaml': widget('taken', { values: { a: { b: 5 } } }) } },
      { files: { 'a.yaml': widget('taken', {}) } },
    ],
    reasons: [good, good, good],
  },
  'refused by its schema': {
    commits: [
      { files: { 'a.yaml': widget('large', { size: 7 }) } },
      { files: { 'a.yaml': widget('large', { size: 'x' }) } },
      { files: { 'a.yaml': widget('large', { colour: 'red' }) } },
      { files: { 'a.yaml': widget('large', { size: 1, values: { colour: 'red' } }) } },
    ],
    reasons: [refused, refused, refused, good],
  },
  'forced, and gone where it is refused': {
    seed: [['helm-controller', widget('forced', { size: 1 })]],
    commits: [
      { files: { 'a.yaml': widget('forced', { size: 7 }, { 'kustomize.toolkit.fluxcd.io/force': 'enabled' }) } },
    ],
    reasons: [refused],
  },
  'of no kind that is served, and in no namespace': {
    commits: [
      {
        files: {
          'a.yaml': JSON.stringify({ apiVersion: 'a/v1', kind: 'B', metadata: { name: 'x', namespace: 'flux' } }),
        },
      },
      { files: { 'a.yaml': JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }) } },
    ],
    reasons: [refused, refused],
  },
  'does not build': {
    commits: [
      { files: { 'a.yaml': configMap('built', {}) } },
      { files: { 'kustomization.yaml': 'resources: [missing.yaml]' } },
      { files: { 'values.yaml': 'a: b' } },
      { files: { 'a.yaml': configMap('built', {}) }, spec: { path: './nowhere' } },
      { files: { 'kustomization.yaml': 'resource: [a.yaml]', 'a.yaml': configMap('built', {}) } },
    ],
    reasons: [good, 'BuildFailed', 'BuildFailed', 'ArtifactFailed', good],
  },
  'a secret that is encrypted': {
    commits: [
      { files: { 'a.yaml': secret({ data: { a: 'ENC[AES256_GCM,data:x]' } }) } },
      { files: { 'a.yaml': secret({ stringData: { a: 'ENC[AES256_GCM,data:x]' } }) } },
    ],
    reasons: [refused, good],
  },
  'patched, substituted, renamed and labelled by the Flux Kustomization': {
    commits: [
      {
        files: {
          'a.yaml': configMap('varied', { a: `\${word}` }),
          'b.yaml': inNamespace('nowhere', configMap('moved', {})),
        },
        spec: {
          targetNamespace: 'flux',
          namePrefix: 'p-',
          postBuild: { substitute: { word: 'said' } },
          patches: [{ target: { name: 'varied' }, patch: '[{"op":"add","path":"/data/b","value":"patched"}]' }],
          commonMetadata: { labels: { team: 'a' }, annotations: { by: 'b' } },
        },
      },
    ],
    reasons: [good],
  },
  'with all rights, as no service account is named': {
    commits: [
      {
        files: { 'a.yaml': inNamespace('kube-system', configMap('system', {})) },
        spec: { serviceAccountName: undefined },
      },
    ],
    reasons: [good],
  },
};

if (!hasController) test.skip('the sources of kustomize-controller 1.8.0 are not here', () => {});
else test.each(Object.entries(histories))('%s', compare);

async function compare(title: string, { seed = [], commits, reasons }: History): Promise<void> {
  const name = `k-${title.replace(/\W+/g, '-').slice(0, 40)}`.toLowerCase().replace(/-$/, '');
  for (const [manager, object] of seed)
    await Promise.all([write(real, manager, object), write(driven, manager, object)]);
  const seen: string[] = [];
  let inventory: Reference[] = [];
  for (const { files, spec = {} } of commits) {
    const directory = createRepo(files);
    const kustomization = {
      metadata: { name, namespace: 'flux' },
      spec: { path: './', prune: true, serviceAccountName: 'customizer', ...spec },
    };
    try {
      const observed = await controller.reconcile(kustomization, directory);
      const answer = await reconcile(driven, { kustomization, directory, inventory });
      expect(verdict(answer)).toEqual(verdict(observed));
      expect(await state(driven)).toEqual(await state(real));
      inventory = answer.inventory;
      seen.push(observed.reason);
    } finally {
      removeRepo(directory);
    }
  }
  expect(seen).toEqual(reasons);
}

/** Of a success the controller tells the revision, which the driver does not know. */
function verdict({ ready, reason, message, inventory }: Pick<Observed, 'ready' | 'reason' | 'message' | 'inventory'>) {
  const ordered = inventory.map(({ id, v }) => `${id} ${v}`).sort();
  return { ready, reason, message: ready ? '' : message, inventory: ordered };
}

/** All objects that the histories are about, without what differs from server to server and from second to second. */
async function state(cluster: Cluster): Promise<unknown[]> {
  const paths = ['/api/v1/configmaps', '/api/v1/secrets', '/apis/example.test/v1/widgets'];
  const lists = await Promise.all(paths.map((path) => cluster.adminRequest('GET', path)));
  // The API server keeps its own settings in kube-system.
  const objects = lists
    .flatMap(({ body }) => body.items)
    .filter(({ metadata }) => !/^kube-|^extension-/.test(metadata.name));
  for (const { metadata } of objects) {
    for (const field of ['uid', 'resourceVersion', 'creationTimestamp']) delete metadata[field];
    for (const entry of metadata.managedFields) delete entry.time;
    metadata.managedFields.sort((a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return objects;
}

/** The service account may do all in its own namespace, and all but delete in another. */
async function prepare(cluster: Cluster): Promise<void> {
  await cluster.define(widgets);
  const make = async (path: string, object: object) => {
    const { status, body } = await cluster.adminRequest('POST', path, object);
    expect([status, body.message]).toEqual([201, undefined]);
  };
  for (const name of ['flux', 'other']) await make('/api/v1/namespaces', { metadata: { name } });
  const roles = '/apis/rbac.authorization.k8s.io/v1';
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch'];
  await make(`${roles}/clusterroles`, {
    metadata: { name: 'keeper' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
  });
  for (const [namespace, name] of Object.entries({ flux: 'cluster-admin', other: 'keeper' })) {
    await make(`${roles}/namespaces/${namespace}/rolebindings`, {
      metadata: { name: 'customizer' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: 'customizer', namespace: 'flux' }],
    });
  }
}

async function write(cluster: Cluster, manager: string, text: string): Promise<void> {
  const object = JSON.parse(text);
  const path =
    object.kind === 'Widget' ? '/apis/example.test/v1/namespaces/flux/widgets' : '/api/v1/namespaces/flux/configmaps';
  const { status } =
    manager === 'helm-controller' || manager === 'kubectl'
      ? await cluster.adminRequest('PATCH', `${path}/${object.metadata.name}?fieldManager=${manager}`, object)
      : await cluster.adminRequest('POST', `${path}?fieldManager=${manager}`, object);
  expect(status).toBe(201);
}

function configMap(name: string, data: Record<string, string>, annotations?: Record<string, string>): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'flux', annotations },
    data,
  });
}

function widget(name: string, spec: object, annotations?: Record<string, string>): string {
  return JSON.stringify({
    apiVersion: 'example.test/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'flux', annotations },
    spec,
  });
}

function secret(content: object): string {
  const sops = { mac: 'ENC[AES256_GCM,data:x]' };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'flux' },
    ...content,
    sops,
  });
}

function inNamespace(namespace: string, object: string): string {
  const { metadata, ...rest } = JSON.parse(object);
  return JSON.stringify({ ...rest, metadata: { ...metadata, namespace } });
}

const widgets: Definition = {
  metadata: { name: 'widgets.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', maximum: 5 },
                  values: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        },
      },
    ],
  },
};
