/** One of the fields in which two objects differ, put into the earlier one. */
import { expect, test } from '@jest/globals';
import { fieldsBetween, withField } from '../../src/charts/fields.js';
import type { Json } from '../../src/core/model.js';

const each = (before: Json, after: Json) =>
  fieldsBetween(before, after).map((field) => withField(before, after, field));

const unnamed: [string, Json, Json, Json[]][] = [
  ['a scalar', { a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }, [{ a: 1, b: { c: 3 } }]],
  ['what is gone', { a: 1, b: 2 }, { b: 2 }, [{ b: 2 }]],
  ['a map that is new', { a: 1 }, { a: 1, b: { c: 2 } }, [{ a: 1, b: { c: 2 } }]],
  [
    'items of a list without names',
    { a: [{ x: 1 }, { x: 2 }] },
    { a: [{ x: 3 }, { x: 4 }] },
    [{ a: [{ x: 3 }, { x: 2 }] }, { a: [{ x: 1 }, { x: 4 }] }],
  ],
  ['a list with more items', { a: [1] }, { a: [2, 3] }, [{ a: [2, 3] }]],
];

test.each(unnamed)('%s', (_, before, after, wanted) => {
  expect(each(before, after)).toEqual(wanted);
});

test('items with names, which come, go and move', () => {
  const [a, b, c] = [
    { name: 'a', x: 1 },
    { name: 'b', x: 1 },
    { name: 'c', x: 1 },
  ];
  const changed = { name: 'b', x: 2 };
  // In the order of the later list, then what is gone.
  expect(each([a, b], [changed, c])).toEqual([[a, changed], [a, b, c], [b]]);
});

test('a key that is a name of JavaScript is a key', () => {
  const [before, after] = ['{"__proto__": 1}', '{"__proto__": 2}'].map((text) => JSON.parse(text)) as [Json, Json];
  expect(each(before, after).map((one) => JSON.stringify(one))).toEqual(['{"__proto__":2}']);
});
