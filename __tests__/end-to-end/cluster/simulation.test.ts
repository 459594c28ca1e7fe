/**
 * Whole reconciles: two commits, each reconciled twice, by Flux's own packages on a real API server, and by the simulation on
 * the server without a server. Reasons, objects with their field managers, and inventories have to be the same.
 *
 * `FULL=1` takes five times as many histories.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { definitionOf } from '../../../src/cluster/crds.js';
import type { Entrypoint, ObjectRef } from '../../../src/core/model.js';
import { groupOf } from '../../../src/core/object.js';
import { allows, grantsOf, loadRbac } from '../../../src/cozystack/rbac.js';
import { type Definition, loadSchemas } from '../../../src/cozystack/schemas.js';
import { ApplyEngine } from '../../../src/engine/host/apply-engine.js';
import { root } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';
import type { LiveObject } from '../../support/flux.js';
import { type History, history } from '../../support/histories.js';
import { addressOf, type Inventories, reconcileBoth } from '../../support/sidebyside.js';

const schemas = loadSchemas(join(root, 'schemas'), 'v1.6.2');
const rbac = loadRbac(join(root, 'schemas'));
const grants = grantsOf(rbac, { ownedNamespaces: ['cozy-customizer'] });
const definitions = ['Package', 'PackageSource'].map((kind) =>
  definitionOf(schemas.definition('cozystack.io', kind) as Definition),
);
const entrypoint: Entrypoint = { path: '.', why: 'a test', kustomization: {} };
const count = process.env.FULL === '1' ? 500 : 100;

let cluster: Cluster;
let engine: ApplyEngine;

beforeAll(async () => {
  cluster = await startCluster();
  engine = await ApplyEngine.open(join(root, 'dist', 'engine'));
  for (const name of ['cozy-system', 'cozy-customizer'])
    await write('POST', '/api/v1/namespaces', { metadata: { name } });
  for (const definition of definitions) await cluster.define(definition as never);
  const group = 'rbac.authorization.k8s.io';
  const subjects = [{ kind: 'ServiceAccount', ...rbac.account }];
  const to = (name: string) => ({ apiGroup: group, kind: 'ClusterRole', name });
  const roles = `/apis/${group}/v1`;
  await write('POST', `${roles}/clusterroles`, { metadata: { name: 'customizer' }, rules: rbac.cluster });
  await write('POST', `${roles}/clusterroles`, { metadata: { name: 'owned' }, rules: rbac.owned });
  const all = { metadata: { name: 'customizer' }, roleRef: to('customizer'), subjects };
  await write('POST', `${roles}/clusterrolebindings`, all);
  const owned = { metadata: { name: 'owned' }, roleRef: to('owned'), subjects };
  await write('POST', `${roles}/namespaces/cozy-customizer/rolebindings`, owned);
  await engine.define(definitions);
});

afterAll(async () => {
  await engine?.close();
  await cluster?.stop();
});

async function write(method: string, path: string, body: object): Promise<number> {
  const { status, body: answer } = await cluster.adminRequest(method, path, body);
  if (status >= 400) throw new Error(`${path}: ${answer.message}`);
  return status;
}

const seen = { reconciles: 0, refused: 0, pruned: 0, taken: 0 };

test.each(Array.from({ length: count }, (_, index) => index + 1))(
  'history %i',
  async (number) => {
    const told = history(number);
    await empty();
    await engine.ask([{ op: 'reset' }]);
    await seed(told);
    let inventories: Inventories = { there: [], here: [] };
    for (const [index, commit] of told.commits.entries()) {
      for (const time of ['first', 'second']) {
        inventories = await reconcileBoth(
          { cluster, engine, schemas, seen },
          {
            where: `history ${number}, commit ${index + 1}, ${time} reconcile`,
            objects: commit.map((value) => ({ ref: refOf(value), value })),
            ...{ entrypoint, access, inventories },
          },
        );
      }
    }
  },
  60_000,
);

test('the histories have what they are about', () => {
  expect(seen.reconciles).toBe(count * 4);
  expect(seen.refused).toBeGreaterThan(count / 4);
  expect(seen.pruned).toBeGreaterThan(count / 20);
});

function refOf({ apiVersion, kind, metadata }: LiveObject): ObjectRef {
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace && { namespace }) };
}

function access(verb: string, { apiVersion, kind, namespace, name }: ObjectRef) {
  const found = schemas.find(apiVersion, kind);
  if (!found.known) throw new Error(kind);
  const verdict = allows(grants, {
    ...{ verb, group: groupOf(apiVersion), resource: found.plural, name },
    ...(found.scope === 'Namespaced' && namespace && { namespace }),
  });
  return verdict.allowed ? { allowed: true as const } : { ...verdict, allowed: false as const };
}

async function seed({ seed: written }: History): Promise<void> {
  for (const { manager, how, object } of written) {
    const path = addressOf(schemas, refOf(object)) as string;
    const answer =
      how === 'apply'
        ? await cluster.adminRequest('PATCH', `${path}?fieldManager=${manager}&force=true`, object)
        : await cluster.adminRequest('POST', `${path.replace(/\/[^/]+$/, '')}?fieldManager=${manager}`, object);
    const [ours] = await engine.ask([
      how === 'apply' ? { op: 'apply', object, manager, force: true } : { op: 'create', object, manager },
    ]);
    expect({ object, status: ours?.status }).toEqual({ object, status: answer.status });
  }
}

/** Nothing of the history before is left. */
async function empty(): Promise<void> {
  for (const path of [
    '/apis/cozystack.io/v1alpha1/packages',
    '/apis/cozystack.io/v1alpha1/packagesources',
    '/api/v1/namespaces/cozy-customizer/configmaps',
  ])
    await cluster.adminRequest('DELETE', path);
}
