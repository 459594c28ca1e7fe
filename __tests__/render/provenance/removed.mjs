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
import { quotedIn, scalarsOf } from './scalars.mjs';

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
    if (!isThere(one, declared) && !isData(one, declared))
      removals.add(one.feature, 'missed', { seed: tree.seed, path, one });
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

/** In a list that the schema in force does not know, a `$patch` is data: it is rendered, and takes nothing away. */
const isData = (one, declared) => declared.leaves.some((leaf) => isThat(one, leaf) && leaf.path.includes('$patch'));

/**
 * Where two steps take the same field away, the work of the one shows only when the other is undone as well: then the place
 * must be needed, so that undoing all the others alone does not bring the field back.
 */
async function comesBack(engine, tree, path, leaf, before) {
  const edits = removersOf(tree.files);
  const mine = edits.filter((edit) => edit.file === leaf.file && edit.at.some((one) => touches(one, edit.text, leaf)));
  if (mine.length === 0) return 'wrong';
  const others = edits.filter(
    (edit) => !mine.some((one) => one.edits[0].start === edit.edits[0].start && one.file === edit.file),
  );
  const leavesWithout = async (some) => {
    const after = await render(engine, tree, undo(tree.files, some), path);
    return after ? countAt(leaf, after) : 0;
  };
  if ((await leavesWithout(mine)) > countAt(leaf, before)) return 'exact';
  return (await leavesWithout([...mine, ...others])) > (await leavesWithout(others)) ? 'exact' : 'wrong';
}

function touches(scalar, text, leaf) {
  const place = offsetsOf(text, leaf);
  return scalar.start < Math.max(place.end, place.start + 1) && place.start < Math.max(scalar.end, scalar.start + 1);
}

/** All that removes anything: `{ file, text, at, edits }`, the scalars that stand for it and what undoes it. */
function removersOf(files) {
  const found = new Map();
  for (const [file, bytes] of files) {
    const text = String(bytes);
    const scalars = scalarsOf(file, text);
    for (const one of scalars) {
      const edits = neutralize(scalars, text, one);
      if (!edits) continue;
      const key = `${file}:${edits[0].start}`;
      found.set(key, { file, text, edits, at: [...(found.get(key)?.at ?? []), one] });
    }
  }
  return [...found.values()];
}

function undo(files, removers) {
  const changed = new Map(files);
  for (const [file, text] of files) {
    const edits = removers.filter((one) => one.file === file).flatMap((one) => one.edits);
    if (edits.length > 0) changed.set(file, edits.sort((a, b) => b.start - a.start).reduce(apply, String(text)));
  }
  return changed;
}

/** How many scalars there are at or below the path; in a list, in all of it, as other items move up when one goes. */
function countAt(leaf, leaves) {
  const path = leaf.path.slice(0, leaf.path.findLastIndex((step) => typeof step === 'string') + 1);
  const start = keyOf(leaf.index, path).slice(0, -1);
  const isBelow = (key) => key.startsWith(`${start},`) || key === `${start}]`;
  const isScalar = (value) => value === null || typeof value !== 'object';
  return [...leaves].filter(([key, value]) => isBelow(key) && isScalar(value)).length;
}

/** Edits after which a scalar, or what it is a part of, removes nothing any more; undefined where it does not anyway. */
function neutralize(scalars, text, one) {
  return operation(scalars, text, one) ?? directive(scalars, one) ?? noNull(scalars, one) ?? behavior(scalars, one);
}

const pathIs = (path, within) => (one) => JSON.stringify(one.path) === JSON.stringify(path) && same(one.within, within);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const valueAt = (scalars, path, within) => scalars.find((one) => one.kind === 'value' && pathIs(path, within)(one));

/** A move becomes a copy; any other operation a copy of the path to itself. */
function operation(scalars, text, { path, within }) {
  if (typeof path[0] !== 'number') return undefined;
  const op = valueAt(scalars, [path[0], 'op'], within);
  const to = valueAt(scalars, [path[0], 'path'], within);
  // What is put at the end of a list takes nothing away.
  if (!op || !to || to.value.endsWith('/-')) return undefined;
  const put = (word) => text.slice(op.start, op.end).replace(op.value, word);
  if (op.value === 'move') return [{ start: op.start, end: op.end, text: put('copy') }];
  const from = `${JSON.stringify(to.value)}`;
  const key = scalars.find((one) => one.kind === 'key' && pathIs([path[0], 'op'], within)(one));
  const flow = /[{,](\s|\\n)*$/.test(text.slice(0, key.start));
  const column = key.start - text.lastIndexOf('\n', key.start) - 1;
  const indent = ' '.repeat(op.quotes ? 2 : column);
  const added = quotedIn(op.quotes, flow ? `, "from": ${from}` : `\n${indent}from: ${from}`);
  return [{ start: op.start, end: op.end, text: put('copy') + added }];
}

/** A `$patch` merges instead. */
function directive(scalars, { path, within }) {
  const patch = path.at(-1) === '$patch' && valueAt(scalars, path, within);
  return patch ? [{ start: patch.start, end: patch.end, text: 'merge' }] : undefined;
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
