/** What an object was before the change. */
import type { FieldPath, RenderedObject } from '../model.js';
import { inventoryId, lookUp } from '../object.js';
import type { Side } from './clusters.js';

/** Whether the field was there: then Flux has applied it, and taking it out of the manifest does not undo that. */
export function wasThere(object: RenderedObject, path: FieldPath, base: Side | undefined): boolean {
  const id = inventoryId(object.ref);
  return (base?.objects ?? []).some(({ ref, value }) => inventoryId(ref) === id && lookUp(value, path) !== undefined);
}
