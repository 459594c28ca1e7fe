import { expect, test } from '@jest/globals';
import { displayWidth, framesOf } from '../../src/report/frame.js';
import { at, cleanRun, sources } from './runs.js';

/** The code and the mark under it, as a terminal with tabs of four columns shows them. */
function picture(text: string, column: number, end: number, width = 80, file = 'a.yaml'): string[] | undefined {
  const frame = framesOf(cleanRun({ sources: sources({ [file]: text }) }), width)(at(file, 1, column, end));
  return frame && [frame.code, `${frame.pad}${'^'.repeat(frame.marks)}`];
}

test.each<[string, string, number, number, string[]]>([
  ['plain', 'key: value', 6, 11, ['key: value', '     ^^^^^']],
  ['nothing marked', 'key: value', 6, 6, ['key: value', '     ^']],
  ['past the end', 'key: ', 6, 6, ['key:', '     ^']],
  ['tabs', '\tkey:\tv', 7, 8, ['\tkey:\tv', '\t    \t^']],
  ['wide characters', '日本: 値段', 5, 7, ['日本: 値段', '      ^^^^']],
  ['an emoji of two units', '"🎉": v', 7, 8, ['"🎉": v', '      ^']],
  ['combining marks', 'e\u0301: v', 5, 6, ['e\u0301: v', '   ^']],
  ['what is not seen', '\u202ea: v', 5, 6, ['\\u202ea: v', '         ^']],
  ['a command', '##[x]: v', 8, 9, ['##\\[x]: v', '        ^']],
  ['a secret', 'password: hunter2', 11, 18, ['password: ••••••', '          ^^^^^^']],
  ['a secret, from within', 'password: hunter2', 13, 15, ['password: ••••••', '          ^^^^^^']],
  ['half a character', '\udc00a: v', 5, 6, ['\\udc00a: v', '         ^']],
  ['behind a secret', '{password: a, user: b}', 15, 19, ['{password: ••••••, user: b}', '                   ^^^^']],
])('%s', (_, text, column, end, expected) => {
  expect(picture(text, column, end)).toEqual(expected);
});

test.each<[string, number]>([
  ['', 0],
  ['abc', 3],
  ['\t', 4],
  ['a\tb', 6],
  ['日本', 4],
  ['e\u0301', 1],
  ['🎉', 2],
  ['👩\u200d🚀', 4],
])('%j takes %d columns', (text, expected) => {
  expect(displayWidth(text)).toBe(expected);
});

test.each([
  [20, 'a'.repeat(20), 'a'.repeat(20)],
  [20, 'a'.repeat(21), `${'a'.repeat(19)}…`],
  [20, `${'a'.repeat(18)}日`, `${'a'.repeat(18)}日`],
  [20, `${'a'.repeat(18)}日b`, `${'a'.repeat(18)}…`],
  [20, `a\t${'b'.repeat(15)}`, `a\t${'b'.repeat(15)}`],
  [20, `a\t${'b'.repeat(16)}`, `a\t${'b'.repeat(14)}…`],
])('in %d columns %j is %j', (width, text, expected) => {
  expect(picture(text, 1, 2, width)?.[0]).toBe(expected);
});

test('the line break of Windows is not shown', () => {
  expect(picture('a: b\r\nc: d\r\n', 4, 5)).toEqual(['a: b', '   ^']);
});

test.each<[string, number, number, string[]]>([
  ['start', 1, 6, ['aaaaabbbbbcccccdddd…', '^^^^^']],
  ['middle', 21, 26, ['…ccccdddddeeeeeffff…', '          ^^^^^']],
  ['end', 46, 51, ['…gggghhhhhiiiiijjjjj', '               ^^^^^']],
  ['all', 1, 51, ['aaaaabbbbbcc…', '^^^^^^^^^^^^^']],
  ['second half', 26, 51, ['…deeeeefffffggggghh…', '       ^^^^^^^^^^^^^']],
])('a long line is cut around a mark at its %s', (_, column, end, expected) => {
  const letters = [...'abcdefghij'].map((letter) => letter.repeat(5)).join('');
  expect(picture(letters, column, end, 20)).toEqual(expected);
  expect(Math.max(...expected.map(displayWidth))).toBeLessThanOrEqual(20);
});

test('a range of several lines is marked to the end of its first', () => {
  const run = cleanRun({ sources: sources({ 'a.yaml': 'a: |  \n  b\n' }) });
  const range = { start: { line: 1, column: 4 }, end: { line: 2, column: 4 } };
  expect(framesOf(run, 80)({ revision: 'head', file: 'a.yaml', range })).toEqual({
    line: 1,
    code: 'a: |',
    pad: '   ',
    marks: 1,
  });
});

test('both sides of a file have their own text', () => {
  const run = cleanRun({ sources: sources({ 'a.yaml': 'new: 1\n', 'base:a.yaml': 'old: 1\n' }) });
  const frames = framesOf(run, 80);
  const codes = (['head', 'base', 'head'] as const).map((side) => frames(at('a.yaml', 1, 1, 4, side))?.code);
  expect(codes).toEqual(['new: 1', 'old: 1', 'new: 1']);
});

test('what the whole repository tells of a file is hidden', () => {
  const secrets = () => ({ values: new Set(['correct-horse']) });
  const run = cleanRun({ sources: { ...sources({ 'a.yaml': 'a: correct-horse\n' }), secrets } });
  expect(framesOf(run, 80)(at('a.yaml', 1, 1, 2))?.code).toBe('a: ••••••');
});

test.each([
  ['no such file', 'b.yaml', 1],
  ['no such line', 'a.yaml', 9],
  ['an empty line', 'a.yaml', 2],
  ['a file of secrets', 'a.env', 1],
])('no frame for %s', (_, file, line) => {
  const run = cleanRun({ sources: sources({ 'a.yaml': 'a: b\n\n', 'a.env': 'a=b' }) });
  expect(framesOf(run, 80)(at(file, line, 1, 2))).toBeUndefined();
});

test.each([0, 1, 79, 80, 81, 200])('what is not seen is shown behind %i letters of a line', (length) => {
  const [code = ''] = picture(`${'a'.repeat(length)}\u202e: v${'b'.repeat(200)}`, length + 3, length + 4, 20) ?? [];
  expect(code).toContain('\\u202e: v');
  expect(code).not.toContain('\u202e');
});

test('a long line is not cut through a character', () => {
  // What is looked at begins in the middle of one, whichever of the two the mark stands at.
  for (const column of [401, 402]) {
    const [code = ''] = picture('🎉'.repeat(400), column, column + 2, 20) ?? [];
    expect(code).toMatch(/^…(?:🎉)+…$/u);
  }
});

test('nor behind a letter whose marks fill what is looked at', () => {
  const marks = '\u0301'.repeat(79);
  expect(picture(`🎉${marks}x: v`, 82, 83, 20)).toEqual([`🎉${marks}x: v`, '  ^']);
});

test('a long line is cut alike whether a secret stands far before the mark or not', () => {
  const marks = '\u0301'.repeat(100);
  const [secret, other] = ['password', 'location'].map((key) =>
    picture(`{${key}: hunter2, a${marks}: v}`, 124, 125, 20),
  );
  expect(secret).toEqual(other);
});
