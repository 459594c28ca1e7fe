/**
 * Starts programs for here.ts, as the product does (src/tree/program.ts). From the process of the tests each start takes long, as the
 * system copies what it knows of its memory; this one is small.
 */
import { importSource } from '../../src/build/source.mjs';

const { runProgram } = await importSource('src/tree/program.ts');

process.on('message', async ({ id, command, args, program }) => {
  try {
    process.send?.({ id, ended: await runProgram(command, args, program) });
  } catch ({ name, message, code: errno }) {
    process.send?.({ id, error: { name, message, code: errno } });
  }
});
process.on('disconnect', () => process.exit());
