import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { checkFormat, isBase64, isQuantity } from '../../src/schema/formats.js';
import { matchesPattern } from '../../src/schema/pattern.js';
import { root } from '../support/cli.js';

test.each<[string, string[], string[]]>([
  ['byte', ['aGVsbG8=', 'YQ=='], ['', 'a', 'YQ', 'a GVsbG8=', 'aGVs\nbG8=', '!!!!', 'YQ=a']],
  ['date', ['2024-02-29'], ['2023-02-29', '2024-2-1', 'today']],
  ['date-time', ['2024-01-02T03:04:05Z', '2024-01-02t03:04:05.123+01:00'], ['2024-01-02', '2024-01-02 03:04:05', '']],
  ['duration', ['5m', '1h30m', '0', '1.5s', '2 days', '-1m'], ['5', 'm', '', 'soon']],
  ['ipv4', ['10.0.0.1'], ['10.0.0', '10.0.0.256', 'fe80::1', '10.0.0.01']],
  ['ipv6', ['fe80::1', '::'], ['10.0.0.1', 'fe80::1%eth0', 'fe80']],
  [
    'cidr',
    ['10.0.0.0/8', 'fe80::/10', '0.0.0.0/0', '10.0.0.1/32', 'fe80::1/128'],
    ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', 'fe80::/129', '10.0.0.0/8/8'],
  ],
  [
    'uuid',
    [
      '123e4567-e89b-12d3-a456-426614174000',
      '123E4567-E89B-12D3-A456-42661417400F',
      '123e4567e89b12d3a456426614174000',
    ],
    [
      '123e4567',
      '123e4567-e89b-12d3-a456-42661417400g',
      '123e4567-e89b-12d3-a456-4266141740000',
      'x123e4567-e89b-12d3-a456-426614174000',
    ],
  ],
  ['int32', ['anything'], []],
  ['made-up', ['anything'], []],
])('%s', (format, valid, invalid) => {
  expect(valid.filter((text) => checkFormat(format, text).verdict !== 'valid')).toEqual([]);
  expect(invalid.filter((text) => checkFormat(format, text).verdict !== 'invalid')).toEqual([]);
});

test('only Go can judge a hostname', () => {
  expect(checkFormat('hostname', 'example.org')).toEqual({ verdict: 'unknown' });
});

test('amounts', () => {
  const valid = ['1', '500m', '1.5Gi', '.5', '1.', '+1', '-1', '2e3', '2E-3', '10k', '1n'];
  const invalid = ['', 'Gi', '1 Gi', '1GB', '1gi', '1.2.3', 'one'];
  expect(valid.filter((text) => !isQuantity(text))).toEqual([]);
  expect(invalid.filter(isQuantity)).toEqual([]);
});

test('what Go decodes into bytes', () => {
  expect(['', 'YQ==', 'aGVs\nbG8='].every(isBase64)).toBe(true);
  expect(['YQ', '!', '!!!!', 'YQ=a', 'ENC[x]'].some(isBase64)).toBe(false);
});

describe('patterns', () => {
  test.each<[string, string, boolean | undefined]>([
    ['^a+$', 'aa', true],
    ['^a+$', 'b', false],
    ['b', 'abc', true],
    ['(?i)^abc$', 'ABC', true],
    ['^(?i)abc$', 'ABC', undefined],
    ['\\Aabc\\z', 'abc', undefined],
    ['^[[:alpha:]]+$', 'abc', undefined],
    ['^\\pL+$', 'abc', undefined],
    ['^(?P<name>a)$', 'a', undefined],
    ['^[a-z\\x60]+$', 'a`', true],
    ['^([ ]?[a-z]+)*$', 'a b', true],
    ['^a*$', 'a'.repeat(2000), undefined],
    ['(', '', undefined],
  ])('%s on %.10s: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  test('none that is shipped goes on and on for any text, and few are left to Go', () => {
    const patterns = shippedPatterns();
    const unjudged = patterns.filter((pattern) => matchesPattern(pattern, 'x') === undefined);
    const slow = patterns.filter(
      (pattern) => !isDone(() => hostileTexts().map((text) => matchesPattern(pattern, text))),
    );
    expect({ slow, unjudged: unjudged.length }).toEqual({ slow: [], unjudged: 3 });
  }, 60_000);
});

function shippedPatterns(): string[] {
  const folder = join(root, 'schemas', 'cozystack', 'crds');
  const patterns = new Set<string>();
  for (const file of readdirSync(folder)) {
    JSON.parse(readFileSync(join(folder, file), 'utf8'), (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
  }
  return [...patterns];
}

function hostileTexts(): string[] {
  const parts = ['a', '1', 'a1', 'a.', 'a-', '-', '.', '1h', '1.', '/', 'a/', 'A', '_', ' ', '1:', ':', '@', '=', 'é'];
  return parts.flatMap((part) => ['!', '\n'].map((end) => part.repeat(1000 / part.length) + end));
}

/** Whether it ends before it is ended, after a thousand times what it takes. */
function isDone(work: () => void): boolean {
  try {
    runInNewContext('work()', { work }, { timeout: 10_000 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return false;
  }
}
