/** What a release of Cozystack consists of (`catalog.json`, generated): its PackageSources and what the platform emits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../model.js';
import { releases } from './releases.js';

/** The PackageSource of the platform itself; its Package is the administrator's, no chart emits it. */
export const platformName = 'cozystack.cozystack-platform';

export type Component = {
  name: string;
  /** The chart, below `packages/`. */
  path: string;
  /** Absent: the component makes no HelmRelease, so values set for it go nowhere. */
  install?: { namespace: string; releaseName: string; privileged: boolean; dependsOn: readonly string[] };
};
export type Variant = { name: string; dependsOn: readonly string[]; components: readonly Component[] };
export type Source = {
  name: string;
  variants: readonly Variant[];
  variant(name: string): Variant | undefined;
  /** The components of all variants, sorted. */
  componentNames(): string[];
};

/** A Package as the platform chart writes it; `components` where the chart sets values itself. */
export type EmittedPackage = { variant: string; components?: { [component: string]: { values: JsonObject } } };
/** By the Package's name; null where a change takes it away. */
export type Emitted = { [name: string]: EmittedPackage | null };
export type PlatformVariant = {
  packages: { [name: string]: EmittedPackage };
  /** By a name that `bundles.enabledPackages` understands: the difference that listing it makes. */
  optional: { [name: string]: Emitted };
  /** By `path=value` of a platform value, such as `authentication.oidc.enabled=true`: the difference it makes. */
  switches: { [change: string]: Emitted };
  /** The switches that the chart refuses to render with. */
  refused: string[];
};

/** `map`: anything may stand in it; `any`: a template reads it, but nothing declares it. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'map' | 'any';

export type Catalog = {
  source(name: string): Source | undefined;
  /** The names of all PackageSources of the release, sorted. */
  names(): string[];
  /** The releases, oldest first and this one included, that have a PackageSource of that name. */
  releasesWith(name: string): string[];
  /** Whether any known release has the component in any variant of that PackageSource. */
  knowsComponent(source: string, component: string): boolean;
  /** The first PackageSource, by name, that has a component of that name. */
  sourceWithComponent(component: string): string | undefined;
  /** Whether the Package is the platform's own, or one that its chart emits under some variant or switch. */
  isManaged(name: string): boolean;
  platformVariant(name: string): PlatformVariant | undefined;
  /** What `spec.components.platform.values` of the platform's Package understands, by path (`publishing.host`). */
  platformValues: { readonly [path: string]: ValueType };
};

/** `data` is the directory `schemas/` of this package. Throws if there is no data for the release. */
export function loadCatalog(data: string, release: string): Catalog {
  const { sources, platform } = read(data, release);
  const find = (name: string) => (own(sources, name) ? toSource(name, sources[name] as RawSource) : undefined);
  const names = Object.keys(sources).sort();
  const never = new Set(platform.never);
  return {
    source: find,
    names: () => [...names],
    releasesWith: (name) => releases(data).filter((other) => own(read(data, other).sources, name)),
    knowsComponent: (source, component) =>
      releases(data).some((other) => {
        const { sources } = read(data, other);
        const raw = own(sources, source) ? sources[source] : undefined;
        return raw !== undefined && toSource(source, raw).componentNames().includes(component);
      }),
    sourceWithComponent: (component) => names.find((name) => find(name)?.componentNames().includes(component)),
    isManaged: (name) => own(sources, name) && !never.has(name),
    platformValues: platform.values,
    platformVariant: (name) => (own(platform.variants, name) ? platform.variants[name] : undefined),
  };
}

type RawComponent = {
  path: string;
  install?: { namespace: string; releaseName: string; privileged?: boolean; dependsOn?: string[] };
};
type RawVariant = { dependsOn?: string[]; components: { [name: string]: RawComponent } };
type RawSource = { variants: { [name: string]: RawVariant } };
type RawCatalog = {
  sources: { [name: string]: RawSource };
  platform: {
    variants: { [name: string]: PlatformVariant };
    never: string[];
    values: { [path: string]: ValueType };
  };
};

const catalogs = new Map<string, RawCatalog>();

function read(data: string, release: string): RawCatalog {
  const file = join(data, 'cozystack', release, 'catalog.json');
  let catalog = catalogs.get(file);
  if (!catalog) {
    catalog = JSON.parse(readFileSync(file, 'utf8')) as RawCatalog;
    catalogs.set(file, catalog);
  }
  return catalog;
}

function toSource(name: string, raw: RawSource): Source {
  const variants = Object.entries(raw.variants).map(([name, { dependsOn = [], components }]) => ({
    name,
    dependsOn,
    components: Object.entries(components).map(([name, component]) => toComponent(name, component)),
  }));
  return {
    name,
    variants,
    variant: (name) => variants.find((variant) => variant.name === name),
    componentNames: () => [...new Set(variants.flatMap(({ components }) => components.map(({ name }) => name)))].sort(),
  };
}

function toComponent(name: string, { path, install }: RawComponent): Component {
  if (!install) return { name, path };
  const { privileged = false, dependsOn = [] } = install;
  return { name, path, install: { ...install, privileged, dependsOn } };
}

/** Names come from an untrusted repository: `constructor` is not a package. */
function own(map: object, name: string): boolean {
  return Object.hasOwn(map, name);
}

export { nearest } from './nearest.js';
