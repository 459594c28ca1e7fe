/** Rendered objects as leaves, what differs between two renders, and what the command had declared about it. */

/** Every leaf of every object, by object index and path; an empty map or list is a leaf. */
export function indexOf(objects) {
  const found = new Map();
  const visit = (value, path) => {
    const keys = value !== null && typeof value === 'object' ? Object.keys(value) : [];
    if (keys.length === 0) found.set(JSON.stringify(path), value);
    const list = Array.isArray(value);
    for (const key of keys) visit(value[key], [...path, list ? Number(key) : key]);
  };
  for (const [index, object] of objects.entries()) visit(object, [index]);
  return found;
}

export const keyOf = (index, path) => JSON.stringify([index, ...path]);

/** Keys (`[object, ...path]` as JSON) of leaves that are not the same in both. */
export function differences(before, after) {
  const changed = [];
  for (const [key, value] of before) if (!after.has(key) || !same(after.get(key), value)) changed.push(key);
  for (const key of after.keys()) if (!before.has(key)) changed.push(key);
  return changed;
}

const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

const identity = ({ apiVersion, kind, namespace = '', name }) => [apiVersion, kind, namespace, name].join(' ');

/** What the command says of one entrypoint, to be asked about leaves. */
export class Declared {
  #byKey = new Map();
  #byObject = new Map();
  removed = [];
  leaves = [];

  constructor(records) {
    let index = -1;
    let last;
    for (const record of records) {
      const name = identity(record.object);
      if (
        name !== last ||
        (record.path[0] === 'apiVersion' && !record.removed && this.#byKey.has(keyOf(index, record.path)))
      )
        index++;
      last = name;
      const leaf = { ...record, index };
      if (record.removed) this.removed.push(leaf);
      else this.#add(leaf, name);
    }
  }

  #add(leaf, name) {
    this.leaves.push(leaf);
    this.#byKey.set(keyOf(leaf.index, leaf.path), leaf);
    this.#byObject.set(name, [...(this.#byObject.get(name) ?? []), leaf]);
  }

  get(key) {
    return this.#byKey.get(key);
  }

  /** The places of the last writer, and of all that the leaf is derived from, in any number of steps. */
  sources(leaf, seen = new Set()) {
    const key = keyOf(leaf.index, leaf.path);
    if (seen.has(key)) return [];
    seen.add(key);
    const own = leaf.precision === 'exact' ? [leaf] : [];
    return [
      ...own,
      ...(leaf.writers[0]?.from ?? []),
      ...this.#causes(leaf).flatMap((cause) => this.sources(cause, seen)),
    ];
  }

  /** The leaves at, or below, the nodes that a leaf is declared to be derived from. */
  #causes({ derivedFrom }) {
    return derivedFrom.flatMap(({ object, path }) =>
      (this.#byObject.get(identity(object)) ?? []).filter((leaf) => path.every((step, at) => step === leaf.path[at])),
    );
  }

  /** Whether the leaf with this key is a reference to an object, and takes its value from it. */
  refersTo(key, index) {
    const leaf = this.#byKey.get(key);
    return leaf?.by === 'reference' && this.#causes(leaf).some((cause) => cause.index === index);
  }

  /** Whether the leaf with this key was said to come from the same place as `cause`, or from `cause` itself, in any number of steps. */
  follows(key, cause, seen = new Set()) {
    const leaf = this.#byKey.get(key);
    if (!leaf || seen.has(key)) return false;
    seen.add(key);
    if (leaf === cause || placesOf(leaf).some((place) => overlap(place, cause))) return true;
    return this.#causes(leaf).some((one) => this.follows(keyOf(one.index, one.path), cause, seen));
  }
}

/** The leaf's own place and those of all of its writers. */
export function placesOf(leaf) {
  const own = leaf.precision === 'exact' ? [leaf] : [];
  return [...own, ...leaf.writers.flatMap(({ from }) => from)];
}

export function overlap(a, b) {
  if (a.file !== b.file) return false;
  const before = (line, column, other) => line < other.line || (line === other.line && column < other.column);
  const touches = (x, y) => before(x.line, x.column, { line: y.endLine, column: Math.max(y.endColumn, y.column + 1) });
  return touches(a, b) && touches(b, a);
}
