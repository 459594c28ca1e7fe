/** A custom resource with what a structural schema can have and few or none of the releases' do. */
import type { Definition } from '../../src/cozystack/schemas.js';
import type { Schema } from '../../src/schema/types.js';

const text: Schema = { type: 'string' };
const format = (name: string): Schema => ({ type: 'string', format: name });
const has = (...required: string[]): Schema => ({ required });

const spec: Schema = {
  type: 'object',
  required: ['word', 'chosen', 'embedded', 'keyed', 'set'],
  properties: {
    word: { type: 'string', enum: ['a', 'b'] },
    nullableWord: { type: 'string', nullable: true, enum: ['a', 'b'] },
    nullableMap: { type: 'object', nullable: true, properties: { a: text } },
    nullableItems: { type: 'array', items: { type: 'string', nullable: true } },
    defaulted: { type: 'string', default: 'a', enum: ['a', 'b'] },
    filled: {
      type: 'object',
      default: {},
      required: ['inner'],
      properties: { inner: { type: 'string', default: 'x' }, other: text },
    },
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    declared: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { a: text } } },
    },
    either: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '^\\d+%?$',
    },
    open: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'integer' }, inner: { type: 'object', properties: { a: text } } },
    },
    raw: { 'x-kubernetes-preserve-unknown-fields': true },
    counts: { type: 'object', maxProperties: 3, additionalProperties: { type: 'integer', minimum: 1 } },
    maps: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
    set: { type: 'array', minItems: 1, 'x-kubernetes-list-type': 'set', items: text },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: text,
          port: { type: 'integer', default: 80 },
          more: { type: 'object', properties: { a: text } },
        },
      },
    },
    atomic: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: text, inner: { type: 'object', properties: { a: text } } },
    },
    list: { type: 'array', maxItems: 3, items: { type: 'object', properties: { a: text, inner: { type: 'object' } } } },
    amount: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true },
    even: { type: 'integer', multipleOf: 2 },
    short: { type: 'string', minLength: 2, maxLength: 4 },
    date: format('date'),
    time: format('date-time'),
    period: format('duration'),
    ipv4: format('ipv4'),
    ipv6: format('ipv6'),
    cidr: format('cidr'),
    uuid: format('uuid'),
    bytes: format('byte'),
    chosen: {
      type: 'object',
      oneOf: [has('a'), has('b')],
      not: has('c', 'd'),
      properties: { a: text, b: text, c: text, d: text },
    },
    any: { type: 'object', anyOf: [has('a'), has('b')], properties: { a: text, b: text, c: text } },
    bounded: { type: 'string', allOf: [{ maxLength: 5 }, { pattern: '^a' }] },
  },
};

const schema: Schema = {
  type: 'object',
  required: ['spec'],
  properties: { apiVersion: text, kind: text, metadata: { type: 'object' }, spec },
};

export const shapes: Definition = {
  ...{ group: 'example.org', kind: 'Shape', plural: 'shapes', scope: 'Namespaced' },
  versions: [{ name: 'v1', served: true, storage: true, deprecated: false, schema }],
};
