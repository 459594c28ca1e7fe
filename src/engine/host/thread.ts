/** A WebAssembly module of `dist/engine` in a thread of its own, which answers frames one at a time (worker.ts). */
import { join } from 'node:path';
import v8 from 'node:v8';
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
 * not keep the process alive.
 */
export async function startThread(home: string, name: ModuleName, { limits }: Budget): Promise<Worker> {
  const key = join(home, name);
  const waiting = kept.get(key);
  kept.delete(key);
  if (waiting && !isOver(waiting)) return waiting;
  adoptThread(home, name, undefined);
  const worker = early.get(key) as Worker;
  early.delete(key);
  worker.postMessage({ pages: Math.floor((limits.bytes * moduleShare) / pageBytes) } satisfies Allowed);
  return worker;
}

/** What is compiled from now on, in this whole process, is not optimized: that takes processor time of other threads. */
export function baselineOnly(): void {
  // Either flag alone does nothing; both work at run time on Node 20, 22 and 24, unlike --liftoff-only.
  v8.setFlagsFromString('--no-wasm-tier-up');
  v8.setFlagsFromString('--no-wasm-dynamic-tiering');
}
