/** What reports may say of a fix, and what it makes of a file. */
import { expect, test } from '@jest/globals';
import type { Fix, KnownSecrets } from '../../src/core/model.js';
import { differenceLines, hasSecret } from '../../src/report/fixes.js';
import { at, cleanRun, sources } from './runs.js';

const fix = (...edits: Fix['edits']): Fix => ({ title: 'mend', safe: true, edits });
const run = (files: Record<string, string>, known: KnownSecrets = {}) =>
  cleanRun({ sources: { ...sources(files), secrets: () => known } });
const file = (length: number) => `a: b\n#${'x'.repeat(length - 6)}`;
const edit = { at: at('a.yaml', 1, 4, 5), text: 'c' };

test.each<[string, Record<string, string>, Fix, boolean]>([
  ['a plain value', { 'a.yaml': 'a: b\n' }, fix(edit), false],
  ['a value of a secret key', { 'a.yaml': 'password: b\n' }, fix({ ...edit, at: at('a.yaml', 1, 11, 12) }), true],
  ['the second line of a text', { 'a.yaml': 'a: b\n' }, fix({ ...edit, text: 'c\npassword: d' }), true],
  ['a line beside a secret', { 'a.yaml': 'a: b\npassword: d\n' }, fix(edit), false],
  [
    'the second edit of two',
    { 'a.yaml': 'a: b\npassword: d\n' },
    fix(edit, { at: at('a.yaml', 2, 11, 12), text: 'c' }),
    true,
  ],
  ['what is taken away', { 'a.yaml': 'password: b\n' }, fix({ at: at('a.yaml', 1, 1, 12), text: '' }), false],
  ['a file that is not there yet', {}, fix({ at: at('a.yaml', 1, 1, 1), text: 'a: b\n' }), false],
  ['a file of which nothing is shown', { 'a.txt': 'a: b\n' }, fix({ ...edit, at: at('a.txt', 1, 4, 5) }), true],
  ['a file that is just read', { 'a.yaml': file((1 << 18) - 1) }, fix(edit), false],
  ['a file that is too large', { 'a.yaml': file(1 << 18) }, fix(edit), true],
])('whether a fix writes a secret: %s', (_, files, one, expected) => {
  expect(hasSecret(one, run(files))).toBe(expected);
});

test('what the whole repository tells of a file counts', () => {
  expect(hasSecret(fix(edit), run({ 'a.yaml': 'a: b\n' }, { whole: true }))).toBe(true);
});

test('all fixes of a report read a mebibyte together', () => {
  const of = run({ 'a.yaml': file(1 << 17) });
  const told = Array.from({ length: 9 }, () => hasSecret(fix(edit), of));
  expect(told).toEqual([...new Array(8).fill(false), true]);
  expect(hasSecret(fix(edit), run({ 'a.yaml': file(1 << 17) }))).toBe(false);
});

test('a difference has three lines around what changes', () => {
  const lines = Array.from({ length: 9 }, (_, index) => `k${index}: v`);
  const after = lines.with(4, 'k4: w').toSpliced(6, 0, 'new: x');
  expect(differenceLines('a/b.yaml', `${lines.join('\n')}\n`, `${after.join('\n')}\n`)).toEqual([
    '--- a/a/b.yaml',
    '+++ b/a/b.yaml',
    '@@ -2,8 +2,9 @@',
    ...[' k1: v', ' k2: v', ' k3: v', '-k4: v', '+k4: w', ' k5: v', '+new: x', ' k6: v', ' k7: v', ' k8: v'],
  ]);
});

test('pieces that are far from each other have their own lines', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `k${index}: v`);
  const after = lines.with(2, 'k2: w').toSpliced(17, 1);
  const told = differenceLines('a.yaml', `${lines.join('\n')}\n`, `${after.join('\n')}\n`);
  expect(told.filter((line) => /^[-+@]/.test(line))).toEqual([
    ...['--- a/a.yaml', '+++ b/a.yaml'],
    ...['@@ -1,6 +1,6 @@', '-k2: v', '+k2: w', '@@ -15,6 +15,5 @@', '-k17: v'],
  ]);
});

test.each<[string, string | undefined, string, string[]]>([
  ['a new file', undefined, 'a: b\n', ['--- /dev/null', '+++ b/a.yaml', '@@ -0,0 +1,1 @@', '+a: b']],
  ['an empty file', '', 'a: b\n', ['--- a/a.yaml', '+++ b/a.yaml', '@@ -0,0 +1,1 @@', '+a: b']],
  ['a file that is emptied', 'a: b\n', '', ['--- a/a.yaml', '+++ b/a.yaml', '@@ -1,1 +0,0 @@', '-a: b']],
  [
    'no line end',
    'a: b',
    'a: c\n',
    ['--- a/a.yaml', '+++ b/a.yaml', '@@ -1,1 +1,1 @@', '-a: b', '\\ No newline at end of file', '+a: c'],
  ],
  [
    'a secret',
    'password: hunter2\n',
    'password: hunter3\n',
    ['--- a/a.yaml', '+++ b/a.yaml', '@@ -1,1 +1,1 @@', '-password: ••••••', '+password: ••••••'],
  ],
  [
    'tabs, and what is not seen',
    'a: b\n',
    'a: b # \t\u202ec\n',
    ['--- a/a.yaml', '+++ b/a.yaml', '@@ -1,1 +1,1 @@', '-a: b', '+a: b # \t\\u202ec'],
  ],
])('a difference of %s', (_, before, after, expected) => {
  expect(differenceLines('a.yaml', before, after)).toEqual(expected);
});

test('of other files the lines are hidden, and blank ones stay', () => {
  const told = differenceLines('a.env', 'A=b\n \n', 'A=b\n \nC=d\n').slice(3);
  expect(told).toEqual([' ••••••', ' ', '+••••••']);
});

test('what is known of secrets hides lines as well', () => {
  expect(differenceLines('a.yaml', 'a: b\n', 'a: c\n', { whole: true }).slice(3)).toEqual(['-••••••', '+••••••']);
});
