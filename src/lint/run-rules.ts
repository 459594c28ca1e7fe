/** Runs the rules, one after the other, over what one revision renders for every cluster. */

import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import type { Config } from '../config/config.js';
import type { Trust } from '../config/policy.js';
import type { Fact, NotChecked, Place, Problem, Revision, Tree } from '../core/model.js';
import type { ReportDescriptor, Rule } from '../rules/rule.js';

export type Subject = {
  config: Config;
  clusters: readonly Cluster[];
  trees: { head: Tree; base?: Tree };
  /** As 2026-12-31. */
  today: string;
  /** Whose change it is. */
  trust: Trust;
  /** URLs under which the repository is known. */
  remotes: readonly string[];
  /** The revision to judge. What was there before is known to the rules only when that is the head. */
  revision: Revision;
};

export function runRules(rules: readonly Rule[], subject: Subject): { problems: Problem[]; notChecked: NotChecked[] } {
  const { config, clusters, trees, today, revision, trust, remotes } = subject;
  const tree = trees[revision];
  const problems: Problem[] = [];
  const skipped = new Map<string, NotChecked>();
  const notChecked = (what: string, why: string, count = 1) => {
    const key = `${what}\n${why}`;
    skipped.set(key, { what, why, count: count + (skipped.get(key)?.count ?? 0) });
  };
  const everywhere = clusters.flatMap((cluster) => cluster[revision]?.entrypoints ?? []);
  for (const cluster of clusters) {
    const { name } = cluster;
    const [side, earlier] = revision === 'head' ? [cluster.head, cluster.base] : [cluster.base, undefined];
    if (!side || !tree) continue;
    const { facts, contract, permissions, snapshot } = side.known;
    const judged = withUnrendered(side);
    const known = { facts, contract, permissions, snapshot, objects: judged.objects };
    const before = earlier && trees.base ? { ...withUnrendered(earlier), tree: trees.base } : undefined;
    for (const rule of rules) {
      if (rule.needsBase && !before) continue;
      const report = ({ assumes = [], ...said }: ReportDescriptor) => {
        const guesses = assumes.map((fact) => facts.get(fact)).filter(({ source }) => source === 'assumed');
        problems.push({ rule: rule.id, ...said, at: inRevision(said.at, revision), assumes: named(guesses, name) });
      };
      const { severity: _, paths: __, ...options } = config.rules[rule.id] ?? {};
      rule.check?.({
        tree,
        cluster: name,
        ...judged,
        everywhere,
        base: before,
        known,
        owners: config.ownership,
        today,
        trust,
        remotes,
        options,
        report,
        notChecked,
      });
    }
  }
  return { problems, notChecked: [...skipped.values()] };
}

/** Flux objects that no build reads are validated like all others. */
function withUnrendered<Of extends RevisionObjects>(side: Of): Of {
  if (side.unrendered.length === 0) return side;
  const written = side.unrendered.flatMap((result) => (result.ok ? result.objects : []));
  return { ...side, objects: [...side.objects, ...written] };
}

/** A place in a file is one of the revision at hand, unless the rule says otherwise. */
export function inRevision(place: Place, revision: Revision): Place {
  return 'object' in place || place.revision ? place : { ...place, revision };
}

function named(facts: Fact[], cluster: string | undefined): Fact[] {
  return cluster === undefined ? facts : facts.map((fact) => ({ ...fact, cluster }));
}
