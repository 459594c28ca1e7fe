/** The contract around a rule. A rule says what is wrong and at which field; it never computes a line. */
import type { Contract } from '../contract/contract.js';
import type { Fact, FactName, Problem, RenderedObject, Severity } from '../model.js';
import type { Rendered } from '../render/render.js';
import type { Tree } from '../tree.js';

export type Rule = {
  id: string;
  severity: Severity;
  /** One line for the table of rules. */
  summary: string;
  /** Absent where a stage itself reports the problem. */
  check?(context: RuleContext): void;
};

export type RuleContext = {
  tree: Tree;
  /** Every entrypoint, with what came of it. */
  entrypoints: readonly Rendered[];
  /** The objects of all entrypoints that render. */
  objects: readonly RenderedObject[];
  contract: Contract;
  fact(name: FactName): Fact | undefined;
  report(problem: Omit<Problem, 'rule'>): void;
  /** Something that could not be judged; equal ones are counted. */
  notChecked(what: string, why: string, count?: number): void;
};
