/**
 * Starts programs for here.ts, as the product does (src/tree/program.ts). From the process of the tests each start takes long, as the
 * system copies what it knows of its memory; this one is small.
 */
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

const source = new URL('../../src/tree/program.ts', import.meta.url);
const { code } = transformSync(readFileSync(source, 'utf8'), { loader: 'ts' });
const { runProgram } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

process.on('message', async ({ id, command, args, program }) => {
  try {
    process.send?.({ id, ended: await runProgram(command, args, program) });
  } catch ({ name, message, code: errno }) {
    process.send?.({ id, error: { name, message, code: errno } });
  }
});
process.on('disconnect', () => process.exit());
