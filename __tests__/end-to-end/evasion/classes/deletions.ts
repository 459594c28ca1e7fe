/** Objects that a change takes away: by each way in which Flux comes to delete one. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import { identity } from '../deliveries/common.js';
import { deliveries } from '../deliveries.js';
import type { Folder } from '../folder.js';
import type { Path, Target } from '../harms.js';
import type { Random } from '../writing.js';
import {
  clusterWide,
  type Draft,
  deleting,
  flux,
  gitRepository,
  layoutOf,
  note,
  object,
  rootOf,
  type Site,
  site,
} from './site.js';

const application = (kind: string, spec: JsonObject = {}) =>
  object('apps.cozystack.io/v1alpha1', kind, 'team', { spec });
const pod = { containers: [{ name: 'a', image: 'nginx:1' }] };
const labelled = {
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: pod },
};

const harmful: Record<string, JsonObject> = {
  Namespace: clusterWide('v1', 'Namespace', 'cozy-customizer-more'),
  Tenant: application('Tenant', { etcd: true }),
  Postgres: application('Postgres'),
  Bucket: application('Bucket'),
  PersistentVolumeClaim: object('v1', 'PersistentVolumeClaim', 'data', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  PersistentVolume: clusterWide('v1', 'PersistentVolume', 'data', {
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, nfs: { server: '192.0.2.1', path: '/a' } },
  }),
  CustomResourceDefinition: clusterWide('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.org', {
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  }),
  NetworkPolicy: object('networking.k8s.io/v1', 'NetworkPolicy', 'guard', { spec: { podSelector: {}, ingress: [] } }),
  Deployment: object('apps/v1', 'Deployment', 'web', { spec: labelled }),
  ServiceAccount: object('v1', 'ServiceAccount', 'team'),
  Secret: object('v1', 'Secret', 'login', { stringData: { a: 'b' } }),
  RoleBinding: object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'team', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'team', namespace: 'cozy-customizer' }],
  }),
  HelmRelease: object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'db', {
    spec: { interval: '5m', chart: { spec: { chart: 'db', sourceRef: { kind: 'HelmRepository', name: 'charts' } } } },
  }),
  'Flux Kustomization': flux('team', './calm'),
  'database of an operator': object('postgresql.cnpg.io/v1', 'Cluster', 'db', {
    spec: { instances: 1, storage: { size: '1Gi' } },
  }),
  Package: {
    apiVersion: 'cozystack.io/v1alpha1',
    kind: 'Package',
    metadata: { name: 'example.own' },
    spec: { variant: 'default' },
  },
};

const harmless: Record<string, JsonObject> = {
  ConfigMap: note('unused'),
  HorizontalPodAutoscaler: object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  }),
  PodDisruptionBudget: object('policy/v1', 'PodDisruptionBudget', 'web', {
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
  }),
};

const local: Path = ['metadata', 'annotations', 'config.kubernetes.io/local-config'];
type Way = (random: Random, value: JsonObject) => { base: Site; head: Site; label: string };

/** Ways that write a field, by any delivery. */
function byField(random: Random, target: Target, oddities?: number[]): ReturnType<Way> {
  const fitting = Object.keys(deliveries).filter((name) => deliveries[name]?.fits?.(target) ?? true);
  const delivery = random.chance(0.2) ? 'manifest' : random.pick(fitting);
  const layout = layoutOf(random, oddities);
  if (deliveries[delivery]?.needsFlux) layout.steps = [];
  const fill = (active: boolean) => (folder: Folder) => deliveries[delivery]?.deliver(folder, target, active);
  return { base: site(layout, fill(false)), head: site(layout, fill(true)), label: delivery };
}

/** Ways that write the folder in another way. */
const byFolder =
  (fill: (folder: Folder, value: JsonObject, isThere: boolean) => void): Way =>
  (random, value) => {
    const layout = layoutOf(random);
    const filled = (...[folder, ...rest]: Parameters<typeof fill>) => {
      fill(folder, ...rest);
      // Without any object, the folder could not be built.
      folder.add('resources', folder.named('inside.yaml', stringify(note('inside'))));
    };
    return {
      base: site(layout, (folder) => filled(folder, value, true)),
      head: site(layout, (folder) => filled(folder, value, false)),
      label: '',
    };
  };

/** Ways by which the folder itself is no longer applied. */
const byTree =
  (change: (base: Site['tree'], folder: string) => Site['tree']): Way =>
  (random, value) => {
    const layout = layoutOf(random);
    const base = site(layout, (folder) => folder.add('resources', folder.file(value)));
    return { base, head: { tree: change(base.tree, 'apps'), labels: base.labels }, label: '' };
  };

const other = gitRepository('other', 'https://github.com/o/other');

const ways: Record<string, Way> = {
  'local-config': (random, value) => byField(random, { object: value, field: local, value: 'true' }),
  'another name': (random, value) =>
    byField(random, { object: value, field: ['metadata', 'name'], value: 'renamed', decoy: nameIn(value) }),
  'another kind': (random, value) =>
    byField(random, { object: value, field: ['kind'], value: 'Nothing', decoy: value.kind as string }),
  'not listed': byFolder((folder, value, isThere) => {
    const file = folder.file(value);
    if (isThere) folder.add('resources', file);
  }),
  'no file': byFolder((folder, value, isThere) => {
    if (isThere) folder.add('resources', folder.file(value));
  }),
  'emptied file': byFolder((folder, value, isThere) => {
    folder.add('resources', folder.raw(isThere ? stringify(value) : '# nothing\n'));
  }),
  'out of a list': byFolder((folder, value, isThere) => {
    const items = [note('in-the-list'), ...(isThere ? [value] : [])];
    folder.add('resources', folder.file({ apiVersion: 'v1', kind: 'List', items }));
  }),
  'out of many documents': byFolder((folder, value, isThere) => {
    folder.add('resources', folder.raw(`${stringify(note('first'))}---\n${isThere ? stringify(value) : ''}`));
  }),
  'deleted by a patch': byFolder((folder, value, isThere) => {
    folder.add('resources', folder.file(value));
    const patch = { ...identity(value), ...(!isThere && { $patch: 'delete' }) };
    folder.add('patches', { patch: folder.text(patch) });
  }),
  'deleted by a patch in a file': byFolder((folder, value, isThere) => {
    folder.add('resources', folder.file(value));
    const patch = isThere ? identity(value) : { $patch: 'delete', ...identity(value) };
    folder.add('patches', { path: folder.file(patch), target: { kind: value.kind as string } });
  }),
  'component not listed': byFolder((folder, value, isThere) => {
    const kind = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' };
    folder.named('part/kustomization.yaml', stringify({ ...kind, resources: ['o.yaml'] }));
    folder.named('part/o.yaml', stringify(value));
    if (isThere) folder.add('components', 'part');
  }),
  'another path': byTree((tree) => ({
    ...tree,
    ...rootOf({}, { path: './calm' }),
    'calm/note.yaml': stringify(note('calm')),
  })),
  'no Flux object': byTree((tree) => ({ ...tree, 'kustomization.yaml': stringify({ resources: ['note.yaml'] }) })),
  'another source of the Flux object': byTree((tree) => ({
    ...tree,
    ...rootOf({ other }, { sourceRef: { kind: 'GitRepository', name: 'other' } }),
  })),
  'ignored by Flux': byTree((tree) => ({ ...tree, '.sourceignore': '/apps/\n', 'apps/.keep': '' })),
  'another kustomization': byTree((tree) =>
    Object.fromEntries([
      ...Object.entries(tree).filter(([path]) => !path.startsWith('apps/')),
      ['apps/beside.yaml', stringify(note('beside'))],
    ]),
  ),
};

const nameIn = (value: JsonObject) => (value.metadata as { name: string }).name;
const rules = ['deleted-object', 'pruned-namespace', 'pruned-data', 'pruned-package', 'pruned-everything'];

export function deletionDraft(random: Random): Draft {
  const isControl = random.chance(0.2);
  const objects = isControl ? harmless : harmful;
  const name = random.pick(Object.keys(objects));
  const value = objects[name] as JsonObject;
  const chosen = isControl ? ['not listed', 'no file', 'out of a list'] : Object.keys(ways);
  const way = random.pick(chosen);
  const { base, head, label } = (ways[way] as Way)(random, value);
  return {
    harm: isControl ? { ...deleting(rules, value), happens: () => false } : deleting(rules, value),
    base: base.tree,
    head: head.tree,
    isNew: false,
    isControl,
    labels: [`deleted: ${name}`, `deleted by: ${way}`, ...(label ? [`effect delivery: ${label}`] : []), ...head.labels],
  };
}
