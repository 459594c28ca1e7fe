/** `render --provenance`: the place behind every field, and what took the others away. */
import { expect, test } from '@jest/globals';
import { runHere } from '../support/here.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

async function rendered(files: Files, ...more: string[]): Promise<string> {
  const folder = createRepo(files);
  try {
    return (await runHere(['render', folder, '--provenance', ...more])).stdout;
  } finally {
    removeRepo(folder);
  }
}

type Leaf = { object: { name: string }; path: string[]; removed?: true };

async function leaves(files: Files): Promise<Leaf[]> {
  return JSON.parse(await rendered(files, '--format', 'json'));
}

const configMap = (name: string, ...data: string[]) =>
  ['apiVersion: v1', 'kind: ConfigMap', `metadata: {name: ${name}}`, 'data:', ...data, ''].join('\n');

test('a field has its place behind it, and what was removed is told below the object', async () => {
  const files = {
    'kustomization.yaml': kustomization({ resources: ['a.yaml'], patches: [{ path: 'patch.yaml' }] }),
    'a.yaml': configMap('a', '  k: x', '  l: x', '  m: x'),
    'patch.yaml': configMap('a', '  l: null', '  m: null'),
  };
  expect(await rendered(files)).toBe(
    [
      ...['apiVersion: v1 # a.yaml:1', 'data:', '  k: x # a.yaml:5', 'kind: ConfigMap # a.yaml:2'],
      ...['metadata:', '  name: a # a.yaml:3'],
      ...['# data.l removed by patch.yaml:5', '# data.m removed by patch.yaml:6', ''],
    ].join('\n'),
  );
});

test('a field that is removed, nobody knows where, is told without a place', async () => {
  const transformer = ['apiVersion: builtin', 'kind: PatchTransformer', 'metadata: {name: x}'];
  const patch = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { l: null } });
  const files = {
    'kustomization.yaml': kustomization({
      resources: ['a.yaml'],
      transformers: [[...transformer, 'target: {kind: ConfigMap}', `patch: '${patch}'`].join('\n')],
    }),
    'a.yaml': configMap('a', '  k: x', '  l: x'),
  };
  const gone = (await leaves(files)).filter(({ removed }) => removed);
  expect(gone).toMatchObject([{ path: ['data', 'l'], by: null, writers: [], file: 'a.yaml', precision: 'parent' }]);
  expect(await rendered(files)).toMatch(/\n# data\.l removed\n$/);
});

test('fields come in the order of the file, be their names numbers', async () => {
  const files = {
    'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'a.yaml': configMap('a', '  "10": x', '  "9": x'),
  };
  const paths = (await leaves(files)).map(({ path }) => path.join('.'));
  expect(paths.filter((path) => path.startsWith('data'))).toEqual(['data.10', 'data.9']);
});

test('what is copied names what it is copied from, whatever was there before', async () => {
  const files = {
    'kustomization.yaml': kustomization({
      resources: ['a.yaml', 'b.yaml'],
      replacements: [
        {
          source: { kind: 'ConfigMap', name: 'a', fieldPath: 'data.k' },
          targets: [{ select: { name: 'b' }, fieldPaths: ['data.l'] }],
        },
      ],
    }),
    'a.yaml': configMap('a', '  k: x'),
    'b.yaml': configMap('b', '  l: y'),
  };
  const copied = (await leaves(files)).find(({ object, path }) => object.name === 'b' && path[1] === 'l');
  expect(copied).toMatchObject({
    ...{ value: 'x', file: 'a.yaml', by: 'replacement' },
    derivedFrom: [{ object: { name: 'a' }, path: ['data', 'k'] }],
  });
});
