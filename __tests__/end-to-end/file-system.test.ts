/** What a file system may do, and that of the tests does not: reads that give a part, a repository at its root, somebody else's. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { gitIn } from '../support/history.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';

const fs = await import('node:fs');
/** What stands before every path, as for a process whose root this folder is. */
let root = '';
let isSlow = false;
const below =
  <Result>(call: (path: string, ...rest: never[]) => Result) =>
  (path: string, ...rest: never[]) =>
    call(root + path, ...rest);
jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  existsSync: below(fs.existsSync),
  lstatSync: below(fs.lstatSync as never),
  readFileSync: below(fs.readFileSync as never),
  realpathSync: (path: string) => fs.realpathSync(root + path).slice(root.length) || '/',
  // Half of what was asked for, as a system may.
  readSync: (file: number, buffer: Buffer, offset: number, length: number, position: null) =>
    fs.readSync(file, buffer, offset, isSlow ? Math.ceil(length / 2) : length, position),
}));
const { repositoryOf } = await import('../../src/tree/repository.js');
const { openWorkTree } = await import('../../src/tree/tree.js');

let folder: string;
const make = (files: Files) => {
  folder = realpathSync(createRepo(files));
};
beforeEach(() => {
  root = '';
  isSlow = false;
});
afterEach(() => removeRepo(folder));

test('a file is read whole that comes in parts', async () => {
  const text = 'a: 1\n'.repeat(1000);
  make({ 'a.yaml': text });
  isSlow = true;
  expect((await openWorkTree(folder)).text('a.yaml')).toBe(text);
});

describe('at the root of the file system', () => {
  const inside = (name: string): Files => ({
    [`${name}/HEAD`]: 'ref: refs/heads/main\n',
    [`${name}/objects`]: { directory: true },
    [`${name}/refs`]: { directory: true },
  });

  test('is a repository', () => {
    make({ ...inside('.git'), 'sub/a.yaml': '' });
    root = folder;
    expect(repositoryOf('/')).toEqual({ gitDirectory: '/.git', workTree: '/', prefix: '' });
    expect(repositoryOf('/sub')).toEqual({ gitDirectory: '/.git', workTree: '/', prefix: 'sub/' });
  });

  test('is none that a file of the work tree makes one', () => {
    make({ ...inside('inner'), '.git': 'gitdir: inner\n' });
    root = folder;
    expect(repositoryOf('/')).toBeUndefined();
  });
});

describe('a repository that belongs to another user', () => {
  const { PATH } = process.env;
  beforeEach(() => {
    make({ 'a.yaml': 'a: 1\n' });
    gitIn(folder)('init', '-q');
    // To us alone: git itself sees who asks.
    jest.spyOn(process as { geteuid: () => number }, 'geteuid').mockReturnValue((process.getuid?.() ?? 0) + 1);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.env.PATH = PATH;
  });

  test('is one where git trusts it', () => {
    expect(repositoryOf(folder)).toEqual({ gitDirectory: join(folder, '.git'), workTree: folder, prefix: '' });
  });

  test('is one where git trusts it, also below folders with a newline in their names', () => {
    const inner = join(folder, 'a\nb', 'c\n');
    mkdirSync(inner, { recursive: true });
    gitIn(inner)('init', '-q');
    expect(repositoryOf(inner)).toEqual({ gitDirectory: join(inner, '.git'), workTree: inner, prefix: '' });
  });

  test('is none where git sees another one above it, which is trusted', () => {
    make({ 'sub/.git/HEAD': 'nonsense\n', 'sub/.git/objects/a': '', 'sub/.git/refs/a': '' });
    gitIn(folder)('init', '-q');
    expect(repositoryOf(join(folder, 'sub'))).toBeUndefined();
    expect(repositoryOf(folder)?.workTree).toBe(folder);
  });

  test('is none where there is no git to ask', () => {
    mkdirSync(join(folder, 'nothing'));
    process.env.PATH = join(folder, 'nothing');
    expect(repositoryOf(folder)).toBeUndefined();
  });
});
