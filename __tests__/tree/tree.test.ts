/** Trees of real directories and of real git repositories. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../src/core/model.js';
import { parentsOf } from '../../src/tree/git.js';
import { openCommit, openWorkTree, treeLimits } from '../../src/tree/tree.js';
import { createRepo, removeRepo } from '../support/trees.js';

let folder: string;

beforeEach(() => {
  folder = createRepo({
    'a.yaml': 'a: 1\r\n',
    'sub/ü b.yaml': 'b: 2\n',
    'link.yaml': { link: 'a.yaml' },
    'ignored/x.yaml': 'x',
    '.gitignore': 'ignored/\n',
  });
});
afterEach(() => removeRepo(folder));

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

describe('a work tree', () => {
  test('of the head is called that, and one of the base by its directory', async () => {
    expect((await openWorkTree(folder)).description).toBe('the work tree');
    expect((await openWorkTree(folder, undefined, 'base')).description).toBe(folder);
  });

  test('names the commit of each submodule, whatever is in its name', async () => {
    git('init', '-b', 'main');
    const at = '0123456789'.repeat(4);
    for (const path of ['one', 'with\ta tab']) {
      mkdirSync(join(folder, path));
      git('update-index', '--add', '--cacheinfo', `160000,${at},${path}`);
    }
    const tree = await openWorkTree(folder);
    expect(tree.submodules).toEqual(['one', 'with\ta tab']);
    expect(tree.submodules.map(tree.submoduleCommit)).toEqual([at, at]);
  });

  test('has the workflows above a folder of it, up to the largest size of a file', async () => {
    git('init', '-b', 'main');
    mkdirSync(join(folder, '.github/workflows'), { recursive: true });
    for (const [name, size] of [
      ['fits', 20],
      ['not', 21],
    ] as const)
      writeFileSync(join(folder, '.github/workflows', `${name}.yaml`), 'x'.repeat(size));
    const limits = { ...treeLimits, fileBytes: 20 };
    const above = async (of: string) => [...((await openWorkTree(join(folder, of), limits)).workflowsAbove ?? [])];
    expect(await above('sub')).toEqual([['../.github/workflows/fits.yaml', 'x'.repeat(20)]]);
    expect(await above('.')).toEqual([]);
    expect((await openWorkTree(join(folder, 'sub'), limits, 'base')).workflowsAbove).toBeUndefined();
  });

  test('outside git is what lies on the disk', async () => {
    const tree = await openWorkTree(folder);
    expect(tree.files).toEqual(['.gitignore', 'a.yaml', 'ignored/x.yaml', 'sub/ü b.yaml']);
    expect(tree.links).toEqual(['link.yaml']);
    expect(tree.text('a.yaml')).toBe('a: 1\r\n');
    expect(tree.text('link.yaml')).toBeUndefined();
    expect(tree.isDirectory('sub')).toBe(true);
    expect(tree.isDirectory('nowhere')).toBe(false);
  });

  test('in git is what would be committed', async () => {
    git('init');
    git('add', 'a.yaml');
    expect((await openWorkTree(folder)).files).toEqual(['.gitignore', 'a.yaml', 'sub/ü b.yaml']);
  });

  test('in git is what lies on the disk where there is no git to ask', async () => {
    git('init');
    const { PATH } = process.env;
    process.env.PATH = folder;
    try {
      expect((await openWorkTree(folder)).files).toEqual(['.gitignore', 'a.yaml', 'ignored/x.yaml', 'sub/ü b.yaml']);
    } finally {
      process.env.PATH = PATH;
    }
  });

  test('has a node_modules only if git has it', async () => {
    const write = (path: string) => {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), 'a: 1\n');
    };
    for (const path of ['node_modules/a/own.yaml', 'sub/node_modules/b.yaml', 'node_modules.yaml']) write(path);
    const files = async () => (await openWorkTree(folder)).files.filter((path) => path.includes('node_modules'));
    expect(await files()).toEqual(['node_modules.yaml']);
    git('init');
    expect(await files()).toEqual(['node_modules.yaml']);
    git('add', 'node_modules/a/own.yaml');
    write('node_modules/a/other.yaml');
    expect(await files()).toEqual(['node_modules.yaml', 'node_modules/a/own.yaml']);
    // Below a folder of that name its own files are the repository.
    expect((await openWorkTree(join(folder, 'sub/node_modules'))).files).toEqual(['b.yaml']);
    const { PATH } = process.env;
    process.env.PATH = folder;
    try {
      expect(await files()).toContain('sub/node_modules/b.yaml');
    } finally {
      process.env.PATH = PATH;
    }
  });

  test('that git ignores as a whole is what lies on the disk', async () => {
    git('init');
    expect((await openWorkTree(join(folder, 'ignored'))).files).toEqual(['x.yaml']);
  });

  test('a tracked file that was deleted is gone', async () => {
    git('init');
    git('add', '.');
    unlinkSync(join(folder, 'a.yaml'));
    expect((await openWorkTree(folder)).has('a.yaml')).toBe(false);
  });

  test('a file that git leaves out of it on purpose is read where it is there, and missed where it is not', async () => {
    git('init');
    git('add', '.');
    git('update-index', '--skip-worktree', 'a.yaml');
    expect((await openWorkTree(folder)).text('a.yaml')).toBe('a: 1\r\n');
    unlinkSync(join(folder, 'a.yaml'));
    await expect(openWorkTree(folder)).rejects.toThrow('"a.yaml" is committed, but left out of the work tree');
  });

  test('a folder that became a link is not entered', async () => {
    git('init');
    git('add', '.');
    const outside = createRepo({ 'ü b.yaml': 'secret' });
    execFileSync('rm', ['-r', join(folder, 'sub')]);
    symlinkSync(outside, join(folder, 'sub'));
    const tree = await openWorkTree(folder);
    expect(tree.text('sub/ü b.yaml')).toBeUndefined();
    removeRepo(outside);
  });

  test('a file over the limit is known, but not read', async () => {
    const tree = await openWorkTree(folder, { files: 10, fileBytes: 5, totalBytes: 100, workflowBytes: 5 });
    expect(tree.has('a.yaml')).toBe(true);
    expect(tree.text('a.yaml')).toBeUndefined();
    expect(tree.refused.get('a.yaml')).toBe('is 6 bytes, over the limit of 5');
  });

  test('files beyond the limit are known, but not read', async () => {
    const tree = await openWorkTree(folder, { files: 3, fileBytes: 100, totalBytes: 1000, workflowBytes: 5 });
    expect(tree.files.length).toBe(4);
    expect([...tree.refused.values()]).toEqual(['is beyond the limit of 3 files']);
  });

  test.each([true, false])('a pipe in the place of a file is known, but not read (in git: %p)', async (isInGit) => {
    if (isInGit) {
      git('init');
      git('add', '.');
    }
    unlinkSync(join(folder, 'a.yaml'));
    execFileSync('mkfifo', [join(folder, 'a.yaml')]);
    const tree = await openWorkTree(folder);
    expect(tree.refused.get('a.yaml')).toBe('is neither a regular file nor a link');
    expect(tree.text('a.yaml')).toBeUndefined();
  });

  test('a pipe that takes the place of a file once the files are listed is not taken for an empty one', async () => {
    const tree = await openWorkTree(folder);
    unlinkSync(join(folder, 'a.yaml'));
    execFileSync('mkfifo', [join(folder, 'a.yaml')]);
    expect(() => tree.bytes('a.yaml')).toThrow('"a.yaml" cannot be read: it changes while it is read');
  });

  test('leaves none of its files open', async () => {
    const files = Array.from({ length: 50 }, (_, index) => `many/${index}.txt`);
    mkdirSync(join(folder, 'many'));
    for (const file of files) writeFileSync(join(folder, file), 'x');
    const tree = await openWorkTree(folder);
    const before = readdirSync('/dev/fd').length;
    expect(files.every((file) => tree.bytes(file)?.length === 1)).toBe(true);
    // Others may open some meanwhile.
    expect(readdirSync('/dev/fd').length - before).toBeLessThan(files.length / 2);
  });

  test('that is not there is wrong usage', async () => {
    await expect(openWorkTree(join(folder, 'nowhere'))).rejects.toThrow(UsageError);
  });
});

test('a commit is read out of git, whatever the work tree says', async () => {
  git('init');
  git('add', '.');
  git('commit', '-m', 'x');
  writeFileSync(join(folder, 'a.yaml'), 'changed');
  const tree = await openCommit(folder, 'HEAD', 'base');
  expect(tree.files).toEqual(['.gitignore', 'a.yaml', 'sub/ü b.yaml']);
  expect(tree.links).toEqual(['link.yaml']);
  expect(tree.text('a.yaml')).toBe('a: 1\r\n');
  expect(tree.revision).toBe('base');
});

test('a commit has the workflows above a folder of it: files beside each other, up to the largest size of a file', async () => {
  git('init');
  mkdirSync(join(folder, '.github/workflows/below'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, '.github/workflows', name), text);
  write('fits.yaml', 'x'.repeat(20));
  write('not.yaml', 'x'.repeat(21));
  write('below/one.yaml', 'x');
  symlinkSync('fits.yaml', join(folder, '.github/workflows/link.yaml'));
  git('add', '.');
  git('commit', '-m', 'x');
  const limits = { ...treeLimits, fileBytes: 20 };
  const above = async (of: string) => [
    ...((await openCommit(join(folder, of), 'HEAD', 'head', limits)).workflowsAbove ?? []),
  ];
  expect(await above('sub')).toEqual([['../.github/workflows/fits.yaml', 'x'.repeat(20)]]);
  expect(await above('.')).toEqual([]);
});

test('filters and attributes of the repository are not run', async () => {
  git('init');
  git('config', 'filter.evil.smudge', 'echo pwned');
  git('config', 'filter.evil.clean', 'echo pwned');
  writeFileSync(join(folder, '.gitattributes'), '*.yaml filter=evil\n');
  git('-c', 'filter.evil.clean=cat', 'add', '.');
  git('-c', 'filter.evil.clean=cat', 'commit', '-m', 'x');
  expect((await openCommit(folder, 'HEAD', 'head')).text('a.yaml')).toBe('a: 1\r\n');
});

test.each(['sha1', 'sha256'])('the parents of a merge commit are known in a repository with %s', async (format) => {
  git('init', `--object-format=${format}`);
  git('add', '.');
  git('commit', '-m', 'x');
  const commit = (message: string, ...parents: string[]) =>
    git('commit-tree', 'HEAD^{tree}', '-m', message, ...parents.flatMap((parent) => ['-p', parent]));
  const parents = [commit('base'), commit('head')];
  expect(await parentsOf(folder, commit('merge', ...parents))).toEqual(parents);
  expect(await parentsOf(folder, commit('base'))).toEqual([]);
});

test('what a commit quotes, as a merged tag, names no parents', async () => {
  git('init');
  git('add', '.');
  git('commit', '-m', 'x');
  const [first, other] = [git('rev-parse', 'HEAD'), '1'.repeat(40)];
  const [tree = '', ...rest] = git('cat-file', 'commit', 'HEAD').split('\n');
  const text = [
    tree,
    `parent ${first}`,
    ...rest.slice(0, 2),
    `mergetag object ${first}`,
    ` parent ${other}`,
    '',
    'm',
    '',
  ];
  writeFileSync(join(folder, 'commit'), text.join('\n'));
  expect(await parentsOf(folder, git('hash-object', '-w', '-t', 'commit', 'commit'))).toEqual([first]);
});
