/** What is kept from one round for the next. */
import { expect, test } from '@jest/globals';
import { beginRound, kept, keptByText, roundNumber } from '../../src/core/rounds.js';

/** Texts in the order in which they were worked on. */
const worked: string[] = [];
const lengthOf = keptByText((text) => worked.push(text));

test('without rounds nothing is kept', () => {
  lengthOf('a');
  lengthOf('a');
  expect(worked.splice(0)).toEqual(['a', 'a']);
  expect(roundNumber()).toBe(0);
});

test('what a round asks for the next one has, and what it does not is forgotten after it', () => {
  const asked = (...texts: string[]) => {
    beginRound();
    for (const text of texts) lengthOf(text);
    return worked.splice(0);
  };
  expect(asked('a', 'b', 'a')).toEqual(['a', 'b']);
  expect(asked('a')).toEqual([]);
  expect(asked('a', 'b')).toEqual(['b']);
  expect(roundNumber()).toBe(3);
});

test('that there is nothing is kept too, and what is kept of others is another', () => {
  const [one, other] = [kept<string | undefined>(), kept<string | undefined>()];
  beginRound();
  expect(
    one(
      () => 'key',
      () => undefined,
    ),
  ).toBeUndefined();
  expect(
    one(
      () => 'key',
      () => 'again',
    ),
  ).toBeUndefined();
  expect(
    other(
      () => 'key',
      () => 'another',
    ),
  ).toBe('another');
});
