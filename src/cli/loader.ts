#!/usr/bin/env node
// As little as can be, as nothing holds it against what was built: the command, which it loads, goes on from there.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readBuilt } from '../core/built.js';

/** From `dist/cli`, in words that the bundler does not take for a file to bring along. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

try {
  readBuilt(join(home, 'dist'), 'cli/command.js');
  await import(/* webpackIgnore: true */ pathToFileURL(join(home, 'dist', 'cli', 'command.js')).href);
} catch (error) {
  process.stderr.write(`customizer-lint: ${(error as Error).message}\n`);
  process.exitCode = 2;
}
