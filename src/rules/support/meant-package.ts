import { oncePer, remembering } from '../../core/once.js';
import type { Catalog } from '../../cozystack/catalog.js';

/** The package of the platform that a misspelt name means, or one that `namePrefix` or `nameSuffix` has changed. */
export function meantPackage(name: string, catalog: Catalog): string | undefined {
  return meantIn(catalog.nearest)(name, catalog.names).meant;
}

/** By what looks for near names, which is one for all that was read of a release: a catalog is made in each run. */
const meantIn = oncePer((nearest: Catalog['nearest']) => {
  let names: readonly string[] | undefined;
  let namesOf: Catalog['names'] = () => [];
  const answers = remembering((name: string) => {
    names ??= namesOf();
    return { meant: nearest(name) ?? names.findLast((known) => name.endsWith(known) || name.startsWith(known)) };
  });
  return (name: string, all: Catalog['names']) => {
    namesOf = all;
    return answers(name);
  };
});
