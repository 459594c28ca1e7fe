/** The engine's thread. It is given the module's bytes and then answers frames, one at a time; it has no other input. */
import { parentPort, workerData } from 'node:worker_threads';
import { startSandbox } from './sandbox.js';

const given = workerData as { wasm: Uint8Array | undefined; runtime: string };
const sandbox = startSandbox(given.wasm as Uint8Array, given.runtime);
// They are many, and would be kept as long as the thread.
given.wasm = undefined;

parentPort?.on('message', (frame: Uint8Array) => {
  const answer = Uint8Array.from(sandbox.call(frame));
  parentPort?.postMessage(answer, [answer.buffer]);
});
