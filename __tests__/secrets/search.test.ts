/** The search for many values in one text, held against a plain one. */
import { describe, expect, test } from '@jest/globals';
import { replaceSpans } from '../../src/secrets/mask.js';
import { occurrences } from '../../src/secrets/search.js';

/** What a search does that tries every value at every place. */
function plainly(text: string, values: readonly string[]): boolean[] {
  const marked = Array.from({ length: text.length }, () => false);
  for (const value of values) {
    for (let at = text.indexOf(value); value !== '' && at >= 0; at = text.indexOf(value, at + 1)) {
      const [before = ' ', after = ' '] = [text[at - 1], text[at + value.length]];
      const quoted = /["'`]/.test(before) && before === after;
      const alone = !/[\p{L}\p{N}_]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after);
      if (value.length >= 8 || (value.length >= 4 ? alone : quoted)) marked.fill(true, at, at + value.length);
    }
  }
  return marked;
}

function marks(text: string, values: readonly string[]): boolean[] {
  const marked = Array.from({ length: text.length }, () => false);
  for (const { start, end } of occurrences(text, values)) marked.fill(true, start, end);
  return marked;
}

test('finds what a plain search finds', () => {
  let seed = 18;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const word = (length: number) => Array.from({ length }, () => 'ab\'" '[next(5)]).join('');
  for (let round = 0; round < 1000; round += 1) {
    const text = word(next(60));
    const values = Array.from({ length: next(12) }, () => word(1 + next(12)));
    expect({ text, values, marks: marks(text, values) }).toEqual({ text, values, marks: plainly(text, values) });
  }
});

describe('what is left of a text', () => {
  const rows: [text: string, values: string[], left: string][] = [
    ["unknown anchor 'hunter2' referenced", ['hunter2'], "unknown anchor '••••••' referenced"],
    ["unknown anchor 'ab' referenced", ['ab'], "unknown anchor '••••••' referenced"],
    ['cannot be about a bad cab', ['ab', 'a', 'bad'], 'cannot be about a bad cab'],
    ['passwords of pass and pass-1', ['pass'], 'passwords of •••••• and ••••••-1'],
    ['xcorrecthorsey', ['correcthorse'], 'x••••••y'],
    ['xhunter22y and xhunter2y', ['hunter22', 'hunter2'], 'x••••••y and xhunter2y'],
    ['correct horse battery', ['correct horse battery staple', 'horse battery'], 'correct ••••••'],
  ];
  test.each(rows)('%j without %j', (text, values, left) => {
    expect(replaceSpans(text, occurrences(text, values))).toBe(left);
  });
});

test('grows with the sizes of the texts, not with their product', () => {
  const text = 'a'.repeat(60_000);
  const values = Array.from({ length: 3000 }, (_, index) => `${'a'.repeat(index)}b`);
  expect(occurrences(text, values)).toEqual([]);
  expect(occurrences(text, ['a'.repeat(59_999)]).length).toBe(2);
});
