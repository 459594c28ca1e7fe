/**
 * An engine in a process of its own, for here.ts: with it in theirs, the tests take long to start others (git, above all), as the
 * system copies what it knows of gigabytes each time. Frames come in and answers go out; it ends with who started it.
 *
 * Where `npm test` has built them (ENGINE_PROGRAMS), the engines are the same Go code as programs, which answer in a fraction of the
 * time. The suites that start processes run the modules; engine/program.test.ts holds the one against its program, engine/apply.test.ts
 * the other against a real server.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { framed, frames } from '../../src/engine/smoke/frames.mjs';

const [home, name] = process.argv.slice(2);
const programs = process.env.ENGINE_PROGRAMS;
const answer = (/** @type {Uint8Array} */ bytes) => process.send?.(bytes);
const postMessage = programs ? startProgram(programs) : startModule();
process.on('message', (frame) => postMessage(/** @type {Uint8Array} */ (frame)));
process.on('disconnect', () => process.exit());

/** What sends a frame to it. */
function startModule() {
  const worker = new Worker(join(home, 'worker.js'), { env: {}, argv: [], execArgv: [], stdin: false });
  const packed = readFileSync(join(home, `${name}.wasm.br`));
  worker.postMessage({ packed, runtime: readFileSync(join(home, 'wasm_exec.js'), 'utf8') });
  worker.postMessage({ pages: 1 << 16, optimizes: false });
  worker.on('message', answer);
  return (/** @type {Uint8Array} */ frame) => {
    const own = Uint8Array.from(frame);
    worker.postMessage(own, [own.buffer]);
  };
}

function startProgram(/** @type {string} */ folder) {
  const shipped = `programs/${process.platform}-${process.arch}/${name}`;
  const [file, args] = name === 'render' ? ['native', ['-serve']] : [shipped, []];
  const child = spawn(join(folder, file), args, { env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('exit', (code) => process.exit(code ?? 1));
  tellAnswers(child.stdout, name === 'render' ? 0 : 1);
  return (/** @type {Uint8Array} */ frame) => child.stdin.write(framed(frame));
}

/** But for the first ones: what is shipped says whether it is locked in. */
async function tellAnswers(/** @type {import('node:stream').Readable} */ stdout, /** @type {number} */ first) {
  let read = 0;
  for await (const bytes of frames(stdout)) if (read++ >= first) answer(Uint8Array.from(bytes));
}
