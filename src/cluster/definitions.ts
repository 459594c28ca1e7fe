/** Who brings the definition of a kind into a cluster. */

import type { ObjectRef, RenderedObject } from '../core/model.js';
import { getString, groupOf } from '../core/object.js';
import { cozystackGroup } from '../cozystack/package.js';

/** Groups of which the release brings every kind, and nobody else any: the operator's own and those of its Flux. */
export function isClosedGroup(group: string): boolean {
  return group === cozystackGroup || group.endsWith('.toolkit.fluxcd.io');
}

/** Whether a CustomResourceDefinition in the repository brings the kind, in whatever version. */
export function isDefinedHere({ apiVersion, kind }: ObjectRef, objects: readonly RenderedObject[]): boolean {
  return definedIn(objects).has(`${groupOf(apiVersion)}/${kind}`);
}

const definitions = new WeakMap<readonly RenderedObject[], ReadonlySet<string>>();

function definedIn(objects: readonly RenderedObject[]): ReadonlySet<string> {
  const known = definitions.get(objects) ?? new Set(objects.flatMap(definedBy));
  definitions.set(objects, known);
  return known;
}

function definedBy({ ref, value }: RenderedObject): string[] {
  if (ref.kind !== 'CustomResourceDefinition') return [];
  return [`${getString(value, ['spec', 'group'])}/${getString(value, ['spec', 'names', 'kind'])}`];
}
