/** The dry run on real API servers: one of ours, one of kind (a stand-in), and one that is not ours to write to. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomOf } from '../../bench/generate.mjs';
import { cli, root, runCli } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';
import { type StandIn, standInKind } from '../../support/kind.js';
import { processesWith } from '../../support/processes.js';
import { createRepo, removeRepo } from '../../support/trees.js';
import { build } from './build.mjs';

const folders: string[] = [];
const standIns: StandIn[] = [];
const assets = build('server');
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
});

afterAll(async () => {
  await cluster?.stop();
  for (const one of standIns) await one.clean();
  for (const folder of folders) removeRepo(folder);
});

function repository(manifests: string, config = ''): string {
  const folder = createRepo({
    'kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [all.yaml]\n',
    'all.yaml': manifests,
    '.customizer-lint.yaml': `cluster: {release: v1.6.2, variant: isp-full, ownedNamespaces: [cozy-customizer, tools], roles: []}\n${config}`,
  });
  folders.push(folder);
  return folder;
}

function standIn(options?: Parameters<typeof standInKind>[0]): StandIn {
  const made = standInKind(options);
  standIns.push(made);
  return made;
}

/** What a run leaves behind is looked for in a directory for temporary files of its own. */
function scratch(): string {
  const folder = createRepo({});
  folders.push(folder);
  return folder;
}

type Env = Record<string, string>;

async function ask(folder: string, where: string, { env = {} as Env, args = [] as string[] } = {}) {
  const TMPDIR = env.TMPDIR ?? scratch();
  const all = ['check', folder, '--format', 'json', `--dry-run=${where}`, ...args];
  const { stdout, stderr } = await runCli(all, { env: { KUBEBUILDER_ASSETS: assets, ...env, TMPDIR }, seconds: 120 });
  expect(`${stdout}${stderr}`).not.toContain('hunter2');
  const report = JSON.parse(stdout);
  const stage = report.stages.find(({ name }: { name: string }) => name === 'dry-run');
  const lines = report.findings.map((one: { rule: string; line: number }) => `${one.rule}:${one.line}`);
  return { report, stage, run: report.dryRun?.[0], lines, left: left(TMPDIR) };
}

function left(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('customizer-lint'));
}

const manifests = `apiVersion: v1
kind: Namespace
metadata: {name: tools}
---
apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: cozystack.metallb
  annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}
spec:
  components: {metallb: {values: {metallb: {speaker: {logLevel: debug}}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: portal, namespace: tools}
spec:
  selector: {matchLabels: {app: portal}}
  template:
    metadata: {labels: {app: other}}
    spec:
      containers:
        - name: portal
          image: registry.example.org/portal:1.0.0
          ports: [{containerPort: 70000}]
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: tools}
type: kubernetes.io/tls
stringData: {tls.crt: hunter2hunter2}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: elsewhere, namespace: kube-system}
data: {a: b}
`;

function service(name: string): string {
  return `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: cozy-customizer}
spec: {ports: [{name: a, port: 53}, {name: a, port: 54}]}
`;
}

/** One that Flux applies with all of its own rights. */
function fluxRepository(manifests: string): string {
  const folder = createRepo({
    'flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec: {interval: 10m, path: ./app, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
`,
    'app/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [all.yaml]\n',
    'app/all.yaml': manifests,
  });
  folders.push(folder);
  return folder;
}

function definition(plural: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: ${plural}, singular: ${plural.slice(0, -1)}, kind: Widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
---
`;
}

const widget = `apiVersion: example.org/v1
kind: Widget
metadata: {name: right, namespace: tools}
spec: {size: 1}
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: wrong, namespace: tools}
spec: {sise: 1}
`;

test('an API server of our own: each refusal at its line, and nothing left', async () => {
  const { run, stage, lines, left } = await ask(repository(manifests), 'envtest');
  expect(stage).toEqual({ name: 'dry-run', ran: true });
  expect(run).toMatchObject({ server: 'envtest', version: expect.stringMatching(/^v1\.35/), asked: 5, conflicts: [] });
  expect(lines).toEqual(
    expect.arrayContaining([
      'refused-by-server:19',
      'refused-by-server:24',
      'refused-by-server:30',
      'forbidden-object:34',
    ]),
  );
  const refused = run.refused.map((one: { object: { name: string }; reason: string; expected: boolean }) => [
    one.object.name,
    one.reason,
    one.expected,
  ]);
  expect(refused.sort()).toEqual([
    ['elsewhere', 'forbidden', true],
    ['portal', 'invalid', true],
    ['s', 'invalid', true],
  ]);
  expect(left).toEqual([]);
});

test('what was refused before the change is not the change’s', async () => {
  const base = repository(manifests);
  const head = repository(`${manifests}---\n${service('new')}`);
  const { report } = await ask(head, 'envtest', { args: ['--base', base] });
  const found = report.findings.filter(({ rule }: { rule: string }) => rule === 'refused-by-server');
  expect(found.map(({ object, isNew }: { object: { name: string }; isNew: boolean }) => [object.name, isNew])).toEqual([
    ['portal', false],
    ['portal', false],
    ['s', false],
    ['new', true],
  ]);
});

test('what may not be changed any more is refused, unless Flux makes it anew', async () => {
  const deployment = (app: string, annotations = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: portal, namespace: tools${annotations}}
spec:
  selector: {matchLabels: {app: ${app}}}
  template:
    metadata: {labels: {app: ${app}}}
    spec: {containers: [{name: portal, image: registry.example.org/portal:1.0.0}]}
`;
  const asked = async (before: string, after: string) => {
    const { run, report } = await ask(repository(after), 'envtest', { args: ['--base', repository(before)] });
    expect(run.asked).toBe(1);
    return report.findings.filter(({ rule }: { rule: string }) => rule === 'refused-by-server');
  };
  const forced = ', annotations: {kustomize.toolkit.fluxcd.io/force: enabled}';
  expect(await asked(deployment('a'), deployment('b'))).toMatchObject([
    {
      line: 5,
      isNew: true,
      message: expect.stringMatching(/field is immutable; Flux applies nothing of the repository$/),
      help: expect.stringContaining('kustomize.toolkit.fluxcd.io/force: enabled'),
    },
  ]);
  expect(await asked(deployment('a'), deployment('a'))).toEqual([]);
  expect(await asked(deployment('a'), deployment('b', forced))).toEqual([]);
  const wrong = deployment('b', forced).replace('image: registry', 'ports: [{containerPort: 70000}], image: registry');
  expect(await asked(deployment('a'), wrong)).toMatchObject([
    { line: 8, message: expect.stringContaining('must be between 1 and 65535') },
  ]);
});

test('what Flux itself applies: a definition and what it defines, in one run', async () => {
  const { run, stage, report } = await ask(fluxRepository(definition('widgets') + widget), 'envtest');
  expect(stage).toEqual({ name: 'dry-run', ran: true });
  expect(run).toMatchObject({ asked: 3 });
  expect(run.refused).toMatchObject([{ object: { name: 'wrong' }, reason: 'unknown-field' }]);
  expect(report.findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ rule: 'refused-by-server', file: 'app/all.yaml', field: ['spec', 'sise'] }),
    ]),
  );
});

test('a definition that is never served is said', async () => {
  const { stage, run } = await ask(fluxRepository(definition('widgets') + definition('gadgets') + widget), 'envtest');
  expect(stage.why).toMatch(
    /^1 of 4 objects got no answer: the definition (widgets|gadgets)\.example\.org is not served: "Widget(List)?" is already in use/,
  );
  expect(run.asked).toBe(4);
});

test('several clusters have a server each, and a kubeconfig is of one', async () => {
  const folder = createRepo({
    'clusters/a/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [all.yaml]\n',
    'clusters/a/all.yaml': service('a'),
    'clusters/b/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [all.yaml]\n',
    'clusters/b/all.yaml': service('b'),
  });
  folders.push(folder);
  const { report } = await ask(folder, 'envtest');
  expect(
    report.dryRun.map(({ cluster, refused }: { cluster: string; refused: object[] }) => [cluster, refused.length]),
  ).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  const { stage } = await ask(folder, cluster.kubeconfig);
  expect(stage.why).toBe('the repository has several clusters (a, b): say with --cluster which one it is');
  expect((await ask(folder, cluster.kubeconfig, { args: ['--cluster', 'b'] })).run).toMatchObject({
    cluster: 'b',
    asked: 1,
  });
});

test('fields of the chart that are taken, with their manager', async () => {
  const taken = manifests.split('---\n')[1]?.replace('spec:', 'spec:\n  variant: other') ?? '';
  const { run } = await ask(repository(taken), 'envtest');
  expect(run.conflicts).toMatchObject([{ manager: 'helm-controller', path: ['spec', 'variant'] }]);
});

test('a cluster of somebody else: nothing is written, seeded or made, and its own state counts', async () => {
  const before = cluster.audit().length;
  const { run, report, stage } = await ask(repository(manifests), cluster.kubeconfig);
  expect(stage.ran).toBe(true);
  // There is neither a role for the customizer nor a definition of Packages.
  expect(run.refused).toHaveLength(5);
  expect(report.findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        rule: 'refused-by-server',
        message: expect.stringContaining('no matches for kind "Package"'),
      }),
    ]),
  );
  const requests = cluster.audit().slice(before);
  expect(requests.length).toBeGreaterThan(5);
  for (const { verb, requestURI } of requests)
    if (!['get', 'list'].includes(verb)) expect(requestURI).toContain('dryRun=All');
  const writes = requests.filter(({ verb }) => verb === 'patch' || verb === 'create');
  for (const { impersonatedUser } of writes)
    expect(impersonatedUser?.username).toBe('system:serviceaccount:cozy-system:cozystack-customizer');
  expect((await cluster.adminRequest('GET', '/api/v1/namespaces/cozy-customizer')).status).toBe(404);
});

test('a certificate that another authority signed, and a token that nobody knows', async () => {
  const other = await startCluster();
  try {
    const wrong = (change: (config: string) => string) => {
      const folder = createRepo({ kubeconfig: change(readFileSync(cluster.kubeconfig, 'utf8')) });
      folders.push(folder);
      return join(folder, 'kubeconfig');
    };
    const ca = (text: string) => /certificate-authority-data"?: *"?([\w+/=]+)/.exec(text)?.[1] ?? '-';
    const authority = ca(readFileSync(other.kubeconfig, 'utf8'));
    const { stage } = await ask(
      repository(manifests),
      wrong((text) => text.replace(ca(text), authority)),
    );
    expect(stage.why).toContain('certificate');
    const expired = wrong((text) =>
      text
        .replace(/"?client-certificate-data"?: *"?[\w+/=]+"?/, '"token": "expired"')
        .replace(/,?\s*"?client-key-data"?: *"?[\w+/=]+"?/, ''),
    );
    expect((await ask(repository(manifests), expired)).stage.why).toContain('401 Unauthorized');
  } finally {
    await other.stop();
  }
});

const path = (made: StandIn) => ({ PATH: `${made.bin}:${dirname(process.execPath)}:/usr/bin:/bin` });
const commands = (made: StandIn) => made.calls().map(({ command }) => command);

test('kind: made with what the configuration says, filled, asked and removed', async () => {
  const made = standIn();
  const config = 'dryRun: {name: lab, image: kindest/node:v1.35.0, wait: 90s}\n';
  const { run, left } = await ask(repository(manifests, config), 'kind', { env: path(made) });
  expect(run).toMatchObject({ server: 'kind', asked: 5 });
  expect(run.refused).toHaveLength(3);
  expect(commands(made)).toEqual(['get clusters', 'create cluster', 'delete cluster']);
  const { name, image, wait, kubeconfig } = made.calls()[1]?.flags ?? {};
  expect({ name, image, wait }).toEqual({ name: 'customizer-lint-lab', image: 'kindest/node:v1.35.0', wait: '90s' });
  expect(existsSync(kubeconfig ?? '')).toBe(false);
  expect(left).toEqual([]);
});

test('kind: kept for the next run, which takes it; without the wish it is removed', async () => {
  const made = standIn();
  const folder = repository(manifests);
  const env = { ...path(made), TMPDIR: scratch() };
  for (const run of [1, 2]) {
    const { stage } = await ask(folder, 'kind', { env, args: ['--keep-cluster'] });
    expect({ run, stage }).toEqual({ run, stage: { name: 'dry-run', ran: true } });
  }
  expect(commands(made)).toEqual(['get clusters', 'create cluster', 'get clusters', 'export kubeconfig']);
  await ask(folder, 'kind', { env });
  expect(commands(made).slice(4)).toEqual(['get clusters', 'delete cluster', 'create cluster', 'delete cluster']);
});

test('kind: one that somebody has is asked, and neither filled nor removed', async () => {
  const made = standIn();
  const env = { ...path(made), TMPDIR: scratch() };
  const kubeconfig = join(env.TMPDIR, 'mine');
  const kind = spawn(join(made.bin, 'kind'), ['create', 'cluster', '--name', 'mine', '--kubeconfig', kubeconfig]);
  await new Promise((resolve) => kind.on('close', resolve));
  const { run } = await ask(repository(manifests), 'kind:mine', { env });
  expect(run.refused).toHaveLength(5);
  expect(commands(made)).toEqual(['create cluster', 'get clusters', 'export kubeconfig']);
  const writes = made
    .audit('mine')
    .filter(({ verb, userAgent }) => userAgent?.startsWith('customizer-lint') && verb !== 'get');
  for (const { requestURI } of writes) expect(requestURI).toContain('dryRun=All');
});

test('kind that fails says why, and is cleaned up after', async () => {
  const made = standIn({ fails: 'could not find a log line that matches "Reached target"' });
  const { stage, left } = await ask(repository(manifests), 'kind', { env: path(made) });
  expect(stage.why).toBe(
    'kind create cluster failed (1): failed to create cluster: could not find a log line that matches "Reached target"',
  );
  expect(commands(made)).toEqual(['get clusters', 'create cluster', 'delete cluster']);
  expect(left).toEqual([]);
});

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
const random = randomOf(8);

/** Points of a run, as parts of the time that it takes when nobody disturbs it; the same in every run of the tests. */
function points(count: number): (readonly [number, (typeof signals)[number], number])[] {
  return Array.from({ length: count }, (_, index) => {
    const signal = signals[index % signals.length] as (typeof signals)[number];
    return [index + 1, signal, random(1000) / 1000] as const;
  });
}

/** Runs until the signal comes, and tells by what it ended. */
async function interrupted(where: string, env: Env, signal: NodeJS.Signals, milliseconds: number): Promise<string> {
  const args = [cli, 'check', repository(manifests), `--dry-run=${where}`];
  const child = spawn(process.execPath, args, { stdio: 'ignore', env });
  const ended = new Promise<string>((resolve) => child.on('close', (code, by) => resolve(by ?? String(code))));
  await Promise.race([sleep(milliseconds), ended]);
  child.kill(signal);
  return ended;
}

async function timeOf(where: string, env: Env): Promise<number> {
  const start = Date.now();
  const { stage } = await ask(repository(manifests), where, { env });
  expect(stage.ran).toBe(true);
  return Date.now() - start;
}

describe('a signal at a random point leaves no process, no file and so no credential', () => {
  const env = () => ({ PATH: process.env.PATH ?? '', KUBEBUILDER_ASSETS: assets, TMPDIR: scratch() });
  let whole: number;

  beforeAll(async () => {
    whole = await timeOf('envtest', env());
  });

  test.each(points(12))('of an API server of our own, %i: %s', async (_, signal, part) => {
    const own = env();
    expect([signal, '1']).toContain(await interrupted('envtest', own, signal, part * whole));
    const behind = () => ({ files: left(own.TMPDIR), processes: processesWith(own.TMPDIR) });
    await until(() => Object.values(behind()).every(({ length }) => length === 0));
    expect(behind()).toEqual({ files: [], processes: [] });
  });
});

describe('a signal at a random point leaves no cluster of kind', () => {
  let made: StandIn;
  let whole: number;
  const home = () => made.bin.replace(/bin$/, 'home');

  beforeAll(async () => {
    made = standIn();
    whole = await timeOf('kind', path(made));
  });

  test.each(points(8))('%i: %s', async (_, signal, part) => {
    const env = { ...path(made), TMPDIR: scratch() };
    expect([signal, '1']).toContain(await interrupted('kind', env, signal, part * whole));
    // Nobody can clean up after a KILL but the next run.
    if (signal === 'SIGKILL') await timeOf('kind', env);
    const behind = () => ({ files: left(env.TMPDIR), processes: processesWith(home()) });
    await until(() => Object.values(behind()).every(({ length }) => length === 0));
    expect(behind()).toEqual({ files: [], processes: [] });
  });
});

test('a signal while the cluster is removed at the end of a run does not keep it', async () => {
  const made = standIn({ delay: 1000 });
  const env = { ...path(made), TMPDIR: scratch() };
  const args = [cli, 'check', repository(manifests), '--dry-run=kind'];
  const child = spawn(process.execPath, args, { stdio: 'ignore', env });
  const ended = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
  await until(() => commands(made).includes('delete cluster'));
  child.kill('SIGTERM');
  expect(await ended).toBe('SIGTERM');
  expect(left(env.TMPDIR)).toEqual([]);
  expect(processesWith(join(made.bin, '..', 'home'))).toEqual([]);
});

test('what a killed run left of kind is removed by the next, and nothing else', async () => {
  const made = standIn();
  const folder = repository(manifests);
  const env = { ...path(made), TMPDIR: scratch() };
  const kind = spawn(join(made.bin, 'kind'), [
    'create',
    'cluster',
    '--name',
    'customizer',
    '--kubeconfig',
    join(env.TMPDIR, 'mine'),
  ]);
  await new Promise((resolve) => kind.on('close', resolve));
  const child = spawn(process.execPath, [cli, 'check', folder, '--dry-run=kind'], { stdio: 'ignore', env });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await until(() => processesWith(join(made.bin, '..', 'home', 'customizer-lint')).length > 0);
  child.kill('SIGKILL');
  await ended;
  const { stage } = await ask(folder, 'kind', { env });
  expect(stage.ran).toBe(true);
  const deleted = made.calls().filter(({ command }) => command === 'delete cluster');
  expect(new Set(deleted.map(({ flags }) => flags.name))).toEqual(new Set(['customizer-lint']));
  expect(existsSync(join(made.bin, '..', 'home', 'customizer'))).toBe(true);
});

async function until(isSo: () => boolean, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!isSo() && Date.now() < end) await sleep(50);
}

test.each(['sops', 'disabled-and-own', 'taking-a-package-over', 'secrets-from-a-vault', 'generators'])(
  'a correct repository is accepted: %s',
  async (name) => {
    const { run, lines } = await ask(join(root, '__tests__', 'clean', name), 'envtest');
    expect({ refused: run.refused, disagreements: run.disagreements, lines }).toEqual({
      ...{ refused: [], disagreements: [] },
      lines: lines.filter((line: string) => !line.includes('by-server')),
    });
  },
);
