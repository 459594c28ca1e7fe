/** Git as it is asked: where it runs, what it is told, and what becomes of its answer. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { UnreadableError } from '../../src/core/unreadable.js';
import {
  commitIn,
  commitOf,
  GitError,
  git,
  mergeBase,
  NoGitError,
  parentsOf,
  prefixOf,
  remotesOf,
  settings,
} from '../../src/tree/git.js';
import { commitTwice, gitIn, type History } from '../support/history.js';
import { createRepo, removeRepo } from '../support/trees.js';

let made: History;
/** In no repository. */
let elsewhere: string;
const { PATH } = process.env;
beforeAll(() => {
  made = commitTwice({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' }, { 'a.txt': 'other\n' });
  elsewhere = createRepo({ 'bin/git': 'no program' });
});
afterEach(() => {
  process.env.PATH = PATH;
});
afterAll(() => [made.folder, elsewhere].forEach(removeRepo));

const ask = async (...args: string[]) => (await git(made.folder, args)).toString().trim();
const store = () => ({ gitDirectory: join(made.folder, '.git'), prefix: '' });

describe('where it runs', () => {
  test('in the directory, of the repository that the directory belongs to', async () => {
    const where = ['rev-parse', '--show-prefix', '--git-dir', '--show-toplevel'];
    const answer = (await git(join(made.folder, 'sub'), where)).toString();
    const root = realpathSync(made.folder);
    expect(answer).toBe(`sub/\n${join(root, '.git')}\n${root}\n`);
  });

  test('at the top of the work tree of a repository that is named', async () => {
    const where = ['rev-parse', '--show-prefix', '--show-toplevel'];
    const answer = (await git({ ...store(), workTree: made.folder }, where)).toString();
    expect(answer).toBe(`\n${realpathSync(made.folder)}\n`);
  });

  test('in the repository itself where that is bare, which git would not take by itself', async () => {
    const bare = realpathSync(createRepo({}));
    gitIn(bare)('init', '-q', '--bare');
    const at = { env: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'alias.where', GIT_CONFIG_VALUE_0: '!pwd -P' } };
    try {
      expect((await git({ gitDirectory: bare, prefix: '' }, ['where'], at)).toString()).toBe(`${bare}\n`);
    } finally {
      removeRepo(bare);
    }
  });

  test('nowhere without a repository', async () => {
    const failed = git(elsewhere, ['rev-parse', 'HEAD']);
    await expect(failed).rejects.toThrow(new GitError(`"${elsewhere}" is in no repository of git`));
    await expect(failed).rejects.toBeInstanceOf(GitError);
  });
});

test.each([
  ['safe.bareRepository', 'explicit'],
  ['protocol.allow', 'never'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.sshCommand', ''],
  ['core.gitProxy', ''],
  ['core.askPass', ''],
  ['credential.helper', ''],
])('what we say of %s beats the repository’s own configuration', async (name, value) => {
  gitIn(made.folder)('config', name, 'always');
  expect(await ask('config', '--get', name)).toBe(value);
});

describe('what it is told and what it answers', () => {
  const empty = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

  test('bytes on its standard input, or none', async () => {
    expect((await git(made.folder, ['hash-object', '--stdin'], { input: 'a\n' })).toString().trim()).toBe(
      gitIn(made.folder)('rev-parse', `${made.base}:a.txt`),
    );
    expect(await ask('hash-object', '--stdin')).toBe(empty);
  });

  test('more than it reads is no failure', async () => {
    expect((await git(made.folder, ['--version'], { input: 'x'.repeat(1 << 20) })).toString()).toMatch(/^git version/);
  });

  test('variables beside the usual ones', async () => {
    const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' };
    expect((await git(made.folder, ['config', 'a.b'], { env })).toString()).toBe('c\n');
  });

  test('a refusal is an error in its own words', async () => {
    const failed = git(made.folder, ['cat-file', 'blob', made.head]);
    await expect(failed).rejects.toThrow(/^fatal: .*bad file$/);
    await expect(failed).rejects.toBeInstanceOf(GitError);
  });

  test('a refusal without a word is told by the command and its status', async () => {
    const failed = git(made.folder, ['rev-parse', '--verify', '--quiet', 'nobody']);
    await expect(failed).rejects.toThrow(new GitError('git rev-parse ended with 1'));
  });

  test('one that was killed is told by the command and the signal', async () => {
    const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'alias.die', GIT_CONFIG_VALUE_0: '!kill -9 $PPID' };
    const killed = new GitError('git die ended with SIGKILL');
    await expect(git(made.folder, ['die'], { env })).rejects.toThrow(killed);
    await expect(git(made.folder, ['-c', 'a.b=c', 'die'], { env })).rejects.toThrow(killed);
  });

  test('a warning is handed on, and may make an error of the answer', async () => {
    const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'alias.warn', GIT_CONFIG_VALUE_0: '!echo beware >&2' };
    const heard: string[] = [];
    await git(made.folder, ['warn'], { env, onSaid: (said) => void heard.push(said) });
    expect(heard).toEqual(['beware']);
    const refused = git(made.folder, ['warn'], {
      env,
      onSaid: (said) => {
        throw new UnreadableError(said);
      },
    });
    await expect(refused).rejects.toThrow(new UnreadableError('beware'));
  });

  test('no answer in time is told by the command, whatever options stand before it and names behind it', async () => {
    const endless = join(elsewhere, 'endless');
    execFileSync('mkfifo', [endless]);
    const args = ['-c', 'a.b=c', '--no-pager', 'config', '--file', endless, '--get', 'a.b'];
    const failed = git(made.folder, args, { seconds: 0.2 });
    await expect(failed).rejects.toThrow(new GitError('git config gave no answer for 0.2 s'));
  });

  test('nothing keeps the process from its end when the answer is there', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    await ask('rev-parse', 'HEAD');
    await git(made.folder, ['rev-parse', '--verify', '--quiet', 'nobody']).catch(() => {});
    expect(timers()).toBe(before);
  });
});

describe('a git that cannot be started', () => {
  test('is none where there is no program of the name', async () => {
    process.env.PATH = join(elsewhere, 'nowhere');
    await expect(git(made.folder, ['rev-parse', 'HEAD'])).rejects.toThrow(
      new NoGitError('git cannot be started: spawn git ENOENT'),
    );
    expect(await commitOf(made.folder, 'HEAD')).toBeUndefined();
    expect(await settings(made.folder, ['--list'])).toEqual([]);
  });

  test('is no reason to take the repository for one that knows nothing', async () => {
    process.env.PATH = join(elsewhere, 'bin');
    const refused = new UnreadableError('git cannot be started: spawn git EACCES');
    await expect(git(made.folder, ['rev-parse', 'HEAD'])).rejects.toThrow(refused);
    await expect(commitOf(made.folder, 'HEAD')).rejects.toBeInstanceOf(UnreadableError);
    await expect(settings(made.folder, ['--list'])).rejects.toBeInstanceOf(UnreadableError);
    await expect(remotesOf(made.folder)).rejects.toBeInstanceOf(UnreadableError);
  });
});

describe('what the repository says', () => {
  test('the addresses of its remotes, whole', async () => {
    const { folder } = commitTwice({}, {});
    try {
      expect(await remotesOf(folder)).toEqual([]);
      const more =
        '[remote "origin"]\n\turl = https://example.org/a\n\tpushurl = https://example.org/b\n[remote "x.y"]\n\turl = "git@example.org:c\\nd"\n[url "x"]\n\tinsteadOf = y\n';
      appendFileSync(join(folder, '.git/config'), more);
      expect(await remotesOf(folder)).toEqual(['https://example.org/a', 'git@example.org:c\nd']);
    } finally {
      removeRepo(folder);
    }
  });

  test('settings of several lines, one by one', async () => {
    gitIn(made.folder)('config', '--add', 'several.value', 'a\nb');
    gitIn(made.folder)('config', '--add', 'several.value', 'c');
    expect(await settings(made.folder, ['--get-all', 'several.value'])).toEqual(['a\nb', 'c']);
    expect(await settings(elsewhere, ['--get-all', 'several.value'])).toEqual([]);
  });

  test('where a directory is in it', async () => {
    const places = [made.folder, join(made.folder, 'sub'), elsewhere].map(prefixOf);
    expect(await Promise.all(places)).toEqual(['', 'sub/', undefined]);
  });
});

describe('commits', () => {
  test('that a word stands for', async () => {
    gitIn(made.folder)('tag', '-a', '-m', 'x', 'v1', made.base);
    gitIn(made.folder)('update-ref', 'refs/tags/--quiet', made.base);
    const words = ['HEAD', 'v1', 'HEAD~', '--quiet', made.base.slice(0, 12)];
    const expected = [made.head, made.base, made.base, made.base, made.base];
    expect(await Promise.all(words.map((word) => commitOf(made.folder, word)))).toEqual(expected);
  });

  test.each(['nobody', 'HEAD:a.txt', 'HEAD^{tree}', 'a'.repeat(40), '--all'])('no commit is %s', async (word) => {
    expect(await commitOf(made.folder, word)).toBeUndefined();
  });

  test('none is known outside of a repository', async () => {
    expect(await commitOf(elsewhere, 'HEAD')).toBeUndefined();
    expect(await mergeBase(elsewhere, 'HEAD')).toBeUndefined();
    expect(await parentsOf(elsewhere, made.head)).toEqual([]);
  });

  test('that two share', async () => {
    const commit = (...parents: string[]) =>
      // In words of its own: within one second it would be the very commit that the head is.
      gitIn(made.folder)('commit-tree', 'HEAD^{tree}', '-m', 'beside', ...parents.flatMap((parent) => ['-p', parent]));
    const side = commit(made.base);
    expect(await mergeBase(made.folder, side)).toBe(made.base);
    expect(await mergeBase(made.folder, side, commit(side))).toBe(side);
    expect(await mergeBase(made.folder, commit())).toBeUndefined();
  });

  test('parents are those of its header alone, in order and whole', async () => {
    const [one, two, sha256] = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(64)];
    const lines = [
      `tree ${gitIn(made.folder)('rev-parse', 'HEAD^{tree}')}`,
      ...[`parent ${two}`, `parent ${one}`, `parent ${sha256}`],
      ...[`parent ${one}x`, `parent ${'4'.repeat(39)}`, `parent ${'5'.repeat(65)}`, `parent ${'A'.repeat(40)}`],
      'author A <a@example.org> 0 +0000',
      'committer A <a@example.org> 0 +0000',
      // Another commit as a tag of it quotes it.
      `mergetag object ${one}`,
      ` parent ${'6'.repeat(40)}`,
      '',
      `parent ${'7'.repeat(40)}`,
      '',
      `parent ${'8'.repeat(40)}`,
    ];
    const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
      cwd: made.folder,
      encoding: 'utf8',
      input: lines.join('\n'),
    }).trim();
    expect(await parentsOf(made.folder, commit)).toEqual([two, one, sha256]);
    expect(await parentsOf(made.folder, made.head)).toEqual([made.base]);
    expect(await parentsOf(made.folder, made.base)).toEqual([]);
    expect(await parentsOf(made.folder, 'f'.repeat(40))).toEqual([]);
  });

  test.each([
    ['a'.repeat(40), true],
    ['0'.repeat(64), true],
    ['a'.repeat(39), false],
    ['a'.repeat(65), false],
    [`x${'a'.repeat(40)}`, false],
    [`${'a'.repeat(40)}^`, false],
    ['', false],
  ])('the whole name of one is told from other words: "%s"', (value, isOne) => {
    expect(commitIn(value)).toBe(isOne ? value : undefined);
    expect(commitIn(undefined)).toBeUndefined();
  });
});
