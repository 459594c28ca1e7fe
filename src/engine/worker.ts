/** The engine's thread. It is given the module's bytes and then answers frames, one at a time; it has no other input. */
import { parentPort, workerData } from 'node:worker_threads';
import { startSandbox } from './sandbox.js';

const { wasm, runtime } = workerData as { wasm: Uint8Array; runtime: string };
const sandbox = startSandbox(wasm, runtime);

parentPort?.on('message', (frame: Uint8Array) => {
  const answer = Uint8Array.from(sandbox.call(frame));
  parentPort?.postMessage(answer, [answer.buffer]);
});
