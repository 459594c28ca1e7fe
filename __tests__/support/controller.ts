/** The real kustomize-controller on a test's API server, fed with artifacts that this process serves on the loopback. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from 'tar';
import { parse } from 'yaml';
import { defined } from '../../src/core/defined.js';
import { available, build, controllerSource } from '../end-to-end/cluster/build.mjs';
import type { Cluster, Definition } from './cluster.js';
import { type FluxKustomization, type Reference, temporary } from './flux.js';

export type Condition = { type: string; status: string; reason: string; message: string };

export type Observed = {
  ready: boolean;
  /** Of the Ready condition; paths of the temporary directory stand as $TMPDIR. */
  reason: string;
  message: string;
  conditions: Condition[];
  inventory: Reference[];
};

export type Controller = {
  /** Serves the directory as the artifact of the Flux Kustomization, and tells what one reconcile made of it. */
  reconcile(kustomization: FluxKustomization, directory: string): Promise<Observed>;
  stop(): Promise<void>;
};

/** The sources of the controller are not part of this project. */
export const hasController = available('controller');

const group = 'kustomize.toolkit.fluxcd.io';
const seconds = 60;

export async function startController(cluster: Cluster): Promise<Controller> {
  await defineKinds(cluster);
  const artifacts = await serveArtifacts();
  const folder = mkdtempSync(join(tmpdir(), 'controller-'));
  const log = join(folder, 'log');
  const end = run(cluster.kubeconfig, log);
  return {
    async reconcile(kustomization, directory) {
      const source = await pack(directory, folder);
      const observed = await reconcileOnce(cluster, kustomization, artifacts.add(source));
      if (!observed) throw new Error(`not reconciled within ${seconds} s:\n${readFileSync(log, 'utf8').slice(-3000)}`);
      return observed;
    },
    async stop() {
      await Promise.all([end(), artifacts.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The shell ends the controller when its input ends, so also when this process is killed. */
function run(kubeconfig: string, log: string): () => Promise<void> {
  const flags = [
    ...['--watch-all-namespaces', '--log-encoding=json', '--enable-leader-election=false', '--http-retry=1'],
    ...['--metrics-addr=0', '--health-addr=127.0.0.1:0', '--requeue-dependency=1s'],
  ];
  const script = '"$@" & cat > /dev/null; kill -9 $!';
  const out = openSync(log, 'w', 0o600);
  const child = spawn('/bin/sh', ['-c', script, 'sh', join(build('controller'), 'kustomize-controller'), ...flags], {
    stdio: ['pipe', out, out],
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), KUBECONFIG: kubeconfig, RUNTIME_NAMESPACE: 'default' },
  });
  closeSync(out);
  const closed = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
  });
  return async () => {
    child.stdin?.end();
    await closed;
  };
}

type Artifact = { url: string; path: string; digest: string; revision: string; size: number; lastUpdateTime: string };

/** Each artifact gets a path and a revision of its own. */
async function serveArtifacts() {
  const files = new Map<string, Buffer>();
  const server = createServer((asked, answer) => {
    const file = files.get(asked.url ?? '');
    answer.writeHead(file ? 200 : 404).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    add(content: Buffer): Artifact {
      const number = files.size + 1;
      const path = `artifact-${number}.tar.gz`;
      files.set(`/${path}`, content);
      return {
        path,
        url: `http://127.0.0.1:${port}/${path}`,
        digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
        revision: `main@sha1:${String(number).padStart(40, '0')}`,
        size: content.length,
        lastUpdateTime: new Date().toISOString(),
      };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function pack(directory: string, folder: string): Promise<Buffer> {
  const file = join(folder, 'artifact.tar.gz');
  await create({ cwd: directory, file, gzip: true, portable: true }, ['.']);
  return readFileSync(file);
}

/**
 * There is one reconcile that applies: the Flux Kustomization is suspended while its source changes, and each artifact has a
 * source of its own, so that a controller that looks too early finds none rather than the one before.
 */
async function reconcileOnce(
  cluster: Cluster,
  { metadata, spec }: FluxKustomization,
  artifact: Artifact,
): Promise<Observed | undefined> {
  const { name, namespace } = metadata;
  const { revision } = artifact;
  const source = `${name}-${revision.replace(/^.*:0*/, '')}`;
  const at = `/apis/${group}/v1/namespaces/${namespace}/kustomizations/${name}`;
  const from = `/apis/source.toolkit.fluxcd.io/v1/namespaces/${namespace}/gitrepositories/${source}`;
  const patch = async (path: string, object: object, type?: string) => {
    const answer = await cluster.adminRequest('PATCH', path, object, defined({ type }));
    if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  };
  const apply = (path: string, object: object) => patch(`${path}?fieldManager=test&force=true`, object);
  const merge = (path: string, object: object) => patch(path, object, 'application/merge-patch+json');

  await apply(at, {
    apiVersion: `${group}/v1`,
    kind: 'Kustomization',
    metadata: { name, namespace },
    spec: {
      ...{ interval: '1h', retryInterval: '1h', timeout: '30s', prune: true },
      ...{ ...spec, sourceRef: { kind: 'GitRepository', name: source }, suspend: true },
    },
  });
  await apply(from, {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: source, namespace },
    spec: { interval: '1h', url: 'https://example.test/repository.git' },
  });
  const stored = { type: 'Ready', status: 'True', reason: 'Succeeded', message: 'stored artifact' };
  const conditions = [{ ...stored, lastTransitionTime: artifact.lastUpdateTime, observedGeneration: 1 }];
  await merge(`${from}/status`, { status: { observedGeneration: 1, artifact, conditions } });
  const annotations = { 'reconcile.fluxcd.io/requestedAt': revision };
  await merge(at, { metadata: { annotations }, spec: { suspend: false } });

  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const { body } = await cluster.adminRequest('GET', at);
    const observed = body.status && settled(body.status, revision);
    if (observed) return observed;
    await sleep(25);
  }
  return undefined;
}

type Status = {
  conditions?: Condition[];
  inventory?: { entries: Reference[] };
  lastHandledReconcileAt?: string;
  lastAttemptedRevision?: string;
  lastAppliedRevision?: string;
  history?: { metadata?: { revision?: string } }[];
};

/**
 * What came of the revision, once all of it is written: the controller patches the conditions first and the rest of the
 * status in a second request, and what it says of a source that it has not seen yet is not an outcome.
 */
function settled(status: Status, revision: string): Observed | undefined {
  const { conditions = [], inventory, history = [] } = status;
  const ready = conditions.find(({ type }) => type === 'Ready');
  const reconciling = conditions.find(({ type }) => type === 'Reconciling');
  if (status.lastHandledReconcileAt !== revision || !ready || reconciling?.reason === 'Progressing') return undefined;
  const { reason, message } = ready;
  const written: Record<string, boolean> = {
    ReconciliationSucceeded: status.lastAppliedRevision === revision,
    ArtifactFailed: message.startsWith('kustomization path not found'),
    BuildFailed: status.lastAttemptedRevision === revision,
  };
  if (!(written[reason] ?? history[0]?.metadata?.revision === revision)) return undefined;
  const outcome = { ready: ready.status === 'True', reason, message: temporary(message) };
  return { ...outcome, conditions, inventory: inventory?.entries ?? [] };
}

/** Flux's own definition of its Kustomization; sources are taken as they come, as nothing but the tests writes them. */
async function defineKinds(cluster: Cluster): Promise<void> {
  const file = join(controllerSource, 'config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml');
  const definitions: Definition[] = [parse(readFileSync(file, 'utf8'))];
  for (const [kind, plural] of [
    ['GitRepository', 'gitrepositories'],
    ['OCIRepository', 'ocirepositories'],
    ['Bucket', 'buckets'],
    ['ExternalArtifact', 'externalartifacts'],
  ] as const) {
    definitions.push(anything('source.toolkit.fluxcd.io', kind, plural));
  }
  for (const definition of definitions) await cluster.define(definition);
}

function anything(group: string, kind: string, plural: string): Definition {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}
