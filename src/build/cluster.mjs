/**
 * Runs the tests on a real API server: `npm run test:cluster [-- arguments of jest]`.
 *
 * What they run is built first, minutes the first time and nothing after that, as it is kept outside the work tree.
 */
import { argv, exit, stdout } from 'node:process';
import { available, build, programs } from '../../__tests__/end-to-end/cluster/build.mjs';
import { hasGo } from './go.mjs';
import { jest, timesOf } from './jest.mjs';

async function main() {
  if (!hasGo()) {
    stdout.write('skipped: needs Go\ncluster: 0 passed, 0 failed, 1 skipped\n');
    return 0;
  }
  for (const name of Object.keys(programs)) {
    if (!available(name)) {
      stdout.write(`skipped: what needs the sources of ${name}, which are not here\n`);
      continue;
    }
    const start = Date.now();
    build(name);
    const seconds = (Date.now() - start) / 1000;
    if (seconds > 1) stdout.write(`built ${name} in ${seconds.toFixed(0)} s\n`);
  }
  // The plain test command passes over this folder, and is overridden here.
  const only = ['--testPathIgnorePatterns=/node_modules/', '--testMatch=**/__tests__/end-to-end/cluster/**/*.test.ts'];
  // Much of the time they wait for servers to start.
  only.push('--maxWorkers=2');
  const counts = await jest('jest-cluster', [...argv.slice(2), ...only]);
  stdout.write(timesOf(counts.suites));
  stdout.write(`cluster: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  return counts.failed > 0 ? 1 : 0;
}

exit(await main());
