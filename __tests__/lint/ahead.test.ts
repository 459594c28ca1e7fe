/** What is parsed while the engine is waited for: what is built, and not more than pays. */
import { expect, jest, test } from '@jest/globals';
import { kustomizationsAhead } from '../../src/lint/ahead.js';
import { treeOf } from '../support/tree-of.js';

/** The kustomizations that were read, in their order, after the paths were built. */
function readAhead(files: Record<string, string>, ...paths: string[]): string[] {
  const tree = treeOf(files);
  const text = jest.spyOn(tree, 'text');
  const ahead = kustomizationsAhead(tree);
  for (const path of paths) ahead(path);
  return [...new Set(text.mock.calls.map(([file]) => file))];
}

test('folders are followed as kustomize follows them, each once', () => {
  const files = {
    'a/kustomization.yaml': 'resources: [../base, map.yaml]\ncomponents: [../c]\n',
    'base/kustomization.yml': 'bases:\n- ../a\n- ./deep/\n- ../../outside\n- https://example.org/x\n',
    'base/deep/Kustomization': 'resources: []\n',
    'c/kustomization.yaml': 'kind: Component\n',
    'other/kustomization.yaml': 'resources: []\n',
  };
  const read = readAhead(files, 'a', 'a', 'base');
  expect(read.sort()).toEqual([
    'a/kustomization.yaml',
    'base/deep/Kustomization',
    'base/kustomization.yml',
    'c/kustomization.yaml',
  ]);
});

test('no more than 256 KiB are read', () => {
  const folders = ['a', 'b', 'c'];
  const files = Object.fromEntries(folders.map((name) => [`${name}/kustomization.yaml`, `# ${'x'.repeat(150_000)}\n`]));
  // The second is one too many.
  expect(readAhead(files, ...folders)).toEqual([
    'a/kustomization.yaml',
    'b/kustomization.yaml',
    'c/kustomization.yaml',
  ]);
  const nested = {
    ...files,
    'a/kustomization.yaml': `resources: [../d]\n# ${'x'.repeat(2 ** 18)}`,
    'd/Kustomization': '',
  };
  expect(readAhead(nested, 'a')).toEqual(['a/kustomization.yaml']);
});

test.each([
  ['more entries than a function takes arguments', `resources: [${'a,'.repeat(131_000)}]`],
  ['an alias of nothing', 'resources: [*nothing]'],
  ['a list that holds itself', 'resources: &all [*all]'],
  ['keys that are lists', '? [resources]\n: [a]\n'],
  ['no YAML', '\t{: ['],
])('%s are nobody’s fault here', (_, text) => {
  expect(readAhead({ 'kustomization.yaml': text }, '.')).toContain('kustomization.yaml');
});
