/** The rules and the funnel over each revision, and what the two say together: what is new, and what is accepted. */
import { check, inRevision } from './check.js';
import { configFile } from './config/config.js';
import { Ignores } from './config/ignores.js';
import type { Policy } from './config/policy.js';
import type { Cluster } from './facts/clusters.js';
import { collect, inReadingOrder } from './findings.js';
import { Fixer } from './fix/fixer.js';
import { Locator } from './locate/locate.js';
import type { Finding, Ignored, NotChecked, Problem, Run } from './model.js';
import type { Rendered } from './render/render.js';
import { rules } from './rules/index.js';
import { knownSecrets } from './secrets/known.js';
import type { Tree } from './tree.js';

export type Judged = { findings: Finding[]; ignored: Ignored[]; notChecked: NotChecked[] };

/** The rules and the funnel over one revision or the other. */
export class Judge {
  readonly locator: Locator;

  constructor(
    private readonly trees: { head: Tree; base?: Tree },
    private readonly policy: Policy,
    private readonly clusters: readonly Cluster[],
    private readonly today: string,
  ) {
    this.locator = new Locator(trees);
  }

  /** `mistakes` are what the stages themselves found; `ran` names those that ran besides. */
  judge(
    revision: 'head' | 'base',
    rendered: readonly Rendered[],
    mistakes: readonly Problem[],
    ran: readonly string[] = [],
  ): Judged {
    const { trees, today } = this;
    const { config } = this.policy;
    this.#rendered.set(revision, rendered);
    const checked = this.#checked(revision);
    const problems = [...mistakes, ...nothingFound(rendered), ...refusals(rendered), ...checked.problems];
    const before = this.clusters.flatMap(({ base }) => base?.entrypoints ?? []);
    const base = trees.base && { tree: trees.base, rendered: before };
    const fixer = revision === 'head' ? new Fixer(trees.head, rendered, base) : undefined;
    const funnel = { locator: this.locator, config, severityOf, fixer };
    const findings = collect(
      problems.map((problem) => ({ ...problem, at: inRevision(problem.at, revision) })),
      funnel,
    );
    const ignores = new Ignores({
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
    return { findings: all, ignored, notChecked: checked.notChecked };
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

  readonly #known = new Map<string, ReturnType<typeof check>>();

  /** What the rules say is asked for again once a server has said more. */
  #checked(revision: 'head' | 'base'): ReturnType<typeof check> {
    const { trees, clusters, today, policy } = this;
    const checked =
      this.#known.get(revision) ?? check(rules, { config: policy.config, clusters, trees, today, revision });
    this.#known.set(revision, checked);
    return checked;
  }

  readonly sources: Run['sources'] = {
    text: (revision, file) => this.locator.source(revision, file)?.text,
    has: (revision, file) => {
      const tree = this.trees[revision];
      return tree !== undefined && (tree.has(file) || tree.isDirectory(file) || tree.links.includes(file));
    },
    secrets: (revision, file) => this.#secretsOf(revision).get(file) ?? {},
  };
}

/** Which findings are new; and which ignores came with the change, which a stranger may not bring along. */
export function compare(head: Judged, base: Judged | undefined, policy: Policy): Pick<Run, 'findings' | 'ignored'> {
  if (!base) return head;
  const known = new Set(base.findings.map(({ fingerprint }) => fingerprint));
  const accepted = new Set(base.ignored.map(({ finding }) => finding.fingerprint));
  const old = (finding: Finding) => known.has(finding.fingerprint) || accepted.has(finding.fingerprint);
  const ignored = head.ignored.map((one) => ({ ...one, isNew: !accepted.has(one.finding.fingerprint) }));
  const refused = policy.newIgnores ? [] : ignored.filter(({ isNew }) => isNew).map(({ finding }) => finding);
  return {
    findings: [...head.findings, ...refused]
      .sort(inReadingOrder)
      .map((finding) => ({ ...finding, isNew: !old(finding) })),
    ignored: policy.newIgnores ? ignored : ignored.filter(({ isNew }) => !isNew),
  };
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
  const message = 'There is nothing to check: no directory that Flux applies was found';
  const help = `name one with --path, or list entrypoints in ${configFile}`;
  return [{ rule: 'missing-entrypoint', message, help, at: { file: configFile } }];
}
