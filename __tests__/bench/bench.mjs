/**
 * Measures the engine on generated repositories: `npm run bench [-- --layouts flat,nested --sizes 100,1000 --engines wasm,native]`.
 *
 * Compared in one run, since only then do ratios mean anything: the shipped WebAssembly module (its start subtracted), the same
 * engine as a program, kustomize as it is released, and the `kustomize` command where one is installed. The SHA-256 of every
 * output must be the same. The exponent is that of the time from one size to the next: 1 is linear, 2 quadratic.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generate, layoutNames } from './generate.mjs';
import { write } from './write.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const engine = join(root, 'src/engine');

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    layouts: { type: 'string', default: layoutNames.join(',') },
    sizes: { type: 'string', default: '100,1000' },
    engines: { type: 'string', default: 'wasm,native,unpatched,kustomize' },
    runs: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});

/** Above this many objects kustomize as released takes minutes; ask for it by name. */
const manyObjects = 3000;

const commands = {
  wasm: (folder) => ({ command: execPath, args: [fileURLToPath(new URL('wasm.mjs', import.meta.url)), folder] }),
  native: (folder) => ({
    command: native(),
    args: ['-root', folder, '-path', 'clusters/prod', '-output', 'digest', '-stats'],
  }),
  unpatched: (folder) => ({
    command: unpatched(),
    args: ['-root', folder, '-path', 'clusters/prod', '-output', 'digest', '-stats'],
  }),
  kustomize: (folder) =>
    spawnSync('kustomize', ['version']).status === 0
      ? {
          command: 'kustomize',
          args: [
            'build',
            '--reorder',
            'none',
            '--load-restrictor',
            'LoadRestrictionsNone',
            join(folder, 'clusters/prod'),
          ],
        }
      : undefined,
};

let nativePath;
function native() {
  nativePath ??= execFileSync(execPath, [join(root, 'src/build/engine.mjs'), '--native'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  return nativePath;
}

let unpatchedPath;
function unpatched() {
  if (unpatchedPath === undefined) {
    unpatchedPath = join(engine, '.build/unpatched');
    execFileSync('go', ['build', '-p=2', '-o', unpatchedPath, './cmd/unpatched'], {
      cwd: join(engine, 'parity'),
      stdio: 'inherit',
    });
  }
  return unpatchedPath;
}

/** Runs once; the digest tells that it did what the others do. */
function measure(name, folder) {
  const run = commands[name](folder);
  if (!run) return undefined;
  const began = performance.now();
  const {
    status,
    stdout: out,
    stderr: err,
  } = spawnSync(run.command, run.args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const seconds = (performance.now() - began) / 1000;
  if (status !== 0) throw new Error(`${name}: ${err.slice(0, 2000)}`);
  if (name === 'kustomize') return { seconds };
  if (name === 'wasm') return JSON.parse(out);
  return { sha256: out.trim(), ...JSON.parse(err.trim().split('\n').at(-1)) };
}

function main() {
  const engines = values.engines.split(',');
  const sizes = values.sizes.split(',').map(Number);
  const named = argv.some((arg) => arg.startsWith('--engines'));
  const width = [12, 8, 11, 9, 7, 9];
  const row = (cells) =>
    stdout.write(`${cells.map((cell, i) => (i < 1 ? cell.padEnd(width[i]) : cell.padStart(width[i]))).join(' ')}\n`);
  row(['layout', 'objects', 'engine', 'seconds', 'MiB', 'exponent']);
  let failed = false;
  for (const layout of values.layouts.split(',')) {
    const last = {};
    for (const size of sizes) {
      const folder = mkdtempSync(join(tmpdir(), 'bench-'));
      write(generate(layout, size, Number(values.seed)), folder);
      const digests = new Set();
      for (const name of engines) {
        if (size > manyObjects && !named && (name === 'unpatched' || name === 'kustomize')) continue;
        let best;
        for (let i = 0; i < Number(values.runs); i++) {
          const result = measure(name, folder);
          if (!result) break;
          if (result.sha256) digests.add(result.sha256);
          if (!best || result.seconds < best.seconds) best = result;
        }
        if (!best) continue;
        const before = last[name];
        const exponent = before ? Math.log(best.seconds / before.seconds) / Math.log(size / before.size) : undefined;
        row([
          layout,
          String(size),
          name,
          best.seconds.toFixed(2),
          String(best.mebibytes ?? '-'),
          exponent?.toFixed(2) ?? '-',
        ]);
        last[name] = { seconds: best.seconds, size };
      }
      if (digests.size > 1) {
        stderr.write(`${layout} ${size}: the outputs differ\n`);
        failed = true;
      }
      rmSync(folder, { recursive: true });
    }
  }
  return failed ? 1 : 0;
}

if (!existsSync(join(root, 'dist/engine/render.wasm.br'))) throw new Error('no module: npm run build:engine');
exit(main());
