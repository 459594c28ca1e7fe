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
