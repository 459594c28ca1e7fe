/**
 * The denominator, from outside: every scalar of every source is changed once and the tree rendered by kustomize and Flux as
 * they are released. A leaf that reacts was written by that scalar, whatever our engine says, and so the command must name
 * that very place: among the sources of the leaf's last writer, or of what the leaf is declared to be derived from.
 *
 * Many scalars only choose (a target's name, a JSON pointer, a file name). Those are told from the ones that write without
 * knowing the format: a second change of the same scalar must give the leaf a third value, as what is not chosen any more
 * looks the same however the choice failed. And all leaves must be there still: else an object or a field moved.
 */
import { parse } from 'yaml';
import { Attribution } from './attribute.mjs';
import { fluxOf } from './flux.mjs';
import { Declared, differences, indexOf, keyOf } from './leaves.mjs';
import { apply, changesAt, offsetsOf } from './mutate.mjs';
import { scalarsOf } from './scalars.mjs';

/** Pairs by feature: `{ exact, other, unknown }`; `unknown` where the command claims no place. */
export class Pairs {
  rows = new Map();
  totals = { exact: 0, other: 0, unknown: 0 };
  trees = 0;
  scalars = 0;
  failures = [];

  add(features, verdict) {
    this.totals[verdict]++;
    for (const feature of features) {
      const row = this.rows.get(feature) ?? { exact: 0, other: 0, unknown: 0 };
      row[verdict]++;
      this.rows.set(feature, row);
    }
  }

  get count() {
    return this.totals.exact + this.totals.other + this.totals.unknown;
  }

  print() {
    const line = (name, { exact, other, unknown }) => {
      const share = (100 * exact) / Math.max(exact + other + unknown, 1);
      return `${name.padEnd(20)}${[exact, other, unknown].map((n) => String(n).padStart(9)).join('')}${share.toFixed(1).padStart(8)} %`;
    };
    const head = `${'feature'.padEnd(20)}${['exact', 'other', 'unknown'].map((name) => name.padStart(9)).join('')}`;
    const rows = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, row]) => line(name, row));
    const count = `${this.count} pairs of a scalar and a leaf, from ${this.scalars} scalars in ${this.trees} trees`;
    return [head, ...rows, line('all', this.totals), count].join('\n');
  }
}

/** `every` scalar, or every so many. */
export async function count(reference, tree, leaves, pairs, every = 1) {
  pairs.trees++;
  for (const path of tree.paths) {
    const declared = new Declared(leaves.filter(({ entrypoint }) => entrypoint === path));
    const before = await render(reference, tree, tree.files, path);
    if (!before || !sameObjects(before, declared)) continue;
    const survey = new Survey(reference, tree, path, declared, before);
    for (const [file, text] of tree.files)
      for (const [index, scalar] of scalarsOf(file, String(text)).entries())
        if (index % every === 0) await survey.look(file, String(text), scalar, pairs);
  }
}

async function render(reference, tree, files, path) {
  const { name: _name, namespace: _namespace, ...spec } = fluxOf(files, tree.flux);
  const { yaml, error } = await reference.render(files, path, spec);
  if (error || !yaml) return undefined;
  return indexOf(yaml.split(/^---\n/m).map(parsed));
}

/** Most objects of a render are the same as in the one before, and a parser is slow. */
const known = new Map();
function parsed(text) {
  if (!known.has(text)) known.set(text, parse(text));
  return known.get(text);
}

/** The command leaves out what Flux drops, so that objects could have other numbers. */
function sameObjects(before, declared) {
  const names = declared.leaves.filter(({ path }) => path.join('.') === 'metadata.name');
  return names.length > 0 && names.every(({ index, path, value }) => before.get(keyOf(index, path)) === value);
}

class Survey {
  constructor(reference, tree, path, declared, before) {
    Object.assign(this, { reference, tree, path, declared, before });
    this.attribution = new Attribution(tree);
    this.names = new Set(declared.leaves.map(({ object }) => object.name));
  }

  async look(file, text, scalar, pairs) {
    // An alias repeats what is written at its anchor, which is looked at itself.
    if (
      scalar.kind === 'key' ||
      scalar.kind === 'alias' ||
      (scalar.kind === 'value' && typeof scalar.value === 'object')
    )
      return;
    pairs.scalars++;
    const edits = changesAt(text, scalar, scalar.value ?? null);
    const first = await this.#firstThatBuilds(file, text, edits);
    if (!first) return;
    for (const key of await this.#written(file, text, first, edits)) {
      const leaf = this.declared.get(key);
      if (!leaf) continue;
      const verdict = this.#judge(leaf, file, text, scalar);
      pairs.add(this.attribution.of(leaf, this.names), verdict);
      if (verdict !== 'exact') pairs.failures.push({ tree: this.tree, path: this.path, leaf, verdict, file, scalar });
    }
  }

  async #firstThatBuilds(file, text, edits) {
    for (const edit of edits) {
      const after = await this.#render(file, text, edit);
      if (after) return { edit, after };
    }
    return undefined;
  }

  #render(file, text, edit) {
    const files = new Map(this.tree.files).set(file, apply(text, edit));
    return render(this.reference, this.tree, files, this.path).catch(() => undefined);
  }

  /** The leaves that take another value with every value of the scalar. */
  async #written(file, text, { edit, after }, edits) {
    const changed = differences(this.before, after);
    if (changed.length === 0 || changed.some((key) => !after.has(key) || !this.before.has(key))) return [];
    if (changed.every((key) => shows(text, edit, this.before.get(key), after.get(key)))) return changed;
    const again = edits.find((other) => other.start !== edit.start || other.text !== edit.text) ?? further(text, edit);
    const second = await this.#render(file, text, again);
    return second
      ? changed.filter(
          (key) => second.has(key) && second.get(key) !== after.get(key) && second.get(key) !== this.before.get(key),
        )
      : [];
  }

  #judge(leaf, file, text, scalar) {
    const sources = this.declared.sources(leaf);
    if (sources.some((place) => place.file === file && within(offsetsOf(text, place), scalar, text))) return 'exact';
    return leaf.precision === 'exact' ? 'other' : 'unknown';
  }
}

/** Whether a value changed by just the character that the edit put in: no need to look a second time. */
function shows(text, edit, before, after) {
  if (typeof after === 'boolean') return true;
  const [old, now] = [String(before), String(after)];
  const at = Array.from({ length: old.length }, (_, index) => index).findIndex((index) => old[index] !== now[index]);
  if (edit.text.length !== 1 || at < 0) return false;
  return old[at] === text[edit.start] && now === old.slice(0, at) + edit.text + old.slice(at + 1);
}

/** One more neighbour in the alphabet. */
function further(text, edit) {
  const code = edit.text.charCodeAt(0);
  const next = String.fromCharCode(/[9zZ]/.test(edit.text) ? code - 2 : code + 1);
  return { ...edit, text: next === text[edit.start] ? String.fromCharCode(code - 2) : next };
}

/** An anchor or a tag belongs to its scalar, but the parser that counts here leaves it out. */
function within(place, scalar, text) {
  const properties = /^(?:[&!]\S*\s+)+/.exec(text.slice(place.start))?.[0].length ?? 0;
  return scalar.start <= place.start + properties && place.start < Math.max(scalar.end, scalar.start + 1);
}
