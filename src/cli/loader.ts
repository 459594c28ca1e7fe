// Little, as nothing holds it against what was built before it runs. All files of the command are, before one is loaded.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { builtFiles, ChangedFileError, readBuilt } from '../core/built.js';

/** From `dist/cli`, in words that the bundler does not take for a file to bring along. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

try {
  const dist = join(home, 'dist');
  for (const file of builtFiles(dist).keys()) if (file.startsWith('cli/')) readBuilt(dist, file);
  await import(/* webpackIgnore: true */ pathToFileURL(join(home, 'dist', 'cli', 'command.js')).href);
} catch (error) {
  const { message } = error as Error;
  const said = error instanceof ChangedFileError ? error : new ChangedFileError('cli', `cannot be loaded (${message})`);
  process.stderr.write(`customizer-lint: ${said.message}\n`);
  process.exitCode = 2;
}
