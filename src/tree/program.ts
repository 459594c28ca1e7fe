/** A program in a process of its own, run to its end. */

import { type ChildProcess, spawn } from 'node:child_process';

export type StartedProgram = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** For its standard input; none closes it. */
  input?: string | undefined;
  /** How long it may take. */
  seconds: number;
};

export type Ended = {
  status: number | null;
  signal: string | null;
  stdout: Buffer;
  stderr: Buffer;
};

/** It took longer than it may; what it had started is ended as well. */
export class TooSlowError extends Error {
  override name = 'TooSlowError';
}

/** Throws the error of the system where it cannot be started, and `TooSlowError`. */
export function runProgram(command: string, args: readonly string[], program: StartedProgram): Promise<Ended> {
  const { cwd, env, input = '', seconds } = program;
  return new Promise((resolve, reject) => {
    // A group of its own, as what git starts (git-remote-https) holds the streams open when git alone is ended.
    const child = spawn(command, args, { cwd, env, stdio: 'pipe', detached: true });
    // The option of spawn keeps this process waiting for a program that never started.
    const timer = setTimeout(() => {
      endGroup(child);
      reject(new TooSlowError(`${command} gave no answer for ${seconds} s`));
    }, seconds * 1000);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    // Without file descriptors left it has no streams either.
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, stdout: Buffer.concat(out), stderr: Buffer.concat(err) });
    });
    child.stdin?.on('error', () => {}); // it closed its end; its exit status tells why
    child.stdin?.end(input);
  });
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // it has ended by itself
  }
}
