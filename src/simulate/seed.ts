/** A cluster as it is before the repository has a say, in an API server without a server. */

import type { Cluster } from '../cluster/cluster.js';
import { definitionsFor } from '../cluster/crds.js';
import { seedObjects } from '../cluster/initial-objects.js';
import type { JsonObject } from '../core/model.js';
import { getString, inventoryId, isObject } from '../core/object.js';
import type { Operation } from '../engine/host/apply-protocol.js';
import type { SimulateOptions, Simulator } from './types.js';

/** What a server was told already: clusters of a fleet are much alike. */
const prepared = new WeakMap<Simulator, { state: string; kinds: Set<string> }>();

/** The cluster as it is before the repository has a say; gives the kinds that it must not serve, defined for another. */
export async function prepare(server: Simulator, cluster: Cluster, options: SimulateOptions): Promise<Set<string>> {
  const definitions = definitionsFor(cluster);
  const seed = seedOf(cluster, options);
  const state = JSON.stringify([definitions, seed]);
  const known = prepared.get(server);
  if (known?.state === state) {
    await server.ask([{ op: 'restore', name: 'seed' }]);
  } else {
    await server.define(definitions);
    await server.ask([{ op: 'reset' }, ...seed, { op: 'snapshot', name: 'seed' }]);
  }
  const own = definitions.map(kindOf);
  const kinds = new Set([...(known?.kinds ?? []), ...own]);
  prepared.set(server, { state, kinds });
  return new Set([...kinds].filter((kind) => !own.includes(kind)));
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
