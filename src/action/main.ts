/** The action's edge: its process, and what it ends with. */

// First of all: nothing that is imported below finds the token in the environment.
import './token.js';
import { fileURLToPath } from 'node:url';
import * as core from '@actions/core';
import { readTool } from '../core/version.js';
import { cannot, formatFatal, guardProcess } from '../lint/process.js';
import { printable } from '../report/index.js';
import { act } from './action.js';
import { token } from './token.js';

/** Where `dist/` and `schemas/` lie: this file is bundled into `dist/action`. */
const home = fileURLToPath(new URL(['..', '..'].join('/'), import.meta.url));

function say(error: unknown): void {
  const text = formatFatal(
    error,
    () => `version ${readTool(home).version}: this is a bug of the linter, please report it:`,
  );
  core.error(printable(`customizer-lint: ${text}`));
}

guardProcess(say);
try {
  process.exitCode = await act({ home, env: process.env, token, stdout: process.stdout, core });
} catch (error) {
  say(error);
  process.exitCode = cannot;
}
