/** Where things stand: of what is rendered, the node, else its nearest parent; of what is written, as far as its path goes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FieldPath, RenderedObject, Tree } from '../../src/core/model.js';
import { Engine } from '../../src/engine/host/engine.js';
import { Builder } from '../../src/render/render.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { type Located, Locator } from '../../src/yaml/locator.js';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

const files = {
  'kustomization.yaml': `resources: [a.yaml, b.yaml]
configMapGenerator:
- name: made
  namespace: x
  literals: [key=value]
  options: {disableNameSuffixHash: true}
patches:
- target: {kind: ConfigMap, name: settings}
  patch: |
    - op: replace
      path: /data/level
      value: debug
- target: {kind: ConfigMap, name: settings}
  path: removed.yaml
- &twice
  target: {kind: ConfigMap, name: first}
  patch: |
    - op: add
      path: /data/c
      value: d
- *twice
`,
  'removed.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata:\n  old: null\n',
  'a.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: x
data:
  level: info
  old: "1"
  text: "a b"
`,
  'b.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: first
  namespace: x
data: {a: b}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: second
  namespace: x
data:
  one: &word hello
  two: *word
`,
};

let tree: Tree;
let locator: Locator;
let objects: readonly RenderedObject[];
let folder: string;
beforeAll(async () => {
  folder = createRepo(files);
  tree = await openWorkTree(folder);
  const engine = new Engine(`${root}dist/engine`, tree);
  try {
    const rendered = await new Builder(tree, engine).build({ path: '.', why: '', kustomization: {} });
    if (!('objects' in rendered)) throw new Error('it does not build');
    objects = rendered.objects;
  } finally {
    await engine.close();
  }
  locator = new Locator({ head: tree });
});
afterAll(() => removeRepo(folder));

const named = (name: string) => objects.find(({ ref }) => ref.name === name) as RenderedObject;

/** `a.yaml:7:3-8 exact`, and what stands there. */
function told({ at: { file, range }, precision }: Located): string {
  const { start, end } = range;
  const line = (tree.text(file) ?? '').split('\n')[start.line - 1] ?? '';
  return `${file}:${start.line} ${line.slice(start.column - 1, end.column - 1)} (${precision})`;
}

describe('what is rendered', () => {
  test.each<[string, string, FieldPath, 'key' | 'value' | undefined, string]>([
    ['a scalar', 'settings', ['data', 'text'], undefined, 'a.yaml:9 "a b" (exact)'],
    ['its key', 'settings', ['data', 'text'], 'key', 'a.yaml:9 text (exact)'],
    ['a map is its key', 'settings', ['data'], undefined, 'a.yaml:6 data (exact)'],
    [
      'a value that a patch in a line sets',
      'settings',
      ['data', 'level'],
      undefined,
      'kustomization.yaml:12 debug (exact)',
    ],
    ['a field that is not there: the key above', 'settings', ['data', 'none'], undefined, 'a.yaml:6 data (parent)'],
    [
      'deeper: the nearest key that is there',
      'settings',
      ['data', 'none', 'at', 'all'],
      undefined,
      'a.yaml:6 data (parent)',
    ],
    ['where nothing above is there: the name', 'settings', ['spec', 'none'], undefined, 'a.yaml:4 settings (parent)'],
    ['what a generator makes', 'made', ['data', 'none'], undefined, 'kustomization.yaml:3 name: made (parent)'],
    ['what a patch sets that is an alias: the name', 'first', ['data', 'c'], undefined, 'b.yaml:4 first (file)'],
    ['the second document', 'second', ['data', 'one'], undefined, 'b.yaml:14 hello (exact)'],
  ])('%s', (_, name, path, part, expected) => {
    expect(told(locator.locate({ object: named(name), path, ...(part && { part }) }))).toBe(expected);
  });

  test('a field that was removed: the line that did it', () => {
    const object = named('settings');
    const [removed] = object.removed();
    expect(removed?.path).toEqual(['data', 'old']);
    const place = { object, path: removed?.path ?? [], removedBy: removed?.by ?? [] };
    expect(told(locator.locate(place))).toBe('removed.yaml:5 null (exact)');
  });

  test('an alias in the second document: both places', () => {
    const object = named('second');
    const at = locator.alias(object, ['data', 'two']);
    expect(at && told({ at, precision: 'exact' })).toBe('b.yaml:15 *word (exact)');
    expect(told(locator.locate({ object, path: ['data', 'two'] }))).toContain('b.yaml:14');
    expect(locator.alias(object, ['data', 'one'])).toBeUndefined();
  });

  test('what was there before the last that wrote it', () => {
    const earlier = locator.earlier(named('settings'), ['data', 'level']);
    expect(earlier.map((at) => told({ at, precision: 'exact' }))).toEqual(['a.yaml:7 info (exact)']);
    expect(locator.earlier(named('settings'), ['data', 'text'])).toEqual([]);
  });
});

describe('what is written', () => {
  test.each<[string, string, number, FieldPath, 'key' | 'value' | undefined, string]>([
    ['a scalar is its value', 'a.yaml', 0, ['data', 'level'], undefined, 'a.yaml:7 info (exact)'],
    ['or its key', 'a.yaml', 0, ['data', 'level'], 'key', 'a.yaml:7 level (exact)'],
    ['a map is its key', 'a.yaml', 0, ['metadata'], undefined, 'a.yaml:3 metadata (exact)'],
    ['a map that is asked for by its value', 'b.yaml', 0, ['data'], 'value', 'b.yaml:6 {a: b} (exact)'],
    [
      'what is not there is the key above, whatever is asked for',
      'b.yaml',
      0,
      ['data', 'z'],
      'value',
      'b.yaml:6 data (parent)',
    ],
    ['and above that', 'a.yaml', 0, ['metadata', 'labels', 'x'], undefined, 'a.yaml:3 metadata (parent)'],
    ['an item of a list', 'kustomization.yaml', 0, ['resources', 1], undefined, 'kustomization.yaml:1 b.yaml (exact)'],
    ['the second document', 'b.yaml', 1, ['metadata', 'name'], undefined, 'b.yaml:11 second (exact)'],
    ['a document that is not there: the file', 'b.yaml', 7, ['kind'], undefined, 'b.yaml:1  (file)'],
    ['a file that is not there', 'none.yaml', 0, ['kind'], undefined, 'none.yaml:1  (file)'],
  ])('%s', (_, file, document, path, part, expected) => {
    expect(told(locator.locate({ file, document, path, ...(part && { part }) }))).toBe(expected);
  });

  test('a range is what it is', () => {
    const range = { start: { line: 7, column: 3 }, end: { line: 7, column: 8 } };
    expect(told(locator.locate({ file: 'a.yaml', range }))).toBe('a.yaml:7 level (exact)');
  });
});
