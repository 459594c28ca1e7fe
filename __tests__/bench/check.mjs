/**
 * What the whole command costs beside kustomize alone, as processes: `kustomize build` as it is released, the same piped into
 * `kubeconform`, which holds Packages against their schema and nothing else, `check` with the engines as programs and as modules, and
 * `node -e 0`, which is what any command of Node costs. All take turns; printed are the median seconds of `kustomize build`, and of
 * each other the median of its ratios to the run of kustomize, or of Node, in the same round. MiB are of the largest process. The
 * exponent is that of the time of `check` from one size to the next. Above 3,000 objects kustomize takes minutes and is left out, and
 * the others run once, after a first time.
 *
 *     node __tests__/bench/check.mjs [--layouts flat,nested] [--sizes 20,100,1000] [--names own,catalog] [--rounds 5]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { goEnv } from '../../src/build/go.mjs';
import { here, packageOf, systems } from '../../src/build/programs.mjs';
import { generate, layoutNames } from './generate.mjs';
import { write } from './write.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command as npm installs it, with the program for this system beside it. */
export function install(folder) {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'customizer-lint');
  mkdirSync(own, { recursive: true });
  for (const part of ['dist', 'schemas', 'package.json'])
    cpSync(join(root, part), join(own, part), { recursive: true });
  if (here in systems) packageOf(here, modules);
  return join(own, 'dist/cli/index.js');
}

/** A command that is a Go module, built once. */
function built(name, module) {
  const folder = join(root, '.cache', 'bin');
  const program = join(folder, name);
  if (!existsSync(program)) {
    const env = goEnv({ GOBIN: folder, GOFLAGS: '' });
    execFileSync('go', ['install', module], { env, cwd: tmpdir(), stdio: 'inherit' });
  }
  return program;
}

const kustomize = () => built('kustomize', 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1');
const kubeconform = () => built('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0');

/** A folder with the one schema that kubeconform is given, under the name that it looks for. */
function schemasIn(home) {
  const folder = join(home, 'schemas');
  const file = readdirSync(join(root, 'schemas/cozystack/crds')).find((name) =>
    name.startsWith('cozystack.io_packages_'),
  );
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'schemas/cozystack/crds', file), join(folder, 'package.json'));
  return folder;
}

const hasTime = existsSync('/usr/bin/time');

/** Of one run; the most memory that one of its processes had, where the system can say. */
function run(command, args) {
  const timed = hasTime ? ['/usr/bin/time', ['-f', '%M', command, ...args]] : [command, args];
  const began = performance.now();
  const { status, stderr } = spawnSync(...timed, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - began) / 1000;
  // Some of what is generated has findings.
  if (status > 1) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return { seconds, mebibytes: hasTime ? Number(stderr.trim().split('\n').at(-1)) / 1024 : Number.NaN };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const ratio = (some, others) => median(some.map(({ seconds }, round) => seconds / others[round].seconds));

const manyObjects = 3000;

function measured(folder, size, cli, schemas, rounds) {
  const path = join(folder, 'clusters/prod');
  const build = `${kustomize()} build --load-restrictor LoadRestrictionsNone ${path}`;
  const location = `${schemas}/{{.ResourceKind}}.json`;
  const check = (engine) => [execPath, [cli, 'check', folder, '--path', 'clusters/prod', '-q', '--engine', engine]];
  const commands = {
    node: [execPath, ['-e', '0']],
    kustomize: ['sh', ['-c', `exec ${build}`]],
    kubeconform: [
      'sh',
      ['-c', `${build} | ${kubeconform()} -ignore-missing-schemas -schema-location '${location}'; true`],
    ],
    native: check('native'),
    wasm: check('wasm'),
  };
  if (size > manyObjects) for (const name of ['kustomize', 'kubeconform']) delete commands[name];
  const runs = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  // The first fills the caches of the system.
  for (let round = 0; round <= rounds; round++)
    for (const [name, command] of Object.entries(commands)) {
      const one = run(...command);
      if (round > 0) runs[name].push(one);
    }
  return runs;
}

const widths = [10, 7, 7, 9, 11, 8, 7, 7, 5, 8, 8, 7, 7, 5, 8];
const printRow = (cells) => stdout.write(`${cells.map((cell, i) => String(cell).padStart(widths[i])).join(' ')}\n`);

export function measureCheck({ layouts, sizes, names, rounds }) {
  const home = mkdtempSync(join(tmpdir(), 'bench-'));
  const { sources } = JSON.parse(readFileSync(join(root, 'schemas/cozystack/v1.6.2/catalog.json'), 'utf8'));
  const known = { own: [], catalog: Object.keys(sources).filter((name) => name !== 'cozystack.cozystack-platform') };
  try {
    const cli = install(home);
    const schemas = schemasIn(home);
    printRow([
      'layout',
      'names',
      'objects',
      'kustomize',
      'kubeconform',
      'native',
      'ratio',
      '/node',
      'MiB',
      'exponent',
      'wasm',
      'ratio',
      '/node',
      'MiB',
      'exponent',
    ]);
    for (const layout of layouts)
      for (const name of layout === 'workloads' ? ['own'] : names) {
        let before;
        for (const size of sizes) {
          const folder = join(home, 'repository');
          write(generate(layout, size, 1, known[name]), folder);
          const runs = measured(folder, size, cli, schemas, size > manyObjects ? 1 : rounds);
          rmSync(folder, { recursive: true });
          const cellsOf = (engine) => {
            const seconds = median(runs[engine].map((one) => one.seconds));
            const exponent = before && Math.log(seconds / before[engine]) / Math.log(size / before.size);
            return [
              `${seconds.toFixed(2)} s`,
              runs.kustomize ? `${ratio(runs[engine], runs.kustomize).toFixed(2)} x` : '-',
              `${ratio(runs[engine], runs.node).toFixed(1)} x`,
              median(runs[engine].map((one) => one.mebibytes)).toFixed(0),
              exponent?.toFixed(2) ?? '-',
            ];
          };
          const others = runs.kustomize
            ? [
                `${median(runs.kustomize.map((one) => one.seconds)).toFixed(2)} s`,
                `${ratio(runs.kubeconform, runs.kustomize).toFixed(2)} x`,
              ]
            : ['-', '-'];
          printRow([layout, name, size, ...others, ...cellsOf('native'), ...cellsOf('wasm')]);
          const last = (engine) => median(runs[engine].map((one) => one.seconds));
          before = { size, native: last('native'), wasm: last('wasm') };
        }
      }
  } finally {
    rmSync(home, { recursive: true });
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      layouts: { type: 'string', default: layoutNames.join(',') },
      sizes: { type: 'string', default: '20,100,300,1000' },
      names: { type: 'string', default: 'own,catalog' },
      rounds: { type: 'string', default: '5' },
    },
  });
  measureCheck({
    layouts: values.layouts.split(','),
    sizes: values.sizes.split(',').map(Number),
    names: values.names.split(','),
    rounds: Number(values.rounds),
  });
}
