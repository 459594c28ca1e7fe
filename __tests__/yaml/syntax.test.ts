import { describe, expect, test } from '@jest/globals';
import { depthExceeds, parseSyntax } from '../../src/yaml/syntax.js';

const text = `a:
  - name: x
    value: {deep: [1, "two"]}
  - *ref
"quoted key": 'v'
? explicit
: yes
`;

describe('a path is found in the text', () => {
  test.each<[string, (string | number)[], string | undefined, string | undefined]>([
    ['a list', ['a'], 'a', undefined],
    ['a key in a list item', ['a', 0, 'name'], 'name', 'x'],
    ['flow style', ['a', 0, 'value', 'deep', 1], undefined, '"two"'],
    ['an alias', ['a', 1], undefined, '*ref'],
    ['a quoted key', ['quoted key'], '"quoted key"', "'v'"],
    ['an explicit key', ['explicit'], 'explicit', 'yes'],
  ])('%s', (_, path, key, value) => {
    const found = parseSyntax(text)?.find(path);
    expect(found?.key && text.slice(found.key.start, found.key.end)).toBe(key);
    if (value) expect(found?.value && text.slice(found.value.start, found.value.end)).toBe(value);
  });

  test.each([[['b']], [['a', 2]], [['a', 'name']], [['a', 0, 'name', 'x']]])('%j is not there', (path) => {
    expect(parseSyntax(text)?.find(path)).toBeUndefined();
  });

  test('of two equal keys the last is meant', () => {
    expect(parseSyntax('a: 1\na: 2\n')?.find(['a'])?.value?.start).toBe(8);
  });
});

test('what starts at an offset is the smallest node there', () => {
  const found = parseSyntax(text)?.startingAt(text.indexOf('name: x'));
  expect(found && text.slice(found.start, found.end)).toBe('name');
});

test('an anchor and a tag belong to the node behind them', () => {
  const yaml = 'a: &x !!str text\nb: &y\n  c: 1\n';
  const found = parseSyntax(yaml)?.startingAt(yaml.indexOf('&x'));
  expect(found && yaml.slice(found.start, found.end)).toBe('text');
  const key = parseSyntax(yaml)?.keyOf(yaml.indexOf('&x'));
  expect(key && yaml.slice(key.start, key.end)).toBe('a');
});

describe('depth is known before anything is parsed', () => {
  test.each([
    ['lists on one line', '- '.repeat(500), true],
    ['explicit keys', '? '.repeat(500), true],
    ['brackets', '['.repeat(1000), true],
    ['brackets on many lines', '[\n'.repeat(1000), true],
    ['indentation', Array.from({ length: 200 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), true],
    ['a long flat list', '- a\n'.repeat(5000), false],
    ['maps that follow each other', `${'a:\n  b:\n    c: d\n'.repeat(200)}e: ${'f'.repeat(200)}\n`, false],
    ['texts of several lines', `${'a: "b\n  c"\n'.repeat(200)}e: ${'f'.repeat(200)}\n`, false],
    ['many brackets in a text', `a: |\n${'  [[[[\n'.repeat(1000)}`, false],
    ['many brackets in a string', `a: "${'['.repeat(1000)}"`, false],
    ['many brackets in a comment', `a: 1 # ${'['.repeat(1000)}`, false],
    ['brackets that close', '[[[]]],'.repeat(500), false],
    ['a manifest', text, false],
  ])('%s', (_, yaml, expected) => {
    expect(depthExceeds(yaml, 100)).toBe(expected);
  });
});

describe('a value that is written at an anchor', () => {
  const source = `name: &n cm
labels: &l
  app: *n
  x: &x "1"
annotations:
  <<: *l
list:
  - {app: *n}
  - *x
`;
  const through = (value: string, path: (string | number)[]) => {
    const span = parseSyntax(source)?.aliasOf(source.indexOf(value), path);
    return span && `${source.slice(0, span.start).split('\n').length} ${source.slice(span.start, span.end)}`;
  };

  test.each<[string, string, (string | number)[], string | undefined]>([
    ['comes by an alias', 'cm', ['labels', 'app'], '3 *n'],
    ['comes by a merge key, and an alias in it', 'cm', ['annotations', 'app'], '6 *l'],
    ['comes by a merge key', '"1"', ['annotations', 'x'], '6 *l'],
    ['comes into a list', 'cm', ['list', 0, 'app'], '8 *n'],
    ['comes as an item', '"1"', ['list', 1], '9 *x'],
    ['is in its own field', 'cm', ['name'], undefined],
    ['is in its own field below an anchor', '"1"', ['labels', 'x'], undefined],
    ['is in a field of which the document knows nothing', 'cm', ['spec', 'other'], undefined],
  ])('%s', (_, value, path, expected) => {
    expect(through(value, path)).toBe(expected);
  });

  test('aliases of aliases by the billion end soon', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(10)}]`);
    const bomb = `a0: &a0 x\n${levels.join('\n')}\n`;
    expect(parseSyntax(bomb)?.aliasOf(bomb.indexOf('x'), ['a12', 0, 0])).toBeUndefined();
  });
});
