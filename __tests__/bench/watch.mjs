/**
 * How long `check --watch` takes from the write of one file to the end of its report, among generated objects, beside the whole command
 * on the same files: `node __tests__/bench/watch.mjs [--layouts flat,nested] [--sizes 300] [--rounds 20]`. Milliseconds: the median and the
 * 95th percentile of the rounds.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from './check.mjs';
import { generate } from './generate.mjs';
import { write } from './write.mjs';

async function rounds(cli, folder, file, count) {
  const child = spawn(execPath, [cli, 'check', folder, '--path', 'clusters/prod', '-q', '--watch'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let wake;
  child.stderr.on('data', (text) => {
    if (String(text).includes('waiting for a change')) wake();
  });
  const next = () =>
    new Promise((resolve) => {
      wake = resolve;
    });
  await next();
  const times = [];
  for (let round = 0; round < count; round++) {
    // As a person does, and the engines are started by then.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    appendFileSync(file, '# \n');
    await next();
    times.push(performance.now() - began);
  }
  child.kill('SIGINT');
  return times.sort((one, other) => one - other);
}

export async function measureWatch({ layouts, sizes, count }) {
  const home = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const cli = install(home);
    stdout.write('watch: one changed file\n    layout objects   cold    p50    p95 ms\n');
    for (const layout of layouts)
      for (const size of sizes) {
        const folder = join(home, 'repository');
        const files = generate(layout, size, 1);
        write(files, folder);
        const [changed] = [...files.keys()].filter((file) => !file.endsWith('kustomization.yaml'));
        const began = performance.now();
        spawnSync(execPath, [cli, 'check', folder, '--path', 'clusters/prod', '-q']);
        const cold = performance.now() - began;
        const times = await rounds(cli, folder, join(folder, changed), count);
        const at = (share) => times[Math.min(count - 1, Math.floor(count * share))];
        const cells = [cold, at(0.5), at(0.95)].map((ms) => ms.toFixed(0).padStart(6));
        stdout.write(`${layout.padStart(10)} ${String(size).padStart(7)} ${cells.join(' ')}\n`);
        rmSync(folder, { recursive: true });
      }
  } finally {
    rmSync(home, { recursive: true });
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      layouts: { type: 'string', default: 'flat,nested' },
      sizes: { type: 'string', default: '300' },
      rounds: { type: 'string', default: '20' },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  await measureWatch({ layouts: values.layouts.split(','), sizes, count: Number(values.rounds) });
}
