/** Which entrypoints belong to which cluster, and what is known of it. Rules run once for each cluster. */
import { minimatch } from 'minimatch';
import type { Config } from '../config/config.js';
import { type Contract, loadContract } from '../contract/contract.js';
import type { RenderedObject } from '../model.js';
import type { Rendered } from '../render/render.js';
import { type Facts, gatherFacts } from './facts.js';

/** What one revision renders for a cluster. */
export type Side = { entrypoints: readonly Rendered[]; objects: readonly RenderedObject[] };

export type Cluster = {
  /** Undefined where the repository does not tell clusters apart. */
  name?: string;
  facts: Facts;
  contract: Contract;
  head: Side;
  /** Undefined where nothing is compared. */
  base?: Side;
};

export type ClusterOptions = {
  config: Config;
  /** The directory `schemas/` of this package. */
  data: string;
  release?: string;
  /** The revision that facts in manifests are read from. */
  facts: 'head' | 'base';
};

export function clustersOf(
  head: readonly Rendered[],
  base: readonly Rendered[] | undefined,
  options: ClusterOptions,
): Cluster[] {
  const { config, data, release } = options;
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
  return [...groups].map(([name, group]) => {
    const index = config.clusters.findIndex((cluster) => cluster.name === name);
    const known = { head: side(group.head), ...(base && { base: side(group.base) }) };
    const facts = gatherFacts({
      config,
      cluster: { ...config.cluster, ...config.clusters[index] },
      prefix: index < 0 ? 'cluster.' : `clusters[${index}].`,
      objects: (options.facts === 'base' && known.base ? known.base : known.head).objects,
      ...(release && { release }),
    });
    return { ...(name !== undefined && { name }), facts, contract: loadContract(data, facts.all), ...known };
  });
}

function side(entrypoints: Rendered[]): Side {
  return { entrypoints, objects: entrypoints.flatMap((result) => (result.ok ? result.objects : [])) };
}

/**
 * The configuration's word for it; else the folder of `clusters/` that holds the entrypoint, or the Flux object that names it:
 * what the documented layout means by it.
 */
function nameOf({ entrypoint }: Rendered, { clusters }: Config): string | undefined {
  const { path, declaredAt } = entrypoint;
  const fits = (pattern: string) => path === pattern || minimatch(path, pattern, { dot: true });
  const configured = clusters.find(({ paths }) => paths.some(fits));
  if (configured) return configured.name;
  const folder = /^clusters\/([^/]+)(?:\/|$)/;
  return folder.exec(path)?.[1] ?? folder.exec(declaredAt?.file ?? '')?.[1];
}
