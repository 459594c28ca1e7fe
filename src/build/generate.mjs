// Runs the data generator (src/generate, in Go); see src/generate/doc.go for what it writes.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { goEnv } from './go.mjs';

const root = resolve(import.meta.dirname, '../..');
const typedIn = process.env.INIT_CWD ?? '.';
const args = process.argv.slice(2).flatMap((arg) => (/^--?\w+=/.test(arg) ? split(arg) : [arg]));
// The generator runs in its own directory; a relative path is meant from where the command was typed.
for (const option of ['--from', '--out', '--to']) {
  const value = args.indexOf(option) + 1;
  if (value > 0 && args[value]) args[value] = resolve(typedIn, args[value]);
}

const run = spawnSync('go', ['run', '-C', 'src/generate', '.', '--to', resolve(root, 'schemas'), ...args], {
  cwd: root,
  env: goEnv(),
  stdio: 'inherit',
});
if (run.error) console.error(`generate: ${run.error.message}; the generator needs Go`);
process.exitCode = run.status ?? 1;

/** `--from=DIR` as `--from DIR`, but for switches, which take a value no other way. */
function split(arg) {
  const at = arg.indexOf('=');
  return /^--?check=/.test(arg) ? [arg] : [arg.slice(0, at), arg.slice(at + 1)];
}
