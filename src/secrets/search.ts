/** Finds which of many texts stand in one text, in time that grows with their sizes and not with their product. */
import type { MaskedSpan } from './mask.js';

type State = { next: Map<number, number>; link: number; length: number; end: number };

/** The suffix automaton of a text: its states are the substrings, told apart by where they end. */
function automaton(text: string): State[] {
  const states: State[] = [{ next: new Map(), link: -1, length: 0, end: 0 }];
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const current = states.push({ next: new Map(), link: 0, length: at + 1, end: at + 1 }) - 1;
    let from = last;
    for (; from >= 0 && !states[from]?.next.has(code); from = states[from]?.link ?? -1)
      states[from]?.next.set(code, current);
    if (from >= 0) (states[current] as State).link = linkOf(states, from, code);
    last = current;
  }
  return states;
}

function linkOf(states: State[], from: number, code: number): number {
  const to = states[from]?.next.get(code) as number;
  const { length } = states[from] as State;
  const { next, link, length: longest, end } = states[to] as State;
  if (longest === length + 1) return to;
  const clone = states.push({ next: new Map(next), link, length: length + 1, end }) - 1;
  for (let at = from; at >= 0 && states[at]?.next.get(code) === to; at = states[at]?.link ?? -1)
    states[at]?.next.set(code, clone);
  (states[to] as State).link = clone;
  return clone;
}

/** Shorter than `free` is found only as a word of its own, shorter than `word` only in quotes. */
const lengths = { word: 4, free: 8 };

/** Where any of `values` stands in `text`; of those that end at one place, the longest. */
export function occurrences(text: string, values: Iterable<string>): MaskedSpan[] {
  const states = automaton(text);
  // By state: the longest value that ends there, and the lengths of short ones as bits.
  const longest = new Uint32Array(states.length);
  const short = new Uint8Array(states.length);
  for (const value of values) {
    const state = follow(states, value);
    if (state === undefined) continue;
    if (value.length >= lengths.free) longest[state] = Math.max(longest[state] as number, value.length);
    else short[state] = (short[state] as number) | (1 << value.length);
  }
  inherit(states, longest, short);
  const spans: MaskedSpan[] = [];
  let state = 0;
  for (let end = 1; end <= text.length; end += 1) {
    state = states[state]?.next.get(text.charCodeAt(end - 1)) as number;
    if (longest[state]) spans.push({ start: end - (longest[state] as number), end });
    for (let length = 1; length < lengths.free; length += 1)
      if ((short[state] as number) & (1 << length) && standsAlone(text, end - length, end))
        spans.push({ start: end - length, end });
  }
  return spans;
}

function follow(states: readonly State[], value: string): number | undefined {
  let state: number | undefined = 0;
  for (let at = 0; at < value.length && state !== undefined; at += 1)
    state = states[state]?.next.get(value.charCodeAt(at));
  return value === '' ? undefined : state;
}

/** What ends where a shorter substring ends, ends where the longer ones do. */
function inherit(states: readonly State[], longest: Uint32Array, short: Uint8Array): void {
  const order = [...states.keys()].slice(1).sort((a, b) => (states[a] as State).length - (states[b] as State).length);
  for (const state of order) {
    const { link } = states[state] as State;
    longest[state] = Math.max(longest[state] as number, longest[link] as number);
    short[state] = (short[state] as number) | (short[link] as number);
  }
}

function standsAlone(text: string, start: number, end: number): boolean {
  const [before, after] = [text[start - 1] ?? ' ', text[end] ?? ' '];
  if (end - start < lengths.word) return /["'`]/.test(before) && after === before;
  return !/[\p{L}\p{N}_]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after);
}
