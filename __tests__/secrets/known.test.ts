/** What is known of the secrets in a file from what is rendered of it. */
import { describe, expect, test } from '@jest/globals';
import type { Origin, Rendered, Writer } from '../../src/core/model.js';
import { knownSecrets } from '../../src/secrets/known.js';
import { Locator } from '../../src/yaml/locator.js';
import { treeOf } from '../support/tree-of.js';

const files = {
  'a.yaml': 'data:\n  user: aHVudGVyMg==\n---\nstringData:\n  conf: "hunter 2"\n  pin: xyz\n',
  'b.txt': 'user=hunter3\n',
};

type Written = { by?: Writer['by']; from: Origin };
const at = (document: number, line: number, column: number): Origin => ({ file: 'a.yaml', document, line, column });

/** Of a Secret that a render gives, what is known by file; `writers` are those of all its values. */
function knownOf(
  { kind = 'Secret', ...value }: { kind?: string; data?: object; stringData?: object; metadata?: object },
  { writers = [], source }: { writers?: Written[]; source?: { file: string; document: number } } = {},
  tree = treeOf(files),
) {
  const object = {
    ...{ ref: { kind, name: 'a' }, revision: 'head', entrypoint: '.', value, source },
    writers: () => writers.map(({ by = 'resource', from }) => ({ by, from: [from] })),
  };
  const rendered = [{ ok: true, objects: [object] }, { ok: false }] as unknown as Rendered[];
  return Object.fromEntries(
    [...knownSecrets(tree, rendered, new Locator({ head: tree }))].map(([file, { documents, values, ...more }]) => [
      file,
      { ...more, documents: [...(documents ?? [])], values: [...(values ?? [])] },
    ]),
  );
}

describe('of a Secret', () => {
  test('the document that it comes from', () => {
    expect(knownOf({}, { source: { file: 'a.yaml', document: 1 } })).toEqual({
      'a.yaml': { documents: [1], values: [] },
    });
  });

  test('the documents that write its values, each as it is, as it is encoded and as it is written', () => {
    const writers = [{ from: at(1, 5, 9) }];
    const { 'a.yaml': known } = knownOf({ data: { conf: 'aHVudGVyIDI=' } }, { writers });
    expect(known).toEqual({ documents: [1], values: ['aHVudGVyIDI=', 'hunter 2'] });
  });

  test('a value as it is written, where that is another than it is', () => {
    const tree = treeOf({ 'a.yaml': 'stringData:\n  conf: "hunt\\x65r9"\n' });
    const writers = [{ from: at(0, 2, 9) }];
    const { 'a.yaml': known } = knownOf({ stringData: { conf: 'hunter9' } }, { writers }, tree);
    expect(known?.values).toContain('hunt\\x65r9');
  });

  test('a value that comes from elsewhere, and no document of that', () => {
    const writers = [{ by: 'generator', from: { file: 'b.txt', textLine: 1, span: [5, 12] as [number, number] } }];
    const known = knownOf({ data: { user: 'aHVudGVyMw==' } }, { writers: writers as Written[] });
    expect(known).toEqual({ 'b.txt': { documents: [], values: ['aHVudGVyMw==', 'hunter3'] } });
  });

  test.each<[string, Writer['by'], Origin, number[]]>([
    ['a resource', 'resource', at(0, 2, 9), [0]],
    ['a merge patch', 'merge-patch', at(0, 2, 9), [0]],
    ['a replacement', 'replacement', at(0, 2, 9), []],
    ['a patch in a scalar', 'merge-patch', { ...at(0, 1, 1), inside: ['data', 'user'] } as Origin, []],
  ])('written by %s', (_, by, from, documents) => {
    expect(knownOf({ stringData: { a: 'hunter2' } }, { writers: [{ by, from }] })['a.yaml']?.documents).toEqual(
      documents,
    );
  });

  test('a value that comes from a file which is not there, as it is and as it is encoded', () => {
    const from: Origin = { file: 'gone.yaml', document: 0, line: 2, column: 9 };
    const known = knownOf({ data: { user: 'aHVudGVyMw==' } }, { writers: [{ from }] });
    expect(known).toEqual({ 'gone.yaml': { documents: [0], values: ['aHVudGVyMw==', 'hunter3'] } });
  });

  test('values however deep, and numbers, but nothing that is short or no value', () => {
    const stringData = { a: ['list-item', { b: 'in-a-map' }], c: 123456, d: null, e: 'abc', f: 'four' };
    const values = knownOf({ stringData }, { writers: [{ from: at(1, 6, 8) }] })['a.yaml']?.values ?? [];
    expect(values).toEqual(expect.arrayContaining(['list-item', 'in-a-map', '123456', 'four']));
    expect(values.filter((value) => ['abc', 'xyz', 'null'].includes(value))).toEqual([]);
  });

  test('nothing of its metadata', () => {
    expect(knownOf({ metadata: { name: 'a-long-name' } }, { writers: [{ from: at(0, 2, 9) }] })).toEqual({});
  });
});

test('of another kind nothing', () => {
  const writers = [{ from: at(0, 2, 9) }];
  expect(
    knownOf({ kind: 'ConfigMap', data: { a: 'hunter2' } }, { writers, source: { file: 'a.yaml', document: 0 } }),
  ).toEqual({});
});

test('what SOPS has left unencrypted', () => {
  const tree = treeOf({ 'a.yaml': 'stringData: {a: hunter2, b: 7}\nsops: {mac: x, encrypted_regex: ^stringData$}\n' });
  expect(knownOf({}, {}, tree)).toEqual({ 'a.yaml': { documents: [], values: ['hunter2', '7'] } });
});

test('what kustomizations say of a file', () => {
  const text = 'secretGenerator: [{files: [a.txt]}]\npatches: [{path: p.yaml, target: {kind: Secret}}]\n';
  expect(knownOf({}, {}, treeOf({ 'kustomization.yaml': text }))).toEqual({
    'a.txt': { whole: true, documents: [], values: [] },
    'p.yaml': { patch: true, documents: [], values: [] },
  });
});
