import type { KnownSchema, Schema } from '../../contract/schemas.js';
import { childOf, resolve } from '../../contract/structure.js';
import { appliedBefore, isApplied } from '../../facts/refusal.js';
import type { FieldPath, Json } from '../../model.js';
import { isObject, spell } from '../../object.js';
import type { Rule } from '../rule.js';

export default {
  id: 'duplicate-list-key',
  severity: 'error',
  summary: 'two items of a list have the same key, so the object is refused and nothing at all is applied',
  check({ entrypoints, contract, permissions, report }) {
    for (const rendered of entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        const { apiVersion, kind, name } = object.ref;
        const schema = contract.schemas.find(apiVersion, kind);
        if (!rendered.ok || !schema.known) continue;
        const { metadata: _, status: __, ...rest } = object.value;
        for (const { first, path, key } of duplicatesIn(rest, schema.schema, schema, [])) {
          report({
            message: `${kind} "${name}" has two items in ${spell(path.slice(0, -1))} with ${key}, so it is refused and Flux applies ${appliedBefore(object.ref, rendered, permissions)}`,
            help: 'keep one of them',
            at: { object, path },
            related: [{ message: 'the first one', at: { object, path: first } }],
            ...(!schema.builtIn && { assumes: ['release' as const] }),
          });
        }
      }
    }
  },
} satisfies Rule;

type Duplicate = { first: FieldPath; path: FieldPath; key: string };

/** Below every list that the API server merges by key. */
function* duplicatesIn(value: Json, schema: Schema, known: KnownSchema, path: FieldPath): Generator<Duplicate> {
  const node = resolve(schema, known.root);
  if (path.length > 100) return;
  if (Array.isArray(value)) {
    const keys = node['x-kubernetes-list-type'] === 'map' ? (node['x-kubernetes-list-map-keys'] ?? []) : [];
    const item = resolve(node.items ?? {}, known.root);
    const seen = new Map<string, number>();
    for (const [index, entry] of value.entries()) {
      const key = isObject(entry) && keys.length > 0 ? keyOf(entry, keys, item) : undefined;
      const first = key === undefined ? undefined : seen.get(key);
      if (key !== undefined && first !== undefined) yield { first: [...path, first], path: [...path, index], key };
      else if (key !== undefined) seen.set(key, index);
      yield* duplicatesIn(entry, item, known, [...path, index]);
    }
  } else if (isObject(value)) {
    for (const [name, below] of Object.entries(value)) {
      const child = childOf(node, name);
      if (child) yield* duplicatesIn(below, child, known, [...path, name]);
    }
  }
}

/** What Kubernetes takes for a port where it is left out; its published schemas do not say so. */
const implied: { readonly [key: string]: Json } = { protocol: 'TCP' };

/** `containerPort 80 and protocol "TCP"`, defaults filled in; undefined where a part of it is not known. */
function keyOf(item: { [key: string]: Json }, keys: readonly string[], schema: Schema): string | undefined {
  const parts = keys.map((key) => {
    const value = item[key] ?? childOf(schema, key)?.default ?? implied[key];
    const isKnown =
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && !/\$\{|^ENC\[/.test(value));
    return isKnown ? `${key} ${JSON.stringify(value)}` : undefined;
  });
  return parts.includes(undefined) ? undefined : parts.join(' and ');
}
