/** What the tests of the cluster commands rest on: the API server is a real one, and does what one in production does. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defined } from '../../../src/core/defined.js';
import { type Answer, type Cluster, startCluster } from '../../support/cluster.js';
import { createRepo, removeRepo } from '../../support/trees.js';
import { build } from './build.mjs';
import { runs } from './start.mjs';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
});

afterAll(() => cluster?.stop());

const editor = 'system:serviceaccount:customizer:editor';
const dryRun = 'dryRun=All&fieldManager=kustomize-controller';

test('it is version 1.35, ready, and holds its own roles', async () => {
  const version = await cluster.adminRequest('GET', '/version');
  expect(version.body).toMatchObject({ major: '1', minor: '35', gitVersion: expect.stringMatching(/^v1\.35\.\d+$/) });
  expect(await cluster.adminRequest('GET', '/readyz')).toMatchObject({ status: 200, body: 'ok' });
  const role = await cluster.adminRequest('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin');
  expect(role.status).toBe(200);
});

test('nobody gets in without the certificate', async () => {
  const { Agent, request } = await import('node:https');
  const agent = new Agent({ ca: cluster.ca });
  const status = await new Promise((resolve, reject) => {
    request(`${cluster.url}/api/v1/namespaces`, { agent }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
  expect(statSync(cluster.kubeconfig).mode & 0o777).toBe(0o600);
});

test('a dry run of server-side apply answers with the object and its owners, and stores nothing', async () => {
  const dry = await apply(configMap('dry', { a: 'b' }), dryRun);
  expect(dry.status).toBe(201);
  expect(dry.body).toMatchObject({ data: { a: 'b' }, metadata: { uid: expect.any(String) } });
  expect(dry.body.metadata.managedFields).toMatchObject([
    { manager: 'kustomize-controller', operation: 'Apply', fieldsV1: { 'f:data': { 'f:a': {} } } },
  ]);
  expect(await cluster.adminRequest('GET', '/api/v1/namespaces/default/configmaps/dry')).toMatchObject({ status: 404 });
});

test('a conflict names each field and its owner', async () => {
  await apply(configMap('taken', { a: 'chart', b: 'chart' }), 'fieldManager=helm-controller');
  const { status, body } = await apply(configMap('taken', { a: 'git', b: 'git' }), dryRun);
  expect(status).toBe(409);
  expect(body.details.causes).toEqual(
    ['.data.a', '.data.b'].map((field) => ({
      reason: 'FieldManagerConflict',
      message: 'conflict with "helm-controller"',
      field,
    })),
  );
  const forced = await apply(configMap('taken', { a: 'git', b: 'git' }), `${dryRun}&force=true`);
  expect(forced).toMatchObject({ status: 200, body: { data: { a: 'git', b: 'git' } } });
});

test('a service account may do what it was given, and is told by name what it was not', async () => {
  await cluster.adminRequest('POST', '/api/v1/namespaces', { metadata: { name: 'customizer' } });
  await cluster.adminRequest('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/customizer/rolebindings', {
    metadata: { name: 'editor' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'editor', namespace: 'customizer' }],
  });
  const ask = () => apply(configMap('mine', { a: 'b' }, 'customizer'), dryRun, editor);
  let allowed = await ask();
  // The authorizer hears of a binding a moment after it was made.
  for (let tries = 0; tries < 100 && allowed.status === 403; tries += 1) {
    await setTimeout(100);
    allowed = await ask();
  }
  expect(allowed.status).toBe(201);
  const forbidden = await apply(configMap('mine', { a: 'b' }, 'kube-system'), dryRun, editor);
  expect(forbidden).toMatchObject({ status: 403, body: { kind: 'Status', reason: 'Forbidden' } });
  expect(forbidden.body.message).toBe(
    `configmaps "mine" is forbidden: User "${editor}" cannot patch resource "configmaps" in API group "" in the namespace "kube-system"`,
  );
});

test('a custom resource is held to its schema, and an unknown field is dropped or refused as was asked', async () => {
  await cluster.define(widgets);
  const widget = (spec: object) => ({ apiVersion: 'example.test/v1', kind: 'Widget', metadata: { name: 'w' }, spec });
  const create = (spec: object, validation: string) =>
    cluster.adminRequest(
      'POST',
      `/apis/example.test/v1/widgets?dryRun=All&fieldValidation=${validation}`,
      widget(spec),
    );

  expect(await create({ size: 1 }, 'Strict')).toMatchObject({ status: 201, body: { spec: { size: 1 } } });
  expect(await create({ size: 1, colour: 'red' }, 'Warn')).toMatchObject({
    status: 201,
    body: { spec: { size: 1 } },
    warnings: ['unknown field "spec.colour"'],
  });
  expect(await create({ size: 1, colour: 'red' }, 'Strict')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('strict decoding error: unknown field "spec.colour"') },
  });
  expect(await create({ size: 7 }, 'Strict')).toMatchObject({
    status: 422,
    body: { details: { causes: [{ field: 'spec.size', reason: 'FieldValueInvalid' }] } },
  });
  const applied = await cluster.adminRequest(
    'PATCH',
    `/apis/example.test/v1/widgets/w?${dryRun}`,
    widget({ size: 1, colour: 'red' }),
  );
  expect(applied.body.message).toContain('.spec.colour: field not declared in schema');
});

test('the audit log has each request, as whom it was made and with what', async () => {
  await apply(configMap('seen', { a: 'b' }, 'customizer'), dryRun, editor);
  const events = cluster.audit().filter(({ requestURI }) => requestURI.includes('/configmaps/seen?'));
  expect(events).toMatchObject([
    {
      verb: 'patch',
      requestURI: `/api/v1/namespaces/customizer/configmaps/seen?${dryRun}`,
      user: { username: 'admin' },
      impersonatedUser: { username: editor },
      requestObject: { data: { a: 'b' } },
    },
  ]);
});

test('several run at once; what is stopped leaves no process and no file', async () => {
  const others = await Promise.all([startCluster(), startCluster()]);
  const processes = others.flatMap(({ pids }) => pids);
  const folders = others.map(({ kubeconfig }) => dirname(kubeconfig));
  expect(new Set([cluster, ...others].map(({ url }) => url)).size).toBe(3);
  expect(processes.map(runs)).toEqual([true, true, true, true]);
  expect(readFileSync(others[0]?.kubeconfig ?? '', 'utf8')).toContain(others[0]?.url);

  await Promise.all(others.map((other) => other.stop()));
  expect(processes.map(runs)).toEqual([false, false, false, false]);
  expect(folders.map(existsSync)).toEqual([false, false]);
  expect((await cluster.adminRequest('GET', '/readyz')).status).toBe(200);
});

test('the servers of a test that is killed end as well', async () => {
  const folder = createRepo({});
  const script = `
    import { start } from ${JSON.stringify(new URL('./start.mjs', import.meta.url).href)};
    const { pids } = await start(${JSON.stringify({ assets: build('server'), folder })});
    console.log(JSON.stringify(pids));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const pids: number[] = JSON.parse(String(line));
  expect(pids.map(runs)).toEqual([true, true]);
  child.kill('SIGKILL');
  for (let tries = 0; tries < 200 && pids.some(runs); tries++) await sleep(50);
  expect(pids.map(runs)).toEqual([false, false]);
  removeRepo(folder);
});

test('a server that cannot start says why, and leaves nothing either', async () => {
  await expect(startCluster({ assets: '/nowhere' })).rejects.toThrow('/nowhere/etcd');
});

function configMap(name: string, data: Record<string, string>, namespace = 'default') {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

function apply(object: ReturnType<typeof configMap>, query: string, as?: string): Promise<Answer> {
  const { name, namespace } = object.metadata;
  const path = `/api/v1/namespaces/${namespace}/configmaps/${name}?${query}`;
  return cluster.adminRequest('PATCH', path, object, defined({ as }));
}

const widgets = {
  metadata: { name: 'widgets.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer', maximum: 5 } } },
            },
          },
        },
      },
    ],
  },
};
