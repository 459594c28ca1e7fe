/** The platform's contract for one release, as data: who owns which field, what the catalog holds, what the schemas say. */
import { type Fact, type FactName, UsageError } from '../core/model.js';
import { once } from '../core/once.js';
import { type ApplicationKind, applicationKind } from './application.js';
import { type Catalog, loadCatalog } from './catalog.js';
import { fluxMinor, minorOf, minors } from './kubernetes.js';
import { chartOwnedFields, loadOwnership, type OwnedField, type Ownership } from './ownership.js';
import { loadRbac, type Rbac } from './rbac.js';
import { dataOfRelease, meantRelease, releases } from './releases.js';
import { loadSchemas, type Schemas } from './schemas.js';
import { loadValues, type Values } from './values.js';

export type Contract = {
  /** The release whose data is used. */
  release: string;
  /** Whether it is the release asked for, rather than its nearest neighbour. */
  exact: boolean;
  /** Whether there is data for the line of the release asked for. */
  sameLine: boolean;
  /** Where there is none, the release that was probably meant. */
  meant?: string | undefined;
  /** The minor version of Kubernetes whose built-in kinds are used, as v1.35. */
  kubernetes: string;
  /** The fields that the chart and Helm own on every Package of the platform. */
  ownedFields: readonly OwnedField[];
  ownership: Ownership;
  rbac: Rbac;
  catalog: Catalog;
  schemas: Schemas;
  values: Values;
  /** Undefined for a kind of application that the release does not have. */
  application(kind: string): ApplicationKind | undefined;
};

/**
 * `data` is the directory `schemas/` of this package; `extra` one that `npm run generate -- --out` has made, of a fork or of
 * a release that is not in the box, which is looked into first. Throws a `UsageError` if it holds no release. A release of a line that
 * neither has gets the nearest data.
 */
export function loadContract(data: string, facts: ReadonlyMap<FactName, Fact>, extra?: string): Contract {
  const all = placesOf(data, extra);
  const asked = String(facts.get('release')?.value);
  const { name, exact, sameLine, directory } = dataOfRelease(all, asked);
  // Asked for with every object.
  const ownership = once(() => loadOwnership(all));
  const rbac = once(() => loadRbac(all));
  const kubernetes = minorOf(directory, String(facts.get('kubernetes')?.value ?? fluxMinor));
  return {
    release: name,
    exact,
    sameLine,
    meant: sameLine ? undefined : meantRelease(asked, releases(all)),
    kubernetes,
    get ownedFields() {
      return chartOwnedFields(this.ownership);
    },
    get ownership() {
      return ownership();
    },
    get rbac() {
      return rbac();
    },
    catalog: loadCatalog(all, name),
    schemas: loadSchemas(directory, name, kubernetes),
    values: loadValues(all, name),
    application: (kind) => applicationKind(all, name, kind),
  };
}

/** Whether there is data for a release, or for another one of its line. */
export function isKnownRelease(data: string, release: string, extra?: string): boolean {
  return dataOfRelease(placesOf(data, extra), release).sameLine;
}

/** The releases that there is data for, and the variants of each that have Packages. */
export function possibleReleases(data: string, extra?: string): { release: string; variants: string[] }[] {
  const all = placesOf(data, extra);
  return releases(all).map((release) => ({ release, variants: loadCatalog(all, release).variantsWithPackages() }));
}

/** What every release that there is data for says of objects, oldest first. */
export function releaseContracts(
  data: string,
  extra?: string,
): { release: string; contract: Pick<Contract, 'catalog' | 'schemas'> }[] {
  const all = placesOf(data, extra);
  return releases(all).map((release) => {
    const { directory } = dataOfRelease(all, release);
    return { release, contract: { catalog: loadCatalog(all, release), schemas: loadSchemas(directory, release) } };
  });
}

/** What most runs need of the data of this package is kept for them, while an engine is waited for. What cannot be read is said later. */
export function readAhead(data: string): void {
  try {
    for (const { contract } of releaseContracts(data)) contract.schemas.find('cozystack.io/v1alpha1', 'Package');
    loadOwnership(data);
    loadRbac(data);
  } catch {
    // By whoever needs it.
  }
}

function placesOf(data: string, extra: string | undefined): string[] {
  if (extra !== undefined) checkData(extra);
  return extra === undefined ? [data] : [extra, data];
}

function checkData(directory: string): void {
  if (releases(directory).length > 0 && minors(directory).length > 0) return;
  throw new UsageError(
    `there is no data in ${directory}; npm run generate -- --from DIR --release NAME --out ${directory} makes it`,
  );
}
