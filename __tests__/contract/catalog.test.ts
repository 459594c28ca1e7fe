import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Catalog, loadCatalog, platformName } from '../../src/contract/catalog.js';
import { root } from '../support/cli.js';

const data = join(root, 'schemas');

describe.each([
  ['v1.5.4', { sources: 97, variants: 112, components: 200, installs: 134, isp: 74, hosted: 24, values: 67 }],
  ['v1.6.2', { sources: 99, variants: 115, components: 207, installs: 138, isp: 75, hosted: 24, values: 72 }],
  ['next', { sources: 100, variants: 116, components: 208, installs: 139, isp: 77, hosted: 53, values: 76 }],
])('%s', (release, expected) => {
  const catalog = loadCatalog(data, release);

  test('has as many sources, variants, components and packages as were counted by hand', () => {
    const variants = catalog.names().flatMap((name) => catalog.source(name)?.variants ?? []);
    const components = variants.flatMap((variant) => variant.components);
    expect({
      sources: catalog.names().length,
      variants: variants.length,
      components: components.length,
      installs: components.filter(({ install }) => install).length,
      isp: emitted(catalog, 'isp-full').length,
      hosted: emitted(catalog, 'isp-hosted').length,
      values: Object.keys(catalog.platformValues).length,
    }).toEqual(expected);
    expect(emitted(catalog, 'isp-full-generic')).toHaveLength(expected.isp);
    expect(emitted(catalog, 'default')).toEqual([]);
  });

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

  test('a component without install has none', () => {
    const tenant = catalog.source('cozystack.tenant-application')?.variant('default');
    const installs = tenant?.components.map(({ name, install }) => [name, install?.namespace]);
    expect(installs).toEqual([
      ['tenant', undefined],
      ['tenant-rd', 'cozy-system'],
    ]);
  });

  test.each([
    ['cozystack.kubernetes-nodes-application', ['v1.6.2', 'next']],
    ['cozystack.metallb', ['v1.5.4', 'v1.6.2', 'next']],
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
