/** Who else sets a field of a Package, as a snapshot of the cluster shows it. */

import type { Snapshot } from '../../cluster/snapshot.js';
import type { FieldPath } from '../../core/model.js';
import { formatPath, isWithin, parsePath } from '../../core/object.js';

/** Whether somebody beside Flux does: then the field stays when git lets go of it. Undefined where nobody has looked. */
export function hasOtherOwner(name: string, path: FieldPath, snapshot: Snapshot | undefined): boolean | undefined {
  return others(name, snapshot)?.some(({ fields }) => fields.includes(formatPath(path)));
}

/** Whether somebody beside Flux sets a field, or one below it. */
export function isFilledByOthers(name: string, path: FieldPath, snapshot: Snapshot | undefined): boolean {
  const isBelow = (field: string) => isWithin(parsePath(field), path);
  return others(name, snapshot)?.some(({ fields }) => fields.some(isBelow)) === true;
}

/** Undefined where nobody has looked. */
function others(name: string, snapshot: Snapshot | undefined) {
  const packages = snapshot?.packages ?? {};
  const { managers } = (Object.hasOwn(packages, name) && packages[name]) || {};
  return managers?.filter(({ manager }) => manager !== 'kustomize-controller');
}
