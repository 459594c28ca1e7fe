/** Names of files are bytes. Whatever is written into a commit, nobody reads another file under a name than git does. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Header } from 'tar';
import { openArchive } from '../../src/github/archive.js';
import { decodeName, records, requirePath, slashed } from '../../src/tree/names.js';
import { openCommit, openWorkTree } from '../../src/tree/tree.js';
import { runCli } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { runActionHere } from '../support/job.js';
import { type RawEntry, rawCommit } from '../support/rawgit.js';
import { someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const harmless =
  'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.metallb}\nspec:\n  components: {}\n';
const harmful = harmless.replace('components: {}', 'variant: oidc');
const root = { name: 'kustomization.yaml', content: 'resources: [metallb.yaml]\n' };
const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));

let folder: string;
beforeEach(() => {
  folder = createRepo({});
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
});
afterEach(() => removeRepo(folder));

/** What the action says of a fork's pull request from `before` to `after`, with the whole history at hand. */
async function judged(before: RawEntry[], after: RawEntry[], inputs: Record<string, string> = {}) {
  const base = rawCommit(folder, before);
  const head = rawCommit(folder, after, [base]);
  execFileSync('git', ['update-ref', 'refs/heads/main', base], { cwd: folder });
  const side = (sha: string, repository: string) => ({ sha, ref: 'x', repo: { full_name: repository } });
  const pull = { number: 1, head: side(head, 'mallory/platform'), base: side(base, 'acme/platform') };
  const event = { name: 'pull_request', payload: { pull_request: pull } };
  const run = await runActionHere(folder, { comment: 'false', ...inputs }, event);
  execFileSync('git', ['update-ref', 'refs/heads/main', head], { cwd: folder });
  const command = await runHere(['check', folder, '--base', head]);
  return { status: run.status, log: run.log, command };
}

test('a name keeps the mark of its bytes', async () => {
  const named = bytes(0xef, 0xbb, 0xbf, 'a.yaml');
  expect(decodeName(named, 'a test')).toBe('\ufeffa.yaml');
  const head = rawCommit(folder, [{ name: named, content: 'a' }]);
  expect((await openCommit(folder, head, 'head')).files).toEqual(['\ufeffa.yaml']);
});

test.each<[(string | number)[], string]>([
  [[0xff, '.yaml'], String.raw`"\xff.yaml"`],
  [['a b~', 0xff], String.raw`"a b~\xff"`],
  [['a\n\x1b\x1f', 0xff], String.raw`"a\x0a\x1b\x1f\xff"`],
  [[0x7f, 0xff], String.raw`"\x7f\xff"`],
])('a name that is not UTF-8 is told with each byte that nobody sees: %j', (parts, told) => {
  expect(() => decodeName(bytes(...parts), 'a test')).toThrow(`the name ${told} in a test is not UTF-8`);
});

test.each([
  ['with a zero at its end', bytes('a', 0, 'b', 0, 0xff, 0)],
  ['without one', bytes('a', 0, 'b', 0, 0xff)],
  ['with an empty record at its begin', bytes(0, 'a', 0, 'b', 0, 0xff, 0)],
  ['with an empty record in it', bytes('a', 0, 0, 'b', 0, 0xff, 0)],
])('an output of records has those that are wanted, where others are not UTF-8: %s', (_, output) => {
  expect(records(output, 'a test', (record) => (record[0] === 0xff ? undefined : record))).toEqual(['a', 'b']);
  expect(() => records(output, 'a test')).toThrow(String.raw`"\xff" in a test`);
});

/** Each hides `metallb.yaml`, or a file beside it, from a reader that takes bytes for something else. */
describe('a harmful file is judged', () => {
  const before = [root, { name: 'metallb.yaml', content: harmless }];
  const evil = { name: 'metallb.yaml', content: harmful };
  const cases: Record<string, RawEntry[]> = {
    'without a trick': [root, evil],
    'beside one whose name goes on behind a tab': [root, evil, { name: 'metallb.yaml\tz', content: harmless }],
    'beside one whose name ends with a tab': [root, evil, { name: 'metallb.yaml\t', content: harmless }],
    'beside one with two tabs': [root, evil, { name: 'metallb.yaml\tx\ty', content: harmless }],
    'beside one with a newline': [root, evil, { name: 'metallb.yaml\nx', content: harmless }],
    'below a folder with a tab': [
      { name: 'kustomization.yaml', content: 'resources: ["a\\tb/metallb.yaml"]\n' },
      { name: 'a\tb', tree: [evil] },
      { name: 'a', tree: [{ name: 'metallb.yaml', content: harmless }] },
    ],
    'under a name with a tab': [
      { name: 'kustomization.yaml', content: 'resources: ["b\\t.yaml"]\n' },
      { name: 'b\t.yaml', content: harmful },
    ],
  };
  test.each(someOf(Object.entries(cases), 2))('%s', async (_, after) => {
    const { status, log } = await judged(before, after);
    expect({ status, found: log.includes('chart-owned-field') }).toEqual({ status: 1, found: true });
  });

  test('under a name with a tab in a directory without a kustomization', async () => {
    const flux = {
      name: 'flux.yaml',
      content:
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: cozy-customizer}\nspec:\n  path: ./apps\n  interval: 5m\n  prune: true\n  sourceRef: {kind: GitRepository, name: a}\n',
    };
    const apps = (more: RawEntry[]) => ({ name: 'apps', tree: [{ name: 'a.yaml', content: harmless }, ...more] });
    const entry = { name: 'kustomization.yaml', content: 'resources: [flux.yaml]\n' };
    const other = harmful.replace('cozystack.metallb', 'cozystack.keycloak');
    const { status, log } = await judged(
      [entry, flux, apps([])],
      [entry, flux, apps([{ name: 'b\t.yaml', content: other }])],
    );
    expect({ status, found: log.includes('chart-owned-field') }).toEqual({ status: 1, found: true });
  });
});

/** What is no name for everybody: the action and the command refuse, and say which. */
describe('a commit is refused that has', () => {
  const file = (name: string | Buffer): RawEntry => ({ name, content: harmless });
  const cases: Record<string, [RawEntry[], string]> = {
    'a byte that is not UTF-8': [[file(bytes(0xff, '.yaml'))], '"\\xff.yaml" in commit'],
    'one beside the replacement character': [
      [file(bytes(0xff, '.yaml')), { name: '\ufffd.yaml', content: harmful }],
      '"\\xff.yaml" in commit',
    ],
    'an overlong slash': [[file(bytes('a', 0xc0, 0xaf, 'b.yaml'))], '"a\\xc0\\xafb.yaml"'],
    'a lone surrogate': [[file(bytes(0xed, 0xa0, 0x80, '.yaml'))], '"\\xed\\xa0\\x80.yaml"'],
    'a folder that is not UTF-8': [[{ name: bytes('d', 0xe9), tree: [file('a.yaml')] }], '"d\\xe9/a.yaml"'],
    'two entries of one name': [[file('metallb.yaml'), { name: 'metallb.yaml', content: harmful }], 'two entries'],
    'a file and a folder of one name': [[file('a'), { name: 'a', tree: [file('b.yaml')] }], 'two entries'],
    'two folders of one name with one file': [
      [
        { name: 'a', tree: [file('b.yaml')] },
        { name: 'a', tree: [{ name: 'b.yaml', content: harmful }] },
      ],
      'two entries',
    ],
    'a link and a file of one name': [
      [file('metallb.yaml'), { name: 'metallb.yaml', mode: '120000', content: 'x' }],
      'two entries',
    ],
    'the folder above': [[{ name: '..', tree: [file('x.yaml')] }], 'has the segment ".."'],
    'the folder above, deeper': [
      [{ name: 'a', tree: [{ name: '..', tree: [file('x.yaml')] }] }],
      'has the segment ".."',
    ],
    'the folder itself': [[{ name: '.', tree: [file('x.yaml')] }], 'has the segment "."'],
    'a file named like the folder above': [[file('..')], 'has the segment ".."'],
    'a slash in a name': [[file('a//b.yaml')], 'empty segment'],
    'a slash at the end': [[file('a/')], 'empty segment'],
    'an absolute name': [[file('/etc/x.yaml')], 'empty segment'],
    'a folder of git': [[{ name: '.git', tree: [file('config')] }], 'folder of git'],
    'a folder of git in capitals': [[{ name: '.GIT', tree: [file('config')] }], 'folder of git'],
    'a file of git below': [[{ name: 'a', tree: [file('.Git')] }], 'folder of git'],
    'a folder of git for NTFS': [[{ name: 'git~1', tree: [file('config')] }], 'folder of git'],
    'a folder of git with a dot behind': [[{ name: '.git. ', tree: [file('config')] }], 'folder of git'],
    'a folder of git as a stream': [[{ name: '.git::$INDEX_ALLOCATION', tree: [file('config')] }], 'folder of git'],
    'a folder of git for HFS+': [[{ name: '.g\u200cit', tree: [file('config')] }], 'folder of git'],
  };
  const before = [root, { name: 'metallb.yaml', content: harmful }];
  test.each(someOf(Object.entries(cases), 2))('%s', async (_, [more, words]) => {
    const { status, log, command } = await judged(before, [root, ...more]);
    expect({ status, said: log.includes(words), bug: /bug of the linter|\n\s+at /.test(log) }).toEqual({
      status: 2,
      said: true,
      bug: false,
    });
    // Git's own words where it cannot read the tree itself; nothing else passes it.
    expect(command.status).toBe(2);
  });
});

test('names that are odd, but names, are read as they are', async () => {
  const names = [
    'a\tb.yaml',
    'a\\b.yaml',
    '-x.yaml',
    '...',
    '.gitignore',
    '.github',
    'a.git',
    'digit~1',
    'ü\ufffd.yaml',
  ];
  const commit = rawCommit(
    folder,
    names.map((name) => ({ name, content: name })),
  );
  const tree = await openCommit(folder, commit, 'head');
  expect(tree.files).toEqual([...names].sort());
  for (const name of names) expect(tree.text(name)).toBe(name);
});

test('a name outside of the directory that is checked is not its business', async () => {
  const commit = rawCommit(folder, [
    { name: bytes(0xe9, '.txt'), content: 'x' },
    { name: 'deploy', tree: [{ name: 'a.yaml', content: 'a' }] },
  ]);
  mkdirSync(join(folder, 'deploy'));
  expect((await openCommit(join(folder, 'deploy'), commit, 'head')).files).toEqual(['a.yaml']);
});

test.each([' deploy', 'deploy ', 'deploy\n', 'de\tploy'])('a directory named %j is read as this one', async (name) => {
  const commit = rawCommit(
    folder,
    [
      { name, tree: [{ name: 'a.yaml', content: 'mine' }] },
      { name: name.trim(), tree: [{ name: 'a.yaml', content: 'other' }] },
    ].slice(0, name.trim() === name ? 1 : 2),
  );
  mkdirSync(join(folder, name));
  expect((await openCommit(join(folder, name), commit, 'head')).text('a.yaml')).toBe('mine');
});

describe('a work tree', () => {
  test.each([true, false])('is refused for a name that is not UTF-8 (in git: %p)', async (isInGit) => {
    const other = isInGit ? folder : createRepo({});
    writeFileSync(join(other, 'kustomization.yaml'), root.content);
    writeFileSync(join(other, 'metallb.yaml'), harmless);
    writeFileSync(Buffer.concat([Buffer.from(`${other}/`), bytes(0xff, '.yaml')]), harmful);
    const { status, stderr } = await runHere(['check', other]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'customizer-lint: the name "\\xff.yaml" in the work tree is not UTF-8; rename the file\n',
    });
    if (!isInGit) removeRepo(other);
  });

  test('tells the folder of a name that is not UTF-8', async () => {
    const other = createRepo({ 'sub/a.yaml': 'a: 1\n' });
    writeFileSync(Buffer.concat([Buffer.from(`${other}/sub/`), bytes(0xff, '.yaml')]), harmful);
    await expect(openWorkTree(other)).rejects.toThrow('the name "\\xff.yaml" in "sub" is not UTF-8; rename the file');
    removeRepo(other);
  });

  test('has files with a tab', async () => {
    writeFileSync(join(folder, 'a\tb.yaml'), 'x');
    expect((await openWorkTree(folder)).text('a\tb.yaml')).toBe('x');
  });
});

describe('an archive', () => {
  const archive = (names: string[], encode: (text: string) => string = (text) => text) =>
    gzipSync(
      Buffer.concat([
        ...names.map((name) => {
          const block = Buffer.alloc(512);
          new Header({ path: encode(name), size: 0, type: 'File', mode: 0o644, mtime: new Date(0) }).encode(block);
          return block;
        }),
        Buffer.alloc(1024),
      ]),
    );
  const open = (names: string[]) => openArchive(archive(names), { description: 'commit x', revision: 'head' });

  test.each([
    ['the folder above', ['r/../x.yaml'], 'has the segment ".."'],
    ['the folder itself', ['r/./x.yaml'], 'has the segment "."'],
    ['an empty segment', ['r//x.yaml'], 'empty segment'],
    ['a folder of git', ['r/a/.GIT/config'], 'folder of git'],
    ['two entries of one name', ['r/a.yaml', 'r/a.yaml'], 'two entries'],
    ['a file and a folder of one name', ['r/a', 'r/a/b.yaml'], 'two entries'],
    ['a name that does not decode', ['r/\ufffd.yaml'], 'cannot be told'],
    ['an entry beside its folder', ['r/a.yaml', '0123456789012345678901234567890123456789.data'], 'cannot be told'],
  ])('is refused that has %s', async (_, names, words) => {
    await expect(open(names)).rejects.toThrow(words);
  });

  test('has files with a tab', async () => {
    expect((await open(['r/a\tb.yaml', 'r/c.yaml'])).files).toEqual(['a\tb.yaml', 'c.yaml']);
  });

  test('has the submodules that GitHub lists', async () => {
    const empty = { object: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', isSubmodule: false };
    const listed = new Map([
      ['x/a.yaml', empty],
      ['x/third', { object: '1'.repeat(40), isSubmodule: true }],
      ['y/other', { object: '2'.repeat(40), isSubmodule: true }],
    ]);
    const options = { description: 'commit x', revision: 'head', prefix: 'x/', listed } as const;
    const tree = await openArchive(archive(['r/x/a.yaml']), options);
    expect([tree.files, tree.submodules, tree.submoduleCommit('third')]).toEqual([
      ['a.yaml'],
      ['third'],
      '1'.repeat(40),
    ]);
  });

  test('of a folder has what stands in it, and the workflows above', async () => {
    const names = ['r/x/y/a.yaml', 'r/b.yaml', 'r/.github/workflows/c.yaml', 'r/.github/workflows/d/e.yaml'];
    const tree = await openArchive(archive(names), { description: 'commit x', revision: 'head', prefix: 'x/y/' });
    expect([tree.files, [...(tree.workflowsAbove ?? [])]]).toEqual([
      ['a.yaml'],
      [['../../.github/workflows/c.yaml', '']],
    ]);
  });
});

test('on Windows neither a backslash nor a colon is in a name', () => {
  for (const name of ['a\\..\\b.yaml', 'C:x.yaml', 'a.yaml:stream'])
    expect(() => requirePath(name, 'it', true)).toThrow('leads elsewhere on Windows');
  expect(() => requirePath('a/b c.yaml', 'it', true)).not.toThrow();
  expect(() => requirePath('a\\b.yaml', 'it', false)).not.toThrow();
});

test('what somebody types with backslashes is a path on Windows, and a name elsewhere', () => {
  expect(slashed('clusters\\prod', true)).toBe('clusters/prod');
  expect(slashed('a\\b.yaml', false)).toBe('a\\b.yaml');
});

describe('data of the repository', () => {
  const config = { name: '.customizer-lint.yaml', content: 'cozystack: {data: data}\n' };
  test.each([
    ['..', [{ name: '..', tree: [{ name: 'customizer-lint-escaped', content: 'x' }] }]],
    ['../..', [{ name: '..', tree: [{ name: '..', tree: [{ name: 'customizer-lint-escaped', content: 'x' }] }] }]],
    ['a name with a slash', [{ name: '../customizer-lint-escaped', content: 'x' }]],
    ['a folder down, two up', [{ name: 'a', tree: [{ name: '../../customizer-lint-escaped', content: 'x' }] }]],
  ] as [string, RawEntry[]][])('is not written outside of its folder: %s', async (_, entries) => {
    const tree = [config, root, { name: 'metallb.yaml', content: harmless }, { name: 'data', tree: entries }];
    const temporary = createRepo({ 'inner/x': '' });
    const commit = rawCommit(folder, tree);
    const { status } = await runCli(['check', folder, '--base', commit], { env: { TMPDIR: join(temporary, 'inner') } });
    expect({ status, written: [...readdirSync(temporary), ...readdirSync(join(temporary, 'inner'))] }).toEqual({
      status: 2,
      written: ['inner', 'x'],
    });
    expect(readdirSync(tmpdir())).not.toContain('customizer-lint-escaped');
    removeRepo(temporary);
  });
});
