/** The files that the linter writes, in a repository whose change brings symbolic links. */
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { outputRoot, writeOutput } from '../../src/tree/output.js';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterEach(() => planted.splice(0).forEach(removeRepo));
function make(files: Files): string {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
}

const manifests: Files = { 'kustomization.yaml': kustomization({ resources: ['a.yaml'] }), 'a.yaml': configMap('a') };

/** A repository with links to a file, a folder and nothing outside it. */
function withLinks() {
  const outside = make({ 'target.txt': 'untouched', 'folder/kept.txt': 'untouched' });
  const inside = make({
    ...manifests,
    'report.json': { link: join(outside, 'target.txt') },
    'new.json': { link: join(outside, 'made.txt') },
    'out/reports': { link: join(outside, 'folder') },
    'near.json': { link: 'a.yaml' },
  });
  execFileSync('git', ['init', '-q'], { cwd: inside });
  const untouched = () => {
    expect(readFileSync(join(outside, 'target.txt'), 'utf8')).toBe('untouched');
    expect([readdirSync(outside).sort(), readdirSync(join(outside, 'folder'))]).toEqual([
      ['folder', 'target.txt'],
      ['kept.txt'],
    ]);
    expect(readFileSync(join(inside, 'a.yaml'), 'utf8')).toBe(configMap('a'));
    expect(lstatSync(join(inside, 'report.json')).isSymbolicLink()).toBe(true);
  };
  return { inside, outside, untouched };
}

const paths: [string, string][] = [
  ['a link to a file', 'report.json'],
  ['a link to a missing file', 'new.json'],
  ['a link within the repository', 'near.json'],
  ['a file in a linked folder', 'out/reports/r.json'],
];

describe('output file of the command', () => {
  const ways: [string, (file: string, repository: string) => string[]][] = [
    ['check --output', (file, repository) => ['check', repository, '--output', file]],
    ['check --format json=', (file, repository) => ['check', repository, `--format=json=${file}`]],
    ['--write-baseline', (file, repository) => ['check', repository, '--write-baseline', '--baseline', file]],
    ['inventory --output', (file, repository) => ['inventory', repository, '--output', file]],
    ['graph --output', (file, repository) => ['graph', repository, '--output', file]],
    ['render --output', (file, repository) => ['render', repository, '--output', file]],
  ];
  const cases = ways.flatMap(([way, args]) => paths.map(([what, path]) => [way, what, path, args] as const));

  test.each(cases)('%s refuses %s', async (_way, _what, path, args) => {
    const { inside, untouched } = withLinks();
    const run = await runHere(args(join(inside, path), inside));
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(
      /^customizer-lint: ".*" (?:is a|leads through the) symbolic link.*, so nothing is written there\n$/,
    );
    untouched();
  });

  test('a snapshot refuses a link of the current repository', async () => {
    const { inside, untouched } = withLinks();
    const live = JSON.stringify({ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name: 'a' } });
    const input = join(make({ 'live.json': live }), 'live.json');
    const run = await runHere(['snapshot', input, '--output', 'report.json'], { cwd: inside });
    expect(run).toMatchObject({ status: 2, stderr: expect.stringContaining('"report.json" is a symbolic link') });
    untouched();
    expect(await runHere(['snapshot', input, '--output', 'own.yaml'], { cwd: inside })).toMatchObject({ status: 0 });
  });

  test('charts pull refuses a folder behind a link before it asks a registry', async () => {
    const { inside, untouched } = withLinks();
    const digest = `sha256:${'0'.repeat(64)}`;
    const pull = ['charts', 'pull', `oci://127.0.0.1:1/a@${digest}`, '--output', 'out/reports/charts'];
    const { status, stderr } = await runHere(pull, { cwd: inside });
    expect([status, stderr]).toEqual([2, expect.stringContaining('leads through the symbolic link "out/reports"')]);
    untouched();
  });

  test('a file outside the repository is written, also through a link of the user', async () => {
    const { inside, outside } = withLinks();
    const link = join(make({}), 'mine');
    symlinkSync(outside, link);
    for (const file of [join(outside, 'r.json'), join(link, 's.json')]) {
      expect(await runHere(['check', inside, '--format', 'json', '--output', file])).toMatchObject({ status: 0 });
      expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('findings');
    }
  });

  test('a baseline that the configuration names is refused behind a link', async () => {
    const outside = make({});
    const inside = make({
      ...manifests,
      '.customizer-lint.yaml': 'baseline: old.json\n',
      'old.json': { link: join(outside, 'x.json') },
    });
    expect(await runHere(['check', inside, '--write-baseline'])).toMatchObject({ status: 2 });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('writeOutput', () => {
  test('replaces a regular file of the repository, keeps its mode and leaves no other file behind', () => {
    const root = make({ 'r.json': 'old', 'deep/a/b.txt': '' });
    chmodSync(join(root, 'r.json'), 0o640);
    writeOutput(join(root, 'r.json'), 'new', root);
    writeOutput(join(root, 'deep/a/new.txt'), 'text', root);
    expect(readFileSync(join(root, 'r.json'), 'utf8')).toBe('new');
    if (process.platform !== 'win32') expect(statSync(join(root, 'r.json')).mode & 0o777).toBe(0o640);
    expect([readdirSync(root).sort(), readdirSync(join(root, 'deep/a')).sort()]).toEqual([
      ['deep', 'r.json'],
      ['b.txt', 'new.txt'],
    ]);
  });

  test('follows a link above the root, and none below it', () => {
    const root = make({ 'sub/a.txt': 'untouched', link: { link: 'sub' } });
    const alias = join(make({}), 'alias');
    symlinkSync(root, alias);
    writeOutput(join(alias, 'sub/b.txt'), 'text', root);
    expect(readFileSync(join(root, 'sub/b.txt'), 'utf8')).toBe('text');
    expect(() => writeOutput(join(alias, 'link/a.txt'), 'x', root)).toThrow('leads through the symbolic link');
    expect(readFileSync(join(root, 'sub/a.txt'), 'utf8')).toBe('untouched');
  });

  test('refuses a folder, and names the file if a folder is missing', () => {
    const root = make({ 'sub/a.txt': '' });
    expect(() => writeOutput(join(root, 'sub'), 'x', root)).toThrow('is not a regular file');
    expect(() => writeOutput(join(root, 'none/a.txt'), 'x', root)).toThrow(
      `"${join(root, 'none/a.txt')}" cannot be written: ENOENT: no such file or directory`,
    );
  });
});

describe('outputRoot', () => {
  test('is the git repository, else the current directory if it holds the other, else the directory', () => {
    const root = make({ 'a/b/c.txt': '' });
    expect(outputRoot(join(root, 'a'))).toBe(join(root, 'a'));
    const before = process.cwd();
    try {
      process.chdir(root);
      expect(outputRoot('a/b')).toBe(process.cwd());
    } finally {
      process.chdir(before);
    }
    mkdirSync(join(root, 'a/.git'));
    execFileSync('git', ['init', '-q'], { cwd: join(root, 'a') });
    expect(outputRoot(join(root, 'a/b'))).toBe(join(root, 'a'));
  });
});
