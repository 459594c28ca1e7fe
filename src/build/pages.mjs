// Fills "Bad", "Report" and "Good" of every rule's page from its fixtures, so that no example can rot. `--check` only compares.
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './source.mjs';

const rules = fileURLToPath(new URL('../rules/', import.meta.url));
const fixtures = fileURLToPath(new URL('../../__tests__/rules/', import.meta.url));

const ids = readdirSync(rules).filter((name) => existsSync(join(rules, name, 'rule.ts')));

for (const id of ids) {
  const examples = [
    '## Bad',
    files(join(fixtures, id, 'bad')),
    '## Report',
    fence(report(id), 'text'),
    '## Good',
    files(join(fixtures, id, 'good')),
  ];
  update(join(rules, id, 'README.md'), (page) =>
    page
      .replace(/## Bad\n[\s\S]*?(?=\n## When to ignore it)/, () => `${examples.join('\n\n')}\n`)
      .replace(/^# .*\n[\s\S]*?(?=\n## )/, () => `# ${id}\n\n${aboutOf(id)}\n`),
  );
}

/** `**error**, ownership: a Package of …` */
function aboutOf(id) {
  const { severity, group, summary } = described(id);
  return `**${severity}**, ${group}: ${summary}.`;
}

/** What the table of rules says of it, from its source. */
function described(id) {
  const source = readFileSync(join(rules, id, 'rule.ts'), 'utf8');
  const [, severity] = /severity: '(\w+)'/.exec(source);
  const [, group] = /group: '(\w+)'/.exec(source);
  const [, , summary] = /summary:\s*(['"])((?:(?!\1).)+)\1/.exec(source);
  return { severity, group, summary };
}

function update(file, fill) {
  const page = readFileSync(file, 'utf8');
  const filled = fill(page);
  if (!process.argv.includes('--check')) writeFileSync(file, filled);
  else if (filled !== page) {
    console.error(`${file} is stale: npm run build:rules`);
    process.exitCode = 1;
  }
}

/** Without the closing words: what was assumed and rendered is the same on every page. */
function report(id) {
  return readFileSync(join(fixtures, id, 'bad.txt'), 'utf8').split(/\n\n(?=\d+ (?:error|warning|notice))/)[0];
}

function files(folder) {
  const shown = (file) => `\`${relative(folder, file)}\``;
  const language = (file) => (/\.md$|\.sourceignore$/.test(file) ? 'text' : 'yaml');
  return walk(folder)
    .map((file) =>
      isLink(file)
        ? `${shown(file)}, a symbolic link to \`${readlinkSync(file)}\``
        : `${shown(file)}\n\n${fence(readFileSync(file, 'utf8'), language(file))}`,
    )
    .join('\n\n');
}

function walk(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((file) => (!isLink(file) && statSync(file).isDirectory() ? walk(file) : [file]));
}

function isLink(file) {
  return lstatSync(file).isSymbolicLink();
}

function fence(text, language) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

// The README shows the first finding of the example as it is printed, and the commands; docs/rules.md the table of rules.
const rulesPage = fileURLToPath(new URL('../../docs/rules.md', import.meta.url));
const readme = fileURLToPath(new URL('../../README.md', import.meta.url));
const example = readFileSync(fileURLToPath(new URL('../../__tests__/examples/broken.txt', import.meta.url)), 'utf8');
const { groups } = await importSource('src/rules/groups.ts');
const sections = { report: fence(example.split('\n\n')[0], 'text'), commands: fence(await usage(), 'text') };
update(readme, (text) => Object.entries(sections).reduce((all, [name, content]) => section(all, name, content), text));
update(rulesPage, (text) => section(text, 'rules', table()));
const trustPage = fileURLToPath(new URL('../../docs/trust.md', import.meta.url));
const { effectRows } = await importSource('src/effects/table.ts');
update(trustPage, (text) => section(text, 'effects', effectTable(effectRows)));

/** docs/trust.md prints the table of effects, a row for each kind and field. */
function effectTable(rows) {
  const lines = rows.map(({ effect, kinds, fields, own }) => `| ${effect} | ${kinds} | ${fields} | ${own ?? '-'} |`);
  return ['| effect | kinds | fields | on a branch of the repository |', '|---|---|---|---|', ...lines].join('\n');
}

/** What `--help` says of the commands. From the source: what is built may be older. */
async function usage() {
  const { help } = await importSource('src/cli/help.ts');
  return /(?<=^Commands\n)[\s\S]*?(?=\n\n)/m.exec(help())[0].replace(/^ {2}/gm, '');
}

function section(text, name, content) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  return `${text.slice(0, text.indexOf(start) + start.length)}\n${content}\n${text.slice(text.indexOf(end))}`;
}

function table() {
  const tables = Object.entries(groups).map(([name, about]) => {
    const rows = ids.flatMap((id) => {
      const { severity, group, summary } = described(id);
      return group === name ? [`| [${id}](../src/rules/${id}/README.md) | ${severity} | ${summary} |`] : [];
    });
    return [`### ${about} (\`${name}\`)\n`, '| rule | severity | what it finds |', '|---|---|---|', ...rows].join('\n');
  });
  return tables.join('\n\n');
}
