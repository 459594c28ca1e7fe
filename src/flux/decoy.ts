/** Flux Kustomizations that only pretend to be those that a cluster has. */

import type { Entrypoint } from '../core/model.js';

/**
 * Whether a Flux Kustomization of the head may only pretend to be one that the base renders: nothing renders it, and it stands in
 * another file or beside one of its name that is rendered; or what renders it is such a one.
 */
export function isDecoy(it: Entrypoint, base: Entrypoint, head: readonly Entrypoint[]): boolean {
  const { name, namespace } = it.kustomization;
  if (name === undefined || base.appliedFrom === undefined) return false;
  if (it.appliedFrom !== undefined)
    return it.appliedFrom !== base.appliedFrom && it.reach?.split(' + ').includes(unrendered) === true;
  const isNamesake = ({ kustomization, appliedFrom }: Entrypoint) =>
    appliedFrom !== undefined && kustomization.name === name && kustomization.namespace === namespace;
  const isNear = (other: Entrypoint) => clusterFolder(other) === clusterFolder(it);
  return it.declaredAt?.file !== base.declaredAt?.file || head.some((other) => isNamesake(other) && isNear(other));
}

/**
 * The folder of `clusters/`, by the usual layout, that decides to which cluster the entrypoint is applied: that of the entrypoint all
 * begins with, if that is known; else that of the entrypoint itself, or of the file that declares it.
 */
export function clusterFolder({
  path,
  declaredAt,
  appliedFrom,
}: Pick<Entrypoint, 'path' | 'declaredAt' | 'appliedFrom'>): string | undefined {
  const folder = /^clusters\/([^/]+)(?:\/|$)/;
  const places = appliedFrom === undefined ? [path, declaredAt?.file ?? ''] : [appliedFrom];
  return places.map((place) => folder.exec(place)?.[1]).find((name) => name !== undefined);
}

export const unrendered = 'unrendered';
