/**
 * What the simulation costs: Packages that the platform makes, in clusters of some sixty each, every one with a value of its own.
 * Compared, each as a whole process and the fastest of some runs: `diff`, `render` of the same, `check`, which is `diff` without
 * the simulation but with all rules, and `--version`, which is the start alone. In seconds of processor time, and MiB at the most.
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

/** Files by path. `value` tells one revision from another. */
export function platformRepository(count, value) {
  const { sources, platform } = JSON.parse(readFileSync(join(root, 'schemas/cozystack/v1.6.2/catalog.json'), 'utf8'));
  const names = Object.keys(platform.variants['isp-full'].packages);
  const files = new Map([['.customizer-lint.yaml', 'cluster: {release: v1.6.2, variant: isp-full}\n']]);
  const clusters = new Map();
  for (let index = 0; index < count; index++) {
    const name = names[index % names.length];
    const cluster = `clusters/c${Math.floor(index / names.length)}`;
    const [variant] = Object.values(sources[name].variants);
    const components = Object.keys(variant.components);
    files.set(`${cluster}/${name}.yaml`, packageOf(name, components[index % components.length], value));
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

/** The least of some runs, so that other work on the machine counts little. */
function measured(args, runs) {
  const best = { seconds: Number.POSITIVE_INFINITY, mebibytes: Number.POSITIVE_INFINITY };
  for (let run = 0; run < runs; run++) {
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
    best.seconds = Math.min(best.seconds, time / 1e6);
    best.mebibytes = Math.min(best.mebibytes, memory / 1024);
  }
  return best;
}

export function measureSimulation(count = 1000, runs = 3) {
  const [folder, before] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'bench-')));
  try {
    write(platformRepository(count, 3), folder);
    write(platformRepository(count, 2), before);
    const start = measured(['--version'], runs);
    const render = measured(['render', folder, '--format', 'digest'], runs);
    const check = measured(['check', folder, '--format', 'json'], runs);
    const diff = measured(['diff', folder, '--format', 'json'], runs);
    const compared = measured(['diff', folder, '--base', before, '--format', 'json'], runs);
    const words = ({ seconds, mebibytes }) => `${seconds.toFixed(2)} s ${Math.round(mebibytes)} MiB`;
    const ratio = (diff.seconds - render.seconds) / (render.seconds - start.seconds);
    stdout.write(
      `simulation of ${count} Packages: start ${words(start)}, render ${words(render)}, check ${words(check)}, diff ${words(diff)}, with every one of them changed ${words(compared)}; ${ratio.toFixed(2)} of the render\n`,
    );
    return { ratio, mebibytes: diff.mebibytes };
  } finally {
    for (const one of [folder, before]) rmSync(one, { recursive: true, force: true });
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const { ratio } = measureSimulation(Number(argv[2] ?? 1000), Number(argv[3] ?? 3));
  if (!(ratio > 0)) throw new Error('no simulation took part');
}
