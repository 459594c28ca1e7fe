/** What a repository renders, before and after a change, and for which clusters: all that comes before judging it. */
import { join } from 'node:path';
import { readConfig, requireConfig } from './config/config.js';
import { ownDataOf } from './config/data.js';
import { decidePolicy, type Policy, type Trust } from './config/policy.js';
import { discover } from './discover/discover.js';
import { union } from './discover/union.js';
import { Budget, type Limits } from './engine/budget.js';
import { type Cluster, clustersOf } from './facts/clusters.js';
import type { Problem } from './model.js';
import { type Progress, type Rendered, render } from './render/render.js';
import { renderBase } from './render/unchanged.js';
import { openBase, withEngine } from './revision.js';
import { rules } from './rules/index.js';
import { openWorkTree, type Tree } from './tree.js';

export type SurveyOptions = {
  /** The repository's root. */
  directory: string;
  /** The directory that holds `dist/` and `schemas/` of this package. */
  home: string;
  paths: readonly string[];
  config?: string;
  release?: string;
  /** What to compare with, a revision of git or a directory. */
  base?: string;
  /** In place of the work tree and the base: what somebody else has opened, and why where something is missing. */
  change?: { head?: Tree; base?: Tree; why: readonly string[] };
  /** The files to judge in place of the work tree, where they are not written yet. */
  head?: Tree;
  /** Where the change comes from. */
  trust?: Trust;
  /** URLs under which the repository is known, to tell its own Flux sources from others. */
  remotes: readonly string[];
  progress?: Progress;
  /** What all engines of the run may use together. */
  limits?: Limits;
};

export type Survey = {
  trees: { head: Tree; base?: Tree };
  policy: Policy;
  /** What is left of what the run may use. */
  budget: Budget;
  rendered: { head: Rendered[]; base?: Rendered[] };
  clusters: Cluster[];
  /** What is wrong with the configuration and the entrypoints themselves. */
  mistakes: { head: Problem[]; base: Problem[] };
  /** Flux objects that render another repository. */
  skipped: string[];
};

/** The engines are closed when the work begins, and in any case. */
export async function survey<Result>(
  options: SurveyOptions,
  work: (survey: Survey) => Result | Promise<Result>,
): Promise<Result> {
  const { change } = options;
  const tree = options.head ?? change?.head ?? (await openWorkTree(options.directory));
  requireConfig(tree, options.config);
  const before =
    change?.base ?? (options.base === undefined ? undefined : await openBase(options.directory, options.base));
  const budget = new Budget(options.limits);
  const head = withEngine(tree, options.home, budget);
  const base = before && withEngine(before, options.home, budget);
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
    // They hold much, and have no more to do.
    await Promise.all([head.engine.close(), base?.engine.close()]);
    return await work({
      trees: { head: tree, ...(before && { base: before }) },
      policy,
      budget,
      rendered: { head: rendered, ...(renderedBefore && { base: renderedBefore }) },
      clusters,
      mistakes: { head: [...mistakes.head, ...gone], base: mistakes.base },
      skipped: found.skipped,
    });
  } finally {
    ownData?.close();
    await Promise.all([head.engine.close(), base?.engine.close()]);
  }
}

/** The configuration that counts, and what is wrong with those of both revisions. */
function policyOf(head: Tree, base: Tree | undefined, options: SurveyOptions) {
  const [now, before] = [head, base].map((tree) => tree && readConfig(tree, rules, options.config));
  const policy = decidePolicy({
    head: now?.config,
    base: before?.config,
    with: base ? 'base' : options.change || options.trust === 'fork' ? 'unknown' : 'nothing',
    trust: options.trust ?? 'same-repository',
  });
  return { policy, problems: { head: now?.problems ?? [], base: before?.problems ?? [] } };
}

/** A directory that is new has no entrypoint in the base. */
function pathsIn(tree: Tree, options: SurveyOptions) {
  return {
    ...options,
    paths: options.paths.filter((path) => tree.isDirectory(path)),
    onlyPaths: options.paths.length > 0,
  };
}
