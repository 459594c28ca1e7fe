/** Keys of maps in a syntax tree, found and told apart in time that grows with the map alone: `yaml` compares each with each. */
import { isCollection, isMap, isPair, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';

type Index = { first: Map<string, Pair>; last: Map<string, Pair> };

/** A tree that was read is not changed, so its maps are gone through once. */
const indexes = new WeakMap<YAMLMap, Index>();

/** The entry whose key reads so, as written or as it is understood: the first of several, or the last. */
export function entryOf(
  map: YAMLMap,
  key: string,
  which: 'first' | 'last',
  textOf: (pair: Pair) => string | undefined,
): Pair | undefined {
  let index = indexes.get(map);
  if (!index) {
    index = { first: new Map(), last: new Map() };
    for (const pair of map.items) {
      const text = textOf(pair);
      if (text === undefined) continue;
      if (!index.first.has(text)) index.first.set(text, pair);
      index.last.set(text, pair);
    }
    indexes.set(map, index);
  }
  return index[which].get(key);
}

/** The first scalar key that stands in its map a second time. */
export function keyTwice(root: Node): Node | undefined {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    const twice = isMap(node) ? repeated(node) : undefined;
    if (twice) return twice;
    if (isPair(node)) open.push(node.value, node.key);
    else if (isCollection(node)) for (const item of node.items) open.push(item);
  }
  return undefined;
}

function repeated(map: YAMLMap): Node | undefined {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) return key;
    seen.add(key.value);
  }
  return undefined;
}
