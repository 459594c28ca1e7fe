/** The stage `simulation`: what a merge does in each cluster, and what of it is a problem. */

import { setImmediate } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.js';
import { whyNotRun } from '../core/built.js';
import { defined } from '../core/defined.js';
import type { Diff, FieldPath, Finding, Json, JsonObject, Location, ObjectDiff, StageOutcome } from '../core/model.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';
import type { LaterEngine } from '../engine/host/apply-engine.js';
import { dependencyGraph } from '../graph/graph.js';
import { maskedValue } from '../secrets/masked-values.js';
import type { Locator } from '../yaml/locator.js';
import type { FieldChange } from './changes.js';
import { unbuilt } from './kustomizations.js';
import { problemsOf, type Shown } from './problems.js';
import { type SimulatedObject, type Simulation, simulate } from './simulate.js';
import type { Said } from './types.js';

const stage = 'simulation';

export type SimulationStageOptions = {
  /** Objects as the clusters have them, with their managedFields. */
  live?: readonly JsonObject[];
  /** Onto clusters that have seen nothing of the repository. */
  fresh?: boolean;
  /** What the rules say of each commit. */
  said?: Said;
  progress?: (done: number, total: number, what: string) => void;
};

export type SimulationStage = { stage: StageOutcome; diffs: Diff[]; problems: Shown };

/** What goes wrong is said, and leaves the rest of the report as it is. `findings` are those of the rules. */
export async function runSimulation(
  clusters: readonly Cluster[],
  options: SimulationStageOptions,
  { server, locator, findings }: { server: LaterEngine; locator: Locator; findings: readonly Finding[] },
): Promise<SimulationStage> {
  const problems: Shown = { head: [], base: [] };
  if (!clusters.some(({ head }) => head.entrypoints.some(({ ok }) => ok)))
    return {
      stage: { name: stage, ran: false, why: 'nothing could be rendered' },
      diffs: clusters.filter(({ head }) => head.entrypoints.length > 0).map(unbuiltDiff),
      problems,
    };
  try {
    const diffs = await simulateAll(clusters, options, server, (one, cluster) => {
      const shown = problemsOf(one, { cluster, findings, live: options.live !== undefined });
      problems.head.push(...shown.head);
      problems.base.push(...shown.base);
      return diffOf(one, cluster, locator);
    });
    return { stage: { name: stage, ran: true }, diffs, problems };
  } catch (error) {
    return {
      stage: { name: stage, ran: false, why: whyNotRun(error) },
      diffs: [],
      problems: { head: [], base: [] },
    };
  }
}

/** Of a cluster in which nothing can be built: all stays as it is. */
function unbuiltDiff({ name, head }: Cluster): Diff {
  const reconciles = head.entrypoints.flatMap((one) => (one.ok ? [] : [unbuilt(one)]));
  return { ...defined({ cluster: name }), reconciles, objects: [], notSimulated: [] };
}

/**
 * What is made of the simulation of each cluster, while the next is simulated. One engine serves all, and is closed then. Throws where
 * it cannot be opened.
 */
export async function simulateAll<Made>(
  clusters: readonly Cluster[],
  { progress, ...options }: SimulationStageOptions,
  server: LaterEngine,
  make: (simulation: Simulation, cluster: Cluster) => Promise<Made>,
): Promise<Made[]> {
  const engine = await server.get();
  try {
    const made: Promise<Made>[] = [];
    for (const [index, cluster] of clusters.entries()) {
      progress?.(index, clusters.length, 'simulating');
      const making = make(await simulate(cluster, engine, options), cluster);
      making.catch(() => {}); // it is thrown below, unless something else is before
      made.push(making);
    }
    return await Promise.all(made);
  } finally {
    await server.close();
  }
}

/** Lets other work in between two objects, as it takes as long as the simulation itself. */
export async function diffOf(simulation: Simulation, cluster: Cluster, locator: Locator): Promise<Diff> {
  const { cluster: name, applied, outcomes, unknown } = simulation;
  const waiting = waitingIn(cluster, outcomes);
  const objects: ObjectDiff[] = [];
  for (const outcome of outcomes) {
    objects.push(toDiff(outcome, locator, waiting));
    await setImmediate();
  }
  return {
    ...defined({ cluster: name }),
    reconciles: applied,
    objects,
    notSimulated: unknown,
  };
}

function toDiff(
  outcome: SimulatedObject,
  locator: Locator,
  waiting: (outcome: SimulatedObject) => string[],
): ObjectDiff {
  const { ref, action, why, unsure, object, fields } = outcome;
  const placed = (path: FieldPath): { at?: Location } => (object ? { at: locator.locate({ object, path }).at } : {});
  return {
    ref,
    action,
    ...defined({ why, unsure }),
    dependents: waiting(outcome),
    ...placed(['metadata', 'name']),
    // A refused object stays as it is; what would have become of it nobody knows.
    fields: fields.map((field) => ({
      ...masked(outcome, field),
      ...(field.after !== undefined && placed(field.path)),
    })),
  };
}

function masked({ ref, object }: SimulatedObject, field: FieldChange): FieldChange {
  const shown = (value: Json) => maskedValue({ ref, value: object?.value ?? {} }, field.path, value);
  return {
    ...field,
    ...(field.before !== undefined && { before: shown(field.before) }),
    ...(field.after !== undefined && { after: shown(field.after) }),
  };
}

/** What waits for a Package, by the arrows of the graph; drawn only where a Package is concerned. */
function waitingIn(cluster: Cluster, outcomes: readonly SimulatedObject[]): (outcome: SimulatedObject) => string[] {
  const concerns = ({ ref, action }: SimulatedObject) =>
    (isPackage({ ref }) || isPackageSource({ ref })) && action !== 'created';
  if (!outcomes.some(concerns)) return () => [];
  const { edges } = dependencyGraph(cluster, { installed: true, components: false });
  return (outcome) =>
    concerns(outcome)
      ? [...new Set(edges.filter(({ to, ignored }) => to === outcome.ref.name && !ignored).map(({ from }) => from))]
      : [];
}
