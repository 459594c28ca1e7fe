/** `audit` as a user runs it, on what the API server without a server has of Packages that Helm, kubectl and Flux have written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import { keyOf, ownersIn } from '../../src/simulate/managed-fields.js';
import { startFake } from '../support/apiserver.js';
import { runHere } from '../support/here.js';
import { chartPackage, type Helm, LiveCluster, type Manifest, packageOf, values } from '../support/live.js';
import { createRepo, kustomization, removeRepo } from '../support/trees.js';

const folders: string[] = [];
let engine: ApplyEngine;

beforeAll(async () => {
  engine = await LiveCluster.open();
});

afterAll(async () => {
  await engine?.close();
  for (const folder of folders) removeRepo(folder);
});

function place(files: Parameters<typeof createRepo>[0] = {}): string {
  const folder = createRepo(files);
  folders.push(folder);
  return folder;
}

/** What is in force is read from the platform's own Package. */
const platform = packageOf('cozystack-platform', {
  variant: 'isp-full',
  ...values('platform', { publishing: { host: 'example.org' }, networking: { podCIDR: '10.1.0.0/16' } }),
});
const networking = {
  variant: 'kubeovn-cilium',
  components: {
    cilium: {
      values: {
        cilium: { cgroup: { autoMount: { enabled: false } }, k8sServiceHost: 'localhost', k8sServicePort: '7445' },
      },
    },
    kubeovn: {
      values: {
        'kube-ovn': {
          ipv4: {
            JOIN_CIDR: '100.64.0.0/16',
            POD_CIDR: '10.1.0.0/16',
            POD_GATEWAY: '10.244.0.1',
            SVC_CIDR: '10.96.0.0/16',
          },
        },
      },
    },
  },
};
const charts = [chartPackage('metallb', {}), chartPackage('networking', networking)];
const merge = { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge' } };

const clusterOf = (helm: Helm) => LiveCluster.of(engine, { helm, charts, platform });

async function audit(cluster: LiveCluster | string, more: string[] = [], files = {}) {
  const folder = place(files);
  const text = typeof cluster === 'string' ? cluster : await cluster.export();
  writeFileSync(join(folder, 'live.json'), text);
  const { stdout, stderr, status } = await runHere(['audit', '--live', 'live.json', '--release', 'v1.6.2', ...more], {
    cwd: folder,
  });
  return { status, stdout, stderr: stderr.replace(/^(?:rendering).*\n/gm, ''), lines: stdout.split('\n') };
}

async function report(cluster: LiveCluster, more: string[] = []): Promise<Manifest> {
  return JSON.parse((await audit(cluster, ['--format', 'json', ...more])).stdout);
}

const short = ({ findings }: Manifest) =>
  findings.map((one: Manifest) => `${one.kind} ${one.package.replace('cozystack.', '')} ${one.fields.join(' ')}`);

/** Runs the printed commands; where they say that the repository changes, it does. */
async function restore(cluster: LiveCluster, after: Manifest[], more: string[] = []) {
  const { recovery } = await report(cluster, more);
  for (const { command } of recovery) if (command) await cluster.run(command);
  for (let round = 0; round < 2; round++) {
    const { reason } = await cluster.reconcile(...after);
    expect(reason).toBe('ReconciliationSucceeded');
  }
  return recovery.map(({ why, command }: Manifest) => command ?? why);
}

const ownersOf = async (cluster: LiveCluster, name: string, ...path: string[]) =>
  ownersIn(await cluster.get(name)).get(keyOf(path)) ?? [];

describe.each<Helm>(['Apply', 'Update'])('on a cluster whose Helm writes by %s', (helm) => {
  test('nothing is said of a clean one', async () => {
    const cluster = await clusterOf(helm);
    await cluster.reconcile(
      packageOf('metallb', values('metallb', { metallb: { speaker: { logLevel: 'debug' } } }), merge),
    );
    const { status, lines } = await audit(cluster);
    expect(lines[0]).toBe('Nothing is taken in 3 Packages, 2 of them made by the platform chart');
    expect(lines[1]).toMatch(helm === 'Apply' ? /server-side apply/ : /born before Cozystack 1\.5/);
    expect({ status, more: lines.slice(2) }).toEqual({ status: 0, more: [''] });
  });

  test('a variant that git has taken is named, and goes back to Helm', async () => {
    const cluster = await clusterOf(helm);
    await cluster.reconcile(packageOf('metallb', { variant: 'oidc' }, merge));
    const { status, lines } = await audit(cluster);
    expect(status).toBe(1);
    expect(lines.slice(0, 3)).toEqual([
      'Package cozystack.metallb',
      '  taken   spec.variant: "oidc", where the platform sets "default"',
      expect.stringMatching(/^ {10}from helm-controller by kustomize-controller \(Apply, 2001-01-01T00:00:\d\dZ\)$/),
    ]);
    const done = await restore(cluster, [packageOf('metallb', {}, merge)]);
    expect((await cluster.get('metallb')).spec).toEqual({ variant: 'default' });
    expect(await ownersOf(cluster, 'metallb', 'spec', 'variant')).toEqual(['helm-controller']);
    expect(done).toContain('in the repository, take spec.variant out of the manifest of cozystack.metallb');
    expect((await audit(cluster)).status).toBe(0);
  });

  test('values that git has taken', async () => {
    const cluster = await clusterOf(helm);
    const taken = values('cilium', {
      cilium: { cgroup: { autoMount: { enabled: true } }, k8sServiceHost: 'elsewhere' },
    });
    await cluster.reconcile(packageOf('networking', taken, merge));
    expect(short(await report(cluster))).toEqual([
      'taken networking spec.components.cilium.values.cilium.cgroup.autoMount.enabled',
      'taken networking spec.components.cilium.values.cilium.k8sServiceHost',
    ]);
    await restore(cluster, [packageOf('networking', {}, merge)]);
    const { spec } = await cluster.get('networking');
    expect(spec).toEqual(networking);
    const path = ['spec', 'components', 'cilium', 'values', 'cilium', 'cgroup', 'autoMount', 'enabled'];
    expect(await ownersOf(cluster, 'networking', ...path)).toEqual(['helm-controller']);
    expect((await audit(cluster)).status).toBe(0);
  });

  test('a value that git has let go of, with null in its place', async () => {
    const cluster = await clusterOf(helm);
    await cluster.reconcile(
      packageOf('networking', values('cilium', { cilium: { cgroup: { autoMount: { enabled: true } } } }), merge),
    );
    await cluster.reconcile(packageOf('networking', {}, merge));
    const { status, lines } = await audit(cluster);
    expect(status).toBe(1);
    expect(lines.slice(1, 4)).toEqual([
      '  lost    spec.components.cilium.values.cilium.cgroup.autoMount.enabled: null stands at spec.components.cilium.values.cilium.cgroup.autoMount, where the platform sets false',
      '          it belongs to helm-controller, and is not there',
      '          null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default',
    ]);
    await restore(cluster, [packageOf('networking', {}, merge)]);
    expect((await cluster.get('networking')).spec).toEqual(networking);
    expect((await audit(cluster)).status).toBe(0);
  });

  test('what git set first otherwise and then as the chart does is still git’s', async () => {
    const cluster = await clusterOf(helm);
    for (const k8sServiceHost of ['elsewhere', 'localhost'])
      await cluster.reconcile(packageOf('networking', values('cilium', { cilium: { k8sServiceHost } }), merge));
    const { lines } = await audit(cluster);
    expect(lines[1]).toBe(
      '  taken   spec.components.cilium.values.cilium.k8sServiceHost: "localhost", as the platform sets it',
    );
    await restore(cluster, [packageOf('networking', {}, merge)]);
    expect((await cluster.get('networking')).spec).toEqual(networking);
    expect((await audit(cluster)).status).toBe(0);
  });

  test('one repair does not undo the one before', async () => {
    const cluster = await clusterOf(helm);
    const set = (name: string) => async (value: string) =>
      cluster.reconcile(packageOf('networking', values('cilium', { cilium: { [name]: value } }), merge));
    for (const [name, chart] of [
      ['k8sServiceHost', 'localhost'],
      ['k8sServicePort', '7445'],
    ] as const) {
      await set(name)('other');
      await set(name)(chart);
      await restore(cluster, [packageOf('networking', {}, merge)]);
    }
    expect((await cluster.get('networking')).spec).toEqual(networking);
    expect((await audit(cluster)).status).toBe(0);
  });

  test('an equal value has two owners, which is no more than a notice', async () => {
    const cluster = await clusterOf(helm);
    await cluster.reconcile(packageOf('metallb', { variant: 'default' }, merge));
    const { status, lines } = await audit(cluster);
    expect(status).toBe(0);
    expect(lines[1]).toBe('  shared  spec.variant: "default", as the platform sets it');
    expect(lines[4]).toBe('Nothing is taken in 3 Packages, 2 of them made by the platform chart; 1 notice');
  });

  test('what somebody took by hand needs no commit', async () => {
    const cluster = await clusterOf(helm);
    const ref = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.metallb' };
    const metadata = { annotations: { 'helm.sh/resource-policy': null } };
    await cluster.ask({ op: 'merge', ref, manager: 'kubectl-edit', patch: { spec: { variant: 'other' }, metadata } });
    expect(short(await report(cluster))).toEqual([
      'taken metallb spec.variant',
      'lost metallb metadata.annotations["helm.sh/resource-policy"]',
    ]);
    const done = await restore(cluster, []);
    expect(done).toHaveLength(1);
    expect(await ownersOf(cluster, 'metallb', 'spec', 'variant')).toEqual(['helm-controller']);
    expect((await audit(cluster)).status).toBe(0);
  });
});

describe('the platform’s own Package', () => {
  const partial = values('platform', { publishing: { proxyProtocol: true } });
  const configured = { '.customizer-lint.yaml': 'cluster: {variant: isp-full}\n' };

  test('after a takeover its variant is gone, and the repair holds', async () => {
    const cluster = await clusterOf('Apply');
    await cluster.reconcile(packageOf('cozystack-platform', partial));
    const { status, stdout, lines } = await audit(cluster, [], configured);
    expect(status).toBe(1);
    expect(lines.slice(0, 3)).toEqual([
      'Package cozystack.cozystack-platform',
      '  lost    spec.variant',
      '          it belongs to the platform’s administrator, and is not there; the platform sets "isp-full"',
    ]);
    expect(stdout).toContain('with the file that the Package was made from');
    const commands = lines.filter((line) => /^ {2}(?:kubectl|printf)/.test(line)).map((line) => line.trim());
    for (const command of commands) await cluster.run(command);
    await cluster.ask({ op: 'apply', object: platform, manager: 'kubectl', force: true });
    for (let round = 0; round < 2; round++) await cluster.reconcile(packageOf('cozystack-platform', partial, merge));
    const { spec } = await cluster.get('cozystack-platform');
    expect(spec.variant).toBe('isp-full');
    expect(spec.components.platform.values.publishing).toEqual({ host: 'example.org', proxyProtocol: true });
    expect(await ownersOf(cluster, 'cozystack-platform', 'spec', 'variant')).toEqual(['kubectl', 'kubectl-patch']);
    expect((await audit(cluster, [], configured)).status).toBe(0);
  });

  test('without a word on what it was, nothing is made up', async () => {
    const cluster = await clusterOf('Apply');
    await cluster.reconcile(packageOf('cozystack-platform', partial));
    const { stdout } = await audit(cluster);
    expect(stdout).not.toContain('isp-full"');
    expect(stdout).toContain('write spec.variant as it was when the platform was installed');
    expect(stdout).toContain('assumed: platform variant isp-full');
  });

  test('a takeover in a reconcile that failed is undone before the next one wipes', async () => {
    const cluster = await clusterOf('Apply');
    const refused = packageOf('other', { variant: 5 });
    expect((await cluster.reconcile(packageOf('cozystack-platform', partial), refused)).reason).toBe(
      'ReconciliationFailed',
    );
    const { lines } = await audit(cluster);
    expect(lines[1]).toBe('  taken   spec.variant: "isp-full"');
    await restore(cluster, [packageOf('cozystack-platform', partial, merge)]);
    const { spec } = await cluster.get('cozystack-platform');
    expect(spec.variant).toBe('isp-full');
    expect(spec.components.platform.values.publishing).toEqual({ host: 'example.org', proxyProtocol: true });
    expect(await ownersOf(cluster, 'cozystack-platform', 'spec', 'variant')).toEqual(['kubectl']);
    expect((await audit(cluster)).status).toBe(0);
  });

  test('a repair by kubectl without Merge is about to be removed', async () => {
    const cluster = await clusterOf('Apply');
    await cluster.reconcile(packageOf('cozystack-platform', partial));
    await cluster.ask({ op: 'apply', object: platform, manager: 'kubectl', force: true });
    const { status, lines } = await audit(cluster);
    expect(status).toBe(1);
    expect(lines.slice(1, 4)).toEqual([
      '  doomed  spec.variant, spec.components.platform.values.networking.podCIDR, spec.components.platform.values.publishing.host',
      expect.stringContaining('set by kubectl (Apply, '),
      '          Flux removes it when it next applies the Package, unless that has ssa: Merge',
    ]);
    await restore(cluster, [packageOf('cozystack-platform', partial)]);
    expect((await cluster.get('cozystack-platform')).spec.variant).toBe('isp-full');
  });

  test('which Flux leaves alone already is not annotated again', async () => {
    const cluster = await clusterOf('Apply');
    await cluster.reconcile(packageOf('cozystack-platform', { variant: 'isp-hosted' }, merge));
    const { findings, recovery } = await report(cluster);
    expect(findings).not.toEqual([]);
    expect(recovery.filter(({ command = '' }: Manifest) => /annotate/.test(command))).toEqual([]);
  });

  test('in a repository, what its manifest will remove is said before', async () => {
    const cluster = await clusterOf('Update');
    const files = (metadata: object) => ({
      'kustomization.yaml': kustomization({ resources: ['p.yaml'] }),
      'p.yaml': JSON.stringify(packageOf('cozystack-platform', partial, metadata)),
    });
    expect((await audit(cluster, [], files({}))).lines[1]).toMatch(/^ {2}doomed {2}spec\.variant, /);
    expect((await audit(cluster, [], files(merge))).status).toBe(0);
    // A directory that is named needs nothing else to be one.
    const named = { 'here/p.yaml': JSON.stringify(packageOf('cozystack-platform', partial)) };
    expect((await audit(cluster, ['here'], named)).lines[1]).toMatch(/^ {2}doomed {2}spec\.variant, /);
    expect((await audit(cluster, [], named)).status).toBe(0);
  });

  test.each([
    ['ssa', 'Ignore'],
    ['ssa', 'IfNotPresent'],
    ['reconcile', 'disabled'],
  ])('in a repository, a manifest with %s: %s removes nothing', async (name, value) => {
    const cluster = await clusterOf('Update');
    const manifest = packageOf('cozystack-platform', partial, {
      annotations: { [`kustomize.toolkit.fluxcd.io/${name}`]: value },
    });
    const files = {
      'kustomization.yaml': kustomization({ resources: ['p.yaml'] }),
      'p.yaml': JSON.stringify(manifest),
    };
    const { status, lines } = await audit(cluster, [], files);
    expect({ status, first: lines[0] }).toEqual({
      status: 0,
      first: 'Nothing is taken in 3 Packages, 2 of them made by the platform chart',
    });
  });
});

describe('what is known of the cluster', () => {
  // With its values alone: the Package of the platform is not among them, and nobody says which release it is.
  const partly = async (cluster: LiveCluster) => {
    const { items, ...list } = JSON.parse(await cluster.export());
    const text = JSON.stringify({
      ...list,
      items: items.filter(({ metadata }: Manifest) => !/platform/.test(metadata.name)),
    });
    const folder = place({ 'live.json': text });
    return runHere(['audit', '--live', 'live.json'], { cwd: folder });
  };

  test('what holds in every release and variant needs no more', async () => {
    const cluster = await clusterOf('Update');
    await cluster.reconcile(packageOf('networking', values('cilium', { cilium: { k8sServicePort: '1' } }), merge));
    const { status, stdout } = await partly(cluster);
    expect(status).toBe(1);
    expect(stdout).toMatch(/k8sServicePort: "1", where the platform sets "7445"$/m);
    expect(stdout).toContain('assumed: Cozystack release v1.6;');
  });

  test('a value of the platform’s own is not made up where nobody knows what it is', async () => {
    const cluster = await clusterOf('Update');
    const taken = { 'kube-ovn': { ipv4: { POD_CIDR: '10.9.0.0/16' } } };
    await cluster.reconcile(packageOf('networking', values('kubeovn', taken), merge));
    expect((await partly(cluster)).stdout).toMatch(/POD_CIDR: "10\.9\.0\.0\/16"$/m);
  });

  test('a Package that is of no known cluster gives no value away', async () => {
    const chart = chartPackage('networking', { ...networking, variant: 'of-a-fork' });
    const cluster = await LiveCluster.of(engine, { helm: 'Update', charts: [chart] });
    await cluster.reconcile(packageOf('networking', values('cilium', { cilium: { k8sServicePort: '1' } }), merge));
    const { status, stdout } = await partly(cluster);
    expect({ status, told: stdout.includes('7445') }).toEqual({ status: 0, told: false });
    expect(stdout).toContain('only as far as the release and the variant can be assumed');
  });

  test('what holds only in some is no more than a notice', async () => {
    const linstor = values('linstor', { talos: { enabled: false } });
    const cluster = await LiveCluster.of(engine, {
      helm: 'Apply',
      charts: [chartPackage('multus', values('multus', { stageCniPlugins: true })), chartPackage('linstor', linstor)],
    });
    await cluster.reconcile(packageOf('multus', values('multus', { stageCniPlugins: false }), merge));
    await cluster.reconcile(packageOf('linstor', values('linstor', { talos: { enabled: true } }), merge));
    const folder = place({ 'live.json': await cluster.export() });
    const { status, stdout } = await runHere(['audit', '--live', 'live.json', '--release', 'next'], { cwd: folder });
    expect(stdout).toContain('taken   spec.components.multus.values.stageCniPlugins: false');
    expect(status).toBe(1);
    expect(await runHere(['audit', '--live', 'live.json'], { cwd: folder })).toMatchObject({ status: 0 });
  });

  test('the line that takes a field', async () => {
    const cluster = await clusterOf('Apply');
    const taking = packageOf('metallb', { variant: 'oidc' }, merge);
    await cluster.reconcile(taking);
    const files = {
      'kustomization.yaml': kustomization({ resources: ['p.yaml'] }),
      'p.yaml': JSON.stringify(taking, null, 2),
    };
    const { lines } = await audit(cluster, [], files);
    expect(lines[1]).toMatch(/where the platform sets "default" {2}p\.yaml:11$/);
  });

  test('a variant that no other release would have the value in', async () => {
    const generic = packageOf('cozystack-platform', { variant: 'isp-hosted' });
    const cluster = await LiveCluster.of(engine, {
      helm: 'Apply',
      charts: [chartPackage('kubevirt', {})],
      platform: generic,
    });
    await cluster.reconcile(packageOf('kubevirt', values('kubevirt', { cpuAllocationRatio: 3 }), merge));
    expect((await audit(cluster)).status).toBe(0);
  });

  test('what Helm has applied is applied with it again, but for what is null', async () => {
    const cluster = await clusterOf('Update');
    const applied = values('cilium', { cilium: { k8sServiceHost: 'localhost', none: null } });
    await cluster.ask({
      ...{ op: 'apply', manager: 'helm-controller', force: true },
      object: packageOf('networking', applied),
    });
    for (const k8sServicePort of ['1', '7445'])
      await cluster.reconcile(packageOf('networking', values('cilium', { cilium: { k8sServicePort } }), merge));
    const { recovery } = await report(cluster);
    const printed = recovery.flatMap(({ command = '' }: Manifest) => /^printf %s '([^']*)'/.exec(command)?.[1] ?? []);
    expect(printed.map((text: string) => JSON.parse(text))).toEqual([
      packageOf('networking', values('cilium', { cilium: { k8sServiceHost: 'localhost', k8sServicePort: '7445' } })),
    ]);
  });

  const metallb = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.metallb' };
  const labelled = async (annotations: Record<string, string> = {}) => {
    const cluster = await clusterOf('Apply');
    await cluster.reconcile(packageOf('metallb', {}));
    const patch = { metadata: { labels: { team: 'a' }, annotations } };
    await cluster.ask({ op: 'merge', ref: metallb, manager: 'kubectl-label', patch });
    return short(await report(cluster));
  };

  test('one field alone that Flux is about to remove', async () => {
    expect(await labelled()).toEqual(['doomed metallb metadata.labels.team']);
  });

  test.each([
    ['ssa', 'Ignore'],
    ['ssa', 'Merge'],
    ['reconcile', 'disabled'],
  ])('nothing is about to be removed from what is in the cluster with %s: %s', async (name, value) => {
    expect(await labelled({ [`kustomize.toolkit.fluxcd.io/${name}`]: value })).toEqual([]);
  });

  test('how Helm writes is not said where it has written nothing', async () => {
    const cluster = await LiveCluster.of(engine, { helm: 'Apply', charts: [], platform });
    const { status, lines } = await audit(cluster);
    expect({ status, lines }).toEqual({
      status: 0,
      lines: ['Nothing is taken in 1 Package, 0 of them made by the platform chart', ''],
    });
  });

  test('a label of Flux that somebody else has set is odd, and no more', async () => {
    const cluster = await clusterOf('Apply');
    const metadata = { labels: { 'kustomize.toolkit.fluxcd.io/name': 'mine' } };
    const ref = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.metallb' };
    await cluster.ask({ op: 'merge', ref, manager: 'kubectl-label', patch: { metadata } });
    const { status, lines } = await audit(cluster);
    expect(lines.slice(0, 3)).toEqual([
      'Package cozystack.metallb',
      expect.stringMatching(/^ {2}odd {5}metadata\.labels\["kustomize\.toolkit\.fluxcd\.io\/name"\]/),
      expect.stringMatching(/^ {10}a label of Flux, but set by kubectl-label \(Update/),
    ]);
    expect(status).toBe(0);
  });

  test('a Package of the administrator’s own is not judged', async () => {
    const cluster = await clusterOf('Apply');
    await cluster.ask({ op: 'create', object: packageOf('mine', { variant: 'x' }), manager: 'kubectl-create' });
    const { lines, status } = await audit(cluster);
    expect({ status, first: lines[0] }).toEqual({
      status: 0,
      first: 'Nothing is taken in 4 Packages, 2 of them made by the platform chart',
    });
  });

  test.each([
    ["a; reboot 'now'", String.raw`'a; reboot '\''now'\'''`],
    ['a; reboot', `'a; reboot'`],
    ['$(reboot).', `'$(reboot).'`],
  ])('what a label says is one word of the shell: %s', async (label, word) => {
    const cluster = await clusterOf('Apply');
    await cluster.reconcile(packageOf('metallb', { variant: 'oidc' }, merge));
    const list = JSON.parse(await cluster.export());
    for (const { metadata } of list.items)
      if (metadata.labels) metadata.labels['kustomize.toolkit.fluxcd.io/name'] = label;
    const { recovery } = JSON.parse((await audit(JSON.stringify(list), ['--format', 'json'])).stdout);
    const [{ command }] = recovery;
    expect(command).toContain(` ${word} `);
  });

  test('no secret is repeated', async () => {
    const cluster = await clusterOf('Update');
    const taken = values('cilium', { cilium: { cgroup: 'password=hunter2', k8sServiceHost: { token: 'hunter2' } } });
    await cluster.reconcile(packageOf('networking', taken, merge));
    for (const format of ['text', 'json']) {
      const { stdout, status } = await audit(cluster, ['--format', format]);
      expect(status).toBe(1);
      expect(stdout).toContain('k8sServiceHost');
      expect(stdout).not.toContain('hunter2');
    }
  });
});

describe('asking the cluster', () => {
  test('by pages, without writing', async () => {
    const cluster = await clusterOf('Apply');
    await cluster.reconcile(packageOf('metallb', { variant: 'oidc' }, merge));
    const { items } = JSON.parse(await cluster.export());
    const path = 'GET /apis/cozystack.io/v1alpha1/packages';
    const list = (items: unknown[], next: string) => ({ kind: 'PackageList', metadata: { continue: next }, items });
    const server = await startFake([
      { to: `${path}?limit=200&continue=two`, status: 200, body: list(items.slice(1), '') },
      { to: path, status: 200, body: list([null, ...items.slice(0, 1)], 'two') },
    ]);
    try {
      const folder = place();
      const args = ['audit', '--kubeconfig', server.kubeconfig, '--release', 'v1.6.2'];
      const { stdout, status } = await runHere(args, { cwd: folder });
      expect(status).toBe(1);
      expect(stdout).toContain('1 taken, in 3 Packages');
      expect(server.heard.every(({ method }) => method === 'GET')).toBe(true);
    } finally {
      await server.close();
    }
  });

  test('a no is said as it is', async () => {
    const server = await startFake([
      { to: 'GET /apis/cozystack.io', status: 403, body: { kind: 'Status', message: 'packages is forbidden' } },
    ]);
    try {
      const { stderr, status } = await runHere(['audit', '--kubeconfig', server.kubeconfig], { cwd: place() });
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: 'customizer-lint: the server does not list packages: packages is forbidden\n',
      });
    } finally {
      await server.close();
    }
  });
});

describe('what cannot be audited', () => {
  const stripped = async () => {
    const { items, ...list } = JSON.parse(await (await clusterOf('Apply')).export());
    for (const { metadata } of items) delete metadata.managedFields;
    return JSON.stringify({ ...list, items });
  };

  test.each<[string, () => Promise<string>, RegExp]>([
    ['no field managers', stripped, /without managedFields; add --show-managed-fields/],
    ['nothing', async () => '{"kind":"List","items":[]}', /live\.json has no object in it/],
    ['no JSON', async () => '{', /begins like JSON, but is none/],
    [
      'no Package',
      async () => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', managedFields: [] } }),
      /there is no Package of Cozystack in live\.json/,
    ],
  ])('%s', async (_, text, words) => {
    const { status, stderr, stdout } = await audit(await text());
    expect(stderr).toMatch(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test.each<[string[], RegExp]>([
    [[], /either --live FILE.* or --kubeconfig FILE/],
    [['--live', 'a', '--kubeconfig', 'b'], /either --live FILE.* or --kubeconfig FILE/],
    [['--live', 'a', '--context', 'b'], /--context needs --kubeconfig/],
    [['--kubeconfig', 'nowhere'], /there is no kubeconfig nowhere/],
    [['--live', 'nowhere'], /nowhere cannot be read/],
    [['--live', 'a', '--fix'], /--fix/],
  ])('%j', async (args, words) => {
    const { status, stderr } = await runHere(['audit', ...args], { cwd: place() });
    expect(stderr).toMatch(words);
    expect(status).toBe(2);
  });
});
