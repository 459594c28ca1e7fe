/** What a change makes of the objects below the Packages: which come, change and go, and which pods restart. */
import { isDeepStrictEqual } from 'node:util';
import type { ChartDiff, ChartObjectDiff, JsonObject, Problem } from '../core/model.js';
import { formatPath, inventoryId, isKeptByHelm, refOf } from '../core/object.js';
import { restartsBy } from '../core/workloads.js';
import type { LaterEngine } from '../engine/host/apply-engine.js';
import { dangersOf } from './dangers.js';
import { fieldsBetween } from './fields.js';
import { type Made, madeBy } from './made.js';
import { type ComponentRelease, type ReleaseOfRepository, releaseData } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { maskedFields } from './secrets.js';
import { type ChartSide, releasesWith } from './side.js';

const none: Made['objects'] = new Map();

/** A release in both revisions; absent where one does not have it. */
type Pair = { before: ReleaseOfRepository | undefined; after: ReleaseOfRepository | undefined };

/** What is secret in the fields by their places is not in them; `secrets` are the Secrets that the charts make. */
export async function chartDiffsOf(
  renderer: ChartRenderer,
  base: ChartSide,
  head: ChartSide,
  server: LaterEngine,
): Promise<{ diffs: Omit<ChartDiff, 'cluster'>[]; problems: Problem[]; secrets: JsonObject[] }> {
  const diffs: Omit<ChartDiff, 'cluster'>[] = [];
  const problems: Problem[] = [];
  const secrets: JsonObject[] = [];
  for (const { before, after } of pairsOf(renderer, base, head)) {
    const release = after ?? before;
    if (!release) continue;
    const about = releaseData(release);
    const old = before && (await madeBy(renderer, before, base));
    const now = after && (await madeBy(renderer, after, head));
    if (old?.fails || now?.fails) {
      diffs.push({ ...about, objects: [], notRendered: true });
      continue;
    }
    const both: [Made['objects'], Made['objects']] = [old?.objects ?? none, now?.objects ?? none];
    secrets.push(...(old?.secrets ?? []), ...(now?.secrets ?? []));
    const unsure = new Set([
      ...(before && old ? await randomFields(renderer, before, base, old) : []),
      ...(after && now ? await randomFields(renderer, after, head, now) : []),
    ]);
    const objects = objectDiffs(...both, unsure);
    if (objects.length > 0) diffs.push({ ...about, objects });
    if (after && before) problems.push(...(await dangersOf(renderer, { base, head, before, after }, both, server)));
  }
  return { diffs, problems, secrets };
}

/** Of both revisions the releases that are not the same. */
function pairsOf(renderer: ChartRenderer, base: ChartSide, head: ChartSide): Pair[] {
  const written = (side: ChartSide) => new Map(side.packages.map((object) => [object.ref.name, object.value]));
  const [old, now] = [written(base), written(head)];
  // Flux leaves it in the cluster as it was.
  for (const [name, value] of old) if (!now.has(name) && base.kept.has(inventoryId(refOf(value)))) now.set(name, value);
  const names = new Set([
    ...base.platform.packages.keys(),
    ...head.platform.packages.keys(),
    ...old.keys(),
    ...now.keys(),
  ]);
  const pairs: Pair[] = [];
  for (const name of [...names].sort()) {
    const [before, after] = [releasesWith(base, name, old.get(name)), releasesWith(head, name, now.get(name))];
    const components = new Set([...before, ...after].map(({ component }) => component));
    for (const component of components) {
      const find = (all: ComponentRelease[]) => all.find((one) => one.component === component);
      const pair = { before: find(before), after: find(after) };
      if (!isSame(renderer, pair.before, pair.after)) pairs.push(pair);
    }
  }
  return [...pairs, ...helmReleasePairs(renderer, base, head)];
}

function helmReleasePairs(renderer: ChartRenderer, base: ChartSide, head: ChartSide): Pair[] {
  const ids = new Set([...base.helmReleases.keys(), ...head.helmReleases.keys()]);
  return [...ids].sort().flatMap((id) => {
    const [old, now] = [base.helmReleases.get(id), head.helmReleases.get(id)];
    // Flux leaves it in the cluster as it was.
    if (old && !now && base.kept.has(inventoryId(old.object.ref))) return [];
    const [before, after] = [old?.make(old.object.value), now?.make(now.object.value)];
    if ((before && 'why' in before) || (after && 'why' in after)) return [];
    return isSame(renderer, before, after) ? [] : [{ before, after }];
  });
}

/** A chart that does not read what the platform tells of the cluster is not touched by a change of that. */
function isSame(
  renderer: ChartRenderer,
  before: ReleaseOfRepository | undefined,
  after: ReleaseOfRepository | undefined,
): boolean {
  if (!before || !after || renderer.keyOf(before.chart) !== renderer.keyOf(after.chart)) return before === after;
  if (before.name !== after.name || before.namespace !== after.namespace) return false;
  if (isDeepStrictEqual(before.values, after.values)) return true;
  const kept = ({ values }: ReleaseOfRepository) =>
    renderer.readsCluster(after.chart) ? values : { ...values, _cluster: null };
  return isDeepStrictEqual(kept(before), kept(after));
}

/** Fields that differ from one render to the next, by object: nobody knows what they become. */
async function randomFields(
  renderer: ChartRenderer,
  release: ReleaseOfRepository,
  side: ChartSide,
  { objects, random }: Made,
): Promise<string[]> {
  if (random.length === 0) return [];
  const others = (await madeBy(renderer, release, side, 1)).objects;
  return [...objects].flatMap(([id, object]) =>
    fieldsBetween(object, others.get(id)).map(({ path }) => `${id} ${formatPath(path)}`),
  );
}

function objectDiffs(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
  unsure: ReadonlySet<string>,
): ChartObjectDiff[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.flatMap((id): ChartObjectDiff[] => {
    const [old, now] = [before.get(id), after.get(id)];
    const object = now ?? old;
    if (!object) return [];
    const ref = refOf(object);
    if (!old) return [{ ref, action: 'created' as const, fields: [] }];
    if (!now) return [{ ref, action: isKeptByHelm(old) ? ('left' as const) : ('deleted' as const), fields: [] }];
    const fields = fieldsBetween(old, now).filter(({ path }) => !unsure.has(`${id} ${formatPath(path)}`));
    if (fields.length === 0) return [];
    const restarts = restartsBy(
      object,
      fields.map(({ path }) => path),
    );
    return [
      { ref, action: 'changed' as const, fields: maskedFields(ref, [old, now], fields), ...(restarts && { restarts }) },
    ];
  });
}
