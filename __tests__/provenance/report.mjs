/**
 * Prints how well the command knows where fields come from: `node __tests__/provenance/report.mjs [--full] [--seed N] [--why]`.
 * `--full` takes as many trees as the bars ask for, `--seed` one tree only, `--why` lists what is not right.
 */
import { argv, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { missing, NativeEngine } from './engine.mjs';
import { measure, seedsOf } from './measure.mjs';

const { values } = parseArgs({
  args: argv.slice(2),
  options: { full: { type: 'boolean' }, seed: { type: 'string' }, count: { type: 'string' }, why: { type: 'boolean' } },
});

function seeds() {
  if (values.count) return seedsOf(Number(values.count), Number(values.seed ?? 0));
  if (values.seed) return [Number(values.seed)];
  return seedsOf(values.full ? 600 : 60);
}

const reason = missing();
if (reason) stdout.write(`skipped: ${reason}\n`);
else {
  const engine = new NativeEngine();
  const table = await measure(engine, seeds());
  engine.close();
  stdout.write(`${table.print()}\n`);
  if (values.why) for (const failure of table.failures) stdout.write(`${spell(failure)}\n`);
}

function spell({ seed, path, leaf, verdict, why }) {
  const field = `${leaf.object.kind} ${leaf.object.name} ${leaf.path.join('.')}`;
  return `${verdict}: seed ${seed}, ${path}: ${field} = ${JSON.stringify(leaf.value)} at ${leaf.file}:${leaf.line}:${leaf.column} (${leaf.by}): ${why}`;
}
