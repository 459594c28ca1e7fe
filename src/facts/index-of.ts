/** Objects by kind and name, so that a look for each object of a large repository does not go through all of them. */
import { groupBy } from '../group.js';
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
    index = groupBy(objects, ({ ref }) => keyOf(ref.kind, ref.name));
    indexes.set(objects, index);
  }
  return index.get(keyOf(kind, name)) ?? [];
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}
