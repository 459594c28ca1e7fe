/**
 * What the simulation costs: Packages that the platform makes, in clusters of some sixty each, every one with values of its own
 * repository. Clusters are alike, as those of a fleet are, or differ in every Package. The simulation itself, from loading its
 * module to the last answer, is timed in a process (stage.mjs). Whole processes beside it: `render` of the same, `diff`, which
 * also looks up a line for every field and prints it, `check`, which is `diff` without the simulation but with all rules, and
 * `--version`, the start alone, which is subtracted. In seconds of processor time, and MiB at the most. Each run asks them all in
 * turn, so that what else the machine does bears on all; ratios are of one run, and the middle one of the runs is printed.
 * Printed by `npm run bench`; alone by `node __tests__/bench/simulation.mjs [COUNT] [RUNS]`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { write } from './write.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli/index.js');
const stageScript = fileURLToPath(new URL('stage.mjs', import.meta.url));

/** Files by path. `value` tells one revision from another. */
export function platformRepository(count, value, { alike = true } = {}) {
  const { sources, platform } = JSON.parse(readFileSync(join(root, 'schemas/cozystack/v1.6.2/catalog.json'), 'utf8'));
  const names = Object.keys(platform.variants['isp-full'].packages);
  const files = new Map([['.customizer-lint.yaml', 'cluster: {release: v1.6.2, variant: isp-full}\n']]);
  const clusters = new Map();
  for (let index = 0; index < count; index++) {
    const name = names[index % names.length];
    const number = Math.floor(index / names.length);
    const cluster = `clusters/c${number}`;
    const [variant] = Object.values(sources[name].variants);
    const components = Object.keys(variant.components);
    const component = components[alike ? 0 : index % components.length];
    files.set(`${cluster}/${name}.yaml`, packageOf(name, component, alike ? value : value + 10 * number));
    clusters.set(cluster, [...(clusters.get(cluster) ?? []), `${name}.yaml`]);
  }
  for (const [cluster, resources] of clusters)
    files.set(`${cluster}/kustomization.yaml`, JSON.stringify({ resources }));
  return files;
}

const packageOf = (name, component, value) => `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: ${name}
  annotations:
    kustomize.toolkit.fluxcd.io/ssa: Merge
    kustomize.toolkit.fluxcd.io/prune: disabled
spec:
  components:
    ${component}:
      values:
        ${component}:
          replicas: ${value}
          resources: {cpu: ${100 + value}m, memory: 256Mi}
          hosts:
            - name: host-${value}
`;

function measured(args) {
  const code = `import { pathToFileURL } from 'node:url';
    process.on('exit', () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      process.stderr.write(JSON.stringify([userCPUTime + systemCPUTime, maxRSS]));
    });
    process.argv.splice(1, 0, ${JSON.stringify(cli)});
    await import(pathToFileURL(${JSON.stringify(cli)}));`;
  const { status, stderr } = spawnSync(execPath, ['--input-type=module', '-e', code, '--', ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status === 2) throw new Error(stderr);
  const [time, memory] = JSON.parse(stderr.slice(stderr.lastIndexOf('[')));
  return { seconds: time / 1e6, mebibytes: memory / 1024 };
}

/** The sources as the bundles have them, but so that a stage can be called alone. */
function compile(target) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', root, '--noEmit', 'false', '--outDir', target];
  const { status, stdout } = spawnSync(execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}

function simulated(compiled, folder, count) {
  const { status, stdout, stderr } = spawnSync(execPath, [stageScript, compiled, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const { objects, ...measure } = JSON.parse(stdout);
  if (objects !== count) throw new Error(`${objects} of ${count} Packages were simulated`);
  return measure;
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export function measureSimulation(count = 1000, runs = 3) {
  const folders = Object.fromEntries(
    ['alike', 'apart', 'before'].map((name) => [name, mkdtempSync(join(tmpdir(), 'bench-'))]),
  );
  const { alike, apart, before } = folders;
  const compiled = join(root, '.cache/bench/compiled');
  try {
    compile(compiled);
    write(platformRepository(count, 3), alike);
    write(platformRepository(count, 3, { alike: false }), apart);
    write(platformRepository(count, 2), before);
    const asked = {
      start: ['--version'],
      render: ['render', apart, '--format', 'digest'],
      check: ['check', apart, '--format', 'json'],
      'diff of clusters that are alike': ['diff', alike, '--format', 'json'],
      'with every Package changed': ['diff', alike, '--base', before, '--format', 'json'],
      'diff of clusters that are not': ['diff', apart, '--format', 'json'],
    };
    const rounds = Array.from({ length: runs }, () => ({
      ...Object.fromEntries(Object.entries(asked).map(([name, args]) => [name, measured(args)])),
      'simulation of clusters that are alike': simulated(compiled, alike, count),
      'simulation of clusters that are not': simulated(compiled, apart, count),
    }));
    // What is not rendering, of the render's time; `diff` renders, and starts, as well.
    const ratio = (name) =>
      middle(
        rounds.map(
          ({ start, render, [name]: { seconds } }) =>
            (seconds - (name.startsWith('diff') ? render.seconds : 0)) / (render.seconds - start.seconds),
        ),
      );
    const words = Object.keys(rounds[0]).map((name) => {
      const of = (what) => middle(rounds.map((round) => round[name][what]));
      const compared = /^(diff|simulation)/.test(name) ? `, ${ratio(name).toFixed(2)} of the render` : '';
      return `  ${name} ${of('seconds').toFixed(2)} s ${Math.round(of('mebibytes'))} MiB${compared}\n`;
    });
    stdout.write(`simulation of ${count} Packages:\n${words.join('')}`);
    return ratio('simulation of clusters that are not');
  } finally {
    for (const one of Object.values(folders)) rmSync(one, { recursive: true, force: true });
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const ratio = measureSimulation(Number(argv[2] ?? 1000), Number(argv[3] ?? 3));
  if (!(ratio > 0)) throw new Error('no simulation took part');
}
