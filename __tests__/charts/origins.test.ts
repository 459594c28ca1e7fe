/** Which other value is tried in the place of one. */
import { expect, test } from '@jest/globals';
import { othersOf } from '../../src/charts/origins.js';
import type { Json } from '../../src/core/model.js';

test.each<[string, Json, Json[]]>([
  ['a switch', true, [false]],
  ['a number', 3, [4]],
  ['a text', 'a', ['ax', '']],
  ['no text', '', ['other']],
  ['a quantity', '10Gi', ['20Gi', '']],
  ['an address', '10.0.0.0/8', ['20.0.0.0/8', '']],
  ['a version', 'v0.9.1', ['v1.9.1', '']],
  ['a digit that is the last', 'v9', ['v1', '']],
  ['a list', ['a', 1], [['ax', 2], []]],
  ['an empty list', [], [['other']]],
  ['a map', { a: 'b', c: {} }, [{ a: 'bx', c: { other: 'other' } }]],
  ['nothing', null, []],
])('of %s', (_, value, others) => {
  expect(othersOf(value)).toEqual(others);
});
