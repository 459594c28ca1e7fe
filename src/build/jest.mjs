/** Runs jest in a process of its own, for the test commands. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * What failed is shown on the error output. A suite that did not even load counts as one failure, and so does a run without
 * a summary.
 *
 * @param {string} name of the summary, so that two runs do not write the same
 * @param {string[]} args of jest
 * @param {Record<string, string>} extra environment
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function jest(name, args = [], extra = {}) {
  const summary = join(root, '.cache', `${name}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(summary, { force: true });
  const command = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
  const { status } = spawnSync(execPath, [...command, ...args, '--json', `--outputFile=${summary}`], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...env, ...extra },
  });
  if (!existsSync(summary)) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(readFileSync(summary, 'utf8'));
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    failed: failed + (status !== 0 && result.numFailedTests === 0 ? 1 : 0),
    skipped: result.numPendingTests + result.numTodoTests,
  };
}
