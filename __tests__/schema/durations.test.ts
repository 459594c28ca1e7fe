/** Durations in patterns of definitions, and as people write them. */
import { expect, test } from '@jest/globals';
import { durationMeant, exampleOf } from '../../src/schema/durations.js';

const flux = '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$';
const withoutHours = '^([0-9]+(\\.[0-9]+)?(ms|s|m))+$';
const prometheus = '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$';

test.each<[string, string | undefined]>([
  [flux, '10m or 1h30m'],
  [withoutHours, '10m or 1m30s'],
  [prometheus, '5m'],
  ['^(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?$', '5m'],
  ['^([0-9]{1,5}(h|m|s|ms)){1,4}$', '5m'],
  ['^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$', '5m'],
  ['[0-9]+(ms|s|m|h)', '5m'],
  // What takes other texts, too, is of more than durations.
  ['^[a-z0-9]+$', undefined],
  ['^[mh]?.*$', undefined],
  ['^[0-9]+$', undefined],
  ['^[0-9]+(kb|m)$', undefined],
])('%s: %s', (pattern, example) => {
  expect(exampleOf(pattern)).toBe(example);
});

test.each<[string, string, string | undefined]>([
  ['30 minutes', flux, '30m'],
  ['1 hour', flux, '1h'],
  ['1 Hour, 30 Min', flux, '1h30m'],
  ['1 hour and 30 minutes', flux, '1h30m'],
  ['10min', flux, '10m'],
  ['90 secs', flux, '90s'],
  ['500 milliseconds', flux, '500ms'],
  ['1.5 hrs', flux, '1.5h'],
  // In units that the field has.
  ['1 day', flux, '24h'],
  ['2 weeks', flux, '336h'],
  ['1 hour', withoutHours, '60m'],
  ['1.5 hours', prometheus, '90m'],
  ['30 minutes 1 hour', prometheus, '90m'],
  ['1 week', prometheus, '1w'],
  ['5 H', flux, undefined],
  ['5', flux, undefined],
  ['-5 minutes', flux, undefined],
  ['five minutes', flux, undefined],
  ['5 minutes later', flux, undefined],
  ['minutes', flux, undefined],
  ['', flux, undefined],
  ['5 months', flux, undefined],
  ['5 toString', flux, undefined],
  [`5${' '.repeat(60)}m`, flux, undefined],
])('%s as %s: %s', (text, pattern, meant) => {
  expect(durationMeant(text, pattern)).toBe(meant);
});
