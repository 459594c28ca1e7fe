/** Trees with edits that are in no file, trees that are handed in file by file, and what two trees have in common. */
import { expect, test } from '@jest/globals';
import type { Tree } from '../../src/core/model.js';
import { overlaid } from '../../src/tree/overlay.js';
import { collectTree, isSameAt, isSameFile, isWorkflowAbove, treeLimits } from '../../src/tree/tree.js';

const small = { files: 2, fileBytes: 5, totalBytes: 8, workflowBytes: 6 };

function treeOf(files: Record<string, string>, limits = treeLimits): Tree {
  const all = collectTree('head', 'a test', limits);
  for (const [path, text] of Object.entries(files))
    if (all.admit(path, Buffer.byteLength(text))) all.file(path, Buffer.from(text));
  return all.tree();
}

test('an edit takes the place of a file, and a new one stands among the others', () => {
  const tree = treeOf({ 'b/old.yaml': 'old', 'c.yaml': 'c' });
  const edited = overlaid(tree, new Map([...Object.entries({ 'c.yaml': 'ü', 'a/new/x.yaml': '' })]));
  expect(edited.files).toEqual(['a/new/x.yaml', 'b/old.yaml', 'c.yaml']);
  expect(['c.yaml', 'a/new/x.yaml', 'b/old.yaml', 'd.yaml'].map(edited.text)).toEqual(['ü', '', 'old', undefined]);
  expect(Buffer.from(edited.bytes('c.yaml') ?? []).toString()).toBe('ü');
  expect(Buffer.from(edited.bytes('b/old.yaml') ?? []).toString()).toBe('old');
  expect(['c.yaml', 'a/new/x.yaml', 'b/old.yaml', 'd.yaml'].map(edited.has)).toEqual([true, true, true, false]);
  expect(['a', 'a/new', 'b', '.', 'a/ne', 'c.yaml'].map(edited.isDirectory)).toEqual([
    ...[true, true, true, true, false, false],
  ]);
  expect(overlaid(tree, new Map())).toBe(tree);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['just large enough', { a: '12345', b: '123' }, {}],
  ['too large by a byte', { a: '123456', b: '1' }, { a: 'is 6 bytes, over the limit of 5' }],
  ['too many', { a: '1', b: '1', c: '1' }, { c: 'is beyond the limit of 2 files' }],
  ['too large together', { a: '12345', b: '1234' }, { b: 'is beyond the limit of 8 bytes for the whole repository' }],
])('files that are %s', (_, files, refused) => {
  const tree = treeOf(files, small);
  expect(Object.fromEntries(tree.refused)).toEqual(refused);
  expect(Object.keys(files).map((path) => tree.text(path))).toEqual(
    Object.entries(files).map(([path, text]) => (path in refused ? undefined : text)),
  );
});

test('workflows are bounded together', () => {
  const { admitWorkflow } = collectTree('head', 'a test', small);
  admitWorkflow(4);
  admitWorkflow(2);
  expect(() => admitWorkflow(1)).toThrow('".github/workflows/" holds more than 6 bytes');
});

test.each([
  ['apps/', '.github/workflows/a.yaml', true],
  ['', '.github/workflows/a.yaml', false],
  ['apps/', '.github/workflows/below/a.yaml', false],
  ['apps/', 'apps/.github/workflows/a.yaml', false],
])('above "%s", whether "%s" is a workflow: %p', (prefix, path, expected) => {
  expect(isWorkflowAbove(prefix, path)).toBe(expected);
});

test('workflows above are told by the way to them', () => {
  const all = collectTree('head', 'a test');
  all.workflow('apps/one/', '.github/workflows/a.yaml', Buffer.from('on: push'));
  expect([...(all.tree().workflowsAbove ?? [])]).toEqual([['../../.github/workflows/a.yaml', 'on: push']]);
});

test('a name that is there twice, or is a folder as well, is refused', () => {
  expect(() => treeOf({ a: '1', 'a/b/c': '2' })).toThrow('a test has two entries of the name "a"');
  expect(() => treeOf({ 'a/b/c': '1', 'a/b': '2' })).toThrow('a test has two entries of the name "a/b"');
  expect(treeOf({ 'a/b/c': '1', 'a/bc': '2', 'a/b/d': '3' }).files).toHaveLength(3);
  const all = collectTree('head', 'a test');
  all.link('a');
  expect(() => all.admit('a', 1)).toThrow('a test has two entries of the name "a"');
});

test.each<[string, Record<string, string>, Record<string, string>, boolean]>([
  ['the same file', { a: '1' }, { a: '1' }, true],
  ['another content', { a: '1' }, { a: '2' }, false],
  ['neither', {}, {}, true],
  ['one of them alone', { a: '1' }, {}, false],
  ['the same folder', { 'a/b': '1', 'a/c': '2', ab: '3' }, { 'a/b': '1', 'a/c': '2', ab: '4' }, true],
  ['a folder with another file', { 'a/b': '1' }, { 'a/c': '1' }, false],
  ['a folder with one more', { 'a/b': '1' }, { 'a/b': '1', 'a/c': '1' }, false],
])('whether two trees have %s', (_, one, other, expected) => {
  expect(isSameAt('a', treeOf(one), treeOf(other))).toBe(expected);
});

test('the root is the same where all files are, and a file that was not taken could be any', () => {
  expect(isSameAt('.', treeOf({ a: '1', 'b/c': '2' }), treeOf({ a: '1', 'b/c': '2' }))).toBe(true);
  expect(isSameAt('.', treeOf({ a: '1', 'b/c': '2' }), treeOf({ a: '1', 'b/c': '3' }))).toBe(false);
  expect(isSameFile('a', treeOf({ a: '123456' }, small), treeOf({ a: '123456' }, small))).toBe(false);
});
