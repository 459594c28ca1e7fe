/** Which Flux objects are looked at: those that are rendered, and those that only stand in a file. */
import { expect, test } from '@jest/globals';
import { findingsIn } from '../support/fixes.js';
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
      expect.stringContaining('"flux-system/a" waits for "flux-system/b"'),
    ]);
  } finally {
    removeRepo(folder);
  }
});
