/** Which Flux objects are looked at: those that are rendered, and those that only stand in a file. */
import { expect, test } from '@jest/globals';
import type { Rendered } from '../../src/core/model.js';
import { dependenciesOf, documentsBeside } from '../../src/flux/flux-objects.js';
import { findingsIn } from '../support/fixes.js';
import { treeOf } from '../support/tree-of.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const apply = (name: string, other: string) =>
  JSON.stringify({
    ...{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' },
    metadata: { name, namespace: 'flux-system' },
    spec: {
      ...{ interval: '5m', prune: true, path: `./${name}`, dependsOn: [{ name: other }] },
      sourceRef: { kind: 'GitRepository', name: 'flux-system' },
    },
  });

test.each([
  ['of what is built as it is rendered', {}],
  ['of what is refused as it is written', { patches: [{ path: 'nowhere.yaml' }] }],
])('those %s', async (_, fields) => {
  const folder = createRepo({
    'clusters/prod/kustomization.yaml': kustomization({ resources: ['a.yaml', 'b.yaml'], ...fields }),
    ...{ 'clusters/prod/a.yaml': apply('a', 'b'), 'clusters/prod/b.yaml': apply('b', 'a') },
    ...{ 'a/note.yaml': configMap('a'), 'b/note.yaml': configMap('b') },
  });
  try {
    const found = (await findingsIn(folder, undefined)).filter(({ rule }) => rule === 'dependency-cycle');
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining('"flux-system/a" waits for itself through "flux-system/b"'),
    ]);
  } finally {
    removeRepo(folder);
  }
});

test('of what stands beside a Flux Kustomization that nothing renders, each document of Flux is given', () => {
  const flux = 'apiVersion: source.toolkit.fluxcd.io/v1\n';
  const files = {
    ...{ 'flux/a.yaml': flux, 'flux/b.yml': `x: 1\n---\n${flux}`, 'flux/c.yaml.bak': flux, 'flux/d.yaml': flux },
    ...{ 'flux/deep/e.yaml': flux, 'other/f.yaml': flux, 'read/g.yaml': flux, 'read/h.yaml': flux },
  };
  const built = (file: string | undefined, ...read: string[]) =>
    ({ ok: true, entrypoint: { ...(file && { declaredAt: { file } }) }, files: read }) as unknown as Rendered;
  const entrypoints = [built('flux/a.yaml', 'flux/d.yaml'), built('read/g.yaml', 'read/g.yaml'), built(undefined)];
  const found = documentsBeside(entrypoints, treeOf(files));
  expect(found.map(({ value, group, at }) => [value, group, at(['x'])])).toEqual(
    [
      { file: 'flux/a.yaml', document: 0 },
      { file: 'flux/b.yml', document: 1 },
    ].map((place) => [{ apiVersion: 'source.toolkit.fluxcd.io/v1' }, 'flux', { ...place, path: ['x'] }]),
  );
});

test('what it waits for is of its own namespace, unless it says another', () => {
  const dependsOn = [
    { name: 'a' },
    { name: 'b', namespace: 'x' },
    { namespace: 'y' },
    { name: 'c', readyExpr: 'true' },
  ];
  expect(dependenciesOf({ id: 'n/z', value: { spec: { dependsOn } } })).toEqual([
    { id: 'n/a', path: ['spec', 'dependsOn', 0, 'name'], byExpression: false },
    { id: 'x/b', path: ['spec', 'dependsOn', 1, 'name'], byExpression: false },
    { id: 'n/c', path: ['spec', 'dependsOn', 3, 'name'], byExpression: true },
  ]);
  expect(dependenciesOf({ id: 'n/z', value: { spec: { dependsOn: 'a' } } })).toEqual([]);
});
