/** Where the repository begins for a command that is started somewhere in it, and which files are asked about. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, removeRepo } from '../support/trees.js';

const pkg = (name: string, variant: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.${name}\nspec:\n  variant: ${variant}\n`;
const files: Files = {
  'kustomization.yaml': 'resources: [apps/a.yaml, apps/b.yaml]\n',
  'apps/a.yaml': pkg('metallb', 'oidc'),
  'apps/b.yaml': pkg('keycloak', 'oidc'),
};
const planted: string[] = [];
function repository(more: Files = {}): string {
  const folder = createRepo({ ...files, ...more });
  planted.push(folder);
  return folder;
}
afterAll(() => planted.forEach(removeRepo));

const places = (stdout: string) =>
  [...stdout.matchAll(/^([^ :]+):\d+:\d+: error chart-owned-field/gm)].map(([, file]) => file);
const check = ['check', '--format=concise', '--select=chart-owned-field'];

describe('in a folder of the repository', () => {
  test.each([
    [
      'of git',
      () => {
        const folder = repository();
        mkdirSync(join(folder, '.git'));
        return folder;
      },
      'the root is ../.., of the git repository',
    ],
    [
      'with a configuration',
      () => repository({ '.customizer-lint.yaml': '{}\n' }),
      'the root is ../.., which has .customizer-lint.yaml',
    ],
  ])('%s the root is found, and said', async (_, plant, words) => {
    const folder = plant();
    mkdirSync(join(folder, 'apps/deep'));
    const { stdout, stderr, status } = await runHere(check, { cwd: join(folder, 'apps/deep') });
    expect(places(stdout)).toEqual(['apps/a.yaml', 'apps/b.yaml']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `customizer-lint: ${words}\n` });
    const quiet = await runHere([...check, '--quiet'], { cwd: join(folder, 'apps/deep') });
    expect(quiet).toMatchObject({ status: 1, stderr: '' });
  });

  test('the nearest sign counts', async () => {
    const inner = Object.fromEntries(Object.entries(files).map(([path, text]) => [`lab/${path}`, text]));
    const folder = repository({ ...inner, '.customizer-lint.yaml': '{}\n', 'lab/.customizer-lint.yaml': '{}\n' });
    const { stderr } = await runHere(check, { cwd: join(folder, 'lab/apps') });
    expect(stderr).toBe('customizer-lint: the root is .., which has .customizer-lint.yaml\n');
  });

  test('a root that is named is taken as it is', async () => {
    const folder = repository({ '.customizer-lint.yaml': '{}\n' });
    const { status, stdout, stderr } = await runHere([...check, '.'], { cwd: join(folder, 'apps') });
    expect(places(stdout)).toEqual(['a.yaml', 'b.yaml']);
    expect(stderr).not.toContain('the root is');
    expect(status).toBe(1);
  });

  test('nothing is said where the current directory is the root', async () => {
    const folder = repository({ '.customizer-lint.yaml': '{}\n' });
    const { stdout, stderr } = await runHere(check, { cwd: folder });
    expect(places(stdout)).toEqual(['apps/a.yaml', 'apps/b.yaml']);
    expect(stderr).toBe('');
  });
});

test.each([
  [['rules'], 'chart-owned-field'],
  [['completion', 'bash'], '--format'],
])('%j reads no repository, and looks for none', async (command, words) => {
  const folder = repository({ '.customizer-lint.yaml': '{}\n' });
  const outcome = await runHere(command, { cwd: join(folder, 'apps') });
  expect(outcome).toMatchObject({ status: 0, stdout: expect.stringContaining(words), stderr: '' });
});

describe('files', () => {
  test('are all that is reported, and decide the exit status', async () => {
    const folder = repository({ '.customizer-lint.yaml': '{}\n' });
    const run = (...args: string[]) => runHere([...check, ...args, '--quiet'], { cwd: join(folder, 'apps') });
    const one = await run('a.yaml');
    expect({ status: one.status, places: places(one.stdout) }).toEqual({ status: 1, places: ['apps/a.yaml'] });
    expect(places((await run('a.yaml', 'b.yaml')).stdout)).toEqual(['apps/a.yaml', 'apps/b.yaml']);
    expect(await run('../kustomization.yaml')).toMatchObject({ status: 0, stdout: '' });
  });

  test.each([
    [['a.yaml', 'gone.yaml'], '"gone.yaml" does not exist'],
    [['a.yaml', '..'], 'a directory or files: ".." is a directory'],
    [['..', 'a.yaml'], 'one directory at a time: ".." or "a.yaml"?'],
    [['/etc/hostname'], 'is not in the repository, which begins at ..'],
  ])('%j is refused', async (operands, words) => {
    const folder = repository({ '.customizer-lint.yaml': '{}\n' });
    const { status, stderr } = await runHere(['check', ...operands], { cwd: join(folder, 'apps') });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(words) });
  });
});

describe('a file elsewhere', () => {
  const plantedBelow = () =>
    repository({
      '.customizer-lint.yaml': '{}\n',
      'lab/.customizer-lint.yaml': '{}\n',
      'lab/kustomization.yaml': 'resources: [a.yaml]\n',
      'lab/a.yaml': pkg('metallb', 'oidc'),
    });

  test('is checked in its own repository, which is said', async () => {
    const folder = plantedBelow();
    const { status, stdout, stderr } = await runHere([...check, 'lab/a.yaml'], { cwd: folder });
    expect({ status, places: places(stdout) }).toEqual({ status: 1, places: ['lab/a.yaml'] });
    expect(stderr).toBe('customizer-lint: the root is lab, which has .customizer-lint.yaml\n');
    const beside = await runHere([...check, '../lab/a.yaml'], { cwd: join(folder, 'apps') });
    expect({ status: beside.status, places: places(beside.stdout) }).toEqual({ status: 1, places: ['a.yaml'] });
  });

  test('is checked in its own repository from a directory that is in none', async () => {
    const folder = createRepo(Object.fromEntries(Object.entries(files).map(([path, text]) => [`lab/${path}`, text])));
    planted.push(folder);
    mkdirSync(join(folder, 'lab/.git'));
    const { status, stdout, stderr } = await runHere([...check, 'lab/apps/a.yaml'], { cwd: folder });
    expect({ status, places: places(stdout) }).toEqual({ status: 1, places: ['lab/apps/a.yaml'] });
    expect(stderr).toBe('customizer-lint: the root is lab, of the git repository\n');
  });

  test('of two repositories is refused', async () => {
    const { status, stderr } = await runHere([...check, 'apps/a.yaml', 'lab/a.yaml'], { cwd: plantedBelow() });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'customizer-lint: one repository at a time: "apps/a.yaml" is in that which begins at ., "lab/a.yaml" is in that which begins at lab\n',
    });
  });

  test('in no repository is refused from a directory that is in none', async () => {
    const folder = createRepo(files);
    planted.push(folder);
    const { status, stderr } = await runHere([...check, '../kustomization.yaml'], { cwd: join(folder, 'apps') });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'customizer-lint: "../kustomization.yaml" is in no repository; name the directory to check in its place\n',
    });
  });

  test('of which nothing could be checked is not called clean', async () => {
    const folder = repository({ '.customizer-lint.yaml': '{}\n', 'kustomization.yaml': 'resources: [gone.yaml]\n' });
    const { status, stdout, stderr } = await runHere([...check, 'apps/a.yaml'], { cwd: folder });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(
      /nothing was checked of "apps\/a.yaml", .*gone.yaml.*kustomization.yaml.*; check without files/,
    );
  });
});

test('a word that is no directory is taken for a command', async () => {
  expect((await runHere(['chek'])).stderr).toBe('customizer-lint: unknown command "chek"; did you mean "check"?\n');
  expect((await runHere(['zzzz'])).stderr).toMatch(/unknown command "zzzz"; customizer-lint help/);
  expect((await runHere(['./chek'])).stderr).toBe('customizer-lint: "./chek" does not exist\n');
});

test.each([
  ['an empty folder', {}],
  ['something else', { 'main.go': 'package main\n', 'Chart.txt': 'x' }],
])('%s is no customizer repository, which is said first', async (_, content: Files) => {
  const folder = createRepo(content);
  planted.push(folder);
  const { status, stdout, stderr } = await runHere(['check', folder]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/does not look like a customizer repository/);
});

describe('a folder in which npm has installed the linter', () => {
  const installed: Files = {
    'package.json': '{}',
    'node_modules/customizer-lint/schemas/ownership.yaml': 'rows: []\n',
  };

  test.each([false, true])('is not judged by the files of node_modules (git: %s)', async (isGit) => {
    const empty = createRepo(installed);
    const own = createRepo({ ...installed, 'clusters/lab/a.yaml': configMap('a') });
    planted.push(empty, own);
    if (isGit) for (const folder of [empty, own]) execFileSync('git', ['init', '-q'], { cwd: folder });
    const nothing = await runHere(['check'], { cwd: empty });
    expect([nothing.status, nothing.stderr]).toEqual([2, expect.stringContaining('does not look like a customizer')]);
    const { stdout } = await runHere(['check', '--path', '.'], { cwd: own });
    expect(stdout).toContain('1 object from the root');
    expect(stdout).not.toContain('node_modules');
  });
});
