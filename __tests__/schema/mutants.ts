/** Objects that fit a structural schema, put together at random, and the same with one thing changed. */

import type { Json, JsonObject } from '../../src/core/model.js';
import { isObject } from '../../src/core/object.js';
import type { KnownSchema, Schema } from '../../src/schema/types.js';

type Random = () => number;

export type Mutant = { mutation: string; object: JsonObject };

/** Fits the schema as far as can be had without running CEL rules. `generous` is the share of optional fields, 0 to 1. */
export function fittingObject(
  { schema, scope }: KnownSchema,
  ref: { apiVersion: string; kind: string },
  random: Random,
  generous: number,
): JsonObject {
  const maker = { random, generous, budget: 120 };
  const { apiVersion, kind, metadata, status, ...properties } = schema.properties ?? {};
  const value = makeMap(maker, { ...schema, properties }, 0);
  return { ...ref, metadata: { name: 'x', ...(scope === 'Namespaced' && { namespace: 'default' }) }, ...value };
}

type Maker = { random: Random; generous: number; budget: number };

const texts = [
  ...['a', 'abc', '5m', '1h30m', '1', '10.0.0.0/8', '10.0.0.1', 'fe80::1', '2020-01-01T00:00:00Z', '2020-01-01', ''],
  ...['Abc', 'aGk=', 'a.b.c', '100Mi', 'true', 'Always', 'https://example.org/x', 'v1', '50%', '/a', '10', '0 0 * * *'],
  ...['abcdefghijklmnop', 'example.org/x', 'registry.example.org/a/b:v1', 'oci://a/b', '00:11:22:33:44:55', 'a=b', 'A'],
  ...['123e4567-e89b-12d3-a456-426614174000', `sha256:${'a'.repeat(64)}`, 'a'.repeat(64), 'a/b', '1.2.3', 'x/a@b.org'],
  ...['s3://bucket/a', 'ssh://git@example.org/a', 'http://a.b', '1s', '10G', '0.5', 'a_b', '-1', '+1h', '1d', 'mon'],
];
const numbers = [1, 2, 0, 3, 5, 10, 30, 80, 100, 1024, 1500, 5432, 70_000, -1];

function pick<T>({ random }: { random: Random }, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Undefined where nothing is found that fits. */
function make(maker: Maker, schema: Schema, depth: number): Json | undefined {
  maker.budget--;
  const { enum: allowed, type } = schema;
  if (allowed) return pick(maker, allowed);
  if (schema.default !== undefined && maker.random() < 0.2) return structuredClone(schema.default);
  if (schema['x-kubernetes-int-or-string'])
    return pick(maker, candidates(schema, [80, 'http', '50%', '100m', '1Gi', 1]));
  if (type === 'string') return pick(maker, candidates(schema, examples[schema.format ?? ''] ?? texts));
  if (type === 'integer')
    return pick(maker, candidates(schema, [...numbers, schema.minimum ?? 4, schema.maximum ?? 4]));
  if (type === 'number') return pick(maker, candidates(schema, [...numbers, 0.5]));
  if (type === 'boolean') return maker.random() < 0.5;
  if (type === 'array') return makeList(maker, schema, depth);
  if (type === 'object') return makeMap(maker, schema, depth);
  return pick(maker, [1, 'a', { a: 1 }, [1], true]);
}

const examples: { [format: string]: string[] } = {
  byte: ['aGk=', 'YQ=='],
  date: ['2020-01-01'],
  'date-time': ['2020-01-01T00:00:00Z'],
  duration: ['5m', '1h30m'],
  ipv4: ['10.0.0.1'],
  ipv6: ['fe80::1'],
  cidr: ['10.0.0.0/8', 'fe80::/10'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  uri: ['https://example.org/x'],
};

/** Of several values those that a schema takes, as far as it can be told simply. */
function candidates<T extends Json>(schema: Schema, values: readonly T[]): readonly T[] {
  return values.filter((value) => takes(schema, value));
}

function takes(schema: Schema, value: Json): boolean {
  const { pattern, minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity, multipleOf } = schema;
  if ((schema.allOf ?? []).some((one) => !takes(one, value))) return false;
  if (schema.anyOf && !schema.anyOf.some((one) => takes(one, value))) return false;
  if (schema.type === 'integer' && !Number.isInteger(value)) return false;
  if (schema.type === 'string' && typeof value !== 'string') return false;
  if (typeof value === 'number')
    return value >= minimum && value <= maximum && (multipleOf === undefined || value % multipleOf === 0);
  if (typeof value !== 'string') return true;
  return value.length >= minLength && value.length <= maxLength && (pattern === undefined || matches(pattern, value));
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern.replace(/^\(\?i\)/, '')).test(text);
  } catch {
    return true;
  }
}

function makeList(maker: Maker, schema: Schema, depth: number): Json[] {
  const least = schema.minItems ?? 0;
  const most = Math.min(schema.maxItems ?? Infinity, least + 2);
  const wanted = maker.budget < 0 ? least : least + Math.floor(maker.random() * (most - least + 1));
  const items = Array.from({ length: wanted }, () => make(maker, schema.items ?? {}, depth + 1));
  const keys = schema['x-kubernetes-list-map-keys'];
  const seen = new Set<string>();
  return items.filter((item): item is Json => {
    if (item === undefined) return false;
    const type = schema['x-kubernetes-list-type'];
    const id = JSON.stringify(keys && isObject(item) ? keys.map((key) => item[key] ?? null) : item);
    return (type !== 'map' && type !== 'set') || (!seen.has(id) && seen.add(id) !== undefined);
  });
}

function makeMap(maker: Maker, schema: Schema, depth: number): JsonObject {
  const { random, generous } = maker;
  const { properties = {}, required = [], additionalProperties } = schema;
  const made: JsonObject = {};
  const [wanted, unwanted] = chosen(maker, schema);
  const put = (name: string, child: Schema) => {
    const value = make(maker, child, depth + 1);
    if (value !== undefined) made[name] = value;
  };
  for (const [name, child] of Object.entries(properties)) {
    const likely = depth === 0 ? 0.7 + generous / 3 : generous / (1 + depth / 4);
    const optional = !unwanted.has(name) && maker.budget > 0 && random() < likely;
    if (required.includes(name) || wanted.has(name) || optional) put(name, child);
  }
  if (typeof additionalProperties === 'object') {
    const least = schema.minProperties ?? 0;
    for (const name of ['a', 'b', 'c'].slice(0, least + Math.floor(random() * 2))) put(name, additionalProperties);
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] && random() < 0.3)
    made.anything = pick(maker, [1, { b: 2 }, 'x', []]);
  if (schema['x-kubernetes-embedded-resource'])
    Object.assign(made, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } });
  return made;
}

/** Of forms that exclude each other one is chosen. */
function chosen(maker: Maker, schema: Schema): [wanted: Set<string>, unwanted: Set<string>] {
  const [wanted, unwanted] = [new Set<string>(), new Set<string>()];
  const visit = ({ oneOf, anyOf, allOf, not, required = [] }: Schema, top: boolean) => {
    if (!top) for (const name of required) wanted.add(name);
    for (const forms of [oneOf, anyOf]) {
      if (!forms) continue;
      const form = pick(maker, forms);
      for (const other of forms) if (other !== form) for (const name of other.required ?? []) unwanted.add(name);
      visit(form, false);
    }
    for (const one of allOf ?? []) visit(one, false);
    const excluded = [not, ...(not?.anyOf ?? []), ...(not?.oneOf ?? [])].flatMap((one) => one?.required ?? []);
    for (const name of excluded) unwanted.add(name);
  };
  visit(schema, true);
  return [wanted, unwanted];
}

// --- what is changed

/** A value in an object, with the schemas of both. `set(undefined)` removes it. */
type Site = { value: Json; schema: Schema; key: string | number; holder: Schema; set(value: Json | undefined): void };

/** Gives values to put in place of one; none where it does not apply. */
type Mutation = (site: Site) => readonly (Json | undefined)[];

const mutations: { [name: string]: Mutation } = {
  'wrong type': ({ schema, value }) =>
    schema.type || schema['x-kubernetes-int-or-string']
      ? [5, 'text', true, { a: 1 }, ['a'], 2.5, '5', 'true'].filter(
          (other) => typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value),
        )
      : [],
  'a fraction for an integer': ({ schema }) => (schema.type === 'integer' ? [2.5] : []),
  null: () => [null],
  'required is missing': ({ holder, key }) => (holder.required?.includes(String(key)) ? [undefined] : []),
  'optional is missing': ({ holder, key }) =>
    typeof key === 'string' && !holder.required?.includes(key) ? [undefined] : [],
  'unknown field': ({ schema, value }) => (isObject(value) && !isOpen(schema) ? [{ ...value, unheardOf: 1 }] : []),
  'any field where they are kept': ({ schema, value }) =>
    isObject(value) && isOpen(schema) ? [{ ...value, unheardOf: { a: [null, 1] } }] : [],
  enum: ({ schema }) => (schema.enum ? ['unheard-of', '', 0] : []),
  bounds: ({ schema: { minimum, maximum } }) => [
    ...(minimum === undefined ? [] : [minimum - 1, minimum]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum]),
  ],
  length: ({ schema: { minLength, maxLength } }) => [
    ...(minLength ? ['x'.repeat(minLength - 1), 'é'.repeat(minLength)] : []),
    ...(maxLength === undefined || maxLength > 5000 ? [] : ['x'.repeat(maxLength + 1), 'x'.repeat(maxLength)]),
  ],
  size: ({ schema, value }) => [
    ...(Array.isArray(value) && schema.minItems ? [value.slice(0, schema.minItems - 1)] : []),
    ...(Array.isArray(value) && value.length > 0 && (schema.maxItems ?? 999) < 200
      ? [Array.from({ length: (schema.maxItems as number) + 1 }, (_, index) => apart(value[0] as Json, index))]
      : []),
    ...(isObject(value) && schema.minProperties ? [{}] : []),
    ...(isObject(value) && (schema.maxProperties ?? 999) < 50 ? [{ ...value, ...many(schema) }] : []),
  ],
  pattern: ({ schema }) => (schema.pattern ? ['', '!', 'a b', 'ÄÖ', 'a\n', '-', 'A_'] : []),
  format: ({ schema: { format } }) =>
    format && format !== 'int-or-string' && examples[format] ? ['', 'nonsense', '1', '10.0.0.256', '5 m'] : [],
  'something twice': ({ schema, value }) =>
    Array.isArray(value) && value.length > 0 && schema['x-kubernetes-list-type'] !== undefined
      ? [[...value, structuredClone(value[0] as Json)]]
      : [],
  'int or string': ({ schema }) => (schema['x-kubernetes-int-or-string'] ? [1.5, true, -1, '', 'a b', {}] : []),
  'embedded resource': ({ schema, value }) => {
    if (!schema['x-kubernetes-embedded-resource'] || !isObject(value)) return [];
    const { kind, ...kindless } = value;
    return [kindless, { ...value, kind: '' }, { ...value, apiVersion: 5 }, { ...value, metadata: 5 }];
  },
  choice: ({ schema, value }) => {
    const forms = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.not ? [schema.not] : [])];
    const names = forms.flatMap(({ required = [] }) => required);
    if (!isObject(value) || names.length === 0) return [];
    const without = Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
    return [without, { ...emptyOf(schema, names), ...value }];
  },
  'another value': ({ value }) =>
    typeof value === 'string'
      ? ['a', '5m', '1', 'x'.repeat(70), 'A b']
      : typeof value === 'number'
        ? [0, -1, 100_000]
        : [],
  'nothing in it': ({ value }) => (isObject(value) ? [{}] : Array.isArray(value) ? [[]] : value === '' ? [] : ['']),
};

export const mutationNames = Object.keys(mutations);

/** Where few sites have what they are about, so that they come first where one has. */
const seldom = new Set([
  ...['enum', 'bounds', 'length', 'size', 'pattern', 'format', 'something twice', 'int or string', 'choice'],
  ...['embedded resource', 'any field where they are kept'],
]);

/** Up to `count` copies of the object, each with one change, of kinds that are drawn evenly. */
export function mutantsOf(object: JsonObject, schema: Schema, count: number, random: Random): Mutant[] {
  const drawn = { random };
  const out: Mutant[] = [];
  const order = mutationNames
    .map((name) => ({ name, at: random() * (seldom.has(name) ? 0.4 : 1) }))
    .sort((a, b) => a.at - b.at);
  for (let turn = 0; out.length < count && turn < 10; turn++) {
    for (const { name } of order) {
      if (out.length === count) break;
      const copy = structuredClone(object);
      const sites = sitesIn(copy, schema).filter((site) => (mutations[name] as Mutation)(site).length > 0);
      if (sites.length === 0) continue;
      const site = pick(drawn, sites);
      site.set(structuredClone(pick(drawn, (mutations[name] as Mutation)(site))));
      out.push({ mutation: name, object: copy });
    }
  }
  return out;
}

/** All values but the object itself, its address and its status. */
function sitesIn(object: JsonObject, schema: Schema): Site[] {
  const sites: Site[] = [];
  const visit = (holder: Json, of: Schema, top: boolean) => {
    if (Array.isArray(holder)) {
      holder.forEach((value, key) => {
        const put = (next: Json | undefined) => void holder.splice(key, 1, ...(next === undefined ? [] : [next]));
        sites.push({ value, schema: of.items ?? {}, key, holder: of, set: put });
        visit(value, of.items ?? {}, false);
      });
    }
    if (!isObject(holder)) return;
    for (const [key, value] of Object.entries(holder)) {
      if (top && ['apiVersion', 'kind', 'metadata', 'status'].includes(key)) continue;
      if (of['x-kubernetes-embedded-resource'] && ['apiVersion', 'kind', 'metadata'].includes(key)) continue;
      const child = childOf(of, key);
      const set = (next: Json | undefined) => {
        if (next === undefined) delete holder[key];
        else holder[key] = next;
      };
      sites.push({ value, schema: child, key, holder: of, set });
      visit(value, child, false);
    }
  };
  visit(object, schema, true);
  return sites;
}

function childOf({ properties, additionalProperties }: Schema, name: string): Schema {
  if (properties && Object.hasOwn(properties, name)) return properties[name] as Schema;
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

function isOpen(schema: Schema): boolean {
  return (
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema.additionalProperties !== undefined ||
    Object.keys(schema.properties ?? {}).length === 0
  );
}

/** A list's item once more, as another one where that is simple. */
function apart(item: Json, index: number): Json {
  if (typeof item === 'string') return `${item}${index}`;
  if (typeof item === 'number') return item + index;
  return structuredClone(item);
}

function many(schema: Schema): JsonObject {
  const names = Array.from({ length: (schema.maxProperties ?? 0) + 1 }, (_, index) => `more-${index}`);
  const value =
    schema.additionalProperties === true || !schema.additionalProperties ? 1 : plain(schema.additionalProperties);
  return Object.fromEntries(names.map((name) => [name, structuredClone(value)]));
}

function emptyOf(schema: Schema, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, plain(childOf(schema, name))]));
}

function plain(schema: Schema): Json {
  if (schema.enum) return schema.enum[0] as Json;
  return { object: {}, array: [], string: 'a', integer: 1, number: 1, boolean: true }[schema.type ?? 'string'];
}
