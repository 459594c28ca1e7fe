/** Deletions, rights, sources, pods and switches: what a change does is harm, whatever its kind. */
import type { JsonObject } from '../../../src/core/model.js';
import { kustomization } from '../../support/trees.js';
import {
  type Attacks,
  changes,
  flux,
  note,
  object,
  packageOf,
  thisRepository,
  tree,
  withMetadata,
  withoutSpec,
  withSpec,
} from './shapes.js';

const gone: JsonObject = { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: '00000000-0000-0000-0000-000000000000' };
const owned = (one: JsonObject, owner: JsonObject = gone) =>
  [one, withMetadata(one, { ownerReferences: [owner] })] as const;
const namespace = object('Namespace', 'tenant-data', {}, null);
const tenant = object('Tenant', 'data', { spec: { etcd: true } }, 'tenant-root');
const postgres = object('Postgres', 'db', { spec: { databases: { app: {}, other: {} } } }, 'tenant-root');
const definition = object('CustomResourceDefinition', 'things.example.org', { spec: { group: 'example.org' } }, null);
const volume = object('PersistentVolume', 'data', { spec: { capacity: { storage: '1Gi' } } }, null);
const claim = object('PersistentVolumeClaim', 'data', { spec: { accessModes: ['ReadWriteOnce'] } });

export const collected = changes(
  {
    'a Namespace': owned(namespace),
    'a Package': owned(packageOf('metallb', { components: {} })),
    'a Tenant': owned(tenant),
    'a CustomResourceDefinition': owned(definition),
    'a Flux Kustomization': owned(flux('apps', './apps')),
    'a PersistentVolumeClaim, by a ConfigMap': owned(claim, { ...gone, kind: 'ConfigMap' }),
    'a new Namespace': [null, owned(namespace)[1]],
  },
  ['deleted-object'],
);

/** A Flux Kustomization without an account has the rights to delete everything. */
const ofAll = withoutSpec(flux('all', './all'), 'serviceAccountName');
const whereAllIsAllowed = (attacks: Attacks): Attacks => {
  const below = (files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.startsWith('.') ? path : `all/${path}`, text]),
    );
  return Object.fromEntries(
    Object.entries(attacks).map(([title, { base, head, rules }]) => [
      title,
      { base: { ...below(base), ...tree([ofAll]) }, head: { ...below(head), ...tree([ofAll]) }, rules },
    ]),
  );
};

export const deleted = whereAllIsAllowed(
  changes(
    {
      'a Tenant': [tenant, null],
      'an application': [postgres, null],
      'a database of it': [postgres, withSpec(postgres, { databases: { app: {} } })],
      'all its databases': [postgres, withoutSpec(postgres, 'databases')],
      'the etcd of a Tenant': [tenant, withSpec(tenant, { etcd: false })],
      'a topic of Kafka': [
        object('Kafka', 'k', { spec: { topics: { a: {}, b: {} } } }),
        object('Kafka', 'k', { spec: { topics: { a: {} } } }),
      ],
      'a CustomResourceDefinition': [definition, null],
      'a PersistentVolume': [volume, null],
      'a PersistentVolumeClaim': [claim, null],
      'a Namespace': [namespace, null],
      'a Flux Kustomization': [flux('apps', './apps'), null],
      'a RoleBinding': [object('RoleBinding', 'team', { roleRef: {}, subjects: [] }), null],
      'a Namespace that another takes the place of': [namespace, object('Namespace', 'tenant-date', {}, null)],
    },
    ['deleted-object', 'pruned-namespace', 'pruned-data', 'pruned-package', 'missing-entrypoint', 'sensitive-change'],
  ),
);

const chart = (name: string) => ({
  spec: { chart: name, version: '1.0.0', sourceRef: { kind: 'HelmRepository', name: 'r' } },
});
const release = object('HelmRelease', 'app', {
  spec: {
    interval: '5m',
    serviceAccountName: 'app',
    chart: chart('app'),
    valuesFrom: [{ kind: 'ConfigMap', name: 'v' }],
  },
});
const values = (text: string) => object('ConfigMap', 'v', { data: { 'values.yaml': text } });
const repository = (kind: string, url: string) => object(kind, 'r', { spec: { interval: '5m', url } });
const packageSource = (spec: JsonObject = {}): JsonObject => ({
  ...object('PackageSource', 'acme.own', {}, null),
  spec: {
    sourceRef: { ...thisRepository, path: '/own' },
    variants: [{ name: 'default', components: [{ name: 'own', path: 'chart' }] }],
    ...spec,
  },
});
const binding = object(
  'ClusterRoleBinding',
  'all',
  {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'Group', name: 'system:unauthenticated', apiGroup: 'rbac.authorization.k8s.io' }],
  },
  null,
);

export const rights: Attacks = {
  ...changes(
    {
      'a new HelmRelease': [null, release],
      'a HelmRelease without its account': [release, withoutSpec(release, 'serviceAccountName')],
      'a HelmRelease with another account': [release, withSpec(release, { serviceAccountName: 'cluster-admin' })],
      'a HelmRelease in another namespace': [release, withSpec(release, { targetNamespace: 'kube-system' })],
      'a HelmRelease with another chart': [release, withSpec(release, { chart: chart('evil') })],
      'a HelmRelease with a post-renderer': [
        release,
        withSpec(release, { postRenderers: [{ kustomize: { images: [] } }] }),
      ],
      'a Flux Kustomization without its account': [
        flux('apps', './apps'),
        withoutSpec(flux('apps', './apps'), 'serviceAccountName'),
      ],
      'a Flux Kustomization with patches': [
        flux('apps', './apps'),
        flux('apps', './apps', { patches: [{ patch: '{}', target: { kind: 'Namespace' } }] }),
      ],
      'a Flux Kustomization of another cluster': [
        flux('apps', './apps'),
        flux('apps', './apps', { kubeConfig: { secretRef: { name: 'x' } } }),
      ],
      'another URL of a HelmRepository': [
        repository('HelmRepository', 'https://charts.example'),
        repository('HelmRepository', 'https://evil.example'),
      ],
      'another URL of an OCIRepository': [
        repository('OCIRepository', 'oci://r.example/a'),
        repository('OCIRepository', 'oci://evil.example/a'),
      ],
      'a new PackageSource': [null, packageSource()],
      'another source of a PackageSource': [
        packageSource(),
        packageSource({ sourceRef: { kind: 'OCIRepository', name: 'evil', namespace: 'cozy-customizer' } }),
      ],
      'another chart of a PackageSource': [
        packageSource(),
        packageSource({ variants: [{ name: 'default', components: [{ name: 'own', path: 'other' }] }] }),
      ],
      'a ClusterRoleBinding for everybody': [null, binding],
      'a webhook': [null, object('MutatingWebhookConfiguration', 'w', { webhooks: [] }, null)],
      'a policy of admission': [null, object('ValidatingAdmissionPolicy', 'p', { spec: {} }, null)],
      'an ApplicationDefinition': [null, object('ApplicationDefinition', 'a', { spec: {} }, null)],
      'a Role that grants more': [
        object('Role', 'r', { rules: [] }),
        object('Role', 'r', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
      ],
    },
    ['sensitive-change'],
  ),
  'the values of an own chart in a ConfigMap': {
    base: tree([note, release, values('a: 1')]),
    head: tree([note, release, values('a: 2')]),
    rules: ['sensitive-change', 'unverifiable-change'],
  },
  'the files of an own chart': {
    base: tree([note, packageSource()], { 'own/chart/Chart.yaml': 'name: own\nversion: 1.0.0\n' }),
    head: tree([note, packageSource()], {
      'own/chart/Chart.yaml': 'name: own\nversion: 1.0.0\n',
      'own/chart/templates/a.yaml': JSON.stringify(binding),
    }),
    rules: ['sensitive-change', 'unverifiable-change'],
  },
};

const workload = (kind: string, pod: JsonObject, container: JsonObject = {}) => {
  const template = { spec: { containers: [{ name: 'a', image: 'nginx:1', ...container }], ...pod } };
  const spec = kind === 'CronJob' ? { jobTemplate: { spec: { template } } } : { template };
  return object(kind, 'web', { spec });
};
const pod = (more: JsonObject, container: JsonObject = {}, kind = 'Deployment') =>
  [workload(kind, {}), workload(kind, more, container)] as const;

export const pods = changes(
  {
    'a new one with everything': [
      null,
      workload(
        'DaemonSet',
        {
          hostPID: true,
          serviceAccountName: 'cozystack-customizer',
          volumes: [{ name: 'x', hostPath: { path: '/' } }],
        },
        { image: 'evil.example/x:1', securityContext: { privileged: true } },
      ),
    ],
    'a privileged container': pod({}, { securityContext: { privileged: true } }),
    'an added capability': pod({}, { securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }, 'StatefulSet'),
    'the network of the host': pod({ hostNetwork: true }, {}, 'DaemonSet'),
    'a directory of the host': pod({ volumes: [{ name: 'x', hostPath: { path: '/etc' } }] }, {}, 'CronJob'),
    'another account': pod({ serviceAccountName: 'cozystack-customizer' }),
    'another registry': pod({}, { image: 'evil.example/nginx:1' }),
    'another repository': pod({}, { image: 'nginxevil:1' }),
    'another container': pod({ initContainers: [{ name: 'b', image: 'evil.example/b' }] }),
    'a privileged container that runs first': pod({
      initContainers: [{ name: 'b', image: 'nginx:1', securityContext: { privileged: true } }],
    }),
    'a Secret that it did not read': pod({ volumes: [{ name: 's', secret: { secretName: 'root-password' } }] }),
    'a Secret in its environment': pod({}, { envFrom: [{ secretRef: { name: 'root-password' } }] }),
  },
  ['sensitive-change'],
);

const platform = (customizer: JsonObject | null | undefined) =>
  packageOf('cozystack-platform', {
    components: {
      platform: { values: { publishing: { host: 'example.org' }, ...(customizer !== undefined && { customizer }) } },
    },
  });
const on = platform({ enabled: true, source: { url: 'https://github.com/acme/platform' } });

export const switches = changes(
  {
    'the customizer, by null': [on, platform({ enabled: null })],
    'the customizer, by zero': [on, platform({ enabled: 0 })],
    'the customizer, by an empty text': [on, platform({ enabled: '' })],
    'the customizer, by false': [on, platform({ enabled: false })],
    'all of its settings': [on, platform(null)],
    'without its settings': [on, platform(undefined)],
    'another source of it': [on, platform({ enabled: true, source: { url: 'https://evil.example/x' } })],
    'another controller of a Flux object': [
      flux('apps', './apps'),
      flux('apps', './apps', {}, { labels: { 'sharding.fluxcd.io/key': 'none' } }),
    ],
    'a component of the network': [
      packageOf('networking', { components: {} }),
      packageOf('networking', { components: { cilium: { enabled: false } } }),
    ],
    'a component of the storage': [
      packageOf('linstor', { components: {} }),
      packageOf('linstor', { components: { linstor: { enabled: false } } }),
    ],
    'a policy of the network': [
      object('NetworkPolicy', 'p', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
      object('NetworkPolicy', 'p', { spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{}] } }),
    ],
  },
  ['sensitive-change', 'platform-object-edited', 'schema-violation'],
);

const encrypted = 'ENC[AES256_GCM,data:b3JyaWQ=,iv:YWJj,tag:ZGVm,type:str]';
const sops = {
  sops: {
    age: [{ recipient: 'age1x', enc: 'x' }],
    mac: encrypted,
    lastmodified: '2026-01-01T00:00:00Z',
    version: '3.9.0',
  },
};

export const ciphertext = changes(
  {
    'a name': [null, { ...withMetadata(packageOf('metallb', { variant: 'oidc' }), { name: encrypted }), ...sops }],
    'a namespace': [null, { ...withMetadata(object('ConfigMap', 'a'), { namespace: encrypted }), ...sops }],
    'a switch': [
      packageOf('networking', { components: {} }),
      { ...packageOf('networking', { components: { cilium: { enabled: encrypted } } }), ...sops },
    ],
    'a variant': [
      packageOf('metallb', { components: {} }),
      { ...packageOf('metallb', { variant: encrypted, components: {} }), ...sops },
    ],
    'the namespace of a HelmRelease': [release, { ...withSpec(release, { targetNamespace: encrypted }), ...sops }],
    'the directory of a Flux Kustomization': [flux('apps', './apps'), { ...flux('apps', encrypted), ...sops }],
    'a kind': [null, { ...object('ConfigMap', 'a'), kind: encrypted, ...sops }],
  },
  [
    'unverifiable-change',
    'encrypted-without-decryption',
    'chart-owned-field',
    'unbuildable-kustomization',
    'sensitive-change',
  ],
);

/** A Namespace leaves the directory that is applied, while a decoy makes it look as if it stayed. */
const place = (path: string, spec: JsonObject = {}, metadata: JsonObject = {}) => flux('data', path, spec, metadata);
const directory = (folder: string, ...objects: JsonObject[]) => tree(objects, {}, `${folder}/`);
const reconcile = { annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } };
const moved = (after: readonly JsonObject[], more: Record<string, string>) => ({
  base: tree([note, place('./one')], directory('one', namespace, note)),
  head: tree([note, ...after], { ...directory('one', namespace, note), ...more }),
  rules: ['pruned-namespace', 'deleted-object', 'sensitive-change', 'unverifiable-change', 'shared-object'],
});

export const decoys: Attacks = {
  'another path, and the old one suspended': moved(
    [place('./two'), flux('old', './one', { suspend: true })],
    directory('two', note),
  ),
  'another path, and a namesake that is not reconciled': {
    ...moved([place('./two')], directory('two', note)),
    head: {
      ...tree([note, place('./two')], { ...directory('one', namespace, note), ...directory('two', note) }),
      'clusters/two/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'clusters/two/a.yaml': JSON.stringify(place('./one', {}, reconcile)),
    },
  },
  'to a place that is not reconciled': moved([place('./one'), flux('two', './two', {}, reconcile)], {
    ...directory('one', note),
    ...directory('two', namespace),
  }),
  'to a place that is suspended': moved([place('./one'), flux('two', './two', { suspend: true })], {
    ...directory('one', note),
    ...directory('two', namespace),
  }),
  'to a place that is applied': moved([place('./one'), flux('two', './two')], {
    ...directory('one', note),
    ...directory('two', namespace),
  }),
  'to a directory that nothing applies': moved([place('./one')], {
    ...directory('one', note),
    ...directory('docs', namespace),
  }),
};
