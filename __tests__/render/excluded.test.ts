/** Files that git has and Flux does not: which of them a build would have found, and what is said of it. */
import { expect, test } from '@jest/globals';
import type { ExcludedFile, Tree } from '../../src/core/model.js';
import {
  explainExcluded,
  explainPointer,
  isPointer,
  lostAt,
  lostFrom,
  patternAt,
} from '../../src/render/excluded-files.js';

const tree = (files: Record<string, string>) => ({ text: (path: string) => files[path] }) as unknown as Tree;
const ignored = (path: string, more: Partial<ExcludedFile> = {}): ExcludedFile => ({
  path,
  because: 'ignored',
  ...more,
});
const link = (path: string): ExcludedFile => ({ path, because: 'link' });

test.each<[string, ExcludedFile, string, boolean]>([
  ['the file itself', ignored('a/b.yaml'), 'a/b.yaml', true],
  ['a file below', ignored('a/b.yaml'), 'a', true],
  ['a file beside', ignored('a/b.yaml'), 'a/b', false],
  ['a file above a path', ignored('a'), 'a/b.yaml', false],
  ['a link on the way', link('a'), 'a/b.yaml', true],
  ['a link beside the way', link('a'), 'ab/c.yaml', false],
  ['a submodule on the way', { path: 'a', because: 'submodule' }, 'a/b', true],
])('a build that looks for a path finds %s: %j', (_, one, path, expected) => {
  expect(lostAt([ignored('other.yaml'), one], ['nowhere', path])).toBe(expected ? one : undefined);
});

test('a path counts from the root and from where its entry stands', () => {
  const one = ignored('apps/b.yaml');
  expect(lostFrom([one], ['./apps/x/../b.yaml'])).toBe(one);
  expect(lostFrom([one], ['b.yaml'], 'apps/kustomization.yaml')).toBe(one);
  expect(lostFrom([one], ['../b.yaml'], 'apps/x/kustomization.yaml')).toBe(one);
  expect(lostFrom([one], ['b.yaml'])).toBeUndefined();
});

test('of an ignored file the pattern is told, and how to bring it back', () => {
  const files = tree({ 'apps/.sourceignore': '*.yaml\n# x\n*.yaml  \n!a.yaml\n' });
  const one = ignored('apps/x/b.yaml', { pattern: ' *.yaml ', from: 'apps/.sourceignore' });
  expect(explainExcluded(one, files)).toEqual({
    rule: 'ignored-file',
    message: '"apps/x/b.yaml" is excluded by pattern "*.yaml" of apps/.sourceignore, so Flux does not have it',
    help: 'narrow the pattern, or add "!x/b.yaml" below it',
  });
  const exact = { ...one, pattern: '*.yaml' };
  const range = { start: { line: 3, column: 1 }, end: { line: 3, column: 7 } };
  expect(explainExcluded(exact, files).related).toEqual([
    { message: 'left out by this pattern', at: { file: 'apps/.sourceignore', range } },
  ]);
});

test('of a pattern that Flux has by default there is no line', () => {
  const { message, help, related } = explainExcluded(ignored('a.zip', { pattern: '*.zip' }), tree({}));
  expect(message).toBe('"a.zip" is excluded by Flux\'s default pattern "*.zip", so Flux does not have it');
  expect(help).toMatch(/^rename it, or add "!\/a\.zip" to \.sourceignore, /);
  expect(related).toBeUndefined();
});

test.each<[string, Record<string, string>, number | undefined]>([
  ['on the first line', { '.sourceignore': 'a\nb\n' }, 1],
  ['on no line', { '.sourceignore': 'b\n a\n' }, undefined],
  ['in a file that is not there', {}, undefined],
])('a pattern %s', (_, files, line) => {
  const at = patternAt(ignored('a', { pattern: 'a\r', from: '.sourceignore' }), tree(files)) as
    | { range: { start: { line: number } } }
    | undefined;
  expect(at?.range.start.line).toBe(line);
});

test.each([
  [link('a'), 'symlink', /^"a" is a symbolic link/],
  [{ path: 'a', because: 'submodule' } as const, 'ignored-file', /^"a" is a submodule/],
])('%j is told by what it is', (one, rule, message) => {
  expect(explainExcluded(one, tree({}))).toEqual({
    ...{ rule, message: expect.stringMatching(message) },
    help: expect.any(String),
  });
});

test('a pointer of Git LFS is known by its first line', () => {
  expect(isPointer('version https://git-lfs.github.com/spec/v1\noid sha256:0\n')).toBe(true);
  expect(isPointer('# version https://git-lfs.github.com/spec/v1\n')).toBe(false);
  expect(isPointer(undefined)).toBe(false);
  expect(explainPointer('a.yaml')).toMatchObject({
    rule: 'ignored-file',
    message: expect.stringMatching(/^"a\.yaml" is in Git LFS/),
  });
});
