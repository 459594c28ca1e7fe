/**
 * An engine in a process of its own, for here.ts: with it in theirs, the tests take long to start others (git, above all), as the
 * system copies what it knows of gigabytes each time. Frames come in and answers go out; it ends with who started it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';

const [home, name] = process.argv.slice(2);
// As the product has them (baselineOnly).
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--wasm-lazy-validation'])
  v8.setFlagsFromString(flag);
const wasm = new Uint8Array(brotliDecompressSync(readFileSync(join(home, `${name}.wasm.br`))));
const worker = new Worker(join(home, 'worker.js'), { env: {}, argv: [], execArgv: [], stdin: false });
worker.postMessage({ wasm, runtime: readFileSync(join(home, 'wasm_exec.js'), 'utf8') }, [wasm.buffer]);
worker.on('message', (answer) => process.send?.(answer));
process.on('message', (frame) => {
  const own = Uint8Array.from(/** @type {Uint8Array} */ (frame));
  worker.postMessage(own, [own.buffer]);
});
process.on('disconnect', () => process.exit());
