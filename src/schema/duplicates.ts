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
  return [...below(value, known.schema, known, [])];
}

function* below(value: Json, schema: Schema, known: KnownSchema, path: FieldPath): Generator<Duplicate> {
  const node = resolve(schema, known.root);
  if (path.length > 100) return;
  if (Array.isArray(value)) {
    const item = resolve(node.items ?? {}, known.root);
    const seen = new Map<string, number>();
    for (const [index, entry] of value.entries()) {
      const key = keyOf(entry, node, item);
      const first = key === undefined ? undefined : seen.get(key);
      if (key !== undefined && first !== undefined) yield { first: [...path, first], path: [...path, index], key };
      else if (key !== undefined) seen.set(key, index);
      yield* below(entry, item, known, [...path, index]);
    }
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const child = childOf(node, name);
      if (child) yield* below(inner, child, known, [...path, name]);
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
