/** What a release of Cozystack consists of (`catalog.json`, generated): its PackageSources and what the platform emits. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../core/defined.js';
import { groupBy } from '../core/group.js';
import type { Json, JsonObject, RenderedObject } from '../core/model.js';
import { isObject } from '../core/object.js';
import { BoundedMap, once, oncePer, remembering } from '../core/once.js';
import { nearestOf } from '../core/suggest.js';
import {
  type Condition,
  covers,
  isInRelease,
  loadOwnership,
  type Ownership,
  platformName,
  type ValueRow,
} from './ownership.js';
import { isPackage, isPackageSource } from './package.js';
import { type Data, dataOfRelease, releases } from './releases.js';

export { platformName };

export type Component = {
  name: string;
  /** The chart, below `packages/`. */
  path: string;
  /** Absent: the component makes no HelmRelease, so values set for it go nowhere. */
  install?: { namespace: string; releaseName: string; privileged: boolean; dependsOn: readonly string[] };
};
export type Variant = { name: string; dependsOn: readonly string[]; components: readonly Component[] };
type CatalogSource = {
  name: string;
  variants: readonly Variant[];
  variant(name: string): Variant | undefined;
  /** The components of all variants, sorted. */
  componentNames(): readonly string[];
};

/** A Package as the platform chart writes it; `components` where the chart sets values itself. */
type EmittedPackage = { variant: string; components?: { [component: string]: { values: JsonObject } } };
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

/**
 * Whether the platform chart emits a Package in a variant of the platform: `always`; `optional`, if its name (or one that
 * brings it) is in `bundles.enabledPackages`; with a platform value switched; `never`; `unknown`, if there is no such
 * PackageSource or no such variant. The platform's own Package is there whenever the platform is: `always`.
 */
export type Emission = 'always' | 'optional' | { switch: string } | 'never' | 'unknown';

/** The platform value that a switch is about: `value` is JSON, `text` is how a person writes both. */
export function settingOf(emission: { switch: string }): { path: string[]; value: string; text: string } {
  const [change = ''] = emission.switch.split(',');
  const [path = '', value = ''] = change.split('=');
  return { path: path.split('.'), value, text: `${path}: ${value}` };
}

/** A value that the platform chart sets on a Package. One path has several where the chart sets it to different values. */
export type OwnedValue = {
  component: string;
  /** Below `spec.components.<component>.values`. */
  path: readonly string[];
  /** A list is one value, replaced whole; in a map that is passed on, every key is the chart's. */
  shape: 'scalar' | 'list' | 'map';
  /** What the chart sets while the platform values are left alone; absent where they alone decide. */
  value?: Json;
  when: 'always' | Condition;
  /** The platform value to set instead, below `spec.components.platform.values` of the platform's Package. */
  knob?: string;
  /** Whether that counts at the installation only. */
  atInstall?: true;
  why?: string;
  /** Why the value reaches nothing. */
  dead?: string;
};

/** `map`: anything may stand in it; `any`: a template reads it, but nothing declares it. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'map' | 'any';

export type Catalog = {
  source(name: string): CatalogSource | undefined;
  /** The names of all PackageSources of the release, sorted. */
  names(): string[];
  /** The PackageSource that a misspelt name means (`core/suggest.ts`). */
  nearest(name: string): string | undefined;
  /** The same, or one that `namePrefix` or `nameSuffix` has changed into that name. */
  meant(name: string): string | undefined;
  /** The releases, oldest first and this one included, that have a PackageSource of that name. */
  releasesWith(name: string): string[];
  /** Whether any known release has the component in any variant of that PackageSource. */
  knowsComponent(source: string, component: string): boolean;
  /** The first PackageSource, by name, that has a component of that name. */
  sourceWithComponent(component: string): string | undefined;
  /** Whether the Package is the platform's own, or one that its chart emits under some variant or switch. */
  isManaged(name: string): boolean;
  platformVariant(name: string): PlatformVariant | undefined;
  /** The names of the platform's variants that have Packages: `default` leaves all to its administrator. */
  variantsWithPackages(): string[];
  emitted(name: string, platformVariant: string): Emission;
  /** The names in `bundles.enabledPackages` that make the platform chart emit an optional Package, sorted. */
  enabledBy(name: string, platformVariant: string): string[];
  /** The values that the platform chart itself sets on a Package in a variant of the platform. */
  ownedValues(name: string, options: { variant: string }): OwnedValue[];
  /** What `spec.components.platform.values` of the platform's Package understands, by path (`publishing.host`). */
  platformValues: { readonly [path: string]: ValueType };
  /** The releases, oldest first, whose platform chart has that value or values below it. */
  releasesWithValue(path: string): string[];
};

/** A manifest of an object that others write too leaves out what is theirs, so nothing is missing from it. */
export function isWrittenInPart(object: RenderedObject, { source }: Pick<Catalog, 'source'>): boolean {
  return isPackage(object) || (isPackageSource(object) && source(object.ref.name) !== undefined);
}

/** By the data, which nobody changes, and what is asked of it. */
const valuesByName = new BoundedMap<string, OwnedValue[]>();

/** `data` is the directory `schemas/` of this package, or several alike. Throws if there is no data for the release. */
export function loadCatalog(data: Data, release: string): Catalog {
  const { sources, platform } = read(data, release);
  const all = once(() => releases(data).map((release) => ({ ...read(data, release), release })));
  const find = (name: string) => (own(sources, name) ? toSource(name, sources[name] as RawSource) : undefined);
  const names = Object.keys(sources).sort();
  const byComponent = once(() => {
    const pairs = names.flatMap((name) => (find(name)?.componentNames() ?? []).map((one) => [one, name] as const));
    // Of two the first by name.
    return new Map(pairs.reverse());
  });
  const ownership = once(() => loadOwnership(data));
  const never = new Set(platform.never);
  const variantOf = (name: string) => (own(platform.variants, name) ? platform.variants[name] : undefined);
  return {
    source: find,
    names: () => [...names],
    nearest: nearestIn(sources),
    meant: meantIn(sources),
    releasesWith: (name) => all().flatMap(({ release, sources }) => (own(sources, name) ? [release] : [])),
    knowsComponent: (source, component) =>
      all().some(({ sources }) => {
        const raw = own(sources, source) ? sources[source] : undefined;
        return raw !== undefined && toSource(source, raw).componentNames().includes(component);
      }),
    sourceWithComponent: (component) => byComponent().get(component),
    isManaged: (name) => own(sources, name) && !never.has(name),
    platformValues: platform.values,
    releasesWithValue: (path) => {
      const has = ({ platform }: RawCatalog) =>
        Object.keys(platform.values).some((one) => one === path || one.startsWith(`${path}.`));
      return all().flatMap((one) => (has(one) ? [one.release] : []));
    },
    platformVariant: variantOf,
    variantsWithPackages: () =>
      Object.entries(platform.variants).flatMap(([name, { packages }]) =>
        Object.keys(packages).length > 0 ? [name] : [],
      ),
    emitted: (name, variant) => (own(sources, name) ? emission(name, variantOf(variant)) : 'unknown'),
    enabledBy: (name, variant) => bringing(variantOf(variant)?.optional ?? {}, name),
    ownedValues: (name, { variant }) => {
      const emitted = variantOf(variant);
      if (!emitted || !(emittedIn(emitted).has(name) || byPackage(ownership()).has(name))) return [];
      const key = JSON.stringify([data, release, name, variant]);
      const known =
        valuesByName.get(key) ??
        ownedValues(name, emitted, rowsOf(ownership(), name, variant, release), platform.values);
      valuesByName.set(key, known);
      return known;
    },
  };
}

function emission(name: string, variant: PlatformVariant | undefined): Emission {
  if (!variant) return 'unknown';
  if (name === platformName || own(variant.packages, name)) return 'always';
  if (bringing(variant.optional, name).length > 0) return 'optional';
  const [change] = bringing(variant.switches, name);
  return change === undefined ? 'never' : { switch: change };
}

/** The changes that a Package comes with. */
function bringing(changes: { [change: string]: Emitted }, name: string): string[] {
  return Object.keys(changes)
    .filter((change) => changes[change] && own(changes[change], name) && changes[change][name] !== null)
    .sort();
}

const byPackage = oncePer(({ values }: Ownership) => groupBy(values, (row) => row.package));

/** The Packages that the platform chart writes in a variant, whatever is switched. */
const emittedIn = oncePer(({ packages, optional, switches }: PlatformVariant): ReadonlySet<string> => {
  const all = [packages, ...Object.values(optional), ...Object.values(switches)];
  return new Set(all.flatMap((emitted) => Object.keys(emitted)));
});

/** The rows of the ownership table for one Package in one variant of the platform; the bundles of `default` are off, not others. */
function rowsOf(ownership: Ownership, name: string, variant: string, release: string): ValueRow[] {
  return (byPackage(ownership).get(name) ?? []).filter(
    (row) =>
      row.variants.includes(variant === 'default' ? 'isp-full' : variant) && isInRelease(release, row.since, row.until),
  );
}

/** What was rendered first, then what the table adds: values that are set only once a platform value is. */
function ownedValues(
  name: string,
  variant: PlatformVariant,
  rows: ValueRow[],
  types: Catalog['platformValues'],
): OwnedValue[] {
  const found: OwnedValue[] = [];
  for (const rendered of renderedValues(name, variant)) {
    const { component, path, value } = rendered;
    if (found.some((other) => isSame(other, rendered) && isDeepStrictEqual(other.value, value))) continue;
    const row = rows.find((row) => row.component === component && row.paths.some((pattern) => covers(pattern, path)));
    found.push({ ...rendered, ...(row && noteOf(row, path)) });
  }
  const emitted = emissionCondition(emission(name, variant));
  for (const tabled of emitted ? rows.flatMap((row) => unseenValues(row, emitted, types)) : []) {
    if (!found.some((other) => isSame(other, tabled))) found.push(tabled);
  }
  return found;
}

/** Every value that the chart was seen to set, with the change that it was seen under. */
function renderedValues(name: string, { packages, optional, switches }: PlatformVariant): OwnedValue[] {
  const changes: { when: OwnedValue['when']; emitted: Emitted }[] = [
    { when: 'always', emitted: packages },
    ...Object.entries(optional).map(([listed, emitted]) => ({ when: { package: listed }, emitted })),
    ...Object.entries(switches).map(([change, emitted]) => ({ when: conditionOf(change), emitted })),
  ];
  return changes.flatMap(({ when, emitted }) => {
    const components = own(emitted, name) ? emitted[name]?.components : undefined;
    return Object.entries(components ?? {}).flatMap(([component, { values }]) =>
      leaves(values).map(([path, value]) => ({ component, path, shape: shapeOf(value), value, when })),
    );
  });
}

/**
 * The values of a row that no rendering shows, as the generator turns one switch at a time and sets no other value; none if the
 * release does not have the platform value that brings them. `emitted` is the condition that the Package is there on.
 */
function unseenValues(row: ValueRow, emitted: Condition, types: Catalog['platformValues']): OwnedValue[] {
  const { when, component } = row;
  if (when === 'always' || (when.set === undefined && (!when.switch || !when.package))) return [];
  const decisive = when.set ?? when.switch?.split('=')[0] ?? '';
  if (!Object.keys(types).some((known) => known === decisive || known.startsWith(`${decisive}.`))) return [];
  return row.paths.map((pattern) => {
    const open = pattern.at(-1) === '**';
    const note = noteOf(row, pattern);
    const isList = note.knob !== undefined && types[note.knob] === 'list';
    const path = open ? pattern.slice(0, -1) : pattern;
    return { component, path, shape: open ? 'map' : isList ? 'list' : 'scalar', when: both(emitted, when), ...note };
  });
}

function isSame(a: Pick<OwnedValue, 'component' | 'path'>, b: Pick<OwnedValue, 'component' | 'path'>): boolean {
  return a.component === b.component && isDeepStrictEqual(a.path, b.path);
}

function noteOf({ paths, knob, atInstall, why, dead }: ValueRow, path: readonly string[]): Partial<OwnedValue> {
  const index = paths.findIndex((pattern) => isDeepStrictEqual(pattern, path) || covers(pattern, path));
  const own = Array.isArray(knob) ? knob[index] : knob;
  return { why, ...defined({ knob: own, atInstall, dead }) };
}

/** The ways to the ends of nested maps; a list is an end. */
function leaves(values: JsonObject, path: string[] = []): [path: string[], value: Json][] {
  return Object.entries(values).flatMap(([key, value]) =>
    isObject(value) && Object.keys(value).length > 0
      ? leaves(value, [...path, key])
      : [[[...path, key], value] as [string[], Json]],
  );
}

function shapeOf(value: Json): OwnedValue['shape'] {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'map' : 'scalar';
}

/** `a.b="x",bundles.enabledPackages=[…,"y"]` is how the generator notes a switch that needs an optional Package. */
function conditionOf(change: string): Condition {
  const [name = change, listed] = change.split(',bundles.enabledPackages=');
  const added = listed === undefined ? undefined : (JSON.parse(listed) as string[]).at(-1);
  return { switch: name, ...defined({ package: added }) };
}

function both(a: Condition, b: Condition): Condition {
  const changes = [a.switch, b.switch].filter((change) => change !== undefined);
  return { ...a, ...b, ...(changes.length > 0 && { switch: changes.join(',') }) };
}

/** What must hold for the Package to be there; undefined if it never is. */
function emissionCondition(emission: Emission): Condition | undefined {
  if (emission === 'never' || emission === 'unknown') return undefined;
  return typeof emission === 'object' ? conditionOf(emission.switch) : {};
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

function read(data: Data, release: string): RawCatalog {
  const file = join(dataOfRelease(data, release).directory, 'cozystack', release, 'catalog.json');
  let catalog = catalogs.get(file);
  if (!catalog) {
    catalog = JSON.parse(readFileSync(file, 'utf8')) as RawCatalog;
    catalogs.set(file, catalog);
  }
  return catalog;
}

/** By catalog, not by run: `check --watch` asks for the same names in each round. */
const nearestIn = oncePer((sources: RawCatalog['sources']) => nearestOf(Object.keys(sources)));

/** With those that `namePrefix` or `nameSuffix` has changed. */
const meantIn = oncePer((sources: RawCatalog['sources']) => {
  const [near, names] = [nearestIn(sources), Object.keys(sources).sort()];
  const isPart = (name: string) => (known: string) => name.endsWith(known) || name.startsWith(known);
  const answers = remembering((name: string) => ({ meant: near(name) ?? names.findLast(isPart(name)) }));
  return (name: string) => answers(name).meant;
});

const made = new WeakMap<RawSource, CatalogSource>();

function toSource(name: string, raw: RawSource): CatalogSource {
  const source = made.get(raw) ?? newSource(name, raw);
  made.set(raw, source);
  return source;
}

function newSource(name: string, raw: RawSource): CatalogSource {
  const variants = Object.entries(raw.variants).map(([name, { dependsOn = [], components }]) => ({
    name,
    dependsOn,
    components: Object.entries(components).map(([name, component]) => toComponent(name, component)),
  }));
  return {
    name,
    variants,
    variant: (name) => variants.find((variant) => variant.name === name),
    componentNames: once(() =>
      [...new Set(variants.flatMap(({ components }) => components.map(({ name }) => name)))].sort(),
    ),
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
