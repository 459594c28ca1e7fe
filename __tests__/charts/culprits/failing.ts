/** Seeded values with which a chart should fail: one or two that are wrong in some way, among others that are not. */
import { Document, isMap, isSeq, visit } from 'yaml';

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Chance = {
  below(count: number): number;
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
};

/** The text of a Package; its values are typed from the defaults of the chart. */
export function failingPackage(name: string, component: string, defaults: object, random: Chance): string {
  const leaves = leavesOf(defaults as Value);
  const values: Record<string, Value> = {};
  if (leaves.length > 0) {
    for (let left = 1 + random.below(6); left > 0; left--) {
      const { path, value } = random.pick(leaves);
      set(values, path, random.chance(0.2) ? value : another(value, random));
    }
    for (let left = random.chance(0.25) ? 2 : 1; left > 0; left--) {
      const { path, value } = random.pick(leaves);
      random.pick([wrongType, wrongType, unquoted, nothing, deeper, oneOff, flipped])(
        values,
        { path, value },
        leaves,
        random,
      );
    }
  }
  const manifest = {
    apiVersion: 'cozystack.io/v1alpha1',
    kind: 'Package',
    metadata: { name, annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
    spec: { components: { [component]: { values } } },
  };
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  // As people write: some of it on one line, some of it with words.
  visit(document, {
    Collection: (_, node) => {
      if ((isMap(node) || isSeq(node)) && node.items.length < 4 && random.chance(0.15)) node.flow = true;
    },
    Pair: (_, pair) => {
      const key = pair.key as { commentBefore?: string };
      if (random.chance(0.1)) key.commentBefore = ' as agreed';
    },
  });
  return document.toString({ flowCollectionPadding: random.chance(0.5) });
}

type Leaf = { path: string[]; value: Value };
type Fault = (values: Record<string, Value>, leaf: Leaf, leaves: readonly Leaf[], random: Chance) => void;

/** What a template puts into YAML as it is. */
const unquoted: Fault = (values, { path }, _, random) =>
  set(values, path, random.pick(['two words: and more', '"open', '- a', '[', 'a: b', '#', '*', '%']));

const wrongType: Fault = (values, { path }, _, random) =>
  set(values, path, random.pick<Value>(['text', 3, -1, true, ['a'], [{ a: 1 }], { a: { b: 1 } }]));

const nothing: Fault = (values, { path }, _, random) =>
  set(values, path, random.pick<Value>([null, '', [], {}, 0, false]));

/** In the place of a map that it is in. */
const deeper: Fault = (values, { path }, _, random) =>
  set(values, path.slice(0, 1 + random.below(path.length)), random.pick<Value>(['text', ['a'], 7, null]));

/** A key that is not known, and one that is on another level. */
const oneOff: Fault = (values, { path, value }, _, random) =>
  set(values, random.chance(0.5) ? [...path.slice(0, -1), `${path.at(-1)}s`] : path.slice(-1), value);

/** Switches turned over, as options exclude each other. */
const flipped: Fault = (values, _, leaves, random) => {
  const switches = leaves.filter(({ value }) => typeof value === 'boolean');
  for (let left = 1 + random.below(4); left > 0 && switches.length > 0; left--) {
    const { path, value } = random.pick(switches);
    set(values, path, !value);
  }
};

function leavesOf(value: Value, path: string[] = []): Leaf[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap || Object.keys(value).length === 0) return path.length > 0 ? [{ path, value }] : [];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Of the same type, mostly. */
function another(value: Value, random: Chance): Value {
  if (typeof value === 'boolean') return random.chance(0.5);
  if (typeof value === 'number') return value + random.below(3);
  if (typeof value === 'string') return value === '' ? 'text' : `${value}${random.below(3)}`;
  if (Array.isArray(value)) return value.length > 0 ? [...value, value[0] ?? null] : ['one', 'two'];
  return value === null ? 'text' : { ...value, extra: 'more' };
}

function set(values: Record<string, Value>, [step = '', ...rest]: readonly string[], value: Value): void {
  if (rest.length === 0) {
    values[step] = value;
    return;
  }
  const inner = values[step];
  const isMap = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  const map: Record<string, Value> = isMap ? inner : {};
  values[step] = map;
  set(map, rest, value);
}
