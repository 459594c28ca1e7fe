/**
 * Fuzzes every target for some time: `npm run test:fuzz [-- --minutes N] [-- --only WORD]`. The default is 20 minutes a target.
 *
 * What Go finds it writes to testdata/fuzz of the package, to be committed with the correction; what fast-check finds it prints,
 * to be added to __tests__/fuzz/corpus.json. `npm test` runs all of that, and a few new inputs of the latter.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { argv, env, execPath, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { goEnv, programEnv } from './go.mjs';
import { jestCommand } from './jest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const engine = join(root, 'src/engine');
const patched = ['-modfile=.build/go.mod', '-tags=kustomize_disable_go_plugin_support'];

/** Module, package, target, flags of the module. */
const targets = [
  [engine, './frame', 'FuzzNext', patched],
  [engine, './tree', 'FuzzTree', patched],
  [engine, './artifact', 'FuzzIgnore', patched],
  [engine, './flux', 'FuzzSubstitute', patched],
  [engine, './session', 'FuzzCall', patched],
  [join(engine, 'parity'), '.', 'FuzzPatch', []],
  [join(engine, 'apply'), './session', 'FuzzApply', []],
  [join(engine, 'helm'), './session', 'FuzzCall', ['-modfile=../.build/helm/go.mod']],
];
const minutes = Number(argumentOf('--minutes') ?? 20);
const only = argumentOf('--only') ?? '';

function argumentOf(flag) {
  const at = argv.indexOf(flag);
  return at < 0 ? undefined : argv[at + 1];
}

/** The last line that Go prints of its progress says how many inputs it was. */
function fuzzGo([cwd, folder, target, flags]) {
  const seconds = Math.max(1, Math.round(minutes * 60));
  const args = [
    'test',
    ...flags,
    '-run',
    '^$',
    '-fuzz',
    `^${target}$`,
    '-fuzztime',
    `${seconds}s`,
    '-parallel',
    '1',
    folder,
  ];
  const { status, stdout: output } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: goEnv(programEnv),
  });
  const counted = output.split('\n').findLast((line) => line.includes('execs:')) ?? '';
  stdout.write(`${target}: ${status === 0 ? 'nothing found' : 'FOUND SOMETHING'}, ${counted.replace(/^fuzz: /, '')}\n`);
  if (status !== 0) stdout.write(output);
  return status === 0;
}

function main() {
  for (const program of ['--native', '--program'])
    execFileSync(execPath, [join(root, 'src/build/engine.mjs'), program], { stdio: ['ignore', 'ignore', 'inherit'] });
  const sound = targets.filter((one) => one[2].includes(only)).map(fuzzGo);
  if (only === '' || !only.startsWith('Fuzz')) {
    const { status } = spawnSync(execPath, [...jestCommand, '__tests__/fuzz', '-t', only], {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, FUZZ_MINUTES: String(minutes) },
    });
    sound.push(status === 0);
  }
  return sound.every(Boolean) ? 0 : 1;
}

exit(main());
