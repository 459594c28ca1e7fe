/** Flux Kustomizations as they reach the cluster: each build may render more of them, which apply more directories. */

import { isFluxKustomization } from '../core/flux-api.js';
import type { Entrypoint } from '../core/model.js';
import { clusterFolder } from '../flux/decoy.js';
import type { Outcome } from '../render/render.js';
import type { Assembled } from './assemble.js';
import type { Declared } from './declared.js';
import { isSource } from './flux.js';
import { type Settings, settingsOf } from './settings.js';

/** More directories than any repository has; Flux objects that make Flux objects would have no end otherwise. */
export const maxEntrypoints = 2000;

/** Flux objects in Flux objects, deeper than anybody writes them: every level is a round over all that is known. */
export const maxLevels = 50;

export type Followed = Assembled & {
  /** Flux objects that stand in files which no build reads. */
  unrendered: Declared[];
  /** The limit that was reached, so that some are left out. */
  cut?: 'directories' | 'levels';
};

/**
 * Builds what is known, takes the Flux objects from what is rendered, and begins again until nothing new comes. A document
 * whose file a build reads counts as that build renders it, and not as it stands there. Where the objects keep changing each
 * other without end, all that was seen of them counts.
 */
export async function follow(
  declared: readonly Declared[],
  assemble: (declared: readonly Declared[], settings: Settings) => Assembled,
  build: (entrypoint: Entrypoint) => Promise<Outcome>,
): Promise<Followed> {
  const states: { key: string; found: Assembled }[] = [];
  let found = assemble(declared, new Map());
  let unrendered = [...declared];
  for (;;) {
    if (found.entrypoints.length > maxEntrypoints)
      return { ...found, entrypoints: found.entrypoints.slice(0, maxEntrypoints), unrendered, cut: 'directories' };
    const key = JSON.stringify(found.entrypoints);
    const before = states.findIndex((state) => state.key === key);
    if (before >= 0) return { ...joined(states.slice(before).map((state) => state.found)), unrendered };
    const last = states.at(-1)?.found;
    states.push({ key, found });
    // Each round builds one level more. How they reach the cluster may go around in a circle of them for ever.
    if (states.length > maxLevels)
      return { ...found, unrendered, ...(last && hasShapeOf(last, found) ? {} : { cut: 'levels' as const }) };
    const builds: Outcome[] = [];
    for (const entrypoint of found.entrypoints) builds.push(await build(entrypoint));
    const read = new Set(builds.flatMap(({ ok, files }) => (ok ? files : [])));
    unrendered = declared.filter(({ file }) => file === undefined || !read.has(file));
    found = assemble([...unrendered, ...builds.flatMap(renderedBy)], settingsOf(builds.filter(isRendered)));
  }
}

function isRendered(result: Outcome): result is Extract<Outcome, { ok: true }> {
  return result.ok;
}

function renderedBy(result: Outcome): Declared[] {
  if (!result.ok) return [];
  const { entrypoint } = result;
  const appliedFrom = entrypoint.appliedFrom ?? entrypoint.path;
  return result.objects.flatMap((object) => {
    const { value, source } = object;
    if (!isFluxKustomization(value) && !isSource(value)) return [];
    const { reach } = entrypoint;
    return [{ value, ...source, object, appliedFrom, cluster: clusterFolder(entrypoint), ...(reach && { reach }) }];
  });
}

/** An entrypoint without what it has from those that lead to it. */
function shapeOf(entrypoint: Entrypoint) {
  const { reach: _, appliedFrom: __, ...shape } = entrypoint;
  return { ...shape, cluster: clusterFolder(entrypoint) };
}

function hasShapeOf(one: Assembled, other: Assembled): boolean {
  const [a, b] = [one, other].map(({ entrypoints }) => JSON.stringify(entrypoints.map(shapeOf)));
  return a === b;
}

/** States that follow each other in a circle: an entrypoint of any of them is applied at some time. */
function joined(states: readonly Assembled[]): Assembled {
  const last = states.at(-1) as Assembled;
  if (states.length === 1) return last;
  const all = new Map(
    states.flatMap(({ entrypoints }) =>
      entrypoints.map((entrypoint) => [JSON.stringify(shapeOf(entrypoint)), entrypoint] as const),
    ),
  );
  return { ...last, entrypoints: [...all.values()] };
}
