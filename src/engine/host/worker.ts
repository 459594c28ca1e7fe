/**
 * The engine's thread. It is given a module first, which it unpacks, then what the module may have, with which it starts it; and then answers
 * frames, one at a time. It has no other input.
 */
import v8 from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { limitMemory } from './maximum.js';
import { type Sandbox, startSandbox } from './sandbox.js';

/** The module as it lies in `dist/engine`, and the `wasm_exec.js` of its version of Go. */
export type Given = { packed: Uint8Array; runtime: string };
export type Allowed = {
  /** How far its memory may grow, in pages of 64 KiB. */
  pages: number;
  /** Whether V8 optimizes what is called often, which takes processor time of other threads. */
  optimizes: boolean;
};

/** More than any module has, so that it is unpacked in one piece; what is left of it is never touched. */
const maxBytes = 96 << 20;

let unpacked: { wasm: Uint8Array<ArrayBuffer>; runtime: string } | undefined;
let sandbox: Sandbox | undefined;

parentPort?.on('message', (message: Given | Allowed | Uint8Array) => {
  if (message instanceof Uint8Array) {
    const answer = Uint8Array.from((sandbox as Sandbox).call(message));
    parentPort?.postMessage(answer, [answer.buffer]);
  } else if ('packed' in message) {
    unpacked = { wasm: unpack(message.packed), runtime: message.runtime };
  } else if (unpacked) {
    limitMemory(unpacked.wasm, message.pages);
    setFlags(message);
    sandbox = startSandbox(unpacked.wasm, unpacked.runtime);
    unpacked = undefined;
  }
});

/**
 * Of the whole process, for the module that is compiled next. Not before the thread has begun: with other flags V8 takes nothing of what it
 * has compiled of Node's own.
 */
function setFlags({ optimizes }: Allowed): void {
  // A function is validated when it is called first, as most never are, and the modules are our own.
  v8.setFlagsFromString('--wasm-lazy-validation');
  // Without the second, which a module takes when it is compiled, the first does nothing: V8 then optimizes all that is called.
  v8.setFlagsFromString('--no-wasm-tier-up');
  v8.setFlagsFromString(optimizes ? '--wasm-dynamic-tiering' : '--no-wasm-dynamic-tiering');
}

function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = brotliDecompressSync(packed, { chunkSize: maxBytes });
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
