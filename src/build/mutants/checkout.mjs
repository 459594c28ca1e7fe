/** A copy of the checkout to put mutants into, its bundles, and its tests. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { writeChecksums } from '../checksums.mjs';
import { jestCommand } from '../jest.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the copy of this run alone goes, as another may be going on; it is removed when the process ends. */
export function temporaryCopy() {
  const home = mkdtempSync(join(tmpdir(), 'customizer-lint-mutants-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  return join(home, 'checkout');
}

/** All that git has or would take, and what is installed. Some tests ask git about the checkout, so the copy is one. */
export function copyCheckout(copy) {
  rmSync(copy, { recursive: true, force: true });
  copyFiles(copy, '.');
  for (const other of ['node_modules', '.cache', 'src/engine/.build', 'src/engine/apply/registry'])
    if (existsSync(join(root, other))) symlinkSync(join(root, other), join(copy, other));
  const git = (...args) => execFileSync('git', args, { cwd: copy });
  git('init', '-q', '.');
  git('add', '-A');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'x');
}

/** The tests alone, in place of those that are there. */
export function copyTests(copy) {
  rmSync(join(copy, '__tests__'), { recursive: true, force: true });
  copyFiles(copy, '__tests__');
}

function copyFiles(copy, folder) {
  const all = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', folder];
  const listed = execFileSync('git', all, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
  }
}

/** One test after the other, each known by its number. */
export const alone = [`--testEnvironment=${fileURLToPath(new URL('environment.mjs', import.meta.url))}`];

const bundles = { cli: 'src/cli/cli.ts', action: 'src/action/main.ts', cluster: 'src/dry-run/kubeconfig.ts' };

/** dist/ from the sources of the copy, by esbuild: ncc takes half a minute. */
export function bundle(copy) {
  for (const [folder, entry] of Object.entries(bundles)) {
    rmSync(join(copy, 'dist', folder), { recursive: true, force: true });
    esbuild.buildSync({
      entryPoints: [join(copy, entry)],
      outfile: join(copy, 'dist', folder, 'index.js'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    writeFileSync(join(copy, 'dist', folder, 'package.json'), '{"type":"module"}\n');
  }
  writeChecksums(join(copy, 'dist'));
}

/** Whether a suite runs on a real API server; by its path below the root, or below `__tests__`. */
export const needsCluster = (suite) => /^(?:__tests__\/)?end-to-end\/cluster\//.test(suite);

/** Groups of processes, which end with this one. */
const running = new Set();
process.once('exit', () => {
  for (const group of running) process.kill(-group, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/**
 * Runs suites, named by their paths below the root, one after the other until a test fails; killed after `seconds`. `entry` is put
 * on the PATH (schemata.mjs).
 *
 * @param {string} copy
 * @param {string[]} suites
 * @param {{ entry?: string, seconds: number, env?: Record<string, string>, bail?: boolean }} options `bail`: end with the first that fails
 * @returns {Promise<{ ok: boolean, isLate: boolean, by: string | undefined, suite: string | undefined, said: string }>} `by`: the
 *   first test that failed, of `suite`
 */
export function jest(copy, suites, { entry, seconds, env = {}, bail = true }) {
  // The plain command passes over what needs a cluster.
  const cluster = suites.some(needsCluster)
    ? ['--testPathIgnorePatterns=/node_modules/', '--testMatch=**/__tests__/**/*.test.ts']
    : [];
  const { FULL: _, PATH, ...others } = process.env;
  const more = [...(bail ? ['--bail=1'] : []), '-i', ...alone, ...cluster];
  const child = spawn(process.execPath, [...jestCommand, ...more, '--runTestsByPath', ...suites], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    // With two samples tables of which npm test takes a part are whole, such as the events that are trusted.
    env: { SAMPLES: '2', ...others, ...env, PATH: [PATH, entry].filter(Boolean).join(':') },
  });
  running.add(child.pid);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    if (said.length < 1 << 20) said += text;
  });
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    child.on('close', (status) => {
      clearTimeout(timer);
      running.delete(child.pid);
      const suite = /FAIL (\S+)/.exec(said)?.[1];
      resolve({ ok: status === 0, isLate, by: /● (.*)/.exec(said)?.[1] ?? suite, suite, said });
    });
  });
}

/**
 * All tests of the suites, each with its outcome. A suite that did not even load has none, and is told in `unloaded`.
 *
 * @returns {Promise<{ tests: { suite: string, title: string, status: string }[], unloaded: { suite: string, why: string }[] }>}
 */
export async function jestReport(copy, suites, file) {
  const more = [
    ...alone,
    '--maxWorkers=100%',
    `--outputFile=${file}`,
    '--testTimeout=30000',
    '--runTestsByPath',
    ...suites,
  ];
  const child = spawn(process.execPath, [...jestCommand, '--json', ...more], { cwd: copy, stdio: 'ignore' });
  await new Promise((resolve) => child.on('close', resolve));
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const nameOf = (path) => relative(join(copy, '__tests__'), path);
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ suite: nameOf(name), title: fullName, status })),
  );
  const unloaded = testResults
    .filter(({ assertionResults }) => assertionResults.length === 0)
    .map(({ name, message }) => ({ suite: nameOf(name), why: message }));
  return { tests, unloaded };
}
