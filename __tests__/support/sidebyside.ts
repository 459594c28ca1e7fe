/** The same reconcile by Flux's own packages on a real API server and by the simulation; all that comes of it has to be the same. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type { Entrypoint, JsonObject, ObjectRef, RenderedObject } from '../../src/core/model.js';
import { inventoryEntry, inventoryId, isObject } from '../../src/core/object.js';
import type { Schemas } from '../../src/cozystack/schemas.js';
import type { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import { toApplyRequest } from '../../src/flux/request.js';
import { type Reconcile, type Reconciled, reconcile as simulated } from '../../src/simulate/reconcile.js';
import type { Cluster } from './cluster.js';
import {
  type FluxKustomization,
  type LiveObject,
  type Reconciled as Real,
  type Reference,
  reconcile as really,
} from './flux.js';

/** What was seen, so that a test can tell whether it saw enough. */
export type Seen = { reconciles: number; refused: number; pruned: number; taken: number };

/** What each of the two has recorded. */
export type Inventories = { there: Reference[]; here: ObjectRef[] };

export type Servers = { cluster: Cluster; engine: ApplyEngine; schemas: Schemas; seen: Seen };

type Step = {
  /** For messages. */
  where: string;
  entrypoint: Entrypoint;
  objects: readonly Pick<RenderedObject, 'ref' | 'value'>[];
  access: Reconcile['access'];
  deniedGrant?: Reconcile['deniedGrant'];
  inventories: Inventories;
};

/** One reconcile on each; gives the inventories after it. */
export async function reconcileBoth(servers: Servers, step: Step): Promise<Inventories> {
  const { cluster, engine, schemas, seen } = servers;
  const { where, entrypoint, objects, access, deniedGrant, inventories } = step;
  const refs = objects.map(({ ref }) => ref);
  const before = await liveState(servers, refs);
  const real = await really(cluster, {
    objects: objects.map(({ value }) => structuredClone(value)),
    inventory: inventories.there,
    kustomization: kustomizationOf(entrypoint),
  });
  await endNamespaces(cluster);
  const done = await simulated(engine, {
    ...{ entrypoint, inventory: inventories.here, access, ...(deniedGrant && { deniedGrant }) },
    objects: objects.map((object) => ({
      ref: object.ref,
      value: toApplyRequest(object as RenderedObject, entrypoint, schemas),
    })),
  });
  compare(where, real, done, seen);
  const all = [...refs, ...inventories.there.map(readReference), ...inventories.here];
  const [there, here] = [await liveState(servers, all), await simulatedState(servers, all)];
  if (!real.ready) await forgiveTakeover(servers, refs, { there, here, before });
  expect({ where, objects: here }).toEqual({ where, objects: asKnown(servers, there, here) });
  seen.reconciles += 1;
  return { there: real.inventory, here: done.inventory };
}

export function kustomizationOf({ path, kustomization, account, prunes, forces }: Entrypoint): FluxKustomization {
  const { name = 'cozystack-customizer', namespace = 'cozy-system' } = kustomization;
  const serviceAccountName = account === 'flux' ? undefined : (account?.name ?? 'cozystack-customizer');
  return {
    metadata: { name, namespace },
    spec: {
      ...{ path: `./${path}`, prune: prunes !== false, ...(forces && { force: true }) },
      ...(serviceAccountName !== undefined && { serviceAccountName }),
    },
  };
}

/** Reasons, what was done, what the next one compares with; of several refusals Flux tells any. */
function compare(where: string, real: Real, done: Reconciled, seen: Seen): void {
  const { message } = real;
  expect({ where, message, reason: done.reason }).toEqual({ where, message, reason: real.reason });
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
    ({ ref, message }) => real.message.includes(`${labelOf(ref)} `) && says(real, message),
  );
  expect({ where, message, messages, told }).toEqual({ where, message, messages, told: true });
}

/**
 * What does not fit a schema is told in random order, and not all of it where a field is not in the schema, of which any is named:
 * whatever the server tells has to be among what the simulation does.
 */
function says({ message: theirs }: Real, ours: string): boolean {
  if (theirs.includes(ours) || inAnyOrder(theirs).includes(inAnyOrder(ours))) return true;
  if (rightsNotHeld(theirs).includes(ours)) return true;
  const [object, list] = ours.split(': errors:\n');
  const known = (list ?? '').split('\n').map((line) => line.trim());
  const [, told] = theirs.split(`${object}: `);
  const lines = (told ?? '').split('\n').map((line) => line.trim());
  const wrong = lines.filter((line) => line !== '' && line !== 'errors:');
  const undeclared = (line: string) => line.endsWith(': field not declared in schema');
  return (
    wrong.length > 0 && wrong.every((line) => known.includes(line) || (undeclared(line) && known.some(undeclared)))
  );
}

/** `is invalid: [one, another]`: the server tells them in random order, too, and all of them. */
function inAnyOrder(message: string): string {
  return message.replace(/(?<= is invalid: \[).*(?=\])/s, (causes) => causes.split(', ').sort().join(', '));
}

/**
 * The server tells all rights that the user does not hold, as whole rules; the simulation tells the first of them, in words. What
 * it may say is one sentence for each right in the server's rules
 * (k8s.io/kubernetes/pkg/registry/rbac/validation/rule.go, `ConfirmNoEscalation`; PolicyRule's `CompactString`).
 */
function rightsNotHeld(theirs: string): string[] {
  const parts =
    /^.*?: (user "[^"]+") \(groups=\[.*?\]\) (is attempting to grant RBAC permissions not currently held:)\n(.*)$/s;
  const [, user, attempt, rules = ''] = parts.exec(theirs) ?? [];
  if (!user) return [];
  const listOf = (rule: string, field: string) =>
    [...(new RegExp(`${field}:\\[([^\\]]*)\\]`).exec(rule)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(
      ([, word = '']) => word,
    );
  return rules.split('\n').flatMap((rule) => {
    const names = listOf(rule, 'ResourceNames').map((name) => ` "${name}"`);
    const resources = listOf(rule, 'APIGroups').flatMap((group) =>
      listOf(rule, 'Resources').map((resource) => (group ? `${resource}.${group}` : resource)),
    );
    const named = resources.flatMap((resource) => (names.length > 0 ? names : ['']).map((name) => resource + name));
    const objects = [...named, ...listOf(rule, 'NonResourceURLs')];
    return listOf(rule, 'Verbs').flatMap((verb) => objects.map((object) => `${user} ${attempt} ${verb} ${object}`));
  });
}

function labelOf({ kind, namespace, name }: ObjectRef): string {
  return [kind, namespace, name].filter(Boolean).join('/');
}

function readReference({ id, v }: Reference): ObjectRef {
  const [namespace = '', name = '', group = '', kind = ''] = id.split('_');
  return {
    apiVersion: group ? `${group}/${v}` : v,
    kind,
    name: name.replaceAll('__', ':'),
    ...(namespace && { namespace }),
  };
}

// --- what is there

export type State = { [id: string]: LiveObject };

/** Undefined for an object that no server can have: of an unknown kind, or without the namespace that its kind is in. */
export function addressOf(schemas: Schemas, { apiVersion, kind, namespace, name }: ObjectRef): string | undefined {
  const found = schemas.find(apiVersion, kind);
  if (!found.known || (found.scope === 'Namespaced' && !namespace)) return undefined;
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = found.scope === 'Namespaced' ? `/namespaces/${namespace}` : '';
  return `${base}${place}/${found.plural}/${encodeURIComponent(name)}`;
}

export async function liveState(
  { cluster, schemas }: Pick<Servers, 'cluster' | 'schemas'>,
  refs: readonly ObjectRef[],
): Promise<State> {
  const found: State = {};
  for (const ref of new Map(refs.map((one) => [inventoryId(one), one])).values()) {
    const path = addressOf(schemas, ref);
    const { status, body } = path ? await cluster.adminRequest('GET', path) : { status: 404, body: undefined };
    if (status === 200) found[inventoryEntry(ref)] = lasting(body);
  }
  return found;
}

async function simulatedState({ engine, schemas }: Servers, refs: readonly ObjectRef[]): Promise<State> {
  const possible = refs.filter((ref) => addressOf(schemas, ref));
  const answers = await engine.ask(possible.map((ref) => ({ op: 'get', ref })));
  return Object.fromEntries(
    possible.flatMap((ref, index) => {
      const object = answers[index]?.object;
      return object ? [[inventoryEntry(ref), lasting(object)]] : [];
    }),
  );
}

/** A Job carries its own uid, in several places. */
const uids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Without what differs from server to server and from second to second. */
export function lasting(object: LiveObject | JsonObject): LiveObject {
  const copy = (
    object.kind === 'Job' ? JSON.parse(JSON.stringify(object).replace(uids, '…')) : structuredClone(object)
  ) as LiveObject;
  for (const field of ['uid', 'resourceVersion', 'creationTimestamp']) delete copy.metadata[field];
  for (const entry of copy.metadata.managedFields ?? []) delete entry.time;
  // An empty list of a role, once it was stored, is `rules: null`.
  for (const [field, value] of Object.entries(copy))
    if (value === null || (Array.isArray(value) && value.length === 0)) delete (copy as JsonObject)[field];
  copy.metadata.managedFields?.sort((a: Entry, b: Entry) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return copy;
}

type Entry = { manager: string; operation: string; apiVersion: string; subresource?: string };

/** What no two entries of managed fields share; they are sorted by time, and times are left out. */
function keyOf({ manager, operation, apiVersion, subresource = '' }: Entry): string {
  return [manager, operation, apiVersion, subresource].join(' ');
}

/** What an API server allocates, and what admission adds, is not simulated, and left out. */
export function asKnown(servers: Pick<Servers, 'schemas'>, there: State, here: State): State {
  return Object.fromEntries(
    Object.entries(there).map(([id, object]) => [id, getsMore(servers, object) ? among(object, here[id]) : object]),
  );
}

/** Of these a Service gets an address, a claim a finalizer, a Pod tolerations and an account; a definition is not simulated at all. */
const gettingMore = ['Service', 'PersistentVolumeClaim', 'PersistentVolume', 'Pod', 'CustomResourceDefinition'];

function getsMore({ schemas }: Pick<Servers, 'schemas'>, { apiVersion, kind }: LiveObject): boolean {
  const found = schemas.find(apiVersion, kind);
  return found.known && found.builtIn && gettingMore.includes(kind);
}

/** Of an object the fields that another one has too; its managers' are all of them. */
function among(object: LiveObject, other: LiveObject): LiveObject {
  if (Array.isArray(object) && Array.isArray(other)) return object.map((item, index) => among(item, other[index]));
  if (!isObject(object) || !isObject(other)) return object;
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      if (key === 'managedFields') return [[key, value]];
      return Object.hasOwn(other, key) ? [[key, among(value, other[key])]] : [];
    }),
  );
}

/**
 * Where a stage fails, Flux has taken over from kubectl what it came to before that; the simulation takes over all, and is
 * told what Flux has left.
 */
async function forgiveTakeover(
  { cluster, engine, schemas, seen }: Servers,
  refs: readonly ObjectRef[],
  { there, here, before }: { there: State; here: State; before: State },
): Promise<void> {
  for (const ref of refs) {
    const [was, is] = [before[inventoryEntry(ref)], there[inventoryEntry(ref)]];
    const isKubectls = ({ manager }: { manager: string }) => manager.startsWith('kubectl');
    if (!was?.metadata.managedFields?.some(isKubectls) || !isDeepStrictEqual(was, is)) continue;
    here[inventoryEntry(ref)] = is;
    const { body } = await cluster.adminRequest('GET', addressOf(schemas, ref) as string);
    await engine.ask([{ op: 'put-raw', object: body }]);
    seen.taken += 1;
  }
}

/** Nobody else ends a namespace that is deleted: there is no controller-manager. */
export async function endNamespaces(cluster: Cluster): Promise<void> {
  const { body } = await cluster.adminRequest('GET', '/api/v1/namespaces');
  for (const { metadata } of body.items as LiveObject[]) {
    if (metadata.deletionTimestamp === undefined) continue;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: metadata.name }, spec: {} };
    await cluster.adminRequest('PUT', `/api/v1/namespaces/${metadata.name}/finalize`, namespace);
  }
}
