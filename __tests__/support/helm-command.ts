/** The Helm command of the version that the helm module has, as a second opinion: built from its Go module, once. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import type { ChartFile } from '../../src/engine/host/helm-engine.js';
import { root } from './cli.js';
import { isLong } from './sample.js';

const version = 'v4.1.1';

const folder = join(root, '.cache', 'bin', `helm-${version}`);
const file = join(folder, 'helm');

/** Why the command is not asked, where that is so: for tests that are skipped, so that they are counted. The short run does not wait for a build. */
export const whyNoHelm = !hasGo()
  ? 'Go is not installed'
  : existsSync(file) || isLong()
    ? undefined
    : 'it is not built yet, which npm test -- --samples=5 does';

/** The command's file; takes a minute or more where it is not built yet. */
export function helmCommand(): string {
  if (existsSync(file)) return file;
  // Two suites may build it at once.
  const own = join(folder, String(process.pid));
  mkdirSync(own, { recursive: true });
  execFileSync('go', ['install', '-p', '2', `helm.sh/helm/v4/cmd/helm@${version}`], {
    env: goEnv({ GOBIN: own, GOFLAGS: '' }),
    cwd: tmpdir(),
    stdio: 'inherit',
  });
  renameSync(join(own, 'helm'), file);
  return file;
}

export type Templated = { text: string } | { failed: string };

/** What `helm template` prints of a packed chart. */
export function helmTemplate(
  archive: string,
  release: { name: string; namespace: string; values: object; kubeVersion: string; apiVersions?: readonly string[] },
): Templated {
  const values = join(dirname(archive), 'values.json');
  writeFileSync(values, JSON.stringify(release.values));
  const apis = (release.apiVersions ?? []).flatMap((one) => ['--api-versions', one]);
  const { status, stdout, stderr } = spawnSync(
    helmCommand(),
    [
      'template',
      release.name,
      archive,
      ...[
        '-n',
        release.namespace,
        '--is-upgrade',
        '--include-crds',
        '-f',
        values,
        '--kube-version',
        release.kubeVersion,
      ],
      ...apis,
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28, env: { PATH: process.env.PATH, HOME: dirname(archive) } },
  );
  return status === 0 ? { text: stdout } : { failed: stderr };
}

/** A folder with the files of a chart, packed as source-controller packs it. */
export function packChart(files: readonly ChartFile[]): { archive: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  for (const { path, bytes } of files) {
    const file = join(folder, 'chart', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const archive = join(folder, 'chart.tgz');
  execFileSync('tar', ['-C', folder, '-czf', archive, 'chart']);
  return { archive, remove: () => rmSync(folder, { recursive: true }) };
}
