/** Order of texts with numbers in them, beside what the language has for it. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byNumbers } from '../../src/core/text.js';
import { seedOr } from '../support/sample.js';

const version = fc
  .tuple(
    fc.constantFrom('v', 'V', ''),
    fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
    fc.constantFrom('', '-rc', 'beta'),
  )
  .map(([letter, numbers, end]) => `${letter}${numbers.join('.')}${end}`);

test('releases stand as people count them', () => {
  const sorted = ['v1.10.0', 'v1.9.12', 'v1.9', 'v1.9.2', 'v2', 'v10', 'next'].toSorted(byNumbers);
  expect(sorted).toEqual(['next', 'v1.9', 'v1.9.2', 'v1.9.12', 'v1.10.0', 'v2', 'v10']);
});

test('numbers decide as in the order of the language', () => {
  const numbers = fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 4 }).map((all) => `v${all.join('.')}`);
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      expect(Math.sign(byNumbers(a, b))).toBe(Math.sign(a.localeCompare(b, 'en', { numeric: true })));
    }),
    { seed: seedOr(5) },
  );
});

test('it is an order', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(byNumbers(a, a)).toBe(0);
      expect(Math.sign(byNumbers(a, b))).toBe(-Math.sign(byNumbers(b, a)) || 0);
      if (byNumbers(a, b) < 0 && byNumbers(b, c) < 0) expect(byNumbers(a, c)).toBeLessThan(0);
    }),
    { seed: seedOr(7) },
  );
});
