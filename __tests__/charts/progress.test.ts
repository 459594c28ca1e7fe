/** What is told of charts while they are rendered: that of a whole platform takes half a minute. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { forEachCluster } from '../../src/charts/stage.js';
import { openChartFolder } from '../../src/charts/store.js';
import { root } from '../support/cli.js';

test('each release is named, once more where it is rendered once more', async () => {
  const store = openChartFolder(join(root, '__tests__/charts/packages'));
  const said: unknown[] = [];
  const progress = (...words: unknown[]) => void said.push(words);
  const clusters = [{}, {}] as never;
  await forEachCluster(clusters, { store, progress }, { home: root } as never, async (renderer) => {
    const chart = { path: 'nowhere', libraries: [], valuesFiles: [] };
    // The chart is not there, which is known without an engine.
    const world = { kubeVersion: 'v1.35.0', apiVersions: [], objects: [] };
    await renderer.render({ name: 'metallb', namespace: 'cozy-metallb', chart, values: {} }, world).catch(() => {});
  });
  expect(said).toEqual([
    [0, 2, 'rendering charts'],
    [0, 2, 'rendering charts (cozy-metallb/metallb)'],
    [1, 2, 'rendering charts'],
    [1, 2, 'rendering charts (cozy-metallb/metallb)'],
  ]);
});
