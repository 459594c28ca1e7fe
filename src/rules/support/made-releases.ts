/** The HelmReleases that the platform makes from its Packages. */

import type { Facts } from '../../cluster/facts.js';
import { chartsVariant, isEmittedByPlatform } from '../../cluster/platform.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import type { FactName } from '../../core/model.js';
import type { Contract } from '../../cozystack/contract.js';
import type { Applied } from '../../flux/applied.js';

export type MadeRelease = { source: string; component: string; isSure: boolean; assumes: FactName[] };

/** By `NAMESPACE/NAME`, those that it makes in this cluster, or may make. */
export function chartReleases(known: {
  contract: Contract;
  facts: Facts;
  objects: readonly Applied[];
  snapshot: Snapshot | undefined;
}): Map<string, MadeRelease> {
  const { contract, facts } = known;
  const found = new Map<string, MadeRelease>();
  for (const name of contract.catalog.names()) {
    const isThere = isEmittedByPlatform(name, known);
    const emission = contract.catalog.emitted(name, String(facts.get('variant').value));
    // A Package that only an administrator can have made is that administrator's business.
    if (isThere === false || (!isThere && (emission === 'never' || emission === 'unknown'))) continue;
    const assumes: FactName[] = [
      'variant',
      ...(emission === 'optional' ? ['optionalPackages' as const] : []),
      ...(typeof emission === 'object' ? ['platformValues' as const] : []),
    ];
    const variant = chartsVariant(name, known);
    const variants = contract.catalog.source(name)?.variants.filter((one) => (variant ?? one.name) === one.name) ?? [];
    for (const { name: component, install } of variants.flatMap(({ components }) => components)) {
      const made = { source: name, component, isSure: isThere === true, assumes: isThere ? [] : assumes };
      if (install) found.set(`${install.namespace}/${install.releaseName}`, made);
    }
  }
  return found;
}
