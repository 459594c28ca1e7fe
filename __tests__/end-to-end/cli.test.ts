/** The command line, as a user meets it: what a process alone can show by one, the rest in this process. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root, runCli } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { nodes } from '../support/nodes.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
function repository(files: Files): string {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
}
afterAll(() => planted.forEach(removeRepo));

const broken = '__tests__/examples/broken';
/** The report of the example, with paths from the current directory. */
const report = readFileSync(join(root, `${broken}.txt`), 'utf8').replaceAll('--> ', `--> ${broken}/`);

describe('check', () => {
  test.each(nodes)('the README’s example prints its report and exits with 1 under $name', async ({ path }) => {
    const { status, stdout } = await runCli(['check', broken], { node: path });
    expect({ status, stdout }).toEqual({ status: 1, stdout: report });
  });

  test('is what runs when no command is named, in the current directory', async () => {
    const named = await runCli(['check', broken]);
    const folder = repository({});
    cpSync(join(root, broken), folder, { recursive: true });
    const { status, stdout } = await runCli([], { cwd: folder });
    expect({ status, stdout }).toEqual({
      status: named.status,
      stdout: named.stdout.replaceAll(`--> ${broken}/`, '--> '),
    });
    expect(stdout).toBe(readFileSync(join(root, `${broken}.txt`), 'utf8'));
  });

  test.each([
    ['error', 1],
    ['never', 0],
  ])('--fail-on %s exits with %i', async (level, status) => {
    const outcome = await runCli(['check', broken, '--fail-on', level]);
    expect(outcome).toMatchObject({ status, stdout: report });
  });

  test('--fail-on decides whether a warning counts', async () => {
    const warned = '__tests__/rules/dead-patch/bad';
    expect((await runCli(['check', warned])).status).toBe(0);
    expect((await runCli(['check', warned, '--fail-on', 'warning'])).status).toBe(1);
  });

  test('--format json is one object, with what was not done', async () => {
    const { stdout } = await runHere(['check', broken, '--format', 'json']);
    const report = JSON.parse(stdout);
    expect(report.findings.length).toBeGreaterThan(2);
    const file = '__tests__/examples/broken/packages/metallb.yaml';
    expect(report.findings[0]).toMatchObject({ rule: 'chart-owned-field', file, line: 9 });
    const why = expect.stringMatching(/^no base was given, so these rules did not judge: .*pruned-package/);
    expect(report.stages).toContainEqual({ name: 'base', ran: false, why });
  });

  test('--output writes the report and prints nothing', async () => {
    const folder = repository({ 'x.txt': '' });
    const file = join(folder, 'report.sarif');
    const { stdout } = await runHere(['check', broken, '--format', 'sarif', '--output', file]);
    expect(stdout).toBe('');
    expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe('2.1.0');
  });

  test('--quiet prints findings alone', async () => {
    const { stdout } = await runHere(['check', broken, '--quiet']);
    expect(stdout).toContain('error[chart-owned-field]');
    expect(stdout).not.toMatch(/^\d+ errors?/m);
  });
});

describe('wrong usage exits with 2 and says what would be right', () => {
  test.each([
    [['check', 'nowhere-at-all'], '"nowhere-at-all" does not exist'],
    [['check', broken, 'b'], `one directory at a time: "${broken}" or "b"?`],
    [['--formats', 'json'], 'unknown option "--formats"; did you mean "--format"?'],
    [['--format', 'xml'], '--format xml: use one of text, concise, json, sarif, github, markdown'],
    [['--fail-on', 'all'], '--fail-on all: use one of error, warning, notice, never'],
    [['render', '--only-new'], '--only-new is not an option of render'],
    [['check', broken, '--path', 'nowhere'], '--path nowhere: there is no such directory in the work tree'],
    [['check', broken, '--config', 'nowhere.yaml'], '--config nowhere.yaml: there is no such file in the work tree'],
  ])('%j', async (args, message) => {
    const { status, stdout, stderr } = await runCli(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`customizer-lint: ${message}`);
  });
});

describe('a run that needs more than it may', () => {
  const many: Files = {
    'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'a.yaml': Array.from({ length: 20_000 }, (_, n) => configMap(`c${n}`, { text: 'x'.repeat(20) })).join('\n---\n'),
  };
  const memory = 'it needs more than the 128 MiB of memory for the whole run (--max-memory)';

  test('renders nothing, and says so', async () => {
    const { status, stdout } = await runCli(['check', repository(many), '--max-memory', '128']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(memory) });
  });

  test.each([['diff'], ['explain', 'ConfigMap/note', '-C']])(
    // The program needs less for it.
    'does not simulate, and says so: %s',
    async (...command) => {
      const folder = repository({
        'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
        'a.yaml': configMap('note'),
      });
      const { status, stdout, stderr } = await runCli([...command, folder, '--max-memory', '128', '--engine', 'wasm']);
      // A slow machine says how far it is.
      expect({ status, stdout, stderr: stderr.replace(/^(?:rendering|simulating).*\n/gm, '') }).toEqual({
        ...{ status: 2, stdout: '' },
        stderr: `customizer-lint: the simulation stopped: ${memory}\n`,
      });
    },
  );

  test.each([
    ...['0', '127', '1048577', '1e3', '-1', ''].map((word) => ['--max-memory', word, 'from 128 to 1048576']),
    ...['0', '86401', '1.5', ' 1'].map((word) => ['--max-seconds', word, 'from 1 to 86400']),
  ])('%s=%j is refused', async (option, word, bounds) => {
    const { status, stderr } = await runCli(['check', broken, `${option}=${word}`]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `customizer-lint: ${option} ${word}: a number ${bounds}\n`,
    });
  });

  test.each([
    ['--max-memory', '128'],
    ['--max-memory', '1048576'],
    ['--max-seconds', '86400'],
  ])('%s=%s is taken', async (option, word) => {
    const folder = repository({
      'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'a.yaml': configMap('note'),
    });
    expect(await runCli(['render', `${option}=${word}`, folder])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('kind: ConfigMap'),
    });
  });
});

test('--version is the number of package.json', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await runCli(['--version'])).toEqual({ status: 0, signal: null, stdout: `${version}\n`, stderr: '' });
});

describe('render', () => {
  let folder: string;
  beforeAll(() => {
    folder = repository({
      'clusters/a/kustomization.yaml': kustomization({ resources: ['b.yaml', 'a.yaml'] }),
      'clusters/a/a.yaml': configMap('a'),
      'clusters/a/b.yaml': configMap('b', { x: `${'$'}{VARIABLE}` }),
      'clusters/b/c.yaml': configMap('c'),
      'clusters/broken/kustomization.yaml': kustomization({ resources: ['nowhere.yaml'] }),
    });
  });

  const yamlOf = (name: string, data: string) =>
    `apiVersion: v1\ndata:\n  ${data}\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: cozy-customizer\n`;

  test('prints the bytes that Flux hashes, in kustomize’s order, variables left alone', async () => {
    const { status, stdout } = await runCli(['render', folder, '--path', 'clusters/a']);
    expect(stdout).toBe(`${yamlOf('b', `x: ${'$'}{VARIABLE}`)}---\n${yamlOf('a', 'a: b')}`);
    expect(status).toBe(0);
  });

  test('--format digest names each entrypoint, and what it cannot build', async () => {
    const paths = ['clusters/a', './clusters/b/', 'clusters/broken'].flatMap((path) => ['--path', path]);
    const { status, stdout } = await runHere(['render', folder, ...paths, '--format', 'digest']);
    const digest = execFileSync('sha256sum', { input: yamlOf('c', 'a: b') })
      .toString()
      .slice(0, 64);
    const lines = stdout.split('\n');
    expect(lines[1]).toBe(`${digest}  clusters/b`);
    expect(lines[2]).toMatch(
      /^error {2}clusters\/broken: kustomize build failed: accumulating resources: .*nowhere.yaml/,
    );
    expect(status).toBe(1);
  });

  test.each([[['render']], [['render', '--format', 'digest']], [['render', '--provenance']], [['inventory']]])(
    '%j says what cannot be built without what a Secret holds',
    async (args) => {
      const wrong = repository({
        'kustomization.yaml': kustomization({ resources: ['s.yaml'] }),
        's.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  password: *hunter2hunter2\n',
      });
      const { status, stdout, stderr } = await runHere([...args, wrong]);
      expect({ status, told: /unknown anchor '(.*)' referenced/.exec(stdout + stderr)?.[1] }).toEqual({
        status: 1,
        told: '••••••',
      });
    },
  );

  test('--format json is a list of objects', async () => {
    const { stdout } = await runHere(['render', folder, '--path', 'clusters/b', '--format', 'json']);
    expect(JSON.parse(stdout)).toEqual([JSON.parse(configMap('c'))]);
  });

  test('finds the entrypoints by itself', async () => {
    const { stdout } = await runHere(['render', folder, '--format', 'digest']);
    expect(stdout.split('\n').map((line) => line.replace(/^\w+ {2}([^:]+).*/, '$1'))).toEqual([
      'clusters/a',
      'clusters/b',
      'clusters/broken',
      '',
    ]);
  });
});

describe('entrypoints are found', () => {
  const flux = (name: string, path: string, more: object = {}) =>
    JSON.stringify({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name, namespace: 'flux-system' },
      spec: { path, interval: '5m', prune: true, sourceRef: { kind: 'GitRepository', name: 'flux-system' }, ...more },
    });
  const app = { 'app/a.yaml': configMap('a'), 'other/b.yaml': configMap('b') };
  const found = async (files: Files, ...args: string[]) => {
    const { stdout } = await runHere(['check', repository(files), '--format', 'json', ...args]);
    const entrypoints: { path: string; why: string }[] = JSON.parse(stdout).entrypoints;
    return entrypoints.map(({ path, why }) => `${path}: ${why}`);
  };

  test('as given', async () => {
    expect(await found(app, '--path', 'app', '--path', 'other/')).toEqual([
      'app: given with --path',
      'other: given with --path',
    ]);
  });

  test('in the configuration', async () => {
    const files = { ...app, '.customizer-lint.yaml': 'entrypoints: [other]\n', 'flux.yaml': flux('a', './app') };
    expect(await found(files)).toEqual(['other: listed in .customizer-lint.yaml']);
  });

  test('in the values of the platform Package', async () => {
    const platform = {
      apiVersion: 'cozystack.io/v1alpha1',
      kind: 'Package',
      metadata: { name: 'cozystack.cozystack-platform' },
      spec: { components: { platform: { values: { customizer: { kustomization: { path: './app' } } } } } },
    };
    expect(await found({ ...app, 'app/platform.yaml': JSON.stringify(platform) })).toEqual([
      'app: customizer.kustomization.path of the platform Package',
    ]);
  });

  test('in Flux Kustomizations of this repository', async () => {
    const files = {
      ...app,
      'clusters/a/app.yaml': flux('app', './app'),
      'clusters/a/elsewhere.yaml': flux('elsewhere', './nowhere'),
      'clusters/a/remote.yaml': flux('remote', './other', { kubeConfig: { secretRef: { name: 'x' } } }),
    };
    expect(await found(files)).toEqual(['app: Flux Kustomization "flux-system/app"']);
  });

  test('not in those of another repository', async () => {
    const folder = repository({
      ...app,
      'clusters/a/app.yaml': flux('app', './app'),
      'clusters/a/other.yaml': flux('other', './other', { sourceRef: { kind: 'GitRepository', name: 'podinfo' } }),
      'clusters/a/source.yaml': JSON.stringify({
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata: { name: 'podinfo', namespace: 'flux-system' },
        spec: { url: 'https://example.org/podinfo.git' },
      }),
    });
    execFileSync('git', ['init', '-q'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', 'git@example.org:me/config.git'], { cwd: folder });
    const report = JSON.parse((await runHere(['check', folder, '--format', 'json'])).stdout);
    expect(report.entrypoints.map(({ path }: { path: string }) => path)).toEqual(['app']);
    expect(JSON.stringify(report.notChecked)).toContain('renders another repository');
  });

  test('by convention', async () => {
    expect(await found({ 'clusters/a/a.yaml': configMap('a'), 'clusters/b/b.yaml': configMap('b') })).toEqual([
      'clusters/a: a folder of clusters/',
      'clusters/b: a folder of clusters/',
    ]);
    expect(await found({ 'kustomization.yaml': kustomization({ resources: [] }) })).toEqual([
      '.: the root has a kustomization',
    ]);
  });
});
