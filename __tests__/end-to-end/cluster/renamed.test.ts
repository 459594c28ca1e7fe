/**
 * What the real kustomize-controller does where `pruned-namespace` says so: a Flux Kustomization that gets another name is deleted,
 * and its finalizer deletes what it has applied, though the new one applies the same directory.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Cluster, startCluster } from '../../support/cluster.js';
import { type Controller, hasController, startController } from '../../support/controller.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../../support/trees.js';

let cluster: Cluster;
let controller: Controller;

beforeAll(async () => {
  if (!hasController) return;
  cluster = await startCluster();
  for (const name of ['flux', 'cozy-customizer'])
    await cluster.adminRequest('POST', '/api/v1/namespaces', { metadata: { name } });
  controller = await startController(cluster);
});
afterAll(async () => {
  await controller?.stop();
  await cluster?.stop();
});

/** `of` renders a Flux Kustomization of that name; all of them take their files from the first artifact. */
const files = (name: string, spec: object): Files => ({
  'kustomization.yaml': kustomization({ resources: ['apps.yaml'] }),
  'apps.yaml': JSON.stringify({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux' },
    spec: {
      ...{ interval: '1h', path: './apps', prune: true, sourceRef: { kind: 'GitRepository', name: 'root-1' } },
      ...spec,
    },
  }),
  'apps/kustomization.yaml': kustomization({ resources: ['precious.yaml'] }),
  'apps/precious.yaml': configMap('precious'),
});

async function apply(name: string, spec: object = {}): Promise<void> {
  const directory = createRepo(files(name, spec));
  try {
    const root = { metadata: { name: 'root', namespace: 'flux' }, spec: { path: './', prune: true } };
    const { reason } = await controller.reconcile(root, directory);
    expect(reason).toBe('ReconciliationSucceeded');
  } finally {
    removeRepo(directory);
  }
}

async function precious(): Promise<string | undefined> {
  const { status, body } = await cluster.adminRequest('GET', '/api/v1/namespaces/cozy-customizer/configmaps/precious');
  return status === 200 ? body.metadata.uid : undefined;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300 && !(await isSo()); tries += 1) await sleep(100);
  expect(await isSo()).toBe(true);
}

const whenHere = hasController ? test : test.skip;

whenHere('what a renamed Flux Kustomization has applied is deleted, where the new one is suspended', async () => {
  await apply('apps');
  await until(async () => (await precious()) !== undefined);
  await apply('apps2', { suspend: true });
  await until(async () => (await precious()) === undefined);
});

whenHere('it stays where the old one orphans it', async () => {
  await apply('apps3', { deletionPolicy: 'Orphan' });
  await until(async () => (await precious()) !== undefined);
  const before = await precious();
  await apply('apps4', { suspend: true });
  await until(async () => {
    const at = '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux/kustomizations/apps3';
    return (await cluster.adminRequest('GET', at)).status === 404;
  });
  expect(await precious()).toBe(before);
});
