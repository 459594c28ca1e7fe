/** What of the repository makes a chart fail, found by rendering without it. */
import { filledIn, restsOnUnknown } from '../apiserver/refusals.js';
import { shorten } from '../core/escape.js';
import type { FieldPath, Json, JsonObject, Problem, RenderedObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import type { ChartFailure, ChartResponse } from '../engine/host/helm-protocol.js';
import { leavesIn } from '../simulate/changes.js';
import {
  type Blamed,
  causesOf,
  type Fault,
  isAmong,
  placesOf,
  reasonsOf,
  type Trial,
  valuesInWords,
} from './culprits.js';
import { templatePlace } from './own.js';
import { componentPath, type ReleaseOfRepository, releaseLabel, valuesPath } from './releases.js';
import type { ChartRenderer, ChartWorld } from './renderer.js';
import { type ChartSide, releaseWith } from './side.js';

const messages = {
  asks: 'the chart asks the cluster (lookup, Capabilities), so with another answer it may not fail',
  fails: (component: string, values: string, why: string) => `${component}: its chart fails with ${values}: ${why}`,
  failsAtAll: (component: string, why: string) => `${component}: its chart fails: ${why}`,
  notLoaded: (component: string, why: string) => `${component}: Helm does not load its chart: ${why}`,
};

/** A release, and the manifest that decides of it. */
export type Judged = { side: ChartSide; object: RenderedObject; release: ReleaseOfRepository };

/** More leaves than any Package has; the rest is not asked for. */
const maxLeaves = 500;

/** The values of a component that a manifest writes. */
export function leavesOf({ object, release }: Judged): FieldPath[] {
  return leavesBelow(object.value, valuesPath(release));
}

/** Scalars, lists and empty maps below a place in an object, as paths from the object. */
export function leavesBelow(object: JsonObject, path: FieldPath): FieldPath[] {
  const values = lookUp(object, path);
  const leaves = isObject(values) ? [...leavesIn(values).values()] : [];
  return leaves.slice(0, maxLeaves).map((leaf) => [...path, ...leaf]);
}

/** The object without some of its fields or items of lists; maps that get empty by it go too. */
export function without(object: JsonObject, paths: readonly FieldPath[]): JsonObject {
  const copy = structuredClone(object);
  for (const path of paths) remove(copy, path);
  return copy;
}

function remove(node: Json | undefined, [step, ...rest]: FieldPath): void {
  if (step === undefined) return;
  if (Array.isArray(node)) {
    if (rest.length === 0) node.splice(Number(step), 1);
    else remove(node[Number(step)], rest);
    return;
  }
  if (!isObject(node)) return;
  const inner = node[step];
  if (rest.length > 0 && typeof inner === 'object' && inner !== null) {
    remove(inner, rest);
    if (Array.isArray(inner) || Object.keys(inner).length > 0) return;
  }
  delete node[step];
}

/** The object with another value at a place; maps on the way there are made. */
export function withValue(object: JsonObject, path: FieldPath, value: Json): JsonObject {
  const copy = structuredClone(object);
  let node: JsonObject = copy;
  for (const step of path.slice(0, -1)) {
    const inner = node[step];
    if (!isObject(inner)) node[step] = {};
    node = node[step] as JsonObject;
  }
  node[path.at(-1) ?? ''] = value;
  return copy;
}

/** What comes of a component if the manifest lacks some of its fields; undefined where there is no release then. */
export async function renderedWithout(
  renderer: ChartRenderer,
  { side, object, release }: Judged,
  paths: readonly FieldPath[],
  { world = side.world, chance = 0 }: { world?: ChartWorld; chance?: number } = {},
): Promise<ChartResponse | undefined> {
  const other = releaseWith(side, release, without(object.value, paths));
  return other && renderer.render(other, world, chance);
}

/** The problem that a failure is, or why it is none of the repository's. */
export async function failureProblem(
  renderer: ChartRenderer,
  judged: Judged,
  failed: ChartFailure,
): Promise<Problem | { notChecked: string }> {
  const certain = await isCertain(renderer, judged);
  const values = valuesPath(judged.release);
  const label = releaseLabel(judged.release);
  const why = wordsOf(failed);
  // Of all values, however many there are: what stands behind the leaves that are tried one by one is not beside the point.
  const bare = await failureWithout(renderer, judged, [values]);
  if (bare && reasonOf(bare) === reasonOf(failed)) {
    // Nothing that is written here brings it about; what the chart itself says is missing is known for certain all the same.
    const own = ownTemplate(judged, failed);
    if (!certain || (failed.own === undefined && !own)) return { notChecked: notCertain(why, failed) };
    return {
      rule: 'chart-fails',
      ...(own ? { message: messages.failsAtAll(label, why) } : textOf(messages.failsAtAll(label, why), failed)),
      at: own ?? { object: judged.object, path: ['metadata', 'name'] },
      object: judged.object.ref,
      entrypoint: judged.object.entrypoint,
    };
  }
  const trial = async (paths: readonly FieldPath[]) => faultsOf(await failureWithout(renderer, judged, paths));
  const [fault = { reason: '', place: '' }] = faultsOf(failed);
  const causes = (await blamedFor(judged, fault, trial)).map(({ places }) => places);
  if (causes.flat().some(({ object, path }) => restsOnUnknown(object, path))) return { notChecked: filledIn };
  return {
    rule: 'chart-fails',
    ...textOf(messages.fails(label, valuesInWords(causes, values.length), why), failed),
    ...(!certain && {
      severity: 'warning' as const,
      help: [textOf('', failed).help, messages.asks].filter(Boolean).join('; '),
    }),
    ...placesOf(causes, { object: judged.object, path: values }),
  };
}

/** The values of the manifest that bring a fault about, by cause; of lists what in them. */
export async function blamedFor(
  judged: Judged,
  fault: Fault,
  trial: Trial<FieldPath>,
): Promise<{ places: Blamed[]; heals: boolean }[]> {
  const causes = await causesOf(leavesOf(judged), fault, trial);
  const found: { places: Blamed[]; heals: boolean }[] = [];
  for (const { items, heals } of causes) {
    const others = causes.flatMap((one) => (one.items === items ? [] : one.items));
    const alone: Trial<FieldPath> = (paths) => trial([...others, ...paths]);
    const places: Blamed[] = [];
    for (const path of items) places.push({ object: judged.object, path: await innermost(judged, path, fault, alone) });
    found.push({ places, heals });
  }
  return found;
}

/** More items than any list that is looked into. */
const maxItems = 100;

/** Of a list that is to blame the item, or what in it, that is so alone. */
async function innermost(
  { object }: Judged,
  path: FieldPath,
  fault: Fault,
  trial: Trial<FieldPath>,
): Promise<FieldPath> {
  const before = reasonsOf(await trial([]));
  const within = async (path: FieldPath): Promise<FieldPath> => {
    const value = lookUp(object.value, path);
    const items = Array.isArray(value) ? value.slice(0, maxItems).map((_, index) => [...path, index]) : [];
    const inner = isObject(value) ? leavesBelow(object.value, path) : items;
    if (inner.length === 0) return path;
    const bare = reasonsIn(await trial([path]));
    for (const one of inner) {
      const left = await trial([one]);
      const heals = !isAmong(fault, left) && left.every(({ reason }) => before.has(reason));
      if (heals || reasonsIn(left) === bare) return within(one);
    }
    return path;
  };
  return within(path);
}

function reasonsIn(faults: readonly Fault[]): string {
  return JSON.stringify(faults.map(({ reason }) => reason).sort());
}

function notCertain(why: string, failed: ChartFailure): string {
  const { help } = textOf('', failed);
  return `its chart fails whatever is set: ${why}${help ? ` (${help})` : ''}`;
}

/** The line of the template in the repository, where the chart is its own. */
function ownTemplate({ side, release }: Judged, failed: ChartFailure): Problem['at'] | undefined {
  const place = placeIn(failed);
  return place && templatePlace(release.chart, place, side.tree);
}

/** A chart of the repository that Helm does not load; undefined for those of others. */
export function loadProblem({ side, object, release }: Judged, failed: ChartFailure): Problem | undefined {
  const message = messages.notLoaded(releaseLabel(release), wordsOf(failed));
  if ('helmRelease' in release)
    return { rule: 'chart-fails', message, at: { object, path: ['spec', 'chart', 'spec', 'chart'] } };
  const source = side.sources.get(release.package);
  if (!release.chart.store || !source?.object) return undefined;
  return { rule: 'chart-fails', message, at: { object: source.object, path: componentPath(source.value, release) } };
}

/** The message, and where in the templates it comes from. */
export function textOf(message: string, failed: ChartFailure): Pick<Problem, 'message' | 'help'> {
  if (failed.templates) return { message, help: `see ${[...new Set(failed.templates)].join(' and ')}` };
  const place = placeIn(failed);
  return { message, ...(place && { help: `see ${place.template}, line ${place.line}` }) };
}

function placeIn({ frames, message }: ChartFailure): { template: string; line: number } | undefined {
  const { template, line } = inTemplate.exec(message)?.groups ?? {};
  return frames?.at(-1) ?? (template === undefined ? undefined : { template, line: Number(line) });
}

/** As package text/template words an error, where Helm does not word it anew: of the expression, which may have `>` in it, one line. */
const inTemplate =
  /^template: (?<template>[^:\s]+):(?<line>\d+):\d+: (?:executing "[^"\n]*" at <[^\n]*?>: )?(?<why>[\s\S]*)$/;

/** In one line: what the chart says itself, or Helm's last words. There may be secrets in it, so it is cut once they are hidden (`shownReasons`). */
export function wordsOf({ own, message }: ChartFailure): string {
  const text = own ?? inTemplate.exec(message)?.groups?.why ?? message;
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return shorten((own === undefined ? lines.at(-1) : lines.join(' ')) ?? '', mostRead);
}

/** Characters of a reason that are looked at. */
const mostRead = 4000;

/** Whether it fails whatever a cluster would answer: in one that has next to nothing too, and without a question about its objects. */
async function isCertain(renderer: ChartRenderer, judged: Judged): Promise<boolean> {
  const world = { ...judged.side.world, apiVersions: ['v1'] };
  const other = await renderedWithout(renderer, judged, [], { world, chance: 1 });
  return other !== undefined && 'failed' in other && (other.consulted.lookups ?? []).length === 0;
}

/** The same for a failure that comes again without some values, though the lines that it tells of a document have moved. */
function reasonOf(failed: ChartFailure): string {
  return wordsOf(failed).replace(/\d+/g, '0');
}

/** Where it fails, whatever it says there: that may have values in it which are not to blame. */
function placeKey(failed: ChartFailure): string {
  const { template, line } = failed.frames?.at(-1) ?? {};
  return template === undefined ? reasonOf(failed) : `${template}:${line}`;
}

/** A chart that fails has one fault; nobody knows which others it would have. */
export function faultsOf(failed: ChartFailure | undefined): Fault[] {
  return failed ? [{ reason: reasonOf(failed), place: placeKey(failed) }] : [];
}

/** How it fails without some fields; undefined where it does not. */
async function failureWithout(
  renderer: ChartRenderer,
  judged: Judged,
  paths: readonly FieldPath[],
): Promise<ChartFailure | undefined> {
  const found = await renderedWithout(renderer, judged, paths);
  return found && 'failed' in found ? found.failed : undefined;
}
