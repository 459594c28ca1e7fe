/** What becomes of one field of a rendered object: when it is applied, and when it is taken out again. */

import { isDeepStrictEqual } from 'node:util';
import { withoutValues } from '../apiserver/status.js';
import type { Cluster } from '../cluster/cluster.js';
import { defined } from '../core/defined.js';
import type { FieldPath, Json, JsonObject, RenderedObject } from '../core/model.js';
import { inventoryId, isObject, isWithin, label, lookUp } from '../core/object.js';
import { isApplied } from '../flux/applied.js';
import type { Built } from '../flux/prune.js';
import type { FieldChange } from './changes.js';
import { keyOf, type Owners, ownersIn } from './managed-fields.js';
import type { Simulation } from './simulate.js';
import { unknownName } from './sources.js';

/** The field manager of kustomize-controller. */
export const flux = 'kustomize-controller';

export type ObjectOutcome = {
  action: 'created' | 'changed' | 'unchanged' | 'deleted' | 'refused' | 'stopped' | 'skipped' | 'unknown';
  why?: string;
  /** Why it may come otherwise. */
  unsure?: string;
};

export function fateOfObject(object: RenderedObject, simulation: Simulation): ObjectOutcome {
  const id = inventoryId(object.ref);
  const name = unknownName(object.ref);
  const outcome = simulation.outcomes.find(({ ref }) => inventoryId(ref) === id);
  const refused = { action: 'refused' as const, why: outcome?.why ?? '', ...defined({ unsure: outcome?.unsure }) };
  // Flux may wait for it in vain.
  if (!isApplied(object))
    return outcome?.action === 'refused'
      ? refused
      : { action: 'skipped', why: 'the manifest tells Flux to leave it alone' };
  const unknown = simulation.unknown.find(({ what }) => what === name);
  if (unknown) return { action: 'unknown', ...defined({ why: unknown.why, unsure: unknown.unsure }) };
  if (outcome?.action === 'refused') return refused;
  if (outcome?.action === 'created') return { action: 'created' };
  if (outcome?.action === 'deleted') return { action: 'deleted', ...defined({ why: outcome.why }) };
  const own = simulation.reconciles.filter(({ path }) => path === object.entrypoint);
  const runs = own.flatMap(({ first, second }) => [second, first]);
  const change = runs.flatMap(({ changes }) => changes).find(({ ref }) => inventoryId(ref) === id);
  if (change?.action === 'skipped') return { action: 'skipped', why: 'it is there, and is told to be left alone' };
  if (!change) return notApplied(object, simulation);
  return { action: outcome?.action === 'changed' ? 'changed' : 'unchanged' };
}

/** What its Flux Kustomization does not come to. */
function notApplied({ entrypoint }: RenderedObject, { reconciles, applied }: Simulation): ObjectOutcome {
  const runs = reconciles.filter(({ path }) => path === entrypoint).flatMap(({ first, second }) => [second, first]);
  const refused = runs.flatMap((run) => run.refused.map(({ ref }) => label(ref)));
  const held = runs.map(({ reason }) => heldWords[reason]).find((words) => words !== undefined);
  const { unsure } = applied.find(({ path }) => path === entrypoint) ?? {};
  const why = held ?? `${refused[0] ?? 'something'} is refused, which stops the rest`;
  return { action: 'stopped', why, ...defined({ unsure }) };
}

/** Why a Flux Kustomization is not reconciled at all. */
const heldWords: { readonly [reason: string]: string } = {
  Suspended: 'its Flux Kustomization is suspended',
  NotThere: 'its Flux Kustomization is not in the cluster',
  DependencyNotReady: 'its Flux Kustomization waits for another that is not ready',
};

export type FieldOutcome = {
  /**
   * `shared`: the value is as before, and another manager has set it too. `unsent`: Flux leaves it out; `dropped`: the API
   * server does. `gone`: it was there. `absent`: it neither was nor is. `held`: the object is not applied.
   */
  outcome: 'added' | 'taken' | 'changed' | 'shared' | 'unchanged' | 'gone' | 'unsent' | 'dropped' | 'absent' | 'held';
  /** Of the whole list where the field is in one, as a list has one owner; so are `before` and `after`. */
  path: FieldPath;
  before?: Json;
  after?: Json;
  ownersBefore: readonly string[];
  ownersAfter: readonly string[];
  /** Others than Flux who were owners before, and are none any more. */
  from: readonly string[];
  /** What stood in place of the map that the field is in. */
  replaced?: { path: FieldPath; value: Json };
};

/** An object before and after, and as it is sent; `sent` is absent for what the repository does not set. */
export type States = { before: JsonObject | undefined; after: JsonObject | undefined; sent?: JsonObject | undefined };

/** `by`: whether the repository sets it, or does nothing to the object at all. */
export function fieldOutcome(
  field: FieldPath,
  { before, after, sent }: States,
  by: 'set' | 'unset' | 'held',
): FieldOutcome {
  const path = wholeList(field);
  const [was, is] = [valueAt(before, path), valueAt(after, path)];
  const replaced = was === undefined ? replacedIn(before, path) : undefined;
  const ownersBefore = ownersOf(replaced?.path ?? path, was === undefined && !replaced ? undefined : before);
  const ownersAfter = ownersOf(path, is === undefined ? undefined : after);
  const from = ownersBefore.filter((owner) => owner !== flux && !ownersAfter.includes(owner));
  const outcome = (): FieldOutcome['outcome'] => {
    if (by === 'held') return 'held';
    if (by === 'set' && valueAt(sent, field) === undefined) return 'unsent';
    if (by === 'set' && is === undefined) return 'dropped';
    if (was === undefined) return is === undefined ? 'absent' : from.length > 0 ? 'taken' : 'added';
    if (is === undefined) return 'gone';
    if (from.length > 0) return 'taken';
    if (!isDeepStrictEqual(was, is)) return 'changed';
    return ownersAfter.length > 1 ? 'shared' : 'unchanged';
  };
  return {
    outcome: outcome(),
    path,
    ownersBefore,
    ownersAfter,
    from,
    ...defined({ before: was, after: is }),
    ...defined({ replaced }),
  };
}

function valueAt(object: JsonObject | undefined, path: FieldPath): Json | undefined {
  return object && lookUp(object, path);
}

/** Items are merged with those of others, so that only the list itself is where it was. */
export function wholeList(path: FieldPath): FieldPath {
  const index = path.findIndex((step) => typeof step === 'number');
  return index < 0 ? path : path.slice(0, index);
}

/** A scalar or a list that stood where there is a map now. */
function replacedIn(object: JsonObject | undefined, path: FieldPath): FieldOutcome['replaced'] {
  for (let depth = path.length - 1; depth > 0; depth--) {
    const value = valueAt(object, path.slice(0, depth));
    if (value !== undefined) return isObject(value) ? undefined : { path: path.slice(0, depth), value };
  }
  return undefined;
}

/** Those who have set it, or anything in it; of what is one value with others around it, those who have set that. */
function ownersOf(path: FieldPath, object: JsonObject | undefined): string[] {
  const owners: Owners = ownersIn(object);
  const start = keyOf(path).slice(0, -1);
  const below = [...owners].filter(([key]) => key === `${start}]` || key.startsWith(`${start},`));
  if (below.length > 0) return [...new Set(below.flatMap(([, managers]) => managers))].sort();
  for (let depth = path.length - 1; depth > 0; depth--) {
    const found = owners.get(keyOf(path.slice(0, depth)));
    if (found) return [...found];
  }
  return [];
}

export type Removal = {
  /** `goes`: nothing is left; `stays`: as it was, as others have set it; `becomes`: another value is there then. */
  outcome: 'goes' | 'stays' | 'becomes' | 'refused' | 'stopped';
  why?: string;
  after?: Json;
  owners?: readonly string[];
  /** What else changes in the object: maps around the field that are left empty, and what goes with it. */
  others: FieldChange[];
};

/** Of a field of `removed`, which is taken out as a whole; `simulation` is that of `clusterWithout`. */
export function removalOf(
  field: FieldPath,
  { object, removed, simulation }: { object: RenderedObject; removed: FieldPath; simulation: Simulation },
): Removal {
  const fate = fateOfObject(object, simulation);
  const id = inventoryId(object.ref);
  if (fate.action === 'refused' || fate.action === 'stopped')
    return { outcome: fate.action, why: withoutValues(fate.why ?? '', object), others: [] };
  const states = { before: simulation.before.get(id), after: simulation.after.get(id) };
  const { before, after, ownersAfter } = fieldOutcome(field, states, 'unset');
  const changes = simulation.outcomes.find(({ ref }) => inventoryId(ref) === id)?.fields ?? [];
  const others = changes.filter(({ path }) => !isWithin(path, wholeList(removed)));
  if (after === undefined) return { outcome: 'goes', others };
  const outcome = isDeepStrictEqual(before, after) ? 'stays' : 'becomes';
  return { outcome, after, owners: ownersAfter, others };
}

/** What a third commit without the field is simulated on: the state that `simulation` has come to, with `cluster` applied. */
export function clusterWithout(
  field: FieldPath,
  { object, cluster, simulation }: { object: RenderedObject; cluster: Cluster; simulation: Simulation },
): { cluster: Cluster; live: JsonObject[] } {
  const { head } = cluster;
  const reduced = { ...object, value: without(object.value, field) };
  const change = <Of extends RenderedObject>(objects: readonly Of[]): Of[] =>
    objects.map((one) => (one === object ? { ...one, value: reduced.value } : one));
  const entrypoints = head.entrypoints.map((one) =>
    one.ok ? ({ ...one, objects: change(one.objects) } satisfies Built) : one,
  );
  return {
    cluster: {
      ...cluster,
      base: head,
      head: { ...head, entrypoints, objects: change(head.objects), applied: change(head.applied) },
    },
    live: [...simulation.after.values()].filter((one) => one !== undefined),
  };
}

/** A copy without the field, and without the maps and lists that are empty for that: as a person takes it out. */
function without(value: JsonObject, path: FieldPath): JsonObject {
  const copy = structuredClone(value);
  for (let depth = path.length; depth > 0; depth--) {
    const parent = lookUp(copy, path.slice(0, depth - 1)) as Json;
    const last = path[depth - 1] as string | number;
    if (depth < path.length && Object.keys((parent as JsonObject)[last] ?? {}).length > 0) break;
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete (parent as JsonObject)[last];
  }
  return copy;
}
