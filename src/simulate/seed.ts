/** A cluster as it is before the repository has a say, in an API server without a server. */

import type { Cluster } from '../cluster/cluster.js';
import { definitionsFor } from '../cluster/crds.js';
import { seedObjects } from '../cluster/initial-objects.js';
import { broughtDefinitions, standInsFor } from '../cluster/stand-ins.js';
import type { JsonObject, ObjectRef, RenderedObject } from '../core/model.js';
import { getString, groupOf, inventoryId, isObject } from '../core/object.js';
import type { Operation } from '../engine/host/apply-protocol.js';
import { groupKind, kindWords } from './sources.js';
import type { SimulateOptions, Simulator } from './types.js';

/** What a server was told already: clusters of a fleet are much alike. */
const prepared = new WeakMap<Simulator, { state: string; kinds: Set<string> }>();

/** The cluster as it is before the repository has a say; gives the kinds that it must not serve, defined for another. */
export async function prepare(server: Simulator, cluster: Cluster, options: SimulateOptions): Promise<Set<string>> {
  const objects = [...cluster.head.objects, ...(cluster.base?.objects ?? [])];
  const applied = [...cluster.head.applied, ...(cluster.base?.applied ?? [])];
  const brought = new Map(broughtDefinitions(applied).map((one) => [kindOf(one), one]));
  const others = definitionsFor(cluster).filter((one) => !brought.has(kindOf(one)));
  const foreign = prepared.get(server)?.kinds ?? new Set();
  // What the rules say is needed when the server has answered, and kept.
  const judging = (side: 'head' | 'base') => () => void options.said?.[side];
  const missing = standInsFor(await missingIn(server, objects, foreign, cluster, judging('head')), cluster).filter(
    (one) => ![...brought.keys(), ...others.map(kindOf)].includes(kindOf(one)),
  );
  const seed = { operations: seedOf(cluster, options), meanwhile: judging('base') };
  try {
    return await fill(server, [...brought.values(), ...others, ...missing], seed);
  } catch (error) {
    // A definition of the repository's own may be one that no server takes.
    if (brought.size === 0) throw error;
    return fill(server, [...others, ...missing], seed);
  }
}

async function fill(
  server: Simulator,
  definitions: JsonObject[],
  { operations, meanwhile }: { operations: Operation[]; meanwhile: () => void },
): Promise<Set<string>> {
  const state = JSON.stringify([definitions, operations]);
  const known = prepared.get(server);
  if (known?.state === state) {
    await server.ask([{ op: 'restore', name: 'seed' }]);
  } else {
    await server.define(definitions);
    await server.ask([{ op: 'reset' }, ...operations, { op: 'snapshot', name: 'seed' }], meanwhile);
  }
  const own = definitions.map(kindOf);
  const kinds = new Set([...(known?.kinds ?? []), ...own]);
  prepared.set(server, { state, kinds });
  return new Set([...kinds].filter((kind) => !own.includes(kind)));
}

/** One object of each kind that the server does not have by itself, in no version. */
async function missingIn(
  server: Simulator,
  objects: readonly RenderedObject[],
  defined: ReadonlySet<string>,
  { contract }: Cluster,
  meanwhile: () => void,
): Promise<ObjectRef[]> {
  const refs = [...new Map(objects.map(({ ref }) => [kindWords(ref), ref])).values()];
  const asked = refs.flatMap((ref) => {
    const { kind } = ref;
    const others = contract.schemas.find(`${groupOf(ref.apiVersion)}/none`, kind);
    const served = !others.known && others.why === 'unserved-version' ? others.served : [];
    const versions = [ref.apiVersion, ...served.map((version) => `${groupOf(ref.apiVersion)}/${version}`)];
    return versions.map((apiVersion) => ({ ref, op: 'list' as const, apiVersion, kind }));
  });
  const answers = await server.ask(
    asked.map(({ ref: _, ...operation }) => operation),
    meanwhile,
  );
  const there = new Set(asked.filter((_, index) => answers[index]?.status === 200).map(({ ref }) => ref));
  return refs.filter((ref) => !there.has(ref) || defined.has(groupKind(ref)));
}

function kindOf(definition: JsonObject): string {
  const words = [
    ['spec', 'group'],
    ['spec', 'names', 'kind'],
  ].map((path) => getString(definition, path) ?? '');
  return words.join('/');
}

function seedOf(cluster: Cluster, { live = [] }: SimulateOptions): Operation[] {
  const there = new Set(live.map((object) => idOf(object)));
  const planted = seedObjects(cluster).filter(({ object }) => !there.has(idOf(object)));
  return [
    ...planted.map(
      ({ object, manager, how }): Operation =>
        how === 'create'
          ? { op: 'create', object, manager, brief: true }
          : { op: 'apply', object, manager, force: true, brief: true },
    ),
    ...live.map((object): Operation => ({ op: 'put-raw', object, brief: true })),
  ];
}

function idOf({ apiVersion, kind, metadata }: JsonObject): string {
  const { namespace, name } = isObject(metadata) ? metadata : {};
  return inventoryId({
    apiVersion: String(apiVersion),
    kind: String(kind),
    name: String(name),
    ...(typeof namespace === 'string' && { namespace }),
  });
}
