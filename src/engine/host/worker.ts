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
/** How far its memory may grow, in pages of 64 KiB. */
export type Allowed = { pages: number };

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
    // A function is validated when it is called first, as most never are, and the modules are our own. Not before the thread has begun: with
    // other flags V8 takes nothing of what it has compiled of Node's own.
    v8.setFlagsFromString('--wasm-lazy-validation');
    sandbox = startSandbox(unpacked.wasm, unpacked.runtime);
    unpacked = undefined;
  }
});

function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = brotliDecompressSync(packed, { chunkSize: maxBytes });
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
