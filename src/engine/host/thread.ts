/** A WebAssembly module of `dist/engine` in a thread of its own, which answers frames one at a time (worker.ts). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import { reasonOf, UnreadableError } from '../../core/unreadable.js';
import type { Budget } from './budget.js';
import { limitMemory } from './maximum.js';
import { Stopped } from './stopped.js';

/** More than any module has, so that it is unpacked in one piece; what is left of it is never touched. */
const maxBytes = 96 << 20;

/** Of the memory of a run, what one module may grow to: it cannot have more, however fast it asks for it. */
const moduleShare = 0.75;
const pageBytes = 1 << 16;

type Name = 'render' | 'apply';

/** A thread without a module, and the module that is on its way to it. */
type Begun = { worker: Worker; bytes: Promise<[wasm: Uint8Array<ArrayBuffer>, runtime: string]> };

/** By the directory and the name of the module. */
const early = new Map<string, Begun>();

/** Begins what `startThread` will be asked for, while the rest of the program is still to be loaded. */
export function beginThread(home: string, name: Name): void {
  const begun = begin(home, name);
  // It is told to who asks for the thread.
  begun.bytes.catch(() => {});
  early.set(join(home, name), begun);
}

/** `home` is the directory of the modules. Rejects where it is not there. The thread does not keep the process alive. */
export async function startThread(home: string, name: Name, { limits }: Budget): Promise<Worker> {
  const { worker, bytes } = early.get(join(home, name)) ?? begin(home, name);
  early.delete(join(home, name));
  try {
    const [wasm, runtime] = await bytes;
    limitMemory(wasm, Math.floor((limits.bytes * moduleShare) / pageBytes));
    worker.postMessage({ wasm, runtime }, [wasm.buffer]);
    return worker;
  } catch (error) {
    void worker.terminate();
    throw error;
  }
}

/** The thread starts while the module is unpacked. */
function begin(home: string, name: Name): Begun {
  const worker = new Worker(join(home, 'worker.js'), { env: {}, argv: [], execArgv: [], stdin: false });
  worker.unref();
  worker.on('error', (error) => failures.set(worker, error)); // between two calls the next one is told
  const bytes = Promise.all([
    readFile(join(home, `${name}.wasm.br`)).then(unpack),
    readFile(join(home, 'wasm_exec.js'), 'utf8'),
  ]);
  return { worker, bytes };
}

/** What ended a thread. */
const failures = new WeakMap<Worker, Error>();

/** A thread that the system does not let start (too few file descriptors) says nothing of what it was to build. */
function failureOf(error: Error): Error {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isSystems = code === 'ERR_WORKER_INIT_FAILED' || (typeof code === 'string' && typeof syscall === 'string');
  if (isSystems) return new UnreadableError(`the engine cannot be started: ${reasonOf(error)}`);
  return new Stopped(`the engine crashed: ${error.message}`, false);
}

/**
 * One frame out, one answer in. Rejects with `Stopped` where the thread ends, or the budget does first, of which the time is
 * taken. The frame is the thread's then; the thread goes on in any case.
 */
export function exchange(worker: Worker, frame: Uint8Array<ArrayBuffer>, budget: Budget): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const begin = performance.now();
    const deadline = setTimeout(() => done(new Stopped(budget.timeIsUp, true)), budget.left * 1000);
    const measured = () => {
      if (budget.isFull) done(new Stopped(budget.memoryIsUp, true));
    };
    const memory = setInterval(measured, 20);
    const failed = (error: Error) =>
      done(error.message.includes('out of memory') ? new Stopped(budget.memoryIsUp, true) : failureOf(error));
    const ended = () => done(new Stopped('the engine ended without an answer', false));
    const done = (result: Uint8Array | Error) => {
      budget.spend((performance.now() - begin) / 1000);
      clearTimeout(deadline);
      clearInterval(memory);
      worker.off('message', done).off('error', failed).off('exit', ended);
      if (result instanceof Error) reject(result);
      else resolve(Buffer.from(result.buffer, result.byteOffset, result.byteLength).toString('utf8'));
    };
    const failure = failures.get(worker);
    if (failure) return failed(failure);
    worker.on('message', done).on('error', failed).on('exit', ended);
    worker.postMessage(frame, [frame.buffer]);
  });
}

/** Chunks as a module reads them: each behind its length, a little-endian uint32. */
export function frameOf(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(new ArrayBuffer(chunks.reduce((size, chunk) => size + 4 + chunk.length, 0)));
  const view = new DataView(frame.buffer);
  let offset = 0;
  for (const chunk of chunks) {
    view.setUint32(offset, chunk.length, true);
    frame.set(chunk, offset + 4);
    offset += 4 + chunk.length;
  }
  return frame;
}

/**
 * What is compiled from now on, in this whole process, is not optimized: that takes processor time of other threads. Functions are
 * validated when they are called first, as most never are, and the modules are our own.
 */
export function baselineOnly(): void {
  // Either flag alone does nothing; both work at run time on Node 20, 22 and 24, unlike --liftoff-only.
  v8.setFlagsFromString('--no-wasm-tier-up');
  v8.setFlagsFromString('--no-wasm-dynamic-tiering');
}

/** A function is validated when it is first called. */
export function validateLazily(): void {
  v8.setFlagsFromString('--wasm-lazy-validation');
}

function unpack(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) =>
    brotliDecompress(packed, { chunkSize: maxBytes }, (error, bytes) =>
      error ? reject(error) : resolve(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)),
    ),
  );
}
