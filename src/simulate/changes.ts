/** What differs between two states of an object: fields with their values and owners. */

import { isDeepStrictEqual } from 'node:util';
import { defined } from '../core/defined.js';
import type { FieldDiff, FieldPath, Json, JsonObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { keyOf, ownersIn } from './managed-fields.js';

export type FieldChange = Omit<FieldDiff, 'at'>;

/** What an API server writes by itself. */
const servers = ['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp'];

/** In the order of the object as it is, then what is gone. A field that only got another owner counts. */
export function changesBetween(before: JsonObject | undefined, after: JsonObject | undefined): FieldChange[] {
  const [old, now] = [leavesIn(before), leavesIn(after)];
  const [ownersBefore, ownersAfter] = [ownersIn(before), ownersIn(after)];
  const paths = new Map([...now, ...old]);
  const changes: FieldChange[] = [];
  for (const [key, path] of paths) {
    const [was, is] = [valueAt(before, path), valueAt(after, path)];
    // A map that got its first key, or lost its last, is told by that key.
    if (isObject(was) && isObject(is)) continue;
    const [had, has] = [ownersBefore.get(key) ?? [], ownersAfter.get(key) ?? []];
    if (isDeepStrictEqual(was, is) && isDeepStrictEqual(had, has)) continue;
    changes.push({
      path,
      ...defined({ before: was, after: is }),
      ownersBefore: had,
      ownersAfter: has,
    });
  }
  return changes;
}

function valueAt(object: JsonObject | undefined, path: FieldPath): Json | undefined {
  return object && lookUp(object, path);
}

/** Fields that hold no others, by `keyOf`: scalars, lists, maps without anything in them. */
export function leavesIn(object: JsonObject | undefined): Map<string, FieldPath> {
  const leaves = new Map<string, FieldPath>();
  const visit = (value: Json, path: FieldPath) => {
    if (path.length === 2 && path[0] === 'metadata' && servers.includes(String(path[1]))) return;
    const entries = isObject(value) ? Object.entries(value) : [];
    if (entries.length === 0) leaves.set(keyOf(path), path);
    for (const [key, inner] of entries) visit(inner, [...path, key]);
  };
  for (const [key, value] of Object.entries(object ?? {})) visit(value, [key]);
  return leaves;
}
