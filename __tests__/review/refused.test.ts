/** Which of several places are to blame, asked of a server that refuses all where it refuses one. */
import { describe, expect, test } from '@jest/globals';
import { refusedApart, type Taken } from '../../src/review/refused.js';

const all = (count: number) => Array.from({ length: count }, (_, index) => index);

async function tried(count: number, bad: ReadonlySet<number>, breaksAt = Number.POSITIVE_INFINITY) {
  const asked: number[][] = [];
  const send = async (items: readonly number[]): Promise<Taken> => {
    asked.push([...items]);
    if (asked.length >= breaksAt) return 'failed';
    return items.some((one) => bad.has(one)) ? 'refused' : 'done';
  };
  return { ...(await refusedApart(all(count), send)), asked };
}

describe('of up to seven places, whichever of them are bad', () => {
  test.each([1, 2, 3, 4, 5, 6, 7])('%i', async (count) => {
    for (let mask = 0; mask < 2 ** count; mask++) {
      const bad = new Set(all(count).filter((index) => mask & (1 << index)));
      const { done, refused, asked } = await tried(count, bad);
      // Nothing is taken for what it is not, and nothing is posted twice.
      expect([done.filter((one) => bad.has(one)), refused.filter((one) => !bad.has(one))]).toEqual([[], []]);
      expect(new Set(done).size).toBe(done.length);
      expect(asked.length).toBeLessThanOrEqual(8);
      // One is always found, with all others posted, and what is known by now is not asked.
      if (bad.size <= 1) expect([done.length, refused.length]).toEqual([count - bad.size, bad.size]);
      expect(new Set(asked.map(String)).size).toBe(asked.length);
      if (count > 1)
        expect(
          asked.filter(
            (items) =>
              items.length === 1 && done.includes(items[0] as number) === false && !bad.has(items[0] as number),
          ),
        ).toEqual([]);
    }
  });
});

test('where the first half is taken, the other is to blame and is not sent as a whole', async () => {
  const { asked } = await tried(4, new Set([3]));
  expect(asked).toEqual([[0, 1, 2, 3], [0, 1], [2]]);
});

test('one bad place among twenty costs no other its comment, and six requests at the most', async () => {
  for (const bad of all(20)) {
    const { done, refused, asked } = await tried(20, new Set([bad]));
    expect([done.length, refused]).toEqual([19, [bad]]);
    expect(asked.length).toBeLessThanOrEqual(7);
  }
  for (const bad of all(4)) expect((await tried(4, new Set([bad]))).asked.length).toBeLessThanOrEqual(4);
});

test('what breaks ends it, and what was not tried is neither', async () => {
  const { done, refused, asked } = await tried(4, new Set([0]), 3);
  expect([done, refused, asked.length]).toEqual([[], [], 3]);
});

test('nothing is asked for nothing', async () => {
  expect(await tried(0, new Set())).toEqual({ done: [], refused: [], asked: [] });
});
