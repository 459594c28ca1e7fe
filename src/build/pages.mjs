// Fills "Bad", "Report" and "Good" of every rule's page from its fixtures, so that no example can rot. `--check` only compares.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const rules = fileURLToPath(new URL('../rules/', import.meta.url));
const fixtures = fileURLToPath(new URL('../../__tests__/rules/', import.meta.url));

for (const id of readdirSync(rules).filter((name) => existsSync(join(rules, name, 'rule.ts')))) {
  const file = join(rules, id, 'README.md');
  const page = readFileSync(file, 'utf8');
  const middle = [
    '## Bad',
    files(join(fixtures, id, 'bad')),
    '## Report',
    fence(report(id), 'text'),
    '## Good',
    files(join(fixtures, id, 'good')),
  ];
  const filled = page.replace(/## Bad\n[\s\S]*?(?=\n## When to ignore it)/, `${middle.join('\n\n')}\n`);
  if (!process.argv.includes('--check')) writeFileSync(file, filled);
  else if (filled !== page) {
    console.error(`src/rules/${id}/README.md is stale: npm run build:rules`);
    process.exitCode = 1;
  }
}

/** Without the closing words: what was assumed and rendered is the same on every page. */
function report(id) {
  return readFileSync(join(fixtures, id, 'bad.txt'), 'utf8').split(/\n\n(?=\d+ (?:error|warning|notice))/)[0];
}

function files(folder) {
  return walk(folder)
    .map(
      (file) =>
        `\`${relative(folder, file)}\`\n\n${fence(readFileSync(file, 'utf8'), file.endsWith('.md') ? 'text' : 'yaml')}`,
    )
    .join('\n\n');
}

function walk(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((file) => (statSync(file).isDirectory() ? walk(file) : [file]));
}

function fence(text, language) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
