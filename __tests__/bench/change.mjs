/**
 * What a change costs beside the check of the whole: `node __tests__/bench/change.mjs [--layouts nested] [--sizes 100] [--rounds 7]`. Three
 * files of a generated repository change; `diff` says what that does, and the action lints it, simulation included, without a token. All
 * take turns as processes; printed are the median seconds of `check` with the modules and with the programs, and of the others the
 * median of the ratios to the check by the same engine: the action always takes the modules.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, env, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from './check.mjs';
import { generate } from './generate.mjs';
import { write } from './write.mjs';

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** A repository with two commits, between which the replicas of three Packages change. */
function history(layout, size, folder) {
  const git = (...args) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    }).trim();
  const files = generate(layout, size, 1);
  write(files, folder);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'before');
  const base = git('rev-parse', 'HEAD');
  const changed = [...files.keys()].filter((file) => /\/p\d+(\/package)?\.yaml$/.test(file)).slice(0, 3);
  for (const file of changed) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replace(/replicas: \d+/, 'replicas: 9'));
  }
  git('commit', '-qam', 'after');
  return { base, head: git('rev-parse', 'HEAD') };
}

/** What a runner gives an action. */
function runner(home, folder, { base, head }) {
  const files = join(home, 'runner');
  mkdirSync(files, { recursive: true });
  const side = (sha) => ({ sha, ref: 'main', repo: { full_name: 'own/repository', id: 1 } });
  const event = {
    pull_request: { number: 1, base: side(base), head: side(head) },
    repository: { full_name: 'own/repository', id: 1 },
  };
  writeFileSync(join(files, 'event.json'), JSON.stringify(event));
  for (const name of ['output', 'summary']) writeFileSync(join(files, name), '');
  return {
    PATH: env.PATH,
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: folder,
    GITHUB_REPOSITORY: 'own/repository',
    GITHUB_SHA: head,
    GITHUB_OUTPUT: join(files, 'output'),
    GITHUB_STEP_SUMMARY: join(files, 'summary'),
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: join(files, 'event.json'),
    INPUT_COMMENT: 'false',
  };
}

export function measureChange({ layouts, sizes, rounds }) {
  const home = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const cli = install(home);
    stdout.write('a change of three files\n    layout objects   wasm   diff action   native  diff\n');
    for (const layout of layouts)
      for (const size of sizes) {
        const folder = join(home, 'repository');
        mkdirSync(folder);
        const commits = history(layout, size, folder);
        const ofCommand = (...args) => [[cli, ...args], env];
        const engines = ['wasm', 'native'];
        const commands = {
          ...Object.fromEntries(engines.map((one) => [one, ofCommand('check', folder, '-q', '--engine', one)])),
          ...Object.fromEntries(
            engines.map((one) => [`diff ${one}`, ofCommand('diff', folder, '--base', commits.base, '--engine', one)]),
          ),
          action: [[join(dirname(cli), '../action/index.js')], runner(home, folder, commits)],
        };
        const seconds = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
        for (let round = 0; round <= rounds; round++)
          for (const [name, [args, environment]] of Object.entries(commands)) {
            const began = performance.now();
            const { status, stderr } = spawnSync(execPath, args, { cwd: folder, env: environment, encoding: 'utf8' });
            if (status !== 0 && status !== 1) throw new Error(`${name}: ${stderr}`);
            if (round > 0) seconds[name].push((performance.now() - began) / 1000);
          }
        const ratio = (name, of) => median(seconds[name].map((one, i) => one / seconds[of][i])).toFixed(1);
        stdout.write(
          `${layout.padStart(10)} ${String(size).padStart(7)} ${median(seconds.wasm).toFixed(2)} s ${ratio('diff wasm', 'wasm').padStart(4)} x ${ratio('action', 'wasm').padStart(4)} x ${median(seconds.native).toFixed(2).padStart(6)} s ${ratio('diff native', 'native').padStart(3)} x\n`,
        );
        rmSync(folder, { recursive: true });
      }
  } finally {
    rmSync(home, { recursive: true });
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      layouts: { type: 'string', default: 'nested' },
      sizes: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '7' },
    },
  });
  measureChange({
    layouts: values.layouts.split(','),
    sizes: values.sizes.split(',').map(Number),
    rounds: Number(values.rounds),
  });
}
