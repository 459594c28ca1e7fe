import type { Catalog } from '../../cozystack/catalog.js';

/** The package of the platform that a misspelt name means, or one that `namePrefix` or `nameSuffix` has changed. */
export function meantPackage(name: string, catalog: Catalog): string | undefined {
  return catalog.nearest(name) ?? catalog.names().findLast((known) => name.endsWith(known) || name.startsWith(known));
}
