/** The command as a user runs it: the committed bundle, in a process of its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const cli = `${root}dist/cli/index.js`;

export type Outcome = {
  status: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
};
export type CliOptions = {
  cwd?: string;
  node?: string;
  env?: Record<string, string>;
  seconds?: number;
};

/** Runs to the end; killed after `seconds`, generously, so that a hang is a failure and not a stuck test. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      ...options.env,
    };
    const child = spawn(options.node ?? process.execPath, [cli, ...args], {
      cwd: options.cwd ?? root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), (options.seconds ?? 60) * 1000);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, stdout, stderr });
    });
  });
}
