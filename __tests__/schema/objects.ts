/** Random objects of a kind: mostly valid, some with a mistake. */

import type { Json, JsonObject } from '../../src/core/model.js';
import { isObject } from '../../src/core/object.js';
import type { KnownSchema, Schema } from '../../src/schema/types.js';

type Random = () => number;

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function objectsOf(
  known: KnownSchema,
  apiVersion: string,
  kind: string,
  count: number,
  random: Random,
): JsonObject[] {
  const objects: JsonObject[] = [];
  for (let index = 0; index < count; index++) {
    const mistakes = [0.03, 0.005, 0, 0][index % 4] ?? 0;
    const maker = { root: known.root, random, mistakes, budget: 250 };
    const value = make(maker, withoutMeta(resolve(known.schema, known.root)), 0);
    if (isObject(value)) objects.push({ apiVersion, kind, metadata: { name: 'x' }, ...value });
  }
  return objects;
}

function withoutMeta(schema: Schema): Schema {
  const { apiVersion, kind, metadata, status, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

type Maker = { root: Schema; random: Random; mistakes: number; budget: number };

const words = [
  ...['', 'a', 'abc', '5m', '1h30m', '1', '10.0.0.0/8', '10.0.0.1', 'fe80::1', '2020-01-01T00:00:00Z', '2020-01-01'],
  ...['Abc_1', 'x'.repeat(70), 'aGk=', 'a.b.c', '100Mi', 'true', 'Always', 'https://example.org/x', 'v1', '-5', '50%'],
];

function make(maker: Maker, unresolved: Schema, depth: number): Json {
  const schema = resolve(unresolved, maker.root);
  const { random } = maker;
  if (--maker.budget < 0) return smallest(schema);
  if (random() < maker.mistakes) return pick(maker, [pick(maker, words), 1, -3, 2.5, true, null, { a: 1 }, [1], []]);
  if (unresolved.$ref?.endsWith('.Quantity')) return pick(maker, ['1', '500m', '1.5Gi', 1]);
  if (/(\.v1\.Time|MicroTime)$/.test(unresolved.$ref ?? '')) return '2020-01-01T00:00:00.000000Z';
  if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string']) {
    return pick(maker, [1, 80, 'http', '50%', '100m', -1, 'x y']);
  }
  if (schema.enum && random() < 0.95) return pick(maker, schema.enum);
  if (schema.default !== undefined && random() < 0.3) return schema.default;
  switch (schema.type) {
    case 'string':
      return schema.format === 'byte' && depth > 0 && random() < 0.9 ? 'YQ==' : pick(maker, words);
    case 'integer':
      return pick(maker, [0, 1, 2, 5, 100, 70_000, -1, schema.minimum ?? 3, schema.maximum ?? 3]);
    case 'number':
      return pick(maker, [0, 1.5, 2, -1]);
    case 'boolean':
      return random() < 0.5;
    case 'array':
      return Array.from({ length: pick(maker, [0, 1, 1, 2]) }, () => make(maker, schema.items ?? {}, depth + 1));
    case 'object':
      return makeMap(maker, schema, depth);
    default:
      return pick(maker, [1, 'a', { a: 1 }, [1], true]);
  }
}

function makeMap(maker: Maker, schema: Schema, depth: number): JsonObject {
  const { random } = maker;
  const made: JsonObject = {};
  const chosen = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(({ required = [] }) => required);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const likely = schema.required?.includes(name) ? 0.95 : chosen.includes(name) || depth < 2 ? 0.5 : 0.25;
    if (random() < likely) made[name] = make(maker, child, depth + 1);
  }
  if (typeof schema.additionalProperties === 'object') {
    for (let left = pick(maker, [0, 1, 2]); left > 0; left--) {
      made[pick(maker, ['a', 'b', 'cpu', 'example.org/x'])] = make(maker, schema.additionalProperties, depth + 1);
    }
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] && random() < 0.5) made.anything = pick(maker, [1, { b: 2 }, 'x']);
  if (schema['x-kubernetes-embedded-resource']) Object.assign(made, { apiVersion: 'v1', kind: 'X' });
  if (random() < maker.mistakes) made[pick(maker, ['unknownA', 'unknownB'])] = pick(maker, [1, { a: 1 }]);
  return made;
}

function smallest(schema: Schema): Json {
  if (schema['x-kubernetes-int-or-string']) return 1;
  return { object: {}, array: [], string: 'a', integer: 1, number: 1, boolean: true }[schema.type ?? 'string'];
}

function pick<T>({ random }: Maker, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

function resolve(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.slice('#/definitions/'.length);
  return name === undefined ? schema : (root.definitions?.[name] ?? {});
}
