/**
 * Keys that a chart does not have and that look much like one of its own: spelt alike, or right but one level off. A template may
 * read keys that nothing declares, so whatever has no such double is taken for one of those.
 */
import type { Json, JsonObject } from '../core/model.js';
import { isObject } from '../core/object.js';
import { nearest, sameEnd } from '../core/suggest.js';
import { isUnresolved } from '../schema/walk.js';
import type { ChartValues, Kind, Values, ValueTree } from './values.js';

export type Misplaced = {
  path: string[];
  /** Where it was probably meant, the likeliest first; one of these, where there are several. */
  meant: string[][];
  /** What is below the key was meant to stand where the key stands. */
  tooDeep?: true;
  /** Only the end of the name is the same. */
  isPart?: true;
};

export type KnownKeys = Pick<Values, 'isWord' | 'isPair' | 'frequency'> & {
  chart: ChartValues;
  /** By which a person may take the chart's own level for a key. */
  names: readonly string[];
};

export function misplaced(values: JsonObject, known: KnownKeys): Misplaced[] {
  const found: Misplaced[] = [];
  walk(values, known.chart.values, []);
  return found;

  function walk(map: JsonObject, tree: ValueTree, path: string[]) {
    for (const [key, value] of Object.entries(map)) {
      const child = childOf(tree, key);
      if (isObject(value) && typeof child === 'object') walk(value, child, [...path, key]);
      if (child !== undefined || isUnresolved(key) || isPassedOn(key, path, known)) continue;
      const guess = guessFor({ key, value, path, tree, written: map }, known);
      if (guess) found.push({ path: [...path, key], ...guess });
    }
  }
}

type Unknown = { key: string; value: Json; path: string[]; tree: ValueTree; written: JsonObject };
type Guess = Omit<Misplaced, 'path'>;

function guessFor(unknown: Unknown, known: KnownKeys): Guess | undefined {
  const { path } = unknown;
  if (known.chart.open.some((open) => open.every((key, depth) => path[depth] === key))) return undefined;
  if (path.length > 0 && isFree(path.at(-1) as string)) return undefined;
  return (
    misspelt(unknown, known) ??
    shortened(unknown, known) ??
    oneLevelTooMany(unknown, known) ??
    oneLevelOff(unknown, known)
  );
}

/** What Helm and Cozystack pass to every chart, and what switches sub-charts. */
function isPassedOn(key: string, path: readonly string[], { chart }: KnownKeys): boolean {
  return ['global', '_cluster', '_namespace', 'tags'].includes(key) && isChart(path, chart);
}

/** Whether the values of a chart stand there. */
function isChart(path: readonly string[], { subcharts }: ChartValues): boolean {
  return path.length === 0 || subcharts.some((one) => one.join('\n') === path.join('\n'));
}

/** Maps that hold names of somebody's choice, though a default may give an example. */
function isFree(name: string): boolean {
  return /(labels?|annotations?|selector|config|configmap|settings|env|args|data|headers|limits|requests)$/i.test(name);
}

function misspelt({ key, value, path, tree, written }: Unknown, known: KnownKeys): Guess | undefined {
  const names = Object.keys(tree).filter((name) => fits(value, tree[name] as ValueTree | Kind));
  const free = names.filter((name) => !Object.hasOwn(written, name));
  const meant = nearest(key, free) ?? nearest(key, names);
  if (meant === undefined || differsInNumbers(key, meant)) return undefined;
  if (key.toLowerCase() !== meant.toLowerCase() && isRealWord(key, meant, known)) return undefined;
  return { meant: [[...path, meant]] };
}

/** A map by the end of its name, as a sub-chart is called without what all names of its maker begin with. */
function shortened({ key, value, path, tree, written }: Unknown, { chart }: KnownKeys): Guess | undefined {
  if (!isObject(value) || Object.keys(value).length === 0 || chart.mentioned.includes(key)) return undefined;
  const free = Object.keys(tree).filter((name) => !Object.hasOwn(written, name) && typeof tree[name] === 'object');
  const meant = sameEnd(key, free);
  return meant !== undefined && fits(value, tree[meant] as ValueTree)
    ? { meant: [[...path, meant]], isPart: true }
    : undefined;
}

/** `ipv4` and `ipv6` are no misspellings of each other. */
function differsInNumbers(one: string, other: string): boolean {
  return one !== other && one.replace(/\d+/g, '') === other.replace(/\d+/g, '');
}

/** A word that charts use is one that a template may read here as well, but for those that only differ in their ending. */
function isRealWord(key: string, meant: string, { chart, isWord }: KnownKeys): boolean {
  if (endings.some(([wrong, right]) => key === wrong && meant === right)) return false;
  return chart.mentioned.includes(key) || isWord(key);
}

/** Misspellings of what charts everywhere have, which some chart has as a key all the same. */
const endings = [
  ['enable', 'enabled'],
  ['disable', 'disabled'],
  ['annotation', 'annotations'],
  ['label', 'labels'],
  ['resource', 'resources'],
  ['toleration', 'tolerations'],
  ['replica', 'replicas'],
] as const;

/** The chart's own name where its values are not nested, or a level that is written twice. */
function oneLevelTooMany({ key, value, path, tree }: Unknown, { names }: KnownKeys): Guess | undefined {
  const level = path.length === 0 ? [...names, 'values'] : [path.at(-1), 'values'];
  if (!level.includes(key) || !isObject(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((name) => childOf(tree, name) !== undefined)) return undefined;
  return { meant: keys.map((name) => [...path, name]), tooDeep: true };
}

/** More places than these tell nobody anything. */
const most = 3;

/** Where charts have a key as often as this, it is likely to be read in other places, too: above, in a map beside, and in all of several. */
const common = { above: 5, below: 12, several: 5 };

function oneLevelOff(unknown: Unknown, known: KnownKeys): Guess | undefined {
  const { key, path } = unknown;
  if (known.chart.mentioned.includes(key)) return undefined;
  const inChart = isChart(path, known.chart);
  // Where other charts have it in a map of the same name, a template is likely to read it here as well.
  if (!inChart && known.isPair(path.at(-1) as string, key)) return undefined;
  const often = known.frequency(key);
  const below = placesBelow(unknown, known);
  if (below.length === 0) return often < common.above || inChart ? asGuess(placeAbove(unknown, known)) : undefined;
  if (path.length > 0 && below.length > 1 && often >= common.several) return undefined;
  return inChart || often < common.below ? asGuess(below) : undefined;
}

function asGuess(places: string[][]): Guess | undefined {
  return places.length > 0 && places.length <= most ? { meant: places } : undefined;
}

/** In one of the maps beside it; in a sub-chart rather than elsewhere, and where most of what is written fits. */
function placesBelow({ key, value, path, tree }: Unknown, { chart }: KnownKeys): string[][] {
  const places = Object.entries(tree).flatMap(([name, child]) => {
    const there = typeof child === 'object' ? childOf(child, key) : undefined;
    if (there === undefined || !fits(value, there)) return [];
    const place = [...path, name];
    return [{ path: [...place, key], rank: (isChart(place, chart) ? 1000 : 0) + overlap(value, there) }];
  });
  const best = Math.max(...places.map(({ rank }) => rank));
  return places.filter(({ rank }) => rank === best).map(({ path }) => path);
}

function placeAbove({ key, value, path }: Unknown, { chart }: KnownKeys): string[][] {
  if (path.length === 0) return [];
  const above = path.slice(0, -1);
  const there = childAt(chart.values, [...above, key]);
  return there !== undefined && fits(value, there) ? [[...above, key]] : [];
}

export function childOf(tree: ValueTree, key: string): ValueTree | Kind | undefined {
  return Object.hasOwn(tree, key) ? tree[key] : undefined;
}

function childAt(tree: ValueTree, path: readonly string[]): ValueTree | Kind | undefined {
  let node: ValueTree | Kind | undefined = tree;
  for (const key of path) node = typeof node === 'object' ? childOf(node, key) : undefined;
  return node;
}

/** Whether a value may be meant for a place: a map where a map stands, with some key in common. */
function fits(value: Json, place: ValueTree | Kind): boolean {
  if (value === null || place === 'any') return true;
  if (isObject(value))
    return typeof place === 'object'
      ? Object.keys(value).length === 0 || overlap(value, place) > 0
      : isEmptyKind(place);
  if (Array.isArray(value)) return place === 'list' || isEmptyKind(place);
  return typeof place !== 'object' && place !== 'list' && !isEmptyKind(place);
}

function isEmptyKind(place: ValueTree | Kind): boolean {
  return place === 'empty map' || place === 'empty list';
}

function overlap(value: Json, place: ValueTree | Kind): number {
  if (!isObject(value) || typeof place !== 'object') return 0;
  return Object.keys(value).filter((key) => childOf(place, key) !== undefined).length;
}
