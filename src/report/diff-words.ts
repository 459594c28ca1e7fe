/** What differences of objects have in common: how an object is called, and how a value is shown. */
import { printable, shorten } from '../core/escape.js';
import type { Json, ObjectRef } from '../core/model.js';

/** Longer values are cut: a difference is read, not copied. */
export const longest = 80;

/** `DaemonSet cozy-metallb/speaker` */
export function nameInDiff({ kind, namespace, name }: ObjectRef): string {
  return printable(`${kind} ${namespace ? `${namespace}/` : ''}${name}`);
}

export function valueInDiff(value: Json): string {
  return printable(shorten(JSON.stringify(value), longest));
}
