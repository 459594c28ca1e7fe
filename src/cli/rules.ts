/** `customizer-lint rules [ID]`: the rules by group, or the page of one, without a network. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configSchema } from '../config/schema.js';
import { readTool } from '../core/version.js';
import { groups } from '../rules/groups.js';
import { rules as all } from '../rules/index.js';
import { pageUrl } from '../rules/page.js';
import { knownRule } from './narrow.js';
import type { Program } from './program.js';
import type { Call } from './root.js';
import { columnsOf, wrapped } from './wrap.js';

export async function rules({ operands: [id], values }: Call, program: Program): Promise<number> {
  const format = values.format?.[0] ?? 'text';
  if (id !== undefined) program.stdout.write(page(id, program.home));
  else if (format === 'schema') program.stdout.write(`${JSON.stringify(configSchema(all), null, 2)}\n`);
  else if (format === 'json')
    program.stdout.write(
      `${JSON.stringify(
        all.map((rule) => describe(rule, program.home)),
        null,
        2,
      )}\n`,
    );
  else program.stdout.write(table(columnsOf(program.stdout)));
  return 0;
}

function describe({ id, group, severity, summary, needsBase, options = {} }: (typeof all)[number], home: string) {
  return { id, group, severity, summary, url: pageUrl(id, readTool(home)), needsBase: needsBase ?? false, options };
}

/** In lines of at most so many columns. */
function table(columns: number): string {
  const width = Math.max(...all.map(({ id }) => id.length));
  const rowOf = ({ id, severity, summary }: (typeof all)[number]) => {
    const head = `  ${id.padEnd(width)}  ${severity.padEnd(7)}  `;
    const [first, ...more] = wrapped(summary, columns - head.length);
    return [`${head}${first}`, ...more.map((line) => `${' '.repeat(head.length)}${line}`)];
  };
  const blocks = Object.entries(groups).map(([name, about]) =>
    [
      ...wrapped(`${name}: ${lowered(about)}`, columns),
      ...all.filter(({ group }) => group === name).flatMap(rowOf),
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n\ncustomizer-lint rules ID prints the page of a rule\n`;
}

/** The words of a heading within a line. */
const lowered = (text: string) =>
  /^[A-Z][a-z]+[A-Z]|^Packages/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

function page(id: string, home: string): string {
  return readFileSync(join(home, 'src', 'rules', knownRule(id), 'README.md'), 'utf8');
}
