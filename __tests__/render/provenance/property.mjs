/**
 * The property that decides whether a location is right: change the scalar there, render again, and exactly that leaf is
 * different, with what the command had declared as derived from it.
 *
 * - `exact`: so it is.
 * - `wrong`: the leaf stays the same, or another leaf changes too that claims to come from somewhere else, or the place does
 *   not begin and end where the scalar does.
 * - `undeclared`: the leaf changes as it should, but so do others of which the command knows no place: they owe a
 *   derivedFrom. When every leaf is exact there can be none, and the property holds as it is written above.
 * - `idle`: the place is right, but a further source that is named for the same scalar has no part in it.
 * - `anchored`: a known gap: the place of a scalar with an anchor is the `&`, and nothing of the scalar.
 * - `silent`: nothing to change: an empty map or list, or a null that is not written out.
 * - `refused`: no change was taken by the build, so nothing is shown.
 * - `parent`, `file`: the command does not claim to know the place.
 *
 * Scalars that pick objects are a class of their own, `identity`, and only where the strict property does not hold for them:
 *
 * - `apiVersion`, `kind`, `metadata.name`, `metadata.namespace`: another name is another object to every patch, replacement
 *   and reference that named the old one. The build may refuse; else the leaf shows the change, and all that may differ
 *   besides is in the same object (a patch does not reach it any more), in one that is named by the same place (a namespace
 *   of many), or is a reference that held the old name or took the namespace beside it.
 * - a merge key (the `name` of a container, the `containerPort` of a port …): base and patch name the item, so that changing
 *   one of them makes two items. The leaf's list may change and nothing outside of it.
 */

import { fluxOf } from './flux.mjs';
import { differences, indexOf, keyOf } from './leaves.mjs';
import { apply, changes, offsetsOf } from './mutate.mjs';
import { fits, scalarsOf } from './scalars.mjs';

const mergeKeys = new Set(['name', 'containerPort', 'port', 'protocol', 'mountPath', 'devicePath', 'ip', 'key']);

export class Property {
  #renders = new Map();
  #scalars = new Map();

  /** `tree` has `files`, and `flux` where a Flux Kustomization leads to `path`. */
  constructor(engine, tree, path, declared) {
    Object.assign(this, { engine, tree, path, declared });
  }

  async start() {
    this.before = await this.#render(this.tree.files);
    return this.before !== undefined;
  }

  async #render(files) {
    const answer = await this.engine.render(files, this.path, fluxOf(files, this.tree.flux));
    return answer.ok ? indexOf(answer.objects) : undefined;
  }

  /** The render with one edit; undefined where it does not build. */
  changed(file, edit) {
    const key = JSON.stringify([file, edit]);
    if (!this.#renders.has(key)) {
      const files = new Map(this.tree.files);
      files.set(file, apply(String(files.get(file)), edit));
      this.#renders.set(
        key,
        this.#render(files).catch(() => undefined),
      );
    }
    return this.#renders.get(key);
  }

  /** `{ verdict, why }` for one leaf of the command's answer. */
  async judge(leaf) {
    if (leaf.precision !== 'exact') return { verdict: leaf.precision };
    const key = keyOf(leaf.index, leaf.path);
    if (JSON.stringify(this.before.get(key)) !== JSON.stringify(leaf.value))
      return {
        verdict: 'wrong',
        why: `is said to be ${JSON.stringify(leaf.value)}, but it is ${JSON.stringify(this.before.get(key))}`,
      };
    const text = this.tree.files.get(leaf.file);
    if (text === undefined) return { verdict: 'wrong', why: `there is no file ${leaf.file}` };
    if (leaf.value !== null && typeof leaf.value === 'object') return { verdict: 'silent' };
    const edits = changes(String(text), leaf, leaf.value);
    if (edits.length > 0 && !this.#fits(leaf, String(text)))
      return { verdict: 'wrong', why: 'the place is no scalar, nor a part of one that ends between words' };
    if (edits.length === 0) return nothingAt(String(text), leaf);
    for (const edit of edits) {
      const after = await this.changed(leaf.file, edit);
      if (!after) continue;
      const result = this.#compare(leaf, key, after);
      const idle = result.verdict === 'wrong' ? undefined : await this.#idleSource(leaf, key);
      return idle ? { verdict: 'idle', why: `it is said to come from ${idle} too, which changes nothing` } : result;
    }
    return { verdict: identityRule(leaf) ? 'identity' : 'refused' };
  }

  /** Where several places made the scalar, a part of each of the others must show; what the build refuses shows nothing. */
  async #idleSource(leaf, key) {
    for (const place of (leaf.writers[0]?.from ?? []).slice(1)) {
      const edits = changes(String(this.tree.files.get(place.file) ?? ''), place, leaf.value);
      const renders = await Promise.all(edits.map((edit) => this.changed(place.file, edit)));
      const built = renders.filter((after) => after !== undefined);
      const shows = built.some((after) => differences(this.before, after).includes(key));
      if (built.length > 0 && !shows) return `${place.file}:${place.line}:${place.column}`;
    }
    return undefined;
  }

  #fits(leaf, text) {
    if (!this.#scalars.has(leaf.file)) this.#scalars.set(leaf.file, scalarsOf(leaf.file, text));
    return fits(this.#scalars.get(leaf.file), text, offsetsOf(text, leaf));
  }

  #compare(leaf, key, after) {
    const changed = differences(this.before, after);
    const itself = changed.includes(key);
    const others = changed.filter((one) => one !== key && !this.declared.follows(one, leaf));
    if (itself && others.length === 0) return { verdict: 'exact' };
    const allowed = identityRule(leaf, this.declared);
    const renamed = new Set(changed.filter((one) => isName(one) && this.declared.follows(one, leaf)).map(objectOf));
    const stray = others.filter((one) => !allowed?.(one, this.before.get(one), renamed));
    if (allowed && stray.length === 0 && changed.length > 0) return { verdict: 'identity' };
    if (!itself) return { verdict: 'wrong', why: `it stays the same; what changes is ${listed(changed)}` };
    const claimed = stray.filter((one) => this.declared.get(one)?.precision === 'exact' || !this.declared.get(one));
    if (claimed.length > 0) return { verdict: 'wrong', why: `this changes too: ${listed(claimed)}` };
    return { verdict: 'undeclared', why: `this changes too: ${listed(stray)}`, owing: stray };
  }
}

function nothingAt(text, leaf) {
  if (leaf.value === null) return { verdict: 'silent' };
  if (text[offsetsOf(text, leaf).start] === '&') return { verdict: 'anchored' };
  return { verdict: 'wrong', why: 'there is nothing at the place' };
}

const listed = (keys) =>
  `${keys.slice(0, 3).join(' ')}${keys.length > 3 ? ` and ${keys.length - 3} more` : ''}` || 'nothing';

const objectOf = (key) => JSON.parse(key)[0];
const isName = (key) => /^\[\d+,("apiVersion"|"kind"|"metadata","name(space)?")\]$/.test(key);

/** Which other leaves may change with an identity; undefined for any other leaf. */
function identityRule(leaf, declared) {
  const path = leaf.path.join('.');
  if (/^(apiVersion|kind|metadata\.name|metadata\.namespace)$/.test(path))
    return (key, value, renamed) =>
      objectOf(key) === leaf.index ||
      renamed.has(objectOf(key)) ||
      value === leaf.object.name ||
      declared.refersTo(key, leaf.index);
  if (!mergeKeys.has(leaf.path.at(-1)) || typeof leaf.path.at(-2) !== 'number') return undefined;
  const list = keyOf(leaf.index, leaf.path.slice(0, -2)).slice(0, -1);
  return (key) => key.startsWith(`${list},`);
}
