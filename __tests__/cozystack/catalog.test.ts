import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Catalog, type Emission, loadCatalog, platformName } from '../../src/cozystack/catalog.js';
import { root } from '../support/cli.js';
import { all } from '../support/releases.js';

const data = join(root, 'schemas');
const upstream = process.env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream');
if (!existsSync(upstream)) console.log('skipped: the definitions in the files of a release, as no checkout is there');

describe.each([
  [
    'v1.5.4',
    { sources: 97, variants: 112, components: 200, installs: 134, releases: 112, namespaces: 52, installable: 96 },
    { isp: 74, hosted: 24, optional: 13, optionalHosted: 0, values: 67, kinds: 302, documents: 337 },
  ],
  [
    'v1.6.2',
    { sources: 99, variants: 115, components: 207, installs: 138, releases: 115, namespaces: 53, installable: 98 },
    { isp: 75, hosted: 24, optional: 13, optionalHosted: 0, values: 72, kinds: 305, documents: 340 },
  ],
  [
    'next',
    { sources: 100, variants: 116, components: 208, installs: 139, releases: 116, namespaces: 53, installable: 99 },
    { isp: 77, hosted: 53, optional: 13, optionalHosted: 10, values: 76, kinds: 303, documents: 338 },
  ],
])('%s', (release, sources, platform) => {
  const catalog = loadCatalog(data, release);

  test('has as many sources, variants, components and HelmReleases as were counted by hand', () => {
    const variants = catalog.names().flatMap((name) => catalog.source(name)?.variants ?? []);
    const components = variants.flatMap((variant) => variant.components);
    const installs = components.flatMap(({ install }) => install ?? []);
    const isInstallable = (name: string) =>
      catalog.source(name)?.variants.some((variant) => variant.components.some(({ install }) => install));
    expect({
      sources: catalog.names().length,
      variants: variants.length,
      components: components.length,
      installs: installs.length,
      releases: new Set(installs.map(({ namespace, releaseName }) => `${namespace}/${releaseName}`)).size,
      namespaces: new Set(installs.map(({ namespace }) => namespace)).size,
      installable: catalog.names().filter(isInstallable).length,
    }).toEqual(sources);
  });

  const { documents, ...counted } = platform;

  test('emits as many packages, and understands as many values, as were counted by hand', () => {
    expect({
      isp: emitted(catalog, 'isp-full').length,
      hosted: emitted(catalog, 'isp-hosted').length,
      optional: optional(catalog, 'isp-full').length,
      optionalHosted: optional(catalog, 'isp-hosted').length,
      values: Object.keys(catalog.platformValues).length,
      kinds: definitions(release).size,
    }).toEqual(counted);
    expect(emitted(catalog, 'isp-full-generic')).toHaveLength(platform.isp);
    expect(emitted(catalog, 'default')).toEqual([]);
  });

  const checkout = join(upstream, `cozystack-${release}`);

  (existsSync(checkout) ? test : test.skip)(
    'knows every custom resource definition in the files of the release',
    () => {
      const names = yamlFiles(checkout).flatMap((file) => definedIn(readFileSync(file, 'utf8')));
      expect(new Set(names)).toEqual(definitions(release));
      expect(names).toHaveLength(documents);
    },
  );

  test('every dependency exists, in the catalog and among the components of a variant', () => {
    for (const name of catalog.names()) {
      for (const variant of catalog.source(name)?.variants ?? []) {
        expect(variant.dependsOn.filter((other) => !catalog.source(other))).toEqual([]);
        const installed = variant.components.filter(({ install }) => install).map((component) => component.name);
        const needed = variant.components.flatMap(({ install }) => install?.dependsOn ?? []);
        expect(needed.filter((component) => !installed.includes(component))).toEqual([]);
      }
    }
  });
});

function emitted(catalog: Catalog, variant: string): string[] {
  return Object.keys(catalog.platformVariant(variant)?.packages ?? {});
}

function optional(catalog: Catalog, variant: string): string[] {
  return catalog.names().filter((name) => catalog.emitted(name, variant) === 'optional');
}

function yamlFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The names of the custom resource definitions in a file, which may be a template, so its text is all there is to go by. */
function definedIn(text: string): string[] {
  return text
    .split(/^---.*$/m)
    .filter((document) => /^kind: *['"]?CustomResourceDefinition\b/m.test(document))
    .map((document) => /^metadata:(?:\n+(?: |\{\{).*)*?\n+ {2}name: *['"]?([^\s'"]+)/m.exec(document)?.[1] ?? document);
}

/** The names of the custom resource definitions, as `plural.group`. */
function definitions(release: string): Set<string> {
  const index = JSON.parse(readFileSync(join(data, 'cozystack', release, 'crds.json'), 'utf8')) as {
    kinds: { [groupKind: string]: { plural: string } };
  };
  return new Set(Object.entries(index.kinds).map(([key, { plural }]) => `${plural}.${key.split('/')[0]}`));
}

describe('v1.6.2', () => {
  const catalog = loadCatalog(data, 'v1.6.2');

  test('a source, its variants and components', () => {
    expect(catalog.source('cozystack.metallb')?.variants).toEqual([
      {
        name: 'default',
        dependsOn: ['cozystack.networking'],
        components: [
          {
            name: 'metallb',
            path: 'system/metallb',
            install: { namespace: 'cozy-metallb', releaseName: 'metallb', privileged: true, dependsOn: [] },
          },
        ],
      },
    ]);
    const networking = catalog.source('cozystack.networking');
    expect(networking?.variants.map(({ name }) => name)).toEqual([
      'cilium',
      'cilium-generic',
      'cilium-kilo',
      'kubeovn-cilium',
      'kubeovn-cilium-generic',
      'noop',
    ]);
    expect(networking?.componentNames()).toEqual(['cilium', 'cilium-networkpolicy', 'kilo', 'kubeovn']);
    expect(networking?.variant('cilium')?.components[1]?.install?.dependsOn).toEqual(['cilium']);
    expect(networking?.variant('default')).toBeUndefined();
  });

  test("the operator's own source", () => {
    const platform = catalog.source(platformName);
    expect(platform?.variants.map(({ name }) => name)).toEqual([
      'default',
      'isp-full',
      'isp-full-generic',
      'isp-hosted',
    ]);
    expect(platform?.componentNames()).toEqual(['platform']);
  });

  test('a component without install has none, and one is privileged only where it says so', () => {
    const tenant = catalog.source('cozystack.tenant-application')?.variant('default');
    expect(tenant?.components.map(({ name, install }) => [name, install])).toEqual([
      ['tenant', undefined],
      ['tenant-rd', { namespace: 'cozy-system', releaseName: 'tenant-rd', privileged: false, dependsOn: [] }],
    ]);
  });

  test.each([
    ['cozystack.kubernetes-nodes-application', all.filter((release) => release !== 'v1.5.4')],
    ['cozystack.metallb', all],
    ['cozystack.cilium', []],
    ['constructor', []],
  ])('%s is in %j', (name, releases) => {
    expect(catalog.releasesWith(name)).toEqual(releases);
  });

  test.each([
    ['cilium', 'cozystack.networking'],
    ['dashboard', 'cozystack.cozystack-engine'],
    ['nothing', undefined],
  ])('component %s belongs to %s', (component, source) => {
    expect(catalog.sourceWithComponent(component)).toBe(source);
  });

  test.each([
    ['cozystack.metallb', true],
    [platformName, true],
    ['cozystack.gpu-operator', true],
    ['cozystack.ouroboros', true],
    ['cozystack.ingress-nginx', false],
    ['cozystack.cilium', false],
    ['__proto__', false],
  ])('%s is managed: %s', (name, managed) => {
    expect(catalog.isManaged(name)).toBe(managed);
  });

  test.each<[name: string, variant: string, expected: Emission, enabledBy: string[]]>([
    ['cozystack.metallb', 'isp-full', 'always', []],
    ['cozystack.metallb', 'isp-hosted', 'never', []],
    ['cozystack.metallb', 'default', { switch: 'bundles.system.enabled=true' }, []],
    ['cozystack.cert-manager', 'isp-hosted', { switch: 'bundles.system.enabled=true' }, []],
    ['cozystack.keycloak', 'isp-full', { switch: 'authentication.oidc.enabled=true' }, []],
    ['cozystack.ouroboros', 'isp-full', { switch: 'publishing.proxyProtocol=true' }, []],
    ['cozystack.gpu-operator', 'isp-full', 'optional', ['cozystack.gpu-operator']],
    ['cozystack.bootbox-application', 'isp-full', 'optional', ['cozystack.bootbox']],
    ['cozystack.ingress-nginx', 'isp-full', 'never', []],
    ['cozystack.kubernetes-nodes-application', 'isp-full', 'never', []],
    [platformName, 'isp-full', 'always', []],
    ['cozystack.cilium', 'isp-full', 'unknown', []],
    ['cozystack.metallb', 'distro-full', 'unknown', []],
    ['constructor', 'isp-full', 'unknown', []],
    ['cozystack.metallb', 'constructor', 'unknown', []],
  ])('%s is emitted in %s: %j', (name, variant, expected, enabledBy) => {
    expect(catalog.emitted(name, variant)).toEqual(expected);
    expect(catalog.enabledBy(name, variant)).toEqual(enabledBy);
  });

  test('the variants of the platform that make Packages', () => {
    expect(catalog.variantsWithPackages()).toEqual(['isp-full', 'isp-full-generic', 'isp-hosted']);
  });

  test('the values of the platform', () => {
    expect(catalog.platformValues).toMatchObject({
      'publishing.host': 'string',
      'publishing.exposedServices': 'list',
      'authentication.oidc.enabled': 'boolean',
      'resources.cpuAllocationRatio': 'integer',
      backupStorage: 'map',
    });
    expect(loadCatalog(data, 'next').platformValues['networking.stageCniPlugins']).toBe('any');
  });

  test('what the platform emits', () => {
    const full = catalog.platformVariant('isp-full');
    expect(full?.packages['cozystack.metallb']).toEqual({ variant: 'default' });
    expect(full?.packages['cozystack.networking']?.variant).toBe('kubeovn-cilium');
    expect(full?.packages['cozystack.networking']?.components?.cilium?.values).toEqual({
      cilium: { cgroup: { autoMount: { enabled: false } }, k8sServiceHost: 'localhost', k8sServicePort: '7445' },
    });
    expect(Object.keys(full?.optional['cozystack.bootbox'] ?? {})).toEqual([
      'cozystack.bootbox',
      'cozystack.bootbox-application',
    ]);
    expect(full?.switches['authentication.oidc.enabled=true']).toMatchObject({
      'cozystack.cozystack-engine': { variant: 'oidc' },
      'cozystack.keycloak': { variant: 'default' },
      'cozystack.keycloak-operator': { variant: 'default' },
      'cozystack.monitoring-application': { variant: 'oidc' },
    });
    expect(catalog.platformVariant('distro-full')).toBeUndefined();
  });
});
