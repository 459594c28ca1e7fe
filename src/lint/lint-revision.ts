/** The rules and the funnel over each revision, and what the two say together: what is new, and what is accepted. */

import { saysRefused } from '../apiserver/expected.js';
import type { Cluster } from '../cluster/cluster.js';
import { type Config, configFile } from '../config/config.js';
import type { Policy, Trust } from '../config/policy.js';
import {
  type AskedWorld,
  type Finding,
  type Ignored,
  type NotChecked,
  type Problem,
  type Rendered,
  type Run,
  revisionOf,
  type Tree,
} from '../core/model.js';
import type { Budget } from '../engine/host/budget.js';
import { Fixer } from '../fix/fixer.js';
import { clusterFolder } from '../flux/decoy.js';
import { rules } from '../rules/index.js';
import { knownSecrets } from '../secrets/known.js';
import { Locator } from '../yaml/locator.js';
import type { Baseline } from './baseline.js';
import { collect, inReadingOrder } from './findings.js';
import { type AppliedBy, type ComparedRevision, Identities, sure } from './identity.js';
import { type Checked, inRevision, runRules } from './run-rules.js';
import { commentsOf, Suppressions } from './suppressions.js';

export type LintResult = {
  findings: Finding[];
  ignored: Ignored[];
  notChecked: NotChecked[];
  worlds: AskedWorld[];
  /** Entries of the baseline that nothing is found of. */
  unmatched?: number;
};

/** The rules and the funnel over one revision or the other. */
export class RevisionLinter {
  readonly locator: Locator;
  readonly identities: Identities;

  constructor(
    private readonly trees: { head: Tree; base?: Tree; tip?: Tree },
    private readonly policy: Policy,
    private readonly clusters: readonly Cluster[],
    private readonly context: {
      today: string;
      trust: Trust;
      remotes: readonly string[];
      baseline?: Baseline | undefined;
      budget?: Budget | undefined;
    },
  ) {
    this.locator = new Locator(trees);
    this.identities = new Identities(this.locator, (id) => rules.find((rule) => rule.id === id)?.compares ?? 'scalar');
  }

  /** `mistakes` are what the stages themselves found; `ran` names those that ran besides. */
  lint(
    revision: 'head' | 'base',
    rendered: readonly Rendered[],
    mistakes: readonly Problem[],
    ran: readonly string[] = [],
  ): LintResult {
    const { trees, identities } = this;
    const { today } = this.context;
    const config = this.#config(revision);
    this.#rendered.set(revision, rendered);
    this.#reached.set(revision, reachedIn(rendered));
    const checked = this.#checked(revision);
    const problems = [...mistakes, ...nothingFound(rendered), ...refusals(rendered), ...checked.problems];
    const before = this.clusters.flatMap(({ base }) => base?.entrypoints ?? []);
    const base = trees.base && { tree: trees.base, rendered: before };
    const fixer = revision === 'head' ? new Fixer(trees.head, rendered, base) : undefined;
    const funnel = { locator: this.locator, config, severityOf, identities, fixer };
    const findings = collect(
      problems.map((problem) => ({ ...problem, at: inRevision(problem.at, revision) })),
      funnel,
    );
    const { baseline } = this.context;
    const accepted = baseline?.taker((finding) => this.idsOf(finding));
    const ignores = new Suppressions({
      ...(baseline && accepted && { baseline: { file: baseline.file, take: accepted.take } }),
      config,
      tree: trees[revision] as Tree,
      files: new Set([...rendered.flatMap(({ files }) => files), ...findings.map(({ at }) => at.file)]),
      today,
      rules: rules.map(({ id }) => id),
      silent: rules.flatMap(({ id, stages }) => (stages && !stages.some((stage) => ran.includes(stage)) ? [id] : [])),
      isOfTree: this.policy.from === revision,
    });
    const { findings: kept, ignored } = ignores.apply(findings);
    const all = [...kept, ...collect(ignores.problems(), funnel)].sort(inReadingOrder);
    const { notChecked, worlds } = checked;
    return { findings: all, ignored, notChecked, worlds, ...(accepted && { unmatched: accepted.left() }) };
  }

  /** What a finding is known by in a baseline. */
  idsOf(finding: Finding): string[] {
    return this.identities.ids(
      finding,
      this.#secretsOf(revisionOf(finding.at.revision)).get(finding.at.file)?.values ?? new Set(),
    );
  }

  /**
   * What the rules say that the API server refuses, as they themselves weigh it: what happens in a cluster does not rest on what is
   * ignored, or on what somebody calls an error.
   */
  said(revision: 'head' | 'base'): readonly Finding[] {
    const said = this.#said.get(revision) ?? this.#refusals(revision);
    this.#said.set(revision, said);
    return said;
  }

  readonly #said = new Map<'head' | 'base', readonly Finding[]>();

  #refusals(revision: 'head' | 'base'): Finding[] {
    if (!this.trees[revision]) return [];
    const { problems } = this.#checked(revision);
    const identities = new Identities(this.locator, () => 'field');
    const config = { ...this.#config(revision), rules: {} };
    return collect(
      problems.filter(saysRefused).map((problem) => ({ ...problem, at: inRevision(problem.at, revision) })),
      { locator: this.locator, config, severityOf, identities },
    );
  }

  readonly #rendered = new Map<'head' | 'base', readonly Rendered[]>();
  readonly #secrets = new Map<'head' | 'base', ReturnType<typeof knownSecrets>>();

  /** Asked for where a file is shown, so seldom. */
  #secretsOf(revision: 'head' | 'base'): ReturnType<typeof knownSecrets> {
    const tree = this.trees[revision];
    const secrets =
      this.#secrets.get(revision) ??
      (tree ? knownSecrets(tree, this.#rendered.get(revision) ?? [], this.locator) : new Map());
    this.#secrets.set(revision, secrets);
    return secrets;
  }

  readonly #known = new Map<string, Checked>();

  /** What the rules say is asked for again once a server has said more. */
  #checked(revision: 'head' | 'base'): Checked {
    const { trees, clusters, context } = this;
    const subject = { config: this.#config(revision), clusters, trees, revision, ...context };
    const checked = this.#known.get(revision) ?? runRules(rules, subject);
    this.#known.set(revision, checked);
    return checked;
  }

  readonly #reached = new Map<'head' | 'base', Reached>();

  /** Whether a source is this repository counts for a stranger's change alone. */
  #side(revision: 'head' | 'base', findings: readonly Finding[]): ComparedRevision {
    const reached = this.#reached.get(revision);
    const appliers = (entrypoint: string) =>
      (reached?.get(entrypoint) ?? []).map((one) =>
        this.policy.newIgnores && one.reach !== 'suspended' ? { ...one, reach: sure } : one,
      );
    return { findings, appliers };
  }

  /** Of which findings of the head those of the base have all. What our own change moves elsewhere stays what it was. */
  #old(base: readonly Finding[], head: readonly Finding[]): (finding: Finding) => boolean {
    return this.identities.taker(this.#side('base', base), this.#side('head', head), this.policy.newIgnores);
  }

  #config(revision: 'head' | 'base'): Config {
    return revision === 'head' ? this.policy.config : this.policy.before;
  }

  /**
   * Which findings are new; and which ignores came with the change, which a stranger may not bring along. An old ignore counts
   * for a stranger only while the tip of the base branch has it.
   */
  markNew(head: LintResult, base: LintResult | undefined): Pick<Run, 'findings' | 'ignored'> {
    if (!base) return head;
    const { policy } = this;
    const all = [...head.findings, ...head.ignored.map(({ finding }) => finding)];
    const known = this.#old(base.findings, all);
    const accepted = this.#old(
      base.ignored.map(({ finding }) => finding),
      all,
    );
    const ignored = head.ignored.map((one) => {
      const isOld = accepted(one.finding) && (policy.newIgnores || this.#isInTip(one));
      return { ...one, isNew: !isOld };
    });
    const refused = policy.newIgnores ? [] : ignored.filter(({ isNew }) => isNew).map(({ finding }) => finding);
    // What the base branch accepts no more is judged by what counts now: that the commit before had it accepted is no excuse.
    const isRefused = new Set(refused);
    const isOld = (finding: Finding) => known(finding) || (!isRefused.has(finding) && accepted(finding));
    return {
      findings: [...head.findings, ...refused]
        .sort(inReadingOrder)
        .map((finding) => ({ ...finding, isNew: !isOld(finding) })),
      ignored: policy.newIgnores ? ignored : ignored.filter(({ isNew }) => !isNew),
    };
  }

  #isInTip({ finding, reason, isOfBaseline }: Ignored): boolean {
    // The baseline is of the revision that the policy is of.
    if (isOfBaseline) return true;
    const { tip } = this.trees;
    const { rule, at } = finding;
    if (!tip || this.policy.config.ignores.some((one) => one.rule === rule && one.reason === reason)) return true;
    const text = tip.text(at.file) ?? '';
    return (
      text.includes(reason) &&
      commentsOf(text).some(({ comment }) => comment.includes(` ${rule} `) && comment.includes(reason))
    );
  }

  readonly sources: Run['sources'] = {
    text: (side, file) => this.locator.source(revisionOf(side), file)?.text,
    has: (side, file) => {
      const tree = this.trees[revisionOf(side)];
      return tree !== undefined && (tree.has(file) || tree.isDirectory(file) || tree.links.includes(file));
    },
    secrets: (side, file) => {
      const revision = revisionOf(side);
      const known = this.#secretsOf(revision).get(file) ?? {};
      const hidden = this.#hidden.get(JSON.stringify([revision, file]));
      return hidden ? { ...known, values: hidden } : known;
    },
  };

  /** With those that were known of the file before. */
  readonly #hidden = new Map<string, Set<string>>();

  /** Values that are shown nowhere in the files of that finding. */
  readonly hide = ({ at, related }: Finding, values: readonly string[]): void => {
    if (values.length === 0) return;
    for (const { revision, file } of [at, ...related.map((one) => one.at)]) {
      const key = JSON.stringify([revision, file]);
      const hidden = this.#hidden.get(key) ?? new Set(this.#secretsOf(revisionOf(revision)).get(file)?.values);
      for (const value of values) hidden.add(value);
      this.#hidden.set(key, hidden);
    }
  };
}

/** By path of the entrypoint, as a finding names it: each account and cluster once, with the best way to get there. */
type Reached = ReadonlyMap<string, readonly AppliedBy[]>;

function reachedIn(rendered: readonly Rendered[]): Reached {
  const found = new Map<string, Map<string, AppliedBy>>();
  for (const { entrypoint } of rendered) {
    const { path, account, reach = sure } = entrypoint;
    const one = { account: JSON.stringify(account ?? null), cluster: clusterFolder(entrypoint) ?? '', reach };
    const appliers = found.get(path) ?? new Map<string, AppliedBy>();
    found.set(path, appliers);
    const key = JSON.stringify([one.account, one.cluster]);
    const known = appliers.get(key);
    const isBetter = known?.reach === 'suspended' || reach === sure;
    if (!known || isBetter) appliers.set(key, one);
  }
  return new Map([...found].map(([path, appliers]) => [path, [...appliers.values()]]));
}

function severityOf(id: string) {
  return rules.find((rule) => rule.id === id)?.severity ?? 'error';
}

/** Some rules know more of a refusal than the stage, and report it themselves. */
function refusals(rendered: readonly Rendered[]): Problem[] {
  const own = new Set(rules.flatMap(({ id, reportsRefusals }) => (reportsRefusals ? [id] : [])));
  return rendered.flatMap((result) => (result.ok || own.has(result.problem.rule) ? [] : [result.problem]));
}

/** A check that looked at nothing must not be green. */
function nothingFound(rendered: readonly Rendered[]): Problem[] {
  if (rendered.length > 0) return [];
  const message = 'no directory that Flux applies was found, so nothing is checked';
  const help = `name one with --path, or list entrypoints in ${configFile}`;
  return [{ rule: 'missing-entrypoint', message, help, at: { file: configFile } }];
}
