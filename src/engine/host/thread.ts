/** A WebAssembly module of `dist/engine` in a thread of its own, which answers frames one at a time (worker.ts). */
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { beginThread } from './begin.js';
import type { Budget } from './budget.js';
import { isOver, noteFailures } from './exchange.js';
import type { ModuleName } from './installed.js';
import type { Allowed } from './worker.js';

/** Of the memory of a run, what one module may grow to: it cannot have more, however fast it asks for it. */
const moduleShare = 0.75;
const pageBytes = 1 << 16;

/** Threads that unpack their module, by the directory and the name of it. */
const early = new Map<string, Worker>();

/** Threads with a module that wait for more to do. */
const kept = new Map<string, Worker>();

/** Those whose module was started. */
const started = new WeakSet<Worker>();

/** Leaves one that has done its work to who asks next. Where another one waits already, this one is ended. */
export function keepThread(home: string, name: ModuleName, worker: Worker): void {
  const key = join(home, name);
  if (kept.has(key) || early.has(key) || isOver(worker)) void worker.terminate();
  else kept.set(key, worker);
}

/**
 * Begins what `startThread` will be asked for, while the rest of the program is still to be loaded. `begun` is the thread, where the loader has begun
 * it. Throws as `startThread` rejects.
 */
export function adoptThread(home: string, name: ModuleName, begun: Worker | undefined): void {
  const key = join(home, name);
  if (early.has(key) || kept.has(key)) return;
  // One that has ended, before anybody listened to why, has no number.
  const worker = begun === undefined || begun.threadId === -1 ? beginThread(home, name) : begun;
  noteFailures(worker);
  early.set(key, worker);
}

/**
 * `home` is the directory of the modules. Rejects where it is not there, and with a `ChangedFileError` where it is not what was built. The thread does
 * not keep the process alive, and is asked nothing before `startModule`.
 */
export async function startThread(home: string, name: ModuleName): Promise<Worker> {
  const key = join(home, name);
  const waiting = kept.get(key);
  kept.delete(key);
  if (waiting && !isOver(waiting)) return waiting;
  adoptThread(home, name, undefined);
  const worker = early.get(key) as Worker;
  early.delete(key);
  if (!isOver(worker)) return worker;
  // What ended the one that was begun early nobody has heard.
  adoptThread(home, name, undefined);
  return startThread(home, name);
}

/** What a thread that was started is told before it is asked anything; one that was asked before goes on as it is. */
export function startModule(worker: Worker, { limits }: Budget, optimizes: boolean): void {
  if (started.has(worker)) return;
  started.add(worker);
  worker.postMessage({ pages: Math.floor((limits.bytes * moduleShare) / pageBytes), optimizes } satisfies Allowed);
}
