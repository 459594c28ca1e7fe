/** What Helm says of values that do not fit the schema of their chart. */
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../src/core/model.js';
import { refusals, type ValuesSchema } from '../../src/schema/helm-values.js';

const text: ValuesSchema = { type: 'string' };
const said = (schema: ValuesSchema, value: Json) =>
  refusals({ a: value }, { properties: { a: schema } }).map(({ path, words }) => `${path.join('.')}: ${words}`);

describe('a choice', () => {
  test.each<[string, ValuesSchema, Json, string[]]>([
    ['that fits is not told', { anyOf: [text, { type: 'integer' }] }, 'x', []],
    [
      'of types is told with all of them',
      { anyOf: [text, { type: 'integer' }, { type: ['string', 'null'] }] },
      {},
      ['a: got object, want string or integer or null'],
    ],
    [
      'of which one is of the right type is told by what that refuses',
      { oneOf: [text, { type: 'object', properties: { b: text } }] },
      { b: 1 },
      ['a.b: got number, want string'],
    ],
    [
      'of which several are of the right type is told as a whole',
      {
        oneOf: [
          { type: 'string', minLength: 3 },
          { type: 'string', pattern: '^b' },
        ],
      },
      'a',
      ["a: 'oneOf' failed, none matched"],
    ],
    [
      'of which several are of the right type is told as a whole, of the other kind too',
      {
        anyOf: [
          { type: 'string', minLength: 3 },
          { type: 'string', pattern: '^b' },
        ],
      },
      'a',
      ["a: 'anyOf' failed"],
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(said(schema, value)).toEqual(expected);
  });
});

describe('a value', () => {
  const map: ValuesSchema = {
    type: 'object',
    properties: { b: text },
    required: ['b', 'c'],
    additionalProperties: false,
  };
  test.each<[string, ValuesSchema, Json, string[]]>([
    ['of the right type', text, 'x', []],
    ['of another type', text, 1, ['a: got number, want string']],
    ['of none of the types', { type: ['string', 'boolean'] }, [], ['a: got array, want string or boolean']],
    ['that is a whole number', { type: 'integer' }, 1, []],
    ['that is no whole number', { type: 'integer' }, 1.5, ['a: got number, want integer']],
    ['that is no map', { type: 'object' }, [], ['a: got array, want object']],
    ['that is no list', { type: 'array' }, {}, ['a: got object, want array']],
    ['that takes away', text, null, []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux writes a variable so
    ['that is not known yet', { type: 'integer' }, '${X}', []],
    ['that may be anything', true, { b: 1 }, []],
    ['that may not be', false, 1, ['a: false schema']],
    ['of one word', { enum: ['x'] }, 'y', ["a: value must be 'x'"]],
    ['of several words', { enum: ['x', 1, { b: 1 }] }, 'y', [`a: value must be one of 'x', 1, {"b":1}`]],
    ['that is one of them', { enum: ['x', { b: 1 }] }, { b: 1 }, []],
    ['that must be one', { const: 1 }, 2, ['a: value must be 1']],
    ['that is that', { const: [1] }, [1], []],
    ['of the least length', { minLength: 2, maxLength: 3 }, 'ab', []],
    ['of the greatest length, in letters', { minLength: 2, maxLength: 3 }, '😀😀😀', []],
    ['that is too short', { minLength: 2 }, '😀', ['a: minLength: got 1, want 2']],
    ['that is too long', { maxLength: 3 }, 'abcd', ['a: maxLength: got 4, want 3']],
    ['of the least size', { minimum: 1, maximum: 2 }, 1, []],
    ['of the greatest size', { minimum: 1, maximum: 2 }, 2, []],
    ['that is too small', { minimum: 1 }, 0, ['a: minimum: got 0, want 1']],
    ['that is too large', { maximum: 2 }, 3, ['a: maximum: got 3, want 2']],
    ['of the right number of items', { minItems: 1, maxItems: 1 }, ['x'], []],
    ['with too few items', { minItems: 1 }, [], ['a: minItems: got 0, want 1']],
    ['with too many items', { maxItems: 1 }, ['x', 'y'], ['a: maxItems: got 2, want 1']],
    ['that matches', { pattern: '^x' }, 'x', []],
    ['that does not match', { pattern: '^x' }, 'y', ["a: 'y' does not match pattern '^x'"]],
    ['that has an item of another type', { items: text }, ['x', 1], ['a.1: got number, want string']],
    ['whose items have schemas one by one', { items: [text] }, [1], []],
    ['that has another key', map, { d: 1 }, ["a.d: additional properties 'd' not allowed"]],
    ['that takes another key away', map, { d: null }, []],
    ['whose other keys have a schema', { additionalProperties: text }, { d: 1 }, ['a.d: got number, want string']],
    ['that is a map without what is required', map, {}, []],
    ['that is an item without what is required', { items: map }, [{}], ["a.0: missing properties 'b', 'c'"]],
    ['that is an item without one of it', { items: map }, [{ b: 'x' }], ["a.0: missing property 'c'"]],
    ['with a key of a pattern', { patternProperties: { '^x': text }, additionalProperties: false }, { x1: 1 }, []],
    [
      'with a key of no pattern',
      { patternProperties: { '^x': text }, additionalProperties: false },
      { y: 1 },
      ["a.y: additional properties 'y' not allowed"],
    ],
    ['with a key that is not known yet', map, { '${X}': 1 }, []],
    [
      'of which all must hold',
      { allOf: [{ minLength: 2 }, { pattern: '^x' }] },
      'y',
      ['a: minLength: got 1, want 2', "a: 'y' does not match pattern '^x'"],
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(said(schema, value)).toEqual(expected);
  });

  test('that may be a secret is not repeated', () => {
    const schema: ValuesSchema = { properties: { token: { pattern: '^x' } } };
    expect(refusals({ token: 'hunter2' }, schema)).toEqual([
      { path: ['token'], words: "the value does not match pattern '^x'" },
    ]);
  });

  test('under a key that may not be is told by the key', () => {
    expect(refusals({ b: 1 }, { additionalProperties: false })).toEqual([
      { path: ['b'], words: "additional properties 'b' not allowed", unknownKey: true },
    ]);
  });
});

describe('a schema that refers to another', () => {
  const refers = ($ref: string, value: Json) =>
    refusals({ a: value }, { properties: { a: { $ref } }, $defs: { 'x/y~z é': text } } as unknown as ValuesSchema).map(
      ({ words }) => words,
    );
  test.each([
    ['of the file', '#/$defs/x~1y~0z%20%C3%A9', ['got number, want string']],
    ['that is not there', '#/$defs/other', []],
    ['below what is no schema', '#/$defs/x~1y~0z%20%C3%A9/type/0', []],
    ['of another file', 'https://example.org/#/$defs/x', []],
    ['of another file, by its name', 'x.json', []],
  ])('%s', (_, reference, expected) => {
    expect(refers(reference, 1)).toEqual(expected);
  });

  test('may be the schema itself', () => {
    expect(refusals({ a: { a: 1 } }, { type: 'object', properties: { a: { $ref: '#' } } })).toMatchObject([
      { path: ['a', 'a'], words: 'got number, want object', wants: ['object'] },
    ]);
    expect(refusals({}, { $ref: '#' })).toEqual([]);
  });
});
