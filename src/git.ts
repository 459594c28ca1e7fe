/** Git as a reader of bytes: plumbing only, with nothing that the repository's own configuration could start. */
import { spawn } from 'node:child_process';

/** `git` is missing, or it refused. */
export class GitError extends Error {
  override name = 'GitError';
}

// A repository's configuration can name programs to run (fsmonitor, hooks, filters); none of these commands needs one.
const inert = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'];

/** The environment without what could steer git or leak a token: only what finds programs and the user's home. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, SYSTEMROOT } = process.env;
  return {
    ...(PATH && { PATH }),
    ...(HOME && { HOME }),
    ...(SYSTEMROOT && { SYSTEMROOT }),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

type GitOptions = { input?: string; env?: NodeJS.ProcessEnv; seconds?: number };

/** Standard output of `git ARGS` in `directory`. Throws `GitError` with git's own words. */
export function git(directory: string, args: string[], { input, env, seconds }: GitOptions = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...inert, ...args], {
      cwd: directory,
      env: { ...environment(), ...env },
      stdio: 'pipe',
      ...(seconds && { timeout: seconds * 1000 }),
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) => reject(new GitError(`git cannot be started: ${error.message}`)));
    child.on('close', (status) => {
      if (status === 0) resolve(Buffer.concat(out));
      else reject(new GitError(Buffer.concat(err).toString().trim() || `git ${args[0]} exited with ${status}`));
    });
    child.stdin.on('error', () => {}); // git closed its end; its exit status tells why
    child.stdin.end(input ?? '');
  });
}

/** The NUL-separated records of a `-z` output. */
export function records(output: Buffer): string[] {
  return output.toString('utf8').split('\0').filter(Boolean);
}

/** The URLs under which the repository is known; none where git does not know. */
export async function remotesOf(directory: string): Promise<string[]> {
  try {
    const lines = records(await git(directory, ['config', '-z', '--get-regexp', '^remote\\..*\\.url$']));
    return lines.map((line) => line.slice(line.indexOf('\n') + 1));
  } catch {
    return [];
  }
}

/** Where a directory is in its repository, with a slash at its end unless it is the root; undefined without a repository. */
export async function prefixOf(directory: string): Promise<string | undefined> {
  try {
    return (await git(directory, ['rev-parse', '--show-prefix'])).toString().replace(/\n$/, '');
  } catch {
    return undefined;
  }
}

/** The commit that a word stands for; undefined where git knows none, or where there is no repository. */
export async function commitOf(directory: string, word: string): Promise<string | undefined> {
  return line(directory, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`]);
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

async function line(directory: string, args: string[]): Promise<string | undefined> {
  try {
    return (await git(directory, args)).toString().trim() || undefined;
  } catch {
    return undefined;
  }
}

/** What git may take files from: never a program that a URL names (`ext::`). */
const transports = ['https', 'http', 'ssh', 'file'].flatMap((name) => ['-c', `protocol.${name}.allow=always`]);

/**
 * Brings commits into the repository's own store, without their history. First with what the checkout left in the
 * configuration; where that is not enough, with the token, which git gets in its environment and nowhere else.
 */
export async function fetchCommits(
  directory: string,
  commits: readonly string[],
  access?: { token: string; server: string },
): Promise<void> {
  const options = [
    '--no-tags',
    '--depth=1',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
  ];
  const args = [...transports, 'fetch', '--quiet', ...options, 'origin', ...commits];
  try {
    await git(directory, args, { seconds: 120 });
  } catch (error) {
    if (!access || !(error instanceof GitError)) throw error;
    await git(directory, args, { seconds: 120, env: authorization(access) });
  }
}

/** An empty value first: two headers would be refused (git-config, `http.extraHeader`). */
function authorization({ token, server }: { token: string; server: string }): NodeJS.ProcessEnv {
  const key = `http.${server.replace(/\/$/, '')}/.extraheader`;
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: key,
    GIT_CONFIG_VALUE_0: '',
    GIT_CONFIG_KEY_1: key,
    GIT_CONFIG_VALUE_1: `AUTHORIZATION: basic ${basic}`,
  };
}
