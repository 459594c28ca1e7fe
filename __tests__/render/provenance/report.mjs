/**
 * Prints how well the command knows where fields come from.
 *
 *   node __tests__/render/provenance/report.mjs [--full] [--seed N] [--count N] [--only property|denominator|removed|faults] [--why]
 *
 * `--full` runs as much as the bars ask for, `--seed` begins at another seed, `--count` takes so many generated trees,
 * `--why` lists what is not right.
 */
import { argv, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { missing, NativeEngine } from './engine.mjs';
import * as suite from './suite.mjs';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    full: { type: 'boolean' },
    seed: { type: 'string' },
    count: { type: 'string' },
    only: { type: 'string', multiple: true },
    why: { type: 'boolean' },
  },
});
const first = Number(values.seed ?? 0);
const size = { ...suite.sizeOf(values.full), ...(values.count && { trees: Number(values.count) }) };
const wanted = (name) => values.only?.includes(name) ?? true;

const reason = missing();
if (reason) stdout.write(`skipped: ${reason}\n`);
else await report(new NativeEngine());

async function report(engine) {
  const parts = {
    property: () => suite.property(engine, size, first),
    denominator: () => suite.denominator(size, first),
    removed: () => suite.removed(engine, size, first),
    faults: () => suite.faults(engine, size),
  };
  for (const [name, run] of Object.entries(parts)) {
    if (!wanted(name)) continue;
    const result = await run();
    stdout.write(`${result.print()}\n\n`);
    if (values.why) for (const failure of result.failures) stdout.write(`${spell(failure)}\n`);
  }
  engine.close();
}

function spell({ tree, leaf, scalar, ...rest }) {
  const at =
    leaf &&
    `${leaf.object.kind} ${leaf.object.name} ${leaf.path.join('.')} = ${JSON.stringify(leaf.value)}, ${leaf.by} at ${leaf.file}:${leaf.line}:${leaf.column}`;
  const seed = tree && { seed: tree.seed };
  const written = scalar && { scalar: scalar.path.join('.'), value: scalar.value };
  return [at, JSON.stringify({ ...seed, ...rest, ...written })].filter(Boolean).join('; ');
}
