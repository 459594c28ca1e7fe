/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */
import { chartsNotAsked } from '../charts/not-asked.js';
import type { ChartsOptions } from '../charts/stage.js';
import type { Cluster } from '../cluster/cluster.js';
import { toldFact } from '../cluster/facts.js';
import { defined } from '../core/defined.js';
import type {
  EntrypointOutcome,
  Fact,
  Finding,
  NotChecked,
  Problem,
  Rendered,
  Run,
  StageOutcome,
} from '../core/model.js';
import { once } from '../core/once.js';
import { readTool } from '../core/version.js';
import type { SkippedKustomization } from '../discover/assemble.js';
import type { DryRunOptions } from '../dry-run/dry-run.js';
import { dryRunNotAsked } from '../dry-run/not-asked.js';
import { artifactsOf, isArtifactGenerator } from '../flux/artifacts.js';
import { withoutOwnValues } from '../secrets/findings.js';
import { hideInFinding, hideInRun, hiderOf } from '../secrets/hide.js';
import type { Hider } from '../secrets/hider.js';
import { secretValues, withoutSecrets } from '../secrets/values.js';
import type { SimulationStageOptions } from '../simulate/stage.js';
import { runValidation } from '../simulate/validation.js';
import { type Baseline, baselineText } from './baseline.js';
import { untouchedFiles } from './changed-files.js';
import { effectsOf } from './effects.js';
import { RevisionLinter } from './lint-revision.js';
import { listed } from './listed.js';
import { loadWorkspace, type Workspace, type WorkspaceOptions } from './load.js';
import { saidBy } from './said.js';
import { stageProblems, stagesOf } from './stages.js';
import { aboutIgnores } from './suppressions.js';

export type RunOptions = WorkspaceOptions & {
  /** The day, as 2026-12-31, by which ignores expire. */
  today?: string;
  /** Where only what is new counts, a change that touches no input needs no rendering. */
  onlyNew?: boolean;
  /** Whether, and how, to simulate what Flux does. */
  simulate?: SimulationStageOptions;
  /** Where the charts of the release are, to render them. */
  charts?: ChartsOptions;
  /** A server to ask. */
  dryRun?: DryRunOptions;
  /** Instead of what the configuration names. */
  baseline?: Baseline;
  /**
   * Is given the text of a baseline of all that is found, how many findings are in it, and the file that the configuration names.
   * No baseline counts then.
   */
  writeBaseline?: (text: string, count: number, file: string | undefined) => void;
};

function loadedFor(options: RunOptions): WorkspaceOptions {
  return { ...options, server: options.simulate ? 'simulates' : 'validates', lints: true };
}

export function run(options: RunOptions): Promise<Run> {
  return loadWorkspace(loadedFor(options), async (workspace) => {
    const { trees, policy, rendered, clusters, mistakes, skipped } = workspace;
    const baseline = options.writeBaseline ? undefined : (options.baseline ?? workspace.baseline);
    const judge = linterOf(workspace, options, baseline);
    const ofRepository = once(() => secretValues(trees, rendered));
    const untouched = untouchedIn(workspace, options);
    const offline = stagesOf(rendered.head, { tree: trees.base, missing: options.change?.why });
    const { validated, simulated, asked, charted } = untouched
      ? {}
      : await servers(workspace, judge, options, ofRepository);
    const excused = untouched ? leftOut(options) : [];
    const stages = [
      ...offline,
      ...[validated?.stage ?? [], simulated?.stage ?? []].flat(),
      ...(charted ? [charted.stage] : options.charts ? [] : chartsNotAsked(clusters)),
      ...(untouched ? excused : [asked?.stage ?? dryRunNotAsked]),
    ];
    const ran = ranOf(stages);
    const [refused, before] = (['head', 'base'] as const).map((side) =>
      [validated, simulated, asked, charted].flatMap((one) => one?.problems[side] ?? []),
    ) as [Problem[], Problem[]];
    const own = [...mistakes.head, ...stageProblems(policy.config, { stages, excused }, options.trust), ...refused];
    const checked = judge.lint('head', rendered.head, own, ran);
    const old = rendered.base && judge.lint('base', rendered.base, [...mistakes.base, ...before], ran);
    const { findings, ignored } = judge.markNew(checked, old);
    const refusals = once(() => [...judge.said('head'), ...checked.findings.filter(isOfServer)]);
    const hider = once(() => hiderOf({ trees, rendered }, charted?.secrets));
    writeBaseline(options, judge, checked.findings, { hider, file: policy.config.baseline });
    const effectsIn = (cluster: Cluster) => effectsOf(cluster, refusals(), simulated?.diffs) ?? [];
    const secrets = once(() => new Set([...ofRepository(), ...(charted?.secrets ?? [])]));
    const result: Run = {
      ...shown({ findings, ignored }, withoutOwnValues(rendered, secrets, judge.hide)),
      policy: [
        ...policy.notes,
        ...(baseline && !untouched && options.paths.length === 0 ? outdated(baseline, checked.unmatched ?? 0) : []),
      ],
      entrypoints: rendered.head.map(outcome),
      facts: clusters.flatMap(factsUsed),
      worlds: checked.worlds,
      stages,
      ...(rendered.base && { effects: clusters.flatMap(effectsIn) }),
      ...compared(simulated && withoutSecrets(simulated.diffs, secrets()), charted?.diffs, asked?.runs),
      notChecked: [
        ...clusters.flatMap(otherData),
        ...notFollowed(skipped, rendered.head),
        ...checked.notChecked,
        ...(validated?.notChecked ?? []),
        ...(asked?.notChecked ?? []),
        ...(charted?.notChecked ?? []),
      ],
      ...(untouched && { untouched: { files: untouched.length, base: trees.base?.description ?? '' } }),
      sources: judge.sources,
      tool: { ...readTool(options.home), ...defined({ engine: workspace.engine }) },
    };
    return hideInRun(result, hider);
  });
}

type Written = { hider: () => Hider; file: string | undefined };

function writeBaseline(options: RunOptions, judge: RevisionLinter, findings: Finding[], { hider, file }: Written) {
  const accepted = findings.filter(({ rule }) => !aboutIgnores.has(rule));
  const hide = (finding: Finding) => hideInFinding(finding, hider());
  options.writeBaseline?.(baselineText(accepted, judge, hide), accepted.length, file);
}

/** What has something in it. */
function compared(diffs: Run['diffs'] = [], charts: Run['charts'] = [], dryRun: Run['dryRun'] = []): Partial<Run> {
  return {
    ...(diffs.length > 0 && { diffs }),
    ...(charts.length > 0 && { charts }),
    ...(dryRun.length > 0 && { dryRun }),
  };
}

function shown({ findings, ignored }: Pick<Run, 'findings' | 'ignored'>, show: (finding: Finding) => Finding) {
  return {
    findings: listed(findings.map(show)),
    ignored: ignored.map((one) => ({ ...one, finding: show(one.finding) })),
  };
}

/** An entry that is kept after its finding is gone would hide its return. */
function outdated({ file }: Baseline, unmatched: number): string[] {
  if (unmatched === 0) return [];
  const entries = unmatched === 1 ? '1 entry' : `${unmatched} entries`;
  return [
    `${entries} of the baseline ${file} ${unmatched === 1 ? 'matches' : 'match'} no finding any more; write it again with --write-baseline`,
  ];
}

/** The action is one file, which has all of them. */
const stagesAsked = () => import(/* webpackMode: "eager" */ './asked.js');

/** What the rules say is held against what a server says, be it one that is asked or one that is simulated. */
async function servers(
  workspace: Workspace,
  judge: RevisionLinter,
  options: RunOptions,
  secrets: () => ReadonlySet<string>,
) {
  const { home, engine, simulate, dryRun: asking, charts } = options;
  const { policy, budget, trees, server, rendered, clusters, mistakes } = workspace;
  const said = saidBy(judge);
  // The simulation asks for what the validation asks for, and more.
  const validated = simulate ? undefined : await runValidation(clusters, { server, said });
  const predicted = once(() => {
    const problems = [...mistakes.head, ...(validated?.problems.head ?? [])];
    const { findings, ignored } = judge.lint('head', rendered.head, problems, ranOf([validated?.stage]));
    return { home, findings: [...findings, ...ignored.map(({ finding }) => finding)] };
  });
  const how = simulate && { ...simulate, said };
  const simulated =
    how &&
    (await (await stagesAsked()).runSimulation(clusters, how, { ...predicted(), server, locator: judge.locator }));
  const asked =
    asking && (await (await stagesAsked()).dryRun(clusters, asking, { ...predicted(), config: policy.config }));
  const needs = { home, budget, server, trees, secrets, ...defined({ engine }) };
  const charted =
    charts && (await (await stagesAsked()).runCharts(clusters, charts, { ...needs, findings: predicted().findings }));
  return { validated, simulated, asked, charted };
}

function untouchedIn(workspace: Workspace, { onlyNew }: RunOptions): string[] | undefined {
  return onlyNew ? untouchedFiles(workspace) : undefined;
}

function linterOf(
  { trees, policy, clusters, budget }: Workspace,
  { remotes, trust = 'same-repository', today = new Date().toISOString().slice(0, 10) }: RunOptions,
  baseline: Baseline | undefined,
): RevisionLinter {
  return new RevisionLinter(trees, policy, clusters, { today, trust, remotes, baseline, budget });
}

function isOfServer({ rule }: Finding): boolean {
  return rule === 'refused-by-server';
}

function ranOf(stages: readonly (StageOutcome | undefined)[]): string[] {
  return stages.flatMap((stage) => (stage?.ran ? [stage.name] : []));
}

/** Stages that were asked for, and that a change which touches nothing needs not. */
function leftOut({ simulate, charts, dryRun }: RunOptions): StageOutcome[] {
  const why = 'the change touches nothing that Flux applies';
  return [...(simulate ? ['simulation'] : []), ...(charts ? ['charts'] : []), ...(dryRun ? ['dry-run'] : [])].map(
    (name) => ({
      name,
      ran: false as const,
      why,
      optional: true as const,
    }),
  );
}

function outcome(result: Rendered): EntrypointOutcome {
  const { path, why } = result.entrypoint;
  return { path, why, objects: result.ok ? result.objects.length : 0, rendered: result.ok };
}

/** What the judgement of either revision rests on, as it is known now. */
function factsUsed({ name, facts, contract, base }: Cluster): Fact[] {
  const used = new Set(
    [facts, ...(base ? [base.known.facts] : [])].flatMap((one) => one.used().map((fact) => fact.name)),
  );
  return [...facts.all.values()]
    .filter((fact) => used.has(fact.name))
    .map((fact) => ({ ...toldFact(fact, contract), ...(name && { cluster: name }) }));
}

/** Data of a neighbouring release is close, but not the same. Of another line the fact says whose is used. */
function otherData({ contract, facts }: Cluster): NotChecked[] {
  const kubernetes = facts.all.get('kubernetes')?.value ?? contract.kubernetes;
  const release = `release ${facts.get('release').value}`;
  const other = { what: `what is different in ${release}`, why: 'there is no data for it', count: 1 };
  const ofRelease = contract.sameLine ? noData(release, contract.release) : other;
  return [
    ...(contract.exact ? [] : [ofRelease]),
    ...(kubernetes === contract.kubernetes ? [] : [noData(`Kubernetes ${kubernetes}`, contract.kubernetes)]),
  ];
}

function noData(what: string, used: string): NotChecked {
  return { what, why: `there is no data for it, so the data of ${used} is used`, count: 1 };
}

/** An artifact may be made of files of this repository, which is why it is not said to be another's. */
function notFollowed(skipped: readonly SkippedKustomization[], rendered: readonly Rendered[]): NotChecked[] {
  const generators = rendered.flatMap((one) => (one.ok ? one.objects.filter(isArtifactGenerator) : []));
  const makers = new Map(
    generators.flatMap((one) => {
      const { namespace, name } = one.ref;
      return artifactsOf(one).map((key) => [key, namespace ? `${namespace}/${name}` : name] as const);
    }),
  );
  return skipped.map(({ name, reason, artifact }) => {
    const maker = artifact !== undefined && makers.get(artifact);
    const made = maker
      ? `ArtifactGenerator "${maker}" makes it, and the files that it copies are not followed`
      : 'it is made in the cluster, by no ArtifactGenerator that is applied from this repository';
    const why = artifact === undefined ? 'not this repository’s to lint' : made;
    return { what: `Flux Kustomization "${name}" ${reason}`, why, count: 1 };
  });
}
