/** The usual remedies, as rules propose them. Whether one is safe is the rule's to know. */
import type { FieldPath, Json, Place, Remedy } from '../model.js';
import { spell } from '../object.js';

type FieldPlace = Extract<Place, { path: FieldPath }>;

/** Another name for a field that says nothing to anybody as it is. */
export function renamed(at: FieldPlace, key: string): Remedy {
  const title = `rename ${JSON.stringify(String(at.path.at(-1)))} to ${JSON.stringify(key)}`;
  return { title, safe: true, changes: [{ do: 'rename', at, key }] };
}

/** Another value for one that is refused, or says nothing to anybody. */
export function rewritten(at: FieldPlace, value: Json): Remedy {
  return { title: `write ${JSON.stringify(value)}`, safe: true, changes: [{ do: 'set', at, value }] };
}

export function removed(at: FieldPlace, safe: boolean): Remedy {
  const last = at.path.at(-1);
  const title = typeof last === 'number' ? 'remove the entry' : `remove ${spell(at.path)}`;
  return { title, safe, changes: [{ do: 'remove', at }] };
}
