/** What is taken out of the text of an error. */
import { expect, test } from '@jest/globals';
import { without } from '../../src/render/match.js';

test.each<[string, string, string]>([
  ['in the middle', 'a (b) c', 'a  c'],
  ['at the start', '(b) c', ' c'],
  ['at the end', 'a (b)', 'a '],
  ['to the last end', 'a (b) c) d', 'a  d'],
  ['without a start', 'a b) c', 'a b) c'],
  ['without an end', 'a (b c', 'a (b c'],
  ['with an end that comes first', 'a) b (c', 'a) b (c'],
])('a part %s', (_, text, expected) => {
  expect(without(text, '(', ')')).toBe(expected);
});
