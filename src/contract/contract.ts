/** The platform's contract for one release, as data: who owns which field, what the catalog holds, what the schemas say. */
import type { Fact, FactName } from '../model.js';
import { type Catalog, loadCatalog } from './catalog.js';
import { loadOwnership, type OwnedField } from './ownership.js';
import { dataOfRelease } from './releases.js';
import { loadSchemas, type Schemas } from './schemas.js';

export type Contract = {
  /** The release whose data is used. */
  release: string;
  /** Whether it is the release asked for, rather than its nearest neighbour. */
  exact: boolean;
  ownedFields: readonly OwnedField[];
  catalog: Catalog;
  schemas: Schemas;
};

/** `data` is the directory `schemas/` of this package. */
export function loadContract(data: string, facts: ReadonlyMap<FactName, Fact>): Contract {
  const { name, exact } = dataOfRelease(data, String(facts.get('release')?.value));
  return {
    release: name,
    exact,
    ownedFields: loadOwnership(data),
    catalog: loadCatalog(data, name),
    schemas: loadSchemas(data, name),
  };
}
