/** The stage `charts`: what Helm makes of the Packages of a repository, and what of it is a problem. */
import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import { defined } from '../core/defined.js';
import {
  type ChartDiff,
  type Finding,
  type NotChecked,
  type Problem,
  type StageOutcome,
  UsageError,
} from '../core/model.js';
import { isPackage, platformValuesPath } from '../cozystack/package.js';
import type { LaterEngine } from '../engine/host/apply-engine.js';
import type { Budget } from '../engine/host/budget.js';
import { HelmEngine } from '../engine/host/helm-engine.js';
import type { EngineChoice } from '../engine/host/start.js';
import { chartDiffsOf } from './difference.js';
import { valuesWithoutEffect } from './effects.js';
import { failureProblem, type Judged, leavesBelow, textOf, without, wordsOf } from './fails.js';
import { ChartRenderer } from './renderer.js';
import { withoutChartSecrets } from './secrets.js';
import { type ChartSide, componentLabel, componentsIn, type PlatformFailure, releasesWith, sideOf } from './side.js';
import type { ChartStore } from './store.js';

const stage = 'charts';

const messages = {
  platformFails: (name: string, why: string) =>
    `Package "${name}": the chart of the platform fails with this value: ${why}`,
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
};

type Needs = {
  /** `dist/engine`. */
  home: string;
  engine?: EngineChoice;
  budget: Budget;
  /** Those of the rules. */
  findings: readonly Finding[];
  /** Kubernetes' own code, to ask which changes it refuses. */
  server: LaterEngine;
};

/** Where nobody gives any, and there are values that they would tell of. */
export function notAsked(clusters: readonly Cluster[]): StageOutcome[] {
  const hasValues = clusters.some(({ head }) =>
    head.objects.some((object) => isPackage(object) && componentsIn(object.value).length > 0),
  );
  const why = 'no charts were given (--charts), so values were only held against their defaults';
  return hasValues ? [{ name: stage, ran: false, why, optional: true }] : [];
}

/** What goes wrong is said, and leaves the rest of the report as it is. */
export async function runCharts(
  clusters: readonly Cluster[],
  { store, progress }: ChartsOptions,
  { home, engine = 'auto', budget, findings, server }: Needs,
): Promise<ChartsStage> {
  const found: ChartsStage = {
    stage: { name: stage, ran: true },
    problems: { head: [], base: [] },
    notChecked: [],
    diffs: [],
  };
  let renderer: ChartRenderer | undefined;
  try {
    renderer = new ChartRenderer(store, await HelmEngine.open(home, budget, engine));
    for (const [index, cluster] of clusters.entries()) {
      progress?.(index, clusters.length, 'rendering charts');
      await judgeCluster(renderer, cluster, { findings, server }, found);
    }
    return found;
  } catch (error) {
    return { ...found, stage: { name: stage, ran: false, why: (error as Error).message } };
  } finally {
    await renderer?.close();
  }
}

async function judgeCluster(
  renderer: ChartRenderer,
  cluster: Cluster,
  { findings, server }: Pick<Needs, 'findings' | 'server'>,
  found: ChartsStage,
): Promise<void> {
  const head = await judgeRevision(renderer, cluster.head, findings);
  const base = cluster.base && (await judgeRevision(renderer, cluster.base, findings));
  found.problems.head.push(...head.problems);
  found.problems.base.push(...(base?.problems ?? []));
  // A chart may say what it was given.
  const packages = cluster.head.objects.filter(isPackage).map(({ value }) => value);
  found.notChecked.push(...withoutChartSecrets(head.notChecked, packages, []));
  if (!head.side || !base?.side) return;
  const { diffs, problems } = await chartDiffsOf(renderer, base.side, head.side, server);
  found.problems.head.push(...problems);
  found.diffs.push(...diffs.map((diff) => ({ ...defined({ cluster: cluster.name }), ...diff })));
}

/** What changes below the Packages of clusters, for who asks for nothing else. */
export async function chartDiffs(
  clusters: readonly Cluster[],
  { store, progress }: ChartsOptions,
  { home, engine = 'auto', budget, server }: Omit<Needs, 'findings'>,
): Promise<ChartDiff[]> {
  const renderer = new ChartRenderer(store, await HelmEngine.open(home, budget, engine));
  try {
    const found: ChartDiff[] = [];
    for (const [index, cluster] of clusters.entries()) {
      progress?.(index, clusters.length, 'rendering charts');
      const head = await sideOf(renderer, cluster.head);
      const base = await sideOf(renderer, cluster.base ?? { ...cluster.head, objects: [] });
      if ('failed' in head || 'failed' in base)
        throw new UsageError('the platform’s own chart fails, so no other can be rendered: see check --charts');
      const { diffs } = await chartDiffsOf(renderer, base, head, server);
      found.push(...diffs.map((diff) => ({ ...defined({ cluster: cluster.name }), ...diff })));
    }
    return found;
  } finally {
    await renderer.close();
  }
}

type Revision = { side?: ChartSide; problems: Problem[]; notChecked: NotChecked[] };

async function judgeRevision(
  renderer: ChartRenderer,
  revision: RevisionObjects,
  findings: readonly Finding[],
): Promise<Revision> {
  const side = await sideOf(renderer, revision);
  if ('failed' in side) return platformProblem(renderer, revision, side);
  const made: Revision = { side, problems: [], notChecked: [] };
  for (const object of side.packages) {
    const written = componentsIn(object.value);
    for (const release of releasesWith(side, object.ref.name, object.value)) {
      if (!written.includes(release.component)) continue;
      const said = await judgeRelease(renderer, { side, object, release }, findings);
      made.problems.push(...said.problems);
      made.notChecked.push(...said.notChecked);
    }
  }
  return made;
}

async function judgeRelease(
  renderer: ChartRenderer,
  judged: Judged,
  findings: readonly Finding[],
): Promise<Pick<Revision, 'problems' | 'notChecked'>> {
  const response = await renderer.render(judged.release, judged.side.world);
  if (!('failed' in response))
    return { problems: await valuesWithoutEffect(renderer, judged, response.objects, findings), notChecked: [] };
  const { failed } = response;
  if (failed.stage === 'load' || failed.stage === 'limit')
    return { problems: [], notChecked: [notRendered(judged, wordsOf(failed))] };
  const problem = await failureProblem(renderer, judged, failed);
  if ('notChecked' in problem) return { problems: [], notChecked: [notRendered(judged, problem.notChecked)] };
  return { problems: [problem], notChecked: [] };
}

function notRendered({ release }: Judged, why: string): NotChecked {
  return { what: `what the chart of ${componentLabel(release)} makes`, why, count: 1 };
}

/** Without it nobody knows the values of any other. */
async function platformProblem(
  renderer: ChartRenderer,
  revision: RevisionObjects,
  { failed, objects }: PlatformFailure,
): Promise<Revision> {
  const why = `the platform’s own chart fails: ${wordsOf(failed)}`;
  const notChecked = [{ what: 'the charts of the platform', why, count: 1 }];
  if (objects.length === 0 || failed.stage === 'load') return { problems: [], notChecked };
  for (const object of objects)
    for (const path of leavesBelow(object.value, platformValuesPath)) {
      const other = { ...object, value: without(object.value, [path]) };
      const all = revision.objects.map((one) => (one === object ? other : one));
      if ('failed' in (await sideOf(renderer, { ...revision, objects: all }))) continue;
      const isCertain = failed.own !== undefined;
      const message = messages.platformFails(object.ref.name, wordsOf(failed));
      const problem = { rule: 'chart-fails', ...textOf(message, failed), at: { object, path } };
      return { problems: [{ ...problem, ...(!isCertain && { severity: 'warning' as const }) }], notChecked };
    }
  return { problems: [], notChecked };
}
