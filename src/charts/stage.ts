/** The stage `charts`: what Helm makes of the Packages of a repository, and what of it is a problem. */
import { join } from 'node:path';
import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import { whyNotRun } from '../core/built.js';
import { defined } from '../core/defined.js';
import type {
  ChartDiff,
  Finding,
  JsonObject,
  NotChecked,
  Problem,
  RenderedObject,
  StageOutcome,
  Tree,
} from '../core/model.js';
import { firstInWords } from '../core/text.js';
import { isPackage, platformValuesPath } from '../cozystack/package.js';
import type { LaterEngine } from '../engine/host/apply-engine.js';
import type { Budget } from '../engine/host/budget.js';
import { HelmEngine } from '../engine/host/helm-engine.js';
import type { EngineChoice } from '../engine/host/installed.js';
import { withoutSecrets } from '../secrets/values.js';
import { type Blamed, causesOf, placesOf, valuesInWords } from './culprits.js';
import { chartDiffsOf } from './difference.js';
import { valuesWithoutEffect } from './effects.js';
import { failureProblem, faultsOf, type Judged, leavesBelow, loadProblem, textOf, without, wordsOf } from './fails.js';
import { isHelmRelease } from './helm-releases.js';
import { componentsIn, stage } from './not-asked.js';
import { type RefusalNeeds, refusalProblems } from './refusal-problems.js';
import { ObjectServer } from './refused.js';
import { releaseLabel } from './releases.js';
import { ChartRenderer } from './renderer.js';
import { schemaProblems } from './schema-problems.js';
import { chartSecrets, isSecret, shownReasons } from './secrets.js';
import { type ChartSide, type PlatformFailure, releasesWith, renderableSide, sideOf } from './side.js';
import type { ChartStore } from './store.js';

const messages = {
  platformFails: (name: string, values: string, why: string) =>
    `Package "${name}": the chart of the platform fails with ${values}: ${why}`,
};

export type ChartsOptions = {
  store: ChartStore;
  progress?: (done: number, total: number, what: string) => void;
};

export type ChartsStage = {
  stage: StageOutcome;
  problems: { head: Problem[]; base: Problem[] };
  notChecked: NotChecked[];
  /** What changes below the Packages, where there is a base. */
  diffs: ChartDiff[];
  /** What the charts hold in Secrets, and of which they were told that it is secret. */
  secrets: ReadonlySet<string>;
};

export type ChartsNeeds = {
  /** The directory that holds `dist`. */
  home: string;
  engine?: EngineChoice;
  budget: Budget;
  trees: { head: Tree; base?: Tree | undefined };
  /** Kubernetes' own code, to ask which changes it refuses. */
  server: LaterEngine;
  /** What of the repository is secret, wherever it stands. */
  secrets: () => ReadonlySet<string>;
};

type JudgeNeeds = ChartsNeeds & {
  /** Those of the rules. */
  findings: readonly Finding[];
};

/** What goes wrong is said, and leaves the rest of the report as it is. */
export async function runCharts(
  clusters: readonly Cluster[],
  charts: ChartsOptions,
  needs: JudgeNeeds,
): Promise<ChartsStage> {
  const found = { problems: { head: [] as Problem[], base: [] as Problem[] }, notChecked: [] as NotChecked[] };
  const diffs: ChartDiff[] = [];
  const secrets = new Set<string>();
  const told = (outcome: StageOutcome): ChartsStage => ({ stage: outcome, ...found, diffs, secrets });
  try {
    await forEachCluster(clusters, charts, needs, async (renderer, cluster) => {
      const judged = await judgeCluster(renderer, cluster, needs);
      const known = new Set([...needs.secrets(), ...judged.secrets]);
      found.problems.head.push(...withoutSecretWords(judged.problems.head, known));
      found.problems.base.push(...withoutSecretWords(judged.problems.base, known));
      found.notChecked.push(...withoutSecretReasons(judged.notChecked, known));
      diffs.push(...withoutSecrets(judged.diffs, known));
      for (const secret of judged.secrets) secrets.add(secret);
    });
    return told({ name: stage, ran: true });
  } catch (error) {
    return told({ name: stage, ran: false, why: whyNotRun(error) });
  }
}

/** What changes below the Packages of clusters, for who asks for nothing else. */
export async function chartDiffs(
  clusters: readonly Cluster[],
  charts: ChartsOptions,
  needs: ChartsNeeds,
): Promise<Pick<ChartsStage, 'diffs' | 'secrets'>> {
  const diffs: ChartDiff[] = [];
  const secrets = new Set<string>();
  await forEachCluster(clusters, charts, needs, async (renderer, cluster) => {
    const { trees } = needs;
    const head = await renderableSide(renderer, cluster.head, trees.head);
    const before = cluster.base ?? { ...cluster.head, objects: [], applied: [] };
    const base = await renderableSide(renderer, before, trees.base ?? trees.head);
    const made = await chartDiffsOf(renderer, base, head, needs.server);
    for (const secret of chartSecrets(manifestsIn(cluster), made.secrets, valuesOfSecrets(head, base)))
      secrets.add(secret);
    diffs.push(...ofCluster(made.diffs, cluster));
  });
  return { diffs: withoutSecrets(diffs, new Set([...needs.secrets(), ...secrets])), secrets };
}

export async function forEachCluster(
  clusters: readonly Cluster[],
  { store, progress }: ChartsOptions,
  { home, budget, engine = 'auto' }: ChartsNeeds,
  work: (renderer: ChartRenderer, cluster: Cluster) => Promise<void>,
): Promise<void> {
  let index = 0;
  const say = (what: string) => progress?.(index, clusters.length, what);
  const renderer = new ChartRenderer(
    store,
    () => HelmEngine.open(join(home, 'dist', 'engine'), budget, engine),
    budget,
    (release) => say(`rendering charts (${release})`),
  );
  try {
    for (const cluster of clusters) {
      say('rendering charts');
      await work(renderer, cluster);
      index += 1;
    }
  } finally {
    await renderer.close();
  }
}

/** With all that is secret in it. */
async function judgeCluster(
  renderer: ChartRenderer,
  cluster: Cluster,
  needs: JudgeNeeds,
): Promise<Omit<ChartsStage, 'stage'>> {
  const { server, trees } = needs;
  const head = await judgeRevision(renderer, cluster.head, trees.head, needs);
  const base = cluster.base && (await judgeRevision(renderer, cluster.base, trees.base ?? trees.head, needs));
  const changed = head.side && base?.side ? await chartDiffsOf(renderer, base.side, head.side, server) : undefined;
  const secrets = [...head.secrets, ...(base?.secrets ?? []), ...(changed?.secrets ?? [])];
  return {
    problems: { head: [...head.problems, ...(changed?.problems ?? [])], base: base?.problems ?? [] },
    notChecked: head.notChecked,
    diffs: ofCluster(changed?.diffs ?? [], cluster),
    secrets: chartSecrets(manifestsIn(cluster), secrets, valuesOfSecrets(head.side, base?.side)),
  };
}

/** Those that may have values for charts. */
export function manifestsIn({ head, base }: Cluster): JsonObject[] {
  const objects = [...head.objects, ...(base?.objects ?? [])];
  return objects.filter((object) => isPackage(object) || isHelmRelease(object)).map(({ value }) => value);
}

export function valuesOfSecrets(...sides: readonly (ChartSide | undefined)[]): JsonObject[] {
  return sides.flatMap((side) => (side ? [...side.helmReleases.values()].flatMap(({ secrets }) => secrets) : []));
}

function ofCluster(diffs: readonly Omit<ChartDiff, 'cluster'>[], { name }: Cluster): ChartDiff[] {
  return diffs.map((diff) => ({ ...defined({ cluster: name }), ...diff }));
}

/** A chart may say what it was told. */
function withoutSecretWords(problems: readonly Problem[], secrets: ReadonlySet<string>): Problem[] {
  const messages = shownReasons(
    problems.map(({ message }) => message),
    secrets,
  );
  return problems.map((problem, index) => ({ ...problem, message: messages[index] ?? problem.message }));
}

function withoutSecretReasons(notChecked: readonly NotChecked[], secrets: ReadonlySet<string>): NotChecked[] {
  const reasons = shownReasons(
    notChecked.map(({ why }) => why),
    secrets,
  );
  return notChecked.map((one, index) => ({ ...one, why: reasons[index] ?? one.why }));
}

type Revision = { side?: ChartSide; problems: Problem[]; notChecked: NotChecked[]; secrets: JsonObject[] };

async function judgeRevision(
  renderer: ChartRenderer,
  revision: RevisionObjects,
  tree: Tree,
  { findings, server }: Pick<JudgeNeeds, 'findings' | 'server'>,
): Promise<Revision> {
  const side = await sideOf(renderer, revision, tree);
  if ('failed' in side) return platformProblem(renderer, revision, tree, side);
  const { releases, notChecked } = releasesOfRepository(side);
  const made: Revision = { side, problems: [], notChecked, secrets: [] };
  const release = revision.known.facts.get('release');
  const asked = { findings, server: new ObjectServer(server, side.schemas), release };
  for (const one of releases) {
    const said = await judgeRelease(renderer, { side, ...one }, asked);
    made.problems.push(...said.problems);
    made.notChecked.push(...said.notChecked);
    made.secrets.push(...said.secrets);
  }
  return made;
}

/** Those of which the repository says something, or whose charts are its own. */
export function releasesOfRepository(side: ChartSide): { releases: Omit<Judged, 'side'>[]; notChecked: NotChecked[] } {
  const notChecked = notHere(side);
  const releases = side.packages.flatMap((object): Omit<Judged, 'side'>[] => {
    const written = componentsIn(object.value);
    return releasesWith(side, object.ref.name, object.value)
      .filter(({ component, chart }) => written.includes(component) || chart.store !== undefined)
      .map((release) => ({ object, release }));
  });
  const elsewhere: string[] = [];
  for (const [id, { object, make }] of side.helmReleases) {
    const release = make(object.value);
    const label = `HelmRelease "${id}"`;
    if (!('why' in release)) releases.push({ object, release });
    else if (release.elsewhere === undefined)
      notChecked.push({ what: `what the chart of ${label} makes`, why: release.why, count: 1 });
    else elsewhere.push(release.elsewhere === '' ? label : `${label} (${release.elsewhere})`);
  }
  return { releases, notChecked: [...notChecked, ...fromElsewhere(elsewhere)] };
}

/** One for all: who has many of them needs no line for each. */
function fromElsewhere(labels: readonly string[]): NotChecked[] {
  const why = `its chart comes from another source than this repository: ${firstInWords(labels)}`;
  return labels.length > 0 ? [{ what: 'what the chart of a HelmRelease makes', why, count: labels.length }] : [];
}

async function judgeRelease(
  renderer: ChartRenderer,
  judged: Judged,
  { findings, ...asked }: Pick<JudgeNeeds, 'findings'> & RefusalNeeds,
): Promise<Omit<Revision, 'side'>> {
  const response = await renderer.render(judged.release, judged.side.world);
  const nothing: Omit<Revision, 'side'> = { problems: [], notChecked: [], secrets: [] };
  if (!('failed' in response)) {
    const secrets = response.objects.map(({ object }) => object).filter(isSecret);
    const refused = await refusalProblems(renderer, judged, response.objects, asked);
    const idle = await valuesWithoutEffect(renderer, judged, response.objects, findings);
    return { problems: [...refused.problems, ...idle], notChecked: refused.notChecked, secrets };
  }
  const { failed } = response;
  const load = failed.stage === 'load' && loadProblem(judged, failed);
  if (load) return { ...nothing, problems: [load] };
  if (failed.stage === 'load' || failed.stage === 'limit')
    return { ...nothing, notChecked: [notRendered(judged, wordsOf(failed))] };
  const refused = failed.stage === 'schema' ? await schemaProblems(renderer, judged, response, findings) : undefined;
  if (Array.isArray(refused)) return { ...nothing, problems: refused };
  const problem = refused ?? (await failureProblem(renderer, judged, failed));
  if ('notChecked' in problem) return { ...nothing, notChecked: [notRendered(judged, problem.notChecked)] };
  return { ...nothing, problems: [problem] };
}

/** The PackageSources of the repository whose charts are somewhere else. */
function notHere({ sources }: ChartSide): NotChecked[] {
  return [...sources].flatMap(([name, { home }]) =>
    home && 'elsewhere' in home
      ? [{ what: `the charts of PackageSource "${name}"`, why: home.elsewhere, count: 1 }]
      : [],
  );
}

function notRendered({ release }: Judged, why: string): NotChecked {
  return { what: `what the chart of ${releaseLabel(release)} makes`, why, count: 1 };
}

/** Without it nobody knows the values of any other. */
async function platformProblem(
  renderer: ChartRenderer,
  revision: RevisionObjects,
  tree: Tree,
  { failed, objects }: PlatformFailure,
): Promise<Revision> {
  const why = `the platform’s own chart fails: ${wordsOf(failed)}`;
  const notKnown = { problems: [], notChecked: [{ what: 'the charts of the platform', why, count: 1 }], secrets: [] };
  if (objects.length === 0 || failed.stage === 'load') return notKnown;
  const all = objects.flatMap((object) =>
    leavesBelow(object.value, platformValuesPath).map((path): Blamed => ({ object, path })),
  );
  const trial = async (gone: readonly Blamed[]) => {
    const kept = <Of extends RenderedObject>(object: Of): Of => {
      const paths = gone.flatMap((one) => (one.object === object ? [one.path] : []));
      return paths.length > 0 ? { ...object, value: without(object.value, paths) } : object;
    };
    const [remaining, applied] = [revision.objects.map(kept), revision.applied.map(kept)];
    const side = await sideOf(renderer, { ...revision, objects: remaining, applied }, tree);
    return 'failed' in side ? faultsOf(side.failed) : [];
  };
  const [fault = { reason: '', place: '' }] = faultsOf(failed);
  const causes = (await causesOf(all, fault, trial)).flatMap(({ items, heals }) => (heals ? [items] : []));
  const [first] = causes.flat();
  if (!first) return notKnown;
  const isCertain = failed.own !== undefined;
  const values = valuesInWords(causes, platformValuesPath.length);
  const problem = {
    rule: 'chart-fails',
    ...textOf(messages.platformFails(first.object.ref.name, values, wordsOf(failed)), failed),
    ...placesOf(causes, first),
    ...(!isCertain && { severity: 'warning' as const }),
  };
  return { ...notKnown, problems: [problem] };
}
