/** The kinds of `cozystack.io`, and where the platform's values stand: in its Package, `spec.components.platform.values`. */
import type { JsonObject, ObjectRef } from '../core/model.js';

export const cozystackGroup = 'cozystack.io';
/** The only version of both kinds so far. */
export const cozystackVersion = `${cozystackGroup}/v1alpha1`;

type Named = { ref: ObjectRef };

/** Of whatever version. */
export function isOfCozystack({ ref }: Named): boolean {
  return ref.apiVersion.startsWith(`${cozystackGroup}/`);
}

export function isPackage(object: Named): boolean {
  return object.ref.kind === 'Package' && isOfCozystack(object);
}

export function isPackageSource(object: Named): boolean {
  return object.ref.kind === 'PackageSource' && isOfCozystack(object);
}

/** Of an object as it is written. */
export function isPackageValue(value: JsonObject): boolean {
  return hasKind(value, 'Package');
}

/** The same of a PackageSource. */
export function isPackageSourceValue(value: JsonObject): boolean {
  return hasKind(value, 'PackageSource');
}

function hasKind({ apiVersion, kind }: JsonObject, wanted: string): boolean {
  return kind === wanted && typeof apiVersion === 'string' && apiVersion.startsWith(`${cozystackGroup}/`);
}

/** Where the values of the platform stand in its Package. */
export const platformValuesPath: readonly string[] = ['spec', 'components', 'platform', 'values'];

/** The same for people. */
export const platformValuesText = platformValuesPath.join('.');

/** Where a value of the platform stands in its Package; `name` is below all of them, as `publishing.host`. */
export function platformValuePath(name: string): string[] {
  return [...platformValuesPath, ...name.split('.')];
}
