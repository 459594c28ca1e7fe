// Prints what came of the evasions by each thing that was chosen: `node __tests__/end-to-end/evasion/table.mjs REPORT` (see evasion.test.ts).
import { readFileSync } from 'node:fs';

const rows = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const table = new Map([['all', {}]]);
for (const { labels, outcome, applied, isRedForIt, status } of rows) {
  for (const label of ['all', ...new Set(labels.filter((one) => !/^(?:writing|folder|kustomization): /.test(one)))]) {
    const counts = table.get(label) ?? {};
    table.set(label, counts);
    const count = (key) => {
      counts[key] = (counts[key] ?? 0) + 1;
    };
    count('cases');
    count(outcome);
    if (applied === true) count('applied');
    if (applied === true && status !== 0 && !isRedForIt) count('red for another reason');
  }
}
const columns = ['cases', 'applied', 'missed', 'false alarm', 'silent', 'failed', 'red for another reason'];
console.log(`| what | ${columns.join(' | ')} |\n|---|${columns.map(() => '--:|').join('')}`);
for (const [label, counts] of [...table].sort(([, a], [, b]) => (b.missed ?? 0) - (a.missed ?? 0)))
  console.log(`| ${label.replaceAll('|', '\\|')} | ${columns.map((one) => counts[one] ?? '').join(' | ')} |`);
for (const outcome of ['missed', 'false alarm', 'silent', 'failed'])
  console.log(
    `\n${outcome}: ${rows
      .filter((row) => row.outcome === outcome)
      .map(({ n }) => n)
      .join(' ')}`,
  );
