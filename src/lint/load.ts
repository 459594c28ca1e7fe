/** What a repository renders, before and after a change, and for which clusters: all that comes before judging it. */

import { join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Cluster, clustersOf, type KnowledgeSource } from '../cluster/cluster.js';
import { unmatchedPaths } from '../cluster/configured.js';
import { type Config, readConfig } from '../config/config.js';
import { ownDataOf } from '../config/data.js';
import { decidePolicy, type Policy, type PolicyRevision, type Trust } from '../config/policy.js';
import { defined } from '../core/defined.js';
import { shorten } from '../core/escape.js';
import type { Problem, Rendered, Run, Tree } from '../core/model.js';
import { readAhead } from '../cozystack/contract.js';
import type { SkippedKustomization } from '../discover/assemble.js';
import type { Discovered } from '../discover/discover.js';
import { normalize } from '../discover/flux.js';
import { union } from '../discover/union.js';
import { unrenderedOf } from '../discover/unrendered.js';
import { ApplyEngine, LaterEngine } from '../engine/host/apply-engine.js';
import { Budget } from '../engine/host/budget.js';
import { type Opened, withEngine } from '../engine/host/open.js';
import { Builder } from '../render/render.js';
import { reusable } from '../render/reuse.js';
import { rules } from '../rules/index.js';
import { isLarge, mayNeedServer } from '../simulate/validation.js';
import { kustomizationsAhead } from './ahead.js';
import { Baseline } from './baseline.js';
import { entrypointsOf, openTrees, type RepositoryOptions, type Trees } from './open.js';

export type WorkspaceOptions = RepositoryOptions & {
  release?: string;
  /** Where the change comes from. */
  trust?: Trust;
  /** What the API server's code is asked for: what it refuses of the objects that only it can judge, or what it makes of all. */
  server?: 'validates' | 'simulates';
  /** Rules will judge what is rendered, and read the kustomizations. */
  lints?: boolean;
  round?: Round;
};

/** What one run of several knows of the one before, and tells the next (`check --watch`). A tree keeps what it has read. */
export type Round = {
  before?: { tree: Tree; rendered: readonly Rendered[] };
  opened(tree: Tree): void;
  rendered(tree: Tree, rendered: readonly Rendered[]): void;
};

export type Workspace = {
  trees: { head: Tree; base?: Tree };
  policy: Policy;
  /** Of the revision that the policy is of. */
  baseline: Baseline | undefined;
  /** An API server without a server, opened when it is needed. */
  server: LaterEngine;
  /** What is left of what the engines of the run may use. */
  budget: Budget;
  rendered: { head: Rendered[]; base?: Rendered[] };
  /** What rendered the head. */
  engine: Run['tool']['engine'];
  /** Files that were read to find the entrypoints, or that the configuration names. */
  inputs: ReadonlySet<string>;
  clusters: Cluster[];
  /** What is wrong with the configuration and the entrypoints themselves. */
  mistakes: { head: Problem[]; base: Problem[] };
  /** Flux objects that render another repository. */
  skipped: SkippedKustomization[];
};

function serverOf({ home, engine = 'auto' }: WorkspaceOptions, budget: Budget): LaterEngine {
  return new LaterEngine(() => ApplyEngine.open(join(home, 'dist', 'engine'), budget, engine));
}

/** With their engines, which share a budget and a host. */
function openedOf({ head, base }: Trees, options: WorkspaceOptions, budget: Budget) {
  const { engine } = options;
  const tip = options.change?.tip;
  const first = withEngine(head, options.home, budget, {
    engine,
    // One that is started can do the next round too.
    keep: options.round !== undefined,
    meanwhile: options.lints ? kustomizationsAhead(head) : undefined,
  });
  // One after the other: what V8 has compiled for the first serves the others, and memory is needed once.
  const { host } = first.engine;
  const another = (tree: Tree | undefined) =>
    tree && withEngine(tree, options.home, budget, { engine, host, warm: false });
  return { head: first, base: another(base), tip: another(tip) };
}

/** What is the same as in the round before is not built again. */
function builderOf({ tree, engine }: Opened, { progress, round }: WorkspaceOptions): Builder {
  const last = round?.before;
  const known = last && reusable(last.tree, tree, last.rendered);
  return new Builder(tree, engine, known, progress, last?.rendered);
}

/** The engines are closed when the work begins, and in any case. */
export async function loadWorkspace<Result>(
  options: WorkspaceOptions,
  work: (workspace: Workspace) => Result | Promise<Result>,
): Promise<Result> {
  const trees = await openTrees({ ...options, ...defined({ earlier: options.round?.before?.tree }) });
  const { head: tree, base: before } = trees;
  options.round?.opened(tree);
  const budget = new Budget(options.limits);
  const opened = openedOf(trees, options, budget);
  const server = serverOf(options, budget);
  beginServer(server, trees, options, 'small');
  const close = () => Promise.all(Object.values(opened).map((one) => one?.engine.close()));
  const { policy, baseline, own, problems: mistakes } = await policyOf(trees, options);
  const sources = sourcesOf(trees, opened, policy);
  try {
    if (!options.round?.before) void setImmediate().then(() => readAhead(join(options.home, 'schemas')));
    const head = builderOf(opened.head, options);
    const found = await entrypointsOf(opened.head, policy.config, options, head);
    if (opened.head.engine.kind === 'native') beginServer(server, trees, options, 'large');
    const rendered = await head.all(found.entrypoints);
    const earlier = before && opened.base && (await renderBase(rendered, tree, before, opened.base, policy, options));
    const { entrypoints, problems: gone } = union(found.entrypoints, earlier?.found.entrypoints ?? [], tree);
    const results = await head.all(entrypoints);
    options.round?.rendered(tree, results);
    const clusters = await clustersOf(
      { rendered: results, unrendered: unrenderedOf(found.unrendered, entrypoints, 'head') },
      earlier && { rendered: earlier.rendered, unrendered: earlier.unrendered },
      {
        sources,
        data: join(options.home, 'schemas'),
        trust: options.trust ?? 'same-repository',
        ...(options.release && { release: options.release }),
      },
    );
    // They hold much, and have no more to do. A thread takes 10 ms to end.
    void close();
    return await work({
      trees: { head: tree, ...defined({ base: before, tip: options.change?.tip }) },
      ...{ policy, baseline, server, budget },
      engine: opened.head.engine.kind,
      rendered: {
        head: inClusters(results, clusters, 'head'),
        ...(earlier && { base: inClusters(earlier.rendered, clusters, 'base') }),
      },
      inputs: inputsOf([found, earlier?.found], [policy.config, policy.before]),
      clusters,
      mistakes: {
        head: [...mistakes.head, ...gone, ...foundWrong(own.head, found, tree, options)],
        base: [...mistakes.base, ...foundWrong(own.base, earlier?.found, before, options)],
      },
      skipped: found.skipped,
    });
  } finally {
    sources.head.ownData?.close();
    sources.base.ownData?.close();
    await Promise.all([close(), server.close()]);
  }
}

/** Beside a large tree only what is a program, which takes nothing from another one: a second module would from the first. */
function beginServer(
  begun: LaterEngine,
  { head, base }: Trees,
  { server }: WorkspaceOptions,
  size: 'small' | 'large',
): void {
  const isAsked = server === 'simulates' ? base !== undefined : server === 'validates' && mayNeedServer(head);
  if (isAsked && isLarge(head) === (size === 'large')) begun.begin();
}

/** What is wrong with the entrypoints of a revision, and with the paths that its configuration gives to clusters. */
function foundWrong(
  config: Config | undefined,
  found: Discovered | undefined,
  tree: Tree | undefined,
  { paths }: WorkspaceOptions,
): Problem[] {
  if (!config || !found || !tree) return found?.problems ?? [];
  const unread = found.unrendered.flatMap(({ file }) => (file === undefined ? [] : posix.dirname(file)));
  const entrypoints = [...found.entrypoints, ...unread.map((path) => ({ path }))];
  return [...found.problems, ...unmatchedPaths(config, entrypoints, tree, paths.length === 0)];
}

/** What was rendered, as the clusters have it. */
function inClusters(
  rendered: readonly Rendered[],
  clusters: readonly Cluster[],
  revision: 'head' | 'base',
): Rendered[] {
  const known = new Map(
    clusters.flatMap((one) => one[revision]?.entrypoints ?? []).map((one) => [one.entrypoint, one]),
  );
  return rendered.map((one) => known.get(one.entrypoint) ?? one);
}

/** Where either revision says what is known of the clusters. */
function sourcesOf(
  trees: Trees,
  opened: Record<PolicyRevision, Opened | undefined> & { head: Opened },
  policy: Policy,
) {
  const source = sourceOf(trees, opened);
  const believesHead = policy.facts === 'head';
  return {
    head: source(policy.config, policy.from, policy.facts, believesHead),
    base: {
      ...source(policy.before, ofBase(policy.from), ofBase(policy.facts), believesHead),
      // What the head says for the first time holds for the base too.
      ...(believesHead && { otherwise: opened.head }),
    },
  };
}

function ofBase(origin: PolicyRevision): PolicyRevision {
  return origin === 'head' ? 'base' : origin;
}

/** A build whose inputs do not differ is not made again. */
async function renderBase(
  rendered: readonly Rendered[],
  head: Tree,
  tree: Tree,
  opened: Opened,
  policy: Policy,
  options: WorkspaceOptions,
) {
  const builder = new Builder(tree, opened.engine, reusable(head, tree, rendered));
  const found = await entrypointsOf(opened, policy.before, pathsIn(tree, options), builder);
  return {
    found,
    rendered: await builder.all(found.entrypoints),
    unrendered: unrenderedOf(found.unrendered, found.entrypoints, 'base'),
  };
}

/** Where a revision says what is known of the clusters, and the contract data that it brings along. */
function sourceOf(trees: Trees, opened: Record<PolicyRevision, Opened | undefined>) {
  return (config: Config, from: PolicyRevision, facts: PolicyRevision, believesHead: boolean): KnowledgeSource => {
    const { data } = config.cozystack;
    // A first configuration brings its data along.
    const isThere = data === undefined || trees[from]?.isDirectory(normalize(data));
    const tree = isThere || !believesHead ? trees[from] : trees.head;
    const ownData = tree && ownDataOf(config, tree);
    return { config, files: opened[facts], ...defined({ ownData }) };
  };
}

/** The configuration that counts, and what is wrong with those of both revisions. */
async function policyOf({ head, base, tip }: Trees, options: WorkspaceOptions) {
  const read = async (tree: Tree | undefined) => tree && (await readConfig(tree, rules, options.config));
  const [now, before] = [await read(head), await read(base)];
  const latest = options.change?.tip ? await read(tip) : undefined;
  const policy = decidePolicy({
    head: now?.config,
    base: before?.config,
    ...(latest && { tip: { config: latest.config } }),
    with: base ? 'base' : options.change || options.trust === 'fork' ? 'unknown' : 'nothing',
    trust: options.trust ?? 'same-repository',
  });
  const of = { head: baselineOf(head, now?.config), base: baselineOf(base, before?.config) };
  const used = policy.from === 'tip' ? baselineOf(tip, latest?.config) : of[policy.from];
  const problems = (side: 'head' | 'base', read: typeof now) => [
    ...(read?.problems ?? []),
    ...(of[side]?.problems ?? []),
  ];
  // Of a fork the configuration does not count.
  const own = { head: policy.facts === 'head' ? now?.config : undefined, base: before?.config };
  return {
    policy,
    baseline: used?.baseline,
    own,
    problems: { head: problems('head', now), base: problems('base', before) },
  };
}

/** The baseline that a configuration names, or what is wrong with it. */
function baselineOf(tree: Tree | undefined, config: Config | undefined): { baseline?: Baseline; problems: Problem[] } {
  const named = config?.baseline;
  if (!tree || !config || named === undefined) return { problems: [] };
  const file = normalize(named);
  const text = tree.text(file);
  const failed = (why: string) => {
    const at = { revision: tree.revision, file: config.file, document: 0, path: ['baseline'], part: 'value' as const };
    const help = 'write it with check --baseline FILE --write-baseline';
    return {
      problems: [
        {
          rule: 'invalid-config',
          message: `the baseline "${shorten(named, 60)}" ${why}, so it accepts nothing`,
          help,
          at,
        },
      ],
    };
  };
  if (text === undefined) return failed('does not exist');
  try {
    return { baseline: Baseline.read({ file: named, text }), problems: [] };
  } catch (error) {
    return failed((error as Error).message);
  }
}

/** Files that decide what is rendered and how it is judged, besides those that a build reads. */
function inputsOf(found: readonly (Discovered | undefined)[], configs: readonly Config[]): Set<string> {
  const named = configs.flatMap(({ file, baseline, cluster, clusters }) => [
    file,
    ...(baseline === undefined ? [] : [normalize(baseline)]),
    ...[cluster, ...clusters].flatMap(({ snapshot, roles = [] }) => [...(snapshot ? [snapshot] : []), ...roles]),
  ]);
  return new Set([...named, ...found.flatMap((one) => [...(one?.inputs ?? [])])]);
}

/** A directory that is new has no entrypoint in the base. */
function pathsIn(tree: Tree, options: WorkspaceOptions) {
  return {
    ...options,
    paths: options.paths.filter((path) => tree.isDirectory(path)),
    onlyPaths: options.paths.length > 0,
  };
}
