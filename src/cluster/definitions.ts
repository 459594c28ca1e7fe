/** Who brings the definition of a kind into a cluster. */

import type { ObjectRef, RenderedObject } from '../core/model.js';
import { getString, groupOf } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { applicationGroup } from '../cozystack/application.js';
import { cozystackGroup } from '../cozystack/package.js';
import type { Schemas } from '../cozystack/schemas.js';
import type { Applied } from '../flux/applied.js';
import type { Known } from './known.js';

/** Groups of which the release brings every kind, and nobody else any: the operator's own and those of its Flux. */
export function isClosedGroup(group: string): boolean {
  return group === cozystackGroup || group.endsWith('.toolkit.fluxcd.io');
}

/** Whether somebody else may bring kinds of a group that the data does not have: an operator, or a chart of anybody's. */
export function isOpenGroup(group: string, schemas: Schemas): boolean {
  return !isClosedGroup(group) && !schemas.isBuiltInGroup(group);
}

/** Where API servers other than the cluster's own serve kinds that no definition has: Cozystack's applications, metrics, consoles. */
const aggregated = ['cozystack.io', 'k8s.io', 'subresources.kubevirt.io'];

export function isAggregated(group: string): boolean {
  return aggregated.some((suffix) => `.${group}`.endsWith(`.${suffix}`));
}

/** Whether the snapshot of the cluster has the kind, or the repository defines it. */
export function isBrought(ref: KindRef, { snapshot, objects }: Pick<Known, 'snapshot' | 'objects'>): boolean {
  const key = keyOf(ref);
  const seen = snapshot?.kinds && Object.hasOwn(snapshot.kinds, key) ? (snapshot.kinds[key] ?? []) : [];
  return seen.length > 0 || isDefinedHere(ref, objects);
}

/** Whether a CustomResourceDefinition or an ApplicationDefinition that the repository applies brings the kind, in whatever version. */
export function isDefinedHere(ref: KindRef, objects: readonly Applied[]): boolean {
  return definedIn(objects).has(keyOf(ref));
}

type KindRef = Pick<ObjectRef, 'apiVersion' | 'kind'>;

function keyOf({ apiVersion, kind }: KindRef): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

const definedIn = oncePer((objects: readonly Applied[]) => new Set(objects.flatMap(definedBy)));

function definedBy({ ref, value }: RenderedObject): string[] {
  if (ref.kind === 'ApplicationDefinition' && groupOf(ref.apiVersion) === cozystackGroup)
    return [`${applicationGroup}/${getString(value, ['spec', 'application', 'kind'])}`];
  if (ref.kind !== 'CustomResourceDefinition') return [];
  return [`${getString(value, ['spec', 'group'])}/${getString(value, ['spec', 'names', 'kind'])}`];
}
