import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../src/core/model.js';
import { loadCatalog, type OwnedValue, platformName } from '../../src/cozystack/catalog.js';
import {
  chartOwnedFields,
  covers,
  isInRelease,
  isMet,
  loadOwnership,
  type ValueRow,
} from '../../src/cozystack/ownership.js';
import { releases } from '../../src/cozystack/releases.js';
import { root } from '../support/cli.js';
import { newest } from '../support/releases.js';

const data = join(root, 'schemas');
const ownership = loadOwnership(data);
const all = releases(data);

describe('the fields', () => {
  test('every row says what to report, unless the field may be set', () => {
    for (const row of ownership.fields) {
      const says = [row.message, row.help].filter((text) => text !== undefined);
      expect({ field: row.field, says: says.length }).toEqual({
        field: row.field,
        says: row.customizer === 'set' ? 0 : 2,
      });
      expect(row.only === undefined).toBe(row.customizer !== 'only');
      expect(row.link).toMatch(/^(https:\/\/|Field Ownership, RBAC, Limitations$)/);
    }
  });

  test('those that the chart and Helm own', () => {
    expect(chartOwnedFields(ownership).map(({ field }) => field.join(' '))).toEqual([
      'spec variant',
      'metadata annotations helm.sh/resource-policy',
      'metadata annotations meta.helm.sh/release-name',
      'metadata annotations meta.helm.sh/release-namespace',
      'metadata labels app.kubernetes.io/managed-by',
    ]);
  });

  test.each<[name: string, field: string[], owner: string | undefined, customizer: string | undefined]>([
    ['cozystack.metallb', ['metadata', 'name'], 'platform chart', 'only'],
    ['cozystack.metallb', ['spec', 'variant'], 'platform chart', 'never'],
    [platformName, ['spec', 'variant'], 'platform administrator', 'never'],
    ['cozystack.metallb', ['metadata', 'annotations', 'helm.sh/resource-policy'], 'platform chart', 'never'],
    ['cozystack.metallb', ['metadata', 'annotations', 'example.org/mine'], undefined, undefined],
    ['cozystack.metallb', ['metadata', 'labels', 'kustomize.toolkit.fluxcd.io/name'], 'Flux', 'never'],
    ['cozystack.metallb', ['metadata', 'labels', 'sharding.fluxcd.io/key'], 'Flux', 'never'],
    ['cozystack.metallb', ['spec', 'components', 'metallb', 'values', 'metallb', 'a'], 'customizer', 'set'],
    ['cozystack.metallb', ['spec', 'components', 'metallb', 'values'], 'customizer', 'set'],
    ['cozystack.metallb', ['spec', 'components', 'metallb', 'enabled'], 'customizer', 'only'],
    ['cozystack.metallb', ['spec', 'components', 'metallb'], undefined, undefined],
    ['cozystack.metallb', ['spec', 'ignoreDependencies'], 'customizer', 'set'],
    [platformName, ['spec', 'components', 'platform', 'values', 'bundles', 'disabledPackages'], 'customizer', 'set'],
  ])('%s %j is owned by %s', (name, field, owner, customizer) => {
    const row = ownership.rowFor(name, field);
    expect([row?.owner, row?.customizer]).toEqual([owner, customizer]);
  });

  test('the most exact row is found', () => {
    const field = ['spec', 'components', 'platform', 'values', 'bundles', 'enabledPackages'];
    expect(ownership.rowFor(platformName, field)?.field).toEqual(field);
    expect(ownership.rowFor('cozystack.metallb', field)?.field).toEqual(['spec', 'components', '*', 'values', '**']);
  });

  test.each([
    ['a b', 'a b', true],
    ['a b', 'a', false],
    ['a *', 'a b', true],
    ['a *', 'a b c', false],
    ['a **', 'a', true],
    ['a **', 'a b c', true],
    ['a **', 'b', false],
    ['**', '', true],
  ])('pattern "%s" and "%s"', (pattern, field, expected) => {
    const split = (text: string) => text.split(' ').filter(Boolean);
    expect(covers(split(pattern), split(field))).toBe(expected);
  });
});

const seeds = join(root, '../shared/seeds');
const seed = existsSync(seeds) ? readdirSync(seeds).find((name) => name.startsWith('001')) : undefined;
if (!seed) console.log('skipped: the table of the documentation, as it is not beside the repository');

(seed ? describe : describe.skip)('the table of the documentation', () => {
  const lines = seed ? readFileSync(join(seeds, seed), 'utf8').split('\n') : [];
  const table = rowsBelow(lines, '| Field | Owner | Why |');

  test('has a row here for every field, with the same owner or the one that it ought to name', () => {
    const found = table.flatMap(([fields = '', owner = '']) =>
      fieldsOf(fields).flatMap((field) =>
        ['cozystack.metallb', platformName].flatMap((name) => {
          const row = ownership.rowFor(name, field);
          if (!row) return [[name, field.join('.'), 'nobody', owner]];
          const said = name === platformName ? (row.documented?.owner ?? row.owner) : row.owner;
          return says(owner, said) ? [] : [[name, field.join('.'), said, owner]];
        }),
      ),
    );
    // On the platform's own Package, which no chart emits, the annotation means nothing.
    expect(found).toEqual([
      [platformName, 'metadata.annotations.helm.sh/resource-policy', 'nobody', 'helm-controller (platform chart)'],
    ]);
  });

  test('has no row that is missing here', () => {
    expect(table.flatMap(([fields = '']) => fieldsOf(fields)).map((field) => field.join('.'))).toEqual([
      'metadata.name',
      'metadata.annotations.helm.sh/resource-policy',
      'spec.variant',
      'spec.components.x.values.x',
      'spec.components.x.enabled',
      'spec.ignoreDependencies',
      'spec.components.platform.values.bundles.enabledPackages',
      'spec.components.platform.values.bundles.disabledPackages',
    ]);
  });

  test('is the page that the rows name', () => {
    const titles = new Set(ownership.fields.map(({ link }) => link).filter((link) => !link.startsWith('https:')));
    expect([...titles].filter((title) => !lines.includes(title))).toEqual([]);
  });

  function rowsBelow(lines: string[], heading: string): string[][] {
    const start = lines.indexOf(heading) + 2;
    const end = lines.findIndex((line, index) => index > start && !line.includes('|'));
    return lines.slice(start, end).map((line) => line.split('|').map((cell) => cell.trim()));
  }

  /** `a.{b,c}D`, `a["b.c"], d` and `a.*: false`, each as the paths that it stands for. */
  function fieldsOf(cell: string): string[][] {
    return cell
      .replace(/ \(on .*\)/, '')
      .split(/, (?![^{]*\})/)
      .flatMap((field) => {
        const braces = /\{(.*?)\}/.exec(field);
        return (braces?.[1]?.split(',') ?? ['']).map((word) => (braces ? field.replace(braces[0], word) : field));
      })
      .map((field) =>
        [...field.replace(/: false$/, '').matchAll(/\["(.*?)"\]|[^.[]+/g)].map(([word, key]) => key ?? word),
      )
      .map((field) => field.map((word) => (word === '*' ? 'x' : word)));
  }

  /** Whether the documentation's words for the owner mean ours. */
  function says(documented: string, owner: string): boolean {
    return documented.includes(owner) || (owner === 'platform chart' && documented.startsWith('helm-controller'));
  }
});

/** F, G and H are the variants isp-full, isp-full-generic and isp-hosted of the platform. */
const variants = { F: 'isp-full', G: 'isp-full-generic', H: 'isp-hosted' };
const gpu = 'cozystack.gpu-operator';
const vgpu = 'bundles.iaas.gpuOperatorVariant="vgpu"';

/** What the platform chart was found to set, when its templates were read by a person. */
const read: [where: string, path: string, variants: string, when: ValueRow['when'], since: string, until?: string][] = [
  ['networking cilium', 'cilium k8sServiceHost', 'FG', 'always', 'v1.4'],
  ['networking cilium', 'cilium k8sServicePort', 'FG', 'always', 'v1.4'],
  ['networking cilium', 'cilium cgroup autoMount enabled', 'FG', 'always', 'v1.4'],
  ['networking cilium', 'cilium gatewayAPI enableAlpn', 'FG', 'always', 'next'],
  ['networking kubeovn', 'kube-ovn ipv4 POD_CIDR', 'FG', 'always', 'v1.4'],
  ['networking kubeovn', 'kube-ovn ipv4 POD_GATEWAY', 'FG', 'always', 'v1.4'],
  ['networking kubeovn', 'kube-ovn ipv4 SVC_CIDR', 'FG', 'always', 'v1.4'],
  ['networking kubeovn', 'kube-ovn ipv4 JOIN_CIDR', 'FG', 'always', 'v1.4'],
  ['networking kubeovn', 'kube-ovn MASTER_NODES_LABEL', 'G', 'always', 'v1.4'],
  ['networking kubeovn', 'kube-ovn MASTER_NODES', 'FG', { set: 'networking.kubeovn.MASTER_NODES' }, 'v1.4'],
  [
    'networking kubeovn',
    'kube-ovn func ENABLE_OVN_IPSEC',
    'FG',
    { switch: 'networking.encryption.enabled=true' },
    'next',
  ],
  ['multus multus', 'stageCniPlugins', 'FG', 'always', 'next'],
  ['linstor linstor', 'talos enabled', 'G', 'always', 'v1.4'],
  [
    'cozystack-engine cozystack-api',
    'cozystackAPI nodeSelector node-role.kubernetes.io/control-plane',
    'G',
    'always',
    'v1.4',
  ],
  [
    'cozystack-engine cozystack-controller',
    'cozystackController disableTelemetry',
    'FGH',
    { switch: 'telemetry.disabled=true' },
    'next',
  ],
  ['kubevirt kubevirt', 'cpuAllocationRatio', 'FG', 'always', 'v1.4'],
  ['kubevirt kubevirt', 'extraFeatureGates', 'FG', { package: gpu }, 'v1.5'],
  ['kubevirt kubevirt', 'permittedHostDevices pciHostDevices', 'FG', { package: gpu }, 'v1.5'],
  ['kubevirt kubevirt', 'permittedHostDevices mediatedDevices', 'FG', { package: gpu, switch: vgpu }, 'v1.5'],
  [
    'kubevirt kubevirt',
    'mediatedDevicesConfiguration **',
    'FG',
    { package: gpu, switch: vgpu, set: 'gpu.mediatedDevicesConfiguration' },
    'v1.5',
  ],
  [
    'gpu-operator gpu-operator',
    'gpu-operator vgpuManager repository',
    'FG',
    { package: gpu, switch: vgpu, set: 'gpu.vgpuManager' },
    'v1.5',
  ],
  [
    'gpu-operator gpu-operator',
    'gpu-operator vgpuManager image',
    'FG',
    { package: gpu, switch: vgpu, set: 'gpu.vgpuManager' },
    'v1.5',
  ],
  [
    'gpu-operator gpu-operator',
    'gpu-operator vgpuManager version',
    'FG',
    { package: gpu, switch: vgpu, set: 'gpu.vgpuManager' },
    'v1.5',
  ],
  [
    'gpu-operator gpu-operator',
    'gpu-operator vgpuManager imagePullSecrets',
    'FG',
    { package: gpu, switch: vgpu, set: 'gpu.vgpuManager' },
    'v1.5',
  ],
  [
    'gpu-operator gpu-operator',
    'gpu-operator vgpuDeviceManager enabled',
    'FG',
    { package: gpu, switch: vgpu, set: 'gpu.vgpuDeviceManager.enabled' },
    'v1.5',
  ],
  ['backupstrategy-controller backupstrategy-controller', 'backupStorage **', 'FGH', { set: 'backupStorage' }, 'v1.5'],
  ['monitoring-agents monitoring-agents', 'global target', 'FGH', 'always', 'v1.4'],
  ['tenant-application tenant', '_cluster oidc-enabled', 'FGH', 'always', 'v1.4'],
  [
    'ouroboros ouroboros',
    'ouroboros proxy target namespace',
    'FGH',
    { switch: 'publishing.proxyProtocol=true' },
    'v1.4',
  ],
  [
    'ouroboros ouroboros',
    'ouroboros proxy target serviceName',
    'FGH',
    { switch: 'publishing.proxyProtocol=true' },
    'v1.4',
  ],
  [
    'ingress-application ingress-system',
    'ingress-nginx controller config use-proxy-protocol',
    'FG',
    { switch: 'publishing.proxyProtocol=true' },
    'v1.4',
    'v1.4',
  ],
  [
    'ingress-application ingress-system',
    'ingress-nginx controller config real-ip-header',
    'FG',
    { switch: 'publishing.proxyProtocol=true' },
    'v1.4',
    'v1.4',
  ],
  [
    'ingress-application ingress-system',
    'ingress-nginx controller config enable-real-ip',
    'FG',
    { switch: 'publishing.proxyProtocol=true' },
    'v1.4',
    'v1.4',
  ],
  ['customizer customizer', '**', 'FGH', { switch: 'customizer.enabled=true' }, 'proposed'],
];

describe('the values', () => {
  const rows = ownership.values.flatMap((row) =>
    row.paths.flatMap((path, index) =>
      row.variants.map((variant) => ({
        key: `${row.package} ${row.component} ${path.join(' ')} ${variant}`,
        row,
        variant,
        path: path.join(' '),
        knob: Array.isArray(row.knob) ? row.knob[index] : row.knob,
      })),
    ),
  );

  test('every one that was read in the chart is in the table, and nothing else', () => {
    const expected = read.flatMap(([where, path, letters, when, since, until]) =>
      [...letters].map((letter) => {
        const key = `cozystack.${where} ${path} ${variants[letter as keyof typeof variants]}`;
        return { key, when, since, ...(until && { until }) };
      }),
    );
    const found = rows.map(({ key, row: { when, since, until } }) => ({ key, when, since, ...(until && { until }) }));
    expect(found.sort(byKey)).toEqual(expected.sort(byKey));
  });

  test('a knob is a value that the platform understands, or below one', () => {
    const newest = loadCatalog(data, 'next').platformValues;
    const unknown = rows
      .filter(({ row, knob }) => knob !== undefined && row.since !== 'proposed' && !Object.hasOwn(newest, knob))
      .map(({ knob }) => knob);
    expect(unknown).toEqual([]);
  });

  test.each(all)('in %s the chart sets what the table says, and nothing else', (release) => {
    const catalog = loadCatalog(data, release);
    for (const variant of ['default', ...Object.values(variants)]) {
      for (const name of catalog.names()) {
        const owned = catalog.ownedValues(name, { variant });
        // `why` comes from the table, so what has none is missing there.
        expect({ name, variant, missing: owned.filter(({ why }) => why === undefined) }).toEqual({
          name,
          variant,
          missing: [],
        });
        // What was not rendered has no value: it must be one that a platform value brings.
        const unseen = owned.filter(({ value, when }) => value === undefined && !decidedByValues(when));
        expect({ name, variant, unseen }).toEqual({ name, variant, unseen: [] });
      }
    }
  });

  /** The list of mediated devices is there once one is named. */
  function decidedByValues(when: OwnedValue['when']): boolean {
    return when !== 'always' && (when.set !== undefined || when.switch?.includes(vgpu) === true);
  }

  test.each(all)(
    'in %s everything that the table says is set always, by a switch or with a package is seen',
    (release) => {
      const catalog = loadCatalog(data, release);
      const missing = rows.filter(({ row, variant, path }) => {
        const isThere = isInRelease(release, row.since, row.until) && row.since !== 'proposed';
        if (!isThere || (row.when !== 'always' && decidedByValues(row.when))) return false;
        if (variant === 'isp-hosted' && release !== 'next') return false;
        const owned = catalog.ownedValues(row.package, { variant });
        return !owned.some(
          (found) =>
            found.component === row.component &&
            found.path.join(' ') === path &&
            found.value !== undefined &&
            agrees(found, row),
        );
      });
      expect(missing.map(({ key }) => key)).toEqual([]);
    },
  );

  function agrees({ when }: OwnedValue, row: ValueRow): boolean {
    return isDeepStrictEqual(when, row.when);
  }

  test('on a package, with the value, the condition and what to set instead', () => {
    const catalog = loadCatalog(data, 'next');
    const owned = catalog.ownedValues('cozystack.networking', { variant: 'isp-full' });
    expect(owned.map(line)).toEqual([
      'cilium cilium.cgroup.autoMount.enabled = false',
      'cilium cilium.gatewayAPI.enableAlpn = true (gateway.http2)',
      'cilium cilium.k8sServiceHost = "localhost"',
      'cilium cilium.k8sServicePort = "7445"',
      'kubeovn kube-ovn.ipv4.JOIN_CIDR = "100.64.0.0/16" (networking.joinCIDR)',
      'kubeovn kube-ovn.ipv4.POD_CIDR = "10.244.0.0/16" (networking.podCIDR)',
      'kubeovn kube-ovn.ipv4.POD_GATEWAY = "10.244.0.1" (networking.podGateway)',
      'kubeovn kube-ovn.ipv4.SVC_CIDR = "10.96.0.0/16" (networking.serviceCIDR)',
      'cilium cilium.gatewayAPI.enableAlpn = false (gateway.http2) if gateway.http2=false',
      'kubeovn kube-ovn.func.ENABLE_OVN_IPSEC = true (networking.encryption.enabled) if networking.encryption.enabled=true',
      'kubeovn kube-ovn.MASTER_NODES (networking.kubeovn.MASTER_NODES) if networking.kubeovn.MASTER_NODES is set',
    ]);
  });

  test('lists and maps are told from scalars', () => {
    const catalog = loadCatalog(data, newest);
    const owned = [
      ...catalog.ownedValues('cozystack.kubevirt', { variant: 'isp-full' }),
      ...catalog.ownedValues(gpu, { variant: 'isp-full' }),
      ...catalog.ownedValues('cozystack.backupstrategy-controller', { variant: 'isp-full' }),
    ];
    expect(owned.map(({ path, shape }) => `${path.join('.')} ${shape}`)).toEqual([
      'cpuAllocationRatio scalar',
      'extraFeatureGates list',
      'permittedHostDevices.pciHostDevices list',
      'permittedHostDevices.mediatedDevices list',
      'mediatedDevicesConfiguration map',
      'gpu-operator.vgpuManager.repository scalar',
      'gpu-operator.vgpuManager.image scalar',
      'gpu-operator.vgpuManager.version scalar',
      'gpu-operator.vgpuManager.imagePullSecrets list',
      'gpu-operator.vgpuDeviceManager.enabled scalar',
      'backupStorage map',
    ]);
  });

  test('of a package that is only there once something is switched', () => {
    const catalog = loadCatalog(data, newest);
    expect(catalog.ownedValues('cozystack.ouroboros', { variant: 'isp-full' }).map(line)).toEqual([
      'ouroboros ouroboros.proxy.target.namespace = "tenant-root" (publishing.ingressName) if publishing.proxyProtocol=true',
      'ouroboros ouroboros.proxy.target.serviceName = "root-ingress-controller" (publishing.ingressName) if publishing.proxyProtocol=true',
    ]);
    expect(catalog.ownedValues('cozystack.backupstrategy-controller', { variant: 'isp-hosted' }).map(line)).toEqual([
      'backupstrategy-controller backupStorage (backupStorage) if bundles.system.enabled=true, backupStorage is set',
    ]);
  });

  test('of what is not there: none', () => {
    const catalog = loadCatalog(data, newest);
    expect(catalog.ownedValues('cozystack.metallb', { variant: 'isp-full' })).toEqual([]);
    expect(catalog.ownedValues('cozystack.customizer', { variant: 'isp-full' })).toEqual([]);
    expect(catalog.ownedValues('cozystack.networking', { variant: 'nonsense' })).toEqual([]);
    expect(catalog.ownedValues('__proto__', { variant: 'isp-full' })).toEqual([]);
  });

  function line({ component, path, value, when, knob }: OwnedValue): string {
    const conditions = when === 'always' ? [] : [when.switch, when.package, when.set && `${when.set} is set`];
    return [
      `${component} ${path.join('.')}`,
      value !== undefined && `= ${JSON.stringify(value)}`,
      knob && `(${knob})`,
      when !== 'always' && `if ${conditions.filter(Boolean).join(', ')}`,
    ]
      .filter(Boolean)
      .join(' ');
  }
});

describe('a condition', () => {
  test.each<[condition: Parameters<typeof isMet>[0], values: Json, expected: boolean | undefined]>([
    [{ switch: 'a.b=true' }, { a: { b: true } }, true],
    [{ switch: 'a.b=true' }, { a: { b: false } }, false],
    [{ switch: 'a.b=true' }, { a: {} }, undefined],
    [{ switch: 'a="x"' }, { a: 'x' }, true],
    [{ switch: 'a=true,b=true' }, { a: true }, undefined],
    [{ switch: 'a=true,b=true' }, { a: true, b: false }, false],
    [{ set: 'a' }, { a: 'x' }, true],
    [{ set: 'a' }, { a: '' }, false],
    [{ set: 'a' }, { a: {} }, false],
    [{ set: 'a' }, { a: [1] }, true],
    [{ set: 'a' }, {}, undefined],
    [{ package: 'p' }, { bundles: { enabledPackages: ['p'] } }, true],
    [{ package: 'p' }, { bundles: { enabledPackages: ['q'] } }, false],
    [{ package: 'p' }, { bundles: { enabledPackages: ['p'], disabledPackages: ['p'] } }, false],
    [{ package: 'p' }, { bundles: {} }, undefined],
    [{ package: 'p', set: 'a' }, { a: 0 }, false],
    [{}, {}, true],
  ])('%j with %j', (condition, values, expected) => {
    expect(isMet(condition, values)).toBe(expected);
  });
});

test.each([
  ['v1.6.2', 'v1.4', undefined, true],
  ['v1.6.2', 'v1.6', undefined, true],
  ['v1.5.4', 'v1.6', undefined, false],
  ['v1.10.0', 'v1.6', undefined, true],
  ['v1.6.2', 'next', undefined, false],
  ['next', 'next', undefined, true],
  ['next', 'v1.4', undefined, true],
  ['v1.4.6', 'v1.4', 'v1.4', true],
  ['v1.5.4', 'v1.4', 'v1.4', false],
  ['next', 'v1.4', 'v1.4', false],
  ['v1.6.2', 'proposed', undefined, true],
  ['of-our-own', 'next', undefined, true],
])('release %s has what came with %s and went after %s: %s', (release, since, until, expected) => {
  expect(isInRelease(release, since, until)).toBe(expected);
});

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1;
}
