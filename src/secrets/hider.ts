/** Hides known secrets, and parts of them, in any text, in time that grows with the text and not with the number of secrets. */
import { type MaskedSpan, mergeSpans, replaceSpans } from './mask.js';
import type { Pieces } from './pieces.js';

/** Windows of so many characters are compared; more where so many are known that one could stand in a hash by chance. */
const sizes = { few: 6, many: 8, manyWindows: 50_000 };
/** Characters by which plain words are looked up. */
const start = 6;

const words = /[\p{L}\p{N}]+/gu;

export class Hider {
  readonly #windows = new Set<string>();
  /** Keys: the first characters of a plain word, and its length. */
  readonly #plain = new Map<string, Map<number, Set<string>>>();
  readonly #size: number;

  /**
   * `isOrdinary`: the plain word stands in places that are not secret, so that it may be printed. Called once for each that is found.
   * `isAnywhere`: a word of letters is found in a sentence too.
   */
  constructor(
    { random, plain }: Pieces,
    private readonly isOrdinary: (word: string) => boolean,
    private readonly isAnywhere = false,
  ) {
    const count = [...random].reduce((sum, { length }) => sum + length, 0);
    this.#size = count > sizes.manyWindows ? sizes.many : sizes.few;
    for (const word of random) for (const window of this.#windowsOf(word)) this.#windows.add(window.text);
    for (const word of plain) this.#addPlain(word);
  }

  get isEmpty(): boolean {
    return this.#windows.size + this.#plain.size === 0;
  }

  hide(text: string): string {
    const spans = this.spans(text);
    return spans.length > 0 ? replaceSpans(text, spans) : text;
  }

  /** The ranges to hide, in order and without overlaps. */
  spans(text: string): MaskedSpan[] {
    if (this.isEmpty || text.length < start) return [];
    const spans: MaskedSpan[] = [];
    for (const { 0: word, index } of text.matchAll(words)) {
      for (const { text: window, at } of this.#windowsOf(lower(word)))
        if (this.#windows.has(window)) spans.push({ start: index + at, end: index + at + window.length });
      const end = this.#plainAt(text, index);
      if (end !== undefined) spans.push({ start: index, end });
    }
    return mergeSpans(spans);
  }

  /** Windows with figures and letters; letters alone are compared if there are more of them, as words have the same. */
  *#windowsOf(word: string): Generator<{ text: string; at: number }> {
    const long = this.#size + 2;
    for (let at = 0; at + this.#size <= word.length; at += 1) {
      const text = word.slice(at, at + this.#size);
      if (isMixed(text)) yield { text, at };
      else if (at + long <= word.length) yield { text: word.slice(at, at + long), at };
    }
  }

  #addPlain(word: string): void {
    const begin = word.slice(0, start);
    const lengths = this.#plain.get(begin) ?? new Map<number, Set<string>>();
    const found = lengths.get(word.length) ?? new Set<string>();
    this.#plain.set(begin, lengths.set(word.length, found.add(word)));
  }

  /** The end of the longest plain word that begins there and is to be hidden. */
  #plainAt(text: string, at: number): number | undefined {
    const lengths = this.#plain.get(lower(text.slice(at, at + start)));
    const ends = [...(lengths ?? [])].flatMap(([length, found]) => {
      const word = lower(text.slice(at, at + length));
      const isFound = found.has(word) && standsAlone(text, at, at + length, this.isAnywhere);
      return isFound && !this.isOrdinary(word) ? [at + length] : [];
    });
    return ends.length > 0 ? Math.max(...ends) : undefined;
  }
}

/** In small letters, of the same length: a few letters would become two. */
function lower(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isMixed(text: string): boolean {
  return /\d/.test(text) && /\D/.test(text);
}

/** A word of letters could be one of a sentence: it counts only in quotes, between slashes, or if there is nothing else. */
function standsAlone(text: string, from: number, to: number, isAnywhere: boolean): boolean {
  const [before, after] = [text[from - 1] ?? '"', text[to] ?? '"'];
  if (/[\p{L}\p{N}]/u.test(before) || /[\p{L}\p{N}]/u.test(after)) return false;
  if (isAnywhere) return true;
  return /\p{N}/u.test(text.slice(from, to)) || (/["'`/=:_“]/.test(before) && /["'`/=:_,”]/.test(after));
}
