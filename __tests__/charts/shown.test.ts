/** What `render --charts` does when the time of a run is nearly up. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';

// What uses engines is loaded after those that tests share.
await import('../support/here.js');
const { loadWorkspace } = await import('../../src/lint/load.js');
const { shownCharts } = await import('../../src/charts/shown.js');
const { belowFields } = await import('../../src/charts/below.js');
const { openCharts } = await import('../../src/charts/store.js');
const { Budget } = await import('../../src/engine/host/budget.js');

const directory = join(root, '__tests__/rules/chart-fails/good');

test('objects are printed, and it is said of how many values no line was looked for', async () => {
  const shown = await late((clusters, charts, needs) => shownCharts(clusters, charts, needs));
  expect(shown.objects.map(({ ref, origins }) => [ref.kind, origins])).toEqual([
    ['ConfigMap', []],
    ['PersistentVolumeClaim', []],
    ['DaemonSet', []],
  ]);
  expect(shown.notes).toEqual([
    'Package "cozystack.metallb", component "metallb": what came of 3 values was not looked for: there is no time left (--max-seconds)',
  ]);
});

test('and nothing is said of what a field does below, but that there was no time', async () => {
  const path = ['spec', 'components', 'metallb', 'values', 'metallb', 'speaker', 'logLevel'];
  const { left, object, below } = await late(async (clusters, charts, needs) => {
    const [cluster] = clusters;
    const object = cluster?.head.objects.find(({ ref }) => ref.kind === 'Package');
    if (!cluster || !object) throw new Error('there is no Package');
    const fields = await belowFields([{ cluster, fields: [{ object, paths: [path] }] }], charts, needs);
    return { left: fields.left, object, below: fields.of(object, path) };
  });
  expect({ left, name: object.ref.name, below }).toEqual({ left: 1, name: 'cozystack.metallb', below: undefined });
});

type Work<Result> = (...args: Parameters<typeof shownCharts>) => Promise<Result>;

async function late<Result>(work: Work<Result>): Promise<Result> {
  const store = await openCharts(join(root, '__tests__/charts/packages'), { home: root, env: {} });
  const options = { directory, home: root, paths: [], remotes: [] };
  return loadWorkspace(options, async ({ clusters, server, trees }) => {
    const budget = new Budget({ seconds: 1000, bytes: 2 ** 40 });
    budget.spend(900);
    return work(clusters, { store }, { home: root, budget, server, trees, secrets: () => new Set() });
  });
}
