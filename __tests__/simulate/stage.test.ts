/** The stage `simulation` around the simulation itself: what is told of it, and where it does not run. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import { ApplyEngine, LaterEngine } from '../../src/engine/host/apply-engine.js';
import type { Simulation } from '../../src/simulate/simulate.js';
import { diffOf, runSimulation } from '../../src/simulate/stage.js';
import type { Locator } from '../../src/yaml/locator.js';
import { root } from '../support/cli.js';

const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };
const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'n', name: 'b' };
const locator = {
  locate: ({ path }: { path: string[] }) => ({ at: path.join('.') }),
} as unknown as Locator;
const owners = { ownersBefore: [], ownersAfter: [] };

function simulated(...outcomes: object[]): Simulation {
  const applied = [{ path: '.', first: 'ReconciliationFailed', second: 'PruneFailed', stopped: [secret] }];
  return { applied, outcomes, unknown: [] } as unknown as Simulation;
}

test('objects and fields have the lines that write them, and what is gone has none', async () => {
  const fields = [
    { path: ['data', 'x'], before: '1', after: '2', ...owners },
    { path: ['data', 'y'], before: '1', ...owners },
  ];
  const object = { ref, value: { data: { x: '2' } } };
  const told = await diffOf(
    simulated({ ref, action: 'changed', object, fields }, { ref, action: 'deleted', why: 'w', fields }),
    {} as Cluster,
    locator,
  );
  expect(told).toEqual({
    reconciles: [{ path: '.', first: 'ReconciliationFailed', second: 'PruneFailed', stopped: [secret] }],
    objects: [
      {
        ...{ ref, action: 'changed', dependents: [], at: 'metadata.name' },
        fields: [{ ...fields[0], at: 'data.x' }, fields[1]],
      },
      { ref, action: 'deleted', why: 'w', dependents: [], fields },
    ],
    notSimulated: [],
  });
});

test('what is secret is hidden, before and after', async () => {
  const fields = [{ path: ['stringData', 'x'], before: 'old', after: 'new', ...owners }];
  const { objects } = await diffOf(simulated({ ref: secret, action: 'changed', fields }), {} as Cluster, locator);
  expect(objects[0]?.fields).toMatchObject([{ before: '••••••', after: '••••••' }]);
});

test('the cluster is named where it has a name', async () => {
  const named = { ...simulated(), cluster: 'prod' };
  expect((await diffOf(named, {} as Cluster, locator)).cluster).toBe('prod');
  expect(await diffOf(simulated(), {} as Cluster, locator)).not.toHaveProperty('cluster');
});

const clusterOf = (...oks: boolean[]) =>
  ({
    head: { entrypoints: oks.map((ok) => ({ ok, entrypoint: { path: 'a' }, problem: { rule: 'x', message: 'no' } })) },
  }) as unknown as Cluster;
const server = new LaterEngine(() => ApplyEngine.open(join(root, 'nowhere')));
const about = { server, locator, findings: [] };

test.each<[string, Cluster[], RegExp]>([
  ['nothing renders', [clusterOf(false), clusterOf()], /^nothing could be rendered$/],
  ['the module is not there, and something renders', [clusterOf(), clusterOf(false, true)], /no such file/],
])('it does not run where %s, and says why', async (_, clusters, why) => {
  const { stage, diffs, problems } = await runSimulation(clusters, {}, about);
  expect(stage).toMatchObject({ name: 'simulation', ran: false, why: expect.stringMatching(why) });
  expect(problems).toEqual({ head: [], base: [] });
  // What cannot be built stays as it is, which takes no server to know.
  const failed = { path: 'a', first: 'BuildFailed', second: 'BuildFailed', stopped: [], why: 'no' };
  const unbuilt = [{ reconciles: [failed], objects: [], notSimulated: [] }];
  expect(diffs).toEqual(/nothing/.test(stage.ran ? '' : stage.why) ? unbuilt : []);
});
