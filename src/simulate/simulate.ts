/**
 * What a merge does in a cluster: kustomize-controller's reconciles of the commit before and of the change, one after the
 * other, on the state that the platform leaves. Two of each, as some damage comes with the second only (simulate/FACTS.md).
 */

import { restsOnUnknown } from '../apiserver/refusals.js';
import { refusalIn, withoutValues } from '../apiserver/status.js';
import type { Cluster } from '../cluster/cluster.js';
import { rolesIn } from '../cluster/permissions.js';
import { rightsOf } from '../cluster/rights.js';
import { defined } from '../core/defined.js';
import type { Finding, JsonObject, ObjectRef, Rendered, RenderedObject } from '../core/model.js';
import { inventoryId } from '../core/object.js';
import { presentObjects } from '../flux/applied.js';
import { type Built, isBuilt, sameEntrypoint } from '../flux/prune.js';
import { changesBetween, type FieldChange } from './changes.js';
import { doubtOf } from './doubt.js';
import { appliedOf, type ReconcileOutcome } from './kustomizations.js';
import type { Reconciled } from './reconcile.js';
import { type Begin, finalizers, nothing, round, type Withdrawn } from './rounds.js';
import { prepare } from './seed.js';
import {
  groupKind,
  kindWords,
  type Source,
  type SourceContext,
  toSource,
  type Unknown,
  unknownName,
} from './sources.js';
import type { SimulateOptions, Simulator } from './types.js';
import { refusedMetadata } from './unknown-kinds.js';

/** What becomes of one object. */
export type SimulatedObject = {
  ref: ObjectRef;
  action: 'created' | 'changed' | 'deleted' | 'left' | 'refused';
  /** Why it is refused, in the words of Flux. */
  why?: string;
  /** Why it may be accepted nevertheless. */
  unsure?: string;
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
  /** Of every Flux Kustomization of the change, those that cannot be built too: what becomes of it. */
  applied: ReconcileOutcome[];
  outcomes: SimulatedObject[];
  /** What could not be simulated, and why. */
  unknown: Unknown[];
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
  const left = new Map<string, Unknown>();
  for (;;) {
    const simulation = await attempt(cluster, server, options, left);
    const refused = [...simulation.reconciles, ...simulation.earlier].flatMap(filledIn);
    if (refused.every(({ ref }) => left.has(inventoryId(ref)))) return simulation;
    for (const { ref } of refused)
      left.set(inventoryId(ref), { what: unknownName(ref), why: 'it has variables, and is refused as it stands' });
  }
}

function filledIn({ objects, first, second }: Reconciles): RenderedObject[] {
  const refused = new Map([...first.refused, ...second.refused].map((one) => [inventoryId(one.ref), one]));
  return objects.filter((object) => {
    const one = refused.get(inventoryId(object.ref));
    if (!one) return false;
    const { causes } = refusalIn({ status: one.status, body: one.body as JsonObject }, object);
    // What SOPS adds is refused whatever stands in it.
    return causes.every(({ path }) => path[0] !== 'sops' && restsOnUnknown(object, path));
  });
}

async function attempt(
  cluster: Cluster,
  server: Simulator,
  options: SimulateOptions,
  left: ReadonlyMap<string, Unknown>,
): Promise<Simulation> {
  const base = options.fresh ? undefined : cluster.base;
  const { base: _, ...fresh } = cluster;
  const rights = rightsOf(options.fresh ? fresh : cluster);
  const isServed = await servedBy(server, cluster, options);
  const wrong = await refusedMetadata(server, options.fresh ? fresh : cluster);
  const { said = { head: [], base: [] } } = options;
  const sourcesOf = (some: readonly Rendered[], findings: readonly Finding[]): Source[] => {
    const context: SourceContext = { cluster, said: findings, isServed, left, rights: rights.now, wrong };
    return some.filter(isBuilt).map((one) => toSource(one, context));
  };
  const entrypoints = { head: cluster.head.entrypoints, base: base?.entrypoints ?? [] };
  // What the base branch has is most likely applied: a guess keeps nothing of it from that.
  const certain = said.base.filter(({ severity }) => severity === 'error');
  const [now, before] = [sourcesOf(entrypoints.head, said.head), sourcesOf(entrypoints.base, certain)];

  const begun = await round(server, before, () => ({ inventory: [], rights: rights.now }));
  const last = await round(server, before, (index) => ({ ...(begun[index] as Reconciled), rights: rights.now }));
  const refs = new Map([...now, ...before].flatMap(({ objects }) => objects.map(({ ref }) => [inventoryId(ref), ref])));
  const old = await stateOf(server, refs);
  const recorded = ({ entrypoint }: Pick<Rendered, 'entrypoint'>) =>
    last[before.findIndex((one) => sameEntrypoint(one.entrypoint, entrypoint))]?.inventory ?? [];
  const earlier = before.map((source, index) => ({ source, inventory: (last[index] as Reconciled).inventory }));
  const { withdrawn, run } = finalizers(server, earlier, rights.now);
  const first = await round(
    server,
    now,
    (index) => ({ inventory: recorded(now[index] as Source), rights: rights.now }),
    run,
  );
  const second = await round(server, now, beginAgain(now, first, rights));
  const state = await stateOf(server, refs);

  const reconciles = inPairs(now, first, second);
  const unbuilt = entrypoints.head.filter((one) => !one.ok);
  const kept = [...second.flatMap(({ inventory }) => inventory), ...unbuilt.flatMap(recorded)].map(inventoryId);
  const doubts = doubtsOf(reconciles, cluster, said.head);
  return {
    ...defined({ cluster: cluster.name }),
    reconciles,
    earlier: inPairs(before, begun, last),
    applied: entrypoints.head.map((one) => {
      const index = now.findIndex(({ entrypoint }) => entrypoint === one.entrypoint);
      const was = before.find(({ entrypoint }) => sameEntrypoint(entrypoint, one.entrypoint));
      return appliedOf(one, now[index], reconciles[index], doubts, was);
    }),
    outcomes: outcomesOf(refs, { old, state, reconciles, withdrawn, kept: new Set(kept), doubts }),
    unknown: [...new Map([...now, ...before].flatMap(({ unknown }) => unknown).map((one) => [one.what, one])).values()],
    before: old,
    after: state,
  };
}

/** What a commit grants or takes away holds in the second reconcile, unless what has the roles was not applied. */
function beginAgain(now: readonly Source[], first: readonly Reconciled[], rights: ReturnType<typeof rightsOf>): Begin {
  const hasFailed = (index: number) => first[index]?.reason === 'ReconciliationFailed';
  const isKept = now.some(({ rendered }, index) => hasFailed(index) && rolesIn(presentObjects(rendered)).length > 0);
  return (index) => ({
    inventory: (first[index] as Reconciled).inventory,
    rights: isKept || hasFailed(index) ? rights.now : rights.later,
  });
}

/** By `inventoryId`: why what is refused may be accepted nevertheless. */
export type Doubts = ReadonlyMap<string, string>;

function doubtsOf(reconciles: readonly Reconciles[], cluster: Cluster, said: readonly Finding[]): Doubts {
  const doubts = new Map<string, string>();
  for (const { rendered, objects, first, second } of reconciles) {
    const refused = new Map([...second.refused, ...first.refused].map((one) => [inventoryId(one.ref), one]));
    for (const object of objects) {
      const id = inventoryId(object.ref);
      const one = refused.get(id);
      const doubt = one && doubtOf(one, object, { rendered, objects, cluster, said });
      if (doubt !== undefined) doubts.set(id, doubt);
    }
  }
  return doubts;
}

function inPairs(
  sources: readonly Source[],
  first: readonly Reconciled[],
  second: readonly Reconciled[],
): Reconciles[] {
  return sources.map(({ entrypoint: { path }, built, rendered }, index) => ({
    path,
    rendered: built,
    objects: rendered,
    first: first[index] ?? nothing('NotThere'),
    second: second[index] ?? nothing('NotThere'),
  }));
}

/** Which kinds the server has, once it is as the cluster is before the repository has a say. */
async function servedBy(server: Simulator, cluster: Cluster, options: SimulateOptions) {
  const foreign = await prepare(server, cluster, options);
  const refs = [...cluster.head.objects, ...(cluster.base?.objects ?? [])].map(({ ref }) => ref);
  const kinds = [...new Map(refs.map((ref) => [kindWords(ref), ref])).values()];
  const answers = await server.ask(kinds.map(({ apiVersion, kind }) => ({ op: 'list', apiVersion, kind })));
  const served = new Set(kinds.filter((_, index) => answers[index]?.status === 200).map(kindWords));
  return (ref: ObjectRef) => served.has(kindWords(ref)) && !foreign.has(groupKind(ref));
}

async function stateOf(server: Simulator, refs: ReadonlyMap<string, ObjectRef>): Promise<State> {
  const answers = await server.ask([...refs.values()].map((ref) => ({ op: 'get', ref })));
  return new Map([...refs.keys()].map((id, index) => [id, answers[index]?.object]));
}

type Seen = {
  old: State;
  state: State;
  reconciles: readonly Reconciles[];
  withdrawn: Withdrawn;
  /** What Flux still knows that it has applied. */
  kept: ReadonlySet<string>;
  doubts: Doubts;
};

function outcomesOf(
  refs: ReadonlyMap<string, ObjectRef>,
  { old, state, reconciles, withdrawn, kept, doubts }: Seen,
): SimulatedObject[] {
  const rendered = new Map(reconciles.flatMap((one) => one.objects.map((object) => [inventoryId(object.ref), object])));
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
    const about = { ref, fields, ...defined({ object, why }), ...(why && defined({ unsure: doubts.get(id) })) };
    const by = withdrawn.get(id);
    const anew =
      by === undefined || !after
        ? {}
        : { why: `Flux Kustomization "${by}" is deleted, and takes it along; it is made anew` };
    // With its namespace goes what is still applied.
    const never = why === undefined || after ? {} : { why: `cannot be made again: ${why}` };
    if (before && (!after || by !== undefined)) return [{ ...about, ...never, ...anew, action: 'deleted' }];
    if (why !== undefined) return [{ ...about, action: 'refused' }];
    if (!before && after) return [{ ...about, action: 'created' }];
    // What is still recorded may go later, and is as it was until then.
    if (before && !object) return kept.has(id) ? [] : [{ ...about, action: 'left' }];
    return fields.length > 0 ? [{ ...about, action: 'changed' }] : [];
  });
}
