/** What a change does below a Package that an upgrade does not survive, or data does not. */
import { isDeepStrictEqual } from 'node:util';
import { definitionsOf } from '../cluster/crds.js';
import type { JsonObject, Problem } from '../core/model.js';
import { isKeptByHelm, label, lookUp, refOf } from '../core/object.js';
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
  deletes: (object: string, component: string, lost: string) =>
    `${component}: Helm deletes ${object}, and with it ${lost}`,
  refused: (object: string, component: string, field: string) =>
    `${component}: ${field} cannot be changed in ${object}, so the upgrade fails`,
};

/** What goes with an object that Helm deletes. */
const lost: { readonly [kind: string]: string } = {
  PersistentVolumeClaim: 'the data of its volume',
  PersistentVolume: 'the data that it holds',
  Namespace: 'everything in it',
  CustomResourceDefinition: 'every object of its kind',
};

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
  const problems: Problem[] = [];
  for (const [id, object] of before) {
    const goes = lost[String(object.kind)];
    if (after.has(id) || goes === undefined || isKeptByHelm(object)) continue;
    const at = await placeOf(renderer, changed, (made) => made.has(id));
    const message = messages.deletes(label(refOf(object)), releaseLabel(changed.after), goes);
    if (at) problems.push({ rule: 'chart-deletes', message, at });
  }
  return problems;
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
  const problems: Problem[] = [];
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
    const message = messages.refused(label(refOf(object)), releaseLabel(changed.after), field);
    if (at) problems.push({ rule: 'immutable-chart-field', message, at });
  }
  return problems;
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
  const asked = updates.flatMap(({ old, object }) => [
    { ...how, object: old },
    { ...how, object, dryRun: true },
  ]);
  const [, ...answers] = await engine.ask([{ op: 'reset' }, ...asked]);
  const refused = updates.flatMap(({ object }, index) => {
    const [made, changed] = [answers[2 * index], answers[2 * index + 1]];
    return made && made.status < 400 && changed?.status === 422 ? [{ index, object, error: changed.error }] : [];
  });
  if (refused.length === 0) return [];
  // What it would refuse anew as well is another matter than a field that cannot be changed.
  const anew = await engine.ask([{ op: 'reset' }, ...refused.map(({ object }) => ({ ...how, object, dryRun: true }))]);
  const fields = refused.map(({ index, error }, at): [number, string | undefined] => {
    const [cause] = error?.details?.causes ?? [];
    return [index, (anew[at + 1]?.status ?? 500) < 400 ? (cause?.field ?? 'a field') : undefined];
  });
  const byIndex = new Map(fields);
  return updates.map((_, index) => byIndex.get(index));
}

/** The first value that changed without whose change all would be well; else the Package itself. */
async function placeOf(
  renderer: ChartRenderer,
  { base, head, after }: Changed,
  isWell: (made: Objects) => boolean | Promise<boolean>,
): Promise<Problem['at'] | undefined> {
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
