/** What is said of charts where nobody gives any: apart from the stage, which is loaded with them. */
import type { Cluster } from '../cluster/cluster.js';
import type { JsonObject, StageOutcome } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { isPackage } from '../cozystack/package.js';

export const stage = 'charts';

/** Where nobody gives any, and there are values that they would tell of. */
export function chartsNotAsked(clusters: readonly Cluster[]): StageOutcome[] {
  const hasValues = clusters.some(({ head }) =>
    head.objects.some((object) => isPackage(object) && componentsIn(object.value).length > 0),
  );
  const why = 'no charts were given (--charts), so values were only held against their defaults';
  return hasValues ? [{ name: stage, ran: false, why, optional: true }] : [];
}

/** The components of which a manifest says something, sorted. */
export function componentsIn(value: JsonObject): string[] {
  const components = lookUp(value, ['spec', 'components']);
  return isObject(components) ? Object.keys(components).sort() : [];
}
