/**
 * Whether the tests test: all suites that run the command or the action, against products that do nothing of the kind.
 *
 *     npm run test:meta [-- dead|clean|red …]
 *
 * `dead` only ends with 1, `clean` finds nothing, `red` always finds the same. A test that passes all the same says nothing of the
 * product; those that are not about it are listed in `__tests__/mutants/passing.json`, each with the reason. Ends with 1 where
 * another passes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { copyCheckout, jestReport, root } from './checkout.mjs';

const copy = join(homedir(), '.cache', 'customizer-lint', 'mutants', 'meta', 'checkout');
const finding = {
  ...{
    rule: 'dead-patch',
    severity: 'error',
    message: 'm',
    file: 'a.yaml',
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 2,
  },
  ...{ precision: 'exact', field: [], related: [], entrypoints: ['.'], fingerprint: '0'.repeat(32), isNew: true },
};
const reportOf = (findings) => ({
  ...{ findings, ignored: [], entrypoints: [{ path: '.', rendered: true, objects: 1 }], facts: [], stages: [] },
});
const products = {
  dead: { text: '', status: 1 },
  clean: {
    text: `${JSON.stringify(reportOf([]), null, 2)}\nNo problems found in 1 object from 1 entrypoint\n`,
    status: 0,
  },
  red: {
    text: `${JSON.stringify(reportOf([finding]), null, 2)}\nerror[dead-patch]: m\n  --> a.yaml:1:1\n\n1 error\n`,
    status: 1,
  },
};
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(products);
const excused = JSON.parse(readFileSync(join(root, '__tests__', 'mutants', 'passing.json'), 'utf8'));

/** Suites that go through an edge of the product, by themselves or by a helper. */
function suites() {
  const folder = join(copy, '__tests__');
  const edges = /support\/(cli|here|runner|measured)\.js|dist\/(cli|action)\/index/;
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('cluster/'))
    .filter((file) => /\b(runCli|runHere|runAction|runMeasured)\b/.test(readFileSync(join(folder, file), 'utf8')))
    .filter((file) => edges.test(readFileSync(join(folder, file), 'utf8')))
    .map((file) => `__tests__/${file}`);
}

let isGood = true;
copyCheckout(copy);
for (const name of wanted) {
  const { text, status } = products[name];
  const main = `export async function main(_argv, program) { (program ?? process).stdout.write(${JSON.stringify(text)}); return ${status}; }\n`;
  writeFileSync(join(copy, 'src/commands/main.ts'), `// @ts-nocheck\n${main}`);
  for (const folder of ['cli', 'action']) {
    mkdirSync(join(copy, 'dist', folder), { recursive: true });
    writeFileSync(
      join(copy, 'dist', folder, 'index.js'),
      `process.stdout.write(${JSON.stringify(text)}, () => process.exit(${status}));\n`,
    );
  }
  execFileSync('git', ['add', '-A'], { cwd: copy });
  const tests = await jestReport(copy, suites(), join(copy, '..', `${name}.json`));
  const passing = tests.filter(({ status: how }) => how === 'passed');
  const reasonOf = ({ suite, title }) =>
    excused.find((one) => one.suite === suite && (one.title === undefined || title.startsWith(one.title)))?.why;
  const bad = passing.filter((one) => reasonOf(one) === undefined);
  console.log(`${name}: ${tests.length} tests, ${passing.length} pass, ${bad.length} of them without a reason`);
  for (const { suite, title } of bad) console.log(`  ${suite}: ${title}`);
  isGood &&= bad.length === 0;
}
process.exitCode = isGood ? 0 : 1;
