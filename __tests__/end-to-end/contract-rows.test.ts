/**
 * Row by row: every row of the ownership table and of the table of rights, written directly, by a strategic-merge patch and by
 * a JSON patch, with what it should say. The rows are read from the data, so that a new one without an example fails.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [key: string]: unknown;
};
type Found = { rule: string; severity: string; file: string; field: (string | number)[]; object?: { name: string } };
const table = (name: string) => parse(readFileSync(join(root, 'schemas/cozystack', name), 'utf8'));

async function check(files: Files, ...args: string[]): Promise<Found[]> {
  const folder = createRepo(files);
  planted.push(folder);
  const { stdout, stderr } = await runHere(['check', folder, '--release', 'v1.6.2', '--format', 'json', ...args]);
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { findings: Found[] }).findings;
}

const kustomization = (fields: object) => stringify(fields);
const pointer = (path: string[]) =>
  `/${path.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
const nested = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
const packageOf = (name: string): Manifest => ({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'Package',
  metadata: { name, annotations, labels: { a: 'b' } } as Manifest['metadata'],
  spec: { components: {} },
});

/** The three ways to set a field of an object; each names the file that the finding has to be in. */
function ways(base: Manifest, path: string[], value: unknown): Record<string, { files: Files; file: string }> {
  const { name, namespace } = base.metadata;
  const set = merge(base, nested(path, value)) as Manifest;
  const target = { kind: base.kind, name };
  const missing = path.findIndex((_, depth) => lookUp(base, path.slice(0, depth + 1)) === undefined);
  const at = missing < 0 ? path.length : missing + 1;
  const operation = {
    op: 'add',
    path: pointer(path.slice(0, at)),
    value: at < path.length ? nested(path.slice(at), value) : value,
  };
  const patch = merge(
    { apiVersion: base.apiVersion, kind: base.kind, metadata: { name, ...(namespace && { namespace }) } },
    nested(path, value),
  );
  return {
    directly: {
      file: 'object.yaml',
      files: { 'kustomization.yaml': kustomization({ resources: ['object.yaml'] }), 'object.yaml': stringify(set) },
    },
    'by a strategic-merge patch': {
      file: 'patch.yaml',
      files: {
        'kustomization.yaml': kustomization({ resources: ['object.yaml'], patches: [{ path: 'patch.yaml' }] }),
        'object.yaml': stringify(base),
        'patch.yaml': stringify(patch),
      },
    },
    'by a JSON patch': {
      file: 'patch.json',
      files: {
        'kustomization.yaml': kustomization({ resources: ['object.yaml'], patches: [{ path: 'patch.json', target }] }),
        'object.yaml': stringify(base),
        'patch.json': JSON.stringify([operation], null, 2),
      },
    },
  };
}

function merge(a: unknown, b: unknown): unknown {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return b;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  return Object.fromEntries(
    keys.map((key) => [key, key in right ? (key in left ? merge(left[key], right[key]) : right[key]) : left[key]]),
  );
}

function lookUp(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], value);
}

type FieldRow = { of: string; field: string[]; customizer: 'set' | 'never' | 'only'; only?: unknown };
const fields: FieldRow[] = table('ownership.yaml').fields;

/** What to write for a row: the path with its stars filled in, and a value that is not the owner's. */
const written: Record<string, [path: string[], value: unknown]> = {
  'spec.components.*.values.**': [
    ['spec', 'components', 'metallb', 'values', 'metallb', 'speaker', 'logLevel'],
    'debug',
  ],
  'spec.components.*.enabled': [['spec', 'components', 'metallb', 'enabled'], false],
  'spec.ignoreDependencies': [['spec', 'ignoreDependencies'], ['cozystack.networking']],
  'spec.components.platform.values.bundles.enabledPackages': [
    ['spec', 'components', 'platform', 'values', 'bundles', 'enabledPackages'],
    ['cozystack.nfs-driver'],
  ],
  'spec.components.platform.values.bundles.disabledPackages': [
    ['spec', 'components', 'platform', 'values', 'bundles', 'disabledPackages'],
    ['cozystack.telepresence'],
  ],
};

describe.each(
  fields
    .filter(({ field }) => field.join('.') !== 'metadata.name')
    .map((row) => [`${row.of} ${row.field.join('.')}`, row] as const),
)('ownership of %s', (_, { of, field, customizer }) => {
  const [path, value] = written[field.join('.')] ?? [field, 'isp-hosted'];
  const name = of === 'platform' ? 'cozystack.cozystack-platform' : 'cozystack.metallb';

  test.each(Object.entries(ways(packageOf(name), path, value)))('%s', async (_way, { files, file }) => {
    const found = await check(files);
    if (customizer !== 'never') return expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    const own = found.filter(({ rule }) => rule === 'chart-owned-field');
    expect(own).toMatchObject([{ file, field: path, object: { name } }]);
  });
});

test('the name of a Package is kept by whoever transforms it', async () => {
  const files = {
    'kustomization.yaml': kustomization({ resources: ['object.yaml'], namePrefix: 'my-' }),
    'object.yaml': stringify(packageOf('cozystack.metallb')),
  };
  expect(await check(files)).toMatchObject([
    { rule: 'unknown-package', file: 'kustomization.yaml', field: ['metadata', 'name'] },
  ]);
});

type RbacRow = {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  namespaces?: string[];
  scope?: string;
  what?: string;
};
const rbac: { cluster: RbacRow[]; owned: RbacRow[]; notGranted: RbacRow[] } = table('rbac.yaml');

const object = (apiVersion: string, kind: string, name: string, namespace?: string, rest: object = {}): Manifest => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  ...rest,
});
const configMap = (namespace: string) => object('v1', 'ConfigMap', 'a', namespace, { data: { a: 'b' } });
const source = object('cozystack.io/v1alpha1', 'PackageSource', 'acme.portal', undefined, {
  spec: {
    sourceRef: { kind: 'OCIRepository', name: 'acme', namespace: 'cozy-customizer', path: '/' },
    variants: [{ name: 'default', components: [] }],
  },
});
const gitRepository = object('source.toolkit.fluxcd.io/v1', 'GitRepository', 'a', 'anywhere', {
  spec: { url: 'https://example.org/a', interval: '5m' },
});

/** An object that a row grants; undefined where nothing can be written with what it grants. */
const granted: Record<string, Manifest | undefined> = {
  'cozystack.io/packages': { ...packageOf('cozystack.metallb') },
  'cozystack.io/packagesources': source,
  'helm.toolkit.fluxcd.io/helmreleases': undefined,
  'k8s.keycloak.org/keycloakrealmimports': undefined,
  'source.toolkit.fluxcd.io/*': gitRepository,
  '*/*': configMap('cozy-customizer'),
};
const keyOf = ({ apiGroups, resources }: RbacRow) => `${apiGroups[0]}/${resources[0]}`;

/** A field that a patch can touch on any object. */
const touched = ['metadata', 'annotations', 'example.org/a'];

describe.each([...rbac.cluster, ...rbac.owned].map((row) => [keyOf(row), row] as const))('%s is granted', (key) => {
  test('the row has an example, or grants nothing that can be written', () => expect(key in granted).toBe(true));

  const example = granted[key];
  if (!example) return;
  test.each(Object.entries(ways(example, touched, 'b')))('%s', async (_way, { files }) => {
    expect((await check(files)).filter(({ rule }) => rule === 'forbidden-object')).toEqual([]);
  });
});

/** An object that a row is about; `rule` where another one speaks of it. */
const refused: Record<string, { object?: Manifest; elsewhere?: string }> = {
  'deleting a Package': { elsewhere: 'pruned-package/bad' },
  'creating a Package': { elsewhere: 'package-not-created-here/bad' },
  'custom resource definitions': {
    object: object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a.example.org', undefined, {
      spec: {
        group: 'example.org',
        names: { kind: 'A', plural: 'as' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    }),
  },
  'admission webhooks and policies': {
    object: object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'a', undefined, {
      webhooks: [],
    }),
  },
  "the platform's controller and its account": {
    object: object('v1', 'ServiceAccount', 'cozystack-controller', 'cozy-system'),
  },
  "the rights of the platform's controller": {
    object: object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'cozystack-controller', undefined, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    }),
  },
  'anything in kube-system': { object: configMap('kube-system') },
  'namespaces of Kubernetes, of the platform and of tenants': { object: object('v1', 'Namespace', 'cozy-system') },
  'anything in the namespaces of Kubernetes': { object: configMap('default') },
  'applications and tenants, which count in the namespace of their tenant only': {
    object: object('apps.cozystack.io/v1alpha1', 'Tenant', 'a', 'tenant-root', { spec: {} }),
  },
  'anything in the namespace of a tenant': { object: configMap('tenant-root') },
  'the configuration of MetalLB, which reads its own namespace only': {
    object: object('metallb.io/v1beta1', 'IPAddressPool', 'a', 'tools', { spec: { addresses: ['192.0.2.0/24'] } }),
  },
  'HelmReleases of the platform': {
    object: object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'a', 'cozy-metallb', {
      spec: { interval: '5m', chartRef: { kind: 'OCIRepository', name: 'a' } },
    }),
  },
  'anything in the namespaces of the platform': { object: configMap('cozy-system') },
  'namespaces that the customizer does not own': { object: object('v1', 'Namespace', 'platform-tools') },
  'rights in the whole cluster': {
    object: object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'a', undefined, { rules: [] }),
  },
  'rights in namespaces that the customizer does not own': {
    object: object('rbac.authorization.k8s.io/v1', 'Role', 'a', 'tools', { rules: [] }),
  },
  'HelmReleases in namespaces that the customizer does not own': {
    object: object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'a', 'tools', {
      spec: { interval: '5m', chartRef: { kind: 'OCIRepository', name: 'a' } },
    }),
  },
  'realms, clients and users of Keycloak': {
    object: object('v1.edp.epam.com/v1alpha1', 'ClusterKeycloakRealm', 'a', undefined, {
      spec: { clusterKeycloakRef: 'keycloak-cozy', realmName: 'a' },
    }),
  },
  'generators of artifacts': {
    object: object('source.extensions.fluxcd.io/v1beta1', 'ArtifactGenerator', 'a', 'tools', {
      spec: {
        sources: [{ alias: 'a', kind: 'OCIRepository', name: 'a' }],
        artifacts: [{ name: 'a', copy: [{ from: '@a/**', to: '@artifact/' }] }],
      },
    }),
  },
  'objects that are in no namespace': {
    object: object('scheduling.k8s.io/v1', 'PriorityClass', 'a', undefined, { value: 1 }),
  },
  'objects in namespaces that the customizer does not own': { object: configMap('tools') },
};

describe.each(rbac.notGranted.map((row) => [row.what ?? '', row] as const))('%s: not granted', (what) => {
  const example = refused[what];
  test('the row has an example', () => expect(example).toBeDefined());

  if (example?.elsewhere)
    test('another rule says so', () => {
      const report = readFileSync(join(root, `__tests__/rules/${example.elsewhere}.txt`), 'utf8');
      expect(report).toContain(`[${example.elsewhere?.split('/')[0]}]`);
    });

  const ofObject = example?.object;
  if (!ofObject) return;
  test.each(Object.entries(ways(ofObject, touched, 'b')))('%s', async (_way, { files }) => {
    const found = await check(files);
    expect(found.filter(({ rule }) => rule === 'forbidden-object')).toMatchObject([
      { severity: 'error', object: { name: ofObject.metadata.name } },
    ]);
  });
});
