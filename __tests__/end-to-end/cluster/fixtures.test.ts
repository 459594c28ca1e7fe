/**
 * The fixtures of the rules and the clean repositories as histories: the commit before and the change, each reconciled twice, by
 * Flux's own packages on a real API server and by the simulation (support/sidebyside.ts). Both begin with the same cluster: what
 * the dry run plants for the repository.
 *
 * A sample by SEED (1): CASES (30) of those with a commit before, and a third as many of those without. `FULL=1` takes all; ONLY names some.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Cluster as Known } from '../../../src/cluster/cluster.js';
import { definitionsFor } from '../../../src/cluster/crds.js';
import { seedObjects } from '../../../src/cluster/initial-objects.js';
import { rightsOf } from '../../../src/cluster/rights.js';
import { type ObjectRef, type RenderedObject, UsageError } from '../../../src/core/model.js';
import { inventoryId, isObject } from '../../../src/core/object.js';
import { ApplyEngine } from '../../../src/engine/host/apply-engine.js';
import type { Operation } from '../../../src/engine/host/apply-protocol.js';
import { type Built, sameEntrypoint } from '../../../src/flux/prune.js';
import { loadWorkspace } from '../../../src/lint/load.js';
import { askedOf } from '../../../src/simulate/rounds.js';
import { root } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';
import { Emptied } from '../../support/cluster-fixtures.js';
import { allCases, chosenCases, optionsOf } from '../../support/fixtures.js';
import { addressOf, type Inventories, reconcileBoth, type Servers } from '../../support/sidebyside.js';

/** Where they differ, and why that is right. */
const differences: { [title: string]: string } = {
  'duplicate-object/cluster-scoped': 'the same object twice, of which the controller applies either last',
  'pruned-namespace/bad':
    'no controller is there that empties a deleted namespace: what is in it stays on this API server',
  'pruned-data/bad': 'no controller is there that takes the protection off a deleted claim',
  'pruned-data/guarded': 'the platform’s policy against deletion is not on this API server',
  'pruned-namespace/component': 'the same as of pruned-namespace/bad',
  'refused-by-server/bad': 'a built-in kind’s own validation, which is not simulated: the fixture is about that',
  'copied-live-object/self-link': 'an API server drops selfLink without a word, which the simulation keeps',
  'schema-violation/empty-binding':
    'an API server fills in the apiGroup of a subject, as defaults of built-in kinds go',
  'schema-violation/older-kubernetes': 'the fixture is about Kubernetes v1.33, and this API server is v1.35',
};

const cases = chosenCases(allCases(), 30);
const only = process.env.ONLY !== undefined;

let cluster: Cluster;
let engine: ApplyEngine;
let emptied: Emptied;
const seen = { reconciles: 0, refused: 0, pruned: 0, taken: 0 };
const notCompared: { [title: string]: string } = {};

beforeAll(async () => {
  cluster = await startCluster();
  engine = await ApplyEngine.open(join(root, 'dist', 'engine'));
  emptied = await Emptied.of(cluster);
}, 120_000);

afterAll(async () => {
  await Promise.all([cluster?.stop(), engine?.close()]);
});

describe('the simulation does what Flux does', () => {
  const compared = cases.filter(({ title }) => !differences[title]);
  const others = Object.entries(differences).filter(([title]) => cases.some((one) => one.title === title));
  test.skip.each(others)('%s: not compared: %s', () => {});

  test.each(compared.map((one) => [one.title, one] as const))(
    '%s',
    async (title, one) => {
      const options = optionsOf(one);
      const compared = loadWorkspace(options, async ({ clusters }) => {
        for (const known of clusters) await compareOn(title, known);
      });
      // What cannot be opened is another test's.
      await compared.catch((error) => {
        if (!(error instanceof UsageError)) throw error;
        notCompared[title] = error.message;
      });
    },
    120_000,
  );

  test('the fixtures have what they are about', () => {
    const named = Object.entries({ ...notCompared, ...differences }).map(([title, why]) => `  ${title}: ${why}`);
    process.stderr.write(`\n${[`${JSON.stringify(seen)}; not compared:`, ...named].join('\n')}\n\n`);
    // One alone need not have all of it.
    const least = only ? 0 : compared.length;
    expect(seen.reconciles).toBeGreaterThanOrEqual(least * 1.5);
    expect(Math.min(seen.refused, seen.pruned)).toBeGreaterThanOrEqual(least / 100);
  });
});

async function compareOn(title: string, known: Known): Promise<void> {
  const { contract, head, base } = known;
  const rights = rightsOf(known);
  const servers: Servers = { cluster, engine, schemas: contract.schemas, seen };
  const [now, before] = [head, base].map((side) => (side?.entrypoints ?? []).filter((one): one is Built => one.ok));
  const objects = [...(now ?? []), ...(before ?? [])].flatMap((one) => one.objects);
  await emptied.fill(known);
  await fill(known, servers, objects);
  const served = await servedBy(objects);
  const inventories = new Map<Built, Inventories>();
  for (const [commit, side] of [before ?? [], now ?? []].entries()) {
    for (const one of side) {
      const { entrypoint } = one;
      const was = commit === 1 ? before?.find((other) => sameEntrypoint(other.entrypoint, entrypoint)) : undefined;
      const simulated = one.objects.filter((object) => served.has(kindOf(object.ref)) && !isObject(object.value.sops));
      const unknown = simulated.find(({ ref }) => rights.now.access(entrypoint, 'patch', ref).allowed === 'unknown');
      if (unknown) {
        notCompared[title] = `nobody knows whether ${unknown.ref.kind} "${unknown.ref.name}" may be applied`;
        return;
      }
      let recorded = (was && inventories.get(was)) ?? { there: [], here: [] };
      for (const time of ['first', 'second'] as const) {
        const permissions = commit === 1 && time === 'second' ? rights.later : rights.now;
        recorded = await reconcileBoth(servers, {
          where: `${title}: ${commit === 1 ? 'the change' : 'the commit before'}, ${entrypoint.path}, ${time} reconcile`,
          ...{ entrypoint, objects: simulated, inventories: recorded },
          ...askedOf({ entrypoint }, permissions),
        });
      }
      inventories.set(one, recorded);
    }
  }
}

const kindOf = ({ apiVersion, kind }: ObjectRef) => `${apiVersion} ${kind}`;

/** The simulated one as the simulation does, and with what else is there. */
async function fill(known: Known, { schemas }: Servers, objects: readonly RenderedObject[]): Promise<void> {
  await engine.define(definitionsFor(known));
  const planted = seedObjects(known).map(
    ({ object, manager, how }): Operation =>
      how === 'create' ? { op: 'create', object, manager } : { op: 'apply', object, manager, force: true },
  );
  await engine.ask([{ op: 'reset' }, ...planted]);
  for (const { ref } of new Map(objects.map((one) => [inventoryId(one.ref), one])).values()) {
    const path = addressOf(schemas, ref);
    const [here] = await engine.ask([{ op: 'get', ref }]);
    if (!path || here?.object) continue;
    const { status, body } = await cluster.adminRequest('GET', path);
    if (status === 200) await engine.ask([{ op: 'put-raw', object: body }]);
  }
}

async function servedBy(objects: readonly RenderedObject[]): Promise<Set<string>> {
  const kinds = [...new Map(objects.map(({ ref }) => [kindOf(ref), ref])).values()];
  const answers = await engine.ask(kinds.map(({ apiVersion, kind }) => ({ op: 'list', apiVersion, kind })));
  return new Set(kinds.filter((_, index) => answers[index]?.status === 200).map(kindOf));
}
