/**
 * A second method to find what makes a chart fail, which shares no code with the linter: leaves are taken out of the text of a manifest one
 * by one, and the Helm command says what comes of the rest.
 */
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';

export type Step = string | number;
export type Place = { path: Step[]; line: number };

/** What Helm says of values; undefined where it renders them. */
export type Verdict = (values: object) => string | undefined;

export class SecondMethod {
  readonly #said = new Map<string, string | undefined>();
  /** Scalars, lists, and maps without anything in them; lists as a whole, and what is in them as well. */
  readonly places: readonly Place[];

  /** `base` leads to the values in the only document of the text. */
  constructor(
    private readonly text: string,
    private readonly base: readonly Step[],
    private readonly verdict: Verdict,
  ) {
    this.places = placesIn(text, base);
  }

  /** What Helm says without some of them. */
  without(places: readonly Place[]): string | undefined {
    const key = JSON.stringify(places.map(({ path }) => path));
    if (!this.#said.has(key)) {
      const document = parseDocument(this.text);
      // The last of a list first, as the others move up.
      for (const { path } of [...places].reverse()) remove(document, path, this.base.length);
      const values: unknown = document.toJS();
      const found = this.base.reduce<unknown>((value, step) => (value as Record<Step, unknown>)?.[step], values);
      this.#said.set(key, this.verdict((found ?? {}) as object));
    }
    return this.#said.get(key);
  }

  /** Those of which one alone heals it: if they are in one another, the innermost. */
  get healing(): Place[] {
    const all = this.places.filter((place) => this.without([place]) === undefined);
    return all.filter((outer) => !all.some((inner) => inner !== outer && isBelow(inner, outer)));
  }

  /** Whether a smallest set that heals it has a place; of which its message goes, if that of any in the set does. */
  isNeeded(place: Place): boolean {
    const others = this.places.filter(
      (one) => one !== place && !this.places.some((outer) => outer !== one && isBelow(one, outer)),
    );
    return [others, [...others].reverse()].some((order) => {
      let gone: readonly Place[] = this.places.filter((one) => one === place || others.includes(one));
      for (const one of [...order, place]) {
        const fewer = gone.filter((other) => other !== one);
        if (this.without(fewer) === undefined) gone = fewer;
      }
      if (!gone.includes(place)) return false;
      const whole = this.without([]);
      const changing = gone.filter((one) => this.without([one]) !== whole);
      return changing.length === 0 || changing.includes(place);
    });
  }
}

function isBelow(inner: Place, outer: Place): boolean {
  return inner.path.length > outer.path.length && outer.path.every((step, depth) => inner.path[depth] === step);
}

function placesIn(text: string, base: readonly Step[]): Place[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const places: Place[] = [];
  // Of what holds others, the line of its key counts.
  const visit = (node: unknown, path: Step[], key: unknown = node) => {
    if (!isNode(node)) return;
    const isLeaf = isScalar(node) || isSeq(node) || (isCollection(node) && node.items.length === 0);
    const { range } = (isScalar(node) ? node : key) as Node;
    if (isLeaf && path.length > base.length) places.push({ path, line: lines.linePos(range?.[0] ?? 0).line });
    if (isMap(node))
      for (const { key, value } of node.items) visit(value, [...path, String(isScalar(key) ? key.value : key)], key);
    if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
  };
  visit(document.getIn(base, true), [...base]);
  return places;
}

/** With the maps that have nothing else. */
function remove(document: Document, path: readonly Step[], depth: number): void {
  document.deleteIn(path);
  const outer = path.slice(0, -1);
  const left = document.getIn(outer, true);
  if (outer.length > depth && isMap(left) && left.items.length === 0) remove(document, outer, depth);
}
