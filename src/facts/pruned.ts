/** What Flux applied before a change and does not have any more: with `prune` it deletes it. */
import { isSetTo } from '../contract/flux.js';
import type { Entrypoint, Json, RenderedObject } from '../model.js';
import { inventoryId, isObject, textAt } from '../object.js';
import type { Rendered } from '../render/render.js';
import { dependenciesOf } from './flux-objects.js';
import { isApplied } from './refusal.js';

export type Built = Extract<Rendered, { ok: true }>;

export function isBuilt(rendered: Rendered): rendered is Built {
  return rendered.ok;
}

export type Pruned = {
  /** As it was before the change. */
  object: RenderedObject;
  /** What its Flux Kustomization applies now. */
  now: Built;
  /** Left in the cluster. */
  stays: boolean;
  /** Where else it is applied from now, and may be before it is pruned. */
  movedTo?: Entrypoint;
  /** Its Flux Kustomization, as `NAMESPACE/NAME`, where that is deleted: its finalizer deletes what it has applied at once. */
  deletedWith?: string;
};

/**
 * By inventory: group, kind, namespace and name. Nothing is said of an entrypoint that does not build, as then nothing is
 * pruned, nor of one that is gone or empty, which are problems of their own. Where a Flux Kustomization has got another name, the
 * old one is deleted, and all that it has applied with it.
 */
export function prunedObjects(before: readonly Rendered[], after: readonly Rendered[]): Pruned[] {
  const waits = waitingFor(after);
  return before.flatMap((then) => {
    const renamed = renamedTo(then, before, after);
    const now =
      after.find(({ entrypoint }) => sameEntrypoint(entrypoint, then.entrypoint)) ??
      renamed ??
      onlyNamesake(then, before, after);
    if (!then.ok || !now?.ok || (now.objects.length === 0 && !renamed)) return [];
    const { namespace = '', name } = then.entrypoint.kustomization;
    const kept = new Set(renamed ? [] : now.objects.map(({ ref }) => inventoryId(ref)));
    return then.objects
      .filter((object) => !kept.has(inventoryId(object.ref)) && isApplied(object))
      .map((object) => {
        if (renamed && !isSetTo(object.value, 'prune', 'disabled'))
          return { object, now, stays: false, deletedWith: `${namespace}/${name}` };
        const stays = isLeft(object, then.entrypoint.prunes === false ? then.entrypoint : now.entrypoint);
        // What is not deleted in between may be taken over at any time.
        return { object, now, stays, ...moved(object, stays ? after : inTime(after, then, waits)) };
      });
  });
}

/**
 * What applies the directory of a Flux Kustomization that is taken out of the repository, and pruned with what it applied
 * (finalizerShouldDeleteResources of kustomize-controller 1.8).
 */
function renamedTo(then: Rendered, before: readonly Rendered[], after: readonly Rendered[]): Built | undefined {
  const { path, kustomization, prunes, reach } = then.entrypoint;
  if (kustomization.name === undefined || reach === 'suspended') return undefined;
  const isIt = ({ ref }: RenderedObject) =>
    isFluxKustomization(ref) &&
    ref.name === kustomization.name &&
    (ref.namespace ?? '') === (kustomization.namespace ?? '');
  const objects = (all: readonly Rendered[]) =>
    all.flatMap((one) => (one.ok ? one.objects.map((object) => ({ one, object })) : []));
  const old = objects(before).find(({ object }) => isIt(object));
  if (!old || objects(after).some(({ object }) => isIt(object))) return undefined;
  const policy = textAt(old.object.value, ['spec', 'deletionPolicy']) || 'MirrorPrune';
  const deletes = policy === 'MirrorPrune' ? prunes !== false : policy !== 'Orphan';
  if (!deletes || isLeft(old.object, old.one.entrypoint)) return undefined;
  return after.filter(isBuilt).find(({ entrypoint }) => entrypoint.path === path);
}

/** The same Flux Kustomization with another path, where there is no doubt: those of several clusters may have one name. */
function onlyNamesake(
  { entrypoint }: Rendered,
  before: readonly Rendered[],
  after: readonly Rendered[],
): Rendered | undefined {
  const { name, namespace } = entrypoint.kustomization;
  const has = (other: Rendered) => {
    const { kustomization } = other.entrypoint;
    return kustomization.name === name && kustomization.namespace === namespace;
  };
  const [was, is] = [before.filter(has), after.filter(has)];
  return name !== undefined && was.length === 1 && is.length === 1 ? is[0] : undefined;
}

/** By Flux Kustomization, as `NAMESPACE/NAME`: those that it waits for. */
function waitingFor(entrypoints: readonly Rendered[]): ReadonlyMap<string, readonly string[]> {
  const objects = entrypoints
    .flatMap((one) => (one.ok ? one.objects : []))
    .filter(({ ref }) => isFluxKustomization(ref));
  const rendered = objects.map(({ ref, value }): [string, string[]] => {
    const id = `${ref.namespace ?? ''}/${ref.name}`;
    return [id, dependenciesOf({ id, value }).map((one) => one.id)];
  });
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

function inTime(after: readonly Rendered[], then: Rendered, waits: ReadonlyMap<string, readonly string[]>): Rendered[] {
  return after.filter(({ entrypoint }) => comesInTime(entrypoint, then.entrypoint, waits));
}

function idOf({ kustomization: { namespace = '', name } }: Entrypoint): string | undefined {
  return name === undefined ? undefined : `${namespace}/${name}`;
}

/** Whether it may apply an object before another prunes it: it is not suspended, and waits neither for that one nor for what nobody here knows. */
function comesInTime(it: Entrypoint, other: Entrypoint, waits: ReadonlyMap<string, readonly string[]>): boolean {
  if (it.reach === 'suspended') return false;
  const [start, end] = [idOf(it), idOf(other)];
  if (start === undefined || end === undefined) return true;
  const seen = new Set([start]);
  for (const id of seen) for (const next of waits.get(id) ?? []) seen.add(next);
  return start === end || !(seen.has(end) || [...seen].some((id) => !waits.has(id)));
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

function moved({ ref }: RenderedObject, after: readonly Rendered[]): Pick<Pruned, 'movedTo'> {
  const id = inventoryId(ref);
  const home = after.find((rendered) => rendered.ok && rendered.objects.some((other) => inventoryId(other.ref) === id));
  return home ? { movedTo: home.entrypoint } : {};
}
