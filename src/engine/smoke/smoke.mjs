/**
 * Runs the committed module on a repository: `node src/engine/smoke/smoke.mjs REPOSITORY [PATH] [OUTPUT]`.
 *
 * In this thread and without a budget; thread.ts is the real host.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit, stdout } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import { importSource } from '../../build/source.mjs';

const dist = new URL('../../../dist/engine/', import.meta.url);

/** Starts the module; the call takes a frame and returns the bytes of the answer. */
export async function startRaw(bytes = brotliDecompressSync(readFileSync(new URL('render.wasm.br', dist)))) {
  const { startSandbox } = await importSource('src/engine/host/sandbox.ts');
  return startSandbox(bytes, readFileSync(new URL('wasm_exec.js', dist), 'utf8')).call;
}

/** The same for chunks, with the answer parsed. */
export async function start(bytes) {
  const call = await startRaw(bytes);
  return (...chunks) => JSON.parse(Buffer.from(call(frame(chunks))).toString('utf8'));
}

/** Each chunk behind its length; objects are sent as JSON. */
export function frame(chunks) {
  return Buffer.concat(
    chunks.flatMap((chunk) => {
      const bytes = Buffer.isBuffer(chunk)
        ? chunk
        : Buffer.from(typeof chunk === 'string' ? chunk : JSON.stringify(chunk));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** Every regular file below a folder as path, content, path, content … */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .flatMap((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path)]);
}

if (argv[1] === new URL(import.meta.url).pathname) {
  const [repository, path = '.', output = 'yaml'] = argv.slice(2);
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
  const call = await start();
  call({ op: 'load' }, ...filesOf(repository));
  const answer = call({ op: 'build', path, kustomization: {}, output });
  stdout.write(output === 'yaml' && answer.ok ? answer.yaml : `${JSON.stringify(answer, null, 2)}\n`);
  exit(answer.ok ? 0 : 1);
}
