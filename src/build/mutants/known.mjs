/**
 * The mutants of `__tests__/mutants/known.json`: bugs that somebody thought of as plausible, each put in by itself and run against
 * the suites that should see it.
 *
 *     npm run test:mutants:known [-- ID…]
 *
 * Ends with 1 where one of them survives that is not marked as equivalent, or where the text to be replaced is not there once.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, copyCheckout, jest, root, temporaryCopy } from './checkout.mjs';

const copy = temporaryCopy();
const wanted = process.argv.slice(2);
const all = JSON.parse(readFileSync(join(root, '__tests__', 'mutants', 'known.json'), 'utf8')).filter(
  ({ id }) => wanted.length === 0 || wanted.includes(id),
);

copyCheckout(copy);
bundle(copy);
const counts = { caught: 0, survived: 0, equivalent: 0 };
for (const { id, file, from, to, what, suites, rule, equivalent } of all) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${id}: "${from}" is not once in ${file}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  bundle(copy);
  const { ok, isLate, by, said } = await jest(
    copy,
    suites.map((suite) => `__tests__/${suite}.test.ts`),
    { seconds: 900, env: rule ? { RULE: rule } : {} },
  );
  writeFileSync(path, source);
  // A suite that cannot even run says nothing.
  if (!ok && /Test suite failed to run/.test(said)) throw new Error(`${id}: ${said.slice(0, 2000)}`);
  const outcome = ok ? (equivalent ? 'equivalent' : 'survived') : 'caught';
  counts[outcome] += 1;
  console.log(
    `${id.padEnd(4)} ${outcome}: ${what}${ok ? (equivalent ? ` (${equivalent})` : '') : `, by ${isLate ? 'the clock' : by}`}`,
  );
}
console.log(`${counts.caught} caught, ${counts.survived} survived, ${counts.equivalent} equivalent`);
process.exitCode = counts.survived > 0 ? 1 : 0;
