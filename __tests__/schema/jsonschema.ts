/**
 * A structural schema as JSON Schema (draft 7) for ajv, and what an API server does to an object before it is judged. Written
 * from the documentation of CustomResourceDefinitions, without the product's own reading of it.
 *
 * Not translated, as JSON Schema has no words for it: CEL rules (x-kubernetes-validations), and that lists of the types map and
 * set hold nothing twice.
 */
import { Ajv, type ErrorObject } from 'ajv';
import formats, { type FormatName } from 'ajv-formats';
import type { Json, JsonObject } from '../../src/core/model.js';
import { isObject } from '../../src/core/object.js';
import type { Schema } from '../../src/schema/types.js';

export type Judged = {
  /** What does not fit the schema. */
  misfits: string[];
  /** Fields that are not in the schema: dropped by a create, refused by an apply. */
  unknown: string[];
};

/** Formats that mean the same to ajv-formats and to Go. */
const shared: FormatName[] = ['date', 'date-time', 'ipv4', 'ipv6', 'uuid'];

/** What Go's parsers take is not worth repeating: nothing is refused here, and a refusal of the server's is listed. */
export const onlyGo = ['uri', 'email', 'hostname', 'mac', 'password'];

/** As Go writes it, and as go-openapi reads it besides. */
const duration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const spokenDuration = /\d\s*(?:ns|us|µs|ms|s|m|h|d|w|nano|micro|milli|sec|min|hour|hr|day|week|wk)/i;

/** Patterns that JavaScript cannot read: nothing is refused here either. */
export const foreignPatterns = new Set<string>();

const regExp = Object.assign(
  (pattern: string) => {
    const [, flags = '', rest = pattern] = /^\(\?([is]+)\)(.*)$/s.exec(pattern) ?? [];
    try {
      if (/\\[AzQECapP]|\[\[:|\(\?[a-zA-Z]/.test(rest)) throw new SyntaxError('of Go only');
      return new RegExp(rest, flags);
    } catch {
      foreignPatterns.add(pattern);
      return /(?:)/;
    }
  },
  { code: '' },
);

/** Judges objects that are `prepared`. Takes 10 to 2,000 ms to make. */
export function judgeOf(schema: Schema): (object: JsonObject) => Judged {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateSchema: false,
    logger: false,
    code: { regExp, optimize: false },
  });
  formats.default(ajv, shared);
  ajv.addFormat('duration', (text) => duration.test(text) || spokenDuration.test(text));
  ajv.addFormat('byte', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/);
  ajv.addFormat('cidr', /^[\da-fA-F.:]+\/\d+$/);
  for (const name of onlyGo) ajv.addFormat(name, true);
  const implied = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } } as const;
  // The status goes on a create; what metadata hold is no matter of this schema, but their name may be.
  const { status, ...properties }: Record<string, Schema> = { ...implied, ...schema.properties };
  const required = (schema.required ?? []).filter((name) => name !== 'status');
  const validate = ajv.compile(translated({ ...schema, properties, required }, false));
  return ({ status: _, ...object }) => {
    validate(object);
    const say = ({ instancePath, message, params }: ErrorObject) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`;
    const errors = (validate.errors ?? []) as ErrorObject[];
    const isUnknown = ({ keyword }: ErrorObject) => keyword === 'additionalProperties';
    return {
      misfits: errors.filter((error) => !isUnknown(error)).map(say),
      unknown: errors.filter(isUnknown).map(say),
    };
  };
}

type Translated = { [keyword: string]: unknown };

/** Within an `open` schema any field may be: an apply takes those below a map that keeps unknown fields too. */
function translated(schema: Schema, open: boolean): Translated {
  const { items, properties, additionalProperties, required = [] } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const keeps = open || schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  const fields = { ...properties, ...(embedded && embeddedFields) };
  const needed = [...new Set([...required, ...(embedded ? ['apiVersion', 'kind'] : [])])];
  const isMap = typeof additionalProperties === 'object';
  const declares = Object.keys(fields).length > 0;
  return {
    ...typeOf(schema),
    ...boundsOf(schema),
    ...formsOf(schema),
    ...(needed.length > 0 && { required: needed }),
    ...(declares && { properties: mapped(fields, (field) => translated(field, keeps)) }),
    ...(items && { items: translated(items, keeps) }),
    ...(isMap && { additionalProperties: translated(additionalProperties, keeps) }),
    ...(declares && !isMap && !keeps && { additionalProperties: false }),
  };
}

const embeddedFields: { [name: string]: Schema } = {
  apiVersion: { type: 'string', minLength: 1 },
  kind: { type: 'string', minLength: 1 },
  metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

function typeOf({ type, nullable, 'x-kubernetes-int-or-string': either }: Schema): Translated {
  const types = either ? ['integer', 'string'] : type === undefined ? [] : [type];
  return types.length > 0 ? { type: nullable ? [...types, 'null'] : types } : {};
}

/** As OpenAPI has them, but for what is exclusive: there it says of a bound that it is. */
function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...schema }: Schema): Translated {
  const same = ['enum', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf', 'minItems', 'maxItems'] as const;
  const sizes = ['minProperties', 'maxProperties'] as const;
  return {
    ...Object.fromEntries([...same, ...sizes].flatMap((name) => (name in schema ? [[name, schema[name]]] : []))),
    ...(minimum !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

/** Nothing is declared there, so other fields are no concern of theirs. */
function formsOf({ allOf, anyOf, oneOf, not }: Schema): Translated {
  const each = (forms: readonly Schema[]) => forms.map((form) => translated(form, true));
  return {
    ...(allOf && { allOf: each(allOf) }),
    ...(anyOf && { anyOf: each(anyOf) }),
    ...(oneOf && { oneOf: each(oneOf) }),
    ...(not && { not: translated(not, true) }),
  };
}

function mapped<T, R>(from: { readonly [name: string]: T }, change: (value: T) => R): { [name: string]: R } {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));
}

/**
 * As an API server judges it: with defaults, in place of nulls that may not be as well. A create has dropped unknown fields, and
 * such nulls where there is no default; an apply keeps them.
 */
export function prepared<T extends Json>(value: T, schema: Schema, how: 'create' | 'apply'): T {
  return filled(how === 'create' ? pruned(value, schema, true) : value, schema) as T;
}

function childOf({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function pruned(value: Json, schema: Schema, top = false): Json {
  const { items } = schema;
  if (Array.isArray(value)) return items ? value.map((item) => pruned(item, items)) : value;
  if (!isObject(value)) return value;
  const address = top || schema['x-kubernetes-embedded-resource'] ? ['apiVersion', 'kind', 'metadata'] : [];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const child = childOf(schema, name);
      const stays = address.includes(name) || schema['x-kubernetes-preserve-unknown-fields'];
      if (!child) return stays ? [[name, inner]] : [];
      if (inner === null && !child.nullable && child.default === undefined) return [];
      return [[name, pruned(inner, child)]];
    }),
  );
}

function filled(value: Json, schema: Schema | undefined): Json {
  if (!schema) return value;
  const given = (inner: Json, { nullable, default: fallback }: Schema = {}) =>
    inner === null && !nullable && fallback !== undefined ? structuredClone(fallback) : inner;
  if (Array.isArray(value)) return value.map((item) => filled(given(item, schema.items), schema.items));
  if (!isObject(value)) return value;
  const missing = Object.entries(schema.properties ?? {}).filter(
    ([name, child]) => child.default !== undefined && !Object.hasOwn(value, name),
  );
  const whole = { ...value, ...Object.fromEntries(missing.map(([name, child]) => [name, child.default as Json])) };
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]) => {
      const child = childOf(schema, name);
      return [name, filled(given(inner, child), child)];
    }),
  );
}
