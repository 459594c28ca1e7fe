// Writes `schemas/cozystack/tables.json` from the tables beside it that people write: every run needs them, and YAML takes a tenth of a
// second to read. `--check` only compares.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const folder = fileURLToPath(new URL('../../schemas/cozystack', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .sort();
const tables = names.map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return [name, { sha256: createHash('sha256').update(text).digest('hex'), table: parse(text) }];
});
const target = join(folder, 'tables.json');
const text = `${JSON.stringify(Object.fromEntries(tables))}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('schemas/cozystack/tables.json is stale: npm run build:rules');
  process.exitCode = 1;
}
