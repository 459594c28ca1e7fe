/** What the merge does to the field of a finding, where that was simulated: each a sentence in Markdown. */
import { codeSpan, shorten } from '../core/escape.js';
import type { Diff, FieldDiff, FieldPath, Finding, Json, ObjectDiff, ObjectRef, Run } from '../core/model.js';
import { formatPath } from '../core/object.js';

/** Longer values are cut: nobody copies them from here. */
const longest = 80;
/** Of one finding. */
const most = 3;
const flux = 'kustomize-controller';

/** `run` must be masked, as values are shown. */
export function consequences({ diffs = [] }: Run, { object, field, message }: Finding): string[] {
  if (!object || field.length === 0) return [];
  const [found] = diffs.flatMap((diff) => objectsIn(diff, object).map((changed) => ({ diff, changed })));
  if (found?.changed.action !== 'changed') return [];
  const where =
    diffs.length > 1 && found.diff.cluster !== undefined ? ` in cluster ${codeSpan(found.diff.cluster)}` : '';
  const fields = found.changed.fields.filter(({ path }) => isBelow(path, field)).slice(0, most);
  return fields.flatMap((one) => changeWords(one, message, where));
}

function objectsIn({ objects }: Diff, ref: ObjectRef): ObjectDiff[] {
  return objects.filter(
    ({ ref: one }) =>
      one.kind === ref.kind &&
      one.name === ref.name &&
      one.namespace === ref.namespace &&
      one.apiVersion.split('/')[0] === ref.apiVersion.split('/')[0],
  );
}

function isBelow(path: FieldPath, top: FieldPath): boolean {
  return top.every((key, index) => String(path[index]) === String(key));
}

/** What the message says already is not said again. */
function changeWords(
  { path, before, after, ownersBefore, ownersAfter }: FieldDiff,
  message: string,
  where: string,
): string[] {
  const name = codeSpan(formatPath(path));
  const taken = ownersAfter.includes(flux)
    ? ownersBefore.filter((owner) => owner !== flux && !ownersAfter.includes(owner))
    : [];
  const from = taken.length > 0 ? ` Flux takes the field from ${taken.map(codeSpan).join(' and ')}.` : '';
  const isSaid = [before, after].every((value) => value === undefined || message.includes(JSON.stringify(value)));
  if (isSaid) return from ? [`Merging it takes ${name} from ${taken.map(codeSpan).join(' and ')}${where}.`] : [];
  if (before === undefined) return [`Merging sets ${name} to ${valueWords(after)}${where}.${from}`];
  if (after === undefined) return [`Merging removes ${name}, which was ${valueWords(before)}${where}.${from}`];
  return [`Merging changes ${name} from ${valueWords(before)} to ${valueWords(after)}${where}.${from}`];
}

function valueWords(value: Json | undefined): string {
  return codeSpan(shorten(typeof value === 'string' ? value : JSON.stringify(value ?? null), longest));
}
