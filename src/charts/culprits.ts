/** Which of several values are to blame for a fault, found by trying without them. */
import { shorten } from '../core/escape.js';
import type { FieldPath, Problem, RenderedObject } from '../core/model.js';
import { formatPath } from '../core/object.js';
import { firstInWords } from '../core/text.js';

/** `reason`: what is wrong, in words that are the same if it comes again; `place`: where, whatever is said there. */
export type Fault = { reason: string; place: string };

/** One value, or several that are to blame together, the last first. `heals`: without any one of them all is well; else something else is wrong. */
type Cause<Item> = { items: Item[]; heals: boolean };

/** What is wrong without some of them. */
export type Trial<Item> = (without: readonly Item[]) => Promise<readonly Fault[]>;

/** Values of which each alone brings about the same: more are not looked for. */
const maxCauses = 4;

/** What has to be mended: each cause brings the fault about without the others. None where it is there without all of them. */
export async function causesOf<Item>(all: readonly Item[], fault: Fault, trial: Trial<Item>): Promise<Cause<Item>[]> {
  const causes: Cause<Item>[] = [];
  const gone = new Set<Item>();
  while (causes.length < maxCauses) {
    const left = all.filter((item) => !gone.has(item));
    const cause = await causeOf(left, fault, (without) => trial([...gone, ...without]));
    if (cause.items.length === 0) break;
    causes.push(cause);
    for (const item of cause.items) gone.add(item);
    if (!isAmong(fault, await trial([...gone]))) return causes;
  }
  return causes;
}

/** All others can go, one after the other, and it still fails so. */
async function causeOf<Item>(all: readonly Item[], fault: Fault, trial: Trial<Item>): Promise<Cause<Item>> {
  const dropped: Item[] = [];
  const needed: Item[] = [];
  for (const item of all) (isAmong(fault, await trial([...dropped, item])) ? dropped : needed).push(item);
  const before = await trial(dropped);
  const blamed: Item[] = [];
  const healing: Item[] = [];
  const known = reasonsOf(before);
  for (const item of needed) {
    const left = await trial([...dropped, item]);
    if (left.some(({ place }) => place === fault.place)) continue;
    blamed.push(item);
    if (left.every(({ reason }) => known.has(reason))) healing.push(item);
  }
  const [items = []] = [healing, blamed, needed].filter((some) => some.length > 0);
  return { items: [...items].reverse(), heals: healing.length > 0 };
}

export function isAmong(fault: Fault, faults: readonly Fault[]): boolean {
  return faults.some(({ reason }) => reason === fault.reason);
}

/** Of many, each of which is looked for. */
export function reasonsOf(faults: readonly Fault[]): ReadonlySet<string> {
  return new Set(faults.map(({ reason }) => reason));
}

/** A value in a manifest. */
export type Blamed = { object: RenderedObject; path: FieldPath };

const messages = {
  one: 'this value',
  some: 'these values',
  together: 'together with this',
  also: 'with this as well',
};

/** Characters of a field in a message. */
const longestField = 80;

/** `this value beside a.b, as with c.d`: of causes, the first being where the message stands. `depth` steps lead to the values. */
export function valuesInWords([first = [], ...others]: readonly (readonly Blamed[])[], depth: number): string {
  const named = (of: readonly Blamed[]) =>
    firstInWords(of.map(({ path }) => shorten(formatPath(path.slice(depth)), longestField)));
  const [one, ...beside] = first;
  if (!one) return messages.some;
  return [
    beside.length > 0 ? `${messages.one} beside ${named(beside)}` : messages.one,
    ...others.map((cause) => `as with ${named(cause)}`),
  ].join(', ');
}

/** On the last of the first cause, with all others beside it. */
export function placesOf([first = [], ...others]: readonly (readonly Blamed[])[], otherwise: Blamed) {
  const [at = otherwise, ...beside] = first;
  const related = [
    ...beside.map((at) => ({ message: messages.together, at })),
    ...others.flat().map((at) => ({ message: messages.also, at })),
  ];
  return { at, ...(related.length > 0 && { related }) } satisfies Pick<Problem, 'at' | 'related'>;
}
