/** `render --charts`: the objects that the charts of a repository make, each value with the fields of the repository that it came from. */
import { isDeepStrictEqual } from 'node:util';
import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import { platformsIn } from '../cluster/platform.js';
import { defined } from '../core/defined.js';
import {
  type FieldPath,
  type Json,
  type JsonObject,
  type ObjectRef,
  type RenderedObject,
  type Tree,
  UsageError,
} from '../core/model.js';
import { isObject, lookUp, refOf } from '../core/object.js';
import { nearMiss } from '../core/suggest.js';
import { isPackage, platformValuesPath } from '../cozystack/package.js';
import type { Budget } from '../engine/host/budget.js';
import { leavesIn } from '../simulate/changes.js';
import { type Judged, leavesBelow, leavesOf, without, withValue, wordsOf } from './fails.js';
import {
  allObjects,
  type DecidedObject,
  differencesWith,
  fieldsFrom,
  isNearlyUp,
  othersOf,
  type PlacedObject,
} from './origins.js';
import { releaseData, releaseLabel, valuesPath } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { chartSecrets, isSecret, shownReasons } from './secrets.js';
import { shownObjects } from './shown-object.js';
import { type ChartSide, releaseWith, renderableSide, sideOf } from './side.js';
import {
  type ChartsNeeds,
  type ChartsOptions,
  forEachCluster,
  manifestsIn,
  releasesOfRepository,
  valuesOfSecrets,
} from './stage.js';

/** A field of the repository from which a value came. */
export type SourceField = { object: RenderedObject; path: FieldPath };

export type ShownObject = {
  cluster?: string;
  package?: string;
  component?: string;
  /** `namespace/name` of the HelmRelease. */
  release: string;
  /** Such as `metallb/templates/speaker.yaml`. */
  template: string;
  hook?: string[];
  crd?: true;
  ref: ObjectRef;
  /** Without what is secret. */
  object: JsonObject;
  /** Of a value at a path, of all that is below it, or (the empty path) why there is such an object. */
  origins: { path: FieldPath; from: SourceField[] }[];
};

export type ShownCharts = {
  objects: ShownObject[];
  /** Charts that fail. */
  failures: string[];
  /** What is left out. */
  notes: string[];
};

/** Throws a `UsageError` for a Package that is not there, and where the platform's own chart fails. */
export async function shownCharts(
  clusters: readonly Cluster[],
  charts: ChartsOptions,
  needs: ChartsNeeds,
  packages: readonly string[] = [],
): Promise<ShownCharts> {
  const all: ShownCharts = { objects: [], failures: [], notes: [] };
  const seen = new Set<string>();
  await forEachCluster(clusters, charts, needs, async (renderer, cluster) => {
    const side = await renderableSide(renderer, cluster.head, needs.trees.head);
    const found = await ofCluster(renderer, { cluster, side, packages, ...needs });
    const hides = new Set([
      ...needs.secrets(),
      ...chartSecrets(manifestsIn(cluster), found.secrets, valuesOfSecrets(side)),
    ]);
    const shown = shownObjects(
      found.objects.map(({ object }) => object),
      hides,
    );
    for (const { ref } of side.packages) seen.add(ref.name);
    all.objects.push(...found.objects.map((one, index) => ({ ...one, object: shown[index] ?? {} })));
    all.failures.push(...shownReasons(found.failures, hides));
    all.notes.push(...shownReasons(found.notes, hides));
  });
  const missing = packages.find((name) => !seen.has(name));
  if (missing === undefined) return all;
  throw new UsageError(
    `no entrypoint renders Package "${missing}"; ${nearMiss(missing, [...seen], 'render without --package prints all')}`,
  );
}

type Context = ChartsNeeds & { cluster: Cluster; side: ChartSide; packages: readonly string[] };
type Shown = { judged: Judged; made: readonly PlacedObject[]; origins: Origins };

async function ofCluster(renderer: ChartRenderer, context: Context): Promise<ShownCharts & { secrets: JsonObject[] }> {
  const { cluster, side, packages } = context;
  const { releases, notChecked } = releasesOfRepository(side);
  const isWanted = ({ ref }: RenderedObject) => isPackage({ ref }) && packages.includes(ref.name);
  const wanted = releases.filter(({ object }) => packages.length === 0 || isWanted(object));
  const all: Shown[] = [];
  const failures: string[] = [];
  for (const one of wanted) {
    const judged = { side, ...one };
    const made = await allObjects(renderer, judged.release, side);
    if ('failed' in made) failures.push(`${releaseLabel(judged.release)}: its chart fails: ${wordsOf(made.failed)}`);
    else all.push({ judged, made, origins: new Origins() });
  }
  const notes = packages.length === 0 ? notChecked.map(({ what, why }) => `${what} is left out: ${why}`) : [];
  notes.push(...(await findOrigins(renderer, all, context)));
  const secrets = all.flatMap(({ made }) => made.map(({ object }) => object).filter(isSecret));
  return { objects: all.flatMap((one) => objectsOf(one, cluster)), failures, notes, secrets };
}

function objectsOf({ judged: { release }, made, origins }: Shown, { name }: Cluster): ShownObject[] {
  const about = { ...defined({ cluster: name }), ...releaseData(release) };
  return made.map(({ id: _, object, ...rest }, index) => ({
    ...about,
    ...rest,
    ref: refOf(object),
    object,
    origins: origins.of(made[index] as PlacedObject),
  }));
}

/** Fills in the origins, those of the values of a Package first; says of how many none was looked for. */
async function findOrigins(renderer: ChartRenderer, all: readonly Shown[], context: Context): Promise<string[]> {
  const { budget, cluster, trees } = context;
  const notes: string[] = [];
  for (const { judged, made, origins } of all) {
    const total = valuesIn(judged);
    let done = 0;
    for (const path of leavesOf(judged)) {
      if (isNearlyUp(budget)) break;
      for (const decided of await fieldsFrom(renderer, judged, made, path))
        origins.add(decided, { object: judged.object, path });
      done += 1;
    }
    if (done < total) notes.push(notLookedFor(releaseLabel(judged.release), total - done, budget));
  }
  const platform = await platformOrigins(renderer, all, { revision: cluster.head, tree: trees.head, budget });
  return platform > 0 ? [...notes, notLookedFor('the Package of the platform', platform, budget)] : notes;
}

function valuesIn({ object, release }: Judged): number {
  const values = lookUp(object.value, valuesPath(release));
  return isObject(values) ? leavesIn(values).size : 0;
}

/**
 * What comes of the platform's values in the releases: its chart is rendered with each of them other. Returns of how many that was not tried.
 */
async function platformOrigins(
  renderer: ChartRenderer,
  all: readonly Shown[],
  { revision, tree, budget }: { revision: RevisionObjects; tree: Tree; budget: Budget },
): Promise<number> {
  let left = 0;
  for (const platform of all.length > 0 ? platformsIn(revision.applied) : []) {
    for (const path of leavesBelow(platform.value, platformValuesPath)) {
      if (isNearlyUp(budget)) left += 1;
      else await originsIn(renderer, all, { platform, path, revision, tree });
    }
  }
  return left;
}

async function originsIn(
  renderer: ChartRenderer,
  all: readonly Shown[],
  {
    platform,
    path,
    revision,
    tree,
  }: { platform: RenderedObject; path: FieldPath; revision: RevisionObjects; tree: Tree },
): Promise<void> {
  const value = lookUp(platform.value, path);
  const others = (value === undefined ? [] : othersOf(value)).map((other) => withValue(platform.value, path, other));
  let open = [...all];
  for (const manifest of [...others, without(platform.value, [path])]) {
    const changed = <Of extends RenderedObject>(one: Of): Of => (one === platform ? { ...one, value: manifest } : one);
    const [objects, applied] = [revision.objects.map(changed), revision.applied.map(changed)];
    const side = await sideOf(renderer, { ...revision, objects, applied }, tree);
    if ('failed' in side) continue;
    const untouched: Shown[] = [];
    for (const one of open) {
      const { judged, made, origins } = one;
      const other = releaseWith(side, judged.release, judged.object.value);
      const found = await differencesWith(renderer, judged, made, other);
      if (!Array.isArray(found) || found.length === 0) untouched.push(one);
      else for (const decided of found) origins.add(decided, { object: platform, path });
    }
    open = untouched;
  }
}

function notLookedFor(whose: string, count: number, budget: Budget): string {
  const why = isNearlyUp(budget) ? 'there is no time left (--max-seconds)' : 'there are too many';
  return `${whose}: what came of ${count === 1 ? '1 value' : `${count} values`} was not looked for: ${why}`;
}

/** Where the values of objects come from. */
class Origins {
  readonly #found = new Map<string, Map<string, { path: FieldPath; from: SourceField[] }>>();

  add({ made, whole, fields }: DecidedObject, source: SourceField): void {
    if (whole === 'there') this.#note(made, [], source);
    for (const { path, after } of fields) {
      // What is not there because of a value has no place.
      if (after === undefined) continue;
      for (const place of placesIn(made.object, path, after, source)) this.#note(made, place.path, place.source);
    }
  }

  of({ id }: PlacedObject): { path: FieldPath; from: SourceField[] }[] {
    return [...(this.#found.get(id)?.values() ?? [])];
  }

  #note({ id }: PlacedObject, path: FieldPath, source: SourceField): void {
    const ofObject = this.#found.get(id) ?? new Map<string, { path: FieldPath; from: SourceField[] }>();
    this.#found.set(id, ofObject);
    const key = JSON.stringify(path);
    const one = ofObject.get(key) ?? { path, from: [] };
    ofObject.set(key, one);
    one.from.push(source);
  }
}

type SourcedPlace = { path: FieldPath; source: SourceField };

/** A field with all that is below it; where that is the value as it is written, each part of it with its own place there. */
function placesIn(object: JsonObject, path: FieldPath, after: Json, source: SourceField): SourcedPlace[] {
  const exact = exactSource(object, path, source);
  const parts = scalarsIn(after);
  if (exact)
    return parts.map((part) => ({ path: [...path, ...part], source: { ...exact, path: [...exact.path, ...part] } }));
  const [only, ...others] = parts;
  return [{ path: only && others.length === 0 ? [...path, ...only] : path, source }];
}

/** Of longer lists the line of the list is said. */
const maxItems = 100;

/** The same part of a list that a chart hands on as a whole, or item by item. */
function exactSource(object: JsonObject, path: FieldPath, source: SourceField): SourceField | undefined {
  const value = lookUp(source.object.value, source.path);
  if (value === null || typeof value !== 'object') return undefined;
  const items = Array.isArray(value) && value.length <= maxItems ? value : [];
  for (let length = path.length; length > 0; length--) {
    const there = lookUp(object, path.slice(0, length));
    const rest = path.slice(length);
    if (isDeepStrictEqual(there, value)) return { ...source, path: [...source.path, ...rest] };
    const same = items.flatMap((item, index) => (isDeepStrictEqual(there, item) ? [index] : []));
    if (same.length === 1) return { ...source, path: [...source.path, same[0] as number, ...rest] };
  }
  return undefined;
}

/** Paths of what holds no other; that of a scalar itself is empty. */
function scalarsIn(value: Json): FieldPath[] {
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return [[]];
  return entries.flatMap(([step, item]) => scalarsIn(item).map((rest) => [step, ...rest]));
}
