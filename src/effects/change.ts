/** What a change does to the objects that Flux applies. */

import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../core/group.js';
import type { FieldPath, Json, JsonObject, ObjectRef } from '../core/model.js';
import { groupOf, inventoryId, isObject, lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import type { Applied } from '../flux/applied.js';

/** An object that Flux applies after the change, and as it was before; `before` is absent for a new one. */
export type Change = { object: Applied; before?: Applied };

/** Objects that differ from those of the base, or are new. An object that the base has unchanged has no effect. */
export function changesBetween(base: readonly Applied[], head: readonly Applied[]): Change[] {
  const old = byId(base);
  return head.flatMap((object): Change[] => {
    const all = old.get(inventoryId(object.ref)) ?? [];
    if (all.some(({ value }) => isDeepStrictEqual(value, object.value))) return [];
    const before = all.find(({ entrypoint }) => entrypoint === object.entrypoint) ?? all[0];
    return [{ object, ...(before && { before }) }];
  });
}

const byId = oncePer((objects: readonly Applied[]) => groupBy(objects, ({ ref }) => inventoryId(ref)));

export const releaseKind = 'helm.toolkit.fluxcd.io/HelmRelease';

/** As tables name a kind: `apps/Deployment`, `/Secret`. */
export function groupKind({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

export function differsAt({ object, before }: Change, path: FieldPath): boolean {
  return !isDeepStrictEqual(lookUp(object.value, path), before && lookUp(before.value, path));
}

/** The metadata of an object, or of a template in it. */
export type Metadata = { path: FieldPath; value: JsonObject | undefined; before: JsonObject | undefined };

export function metadataAt({ object, before }: Change, path: FieldPath): Metadata {
  const [value, old] = [object, before].map((one) => one && lookUp(one.value, path));
  return { path, value: isObject(value) ? value : undefined, before: isObject(old) ? old : undefined };
}

type ChangedKey = { path: FieldPath; key: string; value: Json };

/** The labels or annotations that are new or have another value. */
export function changedKeys(
  { path, value, before }: Metadata,
  map: 'labels' | 'annotations',
  counts: (key: string) => boolean,
): ChangedKey[] {
  const [is, was] = [value, before].map((one) => one?.[map]);
  return Object.entries(isObject(is) ? is : {})
    .filter(([key, text]) => counts(key) && (!isObject(was) || was[key] !== text))
    .map(([key, text]) => ({ path: [...path, map, key], key, value: text }));
}

export type ValueNode = { path: FieldPath; value: Json };

/** Every node of a value, a parent before its children. It keeps a stack of its own, as the depth is the repository's choice. */
export function* nodesIn(value: Json, start: FieldPath = []): Generator<ValueNode> {
  const open: ValueNode[] = [{ path: start, value }];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    if (node.value === null || typeof node.value !== 'object') continue;
    const isList = Array.isArray(node.value);
    const children = Object.entries(node.value).map(([key, child]) => ({
      path: [...(node as ValueNode).path, isList ? Number(key) : key],
      value: child as Json,
    }));
    open.push(...children.reverse());
  }
}
