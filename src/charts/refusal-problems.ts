/** What of the repository makes a chart render an object that the API server refuses, found by rendering without it. */
import { isDeepStrictEqual } from 'node:util';
import { restsOnUnknown } from '../apiserver/refusals.js';
import type { Fact, FieldPath, NotChecked, Problem } from '../core/model.js';
import { label, lookUp } from '../core/object.js';
import type { ChartObject, ChartResponse } from '../engine/host/helm-protocol.js';
import { Stopped } from '../engine/host/stopped.js';
import { type Blamed, type Fault, placesOf, reasonsOf, type Trial, valuesInWords } from './culprits.js';
import { blamedFor, faultsOf, type Judged, leavesOf, renderedWithout } from './fails.js';
import type { ObjectServer, RefusedField } from './refused.js';
import { releaseLabel, valuesPath } from './releases.js';
import type { ChartRenderer } from './renderer.js';

const messages = {
  refused: (component: string, values: string, what: string) =>
    `${component}: with ${values} the API server refuses ${what}, so the upgrade fails`,
  more: (count: number) => `${count} more`,
  see: (template: string) => `see ${template}`,
  dropped: 'a release that Helm 3 has installed is upgraded without the field',
  asks: 'the chart asks the cluster (lookup, Capabilities), so with another answer it may be accepted',
  stopped: 'that needs more time or memory than the charts of a run may take',
  tooMany: 'there are more of them than are asked about',
};

/** Fields of one release whose values are looked for, and those that a message names. */
const [maxSearched, maxNamed] = [8, 3];

/** `causes`: empty where the values are to blame, but not which. */
type Found = { causes: Blamed[][]; fields: RefusedField[] };

/** `release`: which one the definitions are of. */
export type RefusalNeeds = { server: ObjectServer; release: Fact };

/**
 * One problem a value, or several that are to blame together. What the chart makes without any of them is not asked about, and what is
 * refused then as well is none of the repository's.
 */
export async function refusalProblems(
  renderer: ChartRenderer,
  judged: Judged,
  objects: readonly ChartObject[],
  needs: RefusalNeeds,
): Promise<{ problems: Problem[]; notChecked: NotChecked[] }> {
  // One release that is too much does not hide what is wrong with the others.
  const asked = await unlessStopped(() => askedProblems(renderer, judged, objects, needs));
  return asked ?? { problems: [], notChecked: [notAsked(judged, objects.length, messages.stopped)] };
}

async function askedProblems(
  renderer: ChartRenderer,
  judged: Judged,
  objects: readonly ChartObject[],
  { server, release }: RefusalNeeds,
): Promise<{ problems: Problem[]; notChecked: NotChecked[] }> {
  const bare = await renderedWithout(renderer, judged, [valuesPath(judged.release)]);
  const standard = new Set(bare && !('failed' in bare) ? bare.objects.map(keyOf) : []);
  const own = objects.filter((one) => !standard.has(keyOf(one)));
  const refused = (some: readonly ChartObject[]) => server.refused(some, judged.release.namespace);
  const { fields, left } = own.length > 0 ? await refused(own) : { fields: [], left: 0 };
  const notChecked = left > 0 ? [notAsked(judged, left, messages.tooMany)] : [];
  if (fields.length === 0) return { problems: [], notChecked };
  const templates = new Set(fields.map(({ template }) => template));
  const faultsIn = async (response: ChartResponse | undefined, isOf: (one: ChartObject) => boolean) => {
    if (!response) return [];
    if ('failed' in response) return faultsOf(response.failed);
    return (await refused(response.objects.filter(isOf))).fields;
  };
  const alike = reasonsOf(await faultsIn(bare, ({ template }) => templates.has(template)));
  const trial = async (paths: readonly FieldPath[]) =>
    faultsIn(await renderedWithout(renderer, judged, paths), (one) => !standard.has(keyOf(one)));
  const isBareKnown = bare !== undefined && !('failed' in bare);
  const open = fields.filter(({ reason }) => !alike.has(reason));
  if (open.length === 0) return { problems: [], notChecked };
  const world = { ...judged.side.world, apiVersions: ['v1'] };
  const other = await renderedWithout(renderer, judged, [], { world, chance: 1 });
  const elsewhere = reasonsOf(await faultsIn(other, ({ template }) => templates.has(template)));
  const found = await searched(judged, { open, isBareKnown, trial });
  return {
    problems: [...found.values()].map((one) => problemOf(judged, one, { elsewhere, server, release })),
    notChecked,
  };
}

function keyOf({ template, object }: ChartObject): string {
  return `${template} ${JSON.stringify(object)}`;
}

function notAsked({ release }: Judged, count: number, why: string): NotChecked {
  return {
    what: `what the API server refuses of what the chart of ${releaseLabel(release)} makes`,
    why,
    count,
  };
}

type Search = { open: readonly RefusedField[]; isBareKnown: boolean; trial: Trial<FieldPath> };

/** By the values that are to blame. */
async function searched(judged: Judged, { open, isBareKnown, trial }: Search): Promise<ReadonlyMap<string, Found>> {
  let left = open;
  const found = new Map<string, Found>();
  const add = (causes: Blamed[][], fields: readonly RefusedField[]) => {
    const key = JSON.stringify(causes.map((cause) => cause.map(({ path }) => path)));
    found.set(key, { causes, fields: [...(found.get(key)?.fields ?? []), ...fields] });
  };
  for (let count = 0; left.length > 0 && count < maxSearched; count++) {
    const [field] = left as [RefusedField];
    // Without a value that the chart needs nobody knows what else would be refused: it is to blame if it is what stands there.
    const isBlamed = ({ object, path }: Blamed) => isDeepStrictEqual(lookUp(object.value, path), field.value);
    const tried = await unlessStopped(async () => {
      const causes = (await causesFor(judged, field, trial)).flatMap(({ heals, places }) => {
        const items = heals || isBareKnown ? places : places.filter(isBlamed);
        return items.length > 0 ? [items] : [];
      });
      return { causes, healed: await trial(causes.flat().map(({ path }) => path)) };
    });
    // What is left is told of all values.
    if (!tried) break;
    const { causes, healed } = tried;
    const stays = reasonsOf(healed);
    const goes = (one: RefusedField) =>
      isAlike(one, field) || (causes.length > 0 && isRendered(healed) && !stays.has(one.reason));
    const fields = left.filter(goes);
    left = left.filter((one) => !goes(one));
    const isKnown = causes.flat().every(({ object, path }) => !restsOnUnknown(object, path));
    if (isKnown && (causes.length > 0 || isBareKnown)) add(causes, fields);
  }
  if (left.length > 0 && isBareKnown) add([], left);
  return found;
}

async function unlessStopped<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

/** Of objects whose names are numbered. */
function isAlike(one: RefusedField, other: RefusedField): boolean {
  const [text, otherText] = [one, other].map(({ reason }) => reason.replace(/\d+/g, '0'));
  return text === otherText;
}

function isRendered(faults: readonly Fault[]): boolean {
  return faults.every((fault) => 'words' in fault);
}

/** The value that stands there is tried before all others, one by one. */
async function causesFor(judged: Judged, field: RefusedField, trial: Trial<FieldPath>) {
  const { object } = judged;
  const same = leavesOf(judged).filter((path) => isDeepStrictEqual(lookUp(object.value, path), field.value));
  for (const path of same.slice(0, maxSearched))
    if ((await trial([path])).length === 0) return [{ places: [{ object, path }], heals: true }];
  return blamedFor(judged, field, trial);
}

function problemOf(
  judged: Judged,
  { causes, fields }: Found,
  { elsewhere, server, release }: RefusalNeeds & { elsewhere: ReadonlySet<string> },
): Problem {
  const values = valuesPath(judged.release);
  const named = [...new Set(fields.map(({ ref, words }) => `${label(ref)}: ${words}`))];
  const more = named.length > maxNamed ? [messages.more(named.length - maxNamed)] : [];
  const what = [...named.slice(0, maxNamed), ...more].join('; ');
  const [advice, ...others] = new Set(fields.map((field) => field.help));
  const help = advice && others.length === 0 ? [advice] : [];
  help.push(messages.see([...new Set(fields.map(({ template }) => template))].slice(0, maxNamed).join(' and ')));
  const isUnknown = fields.every((field) => field.isUnknown);
  const asks = !fields.some(({ reason }) => elsewhere.has(reason));
  if (isUnknown) help.push(messages.dropped);
  if (asks) help.push(messages.asks);
  const isGuessed =
    release.source === 'assumed' &&
    fields.every(({ ref: { apiVersion, kind } }) => !server.schemas.isTheSameEverywhere(apiVersion, kind));
  return {
    rule: 'chart-fails',
    message: messages.refused(releaseLabel(judged.release), valuesInWords(causes, values.length), what),
    help: help.join('; '),
    ...((isUnknown || asks) && { severity: 'warning' as const }),
    ...(isGuessed && { assumes: [release] }),
    ...placesOf(causes, { object: judged.object, path: values }),
  };
}
