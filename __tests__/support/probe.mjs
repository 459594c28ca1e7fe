// Runs the probe module (src/engine/cmd/probe) and prints what it got hold of, as JSON.
// `node probe.mjs MODULE sandbox|open`: in the engine's own thread, or in the open, to see that the probe can bite.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, constants } from 'node:zlib';

const [module, where] = process.argv.slice(2);
const home = new URL('../../dist/engine/', import.meta.url);
const wasm = readFileSync(module);
const answer = await (where === 'sandbox' ? inWorker() : inTheOpen());
console.log(JSON.stringify(JSON.parse(Buffer.from(answer).toString()).reached));
process.exit(0);

function inWorker() {
  const runtime = readFileSync(new URL('wasm_exec.js', home), 'utf8');
  const worker = new Worker(new URL('worker.js', home), { env: {}, argv: [], execArgv: [] });
  const packed = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  worker.postMessage({ packed, runtime });
  worker.postMessage({ pages: 1 << 14, optimizes: false });
  return new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.postMessage(new Uint8Array(1));
  });
}

async function inTheOpen() {
  await import(new URL('wasm_exec.js', home));
  const go = new globalThis.Go();
  const ready = new Promise((resolve) => {
    globalThis.__engineReady = resolve;
  });
  const { instance } = await WebAssembly.instantiate(wasm, go.importObject);
  go.run(instance);
  return (await ready)(new Uint8Array(1));
}
