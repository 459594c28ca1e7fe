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
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > longest) continue;
    const { most } = known(candidate);
    const errors = typingErrors(name, candidate);
    if (errors > most) continue;
    if (!best || errors < best.errors || (errors === best.errors && candidate < best.candidate)) {
      best = { candidate, errors };
    }
  }
  return best?.candidate;
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

/** What is asked of a name again and again: `most` errors are tolerated in it. */
const known = remembering((name: string) => {
  const lower = name.toLowerCase();
  return { lower, letters: lettersOf(lower), last: name.slice(name.lastIndexOf('.') + 1), most: tolerated(name) };
});

/** More than are tolerated where there are more. */
function typingErrors(name: string, candidate: string): number {
  const { lower: b, letters, last, most } = known(candidate);
  if (name === last) return 1;
  // Every letter that one of them has more is an error.
  if (Math.abs(name.length - candidate.length) > most) return most + 1;
  const { lower: a, letters: own } = known(name);
  if (!mayBeNear(own, letters, most)) return most + 1;
  // What both begin with has none.
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return distance(a.slice(same), b.slice(same), most);
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

/**
 * Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), or more than `most`. So far from the diagonal
 * as there may be errors is looked, and no further (Ukkonen 1985): most names have nothing in common.
 */
function distance(a: string, b: string, most: number): number {
  const more = most + 1;
  const width = b.length + 1;
  let [beforeLast, last, current] = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];
  for (let column = 0; column < width; column++) last[column] = Math.min(column, more);
  for (let row = 1; row <= a.length; row++) {
    const [from, to] = [Math.max(1, row - most), Math.min(b.length, row + most)];
    current.fill(more);
    current[0] = Math.min(row, more);
    let least = at(current, 0);
    for (let column = from; column <= to; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        more,
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    // A swap reaches back two rows, and costs one.
    if (least > most && !last.some((cost) => cost < most)) return more;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

function at(row: Uint8Array, column: number): number {
  return row[column] as number;
}
