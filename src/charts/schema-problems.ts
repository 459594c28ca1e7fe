/** What the schemas of charts refuse of the values of the repository, each at its value. */
import { filledIn, restsOnUnknown } from '../apiserver/refusals.js';
import type { FieldPath, Finding, JsonObject, Problem } from '../core/model.js';
import { formatPath, inventoryId, isObject, isWithin, lookUp } from '../core/object.js';
import type { ChartResponse } from '../engine/host/helm-protocol.js';
import { type ReportedRefusal, reportedRefusals } from '../schema/helm-report.js';
import { adviceOn, faultOf } from '../schema/helm-words.js';
import { causesOf, type Fault, placesOf, reasonsOf } from './culprits.js';
import { faultsOf, type Judged, leavesOf, renderedWithout } from './fails.js';
import { releaseLabel, valuesPath } from './releases.js';
import type { ChartRenderer } from './renderer.js';

const messages = {
  refused: (component: string, field: string, fault: string, chart: string) =>
    `${component}: ${field} ${fault} (schema of chart "${chart}"), so the upgrade fails`,
  values: 'the values',
};

/** Faults that are not at a value of the manifest, and are looked for one after the other. */
const maxSearched = 8;

type SchemaFault = Fault & ReportedRefusal;

/** Undefined where Helm's words name no value, or none that the repository has a part in: then it fails as a whole. */
export async function schemaProblems(
  renderer: ChartRenderer,
  judged: Judged,
  response: ChartResponse,
  findings: readonly Finding[],
): Promise<Problem[] | { notChecked: string } | undefined> {
  const values = valuesPath(judged.release);
  const bare = reasonsOf(faultsIn(await renderedWithout(renderer, judged, [values])));
  const own = reported(response).filter(({ reason }) => !bare.has(reason));
  const names = await namesOf(renderer, judged);
  const found = new Map<string, Problem>();
  let [searched, unknown] = [0, 0];
  for (const fault of own) {
    const place = placeIn(judged, fault, names);
    if (!place && ++searched > maxSearched) continue;
    const placed = place ? { at: { object: judged.object, ...place } } : await blamed(renderer, judged, fault);
    if (restsOnUnknown(judged.object, placed.at.path)) unknown++;
    else if (!found.has(JSON.stringify(placed.at.path)))
      found.set(JSON.stringify(placed.at.path), { ...problemOf(judged, fault, placed.at.path), ...placed });
  }
  if (found.size === 0) return unknown > 0 ? { notChecked: filledIn } : undefined;
  return [...found.values()].filter(({ at }) => !isSaid(judged, 'path' in at ? at.path : [], findings));
}

function reported(response: ChartResponse | undefined): SchemaFault[] {
  if (!response || !('failed' in response) || response.failed.stage !== 'schema') return [];
  return reportedRefusals(response.failed.message).map(({ chart, refusal }) => {
    // Items of lists move when others go.
    const place = `${chart} ${refusal.path.join('/')}`.replace(/\d+/g, '0');
    return { chart, refusal, place, reason: `${place} ${refusal.words.replace(/\d+/g, '0')}` };
  });
}

function faultsIn(response: ChartResponse | undefined): Fault[] {
  const found = reported(response);
  return found.length > 0 || !response || !('failed' in response) ? found : faultsOf(response.failed);
}

type Place = { path: FieldPath; part?: 'key' };

/**
 * Where the manifest has what is refused; undefined where it is a map of which something is wrong, as of that other values are part, or
 * where it is not here.
 */
function placeIn({ object, release }: Judged, { chart, refusal }: SchemaFault, names: ChartNames): Place | undefined {
  for (const prefix of names(chart)) {
    const path = withIndexes(object.value, [...valuesPath(release), ...prefix, ...refusal.path]);
    const value = lookUp(object.value, path);
    if (value === undefined) continue;
    if (refusal.unknownKey) return { path, part: 'key' };
    if (!isObject(value) || path.some((step) => typeof step === 'number')) return { path };
    if (refusal.wants && path.length > valuesPath(release).length) return { path, part: 'key' };
  }
  return undefined;
}

/** Steps into lists are numbers. */
function withIndexes(value: JsonObject, path: FieldPath): FieldPath {
  return path.map((step, depth) => (Array.isArray(lookUp(value, path.slice(0, depth))) ? Number(step) : step));
}

/** Where the values of a chart stand below those of the release, by its name. */
type ChartNames = (chart: string) => string[][];

/** Charts below charts are not more. */
const deepest = 4;

async function namesOf(renderer: ChartRenderer, { release }: Judged): Promise<ChartNames> {
  const chart = await renderer.load(release.chart);
  if ('failed' in chart) return () => [];
  return (name) => [...(name === chart.name ? [[]] : []), ...placesNamed(name, chart.values, [])];
}

function placesNamed(name: string, values: JsonObject, path: string[]): string[][] {
  if (path.length === deepest) return [];
  const inner = Object.entries(values).filter(([, value]) => isObject(value)) as [string, JsonObject][];
  const here = inner.some(([key]) => key === name) ? [[...path, name]] : [];
  return [...here, ...inner.flatMap(([key, value]) => placesNamed(name, value, [...path, key]))];
}

async function blamed(renderer: ChartRenderer, judged: Judged, fault: SchemaFault) {
  const trial = async (paths: readonly FieldPath[]) => faultsIn(await renderedWithout(renderer, judged, paths));
  const causes = await causesOf(leavesOf(judged), fault, trial);
  const places = causes.map(({ items }) => items.map((path) => ({ object: judged.object, path })));
  return placesOf(places, { object: judged.object, path: valuesPath(judged.release) });
}

function problemOf({ object, release }: Judged, { chart, refusal }: SchemaFault, path: FieldPath) {
  const field = formatPath(path.slice(valuesPath(release).length)) || messages.values;
  const value = lookUp(object.value, path);
  const { help } = value === undefined ? {} : adviceOn(value, refusal);
  const advice = help ?? (refusal.unknownKey ? 'remove it, or correct its path' : undefined);
  return {
    rule: 'chart-fails',
    message: messages.refused(releaseLabel(release), field, faultOf(refusal), chart),
    ...(advice && { help: advice }),
    ...(path.length > valuesPath(release).length && { insteadOf: [{ rules: ['invalid-value'], path }] }),
  };
}

/** As an error: of what may not hold it is told here that it does, instead. */
function isSaid({ object, release }: Judged, path: FieldPath, findings: readonly Finding[]): boolean {
  const isBelow = path.length > valuesPath(release).length;
  return findings.some(
    ({ rule, severity, object: of, field }) =>
      rule === 'invalid-value' &&
      severity === 'error' &&
      of !== undefined &&
      inventoryId(of) === inventoryId(object.ref) &&
      (isWithin(path, field) || (isBelow && isWithin(field, path))),
  );
}
