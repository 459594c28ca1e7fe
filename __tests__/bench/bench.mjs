/**
 * Measures the engine on generated repositories: `npm run bench [-- --layouts flat,nested --sizes 100,1000 --engines wasm,native]`.
 *
 * Compared in one run, since only then do ratios mean anything: the shipped WebAssembly module (its start subtracted), the same
 * engine as a program, kustomize as it is released, and the `kustomize` command where one is installed. The SHA-256 of every
 * output must be the same. The exponent is that of the time from one size to the next: 1 is linear, 2 quadratic. Origins: how
 * many times a build takes that also says where every field comes from, against one that hands over the objects alone; both are
 * run in turn, `--runs` times, and the fastest of each counts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import { measureChange } from './change.mjs';
import { measureCharts } from './charts.mjs';
import { measureCheck } from './check.mjs';
import { measureDryRun } from './dry-run.mjs';
import { generate, layoutNames } from './generate.mjs';
import { measureRules } from './rules.mjs';
import { measureSimulation } from './simulation.mjs';
import { measureWatch } from './watch.mjs';
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
  wasm: (folder, origins) => ({
    command: execPath,
    args: [fileURLToPath(new URL('wasm.mjs', import.meta.url)), folder, String(origins)],
  }),
  native: (folder, origins) => ({
    command: native(),
    args: ['-root', folder, '-path', 'clusters/prod', '-output', 'objects', `-origins=${origins}`, '-stats'],
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
      env: goEnv(),
      stdio: 'inherit',
    });
  }
  return unpatchedPath;
}

/** Runs once; the digest tells that it did what the others do. */
function measure(name, folder, origins) {
  const run = commands[name](folder, origins);
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
  const sha256 = name === 'native' ? /"sha256":"(\w+)"/.exec(out)[1] : out.trim();
  return { sha256, ...JSON.parse(err.trim().split('\n').at(-1)) };
}

/** Only ours know where fields come from. */
const knowsOrigins = new Set(['wasm', 'native']);

/** The fastest of all runs, and of those without origins; undefined where the engine is not there. */
function fastest(name, folder, digests) {
  const best = {};
  for (let i = 0; i < Number(values.runs); i++) {
    for (const origins of knowsOrigins.has(name) ? [true, false] : [true]) {
      const result = measure(name, folder, origins);
      if (!result) return undefined;
      if (result.sha256) digests.add(result.sha256);
      if (!best[origins] || result.seconds < best[origins].seconds) best[origins] = result;
    }
  }
  return { ...best.true, without: best.false?.seconds };
}

const widths = [12, 8, 11, 9, 7, 9, 9];
function printRow(cells) {
  stdout.write(`${cells.map((cell, i) => (i < 1 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' ')}\n`);
}

async function main() {
  const named = argv.some((arg) => arg.startsWith('--engines'));
  printRow(['layout', 'objects', 'engine', 'seconds', 'MiB', 'exponent', 'origins']);
  let failed = false;
  for (const layout of values.layouts.split(',')) {
    const last = {};
    for (const size of values.sizes.split(',').map(Number)) {
      const folder = mkdtempSync(join(tmpdir(), 'bench-'));
      write(generate(layout, size, Number(values.seed)), folder);
      const digests = new Set();
      for (const name of values.engines.split(',')) {
        if (size > manyObjects && !named && (name === 'unpatched' || name === 'kustomize')) continue;
        const best = fastest(name, folder, digests);
        if (!best) continue;
        const before = last[name];
        const exponent = before && Math.log(best.seconds / before.seconds) / Math.log(size / before.size);
        const origins = best.without && best.seconds / best.without;
        const figures = [best.seconds.toFixed(2), String(best.mebibytes ?? '-')];
        printRow([layout, String(size), name, ...figures, exponent?.toFixed(2) ?? '-', origins?.toFixed(2) ?? '-']);
        last[name] = { seconds: best.seconds, size };
      }
      if (digests.size > 1) {
        stderr.write(`${layout} ${size}: the outputs differ\n`);
        failed = true;
      }
      rmSync(folder, { recursive: true });
    }
  }
  measureRules();
  measureSimulation();
  if (hasGo()) await measureDryRun();
  const sizes = [20, 100, 300, 1000, 10_000];
  if (hasGo()) {
    measureCheck({ layouts: values.layouts.split(','), sizes, names: ['own', 'catalog'], rounds: 3 });
    measureCheck({ layouts: ['definitions'], sizes: [19], names: ['own'], rounds: 3 });
  }
  measureChange({ layouts: ['nested'], sizes: [100], rounds: 7 });
  measureCharts(3);
  await measureWatch({ layouts: ['flat', 'nested'], sizes: [300], count: 20 });
  return failed ? 1 : 0;
}

if (!existsSync(join(root, 'dist/engine/render.wasm.br'))) throw new Error('no module: npm run build:engine');
exit(await main());
