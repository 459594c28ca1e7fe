import { describe, expect, test } from '@jest/globals';
import { SourceText } from '../../src/yaml/source-text.js';

describe('documents are split as kustomize splits them', () => {
  test.each([
    ['one', 'a: 1\n', ['a: 1\n']],
    ['two', 'a: 1\n---\nb: 2\n', ['a: 1', 'b: 2\n']],
    ['a separator at the start is part of the first', '---\na: 1\n---\nb: 2', ['---\na: 1', 'b: 2']],
    ['empty ones count', 'a: 1\n---\n\n---\nb: 2', ['a: 1', '', 'b: 2']],
    ['two separators in a row share a line break, so the second is text', 'a\n---\n---\nb', ['a', '---\nb']],
    ['a comment behind the dashes', 'a\n--- # next\nb', ['a', 'b']],
    ['a separator that ends the file is text', 'a\n---', ['a\n---']],
    ['dots are not a separator', 'a\n...\nb', ['a\n...\nb']],
    ['CRLF', 'a: 1\r\n---\r\nb: 2\r\n', ['a: 1', 'b: 2\r\n']],
  ])('%s', (_, text, documents) => {
    expect(new SourceText(text).documents.map((document) => document.text)).toEqual(documents);
  });

  test('each knows where it begins', () => {
    const source = new SourceText('a: 1\r\n---\r\nb: 2\r\n');
    expect(source.documents.map(({ offset }) => source.position(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 3, column: 1 },
    ]);
  });
});

test('a parser’s column counts code points, a position UTF-16 units', () => {
  const source = new SourceText('x: 1\n"😀😀": é\n');
  expect(source.position(source.offset(2, 7))).toEqual({ line: 2, column: 9 });
});

test('a byte order mark is not a column', () => {
  const source = new SourceText('\uFEFFa: 1\n');
  expect(source.offset(1, 1)).toBe(1);
});

test('a line has no end of its own, and keeps what stands in it', () => {
  const source = new SourceText('a: "x\ry"\r\nb: 1');
  expect([1, 2, 3].map((number) => source.line(number))).toEqual(['a: "x\ry"', 'b: 1', '']);
});

test('a range never leaves the line on which it starts', () => {
  const source = new SourceText('a: |\n  text\nb: 1\n');
  expect(source.firstLine(3, 12)).toEqual({ start: { line: 1, column: 4 }, end: { line: 1, column: 5 } });
});
