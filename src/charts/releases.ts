/** The HelmReleases that Cozystack's operator writes for a Package: which chart, under which name, with which values. */
import { defined } from '../core/defined.js';
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { trimEnd } from '../core/text.js';
import type { ChartPlace, ChartRelease } from './renderer.js';
import type { ChartStore } from './store.js';

export type ComponentRelease = ChartRelease & {
  package: string;
  component: string;
  variant: string;
};

/** What an object of the repository decides of: a component of a Package, or a HelmRelease, by its `namespace/name`. */
export type ReleaseOfRepository = ComponentRelease | (ChartRelease & { helmRelease: string });

/** As programs are told of it: `release` is the HelmRelease, as `namespace/name`. */
export function releaseData(release: ReleaseOfRepository): { package?: string; component?: string; release: string } {
  if ('helmRelease' in release) return { release: release.helmRelease };
  const { package: name, component } = release;
  return { package: name, component, release: `${release.namespace}/${release.name}` };
}

/** As messages name it. */
export function releaseLabel(release: ReleaseOfRepository): string {
  if ('helmRelease' in release) return `HelmRelease "${release.helmRelease}"`;
  return `Package "${release.package}", component "${release.component}"`;
}

/** Where its values stand in that object. */
export function valuesPath(release: ReleaseOfRepository): FieldPath {
  return 'helmRelease' in release ? ['spec', 'values'] : ['spec', 'components', release.component, 'values'];
}

/** Where the charts of a PackageSource are, if not in the release: a store, and a folder of it. */
export type ChartHome = { store?: ChartStore; folder?: string };

const skipAnnotation = 'operator.cozystack.io/skip-cozystack-values';

/**
 * Those of a Package with its PackageSource; a component that is switched off, or that has no `install`, makes none. `clusterValues` are
 * those of Secret `cozystack-values`, under which the values of the Package lie. An empty variant is `default`.
 */
export function releasesOf(
  {
    package: name,
    value,
    source,
    home = {},
  }: { package: string; value: JsonObject; source: JsonObject; home?: ChartHome },
  clusterValues: JsonObject,
): ComponentRelease[] {
  const variant = getString(value, ['spec', 'variant']) || 'default';
  const found = list(source, ['spec', 'variants']).find((one) => getString(one, ['name']) === variant);
  if (!found) return [];
  const libraries = librariesOf(found);
  const skips = getString(source, ['metadata', 'annotations', skipAnnotation]) === 'true';
  return list(found, ['components']).flatMap((component) => {
    const install = lookUp(component, ['install']);
    const own = getString(component, ['name']) ?? '';
    const said = lookUp(value, ['spec', 'components', own]);
    if (!isObject(install) || lookUp(said ?? {}, ['enabled']) === false) return [];
    const values = lookUp(said ?? {}, ['values']);
    return {
      package: name,
      component: own,
      variant,
      name: getString(install, ['releaseName']) || own,
      namespace: getString(install, ['namespace']) ?? '',
      chart: chartOf(component, libraries, home),
      values: merged(skips ? {} : clusterValues, isObject(values) ? values : {}),
    };
  });
}

function within(folder: string, path: string): string {
  return [folder, trimEnd(path, '/').replace(/^\/+/, '')].filter((one) => one !== '').join('/');
}

/** The field of a PackageSource that says where the chart of a component is. */
export function componentPath(source: JsonObject, { component, variant }: ComponentRelease): FieldPath {
  const variants = lookUp(source, ['spec', 'variants']);
  const one = Array.isArray(variants) ? variants.findIndex((item) => getString(item, ['name']) === variant) : -1;
  const components = lookUp(source, ['spec', 'variants', one, 'components']);
  const own = Array.isArray(components) ? components.findIndex((item) => getString(item, ['name']) === component) : -1;
  return ['spec', 'variants', one, 'components', own, 'path'];
}

/** By name, which is the last part of the path where there is none. */
function librariesOf(variant: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    list(variant, ['libraries']).map((library) => {
      const path = getString(library, ['path']) ?? '';
      return [getString(library, ['name']) || (path.split('/').at(-1) ?? ''), path];
    }),
  );
}

function chartOf(
  component: JsonObject,
  libraries: ReadonlyMap<string, string>,
  { store, folder = '' }: ChartHome,
): ChartPlace {
  const names = texts(component, ['libraries']);
  return {
    ...defined({ store }),
    path: within(folder, getString(component, ['path']) ?? ''),
    // One that the variant does not list is passed over.
    libraries: names.flatMap((name) => {
      const path = libraries.get(name);
      return path ? [{ name, path: within(folder, path) }] : [];
    }),
    valuesFiles: texts(component, ['valuesFiles']),
  };
}

function list(value: Json, path: string[]): JsonObject[] {
  const found = lookUp(value, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

function texts(value: Json, path: string[]): string[] {
  const found = lookUp(value, path);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

/** As helm-controller does: maps by key, anything else is replaced, and a null stays one, which takes the chart's default away. */
export function merged(base: JsonObject, over: JsonObject): JsonObject {
  const out: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = Object.hasOwn(out, key) ? out[key] : undefined;
    const both = isObject(before) && isObject(value) ? merged(before, value) : value;
    Object.defineProperty(out, key, { value: both, enumerable: true, configurable: true, writable: true });
  }
  return out;
}
