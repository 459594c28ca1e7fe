/** Which lines of a pull request take a comment, read from patches as GitHub lists them. */
import { describe, expect, test } from '@jest/globals';
import type { PullFile } from '../../src/github/types.js';
import { readDiff, readPatch } from '../../src/review/diff.js';

const hunkOf = (patch: string) => {
  const { lines, changed } = readPatch(patch);
  return {
    left: [...lines.LEFT],
    right: [...lines.RIGHT],
    removed: [...changed.LEFT],
    added: [...changed.RIGHT],
  };
};

describe('a patch', () => {
  test('of one hunk has its lines on both sides, and knows those that the change wrote or took away', () => {
    expect(hunkOf('@@ -5,4 +7,5 @@ spec:\n same\n-old\n+new\n+more\n same\n same')).toEqual({
      left: [
        [5, 0],
        [6, 0],
        [7, 0],
        [8, 0],
      ],
      right: [
        [7, 0],
        [8, 0],
        [9, 0],
        [10, 0],
        [11, 0],
      ],
      removed: [6],
      added: [8, 9],
    });
  });

  test('of several hunks tells for each line in which of them it stands', () => {
    expect(hunkOf('@@ -1,2 +1,1 @@\n same\n-gone\n@@ -20,1 +19,2 @@\n same\n+new')).toEqual({
      left: [
        [1, 0],
        [2, 0],
        [20, 1],
      ],
      right: [
        [1, 0],
        [19, 1],
        [20, 1],
      ],
      removed: [2],
      added: [20],
    });
  });

  test('counts one line where the head of a hunk counts none', () => {
    expect(hunkOf('@@ -3 +3 @@\n-old\n+new\n+beyond\n-beyond')).toEqual({
      left: [[3, 0]],
      right: [[3, 0]],
      removed: [3],
      added: [3],
    });
  });

  test('of a new file, or of one that is deleted, has lines on one side alone', () => {
    expect(hunkOf('@@ -0,0 +1,2 @@\n+a\n+b')).toMatchObject({ left: [], removed: [], added: [1, 2] });
    expect(hunkOf('@@ -1,2 +0,0 @@\n-a\n-b')).toMatchObject({ right: [], added: [], removed: [1, 2] });
  });

  test('takes an empty text for a line that is empty on both sides', () => {
    expect(hunkOf('@@ -1,2 +1,3 @@\n\n+new\n same')).toMatchObject({
      left: [
        [1, 0],
        [2, 0],
      ],
      added: [2],
    });
  });

  test('does not count the note about a missing line break, where it stands in the middle', () => {
    const patch = '@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file';
    expect(hunkOf(patch)).toMatchObject({ left: [[1, 0]], removed: [1], added: [1, 2] });
  });

  test('takes a line that ends with a sign, or a backslash, for what its first character says', () => {
    expect(hunkOf('@@ -1,3 +1,3 @@\n list-\n-old+\n+new\\\n next\\')).toMatchObject({ removed: [2], added: [2] });
    expect(hunkOf('@@ -1,2 +1,2 @@\n a+\n b\\')).toMatchObject({
      left: [
        [1, 0],
        [2, 0],
      ],
      removed: [],
      added: [],
    });
  });

  test.each([
    ['before its first hunk', ' before\n+before\n-before\n@@ -1,1 +1,2 @@\n same\n+new'],
    ['behind what the hunk counts', '@@ -1,1 +1,2 @@\n same\n+new\n+more\n-more\n more'],
    [
      'like a head of a hunk, but for what stands before it',
      '@@ -1,1 +1,2 @@\n same\n+new\n see @@ -9,1 +9,1 @@\n+more',
    ],
  ])('has no line %s', (_, patch) => {
    expect(hunkOf(patch)).toEqual({
      left: [[1, 0]],
      right: [
        [1, 0],
        [2, 0],
      ],
      removed: [],
      added: [2],
    });
  });

  test('takes a line for one of its text while either side has lines to come, though it looks like a head', () => {
    const head = '@@ -9,1 +9,1 @@';
    // Of the head's side one line is missing, then of the base's.
    expect(hunkOf(`@@ -1,1 +1,2 @@\n-old\n+new\n${head}\n+last`)).toMatchObject({ removed: [1], added: [1, 2] });
    expect(hunkOf(`@@ -1,2 +1,1 @@\n-old\n+new\n${head}\n-last`)).toMatchObject({ removed: [1, 2], added: [1] });
  });

  test('has a line of both sides only while both have lines to come', () => {
    expect(hunkOf('@@ -1,1 +1,2 @@\n-old\n both\n+new')).toEqual({
      left: [[1, 0]],
      right: [[1, 0]],
      removed: [1],
      added: [1],
    });
  });

  test('that is not there has no lines', () => {
    expect(hunkOf('')).toEqual({ left: [], right: [], removed: [], added: [] });
  });
});

describe('a pull request', () => {
  const file = (filename: string, more: Partial<PullFile> = {}): PullFile => ({
    ...{ filename, status: 'modified', changes: 1, patch: '@@ -1 +1 @@\n-old\n+new' },
    ...more,
  });

  test('knows a renamed file by its new path on the head, and by its old one on the base', () => {
    const diff = readDiff([file('new.yaml', { status: 'renamed', previous_filename: 'old.yaml' })]);
    const [right, left] = [diff.file('RIGHT', 'new.yaml'), diff.file('LEFT', 'old.yaml')];
    expect(right).toMatchObject({ path: 'new.yaml', previous: 'old.yaml' });
    expect(left).toBe(right);
    expect([diff.file('RIGHT', 'old.yaml'), diff.file('LEFT', 'new.yaml')]).toEqual([undefined, undefined]);
  });

  test.each([
    ['is modified', file('a.yaml')],
    ['is deleted', file('a.yaml', { status: 'removed' })],
    ['is a copy, whose model is another file', file('a.yaml', { status: 'copied', previous_filename: 'b.yaml' })],
    ['is said to be renamed, without a name before', file('a.yaml', { status: 'renamed' })],
  ])('knows a file that %s by one path on both sides', (_, one) => {
    const diff = readDiff([one]);
    expect(diff.file('LEFT', 'a.yaml')).toBe(diff.file('RIGHT', 'a.yaml'));
    expect(diff.file('RIGHT', 'a.yaml')).toEqual({ path: 'a.yaml', ...readPatch(one.patch ?? '') });
    expect(diff.file('LEFT', 'b.yaml')).toBeUndefined();
  });

  test('has a file without a patch, which takes no comment on a line', () => {
    const found = readDiff([file('a.png', { patch: undefined })]).file('RIGHT', 'a.png');
    expect(found).toMatchObject({ path: 'a.png', lines: { LEFT: new Map(), RIGHT: new Map() } });
  });
});
