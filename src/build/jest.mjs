/** Runs jest in a process of its own, for the test commands. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** How node runs jest, from the root of a checkout. */
export const jestCommand = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

/**
 * What failed is shown on the error output. A suite that did not even load counts as one failure, and so does a run without
 * a summary.
 *
 * @param {string} name of the summary, so that two runs do not write the same
 * @param {string[]} args of jest
 * @param {Record<string, string>} extra environment
 * @returns {Promise<{ passed: number, failed: number, skipped: number, suites: { name: string, seconds: number }[] }>}
 */
export async function jest(name, args = [], extra = {}) {
  const summary = join(root, '.cache', `${name}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(summary, { force: true });
  const child = spawn(execPath, [...jestCommand, ...args, '--json', `--outputFile=${summary}`], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...env, ...extra },
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (!existsSync(summary)) return { passed: 0, failed: 1, skipped: 0, suites: [] };
  const result = JSON.parse(readFileSync(summary, 'utf8'));
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    failed: failed + (status !== 0 && failed === 0 ? 1 : 0),
    skipped: result.numPendingTests + result.numTodoTests,
    suites: result.testResults.map(({ name: file, startTime, endTime }) => ({
      name: relative(join(root, '__tests__'), file),
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

/** A line for each suite, the longest first. */
export function timesOf(suites) {
  const sorted = suites.toSorted((one, other) => other.seconds - one.seconds);
  const lines = sorted.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`);
  return `${lines.join('\n')}\n`;
}
