/** What a change does below a Package that an upgrade does not survive, or data does not. */
import { isDeepStrictEqual } from 'node:util';
import { definitionsOf } from '../cluster/crds.js';
import { groupBy } from '../core/group.js';
import type { FieldPath, JsonObject, ObjectRef, Problem, RenderedObject } from '../core/model.js';
import { isKeptByHelm, label, lookUp, refOf } from '../core/object.js';
import { firstInWords } from '../core/text.js';
import type { Schemas } from '../cozystack/schemas.js';
import type { ApplyEngine, LaterEngine } from '../engine/host/apply-engine.js';
import { changesBetween } from '../simulate/changes.js';
import { groupKind } from '../simulate/sources.js';
import { without, withValue } from './fails.js';
import { type Made, madeBy } from './made.js';
import { type ReleaseOfRepository, releaseLabel, valuesPath } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { type ChartSide, manifestOf, releaseWith } from './side.js';

const messages = {
  deletes: (component: string, losses: string) => `${component}: Helm deletes ${losses}`,
  lost: (objects: string, what: string, isOne: boolean) => `${objects}, and with ${isOne ? 'it' : 'them'} ${what}`,
  refused: (component: string, changes: string) => `${component}: ${changes}, so the upgrade fails`,
  fixed: (field: string, object: string) => `${field} cannot be changed in ${object}`,
};

/** What goes with an object that Helm deletes, and with several. */
const lost: { readonly [kind: string]: readonly [one: string, several: string] } = {
  PersistentVolumeClaim: ['the data of its volume', 'the data of their volumes'],
  PersistentVolume: ['the data that it holds', 'the data that they hold'],
  Namespace: ['everything in it', 'everything in them'],
  CustomResourceDefinition: ['every object of its kind', 'every object of these kinds'],
};

type Danger = { at: { object: RenderedObject; path: FieldPath }; ref: ObjectRef };

/** One problem a place, with all that it is about: a place has one finding of a rule. */
function problemsAt<Of extends Danger>(
  rule: string,
  dangers: readonly Of[],
  messageOf: (of: readonly Of[]) => string,
): Problem[] {
  const places = groupBy(dangers, ({ at }) => JSON.stringify([at.object.ref, at.path]));
  return [...places.values()].flatMap((ones) =>
    ones.slice(0, 1).map(({ at }) => ({ rule, message: messageOf(ones), at })),
  );
}

/** A release that both revisions have. */
type Changed = { base: ChartSide; head: ChartSide; before: ReleaseOfRepository; after: ReleaseOfRepository };
type Objects = Made['objects'];
/** Of one object. */
type Update = { old: JsonObject; object: JsonObject };

export async function dangersOf(
  renderer: ChartRenderer,
  changed: Changed,
  [before, after]: [Objects, Objects],
  server: LaterEngine,
): Promise<Problem[]> {
  return [
    ...(await deletions(renderer, changed, [before, after])),
    ...(await refusedUpdates(renderer, changed, [before, after], server)),
  ];
}

async function deletions(
  renderer: ChartRenderer,
  changed: Changed,
  [before, after]: [Objects, Objects],
): Promise<Problem[]> {
  const dangers: Danger[] = [];
  for (const [id, object] of before) {
    if (after.has(id) || lost[String(object.kind)] === undefined || isKeptByHelm(object)) continue;
    const at = await placeOf(renderer, changed, (made) => made.has(id));
    if (at) dangers.push({ at, ref: refOf(object) });
  }
  return problemsAt('chart-deletes', dangers, (ones) =>
    messages.deletes(releaseLabel(changed.after), lossesOf(ones.map(({ ref }) => ref))),
  );
}

function lossesOf(refs: readonly ObjectRef[]): string {
  const losses = [...groupBy(refs, ({ kind }) => kind)].map(([kind, ones]) => {
    const [one = '', several = ''] = lost[kind] ?? [];
    const isOne = ones.length === 1;
    return messages.lost(firstInWords(ones.map(label)), isOne ? one : several, isOne);
  });
  return losses.join('; ');
}

async function refusedUpdates(
  renderer: ChartRenderer,
  changed: Changed,
  [before, after]: [Objects, Objects],
  server: LaterEngine,
): Promise<Problem[]> {
  const pairs = [...after].flatMap(([id, object]) => {
    const old = before.get(id);
    return old && !isDeepStrictEqual(old, object) ? [{ id, old, object }] : [];
  });
  if (pairs.length === 0) return [];
  const dangers: (Danger & { field: string })[] = [];
  const engine = await server.get();
  const ask = (updates: readonly Update[]) => refusalsOf(engine, updates, changed.head.schemas);
  const refusals = await ask(pairs);
  for (const [index, { id, old, object }] of pairs.entries()) {
    const field = refusals[index];
    if (field === undefined) continue;
    const at = await placeOf(renderer, changed, async (made) => {
      const other = made.get(id);
      return other !== undefined && (await ask([{ old, object: other }]))[0] === undefined;
    });
    if (at) dangers.push({ at, ref: refOf(object), field });
  }
  return problemsAt('immutable-chart-field', dangers, (ones) => {
    const changes = ones.map(({ field, ref }) => messages.fixed(field, label(ref)));
    return messages.refused(releaseLabel(changed.after), firstInWords(changes));
  });
}

/**
 * Of each update the field for which the API server refuses it, though it would take the object anew: Kubernetes' own validation is asked,
 * and for the kinds of the platform's definitions those with their rules. Undefined where it is accepted, where the server has no such kind,
 * and where it refuses the object as it was.
 */
async function refusalsOf(
  engine: ApplyEngine,
  updates: readonly Update[],
  schemas: Schemas,
): Promise<(string | undefined)[]> {
  const kinds = updates.map(({ object }) => groupKind(refOf(object)));
  await engine.define(definitionsOf(kinds, schemas));
  const how = { op: 'apply', force: true, manager: 'helm-controller', brief: true } as const;
  // What it would refuse anew as well is another matter than a field that cannot be changed.
  const asked = updates.flatMap(({ old, object }) => [
    { ...how, object, dryRun: true },
    { ...how, object: old },
    { ...how, object, dryRun: true },
  ]);
  const [, ...answers] = await engine.ask([{ op: 'reset' }, ...asked]);
  return updates.map((_, index) => {
    const [anew, made, changed] = answers.slice(3 * index, 3 * index + 3);
    if (!anew || anew.status >= 400 || !made || made.status >= 400 || changed?.status !== 422) return undefined;
    return changed.error?.details?.causes?.[0]?.field ?? 'a field';
  });
}

/** The first value that changed without whose change all would be well; else the Package itself. */
async function placeOf(
  renderer: ChartRenderer,
  { base, head, after }: Changed,
  isWell: (made: Objects) => boolean | Promise<boolean>,
): Promise<Danger['at'] | undefined> {
  const [object, old] = [manifestOf(head, after), manifestOf(base, after)];
  if (!object) return undefined;
  const values = valuesPath(after);
  const changed = changesBetween(old?.value, object.value).filter(({ path }) => path[0] === 'spec');
  for (const { path, before } of changed) {
    const value = before === undefined ? without(object.value, [path]) : withValue(object.value, path, before);
    const other = releaseWith(head, after, value);
    if (!other || !(await isWell((await madeBy(renderer, other, head)).objects))) continue;
    if (lookUp(object.value, path) !== undefined) return { object, path };
    break;
  }
  return { object, path: lookUp(object.value, values) === undefined ? ['metadata', 'name'] : values };
}
