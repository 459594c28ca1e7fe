/** What a change itself only enables, so that it is not there yet when the change is applied. */

import type { FieldPath, RenderedObject } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { platformValuePath } from '../cozystack/package.js';
import type { Applied } from '../flux/applied.js';
import type { Cluster } from './cluster.js';
import { isPlatform } from './platform.js';

export const ownedNamespacesPath = platformValuePath('customizer.rbac.ownedNamespaces');
export const enabledPackagesPath = platformValuePath('bundles.enabledPackages');

/** A name that a list of the platform's Package has from now on, with the entry that names it. */
export type PendingEntry = { name: string; object: RenderedObject; path: FieldPath };

/** `otherwise` is what holds where the platform's Package says nothing of it. */
export function newlyListed(
  list: readonly string[],
  after: readonly Applied[],
  before: readonly Applied[],
  otherwise: readonly string[] = [],
): PendingEntry[] {
  const listed = entriesOf(list, before);
  const old = new Set(listed?.map(({ name }) => name) ?? otherwise);
  return (entriesOf(list, after) ?? []).filter(({ name }) => !old.has(name));
}

/** The namespaces that are owned while the change is applied: what it lists itself comes after that. */
export function ownedWhenApplied({ facts, contract, base }: Pick<Cluster, 'facts' | 'contract' | 'base'>): string[] {
  const { source, value } = facts.get('ownedNamespaces');
  if (source !== 'manifest' || !base) return value as string[];
  return entriesOf(ownedNamespacesPath, base.applied)?.map(({ name }) => name) ?? [...contract.rbac.ownedNamespaces];
}

function entriesOf(list: readonly string[], objects: readonly Applied[]): PendingEntry[] | undefined {
  for (const object of objects) {
    if (!isPlatform(object)) continue;
    const names = lookUp(object.value, list);
    if (!Array.isArray(names)) continue;
    return names.flatMap((name, index) => (typeof name === 'string' ? [{ name, object, path: [...list, index] }] : []));
  }
  return undefined;
}
