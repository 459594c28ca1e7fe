/** What cannot be read is not clean: exit status 2 and a sentence that names it, never a trace and never a verdict. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cli, root } from '../support/cli.js';
import { runAction } from '../support/runner.js';
import { someOf } from '../support/sample.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';

const pkg = 'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.metallb}\nspec:\n';
const files: Files = {
  'kustomization.yaml': 'resources: [flux.yaml]\n',
  'flux.yaml':
    'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: cozy-customizer}\nspec:\n  path: ./apps\n  interval: 5m\n  prune: true\n  sourceRef: {kind: GitRepository, name: a}\n',
  // Without a kustomization, so that one is made of the files that are there.
  'apps/good.yaml': `${pkg}  components: {}\n`,
  'apps/bad.yaml': `${pkg.replace('metallb', 'keycloak')}  variant: oidc\n`,
};

type Options = { env?: Record<string, string>; uid?: number; shell?: string };
type Outcome = { status: number | null; stdout: string; stderr: string };

/** The command through a shell, so that limits and redirections can be set. */
function run(args: string[], { env = {}, uid, shell = 'exec "$@"' }: Options = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', shell, 'bash', process.execPath, cli, ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 100_000,
      ...(uid !== undefined && { uid, gid: uid }),
    });
    const outcome = { status: null as number | null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      outcome.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      outcome.stderr += chunk;
    });
    child.on('close', (status) => resolve({ ...outcome, status }));
  });
}

/** One line that begins with the name of the command, after those of the progress where the machine is slow. */
function expectSentence({ status, stderr: all }: Outcome, words: string | RegExp) {
  const stderr = all.replace(/^(?:rendering|simulating) \d+ of \d+: .*\n/gm, '');
  expect({ status, lines: stderr.trimEnd().split('\n').length, stderr }).toEqual({ status: 2, lines: 1, stderr });
  expect(stderr).toMatch(/^customizer-lint: /);
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/bug of the linter/);
}

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: folder, stdio: 'pipe' });
const intoGit = () => {
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
};
beforeEach(() => {
  folder = createRepo(files);
});
afterEach(() => removeRepo(folder));

test('the control: what can be read is judged', async () => {
  const isJudged = { status: 1, stdout: expect.stringContaining('error[') };
  expect(await run(['check', folder])).toMatchObject(isJudged);
  intoGit();
  expect(await run(['check', folder])).toMatchObject(isJudged);
});

// Whoever is root may read everything, so another user does it; whoever is not, is that user.
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65534 } : {};

describe.each([true, false])('without the right to read (in git: %p)', (isInGit) => {
  beforeEach(() => {
    if (isInGit) intoGit();
    if (isRoot) execFileSync('chown', ['-R', '65534', folder]);
  });
  afterEach(() => chmodSync(join(folder, 'apps'), 0o755));
  const as = (args: string[]) => run(args, nobody);

  test.each(someOf(['apps/bad.yaml', 'kustomization.yaml', 'flux.yaml'], 2))('%s is refused by name', async (name) => {
    chmodSync(join(folder, name), 0);
    expectSentence(await as(['check', folder]), `"${name}" cannot be read: EACCES: permission denied`);
  });

  test.each(someOf([0o000, 0o600, 0o300], 2))('a folder with the mode %o is refused by name', async (mode) => {
    chmodSync(join(folder, 'apps'), mode);
    // With the right to search and none to list, git knows the names and all is read.
    if (isInGit && mode === 0o300) rmSync(join(folder, '.git'), { recursive: true });
    expectSentence(await as(['check', folder]), /"apps(\/\w+\.yaml)?" cannot be read: .*[Pp]ermission denied/);
  });

  test('a new folder that cannot be listed is refused by name', async () => {
    mkdirSync(join(folder, 'new'), { mode: 0o000 });
    expectSentence(await as(['check', folder]), /"new" cannot be read: .*[Pp]ermission denied/);
  });

  test('the output is refused', async () => {
    chmodSync(join(folder, 'apps'), 0o555);
    expectSentence(await as(['check', folder, '--output', join(folder, 'apps/new.txt')]), /EACCES: permission denied/);
  });
});

describe('where the system fails', () => {
  /** Calls for one file, or for one folder, fail as the system would. */
  function failing(code: string, call: string, name: string): Record<string, string> {
    const errno: Record<string, number> = { EIO: -5, EMFILE: -24, ENFILE: -23, ESTALE: -116 };
    const script = `
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const real = fs.${call};
fs.${call} = function (path, ...rest) {
  if (String(path).endsWith(${JSON.stringify(name)})) {
    throw Object.assign(new Error('${code}: it fails, ${call} ' + path), { code: '${code}', errno: ${errno[code]}, syscall: '${call}', path: String(path) });
  }
  return real.call(this, path, ...rest);
};
syncBuiltinESMExports();`;
    writeFileSync(join(preload, 'fail.cjs'), script);
    return { NODE_OPTIONS: `--require ${join(preload, 'fail.cjs')}` };
  }
  let preload: string;
  beforeEach(() => {
    preload = createRepo({});
  });
  afterEach(() => removeRepo(preload));

  const failures: [code: string, call: string, end: string, name: string][] = [
    ['EIO', 'openSync', '/apps/bad.yaml', 'apps/bad.yaml'],
    ['EMFILE', 'openSync', '/apps/bad.yaml', 'apps/bad.yaml'],
    ['ENFILE', 'openSync', '/apps/bad.yaml', 'apps/bad.yaml'],
    ['ESTALE', 'openSync', '/kustomization.yaml', 'kustomization.yaml'],
    ['EIO', 'lstatSync', '/apps/bad.yaml', 'apps/bad.yaml'],
    ['EMFILE', 'readdirSync', '/apps', 'apps'],
    ['EIO', 'readdirSync', '/apps', 'apps'],
  ];
  test.each(someOf(failures, 2))('%s of %s is refused by name: %s', async (code, call, end, name) => {
    expectSentence(
      await run(['check', folder], { env: failing(code, call, end) }),
      `"${name}" cannot be read: ${code}`,
    );
  });
});

describe('a sparse checkout', () => {
  const kinds: [string, string[]][] = [
    ['a cone', ['set', '--cone', 'other']],
    ['a pattern', ['set', '--no-cone', '/*', '!/apps/bad.yaml']],
    ['a sparse index', ['set', '--cone', '--sparse-index', 'other']],
  ];

  test.each(someOf(kinds, 2, ([kind]) => kind))('is refused by name: %s', async (_, args) => {
    intoGit();
    git('sparse-checkout', ...args);
    expectSentence(
      await run(['check', folder]),
      /"apps\/bad.yaml" is committed, but left out of the work tree .*sparse/,
    );
  });

  test('a file that is marked and is there is read', async () => {
    intoGit();
    git('update-index', '--skip-worktree', 'apps/bad.yaml');
    expect(await run(['check', folder])).toMatchObject({ status: 1, stdout: expect.stringContaining('apps/bad.yaml') });
  });

  test('a file that is marked and was removed is refused', async () => {
    intoGit();
    git('update-index', '--skip-worktree', 'apps/bad.yaml');
    rmSync(join(folder, 'apps/bad.yaml'));
    expectSentence(await run(['check', folder]), '"apps/bad.yaml" is committed');
  });

  test('is refused where there is no git to ask', async () => {
    intoGit();
    git('sparse-checkout', 'set', '--cone', 'other');
    expectSentence(
      await run(['check', folder], { shell: `PATH=${plantedPath()} exec "$@"` }),
      /git cannot be started.*sparse checkout/,
    );
  });

  // Somebody else's, of whom git takes no configuration.
  (isRoot ? test : test.skip)('is refused where git does not trust the owner', async () => {
    intoGit();
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    git('sparse-checkout', 'set', '--cone', 'other');
    expectSentence(await run(['check', folder], nobody), /does not trust the repository .*sparse checkout/);
    git('sparse-checkout', 'disable');
    rmSync(join(folder, '.git/info/sparse-checkout'), { force: true });
    expect((await run(['check', folder], nobody)).status).toBe(1);
  });

  test('a file that was only deleted is deleted', async () => {
    intoGit();
    rmSync(join(folder, 'apps/bad.yaml'));
    expect((await run(['check', folder])).status).toBe(0);
  });

  const plantedPath = () => join(folder, 'nowhere');
});

test.each(someOf(['', 'DIRC', 'garbage'.repeat(100)], 2))(
  'an index that git cannot read is not passed over: %#',
  async (content) => {
    intoGit();
    writeFileSync(join(folder, '.git/index'), content);
    expectSentence(await run(['check', folder]), /fatal: .*index/);
  },
);

describe('standard output', () => {
  const full = { shell: 'exec "$@" > /dev/full' };
  const writers: [string, (at: string) => string[]][] = [
    ['check', (at) => ['check', at]],
    ['check as JSON', (at) => ['check', at, '--format', 'json']],
    ['render', (at) => ['render', at]],
    ['rules', () => ['rules']],
    ['help', () => ['--help']],
    ['version', () => ['--version']],
  ];

  test.each(someOf(writers, 1, ([writer]) => writer))('on a full disk is said: %s', async (_, args) => {
    expectSentence(await run(args(folder), full), 'ENOSPC: no space left on device');
  });

  test('a file on a full disk is said', async () => {
    expectSentence(await run(['check', folder, '--output', '/dev/full']), 'ENOSPC: no space left on device');
  });

  test('a file in a folder that is not there is said', async () => {
    expectSentence(await run(['check', folder, '--output', join(folder, 'no/x')]), 'ENOENT: no such file or directory');
  });

  test('a reader that has seen enough changes nothing', async () => {
    const { status } = await run(['rules', '--format', 'json'], {
      shell: '"$@" | head -c 1 > /dev/null; exit $((PIPESTATUS * 10))',
    });
    expect(status).toBe(0);
  });

  test('of the action on a full disk is said', async () => {
    const { status, log } = await runAction(folder, {}, process.execPath, undefined, {
      NODE_OPTIONS: `--require ${join(fullOutput(), 'full.cjs')}`,
    });
    expect({ status, trace: /\n\s+at /.test(log), bug: log.includes('bug of the linter') }).toEqual({
      status: 2,
      trace: false,
      bug: false,
    });
  });

  /** Standard output is the runner's own pipe, so what is written to it fails here. */
  function fullOutput(): string {
    const script = `
const error = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
process.stdout._write = (chunk, encoding, done) => done(error());
process.stdout._writev = null;`;
    writeFileSync(join(folder, 'full.cjs'), script);
    return folder;
  }
});

describe('file descriptors', () => {
  // With 18, and whatever else the shell has inherited, Node cannot load a file, and nothing of ours is asked.
  test.each(someOf([21, 22, 24, 26, 28], 5))('%d of them end in a sentence or in the verdict', async (count) => {
    const outcome = await run(['check', folder], { shell: `ulimit -n ${count}; exec "$@"` });
    if (outcome.status === 1) return expect(outcome.stdout).toContain('chart-owned-field');
    expectSentence(outcome, /EMFILE/);
  });
});

test.each(someOf(['18.20.8', '16.0.0', '9.1.0'], 1))('Node %s is told that it is too old', async (version) => {
  const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  writeFileSync(join(folder, 'old.cjs'), script);
  for (const args of [['check', folder], ['--version']]) {
    const outcome = await run(args, { env: { NODE_OPTIONS: `--require ${join(folder, 'old.cjs')}` } });
    expectSentence(outcome, `Node 20 or later is needed; this is Node ${version}`);
  }
});

test('the oldest Node is the one that the package names', async () => {
  const { engines } = JSON.parse(execFileSync('cat', [join(root, 'package.json')], { encoding: 'utf8' }));
  expect(engines.node).toBe('>=20');
});
