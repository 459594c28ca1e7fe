/** Whose a field of a Package or a PackageSource is, by the contract between the platform and the repository. */

import { defined } from '../core/defined.js';
import type { FieldPath, Json, RenderedObject } from '../core/model.js';
import { isWithin } from '../core/object.js';
import { type Condition, platformName } from '../cozystack/ownership.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';
import type { Cluster } from './cluster.js';
import { ownedIn } from './owned-values.js';
import { isEmittedByPlatform } from './platform.js';

export type FieldOwnership = {
  /** `customizer` is who keeps the repository; `nobody` where the contract says nothing of the field. */
  owner: 'platform chart' | 'platform administrator' | 'Helm' | 'Flux' | 'customizer' | 'nobody';
  /** What the repository may do with it: `only` some values. */
  customizer: 'set' | 'never' | 'only';
  why?: string;
  /** What the chart writes: the field itself, or one that is in it, or around it. */
  field?: FieldPath;
  /** What the chart sets, as far as is known. */
  set?: Json;
  /** What must hold for the chart to set it, where that is not known. */
  when?: Condition;
  /** The value of the platform to set instead. */
  knob?: string;
  /** Whether that counts at the installation only. */
  atInstall?: true;
};

const nobodys: FieldOwnership = { owner: 'nobody', customizer: 'set' };

/** Undefined for objects that the contract is not about. */
export function fieldOwner(
  object: Pick<RenderedObject, 'ref'>,
  path: FieldPath,
  cluster: Cluster,
): FieldOwnership | undefined {
  if (isPackage(object)) return ofPackage(object.ref.name, path, cluster);
  if (!isPackageSource(object)) return undefined;
  const { name } = object.ref;
  if (path[0] !== 'spec' || !cluster.contract.catalog.source(name)) return nobodys;
  const owner = name === platformName ? 'platform administrator' : 'platform chart';
  return { owner, customizer: 'never', why: 'the PackageSource comes with the release, and its variants are one list' };
}

function ofPackage(name: string, path: FieldPath, cluster: Cluster): FieldOwnership {
  const { contract, facts, snapshot, head } = cluster;
  const known = { contract, facts, snapshot, objects: head.applied };
  if (isEmittedByPlatform(name, known) === false) return { ...nobodys, why: 'the platform makes no such Package' };
  const owned = ownedIn(name, known).find(({ field }) => isWithin(path, field) || isWithin(field, path));
  if (owned) {
    const { set, when, knob, atInstall, why, dead } = owned;
    const reason = dead ?? why;
    return {
      owner: 'platform chart',
      customizer: 'never',
      field: owned.field,
      ...defined({ why: reason, set }),
      ...defined({ when }),
      ...defined({ knob, atInstall }),
    };
  }
  const list = path.findIndex((step) => typeof step === 'number');
  const row = contract.ownership.rowFor(name, list < 0 ? path : path.slice(0, list));
  if (!row) return nobodys;
  const { owner, customizer, why } = row;
  return { owner: owner as FieldOwnership['owner'], customizer, ...(owner !== 'customizer' && { why }) };
}
