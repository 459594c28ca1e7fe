/**
 * Fields that are gone: the command must name what removed them, and taking that away must bring them back.
 *
 * `exact`: so it is. `wrong`: the field stays away, or there is nothing at the place that could remove anything. `unknown`:
 * the command lists the field and claims no place. `missed`: the grammar took a field away and the command does not list it.
 */

import { provenanceOf } from './command.mjs';
import { fluxOf } from './flux.mjs';
import { generate } from './grammar/grammar.mjs';
import { Declared, indexOf, keyOf } from './leaves.mjs';
import { apply, offsetsOf } from './mutate.mjs';
import { scalarsOf } from './scalars.mjs';

/** The features that take fields away. */
export const removing = ['merge-null', 'merge-directive', 'json-remove', 'json-move', 'json-add', 'generator-replace'];

export class Removals {
  totals = { exact: 0, wrong: 0, unknown: 0, missed: 0 };
  rows = new Map();
  failures = [];

  add(feature, verdict, detail) {
    this.totals[verdict]++;
    const row = this.rows.get(feature) ?? { exact: 0, wrong: 0, unknown: 0, missed: 0 };
    row[verdict]++;
    this.rows.set(feature, row);
    if (verdict === 'wrong' || verdict === 'missed') this.failures.push({ verdict, feature, ...detail });
  }

  get count() {
    return Object.values(this.totals).reduce((a, b) => a + b, 0);
  }

  print() {
    const names = Object.keys(this.totals);
    const line = (name, row) =>
      `${name.padEnd(20)}${names.map((verdict) => String(row[verdict]).padStart(9)).join('')}`;
    const head = `${'removed by'.padEnd(20)}${names.map((name) => name.padStart(9)).join('')}`;
    const rows = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, row]) => line(name, row));
    return [head, ...rows, line('all', this.totals), `${this.count} removed fields`].join('\n');
  }
}

export async function checkRemoved(engine, seeds, removals = new Removals()) {
  for (let at = 0; at < seeds.length; at += 25) {
    const trees = seeds.slice(at, at + 25).map((seed) => generate(seed, removing[seed % removing.length]));
    for (const [tree, leaves] of await provenanceOf(trees))
      for (const path of tree.paths) await checkPath(engine, tree, path, leaves, removals);
  }
  return removals;
}

async function checkPath(engine, tree, path, leaves, removals) {
  const declared = new Declared(leaves.filter(({ entrypoint }) => entrypoint === path));
  const before = await render(engine, tree, tree.files, path);
  if (!before) return;
  const here = tree.removals.filter(({ dir }) => !dir.startsWith('clusters/') || dir === path);
  for (const leaf of declared.removed) {
    const feature = here.find((one) => isThat(one, leaf))?.feature ?? 'other';
    const verdict = leaf.precision === 'exact' ? await comesBack(engine, tree, path, leaf, before) : 'unknown';
    removals.add(feature, verdict, { seed: tree.seed, path, leaf });
  }
  for (const one of here.filter((one) => !declared.removed.some((leaf) => isThat(one, leaf))))
    if (!isThere(one, declared)) removals.add(one.feature, 'missed', { seed: tree.seed, path, one });
}

async function render(engine, tree, files, path) {
  const answer = await engine.render(files, path, fluxOf(files, tree.flux));
  return answer.ok ? indexOf(answer.objects) : undefined;
}

const isThat = ({ name, path }, leaf) => leaf.object.name.includes(name) && starts(leaf.path, path);
const starts = (a, b) => b.every((step, at) => at >= a.length || step === a[at]);

/** Another feature may have put it there again. A list loses an item and stays, so there it says nothing. */
function isThere({ name, path }, declared) {
  const named = declared.leaves.filter(({ object }) => object.name.includes(name));
  return path.at(-1) !== 'containers' && named.some((leaf) => path.every((step, at) => step === leaf.path[at]));
}

/** Where two steps took the same field away, the first one's work shows only when the last one's is undone as well. */
async function comesBack(engine, tree, path, leaf, before) {
  const earlier = leaf.writers.flatMap(({ from }) => from);
  for (const places of [[leaf], [leaf, ...earlier]]) {
    const files = without(tree.files, places);
    const after = files && (await render(engine, tree, files, path));
    if (after && returned(leaf, before, after)) return 'exact';
  }
  return 'wrong';
}

/** The files with some removals undone; undefined where the first place removes nothing. */
function without(files, places) {
  const changed = new Map(files);
  for (const [file, text] of files) {
    const scalars = scalarsOf(file, String(text));
    const here = places.filter((place) => place.file === file);
    const edits = here.map((place) => neutralize(scalars, String(text), offsetsOf(String(text), place)));
    if (here.includes(places[0]) && !edits[here.indexOf(places[0])]) return undefined;
    const all = edits.flatMap((some) => some ?? []).sort((a, b) => b.start - a.start);
    const once = all.filter((edit, index) => index === 0 || edit.start !== all[index - 1].start);
    if (once.length > 0) changed.set(file, once.reduce(apply, String(text)));
  }
  return changed;
}

/** There is a leaf at or below the path that was not there; in a list the items behind it may have moved. */
function returned(leaf, before, after) {
  const path = leaf.path.slice(0, leaf.path.findLastIndex((step) => typeof step === 'string') + 1);
  const start = keyOf(leaf.index, path).slice(0, -1);
  const below = (leaves) =>
    [...leaves.keys()].filter((key) => key.startsWith(`${start},`) || key === `${start}]`).length;
  return below(after) > below(before);
}

/** Edits after which what stands at the place removes nothing any more; undefined where nothing there removes. */
function neutralize(scalars, text, place) {
  const at = scalars.filter(
    (one) => one.start < Math.max(place.end, place.start + 1) && place.start < Math.max(one.end, one.start + 1),
  );
  for (const one of at) {
    const edits =
      operation(scalars, text, one) ?? directive(scalars, one) ?? noNull(scalars, one) ?? behavior(scalars, one);
    if (edits) return edits;
  }
  return undefined;
}

const pathIs = (path, within) => (one) => JSON.stringify(one.path) === JSON.stringify(path) && same(one.within, within);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const valueAt = (scalars, path, within) => scalars.find((one) => one.kind === 'value' && pathIs(path, within)(one));

/** A move becomes a copy; any other operation a copy of the path to itself. */
function operation(scalars, text, { path, within }) {
  if (typeof path[0] !== 'number') return undefined;
  const op = valueAt(scalars, [path[0], 'op'], within);
  const to = valueAt(scalars, [path[0], 'path'], within);
  if (!op || !to) return undefined;
  const put = (word) => text.slice(op.start, op.end).replace(op.value, word);
  if (op.value === 'move') return [{ start: op.start, end: op.end, text: put('copy') }];
  const from = `${JSON.stringify(to.value)}`;
  const key = scalars.find((one) => one.kind === 'key' && pathIs([path[0], 'op'], within)(one));
  const lineStart = text.lastIndexOf('\n', key.start) + 1;
  const flow = /[{[]/.test(text.slice(lineStart, key.start)) || text[key.start] === '"';
  const indent = ' '.repeat(key.start - lineStart);
  const added = flow ? `, "from": ${from}` : `\n${indent}from: ${from}`;
  return [{ start: op.start, end: op.end, text: put('copy') + added }];
}

/** The nearest `$patch` at or above the place merges. */
function directive(scalars, { path, within }) {
  for (let length = path.length; length >= 0; length--) {
    const patch = valueAt(scalars, [...path.slice(0, length), '$patch'], within);
    if (patch) return [{ start: patch.start, end: patch.end, text: 'merge' }];
  }
  return undefined;
}

/** Nothing is taken away by the null of a key that is not there. */
function noNull(scalars, { path, within }) {
  const value = valueAt(scalars, path, within);
  const key = scalars.find((one) => one.kind === 'key' && pathIs(path, within)(one));
  return value?.value === null && key ? [{ start: key.start, end: key.end, text: 'notThere' }] : undefined;
}

/** A generator that replaces merges instead. */
function behavior(scalars, { path, within }) {
  if (!/Generator$/.test(path[0])) return undefined;
  const value = valueAt(scalars, [path[0], path[1], 'behavior'], within);
  return value && [{ start: value.start, end: value.end, text: 'merge' }];
}
