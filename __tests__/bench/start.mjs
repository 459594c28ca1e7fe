/**
 * Where the time of a short `check` goes, part by part: `node __tests__/bench/start.mjs [ROUNDS]`. Parts of the start each in a process of
 * its own, in turn, as medians in milliseconds, and with them the whole check of 20 objects with the engines as programs and as modules.
 * `node -e 0` is what any command of Node costs; the parts go on side by side in a check, so that they add up to more than it takes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { fileOf, here, nameOf } from '../../src/build/programs.mjs';
import { install } from './check.mjs';
import { generate } from './generate.mjs';
import { write } from './write.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const unpack = `import { readFileSync } from 'node:fs'; import { brotliDecompressSync } from 'node:zlib';
  let at = performance.now(); const lap = (name) => { const now = performance.now(); took[name] = now - at; at = now; }; const took = {};
  const bytes = brotliDecompressSync(readFileSync('${dist}/engine/render.wasm.br'), { chunkSize: 96 << 20 }); lap('undo brotli');`;

/** Each prints what its parts took, as JSON. */
const parts = {
  bundle: `process.argv.splice(1, Infinity, 'customizer-lint', '--help'); const at = performance.now(); await import('${dist}/cli/index.js');
    process.on('exit', () => console.log(JSON.stringify({ 'load and compile the bundle': performance.now() - at })));`,
  module: `${unpack} import v8 from 'node:v8'; for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--wasm-lazy-validation']) v8.setFlagsFromString(flag);
    const module = new WebAssembly.Module(bytes); lap('compile the module');
    await import('node:fs').then(({ readFileSync }) => (0, eval)(readFileSync('${dist}/engine/wasm_exec.js', 'utf8')));
    const go = new Go(); const instance = new WebAssembly.Instance(module, go.importObject); lap('instantiate it');
    void go.run(instance); lap('Go starts, packages initialize'); console.log(JSON.stringify(took)); process.exit(0);`,
};

/** Reads and hashes what is held against a checksum before an engine starts; a program in pieces, as the command does. */
const comparing = (
  program,
) => `import { createHash } from 'node:crypto'; import { openSync, readFileSync, readdirSync, readSync } from 'node:fs';
  const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex'); let at = performance.now(); const took = {};
  for (const name of readdirSync('${dist}/cli')) hash('${dist}/cli/' + name);
  const bundle = performance.now() - at; at = performance.now();
  for (const name of ['worker.js', 'wasm_exec.js', 'render.wasm.br']) hash('${dist}/engine/' + name);
  took['compare checksums of bundle and module'] = bundle + performance.now() - at; at = performance.now();
  const sum = createHash('sha256'); const piece = Buffer.allocUnsafe(1 << 18); const file = openSync('${program}');
  for (let length; (length = readSync(file, piece)) > 0; ) sum.update(piece.subarray(0, length)); sum.digest('hex');
  took['of bundle and program'] = bundle + performance.now() - at; console.log(JSON.stringify(took));`;

function once(args, input) {
  const began = performance.now();
  const { stdout: text } = spawnSync(execPath, args, { input, encoding: 'utf8' });
  return { took: performance.now() - began, text };
}

export function measureStart(rounds) {
  const home = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const [cli, folder] = [install(home), join(home, 'repository')];
    write(generate('flat', 20, 1), folder);
    const all = [...Object.values(parts), comparing(join(home, 'node_modules', nameOf(here), fileOf('render', here)))];
    const found = {};
    const add = (name, took) => {
      found[name] = [...(found[name] ?? []), took];
    };
    for (let round = 0; round < rounds; round++) {
      add('node -e 0', once(['-e', '0']).took);
      add('the command, which says its version', once([cli, '--version']).took);
      for (const code of all)
        for (const [name, took] of Object.entries(
          JSON.parse(once(['--input-type=module', '-e', code]).text.split('\n').findLast(Boolean)),
        ))
          add(name, took);
      for (const engine of ['native', 'wasm'])
        add(`check of 20 objects, ${engine}`, once([cli, 'check', folder, '-q', '--engine', engine]).took);
    }
    stdout.write('start: milliseconds\n');
    for (const [name, times] of Object.entries(found))
      stdout.write(`${median(times).toFixed(0).padStart(7)}  ${name}\n`);
  } finally {
    rmSync(home, { recursive: true });
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) measureStart(Number(argv[2] ?? 9));
