/** Pods in objects of any kind: a map with a list of containers is the specification of a pod. */

import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { type Change, type Metadata, metadataAt, nodesIn } from './change.js';

export type Container = { path: FieldPath; value: JsonObject; before: JsonObject | undefined };

/** The specification of a pod; `before` is absent if the object had none in that place. */
export type Pod = {
  path: FieldPath;
  value: JsonObject;
  before: JsonObject | undefined;
  containers: Container[];
  metadata: Metadata;
};

const lists = ['containers', 'initContainers', 'ephemeralContainers'];

/** The pods of an object; several rows of the table ask for those of the same change. */
export const podsIn = oncePer(findPods);

function findPods(change: Change): Pod[] {
  const { object, before } = change;
  const pods: Pod[] = [];
  for (const { path, value } of nodesIn(object.value)) {
    if (!isObject(value) || !Array.isArray(value.containers) || !value.containers.some(isObject)) continue;
    const old = before && lookUp(before.value, path);
    const metadata = metadataAt(change, [...path.slice(0, -1), 'metadata']);
    pods.push({ ...podOf(path, value, isObject(old) ? old : undefined), metadata });
  }
  return pods;
}

function podOf(path: FieldPath, value: JsonObject, before: JsonObject | undefined): Omit<Pod, 'metadata'> {
  const old = new Map(containersOf(before).map(({ container }) => [container.name, container]));
  const containers = containersOf(value).map(({ container, path: at }) => ({
    path: [...path, ...at],
    value: container,
    before: old.get(container.name as Json),
  }));
  return { path, value, before, containers };
}

function containersOf(pod: JsonObject | undefined): { container: JsonObject; path: FieldPath }[] {
  return lists.flatMap((list) => {
    const items = pod?.[list];
    if (!Array.isArray(items)) return [];
    return items.flatMap((container, index) => (isObject(container) ? [{ container, path: [list, index] }] : []));
  });
}

/** The account whose token the pod gets. */
export function accountOf(pod: JsonObject | undefined): string {
  return (pod && (getString(pod, ['serviceAccountName']) || getString(pod, ['serviceAccount']))) || 'default';
}
