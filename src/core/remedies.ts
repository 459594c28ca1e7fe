/** The usual remedies, as rules propose them. Whether one is safe is the rule's to know. */
import type { FieldPath, FixProposal, Json, Place, RenderedObject } from './model.js';
import { formatPath, isObject, lookUp } from './object.js';

type FieldPlace = Extract<Place, { path: FieldPath }>;

/** Another name for a field that says nothing to anybody as it is. */
export function renamed(at: FieldPlace, key: string): FixProposal {
  const title = `rename ${JSON.stringify(String(at.path.at(-1)))} to ${JSON.stringify(key)}`;
  return { title, safe: true, changes: [{ do: 'rename', at, key }] };
}

/** Another value for one that is refused, or says nothing to anybody. */
export function rewritten(at: Place, value: Json): FixProposal {
  return { title: `write ${JSON.stringify(value)}`, safe: true, changes: [{ do: 'set', at, value }] };
}

/** Quotes around what is a number or a word of YAML's own as it is written. */
export function quoted(at: FieldPlace, value: string): FixProposal {
  return { title: 'quote it', safe: true, changes: [{ do: 'set', at, value, asWritten: true }] };
}

/**
 * What stands at the one path of an object goes to the other: by another name where that is all, else with all that is in it,
 * beside what is there already.
 */
export function moved(object: RenderedObject, from: FieldPath, to: FieldPath): FixProposal {
  const isNeighbour = from.length === to.length && from.slice(0, -1).every((step, index) => step === to[index]);
  if (isNeighbour) return renamed({ object, path: from }, String(to.at(-1)));
  const value = lookUp(object.value, from);
  const parts = isObject(lookUp(object.value, to)) && isObject(value) ? Object.keys(value).map((key) => [key]) : [[]];
  const changes = parts.map((part) => ({
    do: 'move' as const,
    at: { object, path: [...from, ...part] },
    to: [...to, ...part],
  }));
  const shared = from.findIndex((step, index) => step !== to[index]);
  const cut = Math.max(0, shared);
  return { title: `move ${formatPath(from.slice(cut))} to ${formatPath(to.slice(cut))}`, safe: false, changes };
}

export function removed(at: FieldPlace, safe: boolean): FixProposal {
  const last = at.path.at(-1);
  const title = typeof last === 'number' ? 'remove the entry' : `remove ${formatPath(at.path)}`;
  return { title, safe, changes: [{ do: 'remove', at }] };
}
