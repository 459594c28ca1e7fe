import { remembering } from './once.js';

/** Names longer than any real one are not compared: the time grows with the product of the lengths. */
const longest = 80;

/**
 * The candidate that was probably meant: the one with the fewest typing errors, as long as there are few for its length.
 * Where names share a prefix up to a dot (`cozystack.`), only what follows it counts; leaving the prefix out is forgiven.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longest) return undefined;
  let best: { candidate: string; errors: number } | undefined;
  const own = known(name);
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > longest) continue;
    const other = known(candidate);
    const errors = typingErrors(own, other);
    if (errors > other.most) continue;
    if (!best || errors < best.errors || (errors === best.errors && candidate < best.candidate)) {
      best = { candidate, errors };
    }
  }
  return best?.candidate;
}

/** All candidates of `nearestOf`, and for a name which of the first so many are near it. */
const pool: string[] = [];
const pooled = new Set<string>();
const near = remembering((): { asked: number; found: string[] } => ({ asked: 0, found: [] }));

/** `nearest` among names of which other lists have most as well (those of other releases): each is compared with a name once for all. */
export function nearestOf(candidates: readonly string[]): (name: string) => string | undefined {
  const own = new Set(candidates);
  pool.push(...[...own].filter((candidate) => !pooled.has(candidate)));
  for (const candidate of own) pooled.add(candidate);
  return (name) => {
    const known = near(name);
    for (; known.asked < pool.length; known.asked++) {
      const candidate = pool[known.asked] as string;
      if (nearest(name, [candidate]) !== undefined) known.found.push(candidate);
    }
    return nearest(
      name,
      known.found.filter((candidate) => own.has(candidate)),
    );
  };
}

/** Or else the only one that begins with it, or with which it begins: `wiki` for `wiki-charts`. Too weak to judge by alone. */
export function nearestOrPart(name: string, candidates: Iterable<string>): string | undefined {
  return nearest(name, candidates) ?? onlyPart(name, candidates, (one, of) => of.startsWith(one));
}

/** The only one that ends with it behind a dash, or that it so ends with: `node-exporter` for `prometheus-node-exporter`. */
export function sameEnd(name: string, candidates: Iterable<string>): string | undefined {
  return onlyPart(name, candidates, (one, of) => of.endsWith(`-${one}`));
}

function onlyPart(name: string, candidates: Iterable<string>, isPart: (one: string, of: string) => boolean) {
  const is = (one: string, of: string) => one.length >= 4 && one !== of && isPart(one, of);
  const [part, ...others] = new Set([...candidates].filter((one) => is(name, one) || is(one, name)));
  return others.length === 0 ? part : undefined;
}

/** `did you mean "format"?`, or what is said where nothing is near. */
export function nearMiss(name: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}

/**
 * The directory that was probably meant: every part of it is the same, or near; or it is the only one that ends so. A directory is
 * one that has files, here or further down.
 */
export function nearestDirectory(path: string, files: Iterable<string>): string | undefined {
  const directories = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    for (let depth = parts.length - 1; depth > 0; depth--) {
      const directory = parts.slice(0, depth).join('/');
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  const wanted = path.split('/');
  const isNear = (name: string, index: number) =>
    name === wanted[index] || nearest(wanted[index] ?? '', [name]) !== undefined;
  const alike = [...directories].filter((one) => {
    const parts = one.split('/');
    return parts.length === wanted.length && one !== path && parts.every(isNear);
  });
  const same = (one: string) => one.split('/').filter((name, index) => name === wanted[index]).length;
  const [best] = alike.sort((a, b) => same(b) - same(a) || (a < b ? -1 : 1));
  if (best !== undefined) return best;
  const below = [...directories].filter((one) => one.endsWith(`/${path}`));
  return below.length === 1 ? below[0] : undefined;
}

type Known = {
  name: string;
  lower: string;
  letters: number;
  /** What follows the last dot. */
  last: string;
  /** So many errors are tolerated in it. */
  most: number;
};

/** What is asked of a name again and again. */
const known = remembering((name: string): Known => {
  const lower = name.toLowerCase();
  return { name, lower, letters: lettersOf(lower), last: name.slice(name.lastIndexOf('.') + 1), most: tolerated(name) };
});

/** More than are tolerated in the candidate where there are more. */
function typingErrors({ name, lower: a, letters }: Known, candidate: Known): number {
  const { lower: b, most } = candidate;
  if (name === candidate.last) return 1;
  // Every letter that one of them has more is an error.
  if (Math.abs(a.length - b.length) > most || !mayBeNear(letters, candidate.letters, most)) return most + 1;
  // What both begin and end with has none.
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  const room = Math.min(a.length, b.length) - start;
  while (end < room && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return distance(a.slice(start, a.length - end), b.slice(start, b.length - end), most);
}

/** True if at most so many typing errors are between two words of at most `longest` characters. */
export function isNear(word: string, other: string, most: number): boolean {
  return typingErrors(known(word), { ...known(other), most }) <= most;
}

/** Which letters a word has: a bit for each of 32 classes. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** An error takes one letter away, or brings one, or both: of words that differ in more, most can be told so. */
function mayBeNear(a: number, b: number, most: number): boolean {
  return bitsOf(a & ~b) <= most && bitsOf(b & ~a) <= most;
}

function bitsOf(letters: number): number {
  let count = 0;
  for (let left = letters; left !== 0; left &= left - 1) count++;
  return count;
}

/** One error in a short word, one more for every four letters, three at most. */
function tolerated(candidate: string): number {
  const { length } = candidate.slice(candidate.lastIndexOf('.') + 1);
  return length < 3 ? 0 : Math.min(3, 1 + Math.floor((length - 3) / 4));
}

/** Rows of the table of `distance`, which are written before they are read; a letter in lower case may be two. */
const width = 2 * longest + 2;
const rows = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)] as const;

/**
 * Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), or more than `most`. So far from the diagonal
 * as there may be errors is looked, and no further (Ukkonen 1985): most names have nothing in common.
 */
function distance(a: string, b: string, most: number): number {
  const more = most + 1;
  if (Math.abs(a.length - b.length) > most) return more;
  let [beforeLast, last, current] = rows;
  for (let column = 0; column <= b.length; column++) last[column] = Math.min(column, more);
  for (let row = 1; row <= a.length; row++) {
    const [from, to] = [Math.max(1, row - most), Math.min(b.length, row + most)];
    // What lies beside the columns that are looked at.
    current[from - 1] = from === 1 ? Math.min(row, more) : more;
    current[to + 1] = more;
    const [before, own] = [a.charCodeAt(row - 2), a.charCodeAt(row - 1)];
    let least = at(current, from - 1);
    for (let column = from; column <= to; column++) {
      const other = b.charCodeAt(column - 1);
      let cost = Math.min(at(last, column), at(current, column - 1)) + 1;
      cost = Math.min(cost, at(last, column - 1) + (own === other ? 0 : 1), more);
      if (row > 1 && column > 1 && own === b.charCodeAt(column - 2) && before === other)
        cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    // The row before has no less than `most`, so that a swap, which reaches back to it, brings nothing either.
    if (least > most) return more;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

function at(row: Uint8Array, column: number): number {
  return row[column] as number;
}
