/** Runs the rules, one after the other, over what was rendered. */
import type { Contract } from './contract/contract.js';
import type { Fact, FactName, NotChecked, Problem, RenderedObject } from './model.js';
import type { Rendered } from './render/render.js';
import type { Rule } from './rules/rule.js';
import type { Tree } from './tree.js';

export type Subject = {
  tree: Tree;
  entrypoints: readonly Rendered[];
  objects: readonly RenderedObject[];
  contract: Contract;
  facts: ReadonlyMap<FactName, Fact>;
};

export function check(rules: readonly Rule[], subject: Subject): { problems: Problem[]; notChecked: NotChecked[] } {
  const problems: Problem[] = [];
  const skipped = new Map<string, NotChecked>();
  const notChecked = (what: string, why: string, count = 1) => {
    const key = `${what}\n${why}`;
    skipped.set(key, { what, why, count: count + (skipped.get(key)?.count ?? 0) });
  };
  for (const rule of rules) {
    const report = (problem: Omit<Problem, 'rule'>) => problems.push({ rule: rule.id, ...problem });
    rule.check?.({ ...subject, fact: (name) => subject.facts.get(name), report, notChecked });
  }
  return { problems, notChecked: [...skipped.values()] };
}
