/** In which fields two objects of a chart differ. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Json } from '../core/model.js';
import { isObject } from '../core/object.js';

export type ChartField = { path: FieldPath; before?: Json; after?: Json };

/**
 * Scalars, and what one of them does not have. Lists are gone into: items that have a name by it, others by their places where there are
 * as many; the place is that of the later object, if it has the item.
 */
export function fieldsBetween(before: Json | undefined, after: Json | undefined): ChartField[] {
  const fields: ChartField[] = [];
  const visit = (was: Json | undefined, is: Json | undefined, path: FieldPath) => {
    const pairs = pairsOf(was, is);
    if (pairs) for (const { step, old, now } of pairs) visit(old, now, [...path, step]);
    else if (!isDeepStrictEqual(was, is))
      fields.push({ path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) });
  };
  visit(before, after, []);
  return fields;
}

/** `before` with one of the fields between it and `after`, as `after` has it. Lists stay lists, and their other items where they are. */
export function withField(before: Json | undefined, after: Json | undefined, field: ChartField): Json | undefined {
  const visit = (was: Json | undefined, is: Json | undefined, [step, ...rest]: FieldPath): Json | undefined => {
    // The place of an item that is gone is that of another as well.
    const isSame = (pair: Pair) => pair.step === step && (rest.length > 0 || isOf(pair, field));
    const pair = step === undefined ? undefined : pairsOf(was, is)?.find(isSame);
    if (!pair) return is;
    const inner = visit(pair.old, pair.now, rest);
    if (Array.isArray(was)) return withItem(was, pair.from, inner);
    const entries = Object.entries(was ?? {}).filter(([key]) => key !== step);
    return Object.fromEntries(inner === undefined ? entries : [...entries, [String(step), inner]]);
  };
  return visit(before, after, field.path);
}

function isOf({ old, now }: Pair, { before, after }: ChartField): boolean {
  return isDeepStrictEqual(old, before) && isDeepStrictEqual(now, after);
}

/** With an item at its place, or at the end; without that of the place where it is undefined. */
function withItem(list: readonly Json[], place: number | undefined, item: Json | undefined): Json[] {
  const at = place ?? list.length;
  return [...list.slice(0, at), ...(item === undefined ? [] : [item]), ...list.slice(at + 1)];
}

/** `from` is the place of an item in the earlier list, if it has it. */
type Pair = { step: string | number; old: Json | undefined; now: Json | undefined; from?: number | undefined };

/** What is compared one by one; undefined where the two are compared as wholes. */
function pairsOf(was: Json | undefined, is: Json | undefined): Pair[] | undefined {
  if (isObject(was) && isObject(is)) {
    const at = (object: { [key: string]: Json }, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((step) => ({
      step,
      old: at(was, step),
      now: at(is, step),
    }));
  }
  if (!Array.isArray(was) || !Array.isArray(is)) return undefined;
  const [old, now] = [namesIn(was), namesIn(is)];
  if (old && now)
    return [...new Set([...now.keys(), ...old.keys()])].map((name) => {
      const [before, after] = [old.get(name), now.get(name)];
      return { step: after ?? before ?? 0, old: was[before ?? -1], now: is[after ?? -1], from: before };
    });
  return was.length === is.length
    ? was.map((item, step) => ({ step, old: item, now: is[step], from: step }))
    : undefined;
}

/** Where each item stands, by its name; undefined where one has none, or two have the same. */
function namesIn(list: readonly Json[]): Map<string, number> | undefined {
  const names = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const name = isObject(item) ? item.name : undefined;
    if (typeof name !== 'string' || names.has(name)) return undefined;
    names.set(name, index);
  }
  return names;
}
