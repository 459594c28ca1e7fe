/** Of which objects and fields a value of the repository decides, found by rendering the chart without it, and with another. */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../core/group.js';
import type { FieldPath, Json } from '../core/model.js';
import { inventoryId, isObject, lookUp, refOf } from '../core/object.js';
import type { Budget } from '../engine/host/budget.js';
import type { ChartFailure, ChartObject } from '../engine/host/helm-protocol.js';
import { type Judged, without, withValue, wordsOf } from './fails.js';
import { type ChartField, fieldsBetween } from './fields.js';
import { inNamespace } from './made.js';
import type { ReleaseOfRepository } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { type ChartSide, releaseWith } from './side.js';

/** An object as its chart makes it, in the namespace in which Helm puts it; `id` as Flux' inventory has it. */
export type PlacedObject = ChartObject & { id: string };

/** Fields of an object: `after` as it is, `before` as it is without the value, or with another. */
export type DecidedObject = {
  /** Of one that is not there because of the value as it would be. */
  made: PlacedObject;
  /** As it is without the value, or with another. */
  other?: PlacedObject;
  /** The whole object is there because of the value, or is not. */
  whole?: 'there' | 'absent';
  fields: ChartField[];
};

export type Decision<Of = DecidedObject> =
  /** `isDefault`: without it the chart makes the same, and another value was tried. */
  | { effect: 'decides'; objects: Of[]; isDefault?: true }
  /** With another value the chart makes the same. */
  | { effect: 'none' }
  /** The chart makes the same without it, and fails with each other value that was tried. */
  | { effect: 'unknown' }
  /** The chart fails; `isCause`: not without it, or in another way. */
  | { effect: 'fails'; why: string; isCause: boolean }
  /** Without it the chart fails; `objects` are those that another value changes. */
  | { effect: 'needed'; why: string; objects: Of[] };

/** All that a release makes, hooks and definitions as well, in Helm's order. */
export async function allObjects(
  renderer: ChartRenderer,
  release: ReleaseOfRepository,
  side: ChartSide,
): Promise<PlacedObject[] | { failed: ChartFailure }> {
  const response = await renderer.render(release, side.world, 0, { definitions: true });
  return 'failed' in response ? { failed: response.failed } : placed(response.objects, release, side);
}

function placed(objects: readonly ChartObject[], { namespace }: ReleaseOfRepository, side: ChartSide): PlacedObject[] {
  return objects.map((one) => {
    const object = inNamespace(one.object, namespace, side.schemas);
    return { ...one, object, id: inventoryId(refOf(object)) };
  });
}

/** What is other in `made` than in `others`. An object that is called otherwise is the same where its template makes as many of the kind. */
function differences(made: readonly PlacedObject[], others: readonly PlacedObject[]): DecidedObject[] {
  const byId = new Map(others.map((one) => [one.id, one]));
  const ids = new Set(made.map(({ id }) => id));
  const renamed = pairsOfRenamed(
    made.filter(({ id }) => !byId.has(id)),
    others.filter(({ id }) => !ids.has(id)),
  );
  const found = new Set([...renamed.values()]);
  const changed = made.flatMap((one): DecidedObject[] => {
    const other = byId.get(one.id) ?? renamed.get(one);
    if (!other) return [{ made: one, whole: 'there', fields: [] }];
    const fields = fieldsBetween(other.object, one.object);
    return fields.length > 0 ? [{ made: one, other, fields }] : [];
  });
  const absent = others.filter((one) => !ids.has(one.id) && !found.has(one));
  return [...changed, ...absent.map((one): DecidedObject => ({ made: one, whole: 'absent', fields: [] }))];
}

function pairsOfRenamed(
  made: readonly PlacedObject[],
  others: readonly PlacedObject[],
): ReadonlyMap<PlacedObject, PlacedObject> {
  const likeness = ({ template, object }: PlacedObject) => JSON.stringify([template, object.apiVersion, object.kind]);
  const alike = groupBy(others, likeness);
  const pairs = [...groupBy(made, likeness)].flatMap(([key, ones]) => {
    const same = alike.get(key) ?? [];
    return same.length === ones.length ? ones.map((one, index) => [one, same[index] as PlacedObject] as const) : [];
  });
  return new Map(pairs);
}

/** What of `made` would be other, were it another release; nothing is known where that is none. */
export async function differencesWith(
  renderer: ChartRenderer,
  { side, release }: Judged,
  made: readonly PlacedObject[],
  other: ReleaseOfRepository | undefined,
): Promise<DecidedObject[] | { failed: ChartFailure }> {
  const told = (one: ReleaseOfRepository) =>
    renderer.readsCluster(one.chart) ? one : { ...one, values: { ...one.values, _cluster: null } };
  if (!other || isDeepStrictEqual(told(other), told(release))) return [];
  const response = await renderer.render(other, side.world, 0, { keeps: false, definitions: true });
  return 'failed' in response ? response : differences(made, placed(response.objects, other, side));
}

/** What comes of a value that a manifest has at a place, or that the chart has by default: of that `standard` is the value. */
export async function decisionOf(
  renderer: ChartRenderer,
  judged: Judged,
  path: FieldPath,
  standard?: Json,
): Promise<Decision> {
  const { object, release, side } = judged;
  const value = lookUp(object.value, path);
  const made = await allObjects(renderer, release, side);
  if ('failed' in made) return failureOf(renderer, judged, path, made.failed);
  const bare = value === undefined ? [] : await withoutIt(renderer, judged, made, path);
  if (Array.isArray(bare) && bare.length > 0) return { effect: 'decides', objects: bare };
  const other = await byAnother(renderer, judged, made, path, value ?? standard);
  if ('failed' in bare) return { effect: 'needed', why: wordsOf(bare.failed), objects: other.objects };
  if (other.objects.length > 0) return { effect: 'decides', objects: other.objects, isDefault: true };
  return { effect: other.fails ? 'unknown' : 'none' };
}

function withoutIt(renderer: ChartRenderer, judged: Judged, made: readonly PlacedObject[], path: FieldPath) {
  const manifest = without(judged.object.value, [path]);
  return differencesWith(renderer, judged, made, releaseWith(judged.side, judged.release, manifest));
}

/**
 * What the first other value changes that changes anything; `fails` where the chart does with all. It may have most of a secret in it, so
 * nothing that it makes is told.
 */
async function byAnother(
  renderer: ChartRenderer,
  { side, object, release }: Judged,
  made: readonly PlacedObject[],
  path: FieldPath,
  value: Json | undefined,
): Promise<{ objects: DecidedObject[]; fails: boolean }> {
  const others = value === undefined ? [] : othersOf(value);
  let isRendered = others.length === 0;
  for (const other of others) {
    const changed = releaseWith(side, release, withValue(object.value, path, other));
    const found = await differencesWith(renderer, { side, object, release }, made, changed);
    if (!Array.isArray(found)) continue;
    if (found.length > 0) return { objects: found, fails: false };
    isRendered = true;
  }
  return { objects: [], fails: !isRendered };
}

async function failureOf(
  renderer: ChartRenderer,
  { side, object, release }: Judged,
  path: FieldPath,
  failed: ChartFailure,
): Promise<Decision> {
  const why = wordsOf(failed);
  const other = releaseWith(side, release, without(object.value, [path]));
  const bare = other && (await renderer.render(other, side.world, 0, { keeps: false }));
  return { effect: 'fails', why, isCause: !bare || !('failed' in bare) || wordsOf(bare.failed) !== why };
}

/** The fields into which a value comes: those that another of its kind changes, else those that are other without it. */
export async function fieldsFrom(
  renderer: ChartRenderer,
  judged: Judged,
  made: readonly PlacedObject[],
  path: FieldPath,
): Promise<DecidedObject[]> {
  const { objects } = await byAnother(renderer, judged, made, path, lookUp(judged.object.value, path));
  if (objects.length > 0) return objects;
  const bare = await withoutIt(renderer, judged, made, path);
  return Array.isArray(bare) ? bare : [];
}

/** Other values of the kind, the first the likeliest to be accepted: a list has as many items. */
export function othersOf(value: Json): Json[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'string') return value === '' ? ['other'] : [anotherText(value), ''];
  if (Array.isArray(value)) return value.length === 0 ? [['other']] : [another(value), []];
  return isObject(value) ? [another(value)] : [];
}

function another(value: Json): Json {
  if (Array.isArray(value)) return value.map(another);
  if (!isObject(value)) return othersOf(value)[0] ?? value;
  const entries = Object.entries(value);
  if (entries.length === 0) return { other: 'other' };
  return Object.fromEntries(entries.map(([key, item]) => [key, another(item)]));
}

/** A quantity, an address or a version stays one. */
function anotherText(text: string): string {
  return /\d/.test(text) ? text.replace(/\d/, (digit) => String((Number(digit) % 9) + 1)) : `${text}x`;
}

/** The part of the time of a run that trying out leaves: a render that is begun may take long. */
const reserve = 0.2;

export function isNearlyUp({ left, limits }: Budget): boolean {
  return left < limits.seconds * reserve;
}
