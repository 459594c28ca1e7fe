import { expect, test } from '@jest/globals';
import { lookUp } from '../../src/core/object.js';

test.each<[(string | number)[], unknown]>([
  [['a', 'b', 1], 'text'],
  [['a', 'c'], null],
  [['a', 'c', 'd'], undefined],
  [['a', 'b', 2], undefined],
  [['a', 'b', 1, 'length'], undefined],
  [['a', 'b', 1, 0], undefined],
  [['a', 'toString'], undefined],
])('what is written at %j: %j', (path, expected) => {
  expect(lookUp({ a: { b: [1, 'text'], c: null } }, path)).toBe(expected);
});
