/**
 * What a merge does in a cluster: kustomize-controller's reconciles of the commit before and of the change, one after the
 * other, on the state that the platform leaves. Two of each, as some damage comes with the second only (oracle.md §3).
 */
import { withoutValues } from '../cluster/answers.js';
import type { Operation } from '../engine/apply-protocol.js';
import type { Cluster } from '../facts/clusters.js';
import { definitionsFor } from '../facts/definitions.js';
import { platformObjects } from '../facts/live.js';
import type { Built } from '../facts/pruned.js';
import { sameEntrypoint } from '../facts/pruned.js';
import { asSent } from '../facts/sent.js';
import type { JsonObject, ObjectRef, RenderedObject } from '../model.js';
import { inventoryId, isObject } from '../object.js';
import { changesBetween, type FieldChange } from './changes.js';
import { type ApiServer, type Reconciled, reconcile } from './reconcile.js';

/** An API server that has to be told what it serves. */
export type Simulator = ApiServer & { define(definitions: JsonObject[]): Promise<void> };

export type SimulateOptions = {
  /** Objects as the cluster has them, with their managedFields; in place of those that the platform is known to make. */
  live?: readonly JsonObject[];
  /** Onto a cluster that has seen nothing of the repository. */
  fresh?: boolean;
};

/** What becomes of one object. */
export type ObjectOutcome = {
  ref: ObjectRef;
  action: 'created' | 'changed' | 'deleted' | 'left' | 'refused';
  /** Why it is refused, in the words of Flux. */
  why?: string;
  fields: FieldChange[];
  /** As it is rendered, for the lines; absent for what is not any more. */
  object?: RenderedObject;
};

export type Simulation = {
  cluster?: string;
  /** In the order in which they are rendered. */
  reconciles: { path: string; first: Reconciled; second: Reconciled }[];
  outcomes: ObjectOutcome[];
  /** What could not be simulated, and why. */
  unknown: { what: string; why: string }[];
};

type State = ReadonlyMap<string, JsonObject | undefined>;

export async function simulate(
  cluster: Cluster,
  server: Simulator,
  options: SimulateOptions = {},
): Promise<Simulation> {
  const base = options.fresh ? undefined : cluster.base;
  const [now, before] = [cluster.head.entrypoints, base?.entrypoints ?? []].map((all) => all.filter(isBuilt)) as [
    Built[],
    Built[],
  ];
  await server.define(definitionsFor(cluster));
  await server.ask([{ op: 'reset' }, ...seedOf(cluster, options)]);
  const unknown = new Map<string, { what: string; why: string }>();
  const served = await servedBy(
    server,
    [...now, ...before].flatMap(({ objects }) => objects),
  );
  const known = (one: Built) => one.objects.filter((object) => isKnown(object, served, unknown));
  const inventories = new Map<Built, ObjectRef[]>();
  for (const entrypoint of before) {
    const first = await once(server, cluster, entrypoint, known(entrypoint), []);
    const { inventory } = await once(server, cluster, entrypoint, known(entrypoint), first.inventory);
    inventories.set(entrypoint, inventory);
  }
  const refs = new Map([...now, ...before].flatMap(known).map(({ ref }) => [inventoryId(ref), ref]));
  const old = await stateOf(server, refs);
  const reconciles: Simulation['reconciles'] = [];
  for (const entrypoint of now) {
    const was = before.find((one) => sameEntrypoint(one.entrypoint, entrypoint.entrypoint));
    const inventory = (was && inventories.get(was)) ?? [];
    const first = await once(server, cluster, entrypoint, known(entrypoint), inventory);
    const second = await once(server, cluster, entrypoint, known(entrypoint), first.inventory);
    reconciles.push({ path: entrypoint.entrypoint.path, first, second });
  }
  const state = await stateOf(server, refs);
  const { name } = cluster;
  return {
    ...(name !== undefined && { cluster: name }),
    reconciles,
    outcomes: outcomesOf(refs, { old, state, reconciles, objects: now.flatMap(known) }),
    unknown: [...unknown.values()],
  };
}

function isBuilt(one: Cluster['head']['entrypoints'][number]): one is Built {
  return one.ok;
}

function seedOf(cluster: Cluster, { live = [] }: SimulateOptions): Operation[] {
  const there = new Set(live.map((object) => idOf(object)));
  const planted = platformObjects(cluster).filter(({ object }) => !there.has(idOf(object)));
  return [
    ...planted.map(
      ({ object, manager, how }): Operation =>
        how === 'create' ? { op: 'create', object, manager } : { op: 'apply', object, manager, force: true },
    ),
    ...live.map((object): Operation => ({ op: 'put-raw', object })),
  ];
}

function idOf({ apiVersion, kind, metadata }: JsonObject): string {
  const { namespace, name } = isObject(metadata) ? metadata : {};
  return inventoryId({
    ...{ apiVersion: String(apiVersion), kind: String(kind), name: String(name) },
    ...(typeof namespace === 'string' && { namespace }),
  });
}

function once(
  server: ApiServer,
  { permissions, contract }: Cluster,
  { entrypoint }: Built,
  objects: readonly RenderedObject[],
  inventory: readonly ObjectRef[],
): Promise<Reconciled> {
  return reconcile(server, {
    entrypoint,
    inventory,
    objects: objects.map((object) => ({ ref: object.ref, value: asSent(object, entrypoint, contract.schemas) })),
    access: (verb, ref) => permissions.access(entrypoint, verb, ref),
  });
}

/** The kinds that it answers for, as `apiVersion Kind`. */
async function servedBy(server: ApiServer, objects: readonly RenderedObject[]): Promise<Set<string>> {
  const kinds = new Map(
    objects.map(({ ref: { apiVersion, kind } }) => [`${apiVersion} ${kind}`, { apiVersion, kind }]),
  );
  const answers = await server.ask([...kinds.values()].map((one) => ({ op: 'list', ...one })));
  return new Set([...kinds.keys()].filter((_, index) => answers[index]?.status === 200));
}

/** Of kinds that nobody knows, and of what is encrypted, nothing is said. */
function isKnown(
  { ref, value }: RenderedObject,
  served: ReadonlySet<string>,
  unknown: Map<string, { what: string; why: string }>,
): boolean {
  const say = (why: string) => {
    const what = `${ref.apiVersion} ${ref.kind} ${[ref.namespace, ref.name].filter(Boolean).join('/')}`;
    unknown.set(what, { what, why });
    return false;
  };
  if (isObject(value.sops)) return say('only Flux can decrypt it');
  return served.has(`${ref.apiVersion} ${ref.kind}`) || say('its kind, in that version, is not known');
}

async function stateOf(server: ApiServer, refs: ReadonlyMap<string, ObjectRef>): Promise<State> {
  const answers = await server.ask([...refs.values()].map((ref) => ({ op: 'get', ref })));
  return new Map([...refs.keys()].map((id, index) => [id, answers[index]?.object]));
}

type Seen = {
  old: State;
  state: State;
  reconciles: Simulation['reconciles'];
  objects: readonly RenderedObject[];
};

function outcomesOf(refs: ReadonlyMap<string, ObjectRef>, { old, state, reconciles, objects }: Seen): ObjectOutcome[] {
  const rendered = new Map(objects.map((object) => [inventoryId(object.ref), object]));
  const refusals = new Map(
    reconciles
      .flatMap(({ first, second }) => [...second.refused, ...first.refused])
      .map((one) => [inventoryId(one.ref), one]),
  );
  return [...refs].flatMap(([id, ref]): ObjectOutcome[] => {
    const [before, after] = [old.get(id), state.get(id)];
    const fields = changesBetween(before, after);
    const refused = refusals.get(id);
    const object = rendered.get(id);
    const about = { ref, fields, ...(object && { object }) };
    if (refused && object) return [{ ...about, action: 'refused', why: withoutValues(refused.message, object) }];
    if (!before && after) return [{ ...about, action: 'created' }];
    if (before && !after) return [{ ...about, action: 'deleted' }];
    if (before && !object) return [{ ...about, action: 'left' }];
    return fields.length > 0 ? [{ ...about, action: 'changed' }] : [];
  });
}
