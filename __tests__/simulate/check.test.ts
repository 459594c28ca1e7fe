/**
 * `check --simulate`: what the rules say is not said again, what nobody says is; and a plain check of Packages never loads the module.
 * The fixtures are a sample; FULL=1 takes them all.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { problemsOf } from '../../src/simulate/problems.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { isChosen } from '../support/sample.js';
import { createRepo, kustomization } from '../support/trees.js';

const own = ['refused-by-server', 'taken-field', 'lost-field'];
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

type Report = {
  findings: { rule: string; message: string; isNew?: boolean }[];
  stages: { name: string; ran: boolean; why?: string }[];
};

async function check(repository: string, ...more: string[]): Promise<Report> {
  const { stdout } = await runHere(['check', repository, '--format', 'json', ...more]);
  return JSON.parse(stdout) as Report;
}

function fixtures(): { name: string; repository: string; base?: string }[] {
  const folder = join(root, '__tests__', 'rules');
  const all = readdirSync(folder).flatMap((id) =>
    readdirSync(join(folder, id)).map((name) => ({ name: `${id}/${name}`, repository: join(folder, id, name) })),
  );
  return all
    .filter(({ repository, name }) => statSync(repository).isDirectory() && !name.endsWith('.base'))
    .filter(({ name }) => !name.startsWith('refused-by-server/'))
    .filter(({ repository }) => !['.answers.json', '.live.yaml'].some((end) => existsSync(repository + end)))
    .filter(({ repository }) => !switchesOff(repository))
    .map((one) => (existsSync(`${one.repository}.base`) ? { ...one, base: `${one.repository}.base` } : one));
}

/** What a rule would say, had it not been switched off, is for the simulation to say. */
function switchesOff(repository: string): boolean {
  const file = join(repository, '.customizer-lint.yaml');
  return existsSync(file) && /^ +(?:schema-violation|forbidden-object): "?off"?$/m.test(readFileSync(file, 'utf8'));
}

describe('of the fixtures nothing is said that the rules do not say', () => {
  const sample = fixtures().filter(({ name }) => isChosen(name, 20));

  test.concurrent.each(sample)('$name', async ({ repository, base }) => {
    const { findings, stages } = await check(repository, ...(base ? ['--base', base] : []), '--simulate');
    const simulated = stages.find(({ name }) => name === 'simulation');
    if (!simulated?.ran) expect(simulated?.why).toBe('nothing could be rendered');
    expect(findings.filter(({ rule, isNew }) => own.includes(rule) && isNew !== false)).toEqual([]);
  });
});

function copyOf(fixture: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'simulated-'));
  folders.push(folder);
  cpSync(join(root, '__tests__', 'rules', fixture), folder, { recursive: true });
  return folder;
}

test('what no rule says is said on its line', async () => {
  const repository = copyOf('schema-violation/bad');
  const base = copyOf('schema-violation/good');
  const silent = 'rules: {schema-violation: {severity: "off"}}\n';
  for (const folder of [repository, base]) writeFileSync(join(folder, '.customizer-lint.yaml'), silent);
  const before = await check(repository, '--base', base);
  const after = await check(repository, '--base', base, '--simulate');
  const more = after.findings.filter(({ message }) => !before.findings.some((one) => one.message === message));
  expect(more.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['refused-by-server']));
  const { stdout } = await runHere(['check', repository, '--base', base, '--simulate']);
  expect(stdout).toMatch(
    /refused-by-server\]: .*so Flux applies nothing of the repository: \S[\s\S]*?--> \S+\.yaml:\d+:\d+/,
  );
});

test('of objects that have a line in common it is said once', async () => {
  const alert = `apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: alert, namespace: cozy-customizer}
spec: {providerRef: {name: chat}, eventSources: [{kind: Nothing, name: '*'}]}
`;
  const part = (namePrefix: string) => kustomization({ namePrefix, components: ['../alerts'] });
  const repository = createRepo({
    'alerts/kustomization.yaml': kustomization({
      ...{ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', resources: ['alert.yaml'] },
    }),
    'alerts/alert.yaml': alert,
    'one/kustomization.yaml': part('one-'),
    'two/kustomization.yaml': part('two-'),
    'kustomization.yaml': kustomization({ resources: ['one', 'two'] }),
  });
  folders.push(repository);
  const { findings } = await check(repository, '--simulate');
  expect(findings.map(({ rule }) => rule)).toEqual(['schema-violation']);
});

/** Overlays of one directory, of which each sets something else. */
function overlays(cpu: Record<string, string>): string {
  const patch = (value: string) => ({
    target: { kind: 'ConfigMap' },
    patch: JSON.stringify([{ op: 'replace', path: '/data/cpu', value }]),
  });
  const names = Object.keys(cpu);
  const repository = createRepo({
    '.customizer-lint.yaml': JSON.stringify({ entrypoints: names.map((name) => `overlays/${name}`) }),
    'apps/kustomization.yaml': kustomization({ resources: ['limits.yaml'] }),
    'apps/limits.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: cozy-customizer}
data: {cpu: "1"}
immutable: true
`,
    ...Object.fromEntries(
      Object.entries(cpu).map(([name, value]) => [
        `overlays/${name}/kustomization.yaml`,
        kustomization({ resources: ['../../apps'], patches: [patch(value)] }),
      ]),
    ),
  });
  folders.push(repository);
  return repository;
}

test('what the overlays of two clusters set in their own ways is no change of each other’s', async () => {
  const { findings, stages } = await check(overlays({ first: '2', second: '3' }), '--simulate');
  expect(stages.find(({ name }) => name === 'simulation')?.ran).toBe(true);
  expect(findings.map(({ rule }) => rule)).not.toContain('refused-by-server');
});

test('what all of them change at once is refused as before', async () => {
  const [repository, base] = [overlays({ first: '3', second: '3' }), overlays({ first: '2', second: '2' })];
  const { findings } = await check(repository, '--base', base, '--simulate');
  expect(findings.map(({ rule }) => rule)).toContain('refused-by-server');
});

test('what one of them changes on its own is refused, whatever the other one sets', async () => {
  const [repository, base] = [overlays({ first: '3', second: '5' }), overlays({ first: '2', second: '5' })];
  for (const more of [[], ['--simulate']]) {
    const { findings } = await check(repository, '--base', base, ...more);
    expect(findings.map(({ rule }) => rule)).toContain('refused-by-server');
  }
});

test('what is refused is said, whether the first reconcile has it refused or the second', () => {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'cozy-customizer', name: 'a' };
  const object = { ref, value: { data: { a: 'b' } } };
  const cause = { reason: 'FieldValueForbidden', message: 'field is immutable', field: 'data' };
  const body = { reason: 'Invalid', message: 'it is invalid', details: { causes: [cause] } };
  const refused = { refused: [{ ref, status: 422, reason: 'Invalid', message: 'it is invalid', body }] };
  const rendered = { entrypoint: { path: '.' }, objects: [object] };
  const cluster = {
    permissions: {},
    contract: { schemas: { find: () => ({ known: false }) } },
    head: { objects: [object] },
  };
  const said = (first: object, second: object) => {
    const reconciles = [{ path: '.', rendered, objects: [object], first, second }];
    const simulation = { reconciles, earlier: [], outcomes: [] };
    return problemsOf(simulation as never, { cluster: cluster as never, findings: [], live: false }).head;
  };
  const message = expect.stringMatching(/^ConfigMap "a": .*immutable; Flux applies nothing of the repository$/);
  for (const [first, second] of [
    [refused, { refused: [] }],
    [{ refused: [] }, refused],
    [refused, refused],
  ] as const)
    expect(said(first, second)).toMatchObject([{ rule: 'refused-by-server', message, at: { path: ['data'] } }]);
  expect(said({ refused: [] }, { refused: [] })).toEqual([]);
});

describe('the module', () => {
  /** This package without it. */
  function withoutModule(): string {
    const home = mkdtempSync(join(tmpdir(), 'home-'));
    folders.push(home);
    cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true });
    rmSync(join(home, 'dist', 'engine', 'apply.wasm.br'));
    cpSync(join(root, 'package.json'), join(home, 'package.json'));
    symlinkSync(join(root, 'schemas'), join(home, 'schemas'));
    return join(home, 'dist', 'cli', 'index.js');
  }

  test('is not loaded by a plain check, and missed where it is asked for', () => {
    const cli = withoutModule();
    const run = (...args: string[]) => spawnSync(process.execPath, [cli, 'check', ...args], { encoding: 'utf8' });
    const repository = copyOf('taken-field/good');
    const base = copyOf('taken-field/good');
    const plain = run(repository, '--base', base);
    expect(plain.status).toBe(0);
    writeFileSync(join(repository, '.customizer-lint.yaml'), 'require: [simulation]\n');
    const asked = run(repository, '--simulate');
    expect(asked.stdout).toMatch(/simulation: .*no such file/);
    expect(asked.stdout).toContain('error[skipped-stage]: Stage "simulation" is required, but did not run');
    expect(asked.status).toBe(1);
  });
});
