/** What is known of a cluster that is configured so, of which there is data. */
import { type Facts, gatherFacts } from '../../src/cluster/facts.js';
import { type ClusterConfig, defaults } from '../../src/config/config.js';
import type { RenderedObject } from '../../src/core/model.js';
import { type Contract, loadContract } from '../../src/cozystack/contract.js';
import { schemas as data, newest } from './releases.js';

/** `objects`: what the repository renders for it. */
export function knownOf(
  cluster: ClusterConfig,
  objects: readonly RenderedObject[] = [],
): { facts: Facts; contract: Contract } {
  const facts = gatherFacts({
    ...{ config: defaults(), cluster, prefix: 'cluster.', objects, newest },
    isKnownRelease: () => true,
    isKnownKubernetes: () => true,
  });
  return { facts, contract: loadContract(data, facts.all) };
}
