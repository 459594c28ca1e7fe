/** A WebAssembly module of `dist/engine` in a thread of its own, which answers frames one at a time (worker.ts). */
import { dirname, join } from 'node:path';
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import { readBuilt, withBuilt } from '../../core/built.js';
import type { Budget } from './budget.js';
import { isOver, noteFailures } from './exchange.js';
import { limitMemory } from './maximum.js';
import type { ModuleName } from './program.js';

/** More than any module has, so that it is unpacked in one piece; what is left of it is never touched. */
const maxBytes = 96 << 20;

/** Of the memory of a run, what one module may grow to: it cannot have more, however fast it asks for it. */
const moduleShare = 0.75;
const pageBytes = 1 << 16;

/** A thread without a module, and the module that is on its way to it. */
type Begun = { worker: Worker; bytes: Promise<[wasm: Uint8Array<ArrayBuffer>, runtime: string]> };

/** By the directory and the name of the module. */
const early = new Map<string, Begun>();

/** Threads with a module that wait for more to do. */
const kept = new Map<string, Worker>();

/** Leaves one that has done its work to who asks next. Where another one waits already, this one is ended. */
export function keepThread(home: string, name: ModuleName, worker: Worker): void {
  const key = join(home, name);
  if (kept.has(key) || early.has(key) || isOver(worker)) void worker.terminate();
  else kept.set(key, worker);
}

/** Begins what `startThread` will be asked for, while the rest of the program is still to be loaded. */
export function beginThread(home: string, name: ModuleName): void {
  if (early.has(join(home, name)) || kept.has(join(home, name))) return;
  const begun = begin(home, name);
  // It is told to who asks for the thread.
  begun.bytes.catch(() => {});
  early.set(join(home, name), begun);
}

/**
 * `home` is the directory of the modules. Rejects where it is not there, and with a `ChangedFileError` where it is not what was built. The thread does
 * not keep the process alive.
 */
export async function startThread(home: string, name: ModuleName, { limits }: Budget): Promise<Worker> {
  const waiting = kept.get(join(home, name));
  kept.delete(join(home, name));
  if (waiting && !isOver(waiting)) return waiting;
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
function begin(home: string, name: ModuleName): Begun {
  const dist = dirname(home);
  readBuilt(dist, 'engine/worker.js');
  // A function is validated when it is called first, as most never are, and the modules are our own.
  v8.setFlagsFromString('--wasm-lazy-validation');
  const worker = new Worker(join(home, 'worker.js'), { env: {}, argv: [], execArgv: [], stdin: false });
  worker.unref();
  noteFailures(worker);
  const bytes = Promise.all([
    withBuilt(dist, `engine/${name}.wasm.br`, unpack),
    withBuilt(dist, 'engine/wasm_exec.js', async (text) => text.toString('utf8')),
  ]);
  return { worker, bytes };
}

/** What is compiled from now on, in this whole process, is not optimized: that takes processor time of other threads. */
export function baselineOnly(): void {
  // Either flag alone does nothing; both work at run time on Node 20, 22 and 24, unlike --liftoff-only.
  v8.setFlagsFromString('--no-wasm-tier-up');
  v8.setFlagsFromString('--no-wasm-dynamic-tiering');
}

function unpack(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) =>
    brotliDecompress(packed, { chunkSize: maxBytes }, (error, bytes) =>
      error ? reject(error) : resolve(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)),
    ),
  );
}
