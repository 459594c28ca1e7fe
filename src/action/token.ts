/**
 * The token of the job, taken out of the environment: no input, no worker and no other program is to find it there. The memory of
 * this process still has it, and so has the runner's own; who may debug the processes of this user can read it there.
 */
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/** Variables that runners and workflows put a token in. */
const names = [
  'INPUT_TOKEN',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_URL',
];

/** The input `token`; undefined where it is empty. The environment has none of them afterwards. */
function takeToken(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const token = env.INPUT_TOKEN?.trim();
  for (const name of names) delete env[name];
  blot(names);
  return token === '' ? undefined : token;
}

/**
 * Linux shows what a process was started with as `/proc/PID/environ`, whatever it deletes later: the bytes stay where the kernel
 * put them. So they are written over there (proc_pid_stat, `env_start` and `env_end`). Elsewhere, and where the system does not
 * let a process write its own memory, they stay.
 */
function blot(variables: readonly string[]): void {
  if (process.platform !== 'linux') return;
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // The second field is a name in parentheses, which may hold anything; the third is the first one behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [start, end] = [Number(fields[50 - 3]), Number(fields[51 - 3])];
    if (start > 0 && end > start) blotBetween(start, end, variables);
  } catch {
    // Not every system lets it; nothing depends on it.
  }
}

function blotBetween(start: number, end: number, variables: readonly string[]): void {
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    const block = Buffer.alloc(end - start);
    readSync(memory, block, 0, block.length, start);
    for (let at = 0; at < block.length; ) {
      const zero = block.indexOf(0, at);
      const next = zero < 0 ? block.length : zero;
      const name = block.toString('latin1', at, next).split('=', 1)[0] as string;
      const value = at + name.length + 1;
      if (variables.includes(name) && value < next) writeSync(memory, '*'.repeat(next - value), start + value);
      at = next + 1;
    }
  } finally {
    closeSync(memory);
  }
}

/** Taken when this module is first imported. */
export const token = takeToken();
