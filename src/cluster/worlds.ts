/** The clusters that a repository may be meant for: as many as there are, as long as nobody says which. */

import type { Contract } from '../cozystack/contract.js';
import type { Facts, World } from './facts.js';

/** What of a world may be a guess. */
export const axes = ['release', 'variant'] as const satisfies readonly (keyof World)[];

export function isAxis(name: string): boolean {
  return axes.some((axis) => axis === name);
}

/** `variants` of each release that there is data for. */
export type ReleaseVariants = readonly { release: string; variants: readonly string[] }[];

/** What the facts say, be it a guess. */
export function worldOf(facts: Facts, contract: Contract): World {
  return { release: contract.release, variant: String(facts.all.get('variant')?.value) };
}

/** Every other world that fits what is known; `possible` gives those of the releases that the repository fits. */
export function otherWorlds(facts: Facts, contract: Contract, possible: () => ReleaseVariants): World[] {
  const known = worldOf(facts, contract);
  const [release, variant] = axes.map((axis) => facts.all.get(axis)?.source === 'assumed');
  if (!release && !variant) return [];
  return possible()
    .filter((one) => release || one.release === known.release)
    .flatMap((one) =>
      (variant ? one.variants : [known.variant]).map((name) => ({ release: one.release, variant: name })),
    )
    .filter((one) => !isSame(one, known));
}

export function isSame(one: World, other: World): boolean {
  return axes.every((axis) => one[axis] === other[axis]);
}
