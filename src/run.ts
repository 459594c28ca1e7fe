/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */
import { join } from 'node:path';
import { check, inRevision } from './check.js';
import { type Config, configFile, readConfig, requireConfig } from './config/config.js';
import { ownDataOf } from './config/data.js';
import { Ignores } from './config/ignores.js';
import { decidePolicy, type Policy, type Trust } from './config/policy.js';
import { discover } from './discover/discover.js';
import { union } from './discover/union.js';
import { type Cluster, clustersOf } from './facts/clusters.js';
import { collect } from './findings.js';
import { Locator } from './locate/locate.js';
import type { EntrypointOutcome, Fact, Finding, Ignored, NotChecked, Problem, Run, StageOutcome } from './model.js';
import { type Progress, type Rendered, render } from './render/render.js';
import { unchanged } from './render/unchanged.js';
import { type Opened, openBase, withEngine } from './revision.js';
import { rules } from './rules/index.js';
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
    const judged = new Judge(trees, policy, clusters, options);
    const stages = stagesOf(rendered, before, options);
    const checked = judged.judge('head', rendered, [...mistakes.head, ...gone, ...missing(policy.config, stages)]);
    const old = renderedBefore && judged.judge('base', renderedBefore, mistakes.base);
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
      sources: judged.sources,
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

/** What the base renders; a build whose inputs are the same is not made again. */
async function renderBase(head: Opened, base: Opened, entrypoints: Rendered['entrypoint'][], rendered: Rendered[]) {
  const same = unchanged(head.tree, base.tree);
  const key = ({ path, kustomization }: Rendered['entrypoint']) => JSON.stringify([path, kustomization]);
  const reusable = new Map(rendered.filter(same).map((result) => [key(result.entrypoint), result]));
  const results: Rendered[] = [];
  for (const entrypoint of entrypoints) {
    results.push(
      reusable.get(key(entrypoint)) ?? ((await render(base.tree, base.engine, [entrypoint]))[0] as Rendered),
    );
  }
  return results;
}

type Judged = { findings: Finding[]; ignored: Ignored[]; notChecked: NotChecked[] };

/** The rules and the funnel over one revision or the other. */
class Judge {
  readonly #locator: Locator;

  constructor(
    private readonly trees: { head: Tree; base?: Tree },
    private readonly policy: Policy,
    private readonly clusters: readonly Cluster[],
    private readonly options: RunOptions,
  ) {
    this.#locator = new Locator(trees);
  }

  judge(revision: 'head' | 'base', rendered: readonly Rendered[], mistakes: readonly Problem[]): Judged {
    const { trees, clusters } = this;
    const { config } = this.policy;
    const today = this.options.today ?? new Date().toISOString().slice(0, 10);
    const checked = check(rules, { config, clusters, trees, today, revision });
    const problems = [...mistakes, ...nothingFound(rendered), ...refusals(rendered), ...checked.problems];
    const funnel = { locator: this.#locator, config, severityOf };
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
    });
    const { findings: kept, ignored } = ignores.apply(findings);
    const all = [...kept, ...collect(ignores.problems(), funnel)];
    return { findings: all, ignored, notChecked: checked.notChecked };
  }

  readonly sources: Run['sources'] = {
    text: (revision, file) => this.#locator.source(revision, file)?.text,
    has: (revision, file) => {
      const tree = this.trees[revision];
      return tree !== undefined && (tree.has(file) || tree.isDirectory(file));
    },
  };
}

/** Which findings are new; and which ignores came with the change, which a stranger may not bring along. */
function compare(head: Judged, base: Judged | undefined, policy: Policy): Pick<Run, 'findings' | 'ignored'> {
  if (!base) return head;
  const known = new Set(base.findings.map(({ fingerprint }) => fingerprint));
  const accepted = new Set(base.ignored.map(({ finding }) => finding.fingerprint));
  const old = (finding: Finding) => known.has(finding.fingerprint) || accepted.has(finding.fingerprint);
  const ignored = head.ignored.map((one) => ({ ...one, isNew: !accepted.has(one.finding.fingerprint) }));
  const refused = policy.newIgnores ? [] : ignored.filter(({ isNew }) => isNew).map(({ finding }) => finding);
  return {
    findings: [...head.findings, ...refused].map((finding) => ({ ...finding, isNew: !old(finding) })),
    ignored: policy.newIgnores ? ignored : ignored.filter(({ isNew }) => !isNew),
  };
}

function severityOf(id: string) {
  return rules.find((rule) => rule.id === id)?.severity ?? 'error';
}

function refusals(rendered: readonly Rendered[]): Problem[] {
  return rendered.flatMap((result) => (result.ok ? [] : [result.problem]));
}

/** A check that looked at nothing must not be green. */
function nothingFound(rendered: readonly Rendered[]): Problem[] {
  if (rendered.length > 0) return [];
  const message = 'There is nothing to check: no directory that Flux applies was found';
  const help = `name one with --path, or list entrypoints in ${configFile}`;
  return [{ rule: 'missing-entrypoint', message, help, at: { file: configFile } }];
}

/** The configuration may ask for stages that are otherwise optional. */
function missing({ require, file }: Config, stages: readonly StageOutcome[]): Problem[] {
  return require.flatMap((name, index) => {
    const stage = stages.find((one) => one.name === name);
    if (stage?.ran) return [];
    const why = stage ? stage.why : 'it is not part of this run';
    const at = { file, document: 0, path: ['require', index] };
    return [{ rule: 'skipped-stage', message: `The stage "${name}" is required, but did not run: ${why}`, at }];
  });
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

function stagesOf(rendered: readonly Rendered[], base: Tree | undefined, options: RunOptions): StageOutcome[] {
  const built = rendered.some((result) => result.ok);
  return [
    { name: 'render', ran: true },
    built ? { name: 'rules', ran: true } : { name: 'rules', ran: false, why: 'nothing could be rendered' },
    base ? { name: 'base', ran: true, against: base.description } : withoutBase(options),
  ];
}

/** The rules that judge by what changed are named: nobody should think that they had nothing to say. */
function withoutBase({ base }: RunOptions): StageOutcome {
  const silent = rules.filter(({ needsBase }) => needsBase).map(({ id }) => id);
  const so = silent.length > 0 ? `, so these rules could not judge: ${silent.join(', ')}` : '';
  if (!base) return { name: 'base', ran: false, why: `no base was given${so}`, optional: true };
  const why = `commit ${base.revision.slice(0, 12)} is not in this checkout; fetch it, as with fetch-depth: 0`;
  return { name: 'base', ran: false, why: `${why}${so}` };
}
