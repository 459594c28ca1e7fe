/** What differences of objects have in common: how an object is called, and how a value is shown. */
import { printable, shorten } from '../core/escape.js';
import type { Json, ObjectRef } from '../core/model.js';

/** Longer values are cut: a difference is read, not copied. */
const longest = 80;
/** Of a cut value, what is shown before the first difference, and what is so near to the end that it could be overlooked. */
const around = { before: 30, end: 20 };

/** `DaemonSet cozy-metallb/speaker` */
export function nameInDiff({ kind, namespace, name }: ObjectRef): string {
  return printable(`${kind} ${namespace ? `${namespace}/` : ''}${name}`);
}

export function valueInDiff(value: Json): string {
  return printable(shorten(JSON.stringify(value), longest));
}

/** Both sides of a change; of those that are cut, the part where they begin to differ. */
export function pairInDiff(before: Json, after: Json): [string, string] {
  return textsInDiff(JSON.stringify(before), JSON.stringify(after));
}

export function textsInDiff(before: string, after: string): [string, string] {
  const first = firstDifference(before, after);
  const start = first > longest - around.end ? first - around.before : 0;
  const part = (text: string) => `${start > 0 ? '…' : ''}${text.slice(start).replace(/^[\udc00-\udfff]/, '')}`;
  return [printable(shorten(part(before), longest)), printable(shorten(part(after), longest))];
}

/** Where the texts begin to differ, from 0; 0 where they do not, or where both are shown as they are. */
function firstDifference(one: string, other: string): number {
  if (one === other || Math.max(one.length, other.length) <= longest) return 0;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return at;
}
