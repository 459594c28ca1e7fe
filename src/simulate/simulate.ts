/**
 * What a merge does in a cluster: kustomize-controller's reconciles of the commit before and of the change, one after the
 * other, on the state that the platform leaves. Two of each, as some damage comes with the second only (simulate/FACTS.md).
 */

import { restsOnUnknown } from '../apiserver/refusals.js';
import { refusalIn, withoutValues } from '../apiserver/status.js';
import type { Cluster } from '../cluster/cluster.js';
import type { Permissions } from '../cluster/permissions.js';
import { rightsOf } from '../cluster/rights.js';
import { defined } from '../core/defined.js';
import type { JsonObject, ObjectRef, RenderedObject } from '../core/model.js';
import { groupOf, inventoryId } from '../core/object.js';
import { isEncrypted } from '../flux/applied.js';
import { type Built, isBuilt, sameEntrypoint } from '../flux/prune.js';
import { toApplyRequest } from '../flux/request.js';
import { changesBetween, type FieldChange } from './changes.js';
import { type ApiServer, type Reconcile, type Reconciled, reconcile } from './reconcile.js';
import { prepare } from './seed.js';
import type { SimulateOptions, Simulator } from './types.js';

/** What becomes of one object. */
export type SimulatedObject = {
  ref: ObjectRef;
  action: 'created' | 'changed' | 'deleted' | 'left' | 'refused';
  /** Why it is refused, in the words of Flux. */
  why?: string;
  fields: FieldChange[];
  /** As it is rendered, for the lines; absent for what is not any more. */
  object?: RenderedObject;
};

/** What becomes of what one Flux Kustomization applies. */
export type Reconciles = {
  path: string;
  rendered: Built;
  /** Those of its objects that are simulated. */
  objects: RenderedObject[];
  first: Reconciled;
  second: Reconciled;
};

export type Simulation = {
  cluster?: string;
  /** In the order in which they are rendered. */
  reconciles: Reconciles[];
  /** Those of the commit before. */
  earlier: Reconciles[];
  outcomes: SimulatedObject[];
  /** What could not be simulated, and why. */
  unknown: { what: string; why: string }[];
  /** The objects that the repository has or had, as they are in the cluster before and after. */
  before: State;
  after: State;
};

/** Objects by `inventoryId`; undefined where there is none. */
type State = ReadonlyMap<string, JsonObject | undefined>;

/** What is refused only as it stands, before Flux fills in its variables, would stop the rest: it is left out. */
export async function simulate(
  cluster: Cluster,
  server: Simulator,
  options: SimulateOptions = {},
): Promise<Simulation> {
  const left: LeftOut = new Map();
  for (;;) {
    const simulation = await attempt(cluster, server, options, left);
    const refused = [...simulation.reconciles, ...simulation.earlier].flatMap(unsure);
    if (refused.every(({ ref }) => left.has(inventoryId(ref)))) return simulation;
    for (const { ref } of refused)
      left.set(inventoryId(ref), { what: unknownName(ref), why: 'it has variables, and is refused as it stands' });
  }
}

/** By `inventoryId`. */
type LeftOut = Map<string, { what: string; why: string }>;

function unsure({ objects, first, second }: Reconciles): RenderedObject[] {
  const refused = new Map([...first.refused, ...second.refused].map((one) => [inventoryId(one.ref), one]));
  return objects.filter((object) => {
    const one = refused.get(inventoryId(object.ref));
    if (!one) return false;
    const { causes } = refusalIn({ status: one.status, body: one.body as JsonObject }, object);
    return causes.every(({ path }) => restsOnUnknown(object, path));
  });
}

async function attempt(
  cluster: Cluster,
  server: Simulator,
  options: SimulateOptions,
  left: LeftOut,
): Promise<Simulation> {
  const base = options.fresh ? undefined : cluster.base;
  const there = await prepare(server, cluster, options);
  const all = [...cluster.head.entrypoints, ...(base?.entrypoints ?? [])].filter(isBuilt);
  const known = await knownIn(
    server,
    all.flatMap(({ objects }) => objects),
    there,
  );
  const [now, before] = [cluster.head.entrypoints, base?.entrypoints ?? []].map((some) =>
    some.filter(isBuilt).map((one) => toSource(one, known.has, cluster, left)),
  ) as [Source[], Source[]];

  const { base: _, ...fresh } = cluster;
  const rights = rightsOf(options.fresh ? fresh : cluster);
  const begun = await round(server, before, () => ({ inventory: [], rights: rights.now }));
  const last = await round(server, before, (index) => ({ ...(begun[index] as Reconciled), rights: rights.now }));
  const refs = new Map([...now, ...before].flatMap(({ objects }) => objects.map(({ ref }) => [inventoryId(ref), ref])));
  const old = await stateOf(server, refs);
  const recorded = (index: number) => {
    const { entrypoint } = now[index] as Source;
    return last[before.findIndex((one) => sameEntrypoint(one.entrypoint, entrypoint))]?.inventory ?? [];
  };
  const first = await round(server, now, (index) => ({ inventory: recorded(index), rights: rights.now }));
  const second = await round(server, now, (index) => {
    const { inventory, reason } = first[index] as Reconciled;
    return { inventory, rights: reason === 'ReconciliationFailed' ? rights.now : rights.later };
  });
  const state = await stateOf(server, refs);

  const { name } = cluster;
  const reconciles = inPairs(now, first, second);
  const rendered = now.flatMap(({ rendered }) => rendered);
  return {
    ...defined({ cluster: name }),
    reconciles,
    earlier: inPairs(before, begun, last),
    outcomes: outcomesOf(refs, { old, state, reconciles, objects: rendered }),
    unknown: [...known.others, ...left.values()],
    before: old,
    after: state,
  };
}

/** What one Flux Kustomization applies, as it sends it. */
type Source = Omit<Reconcile, 'inventory' | 'access'> & { built: Built; rendered: RenderedObject[] };

function inPairs(
  sources: readonly Source[],
  first: readonly Reconciled[],
  second: readonly Reconciled[],
): Reconciles[] {
  return sources.map(({ entrypoint: { path }, built, rendered }, index) => ({
    path,
    rendered: built,
    objects: rendered,
    first: first[index] as Reconciled,
    second: second[index] as Reconciled,
  }));
}

function toSource(
  built: Built,
  isKnown: (object: RenderedObject) => boolean,
  { contract }: Cluster,
  left: LeftOut,
): Source {
  const { entrypoint, objects } = built;
  const rendered = objects.filter((object) => isKnown(object) && !left.has(inventoryId(object.ref)));
  return {
    entrypoint,
    built,
    rendered,
    objects: rendered.map((object) => ({
      ref: object.ref,
      value: toApplyRequest(object, entrypoint, contract.schemas),
    })),
  };
}

/** One reconcile of each, in turn: what two of them apply in different ways goes to and fro. */
async function round(
  server: ApiServer,
  sources: readonly Source[],
  begin: (index: number) => { inventory: readonly ObjectRef[]; rights: Permissions },
): Promise<Reconciled[]> {
  const done: Reconciled[] = [];
  for (const [index, source] of sources.entries()) {
    const { inventory, rights } = begin(index);
    const access: Reconcile['access'] = (verb, ref) => rights.access(source.entrypoint, verb, ref);
    done.push(await reconcile(server, { ...source, inventory, access }));
  }
  return done;
}

/** Of kinds that nobody knows, and of what is encrypted, nothing is said. */
async function knownIn(server: ApiServer, objects: readonly RenderedObject[], foreign: ReadonlySet<string>) {
  const kinds = new Map(objects.map(({ ref }) => [kindWords(ref), ref]));
  const answers = await server.ask(
    [...kinds.values()].map(({ apiVersion, kind }) => ({ op: 'list', apiVersion, kind })),
  );
  const served = new Set([...kinds.keys()].filter((_, index) => answers[index]?.status === 200));
  const why = ({ ref, value }: RenderedObject) => {
    if (isEncrypted({ value })) return 'only Flux can decrypt it';
    const isServed = served.has(kindWords(ref)) && !foreign.has(`${groupOf(ref.apiVersion)}/${ref.kind}`);
    return isServed ? undefined : 'its kind, in that version, is not known';
  };
  const others = new Map(
    objects.flatMap((object) => {
      const reason = why(object);
      return reason === undefined ? [] : [[unknownName(object.ref), { what: unknownName(object.ref), why: reason }]];
    }),
  );
  return { has: (object: RenderedObject) => why(object) === undefined, others: [...others.values()] };
}

function kindWords({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`;
}

/** How `Simulation.unknown` calls an object. */
export function unknownName(ref: ObjectRef): string {
  return `${kindWords(ref)} ${[ref.namespace, ref.name].filter(Boolean).join('/')}`;
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

function outcomesOf(
  refs: ReadonlyMap<string, ObjectRef>,
  { old, state, reconciles, objects }: Seen,
): SimulatedObject[] {
  const rendered = new Map(objects.map((object) => [inventoryId(object.ref), object]));
  const refusals = new Map(
    reconciles
      .flatMap(({ first, second }) => [...second.refused, ...first.refused])
      .map((one) => [inventoryId(one.ref), one]),
  );
  return [...refs].flatMap(([id, ref]): SimulatedObject[] => {
    const [before, after] = [old.get(id), state.get(id)];
    const fields = changesBetween(before, after);
    const refused = refusals.get(id);
    const object = rendered.get(id);
    const why = refused && object && withoutValues(refused.message, object);
    const about = { ref, fields, ...defined({ object }), ...defined({ why }) };
    // With its namespace goes what is still applied, and cannot be made again.
    if (before && !after) return [{ ...about, action: 'deleted' }];
    if (why !== undefined) return [{ ...about, action: 'refused' }];
    if (!before && after) return [{ ...about, action: 'created' }];
    if (before && !object) return [{ ...about, action: 'left' }];
    return fields.length > 0 ? [{ ...about, action: 'changed' }] : [];
  });
}
