/**
 * What a dry run costs against an API server that is ready: 200 objects, as the customizer, who may do everything there.
 * Compared, each as a whole process and the fastest of some runs: `check` with and without `--dry-run`. Printed by
 * `npm run bench` where Go is installed; alone by `node __tests__/bench/dry-run.mjs [COUNT] [RUNS]`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from '../end-to-end/cluster/build.mjs';
import { start, stop } from '../end-to-end/cluster/start.mjs';
import { generate } from './generate.mjs';
import { write } from './write.mjs';

const cli = fileURLToPath(new URL('../../dist/cli/index.js', import.meta.url));
const account = { kind: 'ServiceAccount', name: 'cozystack-customizer', namespace: 'cozy-system' };

function repository(count) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  write(generate('workloads', count), folder);
  const all = { namespace: 'cozy-customizer', resources: ['clusters/prod'] };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(all));
  writeFileSync(join(folder, '.customizer-lint.yaml'), 'cluster: {ownedNamespaces: [cozy-customizer]}\n');
  return folder;
}

async function fill({ url, admin }) {
  const post = (path, object) =>
    new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const asked = request(url + path, { method: 'POST', headers, ...admin, agent: false }, (answer) => {
        answer.resume();
        if (answer.statusCode === 201) resolve();
        else reject(new Error(`${path}: ${answer.statusCode}`));
      });
      asked.on('error', reject).end(JSON.stringify(object));
    });
  await post('/api/v1/namespaces', { metadata: { name: 'cozy-customizer' } });
  await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'customizer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [account],
  });
}

/** In seconds, and what the run says of the server. */
function measured(folder, more, runs) {
  let best = Number.POSITIVE_INFINITY;
  let report;
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    const args = [cli, 'check', folder, '--format', 'json', ...more];
    const { status, stdout: text, stderr } = spawnSync(execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
    if (status === 2) throw new Error(stderr);
    best = Math.min(best, (performance.now() - began) / 1000);
    report = JSON.parse(text);
  }
  return { seconds: best, report };
}

export async function measureDryRun(count = 200, runs = 3) {
  const folder = repository(count);
  const den = mkdtempSync(join(tmpdir(), 'bench-server-'));
  const servers = await start({ assets: build('server'), folder: den });
  try {
    await fill(servers);
    const offline = measured(folder, [], runs);
    const asked = measured(folder, ['--dry-run', servers.kubeconfig], runs);
    const [run] = asked.report.dryRun ?? [];
    if (!run || run.refused.length > 0) throw new Error(JSON.stringify(run ?? asked.report.stages));
    const extra = asked.seconds - offline.seconds;
    stdout.write(
      `dry run of ${run.asked} objects: check ${offline.seconds.toFixed(2)} s, with a server asked ${asked.seconds.toFixed(2)} s: ${((extra * 1000) / run.asked).toFixed(1)} ms an object, ${(asked.seconds / offline.seconds).toFixed(2)} times\n`,
    );
  } finally {
    await stop(servers.pids);
    rmSync(folder, { recursive: true });
    rmSync(den, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(argv[1]).href) await measureDryRun(Number(argv[2] ?? 200), Number(argv[3] ?? 3));
