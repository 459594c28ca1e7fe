/**
 * Whether the tests test: all suites that run the command or the action, against products that do nothing of the kind.
 *
 *     npm run test:meta [-- dead|clean|red …]
 *
 * `dead` only ends with 1, `clean` finds nothing, `red` always finds the same. A test that runs the product and passes all the same
 * says nothing of it, but for those that `__tests__/mutants/passing.json` lists for a product, each with the reason. Ends with 1
 * where another passes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { copyCheckout, jestReport, needsCluster, root, temporaryCopy } from './checkout.mjs';

const copy = temporaryCopy();
const finding = {
  rule: 'dead-patch',
  severity: 'error',
  message: 'm',
  file: 'a.yaml',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
  precision: 'exact',
  field: [],
  related: [],
  entrypoints: ['.'],
  fingerprint: '0'.repeat(32),
  isNew: true,
};
const reportOf = (findings) => ({
  findings,
  ignored: [],
  entrypoints: [{ path: '.', rendered: true, objects: 1 }],
  facts: [],
  stages: [],
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
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.test.ts') && !needsCluster(file))
    .filter((file) =>
      /\b(runCli|runHere|runAction|runActionHere|runMeasured)\b/.test(readFileSync(join(folder, file), 'utf8')),
    )
    .map((file) => `__tests__/${file}`);
}

/** The helpers by which tests run the product tell which test it was that did. */
function tellWhoRuns() {
  const edges = { cli: 'runCli', here: 'runHere', runner: 'runAction', job: 'runActionHere', measured: 'runMeasured' };
  for (const [file, name] of Object.entries(edges)) {
    const path = join(copy, '__tests__', 'support', `${file}.ts`);
    const text = readFileSync(path, 'utf8');
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
    const body = statements.find((one) => ts.isFunctionDeclaration(one) && one.name?.text === name)?.body;
    if (!body) throw new Error(`${name} is not in ${file}.ts`);
    const start = body.getStart() + 1;
    const lines = [
      "import { appendFileSync as tell } from 'node:fs';",
      "import { expect as current } from '@jest/globals';",
      text.slice(0, start),
      '  const { testPath, currentTestName } = current.getState();',
      `  tell(${JSON.stringify(ran)}, JSON.stringify([testPath, currentTestName]) + '\\n');`,
      text.slice(start),
    ];
    writeFileSync(path, lines.join('\n'));
  }
}

const ran = join(copy, '..', 'ran.jsonl');
let isGood = true;
copyCheckout(copy);
tellWhoRuns();
for (const name of wanted) {
  const { text, status } = products[name];
  const main = `export async function main(_argv, program) { (program ?? process).stdout.write(${JSON.stringify(text)}); return ${status}; }\n`;
  writeFileSync(join(copy, 'src/cli/main.ts'), `// @ts-nocheck\n${main}`);
  const act = `export async function act(job) { job.stdout.write(${JSON.stringify(text)}); return ${status}; }\n`;
  writeFileSync(join(copy, 'src/action/action.ts'), `// @ts-nocheck\n${act}`);
  for (const folder of ['cli', 'action']) {
    mkdirSync(join(copy, 'dist', folder), { recursive: true });
    writeFileSync(
      join(copy, 'dist', folder, 'index.js'),
      `process.stdout.write(${JSON.stringify(text)}, () => process.exit(${status}));\n`,
    );
  }
  execFileSync('git', ['add', '-A'], { cwd: copy });
  rmSync(ran, { force: true });
  const { tests, unloaded } = await jestReport(copy, suites(), join(copy, '..', `${name}.json`));
  const who = new Set(readFileSync(ran, 'utf8').trim().split('\n'));
  const runs = ({ suite, title }) => who.has(JSON.stringify([join(copy, '__tests__', suite), title]));
  const passing = tests.filter((one) => one.status === 'passed' && runs(one));
  const reasonOf = ({ suite, title }) =>
    excused.find((one) => one.product === name && one.suite === suite && title.startsWith(one.title))?.why;
  const bad = passing.filter((one) => reasonOf(one) === undefined);
  const count = tests.filter(runs).length;
  console.log(`${name}: ${count} tests run it, ${passing.length} pass, ${bad.length} of them without a reason`);
  for (const { suite, title } of bad) console.log(`  ${suite}: ${title}`);
  // What does not load with it says as little of it.
  for (const { suite, why } of unloaded) console.log(`  ${suite} does not load:\n${why}`);
  isGood &&= bad.length === 0 && unloaded.length === 0;
}
process.exitCode = isGood ? 0 : 1;
