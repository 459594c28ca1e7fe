/** Git as a reader of bytes: plumbing only, with nothing that the repository's own configuration could start. */

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
    ...defined({ GIT_WORK_TREE: repository.workTree }),
    ...options.env,
  };
  return start(args, cwd, env, options);
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
export async function parentsOf(directory: string, commit: string): Promise<string[]> {
  try {
    const text = (await git(directory, ['cat-file', 'commit', commit])).toString('latin1');
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

async function line(where: string | Repository, args: string[]): Promise<string | undefined> {
  try {
    return (await git(where, args)).toString().trim() || undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The value, where it is the whole name of a commit; else undefined, as it may be an option to git or a part of an address. */
export function commitIn(value: string | undefined): string | undefined {
  return value !== undefined && /^[0-9a-f]{40,64}$/.test(value) ? value : undefined;
}
