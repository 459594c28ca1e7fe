/** What is taken out of the text of an error. */
import { expect, test } from '@jest/globals';
import { matchText, without } from '../../src/render/match.js';

test.each<[string, string, string]>([
  ['in the middle', 'a (b) c', 'a  c'],
  ['at the start', '(b) c', ' c'],
  ['at the end', 'a (b)', 'a '],
  ['to the last end', 'a (b) c) d', 'a  d'],
  ['without a start', 'a b) c', 'a b) c'],
  ['without an end', 'a (b c', 'a (b c'],
  ['that begins twice', 'a (b ( c) d', 'a  d'],
  ['of nothing but its ends', 'a () b', 'a  b'],
  ['with an end that comes first', 'a) b (c', 'a) b (c'],
])('a part %s', (_, text, expected) => {
  expect(without(text, '(', ')')).toBe(expected);
});

test.each<[string, string, string, string[] | undefined]>([
  ['one gap', 'no "%s" here', 'x: no "a b" here', ['a b']],
  ['a gap at the start', '%s is no map', 'a is no map', ['a']],
  ['a gap at the end of the text', 'no %s\n', 'no a b', ['a b']],
  ['the end of a line', 'no %s\n', 'no a\nb', ['a']],
  ['not over lines', 'no "%s" here', 'no "a\nb" here', undefined],
  ['as short as can be', '%s: %s', 'a: b: c', ['a', '']],
  ['a number', 'line %d: %s\n', 'line 12: x', ['12', 'x']],
  ['a number of one digit', 'line %d:', 'line 7:', ['7']],
  ['no number', 'line %d: x', 'line : x', undefined],
  ['a number with something behind it', 'line %d: x', 'line 12a: x', undefined],
  ['what is of no interest', 'a %*s b %s\n', 'a x b y', ['y']],
  ['the second place, where the first does not fit', 'in %d:', 'in a: in 5:', ['5']],
  ['none', 'no %s here', 'nothing', undefined],
  ['no gap', 'is here', 'it is here', []],
  ['empty gaps', '(%s)', '()', ['']],
])('a template with %s', (_, template, text, expected) => {
  expect(matchText(template, text)).toEqual(expected);
});
