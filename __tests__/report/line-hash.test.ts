/** The fingerprint of GitHub's code scanning, beside the examples in the tests of github/codeql-action. */
import { expect, test } from '@jest/globals';
import { fingerprintsOf, lineHashes } from '../../src/report/line-hash.js';
import { at, sources } from './runs.js';

const hashes = (text: string) => {
  const of = lineHashes(text);
  return text.split(/\r\n?|\n/).map((_, index) => of(index + 1)?.hash);
};

test.each<[string, string, string[]]>([
  ['an empty file', '', ['c129715d7a2bc9a3:1']],
  [
    'blanks do not count',
    ' a\nb\n  \t\tc\n d',
    ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1'],
  ],
  [
    'lines that look alike are numbered',
    'Lorem ipsum dolor sit amet.\n'.repeat(10),
    [
      ...[1, 2, 3, 4, 5, 6].map((count) => `a7f2ff13bc495cf2:${count}`),
      ...['a7f2ff1481e87703:1', 'a9cf91f7bbf1862b:1', '55ec222b86bcae53:1', 'cc97dc7b1d7d8f7b:1', 'c129715d7a2bc9a3:1'],
    ],
  ],
])('%s', (_, text, expected) => {
  expect(hashes(text)).toEqual(expected);
});

test('line ends are all the same', () => {
  const expected = hashes('a: b\nc:\n\nd\n');
  for (const end of ['\r', '\r\n']) expect(hashes(`a: b${end}c:${end}${end}d${end}`)).toEqual(expected);
});

test('a hash of a line by hand: its characters, the end of the file, and zeros', () => {
  // "ab", then U+FFFF, then 97 zeros.
  const value = (97n * 37n ** 99n + 98n * 37n ** 98n + 65_535n * 37n ** 97n) % 2n ** 64n;
  expect(hashes(' a\tb')).toEqual([`${value.toString(16)}:1`]);
});

test('what stands more than 100 characters behind changes nothing', () => {
  const [before, ...more] = hashes(`${'x'.repeat(99)}\ny\n`);
  expect(hashes(`${'x'.repeat(99)}\nz\n`)[0]).toBe(before);
  expect(hashes(`${'x'.repeat(98)}\nz\n`)[0]).not.toBe(hashes(`${'x'.repeat(98)}\ny\n`)[0]);
  expect(more).toHaveLength(2);
});

test('a line that is not there has none, nor one that a secret follows', () => {
  const filler = `# ${'x'.repeat(100)}\n`;
  const run = { sources: sources({ 'a.yaml': `kind: A\n${filler}password: hunter2\n` }) };
  const of = fingerprintsOf(run);
  expect(of(at('a.yaml', 1, 1, 2))).toMatch(/^[0-9a-f]+:1$/);
  expect(of(at('a.yaml', 2, 1, 2))).toMatch(/^[0-9a-f]+:1$/);
  expect(of(at('a.yaml', 3, 1, 2))).toBeUndefined();
  expect(of(at('a.yaml', 9, 1, 2))).toBeUndefined();
  expect(of(at('b.yaml', 1, 1, 2))).toBeUndefined();
  const near = fingerprintsOf({ sources: sources({ 'a.yaml': 'kind: A\npassword: hunter2\n' }) });
  expect(near(at('a.yaml', 1, 1, 2))).toBeUndefined();
});
