/** Edits of one YAML document by path, and what a reviewer may suggest of them. */
import { describe, expect, test } from '@jest/globals';
import { suggestionOf } from '../../src/fix/suggestion.js';
import { type YamlEdit, YamlEditor } from '../../src/yaml/editor.js';
import { applyEdits, collide, editsBetween } from '../../src/yaml/text-edits.js';

const edit = (text: string, ...edits: YamlEdit[]) =>
  edits.reduce<YamlEditor | undefined>((page, one) => page?.edit(one), YamlEditor.read(text))?.text;
const remove = (...path: (string | number)[]): YamlEdit => ({ do: 'remove', path });
const add = (path: (string | number)[], value: string | string[], after?: string): YamlEdit => ({
  ...{ do: 'add', path, value },
  ...(after && { after }),
});
const set = (path: (string | number)[], value: string | boolean | { [key: string]: string }): YamlEdit => ({
  ...{ do: 'set', path, value },
});
const rename = (path: (string | number)[], key: string): YamlEdit => ({ do: 'rename', path, key });
const move = (path: string[], to: string[]): YamlEdit => ({ do: 'move', path, to });

describe('an entry is taken out', () => {
  test.each<[string, string, YamlEdit, string]>([
    ['with its comment', 'a: 1 # one\nb: 2\n', remove('a'), 'b: 2\n'],
    ['not with that of its neighbour', 'a: 1\n# two\nb: 2 # b\n', remove('a'), '# two\nb: 2 # b\n'],
    ['not with the comment above', '# both\na: 1\nb: 2\n', remove('a'), '# both\nb: 2\n'],
    ['with the comment that excuses it', '# customizer-lint ignore x -- y\na: 1\nb: 2\n', remove('a'), 'b: 2\n'],
    ['the last one, without a line break', 'a: 1\nb: 2', remove('b'), 'a: 1'],
    ['with all that is in it', 'a:\n  b:\n    - c\n  d: |\n    e\n\n    f\ng: 1\n', remove('a'), 'g: 1\n'],
    ['an empty one', 'a:\nb: 2\n', remove('a'), 'b: 2\n'],
    ['a map on one line of keys alone', 'a: {c, d}\nb: 2\n', remove('a'), 'b: 2\n'],
    ['a text of several lines', 'a: >-\n  x\n\n  y\n\nb: 2\n', remove('a'), '\nb: 2\n'],
    ['with the maps that would be empty', 'a:\n  b:\n    c: 1\nd: 2\n', remove('a', 'b', 'c'), 'd: 2\n'],
    ['behind the dash of an item', 'a:\n  - b: 1\n    c: 2\n', remove('a', 0, 'b'), 'a:\n  - c: 2\n'],
    ['an item', 'a:\n  - b\n  - c # c\n  - d\n', remove('a', 1), 'a:\n  - b\n  - d\n'],
    ['an item of maps, as deep as its key', 'a:\n- b: 1\n  c: 2\n- d: 3\n', remove('a', 0), 'a:\n- d: 3\n'],
    ['the last item of a list', 'b:\n  a:\n    - c\n  d: 1\n', remove('b', 'a', 0), 'b:\n  a: []\n  d: 1\n'],
    [
      'the last item of a list below one of two',
      'b:\n  a:\n    - c\ne: 2\n',
      remove('b', 'a', 0),
      'b:\n  a: []\ne: 2\n',
    ],
    ['the last item of a list at the root', 'a:\n  - c\nb: 1\n', remove('a', 0), 'b: 1\n'],
    ['of a map on one line', 'a: { b: 1, c: 2, d: 3 }\n', remove('a', 'c'), 'a: { b: 1, d: 3 }\n'],
    ['the last of a map on one line', 'a: { b: 1, c: 2 }\n', remove('a', 'c'), 'a: { b: 1 }\n'],
    ['the only one of a map on one line', 'a: { b: { c: 2 } }\nd: 1\n', remove('a', 'b', 'c'), 'd: 1\n'],
    ['of JSON', '{\n  "a": 1,\n  "b": 2\n}\n', remove('a'), '{\n  "b": 2\n}\n'],
    ['with the line ends of Windows', 'a: 1\r\nb: 2\r\n', remove('a'), 'b: 2\r\n'],
    ['behind a mark', '---\na: 1\nb: 2\n', remove('a'), '---\nb: 2\n'],
  ])('%s', (_, before, change, after) => {
    expect(edit(before, change)).toBe(after);
  });
});

describe('an entry is put in', () => {
  test.each<[string, string, YamlEdit, string]>([
    ['behind the last', 'a:\n  b: 1 # b\nc: 2\n', add(['a', 'x'], 'w'), 'a:\n  b: 1 # b\n  x: w\nc: 2\n'],
    ['behind the one that is named', 'a:\n  b: 1\n  c: 2\n', add(['a', 'x'], 'w', 'b'), 'a:\n  b: 1\n  x: w\n  c: 2\n'],
    ['with the maps around it', 'a:\n  b: 1\n', add(['a', 'c', 'd'], 'w'), 'a:\n  b: 1\n  c:\n    d: w\n'],
    ['as deep as the others', 'a:\n    b: 1\n', add(['a', 'c', 'd'], 'w'), 'a:\n    b: 1\n    c:\n        d: w\n'],
    ['below a key without a value', 'a:\n  b:\n  c: 1\n', add(['a', 'b', 'd'], 'w'), 'a:\n  b:\n    d: w\n  c: 1\n'],
    ['two levels below such a key', 'a:\n  b:\n', add(['a', 'b', 'c', 'd'], 'w'), 'a:\n  b:\n    c:\n      d: w\n'],
    ['into an empty map', 'a: {}\n', add(['a', 'b'], 'w'), 'a: { b: "w" }\n'],
    ['into a map on one line', 'a: { b: 1 }\n', add(['a', 'c', 'd'], 'w'), 'a: { b: 1, c: {"d":"w"} }\n'],
    [
      'into JSON',
      '{\n  "a": {\n    "b": 1\n  }\n}\n',
      add(['a', 'c'], 'w'),
      '{\n  "a": {\n    "b": 1,\n    "c":"w"\n  }\n}\n',
    ],
    ['behind a text of several lines', 'a:\n  b: |\n    x\n\n', add(['a', 'c'], 'w'), 'a:\n  b: |\n    x\n  c: w\n\n'],
    ['without a line break at the end', 'a:\n  b: 1', add(['a', 'c'], 'w'), 'a:\n  b: 1\n  c: w'],
    ['with the line ends of Windows', 'a:\r\n  b: 1\r\n', add(['a', 'c'], 'w'), 'a:\r\n  b: 1\r\n  c: w\r\n'],
    ['quoted where it has to be', 'a: 1\n', add(['b'], 'yes'), 'a: 1\nb: "yes"\n'],
    ['into an item', 'a:\n  - b: 1\n', add(['a', 0, 'c'], 'w'), 'a:\n  - b: 1\n    c: w\n'],
    [
      'as an item',
      'a:\n  - b # b\n  - c\n',
      { do: 'insert', path: ['a'], index: 1, value: 'x' },
      'a:\n  - b # b\n  - x\n  - c\n',
    ],
    ['as the last item', 'a:\n- b\n', { do: 'insert', path: ['a'], index: 1, value: 'x' }, 'a:\n- b\n- x\n'],
    ['as an item on the line', 'a: [b, c]\n', { do: 'insert', path: ['a'], index: 0, value: 'x' }, 'a: [x, b, c]\n'],
  ])('%s', (_, before, change, after) => {
    expect(edit(before, change)).toBe(after);
  });
});

describe('a value, a key, a place', () => {
  test.each<[string, string, YamlEdit, string]>([
    ['a value in its quotes', `a: 'b'  # c\n`, set(['a'], "it's"), `a: 'it''s'  # c\n`],
    ['a value in double quotes', 'a: "b"\n', set(['a'], 'c'), 'a: "c"\n'],
    ['another type', 'a: "false"\n', set(['a'], false), 'a: false\n'],
    ['a text that looks like a number', 'a: x\n', set(['a'], '1'), 'a: "1"\n'],
    [
      'quotes around what is written',
      'a: 1.10\n',
      { do: 'set', path: ['a'], value: '1.1', asWritten: true },
      'a: "1.10"\n',
    ],
    [
      'a map for an item',
      'a:\n  - b\n',
      set(['a', 0], { name: 'b', namespace: 'c' }),
      'a:\n  - name: b\n    namespace: c\n',
    ],
    ['a key', 'a:\n  "b" : 1 # c\n', rename(['a', 'b'], 'c'), 'a:\n  "c" : 1 # c\n'],
    ['a key of a map on one line', 'a: {b: 1}\n', rename(['a', 'b'], 'c'), 'a: {c: 1}\n'],
    ['a key with an anchor behind it', 'a: &x 1\nb: *x\n', rename(['a'], 'c'), 'c: &x 1\nb: *x\n'],
    [
      'a place, with its comments',
      'a:\n  b: # here\n    # one\n    c: 1\n  d: 2\ne:\n  f: 3\n',
      move(['a', 'b'], ['e', 'b']),
      'a:\n  d: 2\ne:\n  f: 3\n  b: # here\n    # one\n    c: 1\n',
    ],
    [
      'a place that is not there yet',
      'a:\n  b: |\n    x\n    y\n  c: 1\n',
      move(['a', 'b'], ['d', 'e', 'f']),
      'a:\n  c: 1\nd:\n  e:\n    f: |\n      x\n      y\n',
    ],
    ['a place further out', 'a:\n  b:\n    c: 1\nd: 2\n', move(['a', 'b', 'c'], ['c']), 'd: 2\nc: 1\n'],
    ['a place further in', 'a:\n  b: 1\n', move(['a', 'b'], ['a', 'c', 'b']), 'a:\n  c:\n    b: 1\n'],
  ])('%s', (_, before, change, after) => {
    expect(edit(before, change)).toBe(after);
  });
});

test.each<[string, string, YamlEdit]>([
  ['a document that is sealed', 'a: 1\nb: 2\nsops:\n  mac: x\n', remove('a')],
  ['a key that stands twice', 'a: 1\na: 2\nb: 3\n', remove('b')],
  ['a value with an anchor', 'a: &x 1\nb: *x\nc: 2\n', remove('a')],
  ['another value at an anchor', 'a: &x 1\nb: *x\n', set(['a'], 'c')],
  ['what is below an anchor', 'a: &x\n  b: 1\n  c: 2\nd: *x\n', remove('a', 'b')],
  ['what is added below an anchor', 'a: &x\n  b: 1\nd: *x\n', add(['a', 'c'], 'y')],
  ['what is behind an alias', 'a: &x\n  b: 1\nd: *x\n', add(['d', 'c'], 'y')],
  ['a map that merges another', 'a: &x\n  b: 1\nd:\n  <<: *x\n  c: 1\n', remove('d', 'c')],
  ['a key that is there already', 'a: 1\nb: 2\n', rename(['a'], 'b')],
  ['what is there already', 'a: 1\n', add(['a'], 'y')],
  ['a place that is taken', 'a: 1\nb:\n  c: 2\n', move(['a'], ['b', 'c'])],
  ['a place within itself', 'a:\n  b: 1\n', move(['a'], ['a', 'b', 'a'])],
  ['a key with a question mark', '? a\n: 1\n? b\n: 2\n', remove('a')],
  ['a text of several lines as a value', 'a: |\n  b\n', set(['a'], 'c')],
  ['a value with a tag', 'a: !!str 1\n', set(['a'], 'c')],
  ['the only entry of all', 'a: 1\n', remove('a')],
  ['the only entry of an item', 'a:\n  - b: 1\n', remove('a', 0, 'b')],
  ['a comment within a map on one line', 'a: {\n  b: 1, # b\n  c: 2 }\n', remove('a', 'b')],
  ['an item of an item', 'a:\n  - - b\n    - c\n', remove('a', 0, 0)],
  ['what is no map', 'a: b\n', add(['a', 'c'], 'y')],
  ['what is not there', 'a: 1\nb: 2\n', remove('c')],
  ['broken YAML', 'a: [1\nb: 2\n', remove('b')],
])('%s is left alone', (_, text, change) => {
  expect(edit(text, change)).toBeUndefined();
});

describe('edits between two texts', () => {
  const between = (before: string, after: string) => editsBetween('a.yaml', before, after);

  test.each([
    ['a\nb\nc\n', 'a\nc\n', [[2, 1, 3, 1, '']]],
    ['a\nc\n', 'a\nb\nc\n', [[2, 1, 2, 1, 'b\n']]],
    ['a: one\nb\n', 'a: two\nb\n', [[1, 4, 1, 7, 'two']]],
    ['', 'a\n', [[1, 1, 1, 1, 'a\n']]],
    ['a', 'a\nb', [[1, 1, 1, 2, 'a\nb']]],
    [
      'a\nb\nc\nd\n',
      'x\nb\nc\ny\n',
      [
        [1, 1, 1, 2, 'x'],
        [4, 1, 4, 2, 'y'],
      ],
    ],
  ])('%j and %j', (before, after, expected) => {
    const edits = between(before, after);
    const shown = edits.map(({ at: { range }, text }) => [
      ...[range.start.line, range.start.column, range.end.line, range.end.column],
      text,
    ]);
    expect(shown).toEqual(expected);
    expect(applyEdits(before, edits)).toBe(after);
  });

  test('that touch the same line are in each other’s way', () => {
    const [one, same, below] = [
      between('a\nb\n', 'x\nb\n'),
      between('a\nb\n', 'y\nb\n'),
      between('a\nb\nc\nd\n', 'a\nb\nc\nx\n'),
    ];
    expect([collide(one, same), collide(one, below)]).toEqual([true, false]);
  });
});

describe('a suggestion', () => {
  const suggested = (before: string, after: string) => {
    const found = suggestionOf({ title: '', safe: true, edits: editsBetween('a.yaml', before, after) }, before);
    return found && [found.startLine, found.endLine, [...found.replacement]];
  };

  test.each([
    ['takes lines out', 'a\nb\nc\n', 'a\nc\n', [2, 2, []]],
    ['has the whole line', 'a: one\nb\n', 'a: two\nb\n', [1, 1, ['a: two']]],
    ['puts lines behind another', 'a\nc\n', 'a\nb\nc\n', [1, 1, ['a', 'b']]],
    ['puts lines before the first', 'b\nc\n', 'a\nb\nc\n', [1, 1, ['a', 'b']]],
    ['puts lines at the end', 'a\nb\n', 'a\nb\nc\n', [2, 2, ['b', 'c']]],
    ['leaves the line ends to git', 'a\r\nb\r\n', 'a\r\nx\r\n', [2, 2, ['x']]],
    ['is one where neighbours change', 'a\nb\nc\n', 'x\ny\nc\n', [1, 2, ['x', 'y']]],
    ['takes the line along that comes before what is put in', 'a\nb\nc\n', 'x\nb\nn\nc\n', [1, 2, ['x', 'b', 'n']]],
    ['is none where lines lie between', 'a\nb\nc\n', 'x\nb\ny\n', undefined],
  ])('%s', (_, before, after, expected) => {
    expect(suggested(before, after)).toEqual(expected);
  });

  test('is none for a file that is not there, or for several', () => {
    const [a, b] = [editsBetween('a', 'x\n', 'y\n'), editsBetween('b', 'x\n', 'y\n')];
    expect(suggestionOf({ title: '', safe: true, edits: a }, undefined)).toBeUndefined();
    expect(suggestionOf({ title: '', safe: true, edits: [...a, ...b] }, 'x\n')).toBeUndefined();
  });
});

test.each<[string, string, YamlEdit]>([
  ['a text', 'a: b\n', remove('a', 'c')],
  ['a text, by number', 'a: b\n', remove('a', 0, 'c')],
  ['nothing', 'a:\n', remove('a', 0)],
  ['a list, by name', 'a: [b]\n', remove('a', 'b')],
])('there is nothing to take out of %s', (_, text, change) => {
  expect(edit(text, change)).toBeUndefined();
});
