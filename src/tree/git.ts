/** Git as a reader of bytes: plumbing only, with nothing that the repository's own configuration could start. */

import { delimiter, resolve } from 'node:path';
import { defined } from '../core/defined.js';
import { UnreadableError } from '../core/unreadable.js';
import { gitEnvironment } from './git-environment.js';
import { runProgram, TooSlowError } from './program.js';
import { type Repository, repositoryOf } from './repository.js';

/** `git` is missing, or it refused. */
export class GitError extends Error {
  override name = 'GitError';
}

/** There is no git to ask. */
export class NoGitError extends GitError {}

/**
 * A repository's configuration can name programs to run (fsmonitor, hooks, filters, helpers); none of these commands needs one.
 * What is said here beats every file.
 */
const inert = [
  '--no-pager',
  ...[
    'safe.bareRepository=explicit',
    'protocol.allow=never',
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.sshCommand=',
    'core.gitProxy=',
    'core.askPass=',
    'credential.helper=',
  ].flatMap((setting) => ['-c', setting]),
];

type GitOptions = {
  input?: string;
  env?: NodeJS.ProcessEnv;
  seconds?: number;
  /** Throws where a warning on standard error means that the answer is not whole. */
  onSaid?: (said: string) => void;
};

/** Longer than any read takes; a configuration may include a file that never ends. */
const patience = 120;

/**
 * Standard output of `git ARGS` in a directory, or in a repository of our own. The git directory is named, so that git looks
 * for none. Throws `GitError` with git's own words.
 */
export function git(where: string | Repository, args: string[], options: GitOptions = {}): Promise<Buffer> {
  const repository = typeof where === 'string' ? repositoryOf(where) : where;
  if (!repository) return Promise.reject(new GitError(`"${where}" is in no repository of git`));
  const cwd = typeof where === 'string' ? where : (repository.workTree ?? repository.gitDirectory);
  const env = {
    ...gitEnvironment(),
    GIT_DIR: repository.gitDirectory,
    ...defined({ GIT_WORK_TREE: repository.workTree, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternatesOf(repository) }),
    ...options.env,
  };
  return start(args, cwd, env, options);
}

/** A path with a separator in it is quoted, as git reads it. */
function alternatesOf({ alternates }: Repository): string | undefined {
  return alternates?.map((path) => (/[:;"\n]/.test(path) ? JSON.stringify(path) : path)).join(delimiter);
}

async function start(
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { input, seconds = patience, onSaid }: GitOptions,
): Promise<Buffer> {
  const run = runProgram('git', [...inert, ...args], { cwd, env, input, seconds });
  const { status, signal, stdout, stderr } = await run.catch((error) => {
    throw error instanceof TooSlowError
      ? new GitError(`git ${commandOf(args)} gave no answer for ${seconds} s`)
      : notStarted(error);
  });
  const said = stderr.toString().trim();
  if (status !== 0) throw new GitError(said || `git ${commandOf(args)} ended with ${status ?? signal}`);
  onSaid?.(said);
  return stdout;
}

/** Options of git itself stand before its command. */
function commandOf(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') as string;
}

function notStarted(error: NodeJS.ErrnoException): Error {
  const text = `git cannot be started: ${error.message}`;
  return error.code === 'ENOENT' ? new NoGitError(text) : new UnreadableError(text);
}

/** The URLs under which the repository is known; none where git does not know. */
export async function remotesOf(directory: string): Promise<string[]> {
  return settings(directory, ['--get-regexp', '^remote\\..*\\.url$']).then((lines) =>
    lines.map((line) => line.slice(line.indexOf('\n') + 1)),
  );
}

/** What the repository's configuration says; nothing where git does not know. */
export async function settings(directory: string, query: string[]): Promise<string[]> {
  try {
    return (await git(directory, ['config', '-z', ...query])).toString().split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

/** Where a directory is in its repository, with a slash at its end unless it is the root; undefined without a repository. */
export async function prefixOf(directory: string): Promise<string | undefined> {
  return repositoryOf(directory)?.prefix;
}

/** The commit that a word stands for; undefined where git knows none, or where there is no repository. */
export async function commitOf(where: string | Repository, word: string): Promise<string | undefined> {
  return line(where, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`]);
}

/** The parents of a commit as it names them, also where a shallow clone does not have them; none where git knows no such commit. */
export async function parentsOf(where: string | Repository, commit: string): Promise<string[]> {
  try {
    const text = (await git(where, ['cat-file', 'commit', commit])).toString('latin1');
    const [header = ''] = text.split('\n\n', 1);
    return header.split('\n').flatMap((line) => /^parent ([0-9a-f]{40,64})$/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}

/** The last commit that one shares with another; undefined where the history at hand has none. */
export async function mergeBase(directory: string, commit: string, other = 'HEAD'): Promise<string | undefined> {
  return line(directory, ['merge-base', commit, other]);
}

/**
 * All best common ancestors of two commits; undefined if git finds none. A shallow clone may give another answer than a repository that
 * has no list of shallow commits, which gives none if the history is not whole.
 */
export async function mergeBases(
  where: string | Repository,
  commit: string,
  other: string,
): Promise<string[] | undefined> {
  const found = await line(where, ['merge-base', '--all', commit, other]);
  return found?.split('\n');
}

/** The folder that holds the objects of the repository. */
export async function objectsOf(directory: string): Promise<string | undefined> {
  const folder = await line(directory, ['rev-parse', '--git-path', 'objects']);
  return folder === undefined ? undefined : resolve(directory, folder);
}

/** Longer than a merge of a repository takes that is small enough to be checked. */
const mergePatience = 60;

/**
 * The commit that merges one commit into another, written into the store alone; undefined if they conflict, or git is older than
 * 2.38. Only the store's configuration counts: no driver, filter or attribute of another place has a say.
 */
export async function mergeCommits(store: Repository, ours: string, theirs: string): Promise<string | undefined> {
  const env = {
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x', GIT_AUTHOR_DATE: '@0 +0000' },
    ...{ GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x', GIT_COMMITTER_DATE: '@0 +0000' },
  };
  const bare = ['-c', 'core.attributesFile=/dev/null'];
  const options = { env, seconds: mergePatience };
  const tree = await line(store, [...bare, 'merge-tree', '--write-tree', '--no-messages', ours, theirs], options);
  if (tree === undefined) return undefined;
  return line(store, [...bare, 'commit-tree', tree, '-p', ours, '-p', theirs, '-m', 'merge'], options);
}

async function line(where: string | Repository, args: string[], options: GitOptions = {}): Promise<string | undefined> {
  try {
    return (await git(where, args, options)).toString().trim() || undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The value, where it is the whole name of a commit; else undefined, as it may be an option to git or a part of an address. */
export function commitIn(value: string | undefined): string | undefined {
  return value !== undefined && /^[0-9a-f]{40,64}$/.test(value) ? value : undefined;
}
