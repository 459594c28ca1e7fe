/** Values that change nothing of what a chart makes. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Finding, Json, JsonObject, Problem } from '../core/model.js';
import { formatPath, inventoryId, isObject, lookUp } from '../core/object.js';
import { nearest } from '../core/suggest.js';
import type { ChartObject, LoadedChart } from '../engine/host/helm-protocol.js';
import { type Judged, leavesOf, renderedWithout, withValue } from './fails.js';
import { isNamed, isOneLevelOff, readElsewhere } from './reads.js';
import { releaseLabel, valuesPath } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { emittedValue, releaseWith } from './side.js';

const messages = {
  isDefault: (field: string, component: string) =>
    `${component}: ${field} is the default of the chart, and changes nothing`,
  isPlatforms: (field: string, component: string) =>
    `${component}: ${field} is what the platform sets anyway, and changes nothing`,
  meant: (field: string) => `did you mean ${field}?`,
  readElsewhere: (field: string, component: string) =>
    `${component}: ${field} changes nothing, as the templates read a value of that name elsewhere`,
  readByNone: (field: string, component: string) =>
    `${component}: ${field} changes nothing, as no template has a value of that name`,
};

/** What other rules say of a value says more. */
const saidByRules = new Set(['unknown-value', 'invalid-value', 'chart-owned-value', 'schema-violation']);

export async function valuesWithoutEffect(
  renderer: ChartRenderer,
  judged: Judged,
  objects: readonly ChartObject[],
  findings: readonly Finding[],
): Promise<Problem[]> {
  const chart = await renderer.load(judged.release.chart);
  if ('failed' in chart) return [];
  const candidates = leavesOf(judged).flatMap((path) => {
    const kind = isSaid(judged, path, findings) ? undefined : kindOf(renderer, judged, path, chart);
    return kind ? [{ path, kind }] : [];
  });
  const shown = await shownIn(
    renderer,
    judged,
    candidates.filter(({ kind }) => kind === 'unread').map(({ path }) => path),
  );
  const problems: Problem[] = [];
  let read: readonly string[] | undefined;
  const meantBy = (path: FieldPath) => {
    read ??= valuesRead(renderer.templatesOf(judged.release.chart));
    return meant(path.slice(valuesPath(judged.release).length), chart.values, read);
  };
  const beside = (path: FieldPath) => {
    const own = path.slice(valuesPath(judged.release).length);
    const [one, ...others] = (elsewhere(renderer, judged.release, own) ?? []).filter((at) => isOneLevelOff(own, at));
    return others.length === 0 ? one : undefined;
  };
  const nearTo: { [kind in Kind]?: (path: FieldPath) => FieldPath | undefined } = {
    unread: meantBy,
    elsewhere: beside,
  };
  for (const { path, kind } of candidates) {
    if (shown.has(path)) continue;
    const found = await renderedWithout(renderer, judged, [path]);
    if (found && !('failed' in found) && isDeepStrictEqual(found.objects, objects))
      problems.push(problemOf(judged, path, kind, nearTo[kind]));
  }
  return problems;
}

type Kind = 'default' | 'platform' | 'unread' | 'elsewhere';

const words = {
  default: [messages.isDefault, 'remove it, unless it is to stay when the default changes'],
  platform: [messages.isPlatforms, 'remove it, so that the platform keeps the field'],
  elsewhere: [messages.readElsewhere, 'remove it, or correct its place'],
  unread: [messages.readByNone, 'remove it, or correct its name or place'],
} as const;

function problemOf(
  { object, release }: Judged,
  path: FieldPath,
  kind: Kind,
  meantBy?: (path: FieldPath) => FieldPath | undefined,
): Problem {
  const field = formatPath(path.slice(valuesPath(release).length));
  const [message, help] = words[kind];
  const near = meantBy?.(path);
  return {
    rule: 'value-without-effect',
    message: message(field, releaseLabel(release)),
    help: near ? messages.meant(formatPath(near)) : help,
    severity: kind === 'unread' || kind === 'elsewhere' ? 'warning' : 'notice',
    at: { object, path, part: 'key' },
  };
}

/**
 * Which texts and numbers are seen in the objects if each is another than all others: they have an effect. One render instead of one for
 * each of a list of settings that the chart hands on as a whole.
 */
async function shownIn(
  renderer: ChartRenderer,
  { side, object, release }: Judged,
  paths: readonly FieldPath[],
): Promise<ReadonlySet<FieldPath>> {
  const marks = new Map<string, FieldPath>();
  let marked = object.value;
  for (const path of paths) {
    const mark = 60_000_001 + marks.size;
    const value = markedValue(lookUp(object.value, path), mark);
    if (value === undefined) continue;
    marks.set(String(mark), path);
    marked = withValue(marked, path, value);
  }
  const other = marks.size > 1 && releaseWith(side, release, marked);
  const found = other ? await renderer.render(other, side.world) : undefined;
  if (!found || 'failed' in found) return new Set();
  const numbers = new Set(JSON.stringify(found.objects).match(/6\d{7}/g) ?? []);
  return new Set([...marks].flatMap(([mark, path]) => (numbers.has(mark) ? [path] : [])));
}

/** Of a list the first item counts. */
function markedValue(value: Json | undefined, mark: number): Json | undefined {
  if (typeof value === 'number') return mark;
  if (typeof value === 'string') return `mark-${mark}`;
  if (!Array.isArray(value)) return undefined;
  const [first, ...rest] = value;
  const marked = markedValue(first, mark);
  return marked === undefined ? undefined : [marked, ...rest];
}

function isSaid({ object }: Judged, path: FieldPath, findings: readonly Finding[]): boolean {
  return findings.some(
    ({ rule, object: of, field }) =>
      saidByRules.has(rule) &&
      of !== undefined &&
      inventoryId(of) === inventoryId(object.ref) &&
      field.every((step, depth) => path[depth] === step),
  );
}

/** Where the templates read what is called so, if they cannot read this one. A text of the values may be a template itself. */
function elsewhere(renderer: ChartRenderer, { chart, values }: Judged['release'], own: FieldPath) {
  if (JSON.stringify(values).includes('{{')) return undefined;
  return readElsewhere(own.map(String), renderer.readsOf(chart));
}

/** Why it may change nothing; undefined where a template may read it under another condition. */
function kindOf(
  renderer: ChartRenderer,
  { side, object, release }: Judged,
  path: FieldPath,
  { values }: LoadedChart,
): Kind | undefined {
  const emitted = emittedValue(side, release, path);
  const own = path.slice(valuesPath(release).length);
  const standard = emitted ?? lookUp(values, own);
  if (standard !== undefined && !isDeepStrictEqual(standard, lookUp(object.value, path))) return undefined;
  if (standard !== undefined) return emitted === undefined ? 'default' : 'platform';
  const key = String(own.at(-1));
  if (!renderer.templatesOf(release.chart).some((text) => isNamed(key, text))) return 'unread';
  return elsewhere(renderer, release, own) === undefined ? undefined : 'elsewhere';
}

/** More than any chart reads. */
const maxNames = 5000;

/** What stands behind `.Values.` in templates: of a chart below another one without its name. */
function valuesRead(texts: readonly string[]): string[] {
  const names = new Set(texts.flatMap((text) => text.match(/\.Values(?:\.\w+)+/g) ?? []));
  return [...names].slice(0, maxNames).map((name) => name.slice('.Values.'.length));
}

/** The value of the chart with the nearest name, in the place of the first name on the way that the chart does not have. */
function meant(path: FieldPath, values: JsonObject, read: readonly string[]): FieldPath | undefined {
  const depth = path.findIndex((_, at) => lookUp(values, path.slice(0, at + 1)) === undefined);
  const before = path.slice(0, depth);
  const node = lookUp(values, before);
  if (depth < 0 || !isObject(node)) return undefined;
  const starts = [before, before.slice(1)].map((steps) => steps.map((step) => `${step}.`).join(''));
  const beside = starts.flatMap((start) =>
    read.flatMap((name) => (name.startsWith(start) ? (name.slice(start.length).split('.', 1)[0] ?? []) : [])),
  );
  const near = nearest(String(path[depth]), [...Object.keys(node), ...beside]);
  return near === undefined ? undefined : [...before, near];
}
