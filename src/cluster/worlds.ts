/** The clusters that a repository may be meant for: as many as there are, as long as nobody says which. */

import type { Contract } from '../cozystack/contract.js';
import type { Facts, World } from './facts.js';

/** What of a world may be a guess. */
export const axes = ['release', 'variant', 'kubernetes'] as const satisfies readonly (keyof World)[];

export function isAxis(name: string): name is keyof World {
  return axes.some((axis) => axis === name);
}

/** What a cluster may be: `variants` of each release that there is data for, and the minor versions of Kubernetes. */
export type PossibleWorlds = {
  releases: readonly { release: string; variants: readonly string[] }[];
  kubernetes: readonly string[];
};

/** What the facts say, be it a guess. */
export function worldOf(facts: Facts, { release, kubernetes }: Contract): World {
  return { release, variant: String(facts.all.get('variant')?.value), kubernetes };
}

/** Every other world that fits what is known; `possible` gives those of the releases that the repository fits. */
export function otherWorlds(facts: Facts, contract: Contract, possible: () => PossibleWorlds): World[] {
  const known = worldOf(facts, contract);
  const isGuess = (axis: keyof World) => facts.all.get(axis)?.source === 'assumed';
  if (!axes.some(isGuess)) return [];
  const { releases, kubernetes } = possible();
  const minors = isGuess('kubernetes') ? kubernetes : [known.kubernetes];
  return releases
    .filter(({ release }) => isGuess('release') || release === known.release)
    .flatMap(({ release, variants }) =>
      (isGuess('variant') ? variants : [known.variant]).map((variant) => ({ release, variant })),
    )
    .flatMap((one) => minors.map((minor) => ({ ...one, kubernetes: minor })))
    .filter((one) => !isSame(one, known));
}

export function isSame(one: World, other: World): boolean {
  return axes.every((axis) => one[axis] === other[axis]);
}
