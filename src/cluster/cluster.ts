/** Which entrypoints belong to which cluster, and what is known of it. Rules run once for each cluster. */

import type { ClusterConfig, Config } from '../config/config.js';
import type { OwnData } from '../config/data.js';
import type { Trust } from '../config/policy.js';
import { defined } from '../core/defined.js';
import { groupBy } from '../core/group.js';
import type { JsonObject, Rendered, RenderedObject } from '../core/model.js';
import { once, oncePer } from '../core/once.js';
import {
  type Contract,
  isKnownRelease,
  loadContract,
  possibleReleases,
  releaseContracts,
} from '../cozystack/contract.js';
import { isKnownKubernetes, minors } from '../cozystack/kubernetes.js';
import { newestLine } from '../cozystack/releases.js';
import type { Schemas } from '../cozystack/schemas.js';
import type { Opened } from '../engine/host/open.js';
import { type Applied, appliedByAll } from '../flux/applied.js';
import { withScope } from '../flux/request.js';
import { clusterOf as clusterOfEntrypoint } from './configured.js';
import { evidenceIn } from './evidence.js';
import { type Evidence, type Facts, gatherFacts, type World } from './facts.js';
import { bothOf, type Permissions, permissionsOf, rolesAmong, rolesIn } from './permissions.js';
import { readSnapshot, type Snapshot } from './snapshot.js';
import { axes, otherWorlds, worldOf } from './worlds.js';

/** What is known of a cluster as one revision has it, and in every other world that fits. */
export type ClusterKnowledge = KnownInWorld & {
  world: World;
  /** Every other world that fits what is known. */
  others(): readonly World[];
  /** What is known if the cluster is that one of them; worked out when it is asked for, as most runs need none of it. */
  inWorld(world: World): KnownInWorld;
};

type KnownInWorld = {
  facts: Facts;
  contract: Contract;
  /**
   * What the accounts may do. Of a change's head only what they may both before and after it: a right that the change itself
   * grants does not count yet, and one that it takes away does not count any more.
   */
  permissions: Permissions;
  /** Roles and bindings that are in force, besides those that the platform documents. */
  roles: readonly JsonObject[];
  snapshot?: Snapshot;
};

/** What one revision renders for a cluster. */
export type RevisionObjects = {
  entrypoints: readonly Rendered[];
  objects: readonly RenderedObject[];
  /** Those of the objects that Flux applies, or may apply. */
  applied: readonly Applied[];
  /** Flux objects that stand in files which no build reads; they are as written. */
  unrendered: readonly Rendered[];
  known: ClusterKnowledge;
};

/** What is known at the top level is that of the head. */
export type Cluster = ClusterKnowledge & {
  /** Undefined where the repository does not tell clusters apart. */
  name?: string;
  head: RevisionObjects;
  /** Undefined where nothing is compared. */
  base?: RevisionObjects;
};

/** Where one revision says what is known of the clusters. */
export type KnowledgeSource = {
  config: Config;
  /** The files that the configuration names (snapshot, roles); undefined where none can be believed. */
  files: Opened | undefined;
  /** Where a file is looked for that the first does not have. */
  otherwise?: Opened | undefined;
  /** The user's own data, of a fork or another release. */
  ownData?: OwnData;
};

export type ClusterOptions = {
  /** The directory `schemas/` of this package. */
  data: string;
  release?: string;
  /** Whose change it is: with nothing to compare it with, no right that a fork's manifests grant counts. */
  trust: Trust;
  /** Each revision for itself; the clusters are told apart as the head's has them. */
  sources: { head: KnowledgeSource; base: KnowledgeSource };
};

/** What one revision renders: all builds, and the Flux objects beside them. */
export type Revised = { rendered: readonly Rendered[]; unrendered: readonly Rendered[] };

/** Throws a `UsageError` for data of the user's own that holds no release. */
export async function clustersOf(
  head: Revised,
  base: Revised | undefined,
  options: ClusterOptions,
): Promise<Cluster[]> {
  const { config } = options.sources.head;
  const groups = new Map<string | undefined, { head: Pair; base: Pair }>();
  const add = (side: 'head' | 'base', list: keyof Pair, result: Rendered) => {
    const name = clusterOfEntrypoint(result.entrypoint, config);
    const group = groups.get(name) ?? { head: empty(), base: empty() };
    group[side][list].push(result);
    groups.set(name, group);
  };
  for (const [side, revised] of [['head', head] as const, ['base', base] as const]) {
    for (const list of ['rendered', 'unrendered'] as const)
      for (const result of revised?.[list] ?? []) add(side, list, result);
  }
  if (groups.size === 0) groups.set(undefined, { head: empty(), base: empty() });
  const read = rolesReader([options.sources.head.config, options.sources.base.config]);
  const made = [...groups].map(([name, group]) =>
    clusterOf(name, group.head, base && group.base, { ...options, read }),
  );
  return Promise.all(made);
}

/** What a file of roles holds, in the tree of an engine. */
type ReadRoles = (opened: Opened, file: string) => Promise<readonly { value: JsonObject }[]>;

/**
 * All of a tree at once, when the first is asked for: engines that share a host let it load a tree anew for each turn. The promise is rejected with
 * a `Stopped` where they cannot be read within the limits, as accounts without their roles would be refused what they may do.
 */
function rolesReader(configs: readonly Config[]): ReadRoles {
  const named = once(() => {
    const clusters = configs.flatMap(({ cluster, clusters }) => [cluster, ...clusters]);
    return [...new Set(clusters.flatMap(({ roles = [] }) => roles))];
  });
  const readAll = oncePer(async ({ tree, engine }: Opened) => {
    const { documents, sources, stopped } = await engine.read(named().filter((file) => tree.has(file)));
    if (stopped) throw stopped;
    return groupBy(documents, ({ source }) => sources[source]?.file);
  });
  return async (opened, file) => (await readAll(opened)).get(file) ?? [];
}

type Pair = { rendered: Rendered[]; unrendered: Rendered[] };
const empty = (): Pair => ({ rendered: [], unrendered: [] });

async function clusterOf(
  name: string | undefined,
  head: Pair,
  base: Pair | undefined,
  { data, release, sources, trust, read }: ClusterOptions & { read: ReadRoles },
): Promise<Cluster> {
  const ownData = sources.head.ownData?.directory;
  const written = {
    head: appliedByAll(trust === 'fork' ? vouched(head.rendered, base?.rendered ?? []) : head.rendered),
    base: base && appliedByAll(base.rendered),
  };
  const shown = { base: written.base ?? [], head: trust === 'fork' ? [] : written.head };
  const evidence = evidenceIn(shown, () => releaseContracts(data, ownData));
  const more = { name, data, evidence, read, ...(release && { release }) };
  const ofHead = await knownOf(written.head, sources.head, more);
  const known = { head: ofHead, base: written.base ? await knownOf(written.base, sources.base, more) : ofHead };
  const after = side(head, known.head.contract.schemas);
  const earlierSide = base && side(base, known.base.contract.schemas);
  const before = earlierSide?.applied;
  // A namespace that the change gives the account counts, as its own rule says where that comes too late (not-there-yet).
  const granted = before ?? (trust === 'fork' ? [] : undefined);
  const earlier = granted && (await knownOf(granted, sources.head, more));
  const effective = earlier ? withRolesOf(earlier.roles, known.head) : known.head;
  return {
    ...defined({ name }),
    ...effective,
    head: { ...after, known: effective },
    ...(earlierSide && { base: { ...earlierSide, known: known.base } }),
  };
}

/** Only what both the roles and its own allow. */
function withRolesOf(roles: readonly JsonObject[], known: ClusterKnowledge): ClusterKnowledge {
  const limited = <Of extends KnownInWorld>(one: Of): Of => {
    const { contract, facts, permissions } = one;
    return { ...one, roles, permissions: bothOf(permissionsOf({ contract, facts, roles }), permissions) };
  };
  return { ...limited(known), inWorld: perWorld((world) => limited(known.inWorld(world))) };
}

/** Worked out once for each. */
function perWorld(work: (world: World) => KnownInWorld): (world: World) => KnownInWorld {
  const known = new Map<string, KnownInWorld>();
  return (world) => {
    const key = axes.map((axis) => world[axis]).join(' ');
    const found = known.get(key) ?? work(world);
    known.set(key, found);
    return found;
  };
}

type Told = { name: string | undefined; data: string; evidence: Evidence; read: ReadRoles; release?: string };

/** What one revision says of a cluster; the rights are those that its own manifests grant. */
async function knownOf(
  objects: readonly Applied[],
  { config, files: first, otherwise, ownData }: KnowledgeSource,
  { name, data, evidence, read, release }: Told,
): Promise<ClusterKnowledge> {
  const index = config.clusters.findIndex((cluster) => cluster.name === name);
  const cluster: ClusterConfig = { ...config.cluster, ...config.clusters[index] };
  const sourceOf = (file: string) => (otherwise && first && !first.tree.has(file) ? otherwise : first);
  const tree = cluster.snapshot === undefined ? undefined : sourceOf(cluster.snapshot)?.tree;
  const snapshot = tree && cluster.snapshot !== undefined ? readSnapshot(tree, cluster.snapshot) : undefined;
  const documents: { value: JsonObject }[] = [];
  for (const file of cluster.roles ?? []) {
    const source = sourceOf(file);
    if (source) documents.push(...(await read(source, file)));
  }
  const roles = [...rolesIn(objects), ...rolesAmong(documents), ...(snapshot?.roles ?? [])];
  const newest = newestLine(data);
  const prefix = index < 0 ? 'cluster.' : `clusters[${index}].`;
  const inWorld = (world?: World) => {
    const facts = gatherFacts({
      config,
      cluster,
      prefix,
      objects,
      newest,
      evidence,
      isKnownRelease: (one) => isKnownRelease(data, one, ownData?.directory),
      isKnownKubernetes: (one) => isKnownKubernetes(data, one),
      ...defined({ snapshot, world }),
      ...(release && { release }),
    });
    const contract = loadContract(data, facts.all, ownData?.directory);
    const permissions = permissionsOf({ contract, facts, roles });
    return { facts, contract, permissions, roles, ...defined({ snapshot }) };
  };
  const known = inWorld();
  const isShown = known.facts.all.get('release')?.because !== undefined;
  const possible = () => ({
    releases: possibleReleases(data, ownData?.directory).filter(
      ({ release }) => !isShown || evidence.releases().includes(release),
    ),
    kubernetes: minors(data),
  });
  return {
    ...known,
    world: worldOf(known.facts, known.contract),
    others: once(() => otherWorlds(known.facts, known.contract, possible)),
    inWorld: perWorld(inWorld),
  };
}

/**
 * The builds whose objects count as facts in the change of a fork: nothing keeps Flux from them, or nothing else than in the base. A
 * fork could otherwise state facts in objects that only look applied.
 */
function vouched(head: readonly Rendered[], base: readonly Rendered[]): Rendered[] {
  const key = ({ entrypoint: { path, reach } }: Rendered) => JSON.stringify([path, reach]);
  const known = new Set(base.map(key));
  return head.filter((one) => one.entrypoint.reach === undefined || known.has(key(one)));
}

function objectsOf(results: readonly Rendered[]): RenderedObject[] {
  return results.flatMap((result) => (result.ok ? result.objects : []));
}

function side({ rendered, unrendered }: Pair, schemas: Schemas): Omit<RevisionObjects, 'known'> {
  const entrypoints = rendered.map((one) => inCluster(one, schemas));
  return {
    entrypoints,
    objects: objectsOf(entrypoints),
    applied: appliedByAll(entrypoints),
    unrendered: unrendered.map((one) => inCluster(one, schemas)),
  };
}

/** With the objects as they are known in the cluster. Others may share what was rendered, so that stays as it is. */
function inCluster(result: Rendered, schemas: Schemas): Rendered {
  if (!result.ok) return result;
  const objects = result.objects.map((object) => {
    const ref = withScope(object.ref, schemas);
    return ref === object.ref ? object : { ...object, ref };
  });
  return { ...result, objects };
}
