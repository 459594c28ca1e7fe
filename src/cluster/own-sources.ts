/** The PackageSources that the repository itself brings, beside those of the platform. */

import type { FieldPath, Json, RenderedObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { trimEnd } from '../core/text.js';
import type { Contract } from '../cozystack/contract.js';
import { customizerName } from '../cozystack/customizer.js';
import { isPackageSource } from '../cozystack/package.js';
import type { Applied } from '../flux/applied.js';

export type OwnSource = { object: RenderedObject; name: string; variants: OwnVariant[] };
export type OwnVariant = {
  name: string;
  path: FieldPath;
  /** The Packages that its Package waits for. */
  dependsOn: Entry[];
  /** Every name that a component may call a library by. */
  libraries: ReadonlySet<string>;
  components: OwnComponent[];
};
export type OwnComponent = {
  name: string;
  path: FieldPath;
  /** Where its chart is, below the path of the source. */
  chart: string | undefined;
  libraries: Entry[];
  /** Absent: it makes no HelmRelease. */
  install?: { namespace?: string; releaseName: string; privileged: boolean; dependsOn: Entry[] };
};
/** An item of a list of names. */
export type Entry = { name: string; path: FieldPath };

/** A PackageSource of the platform that is edited here is no source of one's own. */
export function ownSources(objects: readonly Applied[], { catalog }: Contract): OwnSource[] {
  return objects
    .filter(isPackageSource)
    .filter((object) => !catalog.source(object.ref.name) && object.ref.name !== customizerName)
    .map((object) => ({ object, name: object.ref.name, variants: variantsOf(object.value) }));
}

/** What has another shape than the schema asks for is left out: that is `schema-violation`. */
function variantsOf(source: Json): OwnVariant[] {
  return items(source, ['spec', 'variants']).map((path) => ({
    name: getString(source, [...path, 'name']) ?? '',
    path,
    dependsOn: entries(source, [...path, 'dependsOn']),
    libraries: new Set(
      items(source, [...path, 'libraries']).flatMap((library) => {
        const [name, folder] = [getString(source, [...library, 'name']), getString(source, [...library, 'path'])];
        return [name ?? [], folder === undefined ? [] : (trimEnd(folder, '/').split('/').at(-1) ?? [])].flat();
      }),
    ),
    components: items(source, [...path, 'components']).map((component) => componentAt(source, component)),
  }));
}

function componentAt(source: Json, path: FieldPath): OwnComponent {
  const name = getString(source, [...path, 'name']) ?? '';
  const install = lookUp(source, [...path, 'install']);
  const namespace = isObject(install) ? getString(install, ['namespace']) : undefined;
  return {
    name,
    path,
    chart: getString(source, [...path, 'path']),
    libraries: entries(source, [...path, 'libraries']),
    ...(isObject(install) && {
      install: {
        ...(namespace && { namespace }),
        releaseName: getString(install, ['releaseName']) || name,
        privileged: install.privileged === true,
        dependsOn: entries(source, [...path, 'install', 'dependsOn']),
      },
    }),
  };
}

function items(value: Json, path: FieldPath): FieldPath[] {
  const list = lookUp(value, path);
  return Array.isArray(list) ? list.flatMap((item, index) => (isObject(item) ? [[...path, index]] : [])) : [];
}

function entries(value: Json, path: FieldPath): Entry[] {
  const list = lookUp(value, path);
  return Array.isArray(list)
    ? list.flatMap((name, index) => (typeof name === 'string' ? [{ name, path: [...path, index] }] : []))
    : [];
}
