import { expect, test } from '@jest/globals';
import { isAmbiguous, meaningOf } from '../../src/yaml/plain.js';

test.each([
  ['1.10', '1.1', false],
  ['1e3', '1000', false],
  ['.5', '0.5', false],
  ['+3', '3', false],
  ['0', '0', false],
  ['012', '10', true],
  ['-012', '-10', true],
  ['0o17', '15', true],
  ['0xFF', '255', true],
  ['0b11', '3', true],
  ['1_000', '1000', true],
  ['089', '89', false],
  ['True', 'true', false],
  ['yes', undefined, false],
  ['true-ish', undefined, false],
  ['1.2.3', undefined, false],
  ['"1.10"', undefined, false],
])('%s stands for %s', (written, meaning, ambiguous) => {
  expect([meaningOf(written), isAmbiguous(written)]).toEqual([meaning, ambiguous]);
});
