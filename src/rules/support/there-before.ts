/** Whether a Package of the platform is in the cluster when the change comes. */

import { isEmittedByPlatform } from '../../cluster/platform.js';
import type { RuleContext } from '../rule.js';

/** As a snapshot has seen it, or as the platform makes it by what the base says. Undefined where neither tells. */
export function isThereBefore(name: string, { base, known }: Pick<RuleContext, 'base' | 'known'>): boolean | undefined {
  if (known.snapshot) return Object.hasOwn(known.snapshot.packages, name);
  return base && isEmittedByPlatform(name, { ...base.known, snapshot: undefined, objects: base.applied });
}
