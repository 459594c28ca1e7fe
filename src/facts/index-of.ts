/** Objects by kind and name, so that a look for each object of a large repository does not go through all of them. */
import type { RenderedObject } from '../model.js';

type Index = Map<string, RenderedObject[]>;
const indexes = new WeakMap<readonly RenderedObject[], Index>();

/** In the order in which they are rendered, whatever their group. A list of objects that was asked about is not changed any more. */
export function objectsNamed(
  objects: readonly RenderedObject[],
  kind: string,
  name: string,
): readonly RenderedObject[] {
  let index = indexes.get(objects);
  if (!index) {
    index = new Map();
    for (const object of objects) {
      const key = keyOf(object.ref.kind, object.ref.name);
      const same = index.get(key);
      if (same) same.push(object);
      else index.set(key, [object]);
    }
    indexes.set(objects, index);
  }
  return index.get(keyOf(kind, name)) ?? [];
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}
