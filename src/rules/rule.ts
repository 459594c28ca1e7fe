/** The contract around a rule. A rule says what is wrong and at which field; it never computes a line. */

import type { RevisionObjects } from '../cluster/cluster.js';
import type { Known } from '../cluster/known.js';
import type { Permissions } from '../cluster/permissions.js';
import type { ConfiguredOwner } from '../config/config.js';
import type { Trust } from '../config/policy.js';
import type { FactName, JsonObject, Problem, Rendered, RenderedObject, Severity, Tree } from '../core/model.js';
import type { Applied } from '../flux/applied.js';
import type { Group } from './groups.js';

export type Rule = {
  id: string;
  /** What it is about: what is listed together, and what `--select` and `--ignore` take as well as ids. */
  group: Group;
  severity: Severity;
  /** One line for the table of rules. */
  summary: string;
  /**
   * All that it says is wrong, in one place of its file, above the rule: texts, or what makes one of the names and values at hand.
   * Each is in the report of a fixture (`__tests__/end-to-end/rules.test.ts`).
   */
  messages?: Messages;
  /** Of a rule that a stage reports: the modules, below the root of the project, that have its words. */
  wordsIn?: readonly string[];
  /** Options that the configuration may set below the rule's id, each as JSON Schema. */
  options?: { readonly [name: string]: JsonObject };
  /** What must be equal for a finding to be an old one: a scalar at its field unless this says otherwise. */
  compares?: ComparedBy;
  /** Judges by what changed: without a base it cannot run, and the report says so. */
  needsBase?: true;
  /** Reported by these stages alone: where none of them ran nobody knows whether there is anything to report. */
  stages?: readonly ('validation' | 'simulation' | 'charts' | 'dry-run')[];
  /** Reports builds that are refused because of it, as the render stage leaves them to `check`. */
  reportsRefusals?: true;
  /** Absent where a stage itself reports the problem. Called once for every cluster. */
  check?(context: RuleContext): void;
};

export type Messages = { readonly [name: string]: string | ((...values: never[]) => string) };

/** What a rule says of a problem; facts by name, of which only the merely assumed ones weigh. */
export type ReportDescriptor = Omit<Problem, 'rule' | 'assumes'> & { assumes?: FactName[] };

/** What is known of the cluster. */
export type RuleKnowledge = Known & {
  /** What the account that applies an entrypoint may do. */
  permissions: Permissions;
};

export type RuleContext = {
  tree: Tree;
  /** The cluster's name, where there are several. */
  cluster: string | undefined;
  /** Every entrypoint of the cluster, with what came of it. */
  entrypoints: readonly Rendered[];
  /** Those of all clusters: a file may be read by several. */
  everywhere: readonly Rendered[];
  /** The objects of all entrypoints that render. */
  objects: readonly RenderedObject[];
  /** Those of the objects that Flux applies, or may apply. */
  applied: readonly Applied[];
  /** The same before the change; undefined where there is nothing to compare with. */
  base: (RevisionObjects & { tree: Tree }) | undefined;
  known: RuleKnowledge;
  /** Owners of fields of Packages that the configuration names, besides those of the contract. */
  owners: readonly ConfiguredOwner[];
  /** As 2026-12-31. */
  today: string;
  /** Whose change it is: of a fork nobody with rights has vouched for it. */
  trust: Trust;
  /** URLs under which the repository is known. */
  remotes: readonly string[];
  /** What the configuration requires (`require`). */
  require: readonly string[];
  /** The rule's options, as the configuration sets them. */
  options: { readonly [name: string]: unknown };
  report(problem: ReportDescriptor): void;
  /** Something that could not be judged; equal ones are counted, and the file of the first object is reported. */
  notChecked(what: string, why: string, of?: { count?: number; object?: RenderedObject }): void;
};

/** What must be equal besides rule, object and field: nothing, a scalar there, the whole value there, or the whole object. */
export type ComparedBy = 'field' | 'scalar' | 'value' | 'object';
