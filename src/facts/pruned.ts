/** What Flux applied before a change and does not have any more: with `prune` it deletes it. */
import { isSetTo } from '../contract/flux.js';
import type { Entrypoint, Json, RenderedObject } from '../model.js';
import { inventoryId, isObject } from '../object.js';
import type { Rendered } from '../render/render.js';
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
  /** Where else it is applied from now. */
  movedTo?: Entrypoint;
};

/**
 * By inventory: group, kind, namespace and name. Nothing is said of an entrypoint that does not build, as then nothing is
 * pruned, nor of one that is gone or empty, which are problems of their own.
 */
export function prunedObjects(before: readonly Rendered[], after: readonly Rendered[]): Pruned[] {
  return before.flatMap((then) => {
    const now = after.find(({ entrypoint }) => sameEntrypoint(entrypoint, then.entrypoint));
    if (!then.ok || !now?.ok || now.objects.length === 0) return [];
    const kept = new Set(now.objects.map(({ ref }) => inventoryId(ref)));
    return then.objects
      .filter((object) => !kept.has(inventoryId(object.ref)) && isApplied(object))
      .map((object) => ({
        object,
        now,
        stays: isLeft(object, now.entrypoint),
        ...moved(object, after),
      }));
  });
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
