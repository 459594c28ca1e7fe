/**
 * Answers frames on standard input with frames on standard output, as `native -serve` does, so that a test can put the same
 * questions to both: `node src/engine/smoke/serve.mjs [MODULE]`.
 */
import { readFileSync } from 'node:fs';
import { argv, exit, stdin, stdout } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { startRaw } from './smoke.mjs';

for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
const call = await startRaw(argv[2] && readFileSync(argv[2]));

const write = (bytes) => new Promise((resolve) => stdout.write(bytes, resolve));

let pending = [];
let size = 0;
for await (const chunk of stdin) {
  pending.push(chunk);
  size += chunk.length;
  for (;;) {
    if (size < 4) break;
    if (pending[0].length < 4) pending = [Buffer.concat(pending)];
    const end = 4 + pending[0].readUInt32LE();
    if (size < end) break;
    const bytes = Buffer.concat(pending);
    pending = [bytes.subarray(end)];
    size -= end;
    const answer = call(bytes.subarray(4, end));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(answer.length);
    await write(length);
    await write(answer);
  }
}
exit(0);
