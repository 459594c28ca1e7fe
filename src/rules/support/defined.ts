/** Kinds that come from somewhere else than a release of the platform. */

import type { Snapshot } from '../../cluster/snapshot.js';
import type { RenderedObject } from '../../core/model.js';
import { getString, groupOf } from '../../core/object.js';

/** Whether the snapshot of the cluster has the kind, or the repository defines it. */
export function isBrought(
  { apiVersion, kind }: { apiVersion: string; kind: string },
  { snapshot, objects }: { snapshot: Snapshot | undefined; objects: readonly RenderedObject[] },
): boolean {
  const group = groupOf(apiVersion);
  const kinds = snapshot?.kinds ?? {};
  if (Object.hasOwn(kinds, `${group}/${kind}`) && (kinds[`${group}/${kind}`] ?? []).length > 0) return true;
  return objects.some(
    ({ ref, value }) =>
      ref.kind === 'CustomResourceDefinition' &&
      getString(value, ['spec', 'group']) === group &&
      getString(value, ['spec', 'names', 'kind']) === kind,
  );
}
