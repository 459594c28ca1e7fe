/** What is known of a cluster, as one value: what rules and stages judge by. */
import type { Contract } from '../cozystack/contract.js';
import type { Applied } from '../flux/applied.js';
import type { Facts } from './facts.js';
import type { Snapshot } from './snapshot.js';

export type Known = {
  contract: Contract;
  facts: Facts;
  /** What was seen in the cluster, where the repository has it. */
  snapshot: Snapshot | undefined;
  /** The objects of the repository that Flux applies to it, or may apply. */
  objects: readonly Applied[];
};
