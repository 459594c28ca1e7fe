import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { minors as minorsIn } from '../../src/cozystack/kubernetes.js';
import { loadSchemas, type SchemaLookup } from '../../src/cozystack/schemas.js';
import { all, schemas as data, newest } from '../support/releases.js';

const schemas = loadSchemas(data, newest);

test.each<[string, string, Partial<SchemaLookup>]>([
  [
    'cozystack.io/v1alpha1',
    'Package',
    { scope: 'Cluster', plural: 'packages', unknownFields: 'refused', installedBy: ['operator'] },
  ],
  ['metallb.io/v1beta1', 'IPAddressPool', { scope: 'Namespaced', installedBy: ['cozystack.metallb/metallb'] }],
  ['metallb.io/v1beta1', 'BGPPeer', { deprecated: true }],
  ['v1', 'ConfigMap', { scope: 'Namespaced', plural: 'configmaps', builtIn: true, unknownFields: 'dropped' }],
  ['v1', 'Namespace', { scope: 'Cluster' }],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', { unknownFields: 'dropped' }],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', { unknownFields: 'refused' }],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', { builtIn: true, unknownFields: 'refused' }],
  ['resource.k8s.io/v1beta1', 'ResourceClaim', { offByDefault: true }],
])('%s %s', (apiVersion, kind, expected) => {
  expect(schemas.find(apiVersion, kind)).toMatchObject({ known: true, ...expected });
});

test.each<[string, string, SchemaLookup]>([
  ['cilium.io/v2', 'CiliumNetworkPolicy', { known: false, why: 'unknown-kind' }],
  ['apps/v1', 'Deploymnet', { known: false, why: 'unknown-kind', meant: 'Deployment' }],
  ['cozystack.io/v1alpha1', 'Packages', { known: false, why: 'unknown-kind', meant: 'Package' }],
  ['v1', 'constructor', { known: false, why: 'unknown-kind' }],
  ['', '', { known: false, why: 'unknown-kind' }],
  ['__proto__', '__proto__', { known: false, why: 'unknown-kind' }],
  ['source.toolkit.fluxcd.io/v1beta2', 'OCIRepository', { known: false, why: 'unserved-version', served: ['v1'] }],
  [
    'external-secrets.io/v1',
    'ExternalSecret',
    { known: false, why: 'unserved-version', served: ['v1beta1', 'v1alpha1'] },
  ],
  ['snapshot.storage.k8s.io/v1beta1', 'VolumeSnapshot', { known: false, why: 'unserved-version', served: ['v1'] }],
  ['policy/v1beta1', 'PodDisruptionBudget', { known: false, why: 'unserved-version', served: ['v1'] }],
  ['cozystack.io/constructor', 'Package', { known: false, why: 'unserved-version', served: ['v1alpha1'] }],
])('%s %s is not there', (apiVersion, kind, expected) => {
  expect(schemas.find(apiVersion, kind)).toEqual(expected);
});

test('what rests on the minor version of Kubernetes is said to, a version that none of them has included', () => {
  const minors = minorsIn(data);
  expect(minors.length).toBeGreaterThan(3);
  const each = minors.map((minor) => loadSchemas(data, newest, minor));
  const kinds = each.flatMap(({ served }) =>
    served().flatMap((name) => {
      const [kind = '', ...version] = name.split('/').reverse();
      return /^[A-Z]/.test(kind) ? [[version.reverse().join('/'), kind] as const] : [];
    }),
  );
  const groups = new Map(
    kinds.map(([apiVersion, kind]) => [`${apiVersion.split('/').at(-2) ?? ''}/${kind}`, [apiVersion, kind] as const]),
  );
  const others = [...groups.values()].flatMap(([apiVersion, kind]) => {
    const group = apiVersion.includes('/') ? `${apiVersion.split('/')[0]}/` : '';
    return ['v1', 'v1beta1', 'v1alpha1', 'v9'].flatMap((version) => [
      [`${group}${version}`, kind] as const,
      [`${group}${version}`, `${kind}s`] as const,
    ]);
  });
  let differing = 0;
  for (const [apiVersion, kind] of [...kinds, ...others]) {
    const said = each.map(({ find }) => {
      const found = find(apiVersion, kind);
      return found.known
        ? JSON.stringify([found.scope, found.offByDefault, found.server?.schema ?? found.schema])
        : JSON.stringify(found);
    });
    if (new Set(said).size < 2) continue;
    differing += 1;
    expect([apiVersion, kind, schemas.changesWithKubernetes(apiVersion, kind)]).toEqual([apiVersion, kind, true]);
  }
  expect(differing).toBeGreaterThan(20);
  expect(schemas.changesWithKubernetes('cozystack.io/v1alpha1', 'Package')).toBe(false);
  expect(schemas.changesWithKubernetes('v1', 'ConfigMap')).toBe(false);
});

describe.each(all)('%s', (release) => {
  test('has the kinds that the customizer may use', () => {
    const { find } = loadSchemas(data, release);
    const kinds = [
      ['cozystack.io/v1alpha1', 'Package'],
      ['cozystack.io/v1alpha1', 'PackageSource'],
      ['helm.toolkit.fluxcd.io/v2', 'HelmRelease'],
      ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'],
      ['source.toolkit.fluxcd.io/v1', 'OCIRepository'],
      ['source.toolkit.fluxcd.io/v1', 'GitRepository'],
      ['v1.edp.epam.com/v1', 'KeycloakClient'],
      ['cert-manager.io/v1', 'ClusterIssuer'],
      ['operator.victoriametrics.com/v1beta1', 'VMRule'],
      ['monitoring.coreos.com/v1', 'ServiceMonitor'],
      ['gateway.networking.k8s.io/v1', 'HTTPRoute'],
    ] as const;
    expect(kinds.filter(([apiVersion, kind]) => !find(apiVersion, kind).known)).toEqual([]);
  });
});

test('versions are listed as Kubernetes ranks them, and by their names where it does not', () => {
  const own = mkdtempSync(join(tmpdir(), 'schemas-'));
  const written = [
    'dev2',
    'v1alpha1',
    'v1',
    'v1gamma1',
    'v1beta1',
    'v10',
    'v2alpha3',
    'v1beta10',
    'v2',
    'dev1',
    'v1beta',
  ];
  const versions = Object.fromEntries(written.map((name) => [name, { schema: 'a' }]));
  const put = (folder: string, file: string, content: object) => {
    mkdirSync(join(own, folder), { recursive: true });
    writeFileSync(join(own, folder, file), JSON.stringify(content));
  };
  put('kubernetes', 'v1.35.json', { kinds: {}, metadata: 'a' });
  put('cozystack/v1.0.0', 'crds.json', {
    kinds: { 'example.org/Thing': { scope: 'Cluster', plural: 'things', versions } },
  });
  expect(loadSchemas(own, 'v1.0.0').find('example.org/v3', 'Thing')).toEqual({
    ...{ known: false, why: 'unserved-version' },
    served: [
      ...['v10', 'v2', 'v1', 'v1beta10', 'v1beta1', 'v2alpha3', 'v1alpha1'],
      ...['dev1', 'dev2', 'v1beta', 'v1gamma1'],
    ],
  });
  rmSync(own, { recursive: true });
});
