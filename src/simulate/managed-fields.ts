/** Who has set which field, as `metadata.managedFields` says it. */
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';

/** Managers by the fields that they have set, deepest first; a list is one field. Those of subresources are left out. */
export type Owners = ReadonlyMap<string, readonly string[]>;

/** A key for a path that no two paths share. */
export function keyOf(path: FieldPath): string {
  return JSON.stringify(path);
}

/** One entry of `metadata.managedFields`. */
export type Managed = {
  manager: string;
  operation: string;
  /** RFC 3339, as the server has it. */
  time?: string;
  /** Deepest first; a list is one field. */
  fields: FieldPath[];
};

/** In the order of the object. Those of subresources are left out. */
export function managedIn(object: JsonObject | undefined): Managed[] {
  const entries = object ? lookUp(object, ['metadata', 'managedFields']) : undefined;
  return (Array.isArray(entries) ? entries : []).flatMap((entry) => {
    if (!isObject(entry) || entry.subresource || typeof entry.manager !== 'string') return [];
    const { manager, operation, time, fieldsV1 } = entry;
    const about = { manager, operation: String(operation), ...(typeof time === 'string' && { time }) };
    return [{ ...about, fields: leavesOf(fieldsV1) }];
  });
}

export function ownersIn(object: JsonObject | undefined): Owners {
  const owners = new Map<string, string[]>();
  for (const { manager, fields } of managedIn(object)) {
    for (const path of fields) {
      const key = keyOf(path);
      const known = owners.get(key) ?? [];
      if (!known.includes(manager)) owners.set(key, [...known, manager].sort());
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
