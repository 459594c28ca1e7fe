// Runs the data generator (src/generate, in Go); see src/generate/doc.go for what it writes.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const args = process.argv.slice(2);
const from = args.indexOf('--from') + 1;
// The generator runs in its own directory; a relative path is meant from where the command was typed.
if (from > 0 && args[from]) args[from] = resolve(process.env.INIT_CWD ?? '.', args[from]);

const run = spawnSync('go', ['run', '-C', 'src/generate', '.', '--to', resolve(root, 'schemas'), ...args], {
  cwd: root,
  stdio: 'inherit',
});
if (run.error) console.error(`generate: ${run.error.message}; the generator needs Go`);
process.exitCode = run.status ?? 1;
