/**
 * The fixtures of the rules and the clean repositories as histories: the commit before and the change, each reconciled twice, by
 * Flux's own packages on a real API server and by the simulation (support/sidebyside.ts). Both begin with the same cluster: what
 * the dry run plants for the repository.
 *
 * A sample by SEED (1): CASES (30) of those with a commit before, and a third as many of those without. `FULL=1` takes all; ONLY names some.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Cluster as Known } from '../../../src/cluster/cluster.js';
import { definitionsFor } from '../../../src/cluster/crds.js';
import { seedObjects } from '../../../src/cluster/initial-objects.js';
import { rightsOf } from '../../../src/cluster/rights.js';
import { type JsonObject, type ObjectRef, type RenderedObject, UsageError } from '../../../src/core/model.js';
import { inventoryId, isObject } from '../../../src/core/object.js';
import { Client } from '../../../src/dry-run/client.js';
import { openKubeconfig } from '../../../src/dry-run/kubeconfig.js';
import { seed } from '../../../src/dry-run/seed.js';
import { ApplyEngine } from '../../../src/engine/host/apply-engine.js';
import type { Operation } from '../../../src/engine/host/apply-protocol.js';
import { type Built, sameEntrypoint } from '../../../src/flux/prune.js';
import { loadWorkspace } from '../../../src/lint/load.js';
import { randomOf } from '../../bench/generate.mjs';
import { root } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';
import type { LiveObject } from '../../support/flux.js';
import { addressOf, endNamespaces, type Inventories, reconcileBoth, type Servers } from '../../support/sidebyside.js';

const full = process.env.FULL === '1';
const wanted = Number(process.env.CASES ?? 30);

type Case = { title: string; directory: string; base?: string };

/** Where they differ, and why that is right. */
const differences: { [title: string]: string } = {
  'duplicate-object/cluster-scoped': 'the same object twice, of which the controller applies either last',
  'pruned-namespace/bad':
    'no controller is there that empties a deleted namespace: what is in it stays on this API server',
  'pruned-namespace/component': 'the same as of pruned-namespace/bad',
  'refused-by-server/bad': 'a built-in kind’s own validation, which is not simulated: the fixture is about that',
};

function casesIn(folder: string, title: string): Case[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.base'))
    .map(({ name }) => {
      const directory = join(folder, name);
      return {
        ...{ title: `${title}/${name}`, directory },
        ...(existsSync(`${directory}.base`) && { base: `${directory}.base` }),
      };
    });
}

const tests = join(root, '__tests__');
const rules = readdirSync(join(tests, 'rules'));
const all = [
  ...rules.flatMap((rule) => casesIn(join(tests, 'rules', rule), rule)),
  ...casesIn(join(tests, 'clean'), 'clean'),
];
const [changes, states] = [all.filter(({ base }) => base), all.filter(({ base }) => !base)];
const only = process.env.ONLY?.split(' ');
const cases = only
  ? all.filter(({ title }) => only.includes(title))
  : full
    ? all
    : [...some(changes, wanted, 1), ...some(states, wanted / 3, 2)];

function some(from: readonly Case[], count: number, turn: number): Case[] {
  const random = randomOf(Number(process.env.SEED ?? 1) * 2 + turn);
  const rest = [...from];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(random(rest.length), 1)[0] as Case);
}

let cluster: Cluster;
let engine: ApplyEngine;
/** What was there before anything was planted. */
let own: Set<string>;
const seen = { reconciles: 0, refused: 0, pruned: 0, taken: 0 };
const notCompared: { [title: string]: string } = {};

beforeAll(async () => {
  cluster = await startCluster();
  engine = await ApplyEngine.open(join(root, 'dist', 'engine'));
  own = new Set((await everything()).map(({ id }) => id));
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
    async (title, { directory, base }) => {
      const options = { directory, home: root, paths: [], remotes: [], ...(base && { base }) };
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
  await empty(known);
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
          access: (verb, ref) => permissions.access(entrypoint, verb, ref),
        });
      }
      inventories.set(one, recorded);
    }
  }
}

const kindOf = ({ apiVersion, kind }: ObjectRef) => `${apiVersion} ${kind}`;

/** The real one as the dry run fills it; the simulated one as the simulation does, and with what else is there. */
async function fill(known: Known, { schemas }: Servers, objects: readonly RenderedObject[]): Promise<void> {
  const client = new Client(openKubeconfig(cluster.kubeconfig), { writes: true, signal: AbortSignal.timeout(60_000) });
  try {
    await seed(client, known);
  } finally {
    client.close();
  }
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

// --- a cluster that is as new

/** Definitions as they are served. */
const defined = new Map<string, string>();

/** Nothing of the case before is left but the definitions that this one has too. */
async function empty(known: Known): Promise<void> {
  for (const { id, path, object } of await everything()) {
    if (own.has(id) || object.kind === 'CustomResourceDefinition') continue;
    if (object.metadata.finalizers?.length > 0) {
      const patch = [{ op: 'remove', path: '/metadata/finalizers' }];
      await cluster.adminRequest('PATCH', path, patch, { type: 'application/json-patch+json' });
    }
    await cluster.adminRequest('DELETE', path);
  }
  await endNamespaces(cluster);
  for (const definition of definitionsFor(known)) await undefineOther(definition);
}

/** A definition that another release has otherwise is not changed but made anew, as a change is served some time later. */
async function undefineOther(definition: JsonObject): Promise<void> {
  const name = String((definition.metadata as JsonObject).name);
  const text = JSON.stringify(definition);
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  if ((defined.get(name) ?? text) !== text) {
    await cluster.adminRequest('DELETE', path);
    while ((await cluster.adminRequest('GET', path)).status === 200);
  }
  defined.set(name, text);
}

/** All objects of all kinds that can be deleted. */
async function everything(): Promise<{ id: string; path: string; object: LiveObject }[]> {
  const { body: groups } = await cluster.adminRequest('GET', '/apis');
  const roots = [
    '/api/v1',
    ...groups.groups.map((group: LiveObject) => `/apis/${group.preferredVersion.groupVersion}`),
  ];
  const lists = await Promise.all(
    roots.map(async (base) => {
      const { body } = await cluster.adminRequest('GET', base);
      const kinds = (body.resources ?? []).filter(
        ({ name, verbs }: LiveObject) =>
          !name.includes('/') && ['list', 'delete'].every((verb) => verbs.includes(verb)),
      );
      const found = await Promise.all(kinds.map((kind: LiveObject) => listed(base, kind)));
      return found.flat();
    }),
  );
  return lists.flat();
}

async function listed(base: string, { name: plural, kind }: LiveObject) {
  const { body } = await cluster.adminRequest('GET', `${base}/${plural}`);
  return (body.items ?? []).map((object: LiveObject) => {
    const { uid, name, namespace } = object.metadata;
    const path = `${base}${namespace ? `/namespaces/${namespace}` : ''}/${plural}/${name}`;
    return { id: uid, path, object: { ...object, kind } };
  });
}
