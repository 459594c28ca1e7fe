/** Objects by kind and name, so that a look for each object of a large repository does not go through all of them. */
import { groupBy } from '../core/group.js';
import type { RenderedObject } from '../core/model.js';
import { oncePer } from '../core/once.js';

const indexOf = oncePer((objects: readonly RenderedObject[]) =>
  groupBy(objects, ({ ref }) => keyOf(ref.kind, ref.name)),
);

/** In the order in which they are rendered, whatever their group. A list of objects that was asked about is not changed any more. */
export function objectsNamed(
  objects: readonly RenderedObject[],
  kind: string,
  name: string,
): readonly RenderedObject[] {
  return indexOf(objects).get(keyOf(kind, name)) ?? [];
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}
