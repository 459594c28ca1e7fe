/** `customizer-lint rules [ID]`: the table of rules, or the page of one, without a network. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configSchema } from '../config/schema.js';
import { UsageError } from '../core/model.js';
import { nearMiss } from '../core/suggest.js';
import { rules as all } from '../rules/index.js';
import type { Program } from './program.js';
import type { Call } from './root.js';

export async function rules({ operands: [id], values }: Call, program: Program): Promise<number> {
  const format = values.format?.[0] ?? 'text';
  if (id !== undefined) program.stdout.write(page(id, program.home));
  else if (format === 'schema') program.stdout.write(`${JSON.stringify(configSchema(all), null, 2)}\n`);
  else if (format === 'json') program.stdout.write(`${JSON.stringify(all.map(describe), null, 2)}\n`);
  else program.stdout.write(table());
  return 0;
}

function describe({ id, severity, summary, needsBase, options = {} }: (typeof all)[number]) {
  return { id, severity, summary, needsBase: needsBase ?? false, options };
}

function table(): string {
  const width = Math.max(...all.map(({ id }) => id.length));
  const lines = all.map(({ id, severity, summary }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${summary}`);
  return `${lines.join('\n')}\n\ncustomizer-lint rules ID prints the page of a rule\n`;
}

function page(id: string, home: string): string {
  const ids = all.map((rule) => rule.id);
  if (ids.includes(id)) return readFileSync(join(home, 'src', 'rules', id, 'README.md'), 'utf8');
  throw new UsageError(`there is no rule "${id}"; ${nearMiss(id, ids, 'customizer-lint rules lists them')}`);
}
