/** What `commonMetadata` of a Flux Kustomization does to the objects that are rendered, as far as it is for Flux itself. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { lookUp } from '../../src/core/object.js';
import { Engine } from '../../src/engine/host/engine.js';
import { Builder } from '../../src/render/render.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const pruning = { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };

test.each([
  ['that is for Flux is written on every object', { ...pruning, note: 'x' }, pruning],
  ['that is not leaves them as they are', { note: 'x' }, undefined],
  ['that is not there leaves them as they are', undefined, undefined],
])('an annotation %s', async (_, common, expected) => {
  const folder = createRepo({
    'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'a.yaml': configMap('a'),
  });
  const tree = await openWorkTree(folder);
  const engine = new Engine(join(root, 'dist/engine'), tree);
  try {
    const settings = common ? { commonMetadata: { annotations: common } } : {};
    const built = await new Builder(tree, engine).build({ path: '.', why: 'a test', kustomization: settings });
    const [object] = built.ok ? built.objects : [];
    expect(object && lookUp(object.value, ['metadata', 'annotations'])).toEqual(expected);
    expect(object?.ref.name).toBe('a');
  } finally {
    await engine.close();
    removeRepo(folder);
  }
});
