/** The engine's thread. It is given a module's bytes first, and then answers frames, one at a time; it has no other input. */
import { parentPort } from 'node:worker_threads';
import { type Sandbox, startSandbox } from './sandbox.js';

/** The module, and the `wasm_exec.js` of its version of Go. */
export type Given = { wasm: Uint8Array<ArrayBuffer>; runtime: string };

let sandbox: Sandbox | undefined;

parentPort?.on('message', (message: Given | Uint8Array) => {
  if (!(message instanceof Uint8Array)) {
    sandbox = startSandbox(message.wasm, message.runtime);
    return;
  }
  const answer = Uint8Array.from((sandbox as Sandbox).call(message));
  parentPort?.postMessage(answer, [answer.buffer]);
});
