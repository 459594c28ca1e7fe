/** Which entrypoints belong to which cluster, and what is known of it. Rules run once for each cluster. */
import { minimatch } from 'minimatch';
import type { ClusterConfig, Config } from '../config/config.js';
import { type Contract, loadContract } from '../contract/contract.js';
import { clusterFolder } from '../discover/discover.js';
import type { JsonObject, RenderedObject } from '../model.js';
import type { Rendered } from '../render/render.js';
import type { Opened } from '../revision.js';
import { type Facts, gatherFacts } from './facts.js';
import { type Permissions, permissionsOf, rolesAmong, rolesIn } from './permissions.js';
import { placed } from './sent.js';
import { readSnapshot, type Snapshot } from './snapshot.js';

/** What one revision renders for a cluster. */
export type Side = { entrypoints: readonly Rendered[]; objects: readonly RenderedObject[] };

export type Cluster = {
  /** Undefined where the repository does not tell clusters apart. */
  name?: string;
  facts: Facts;
  contract: Contract;
  permissions: Permissions;
  /** Roles and bindings that are in force, besides those that the platform documents. */
  roles: readonly JsonObject[];
  snapshot?: Snapshot;
  head: Side;
  /** Undefined where nothing is compared. */
  base?: Side;
};

export type ClusterOptions = {
  config: Config;
  /** The directory `schemas/` of this package. */
  data: string;
  /** One of the user's own, of a fork or another release. */
  ownData?: string;
  release?: string;
  /** The revision whose files say what is known of the clusters, and what it renders; undefined: nothing that can be believed. */
  facts: Opened | undefined;
};

/** Throws a `UsageError` for a release that there is no data for. */
export async function clustersOf(
  head: readonly Rendered[],
  base: readonly Rendered[] | undefined,
  options: ClusterOptions,
): Promise<Cluster[]> {
  const { config } = options;
  const groups = new Map<string | undefined, { head: Rendered[]; base: Rendered[] }>();
  const add = (side: 'head' | 'base', result: Rendered) => {
    const name = nameOf(result, config);
    const group = groups.get(name) ?? { head: [], base: [] };
    group[side].push(result);
    groups.set(name, group);
  };
  for (const result of head) add('head', result);
  for (const result of base ?? []) add('base', result);
  if (groups.size === 0) groups.set(undefined, { head: [], base: [] });
  return Promise.all(
    [...groups].map(([name, group]) =>
      clusterOf(name, { head: side(group.head), ...(base && { base: side(group.base) }) }, options),
    ),
  );
}

async function clusterOf(
  name: string | undefined,
  sides: Pick<Cluster, 'head' | 'base'>,
  { config, data, ownData, release, facts: source }: ClusterOptions,
): Promise<Cluster> {
  const index = config.clusters.findIndex((cluster) => cluster.name === name);
  const cluster: ClusterConfig = { ...config.cluster, ...config.clusters[index] };
  const snapshot = source && cluster.snapshot !== undefined ? readSnapshot(source.tree, cluster.snapshot) : undefined;
  const facts = gatherFacts({
    config,
    cluster,
    prefix: index < 0 ? 'cluster.' : `clusters[${index}].`,
    objects: (source && sides[source.tree.revision])?.objects ?? [],
    ...(release && { release }),
    ...(snapshot && { snapshot }),
  });
  const contract = loadContract(data, facts.all, ownData);
  for (const object of [...sides.head.objects, ...(sides.base?.objects ?? [])])
    object.ref = placed(object.ref, contract.schemas);
  const files = cluster.roles ?? [];
  const { documents } = source && files.length > 0 ? await source.engine.read(files) : { documents: [] };
  // What a change itself grants or takes away does not hold yet when it is applied.
  const before = source ? (sides.base ?? sides.head).objects : [];
  const roles = [...rolesIn(before), ...rolesAmong(documents), ...(snapshot?.roles ?? [])];
  const permissions = permissionsOf({ contract, facts, roles });
  return {
    ...(name !== undefined && { name }),
    ...{ facts, contract, permissions, roles },
    ...(snapshot && { snapshot }),
    ...sides,
  };
}

function side(entrypoints: Rendered[]): Side {
  return { entrypoints, objects: entrypoints.flatMap((result) => (result.ok ? result.objects : [])) };
}

/** The configuration's word for it; else the folder of `clusters/`. */
function nameOf({ entrypoint }: Rendered, { clusters }: Config): string | undefined {
  const configuredFor = (path: string | undefined) =>
    clusters.find(({ paths }) =>
      paths.some((pattern) => path !== undefined && (path === pattern || minimatch(path, pattern, { dot: true }))),
    );
  const configured = configuredFor(entrypoint.path) ?? configuredFor(entrypoint.appliedFrom);
  return configured ? configured.name : clusterFolder(entrypoint);
}
