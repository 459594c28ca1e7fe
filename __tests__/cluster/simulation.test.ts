/**
 * Whole reconciles: two commits, each reconciled twice, by Flux's own packages on a real API server, and by the simulation on
 * the server without a server. Reasons, objects with their field managers, and inventories have to be the same.
 *
 * `FULL=1` takes five times as many histories.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allows, grantsOf, loadRbac } from '../../src/contract/rbac.js';
import { type Definition, loadSchemas } from '../../src/contract/schemas.js';
import { ApplyEngine } from '../../src/engine/apply-engine.js';
import { definitionOf } from '../../src/facts/definitions.js';
import { asSent } from '../../src/facts/sent.js';
import type { Entrypoint, JsonObject, ObjectRef, RenderedObject } from '../../src/model.js';
import { groupOf, inventoryEntry, inventoryId } from '../../src/object.js';
import { type Reconciled, reconcile as simulated } from '../../src/simulate/reconcile.js';
import { root } from '../support/cli.js';
import { type Cluster, startCluster } from '../support/cluster.js';
import { type LiveObject, type Reconciled as Real, type Reference, reconcile } from '../support/flux.js';
import { type History, history } from '../support/histories.js';

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
    let [inventory, ours]: [Reference[], ObjectRef[]] = [[], []];
    for (const [index, commit] of told.commits.entries()) {
      for (const time of ['first', 'second']) {
        const refs = commit.map(refOf);
        const before = await state(refs);
        const real = await reconcile(cluster, {
          objects: structuredClone(commit),
          inventory,
          kustomization: {
            metadata: { name: 'cozystack-customizer', namespace: 'cozy-system' },
            spec: { path: './', prune: true, serviceAccountName: 'cozystack-customizer' },
          },
        });
        const all = [...refs, ...inventory.map(readReference), ...ours];
        const done = await simulated(engine, {
          ...{ entrypoint, inventory: ours, access },
          objects: commit.map((value) => {
            const object = { ref: refOf(value), value } as RenderedObject;
            return { ref: object.ref, value: asSent(object, entrypoint, schemas) };
          }),
        });
        const where = `history ${number}, commit ${index + 1}, ${time} reconcile`;
        compare(where, real, done);
        const [there, here] = [await state(all), await simulatedState(all)];
        if (!real.ready) await forgiveTakeover(all, { there, here, before });
        expect({ where, objects: here }).toEqual({ where, objects: there });
        [inventory, ours] = [real.inventory, done.inventory];
        seen.reconciles += 1;
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

function readReference({ id, v }: Reference): ObjectRef {
  const [namespace = '', name = '', group = '', kind = ''] = id.split('_');
  return { apiVersion: group ? `${group}/${v}` : v, kind, name, ...(namespace && { namespace }) };
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

/** Reasons, what was done, what the next one compares with; of several refusals Flux tells any. */
function compare(where: string, real: Real, done: Reconciled): void {
  expect({ where, reason: done.reason }).toEqual({ where, reason: real.reason });
  const ids = (references: string[]) => [...references].sort();
  expect({ where, inventory: ids(done.inventory.map(inventoryEntry)) }).toEqual({
    where,
    inventory: ids(real.inventory.map(({ id }) => id)),
  });
  if (real.ready) {
    const changes = done.changes.map(({ ref, action }) => `${labelOf(ref)} ${action}`);
    expect({ where, changes: ids(changes) }).toEqual({
      where,
      changes: ids(real.changes.map(({ object, action }) => `${object} ${action}`)),
    });
    seen.pruned += done.changes.filter(({ action }) => action === 'deleted').length;
    return;
  }
  seen.refused += 1;
  const messages = done.refused.map(({ ref, message }) => `${labelOf(ref)} … ${message}`);
  const told = done.refused.some(
    ({ ref, message }) => real.message.includes(`${labelOf(ref)} `) && real.message.includes(message),
  );
  expect({ where, message: real.message, messages, told }).toEqual({
    where,
    message: real.message,
    messages,
    told: true,
  });
}

function labelOf({ kind, namespace, name }: ObjectRef): string {
  return [kind, namespace, name].filter(Boolean).join('/');
}

type State = { [id: string]: LiveObject };

function addressOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const found = schemas.find(apiVersion, kind);
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${base}${namespace ? `/namespaces/${namespace}` : ''}/${found.known ? found.plural : ''}/${name}`;
}

async function state(refs: ObjectRef[]): Promise<State> {
  const found: State = {};
  for (const ref of new Map(refs.map((one) => [inventoryId(one), one])).values()) {
    const { status, body } = await cluster.adminRequest('GET', addressOf(ref));
    if (status === 200) found[inventoryEntry(ref)] = lasting(body);
  }
  return found;
}

async function simulatedState(refs: ObjectRef[]): Promise<State> {
  const answers = await engine.ask(refs.map((ref) => ({ op: 'get', ref })));
  return Object.fromEntries(
    refs.flatMap((ref, index) => {
      const object = answers[index]?.object;
      return object ? [[inventoryEntry(ref), lasting(object)]] : [];
    }),
  );
}

/** Without what differs from server to server and from second to second. */
function lasting(object: LiveObject | JsonObject): LiveObject {
  const copy = structuredClone(object) as LiveObject;
  for (const field of ['uid', 'resourceVersion', 'creationTimestamp']) delete copy.metadata[field];
  for (const entry of copy.metadata.managedFields ?? []) delete entry.time;
  copy.metadata.managedFields?.sort((a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return copy;
}

/**
 * Where a stage fails, Flux has taken over from kubectl what it came to before that; the simulation takes over all, and is
 * told what Flux has left.
 */
async function forgiveTakeover(refs: ObjectRef[], states: { there: State; here: State; before: State }): Promise<void> {
  const { there, here, before } = states;
  for (const ref of refs) {
    const [was, is] = [before[inventoryEntry(ref)], there[inventoryEntry(ref)]];
    const isKubectls = ({ manager }: { manager: string }) => manager.startsWith('kubectl');
    if (!was?.metadata.managedFields?.some(isKubectls) || !isDeepStrictEqual(was, is)) continue;
    here[inventoryEntry(ref)] = is;
    const { body } = await cluster.adminRequest('GET', addressOf(ref));
    await engine.ask([{ op: 'put-raw', object: body }]);
    seen.taken += 1;
  }
}

async function seed({ seed: written }: History): Promise<void> {
  for (const { manager, how, object } of written) {
    const path = addressOf(refOf(object));
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
