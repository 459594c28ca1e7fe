/** What is proposed for a field that stands in the wrong place. */
import { describe, expect, test } from '@jest/globals';
import type { FieldPath, Json, RenderedObject } from '../../src/core/model.js';
import { moved } from '../../src/core/remedies.js';

const object = (value: Json) => ({ value }) as unknown as RenderedObject;

describe('a field that belongs elsewhere', () => {
  test.each<[string, FieldPath, FieldPath, string]>([
    ['beside it', ['spec', 'lables'], ['spec', 'labels'], 'rename "lables" to "labels"'],
    ['beside it, at the top', ['sepc'], ['spec'], 'rename "sepc" to "spec"'],
    ['above', ['spec', 'a', 'b'], ['spec', 'b'], 'move a.b to b'],
    ['below', ['spec', 'b'], ['spec', 'a', 'b'], 'move b to a.b'],
    ['in a map of another name, as deep', ['spec', 'a', 'b'], ['spec', 'c', 'b'], 'move a.b to c.b'],
    ['in another map altogether', ['spec', 'a'], ['data', 'a'], 'move spec.a to data.a'],
  ])('%s', (_, from, to, title) => {
    const isRename = title.startsWith('rename');
    const one = object({ spec: { a: { b: 1 } } });
    expect(moved(one, from, to)).toEqual({
      title,
      safe: isRename,
      changes: [
        isRename
          ? { do: 'rename', at: { object: one, path: from }, key: to.at(-1) }
          : { do: 'move', at: { object: one, path: from }, to },
      ],
    });
  });

  test('key by key where there is a map already', () => {
    const one = object({ a: { b: 1, c: 2 }, d: { e: { f: 3 } } });
    expect(moved(one, ['a'], ['d', 'e']).changes).toEqual([
      { do: 'move', at: { object: one, path: ['a', 'b'] }, to: ['d', 'e', 'b'] },
      { do: 'move', at: { object: one, path: ['a', 'c'] }, to: ['d', 'e', 'c'] },
    ]);
  });
});
