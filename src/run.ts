/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */
import { join } from 'node:path';
import { readConfig, requireConfig } from './config/config.js';
import { ownDataOf } from './config/data.js';
import { decidePolicy, type Trust } from './config/policy.js';
import { discover } from './discover/discover.js';
import { union } from './discover/union.js';
import { type Cluster, clustersOf } from './facts/clusters.js';
import { compare, Judge } from './judge.js';
import type { EntrypointOutcome, Fact, NotChecked, Run } from './model.js';
import { type Progress, type Rendered, render } from './render/render.js';
import { renderBase } from './render/unchanged.js';
import { openBase, withEngine } from './revision.js';
import { rules } from './rules/index.js';
import { missing, stagesOf } from './stages.js';
import { openWorkTree, type Tree } from './tree.js';
import { readTool } from './version.js';

export type RunOptions = {
  /** The repository's root. */
  directory: string;
  /** The directory that holds `dist/` and `schemas/` of this package. */
  home: string;
  paths: readonly string[];
  config?: string;
  release?: string;
  /** What to compare with; with `optional` it may be missing, as in a checkout without history. */
  base?: { revision: string; optional?: boolean };
  /** Where the change comes from. */
  trust?: Trust;
  /** URLs under which the repository is known, to tell its own Flux sources from others. */
  remotes: readonly string[];
  /** The day, as 2026-12-31, by which ignores expire. */
  today?: string;
  progress?: Progress;
};

export async function run(options: RunOptions): Promise<Run> {
  const tree = await openWorkTree(options.directory);
  requireConfig(tree, options.config);
  const before = options.base && (await openBase(options.directory, options.base));
  const head = withEngine(tree, options.home);
  const base = before && withEngine(before, options.home);
  const { policy, problems: mistakes } = policyOf(tree, before, options);
  const ownData = ownDataOf(policy.config, policy.from === 'base' && before ? before : tree);
  try {
    const found = await discover(tree, head.engine, policy.config, options);
    const known = base ? await discover(base.tree, base.engine, policy.config, pathsIn(base.tree, options)) : undefined;
    const { entrypoints, problems: gone } = union(found.entrypoints, known?.entrypoints ?? [], tree);

    const rendered = await render(tree, head.engine, entrypoints, options.progress);
    const renderedBefore = base && known && (await renderBase(head, base, known.entrypoints, rendered));
    const clusters = await clustersOf(rendered, renderedBefore, {
      config: policy.config,
      data: join(options.home, 'schemas'),
      facts: policy.facts === 'base' ? base : head,
      ...(ownData && { ownData: ownData.directory }),
      ...(options.release && { release: options.release }),
    });

    const trees = { head: tree, ...(before && { base: before }) };
    const judge = new Judge(trees, policy, clusters, options.today ?? new Date().toISOString().slice(0, 10));
    const stages = stagesOf(rendered, { wanted: options.base, tree: before });
    const checked = judge.judge('head', rendered, [...mistakes.head, ...gone, ...missing(policy.config, stages)]);
    const old = renderedBefore && judge.judge('base', renderedBefore, mistakes.base);
    const { findings, ignored } = compare(checked, old, policy);
    return {
      findings,
      ignored,
      policy: policy.notes,
      entrypoints: rendered.map(outcome),
      facts: clusters.flatMap(({ name, facts }) =>
        facts.used().map((fact) => ({ ...fact, ...(name && { cluster: name }) })),
      ),
      stages,
      notChecked: [...clusters.flatMap(otherRelease), ...found.skipped.map(notOurs), ...checked.notChecked],
      sources: judge.sources,
      tool: readTool(options.home),
    };
  } finally {
    ownData?.close();
    await Promise.all([head.engine.close(), base?.engine.close()]);
  }
}

/** The configuration that counts, and what is wrong with those of both revisions. */
function policyOf(head: Tree, base: Tree | undefined, options: RunOptions) {
  const [now, before] = [head, base].map((tree) => tree && readConfig(tree, rules, options.config));
  const policy = decidePolicy({
    head: now?.config,
    base: before?.config,
    with: base ? 'base' : options.base || options.trust === 'fork' ? 'unknown' : 'nothing',
    trust: options.trust ?? 'same-repository',
  });
  return { policy, problems: { head: now?.problems ?? [], base: before?.problems ?? [] } };
}

/** A directory that is new has no entrypoint in the base. */
function pathsIn(tree: Tree, options: RunOptions) {
  return {
    ...options,
    paths: options.paths.filter((path) => tree.isDirectory(path)),
    onlyPaths: options.paths.length > 0,
  };
}

function outcome(result: Rendered): EntrypointOutcome {
  const { path, why } = result.entrypoint;
  return { path, why, objects: result.ok ? result.objects.length : 0, rendered: result.ok };
}

/** Data of a neighbouring patch release is close, but not the same. */
function otherRelease({ contract, facts }: Cluster): NotChecked[] {
  if (contract.exact) return [];
  const asked: Fact = facts.get('release');
  const why = `there is no data for it, so that of ${contract.release} is used`;
  return [{ what: `release ${asked.value}`, why, count: 1 }];
}

function notOurs(what: string): NotChecked {
  return { what, why: 'not this repository’s to lint', count: 1 };
}
