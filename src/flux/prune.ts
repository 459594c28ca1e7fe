/** What Flux applied before a change and does not have any more: with `prune` it deletes it. */

import { defined } from '../core/defined.js';
import { groupBy } from '../core/group.js';
import type { Entrypoint, Json, Rendered, RenderedObject } from '../core/model.js';
import { getString, inventoryId, isObject } from '../core/object.js';
import { once, oncePer } from '../core/once.js';
import { appliedBy, certaintyOf, isApplied } from './applied.js';
import { clusterFolder, isDecoy } from './decoy.js';
import { dependenciesOf } from './flux-objects.js';
import { isSetTo } from './settings.js';

export type Built = Extract<Rendered, { ok: true }>;

export function isBuilt(rendered: Rendered): rendered is Built {
  return rendered.ok;
}

export type Pruned = {
  /** As it was before the change. */
  object: RenderedObject;
  /** Whose account deletes it. */
  by: Entrypoint;
  /** Left in the cluster. */
  stays: boolean;
  /** Where else it is applied from now, and may be before it is pruned. */
  movedTo?: Entrypoint;
  /** Its Flux Kustomization, as `NAMESPACE/NAME`, where that is deleted: its finalizer deletes what it has applied at once. */
  deletedWith?: string | undefined;
  /** True if several objects of the change may be its Flux Kustomization, and not all of them apply the object. */
  isDoubtful?: true;
};

/**
 * By inventory: group, kind, namespace and name. Nothing is said of an entrypoint that does not build, as then nothing is
 * pruned, nor of one that is gone or empty, which are problems of their own. Where a Flux Kustomization has got another name, the
 * old one is deleted, and all that it has applied with it.
 */
export function prunedObjects(before: readonly Rendered[], after: readonly Rendered[]): readonly Pruned[] {
  return prunedBetween(before)(after);
}

/** Several rules ask, and the report. */
const prunedBetween = oncePer((before: readonly Rendered[]) =>
  oncePer((after: readonly Rendered[]) => pruned(before, after)),
);

function pruned(before: readonly Rendered[], after: readonly Rendered[]): Pruned[] {
  const world = new World(before, after);
  return before.flatMap((then) => {
    if (!then.ok) return [];
    const isRenamed = world.isRenamed(then);
    const [now, ...rivals] = world.successors(then, isRenamed);
    if (rivals.length > 0) return doubtful(then, [now as Rendered, ...rivals]);
    if (!now?.ok || (now.objects.length === 0 && !isRenamed)) return [];
    const kept = new Set(isRenamed ? [] : now.objects.map(({ ref }) => inventoryId(ref)));
    const inTime = once(() => world.homes((other) => world.comesInTime(other, then.entrypoint)));
    const atAnyTime = once(() => world.homes((other) => world.isReal(other, then.entrypoint)));
    return then.objects
      .filter((object) => !kept.has(inventoryId(object.ref)) && isApplied(object))
      .map((object) => {
        if (isRenamed && !isSetTo(object.value, 'prune', 'disabled'))
          return { object, by: then.entrypoint, stays: false, deletedWith: idOf(then.entrypoint) };
        // Which of the two specs is in force when the files are gone, nothing says.
        const stays = isLeft(object, then.entrypoint) && isLeft(object, now.entrypoint);
        // What is not deleted in between may be taken over at any time.
        const movedTo = (stays ? atAnyTime() : inTime()).get(inventoryId(object.ref));
        return { object, by: now.entrypoint, stays, ...defined({ movedTo }) };
      });
  });
}

/** What not each of several possible successors applies. */
function doubtful(then: Built, successors: readonly Rendered[]): Pruned[] {
  const known = successors.map((one) => new Set(one.ok ? one.objects.map(({ ref }) => inventoryId(ref)) : []));
  return appliedBy(then)
    .filter(({ ref }) => !known.every((ids) => ids.has(inventoryId(ref))))
    .map((object) => ({ object, by: then.entrypoint, stays: isLeft(object, then.entrypoint), isDoubtful: true }));
}

type Parented = { parent: Built; object: RenderedObject };

/** Both revisions, as the questions need them. */
class World {
  readonly #names: { before: ReadonlyMap<string, Parented[]>; after: ReadonlyMap<string, Parented[]> };
  readonly #waits: ReadonlyMap<string, readonly string[]>;
  readonly #head: readonly Entrypoint[];

  constructor(
    private readonly before: readonly Rendered[],
    private readonly after: readonly Rendered[],
  ) {
    this.#names = { before: fluxObjectsIn(before), after: fluxObjectsIn(after) };
    this.#waits = waitingFor(after, this.#names.after);
    this.#head = after.map(({ entrypoint }) => entrypoint);
  }

  /** What stands in a file that nothing renders takes the place of nothing. */
  isReal(it: Entrypoint, then: Entrypoint): boolean {
    return !isDecoy(it, then, this.#head);
  }

  same({ entrypoint }: Rendered): Rendered | undefined {
    const all = this.after.filter(
      (one) => sameEntrypoint(one.entrypoint, entrypoint) && this.isReal(one.entrypoint, entrypoint),
    );
    return all.find((one) => one.entrypoint.reach !== 'suspended') ?? all[0];
  }

  /**
   * What applies, after the change, what an entrypoint has applied before: the same one; else the Flux Kustomization of that name,
   * with another path. Several of that name are in doubt. Those of several clusters may have one name.
   */
  successors(then: Rendered, isRenamed: boolean): readonly Rendered[] {
    const same = this.same(then);
    const namesakes = this.#namesakes(then);
    const isReplaced = same?.entrypoint.reach === 'suspended' && then.entrypoint.reach !== 'suspended';
    if (same && !(isReplaced && namesakes.length > 0)) return [same];
    return isRenamed ? [then] : namesakes;
  }

  /** Flux Kustomizations of the name that Flux reconciles; none if the base has several. */
  #namesakes({ entrypoint }: Rendered): readonly Rendered[] {
    const id = idOf(entrypoint);
    const has = (other: Rendered) =>
      idOf(other.entrypoint) === id && clusterFolder(other.entrypoint) === clusterFolder(entrypoint);
    if (id === undefined || this.before.filter(has).length > 1) return [];
    return this.after.filter(
      (one) => has(one) && one.entrypoint.reach !== 'suspended' && this.isReal(one.entrypoint, entrypoint),
    );
  }

  /**
   * Whether a Flux Kustomization is taken out of the repository, and pruned with what it applied, though its directory is still
   * applied (finalizerShouldDeleteResources of kustomize-controller 1.8).
   */
  isRenamed({ entrypoint }: Rendered): boolean {
    const { path, prunes, reach } = entrypoint;
    const id = idOf(entrypoint);
    if (id === undefined || reach === 'suspended') return false;
    const old = (this.#names.before.get(id) ?? []).find((one) => this.#isTakenOut(one, id));
    if (!old) return false;
    const policy = getString(old.object.value, ['spec', 'deletionPolicy']) || 'MirrorPrune';
    const deletes = policy === 'MirrorPrune' ? prunes !== false : policy !== 'Orphan';
    if (!deletes || isLeft(old.object, old.parent.entrypoint)) return false;
    return this.after.some((one) => one.ok && one.entrypoint.path === path);
  }

  /** By what rendered it, which still prunes; in several clusters there may be one of that name. */
  #isTakenOut({ parent }: Parented, id: string): boolean {
    const now = this.same(parent);
    if (now && (!now.ok || now.entrypoint.prunes === false || now.entrypoint.reach === 'suspended')) return false;
    const earlier = this.#names.before.get(id) ?? [];
    const isSame = (one: Built, other: Built) => sameEntrypoint(one.entrypoint, other.entrypoint);
    return !(this.#names.after.get(id) ?? []).some(
      (one) =>
        isSame(one.parent, parent) ||
        (this.comesInTime(one.parent.entrypoint, parent.entrypoint) &&
          !earlier.some((then) => isSame(then.parent, one.parent))),
    );
  }

  /** By inventory: what applies an object now, whatever the cluster has. */
  homes(isHome: (entrypoint: Entrypoint) => boolean): ReadonlyMap<string, Entrypoint> {
    const found = new Map<string, Entrypoint>();
    for (const one of this.after) {
      if (!one.ok || !isHome(one.entrypoint)) continue;
      for (const object of appliedBy(one)) {
        const id = inventoryId(object.ref);
        if (certaintyOf(object, {}) === 'certain' && !found.has(id)) found.set(id, one.entrypoint);
      }
    }
    return found;
  }

  /**
   * Whether it may apply an object before another prunes it: nothing stands in the way that did not in that one's, and it waits
   * neither for that one nor for what nobody here knows.
   */
  comesInTime(it: Entrypoint, other: Entrypoint): boolean {
    if (it.reach !== undefined && it.reach !== other.reach) return false;
    const [start, end] = [idOf(it), idOf(other)];
    if (start === undefined || end === undefined) return true;
    const seen = new Set([start]);
    for (const id of seen) for (const next of this.#waits.get(id) ?? []) seen.add(next);
    return start === end || !(seen.has(end) || [...seen].some((id) => !this.#waits.has(id)));
  }
}

function fluxObjectsIn(all: readonly Rendered[]): ReadonlyMap<string, Parented[]> {
  const found = all.filter(isBuilt).flatMap((parent) => parent.objects.map((object) => ({ parent, object })));
  return groupBy(
    found.filter(({ object }) => isFluxKustomization(object.ref)),
    ({ object: { ref } }) => `${ref.namespace ?? ''}/${ref.name}`,
  );
}

/** By Flux Kustomization, as `NAMESPACE/NAME`: those that it waits for. */
function waitingFor(
  entrypoints: readonly Rendered[],
  named: ReadonlyMap<string, Parented[]>,
): ReadonlyMap<string, readonly string[]> {
  const rendered = [...named].map(([id, objects]): [string, string[]] => [
    id,
    objects.flatMap(({ object: { value } }) => dependenciesOf({ id, value }).map((one) => one.id)),
  ]);
  // Of those that only stand in a file it is not known what they wait for.
  const others = entrypoints.flatMap(({ entrypoint }): [string, string[]][] => {
    const id = idOf(entrypoint);
    return id === undefined ? [] : [[id, []]];
  });
  return new Map([...others, ...rendered]);
}

function isFluxKustomization({ kind, apiVersion }: RenderedObject['ref']): boolean {
  return kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
}

function idOf({ kustomization: { namespace = '', name } }: Entrypoint): string | undefined {
  return name === undefined ? undefined : `${namespace}/${name}`;
}

/** The same Flux Kustomization, as far as one can tell. */
export function sameEntrypoint(one: Entrypoint, other: Entrypoint): boolean {
  const id = ({ path, kustomization: { namespace, name } }: Entrypoint) => JSON.stringify([path, namespace, name]);
  return id(one) === id(other);
}

/** Whether Flux leaves it in the cluster. It reads that from the object there, so what was applied last counts. */
export function isLeft({ value }: RenderedObject, { prunes }: Entrypoint): boolean {
  return prunes === false || isSetTo(value, 'prune', 'disabled');
}

/** Whether a `spec` leaves anything behind; an empty map says nothing, though Flux co-owns it. */
export function setsAnything(spec: Json | undefined): boolean {
  if (spec === undefined) return false;
  return isObject(spec) ? Object.values(spec).some(setsAnything) : true;
}
