/** Items that the API server takes for the same, in lists that it merges by key or value: it refuses the object. */
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { isObject } from '../core/object.js';
import { childOf, resolve } from './structure.js';
import type { KnownSchema, Schema } from './types.js';
import { isScalar, isUnresolved } from './walk.js';

/** `key` is a phrase: `containerPort 80 and protocol "TCP"`, `the value "GET"`. */
export type Duplicate = { first: FieldPath; path: FieldPath; key: string };

/** In all but the metadata and the status. */
export function duplicatesIn({ metadata, status, ...value }: JsonObject, known: KnownSchema): Duplicate[] {
  const found: Duplicate[] = [];
  below(value, known.schema, { known, path: [], found });
  return found;
}

/** `path` is of the value that is looked at. */
type Search = { known: KnownSchema; path: (string | number)[]; found: Duplicate[] };

function below(value: Json, schema: Schema, search: Search): void {
  const { known, path, found } = search;
  if (path.length > 100) return;
  const node = resolve(schema, known.root);
  const inside = (step: string | number, inner: Json, schema: Schema) => {
    path.push(step);
    below(inner, schema, search);
    path.pop();
  };
  if (Array.isArray(value)) {
    const item = resolve(node.items ?? {}, known.root);
    const seen = new Map<string, number>();
    for (const [index, entry] of value.entries()) {
      const key = keyOf(entry, node, item);
      const first = key === undefined ? undefined : seen.get(key);
      if (key !== undefined && first !== undefined)
        found.push({ first: [...path, first], path: [...path, index], key });
      else if (key !== undefined) seen.set(key, index);
      if (!isScalar(entry)) inside(index, entry, item);
    }
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const child = isScalar(inner) ? undefined : childOf(node, name);
      if (child) inside(name, inner, child);
    }
  }
}

/** Undefined where items have none, and where a part of it is not known. */
function keyOf(entry: Json, list: Schema, item: Schema): string | undefined {
  const keys = list['x-kubernetes-list-map-keys'] ?? [];
  const type = list['x-kubernetes-list-type'];
  if (type === 'set') return isSettled(entry) ? `the value ${JSON.stringify(entry)}` : undefined;
  return type === 'map' && keys.length > 0 && isObject(entry) ? keyOfMap(entry, keys, item) : undefined;
}

/** What Kubernetes takes for a port where it is left out; its published schemas do not say so. */
const implied: { readonly [key: string]: Json } = { protocol: 'TCP' };

/** Defaults count. */
function keyOfMap(item: JsonObject, keys: readonly string[], schema: Schema): string | undefined {
  const parts = keys.map((key) => {
    const value = item[key] ?? childOf(schema, key)?.default ?? implied[key];
    return isSettled(value) ? `${key} ${JSON.stringify(value)}` : undefined;
  });
  return parts.includes(undefined) ? undefined : parts.join(' and ');
}

function isSettled(value: Json | undefined): boolean {
  return value !== undefined && isScalar(value) && !(typeof value === 'string' && isUnresolved(value));
}
