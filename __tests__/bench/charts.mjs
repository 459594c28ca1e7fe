/**
 * What the charts cost: `node __tests__/bench/charts.mjs [ROUNDS]`, where CUSTOMIZER_LINT_UPSTREAM has the charts of v1.6.2. `diff` of a
 * repository with and without `--charts`, as processes in turn: one component that changes, eleven that do, and a base that switches all
 * of the platform off, so that every component of it is rendered. Printed are the medians of what the charts add: for one of them (the
 * start included), for each of the ten more (all loaded once, both sides rendered), and for all.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { install } from './check.mjs';
import { write } from './write.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const release = 'v1.6.2';
const archive = join(env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream'), `packages-${release}.tar.xz`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Those of the platform that every cluster has. */
function packages() {
  const { sources, platform } = JSON.parse(
    readFileSync(join(root, `schemas/cozystack/${release}/catalog.json`), 'utf8'),
  );
  return Object.keys(platform.variants['isp-full'].packages).flatMap((name) => {
    const variants = sources[name]?.variants ?? {};
    const [component] = Object.keys((variants.default ?? Object.values(variants)[0])?.components ?? {});
    return component ? [{ name, component }] : [];
  });
}

const manifest = (name, spec) =>
  JSON.stringify({
    apiVersion: 'cozystack.io/v1alpha1',
    kind: 'Package',
    metadata: { name, annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
    spec,
  });

/** `value` stands in each of the first `count` Packages; what it is nobody asks. */
function repository(folder, count, value, platform = {}) {
  const chosen = packages().slice(0, count);
  const files = new Map([
    ['.customizer-lint.yaml', `cluster: {release: ${release}, variant: isp-full}\n`],
    [
      'platform.yaml',
      manifest('cozystack.cozystack-platform', { variant: 'isp-full', components: { platform: { values: platform } } }),
    ],
    ...chosen.map(({ name, component }) => [
      `${name}.yaml`,
      manifest(name, { components: { [component]: { values: { bench: value } } } }),
    ]),
  ]);
  files.set('kustomization.yaml', JSON.stringify({ resources: [...files.keys()].slice(1) }));
  mkdirSync(folder);
  write(files, folder);
  return folder;
}

export function measureCharts(rounds) {
  if (!existsSync(archive)) return stdout.write(`charts: not measured, as the charts of ${release} are not here\n`);
  const home = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    execFileSync('tar', ['-xJf', archive, '-C', home]);
    const [cli, charts] = [install(home), join(home, `packages-${release}`)];
    const none = { bundles: { disabledPackages: packages().map(({ name }) => name) } };
    const changes = {
      one: [repository(join(home, 'one'), 1, 2), repository(join(home, 'one.base'), 1, 1)],
      eleven: [repository(join(home, 'eleven'), 11, 2), repository(join(home, 'eleven.base'), 11, 1)],
      all: [repository(join(home, 'all'), 0, 0), repository(join(home, 'all.base'), 0, 0, none)],
    };
    stdout.write(
      'charts: seconds that --charts adds to diff\n  engine    one  each more    all  components  the whole diff of one\n',
    );
    for (const engine of ['wasm', 'native']) {
      const added = { one: [], eleven: [], all: [] };
      const whole = [];
      let components = 0;
      for (let round = 0; round <= rounds; round++)
        for (const [name, [head, base]] of Object.entries(changes)) {
          const [without, withCharts] = [[], ['--charts', charts]].map((more) => {
            const began = performance.now();
            const args = ['diff', head, '--base', base, '--engine', engine, '--max-seconds', '400', ...more];
            const {
              status,
              stdout: said,
              stderr,
            } = spawnSync(execPath, [cli, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
            if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')}: ${stderr}`);
            if (name === 'all') components = said.split('\ncomponent ').length - 1;
            return (performance.now() - began) / 1000;
          });
          if (round === 0) continue;
          added[name].push(withCharts - without);
          if (name === 'one') whole.push(withCharts);
        }
      const more = median(added.eleven.map((one, index) => (one - added.one[index]) / 10));
      stdout.write(
        `${engine.padStart(8)} ${median(added.one).toFixed(2).padStart(6)} ${more.toFixed(2).padStart(10)} ${median(added.all).toFixed(1).padStart(6)} ${String(components).padStart(11)} ${median(whole).toFixed(2).padStart(12)}\n`,
      );
    }
  } finally {
    rmSync(home, { recursive: true });
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) measureCharts(Number(argv[2] ?? 3));
