/** What a change does below a Package that an upgrade does not survive, or data does not. */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../core/defined.js';
import { groupBy } from '../core/group.js';
import type { FieldPath, Json, JsonObject, ObjectRef, Problem } from '../core/model.js';
import { formatPath, isKeptByHelm, isObject, label, lookUp, pathsOverlap, refOf } from '../core/object.js';
import { firstInWords } from '../core/text.js';
import type { LaterEngine } from '../engine/host/apply-engine.js';
import type { ApplyAnswer, Operation } from '../engine/host/apply-protocol.js';
import { changesBetween, type FieldChange } from '../simulate/changes.js';
import { type Blamed, causesOf, placesOf } from './culprits.js';
import { without, withValue } from './fails.js';
import { fieldsBetween, withField } from './fields.js';
import { type Made, madeBy } from './made.js';
import { appliedByHelm, causesIn, ObjectServer } from './refused.js';
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

type Danger = { at: Blamed; related?: NonNullable<Problem['related']>; ref: ObjectRef };

/** One problem a place, with all that it is about: a place has one finding of a rule. */
function problemsAt<Of extends Danger>(
  rule: string,
  dangers: readonly Of[],
  messageOf: (of: readonly Of[]) => string,
): Problem[] {
  const places = groupBy(dangers, ({ at }) => JSON.stringify([at.object.ref, at.path]));
  return [...places.values()].flatMap((ones) =>
    ones.slice(0, 1).map(({ at, related }) => ({ rule, message: messageOf(ones), at, ...defined({ related }) })),
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
    if (at) dangers.push({ ...at, ref: refOf(object) });
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
  const dangers: (Danger & { fields: readonly string[] })[] = [];
  const asked = new ObjectServer(server, changed.head.schemas);
  const ask = (updates: readonly Update[]) => refusalsOf(asked, updates);
  const refusals = await ask(pairs);
  for (const [index, { id, old, object }] of pairs.entries()) {
    const refused = refusals[index];
    if (!refused) continue;
    const at = await placeOf(renderer, changed, async (made) => {
      const other = made.get(id);
      return other !== undefined && (await ask([{ old, object: other }]))[0] === undefined;
    });
    if (at) dangers.push({ ...at, ref: refOf(object), fields: await refusedFields(asked, refused) });
  }
  return problemsAt('immutable-chart-field', dangers, (ones) => {
    const changes = ones.map(({ fields, ref }) => messages.fixed(firstInWords(fields), label(ref)));
    return messages.refused(releaseLabel(changed.after), firstInWords(changes));
  });
}

/** `field`: as the server names it. */
type RefusedUpdate = Update & { field: string };

/**
 * Of each update the field for which the API server refuses it, though it would take the object anew: Kubernetes' own validation is asked,
 * and for the kinds of the platform's definitions those with their rules. Where it would not take it anew either, the update without what is
 * wrong with it is asked about. Undefined where it is accepted, where the server has no such kind, and where it refuses the object as it was.
 */
async function refusalsOf(server: ObjectServer, updates: readonly Update[]): Promise<(RefusedUpdate | undefined)[]> {
  const answers = await answersTo(server, updates);
  const mended = updates.map((update, index) => mendedUpdate(update, answers[index]));
  const open = mended.filter((one) => one !== undefined);
  const again = open.length > 0 ? await answersTo(server, open) : [];
  return updates.map((update, index) => {
    const other = mended[index];
    const of = other ?? update;
    const { anew, made, changed } = (other ? again[open.indexOf(other)] : answers[index]) ?? {};
    if (!anew || anew.status >= 400 || !made || made.status >= 400 || changed?.status !== 422) return undefined;
    return { ...of, field: detailsOf(changed)[0]?.field ?? '' };
  });
}

/** More fields of one object than a change of values has. */
const maxMended = 1000;

/** With the fields as they were that would be refused anew too; undefined where there are none, or nothing else has changed. */
function mendedUpdate({ old, object }: Update, answers: Answers | undefined): Update | undefined {
  const wrong = causesIn(answers?.anew, object);
  if (wrong.length === 0) return undefined;
  const fields = fieldsBetween(old, object);
  const others = fields.filter((field) => !wrong.some(({ path }) => pathsOverlap(path, field.path)));
  if (others.length === 0 || others.length === fields.length || fields.length > maxMended) return undefined;
  const mended = others.reduce((value: Json | undefined, field) => withField(value, object, field), old);
  return isObject(mended) ? { old, object: mended } : undefined;
}

type Answers = { anew: ApplyAnswer; made: ApplyAnswer; changed: ApplyAnswer };

/** Each update by itself. What the server would refuse anew as well is another matter than a field that cannot be changed. */
async function answersTo(server: ObjectServer, updates: readonly Update[]): Promise<Answers[]> {
  const asked = updates.map(({ old, object }): Operation[] => [
    { ...appliedByHelm, object, dryRun: true },
    { ...appliedByHelm, object: old },
    { ...appliedByHelm, object, dryRun: true },
  ]);
  const kinds = updates.map(({ object }) => refOf(object));
  const answers = await server.ask(kinds, asked);
  return answers.flatMap(([anew, made, changed]) => {
    return anew && made && changed ? [{ anew, made, changed }] : [];
  });
}

function detailsOf({ error }: ApplyAnswer): readonly { message?: string; field?: string }[] {
  return error?.details?.causes ?? [];
}

/** What is asked about of one object: fields, and characters of all that is sent. */
const most = { fields: 100, characters: 4_000_000 };

/**
 * The field itself, or where that is all of the `spec` or of the object (StatefulSets, PersistentVolumeClaims, rules of definitions) those
 * in it whose change alone is refused for the same.
 */
async function refusedFields(server: ObjectServer, { old, object, field }: RefusedUpdate): Promise<string[]> {
  // The path of a whole object, as Go writes one that is nil.
  const isWhole = field === '' || field === '<nil>';
  if (!isWhole && field !== 'spec') return [field];
  const fields = fieldsBetween(old, object).filter(({ path }) => isWhole || path[0] === field);
  const fit = Math.floor(most.characters / JSON.stringify([old, object]).length);
  const updates = fields.slice(0, Math.min(most.fields, fit)).flatMap((one) => {
    const other = withField(old, object, one);
    return isObject(other) ? [{ path: one.path, old, object: other }] : [];
  });
  const answers = await answersTo(server, updates);
  const refused = updates.filter((_, index) => isRefusedFor(field, answers[index]));
  if (refused.length > 0) return refused.map(({ path }) => formatPath(path));
  return [isWhole ? 'a field' : field];
}

/** Alone it may be wrong otherwise too, such as a selector that does not fit the labels any more. */
function isRefusedFor(field: string, answers: Answers | undefined): boolean {
  if (answers?.changed.status !== 422) return false;
  const anew = new Set(detailsOf(answers.anew).map(({ message, field }) => JSON.stringify([field, message])));
  return detailsOf(answers.changed).some(
    (cause) => (cause.field ?? '') === field && !anew.has(JSON.stringify([cause.field, cause.message])),
  );
}

/**
 * The first value that changed without whose change all would be well; else those that would have to be as before together; else the
 * Package itself.
 */
async function placeOf(
  renderer: ChartRenderer,
  { base, head, after }: Changed,
  isWell: (made: Objects) => boolean | Promise<boolean>,
): Promise<Pick<Danger, 'at' | 'related'> | undefined> {
  const [object, old] = [manifestOf(head, after), manifestOf(base, after)];
  if (!object) return undefined;
  const changed = changesBetween(old?.value, object.value).filter(({ path }) => path[0] === 'spec');
  const isWellWithout = async (undone: readonly FieldChange[]) => {
    const value = undone.reduce(
      (value, { path, before }) => (before === undefined ? without(value, [path]) : withValue(value, path, before)),
      object.value,
    );
    const other = releaseWith(head, after, value);
    return other !== undefined && (await isWell((await madeBy(renderer, other, head)).objects));
  };
  const values = valuesPath(after);
  const isHere = ({ path }: { path: FieldPath }) => lookUp(object.value, path) !== undefined;
  const otherwise = { object, path: isHere({ path: values }) ? values : ['metadata', 'name'] };
  const causes = (await causesAmong(changed, isWellWithout)).map((cause) =>
    cause.filter(isHere).map(({ path }) => ({ object, path })),
  );
  return placesOf(
    causes.filter((cause) => cause.length > 0),
    otherwise,
  );
}

/** As many changes as are undone one by one. */
const maxUndone = 500;

async function causesAmong(
  changed: readonly FieldChange[],
  isWellWithout: (undone: readonly FieldChange[]) => Promise<boolean>,
): Promise<FieldChange[][]> {
  for (const one of changed) if (await isWellWithout([one])) return [[one]];
  if (changed.length < 2 || changed.length > maxUndone || !(await isWellWithout(changed))) return [];
  const danger = { reason: '', place: '' };
  const causes = await causesOf(changed, danger, async (undone) => ((await isWellWithout(undone)) ? [] : [danger]));
  return causes.map(({ items }) => items);
}
