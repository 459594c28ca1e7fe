/**
 * Runs the Go tests: `npm run test:go [-- --long | --full]`.
 *
 * What needs something that is not here, a Go toolchain or repositories to build, is skipped with the reason. Without --long
 * the long tests take a sample, the same one each time, and kustomize's own tests and `go vet` are left out, which would look at
 * everything that is imported first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { argv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { goEnv, hasGo, programEnv } from './go.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const engine = join(root, 'src/engine');
const full = argv.includes('--full');
const isLong = full || argv.includes('--long');
const counts = { passed: 0, failed: 0, skipped: 0 };

/** Runs the tests of one module and adds them up; the output of what failed is shown. */
function test(name, cwd, args) {
  const run = spawnSync(
    'go',
    ['test', '-json', '-count=1', '-p=2', '-timeout=30m', ...(isLong ? [] : ['-short', '-vet=off']), ...args],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      env: goEnv({ ...programEnv, ...(full && { FULL: '1' }) }),
    },
  );
  const output = new Map();
  for (const line of run.stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    const { Action: action, Package: of, Test: test, Output: text, Elapsed: seconds } = JSON.parse(line);
    const key = `${of} ${test ?? ''}`;
    if (action === 'output') output.set(key, (output.get(key) ?? '') + text);
    if (!test) {
      if (seconds >= 0.1) stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${of}\n`);
      // A package without a test of its own to blame did not compile.
      if (action === 'fail' && ![...output.keys()].some((k) => k.startsWith(`${of} T`))) {
        counts.failed++;
        stderr.write(output.get(key) ?? '');
      }
      continue;
    }
    if (action === 'pass') counts.passed++;
    if (action === 'fail') {
      counts.failed++;
      stderr.write(output.get(key) ?? '');
    }
    if (action === 'skip') {
      counts.skipped++;
      const reason =
        /: (.*)\n--- SKIP/.exec(output.get(key) ?? '')?.[1] ??
        (output.get(key) ?? '')
          .split('\n')
          .find((l) => l.includes('.go:'))
          ?.trim();
      stdout.write(`skipped: ${name} ${test}: ${reason ?? 'no reason given'}\n`);
    }
  }
  if (run.status !== 0 && counts.failed === 0) {
    counts.failed++;
    stderr.write(run.stderr);
  }
}

function main() {
  if (!hasGo()) {
    stdout.write('skipped: all of them: there is no Go toolchain\ngo: 0 passed, 0 failed, 1 skipped\n');
    return 0;
  }
  for (const program of ['--native', '--program']) {
    execFileSync(execPath, [join(root, 'src/build/engine.mjs'), program], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const written = [
    ...folders().map((folder) => join(engine, folder)),
    join(root, '__tests__/end-to-end/cluster'),
    join(root, 'src/generate'),
    join(root, '__tests__/support/helm-controller'),
  ];
  const unformatted = execFileSync('gofmt', ['-l', ...written], { encoding: 'utf8' });
  if (unformatted) {
    counts.failed++;
    stderr.write(`not gofmt-ed:\n${unformatted}`);
  }
  const patched = ['-modfile=.build/go.mod', '-tags=kustomize_disable_go_plugin_support'];
  test('engine', engine, [...patched, './...']);
  test('program', join(engine, 'program'), ['./...']);
  test('apply', join(engine, 'apply'), ['-modfile=../.build/apply/go.mod', './...']);
  test('helm', join(engine, 'helm'), ['-modfile=../.build/helm/go.mod', './...']);
  test('parity', join(engine, 'parity'), ['./...']);
  // The contract data are made anew of each release, which only a new release changes: once, and twice with --full.
  if (isLong) test('generate', join(root, 'src/generate'), [...(full ? [] : ['-short']), './...']);
  else skip('the generator of contract data: --samples=5 runs it');
  suite();
  stdout.write(`go: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  return counts.failed > 0 ? 1 : 0;
}

function skip(why) {
  counts.skipped++;
  stdout.write(`skipped: ${why}\n`);
}

/**
 * kustomize's own tests on the patched modules count as one: they fail where the list says, and nowhere else. They can only
 * change with a patch or a version of the engine, and each clone compiles them anew.
 */
function suite() {
  if (!isLong) {
    skip("kustomize's own tests on the patched modules: `npm run test:suite` and --samples=5 run them");
    return;
  }
  const { status, stdout: report } = spawnSync(execPath, [join(engine, 'suite/run.mjs'), ...(full ? ['--full'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  stdout.write(
    report
      .split('\n')
      .filter((line) => line.startsWith('suite:'))
      .join('\n')
      .concat('\n'),
  );
  if (status === 0) counts.passed++;
  else counts.failed++;
}

function folders() {
  return [
    'apply',
    'artifact',
    'cmd',
    'controller',
    'flux',
    'frame',
    'helm',
    'parity',
    'patch',
    'program',
    'render',
    'session',
    'tree',
  ].filter((folder) => existsSync(join(engine, folder)));
}

exit(main());
