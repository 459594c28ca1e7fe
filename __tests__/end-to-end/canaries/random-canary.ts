/** Random words to plant as secrets, of which any piece of six characters is found in a text. */
import { createHash } from 'node:crypto';
import type { Files } from '../../support/trees.js';

/** Length of the shortest piece that counts as printed. */
const piece = 6;

/** What holds a canary: the way it is written, and the place where it stands. */
export type Origin = { spelling: string; place: string };

export class RandomCanaries {
  readonly #origins = new Map<string, Origin>();
  /** Key: a piece of a canary in lower case. */
  readonly #pieces = new Map<string, string>();

  constructor(private readonly seed: string) {}

  get size(): number {
    return this.#origins.size;
  }

  /** Replaces § by a new canary, §64 by one in Base64, §a, §b and so on by one that has the letter as its name. */
  planted(files: Record<string, string>, origin: Origin): Files {
    const named = new Map<string, string>();
    const known = (name: string) => {
      const canary = named.get(name) ?? this.#add(origin);
      named.set(name, canary);
      return canary;
    };
    const seeded = (text: string) =>
      text.replace(/§(64(?:[a-d]\b)?|[a-d]\b)?/g, (_, name = '') => {
        if (name === '') return this.#add(origin);
        return name.startsWith('64')
          ? this.#encoded(name.length > 2 ? known(name[2]) : this.#add(origin))
          : known(name);
      });
    return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, seeded(text)]));
  }

  /** The origins of the canaries of which a piece stands in the text, each with what is around it. */
  found(text: string): string[] {
    const lower = text.toLowerCase();
    const found = new Map<string, number>();
    for (let at = 0; at + piece <= lower.length; at += 1) {
      const canary = this.#pieces.get(lower.slice(at, at + piece));
      if (canary !== undefined && !found.has(canary)) found.set(canary, at);
    }
    return [...found].map(([canary, at]) => {
      const { spelling, place } = this.#origins.get(canary) as Origin;
      return `${spelling} | ${place} | ${canary} | ${text.slice(Math.max(0, at - 100), at + 60).replaceAll('\n', '⏎')}`;
    });
  }

  #add(origin: Origin): string {
    const canary = wordOf(`${this.seed} ${this.#origins.size}`);
    this.#origins.set(canary, origin);
    this.#note(canary, canary);
    return canary;
  }

  #encoded(canary: string): string {
    const text = Buffer.from(canary).toString('base64');
    this.#note(text, canary);
    return text;
  }

  #note(text: string, canary: string): void {
    const lower = text.toLowerCase();
    for (let at = 0; at + piece <= lower.length; at += 1) this.#pieces.set(lower.slice(at, at + piece), canary);
  }
}

/** Four to a group: one figure, and letters that a hash in hexadecimal does not have. It is also the name of an object. */
function wordOf(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest();
  const letters = 'ghjkmnpqrstvwxyz';
  const groups = [0, 1, 2, 3].map((group) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(group * 4);
    return `${letters[a % 16]}${b % 10}${letters[c % 16]}${letters[d % 16]}`;
  });
  return groups.join('');
}
