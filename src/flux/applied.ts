/**
 * Which objects a revision applies, and how certain that is. Whoever reads a fact out of objects (variables, sources, namespaces,
 * rights, owners, new homes of moved objects) takes `Applied` objects, and only this module gives them.
 */

import type { Entrypoint, JsonObject, Rendered, RenderedObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { isSetTo } from './settings.js';

declare const applied: unique symbol;

/** An object that Flux applies, or may apply, as it is rendered. */
export type Applied = RenderedObject & { readonly [applied]: true };

/**
 * `certain`: nothing is known to keep Flux from applying it as it is rendered. `possible`: the cluster decides, as for an object that
 * is left as it is once it exists. `never`: Flux does not apply it.
 */
export type Certainty = 'certain' | 'possible' | 'never';

export function certaintyOf(object: Pick<RenderedObject, 'value'>, { reach }: Pick<Entrypoint, 'reach'>): Certainty {
  if (reach === 'suspended' || !isApplied(object)) return 'never';
  return reach !== undefined || isLeftOnceItExists(object) ? 'possible' : 'certain';
}

/** True if an object that exists already stays as it is, or is deleted by the garbage collector. */
function isLeftOnceItExists({ value }: Pick<RenderedObject, 'value'>): boolean {
  return isSetTo(value, 'ssa', 'IfNotPresent') || ownersOf(value).length > 0;
}

/** `metadata.ownerReferences` of an object; empty if it has none. */
export function ownersOf(value: JsonObject): JsonObject[] {
  const owners = lookUp(value, ['metadata', 'ownerReferences']);
  return Array.isArray(owners) ? owners.filter(isObject) : [];
}

/** The objects of a build that Flux applies, or may apply; with `certain` only those of which that is certain. */
export function appliedBy(rendered: Rendered, atLeast: 'certain' | 'possible' = 'possible'): readonly Applied[] {
  return (atLeast === 'certain' ? certainBy : possibleBy)(rendered);
}

/** Objects that were read from a cluster: they are there, whoever applied them. */
export function presentObjects(objects: readonly RenderedObject[]): readonly Applied[] {
  return objects as readonly Applied[];
}

/** The same of several builds, in their order. */
export function appliedByAll(rendered: readonly Rendered[]): readonly Applied[] {
  return rendered.flatMap((one) => possibleBy(one));
}

const possibleBy = oncePer((rendered: Rendered) => selected(rendered, (certainty) => certainty !== 'never'));
const certainBy = oncePer((rendered: Rendered) => selected(rendered, (certainty) => certainty === 'certain'));

function selected(rendered: Rendered, isWanted: (certainty: Certainty) => boolean): readonly Applied[] {
  if (!rendered.ok) return [];
  return rendered.objects.filter((object): object is Applied => isWanted(certaintyOf(object, rendered.entrypoint)));
}

/** True if Flux sends the object to the API server, unless its Flux Kustomization is kept from it. */
export function isApplied({ value }: { value: JsonObject }): boolean {
  return applies(value);
}

/** Most rules ask it of each object. */
const applies = oncePer(
  (value: JsonObject) => !isSetTo(value, 'reconcile', 'disabled') && !isSetTo(value, 'ssa', 'Ignore'),
);

/** True if Flux decrypts the object before it sends it, so that its values are not known here. */
export function isEncrypted({ value }: { value: JsonObject }): boolean {
  return isObject(value.sops);
}
