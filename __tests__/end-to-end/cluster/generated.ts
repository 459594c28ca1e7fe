/** Repositories put together at random, the same for the same seed: objects that are right beside some that are not. */
import { randomOf } from '../../bench/generate.mjs';
import type { Files } from '../../support/trees.js';

const config = `cluster:
  release: v1.6.2
  variant: isp-full
  ownedNamespaces: [cozy-customizer, tools]
  roles: []
`;

/** `n` makes the names differ. What is wrong with each, if anything, stands in its name. */
const pool: { [name: string]: (n: number) => object } = {
  right: (n) => configMap(`right-${n}`, 'cozy-customizer'),
  alsoRight: (n) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `right-${n}`, namespace: 'tools' },
    spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 80 + n, protocol: 'TCP' }] }] },
  }),
  ownRelease: (n) => ({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: `right-${n}`, namespace: 'cozy-customizer' },
    spec: {
      interval: '10m',
      chart: { spec: { chart: 'portal', sourceRef: { kind: 'HelmRepository', name: 'portal' } } },
      serviceAccountName: 'portal',
    },
  }),
  override: () => platformPackage('metallb', { metallb: { values: { metallb: { speaker: { logLevel: 'debug' } } } } }),
  taking: () => ({ ...platformPackage('cert-manager', {}), spec: { variant: 'other' } }),
  ofNobody: (n) => platformPackage(`nobody-${n}`, {}),
  unknownField: () => ({ ...platformPackage('ingress-application', {}), spec: { component: {} } }),
  elsewhere: (n) => configMap(`elsewhere-${n}`, 'kube-system'),
  inNoNamespace: (n) => configMap(`nowhere-${n}`, undefined),
  ofTheWholeCluster: (n) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `readers-${n}` },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  wrongType: (n) => ({ ...configMap(`wrong-${n}`, 'tools'), data: { port: 80 } }),
  ownNamespace: () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tools' } }),
  otherNamespace: (n) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `other-${n}` } }),
  oldVersion: (n) => ({
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `old-${n}`, namespace: 'tools' },
    spec: { minAvailable: 1 },
  }),
  twice: (n) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `twice-${n}`, namespace: 'tools' },
    spec: {
      selector: { app: 'a' },
      ports: [
        { name: 'a', port: 80, protocol: 'TCP' },
        { name: 'b', port: 80, protocol: 'TCP' },
      ],
    },
  }),
  notAsked: (n) => ({
    ...configMap(`elsewhere-${n}`, 'default'),
    metadata: {
      name: `elsewhere-${n}`,
      namespace: 'default',
      annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' },
    },
  }),
};

const right = ['right', 'alsoRight', 'ownRelease', 'override', 'taking', 'ownNamespace', 'notAsked'];

/** One in three has nothing that is refused, as one object that is keeps back all others. */
export function generatedTree(seed: number): Files {
  const random = randomOf(seed);
  const names = seed % 3 === 0 ? right : Object.keys(pool);
  const count = 3 + random(6);
  const picked = new Set(Array.from({ length: count }, () => names[random(names.length)] as string));
  const objects = [...picked].map((name, n) => [name, (pool[name] as (n: number) => object)(n)] as const);
  return {
    'kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [${objects
      .map(([name]) => `${name}.yaml`)
      .join(', ')}]\n`,
    ...Object.fromEntries(objects.map(([name, object]) => [`${name}.yaml`, `${JSON.stringify(object, null, 2)}\n`])),
    '.customizer-lint.yaml': config,
  };
}

function configMap(name: string, namespace: string | undefined) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(namespace && { namespace }) },
    data: { level: 'debug' },
  };
}

function platformPackage(name: string, components: object) {
  const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
  return {
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
    metadata: { name: `cozystack.${name}`, annotations },
    spec: { components },
  };
}
