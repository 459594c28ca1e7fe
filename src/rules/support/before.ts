/** What an object was before the change. */

import type { RevisionObjects } from '../../cluster/cluster.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { inventoryId, lookUp } from '../../core/object.js';

/** Whether the field was there: then Flux has applied it, and taking it out of the manifest does not undo that. */
export function wasThere(object: RenderedObject, path: FieldPath, base: RevisionObjects | undefined): boolean {
  const id = inventoryId(object.ref);
  return (base?.objects ?? []).some(({ ref, value }) => inventoryId(ref) === id && lookUp(value, path) !== undefined);
}
