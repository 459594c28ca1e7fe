/** Who else sets a field of a Package, as a snapshot of the cluster shows it. */

import type { Snapshot } from '../../cluster/snapshot.js';
import type { FieldPath } from '../../core/model.js';
import { formatPath, isWithin, parsePath } from '../../core/object.js';

/** Whether somebody beside Flux does: then the field stays when git lets go of it. Undefined where nobody has looked. */
export function hasOtherOwner(name: string, path: FieldPath, snapshot: Snapshot | undefined): boolean | undefined {
  const packages = snapshot?.packages ?? {};
  const { managers } = (Object.hasOwn(packages, name) && packages[name]) || {};
  return managers?.some(
    ({ manager, fields }) => manager !== 'kustomize-controller' && fields.includes(formatPath(path)),
  );
}

/** Whether somebody beside Flux sets a field, or one below it. */
export function isFilledByOthers(name: string, path: FieldPath, snapshot: Snapshot | undefined): boolean {
  const packages = snapshot?.packages ?? {};
  const { managers = [] } = (Object.hasOwn(packages, name) && packages[name]) || {};
  return managers.some(
    ({ manager, fields }) =>
      manager !== 'kustomize-controller' && fields.some((field) => isWithin(parsePath(field), path)),
  );
}
