/** Builds a repository with the shipped module in this process: `node wasm.mjs FOLDER ORIGINS`, prints one line of JSON. */
import { argv, exit, stdout } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { filesOf, start } from '../../src/engine/smoke/smoke.mjs';

const [folder, origins] = argv.slice(2);
const files = filesOf(folder);
// As engine.ts does: the optimizing compiler pays off for many files only.
if (files.length / 2 < 1000)
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
const began = performance.now();
const call = await start();
const started = performance.now();
call({ op: 'load' }, ...files);
const answer = call({
  op: 'build',
  path: 'clusters/prod',
  kustomization: {},
  output: 'objects',
  origins: origins === 'true',
});
const ended = performance.now();
if (!answer.ok) throw new Error(answer.error.message);
stdout.write(
  `${JSON.stringify({
    sha256: answer.sha256,
    start: (started - began) / 1000,
    seconds: (ended - started) / 1000,
    mebibytes: Math.round(process.resourceUsage().maxRSS / 1024),
  })}\n`,
);
exit(0);
