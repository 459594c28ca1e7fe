/** What the values of all charts tell of a key. */
import { expect, test } from '@jest/globals';
import { loadValues } from '../../src/cozystack/values.js';
import { schemas as data, newest } from '../support/releases.js';

const values = loadValues(data, newest);

test('a word is a key of any chart, or is made of words of such keys', () => {
  const words = ['nodeSelector', 'logLevel', 'speakerNodeSelector', 'hunter2', 'speakerHunter2'];
  expect(words.map(values.isWord)).toEqual([true, true, true, false, false]);
});

test('how many kinds of charts have a key, each counted once', () => {
  const [often, seldom, never] = ['resources', 'speaker', 'hunter2'].map(values.frequency) as [number, number, number];
  expect([often > 10, seldom > 0 && seldom < often, never]).toEqual([true, true, 0]);
});

test('a pair is a key with the map in which a chart has it', () => {
  expect(values.isPair('speaker', 'logLevel')).toBe(true);
  expect([values.isPair('logLevel', 'speaker'), values.isPair('hunter2', 'logLevel')]).toEqual([false, false]);
});
