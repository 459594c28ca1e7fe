// Little, as nothing holds it against what was built before it runs. All files of the command are, before one is loaded.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { builtFiles, ChangedFileError, readBuilt } from '../core/built.js';
import { beginThread } from '../engine/host/begin.js';
import { choiceIn, programFor } from '../engine/host/installed.js';
import type { run } from './cli.js';
import { modulesFor } from './early.js';

/** From `dist/cli`, in words that the bundler does not take for a file to bring along. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));
const dist = join(home, 'dist');

/** The module that renders, where it will run: to unpack it takes longer than to load the command, and goes on beside it. */
function beginEarly(args: readonly string[]): Worker | undefined {
  const [first] = modulesFor(args);
  const engines = join(dist, 'engine');
  if (first === undefined || programFor(engines, first, choiceIn(args)) !== undefined) return undefined;
  try {
    // The command begins another one where this one fails, and tells why that does.
    return beginThread(engines, first).on('error', () => {});
  } catch {
    return undefined;
  }
}

try {
  const args = process.argv.slice(2);
  const thread = beginEarly(args);
  for (const file of builtFiles(dist).keys()) if (file.startsWith('cli/')) readBuilt(dist, file);
  const command = await import(/* webpackIgnore: true */ pathToFileURL(join(home, 'dist', 'cli', 'command.js')).href);
  await (command.run as typeof run)(args, thread);
} catch (error) {
  const { message } = error as Error;
  const said = error instanceof ChangedFileError ? error : new ChangedFileError('cli', `cannot be loaded (${message})`);
  process.stderr.write(`customizer-lint: ${said.message}\n`);
  process.exitCode = 2;
}
