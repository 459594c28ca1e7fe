/** Writes a generated repository: `node __tests__/bench/write.mjs LAYOUT COUNT FOLDER [SEED]`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { generate } from './generate.mjs';

export function write(files, folder) {
  const made = new Set();
  for (const [path, text] of files) {
    const to = join(folder, path);
    if (!made.has(dirname(to))) mkdirSync(dirname(to), { recursive: true });
    made.add(dirname(to));
    writeFileSync(to, text);
  }
}

if (argv[1] === new URL(import.meta.url).pathname) {
  const [layout, count, folder, seed = '1'] = argv.slice(2);
  write(generate(layout, Number(count), Number(seed)), folder);
}
