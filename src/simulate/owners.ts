/** Who has set which field, as `metadata.managedFields` says it. */
import type { FieldPath, Json, JsonObject } from '../model.js';
import { isObject, lookUp } from '../object.js';

/** Managers by the fields that they have set, deepest first; a list is one field. Those of subresources are left out. */
export type Owners = ReadonlyMap<string, readonly string[]>;

/** A key for a path that no two paths share. */
export function keyOf(path: FieldPath): string {
  return JSON.stringify(path);
}

export function ownersIn(object: JsonObject | undefined): Owners {
  const owners = new Map<string, string[]>();
  const entries = object ? lookUp(object, ['metadata', 'managedFields']) : undefined;
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (!isObject(entry) || entry.subresource || typeof entry.manager !== 'string') continue;
    for (const path of leavesOf(entry.fieldsV1)) {
      const key = keyOf(path);
      const known = owners.get(key) ?? [];
      if (!known.includes(entry.manager)) owners.set(key, [...known, entry.manager].sort());
    }
  }
  return owners;
}

/** Paths of `fieldsV1`; below a list's items there is nothing of its own. */
function leavesOf(fields: Json | undefined, path: FieldPath = []): FieldPath[] {
  const entries = isObject(fields) ? Object.entries(fields).filter(([step]) => step !== '.') : [];
  const below = entries.filter(([step]) => step.startsWith('f:'));
  if (below.length === 0) return [path];
  return below.flatMap(([step, inner]) => leavesOf(inner, [...path, step.slice(2)]));
}
