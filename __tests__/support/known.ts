/** What is known of a cluster that is configured so, of which there is data. */
import { type Facts, gatherFacts } from '../../src/cluster/facts.js';
import { type ClusterConfig, defaults } from '../../src/config/config.js';
import type { Rendered, RenderedObject } from '../../src/core/model.js';
import { type Contract, loadContract } from '../../src/cozystack/contract.js';
import { type Applied, appliedByAll } from '../../src/flux/applied.js';
import { schemas as data, newest } from './releases.js';

/** Those of the objects that Flux applies, if one entrypoint renders them. */
export function applied(objects: readonly RenderedObject[]): readonly Applied[] {
  return appliedByAll([{ ok: true, entrypoint: { path: '.' }, objects } as unknown as Rendered]);
}

/** `objects` are rendered for the cluster. */
export function knownOf(
  cluster: ClusterConfig,
  objects: readonly RenderedObject[] = [],
): { facts: Facts; contract: Contract } {
  const facts = gatherFacts({
    ...{ config: defaults(), cluster, prefix: 'cluster.', objects: applied(objects), newest },
    isKnownRelease: () => true,
    isKnownKubernetes: () => true,
  });
  return { facts, contract: loadContract(data, facts.all) };
}
