/**
 * What the rules cost: 1,000 Packages of the catalog in ten clusters, each with values of its own and one in ten with a fault.
 * Compared, each as a whole process and the fastest of some runs: `check`, `render` of the same, and `--version`, which is the
 * start alone. Printed by `npm run bench`; alone by `node __tests__/bench/rules.mjs [COUNT] [RUNS]`.
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

/** Files by path. Every cluster has each Package of the catalog once. */
export function catalogRepository(count) {
  const { sources } = JSON.parse(readFileSync(join(root, 'schemas/cozystack/v1.6.2/catalog.json'), 'utf8'));
  const names = Object.keys(sources).filter((name) => name !== 'cozystack.cozystack-platform');
  const files = new Map();
  const clusters = new Map();
  for (let index = 0; index < count; index++) {
    const name = names[index % names.length];
    const cluster = `clusters/c${Math.floor(index / names.length)}`;
    const [variant] = Object.values(sources[name].variants);
    files.set(`${cluster}/${name}.yaml`, packageOf(name, Object.keys(variant.components), index));
    clusters.set(cluster, [...(clusters.get(cluster) ?? []), `${name}.yaml`]);
  }
  for (const [cluster, resources] of clusters)
    files.set(`${cluster}/kustomization.yaml`, JSON.stringify({ resources }));
  return files;
}

function packageOf(name, components, index) {
  const component = index % 10 === 0 ? 'unheard-of' : components[index % components.length];
  return `apiVersion: cozystack.io/v1alpha1
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
          replicas: ${1 + (index % 5)}
          resources: {cpu: ${100 + (index % 900)}m, memory: ${64 + (index % 512)}Mi}
          hosts:
            - name: host-${index}
`;
}

function seconds(args, runs) {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    const { status, stderr } = spawnSync(execPath, [cli, ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 });
    if (status === 2) throw new Error(stderr);
    best = Math.min(best, (performance.now() - began) / 1000);
  }
  return best;
}

export function measureRules(count = 1000, runs = 3) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    write(catalogRepository(count), folder);
    const start = seconds(['--version'], runs);
    const render = seconds(['render', folder, '--format', 'digest'], runs);
    const check = seconds(['check', folder, '--release', 'v1.6.2', '--format', 'json'], runs);
    const ratio = (check - render) / (render - start);
    const figures = [start, render, check].map((one) => one.toFixed(2));
    stdout.write(
      `rules on ${count} Packages: start ${figures[0]} s, render ${figures[1]} s, check ${figures[2]} s; all rules and the report take ${ratio.toFixed(2)} of the render\n`,
    );
    return ratio;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(argv[1]).href) measureRules(Number(argv[2] ?? 1000), Number(argv[3] ?? 3));
