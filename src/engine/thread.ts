/** A WebAssembly module of `dist/engine` in a thread of its own, which answers frames one at a time (worker.ts). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';

/** More than any module has, so that it is unpacked in one piece; what is left of it is never touched. */
const maxBytes = 96 << 20;

/** `home` is the directory of the modules. Rejects where it is not there. The thread does not keep the process alive. */
export async function startThread(home: string, module: 'render' | 'apply'): Promise<Worker> {
  const [wasm, runtime] = await Promise.all([
    readFile(join(home, `${module}.wasm.br`)).then(unpack),
    readFile(join(home, 'wasm_exec.js'), 'utf8'),
  ]);
  const worker = new Worker(join(home, 'worker.js'), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    workerData: { wasm, runtime },
    transferList: [wasm.buffer],
  });
  worker.unref();
  worker.on('error', () => {}); // between two calls; the next one finds the thread gone
  return worker;
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
