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

/** Standard output of `git ARGS` in `directory`. Throws `GitError` with git's own words. */
export function git(directory: string, args: string[], input?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...inert, ...args], {
      cwd: directory,
      env: environment(),
      stdio: 'pipe',
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

/** The commit that a word stands for; undefined where git knows none, or where there is no repository. */
export async function commitOf(directory: string, word: string): Promise<string | undefined> {
  return line(directory, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`]);
}

/** The last commit that one shares with what is checked out; undefined where the history at hand has none. */
export async function mergeBase(directory: string, commit: string): Promise<string | undefined> {
  return line(directory, ['merge-base', commit, 'HEAD']);
}

async function line(directory: string, args: string[]): Promise<string | undefined> {
  try {
    return (await git(directory, args)).toString().trim() || undefined;
  } catch {
    return undefined;
  }
}
