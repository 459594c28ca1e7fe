/** What must not outlive this process: run when it is done, and when a signal ends it before. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../core/defined.js';
import { ServerUnavailableError } from './client.js';

type Task = () => Promise<void> | void;

const tasks = new Set<Task>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** GitHub's runner kills what does not end by itself (7.5 s after the first signal, 2.5 s after the second). */
const secondsToEnd = 30;

/** It was done in another way, or is not wanted any more. */
export function forget(task: Task): void {
  tasks.delete(task);
  if (tasks.size === 0) for (const signal of signals) process.off(signal, end);
}

/** `task` is run once, by the function that is returned or by a signal. */
export function onExit(task: Task): () => Promise<void> {
  if (tasks.size === 0) for (const signal of signals) process.on(signal, end);
  let done: Promise<void> | undefined;
  const once = () => {
    done ??= (async () => {
      try {
        await task();
      } finally {
        forget(once);
      }
    })();
    return done;
  };
  tasks.add(once);
  return once;
}

let ending = false;

function end(signal: NodeJS.Signals): void {
  if (ending) return;
  ending = true;
  const all = [...tasks].reverse().map((task) => Promise.resolve(task()).catch(() => {}));
  const late = new Promise((resolve) => setTimeout(resolve, secondsToEnd * 1000).unref());
  // The listeners are off by now, so that the signal does what it does to anybody.
  void Promise.race([Promise.all(all), late]).then(() => {
    for (const one of signals) process.off(one, end);
    process.kill(process.pid, signal);
  });
}

/** A directory that only this user sees, and processes that end with this one, even where it is killed. */
export class ProcessGroup {
  readonly directory = mkdtempSync(join(tmpdir(), 'customizer-lint-run-'));
  readonly #children = new Set<ChildProcess>();
  readonly #undisturbed = new Set<ChildProcess>();
  readonly #watch: ChildProcess;
  #closed = false;
  readonly close = onExit(() => this.#close());

  constructor() {
    // Its standard input ends when we do, in whatever way. It then ends what was named on it, and takes the directory along.
    const script = 'while read -r pid; do all="$all $pid"; done; for pid in $all; do kill -9 "$pid"; done; rm -rf "$1"';
    this.#watch = spawn('/bin/sh', ['-c', script, 'sh', this.directory], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#watch.on('error', () => {});
    this.#watch.stdin?.on('error', () => {});
    this.#watch.unref();
  }

  /** One that cleans up itself: a signal waits for its end. Killed with us, it ends all the same. */
  startUndisturbed(command: string, args: readonly string[]): Child {
    const child = this.start(command, args);
    this.#undisturbed.add(child.process);
    return child;
  }

  /** Signals of a terminal go to us alone. */
  start(command: string, args: readonly string[], environment?: NodeJS.ProcessEnv): Child {
    // What a signal interrupts goes on for a moment, and must not start anything that nobody would end.
    if (this.#closed) throw new ServerUnavailableError('it was ended', true);
    const child = spawn(command, args, {
      cwd: this.directory,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...defined({ env: environment }),
    });
    this.#children.add(child);
    child.on('exit', () => this.#children.delete(child));
    if (child.pid !== undefined) this.#watch.stdin?.write(`-${child.pid}\n`);
    return new Child(child);
  }

  async #close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#children].map((child) => (this.#undisturbed.has(child) ? endOf(child) : stop(child))));
    this.#watch.removeAllListeners();
    this.#watch.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A process, with the end of what it said. */
export class Child {
  #said = '';
  #output = '';
  readonly ended: Promise<number | string>;

  constructor(readonly process: ChildProcess) {
    const listen = (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString('utf8')).slice(-100_000);
    };
    process.stdout?.on('data', listen).on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-100_000);
    });
    process.stderr?.on('data', listen);
    this.ended = new Promise((resolve) => {
      process.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      process.on('close', (code, signal) => resolve(code ?? signal ?? 'error'));
    });
  }

  /** Of standard output alone. */
  get output(): string {
    return this.#output;
  }

  get said(): string {
    return this.#said;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = endOf(child);
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), 3000);
  await gone;
  clearTimeout(timer);
}

async function endOf(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  await new Promise((resolve) => child.once('close', resolve));
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined;
}

/** The whole group: a child of its own would else live on. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It is gone.
  }
}
