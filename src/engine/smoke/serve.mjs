/**
 * Answers frames on standard input with frames on standard output, as `native -serve` does, so that a test can put the same
 * questions to both: `node src/engine/smoke/serve.mjs [MODULE]`.
 */
import { readFileSync } from 'node:fs';
import { argv, exit, stdin, stdout } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { framed, frames } from './frames.mjs';
import { startRaw } from './smoke.mjs';

for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
const call = await startRaw(argv[2] && readFileSync(argv[2]));

for await (const bytes of frames(stdin)) await new Promise((resolve) => stdout.write(framed(call(bytes)), resolve));
exit(0);
