/** What a Package is made of: its PackageSource, the repository's own or that of the release, and which variant of it counts. */

import type { Json, RenderedObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import type { Component, Variant } from '../cozystack/catalog.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';
import type { Applied } from '../flux/applied.js';
import { objectsNamed } from '../flux/index-of.js';
import type { Known } from './known.js';
import { chartsVariant } from './platform.js';

export type PackageSource = {
  variants: readonly Variant[];
  /** The manifest, where the repository has it. */
  own?: RenderedObject;
};

/** Undefined where neither the repository nor the release has one. */
export function sourceOf(
  name: string,
  { contract, objects }: Pick<Known, 'contract' | 'objects'>,
): PackageSource | undefined {
  const own = objectsNamed(objects, 'PackageSource', name).find(isPackageSource);
  if (own) return { own, variants: variantsIn(own) };
  const source = contract.catalog.source(name);
  return source && { variants: source.variants };
}

/** Those variants of the source that the Package may be of: the one where that is known, else all. */
export function possibleVariants({ value, ref }: RenderedObject, source: PackageSource, known: Known): Variant[] {
  const written = getString(value, ['spec', 'variant']);
  const seen = known.snapshot && Object.hasOwn(known.snapshot.packages, ref.name) && known.snapshot.packages[ref.name];
  const name = written ?? (seen ? seen.variant : undefined) ?? chartsVariant(ref.name, known);
  return source.variants.filter((variant) => (name ?? variant.name) === variant.name);
}

/** The Packages of the name in the repository. */
export function packagesNamed(name: string, objects: readonly Applied[]): Applied[] {
  return objects.filter((object) => isPackage(object) && object.ref.name === name);
}

function variantsIn({ value }: RenderedObject): Variant[] {
  return maps(lookUp(value, ['spec', 'variants'])).map((variant) => ({
    name: getString(variant, ['name']) ?? '',
    dependsOn: texts(variant.dependsOn),
    components: maps(variant.components).map(toComponent),
  }));
}

function toComponent(component: { [key: string]: Json }): Component {
  const name = getString(component, ['name']) ?? '';
  const path = getString(component, ['path']) ?? '';
  const { install } = component;
  if (!isObject(install)) return { name, path };
  return {
    name,
    path,
    install: {
      namespace: getString(install, ['namespace']) ?? '',
      releaseName: getString(install, ['releaseName']) ?? name,
      privileged: install.privileged === true,
      dependsOn: texts(install.dependsOn),
    },
  };
}

function maps(value: Json | undefined) {
  return (Array.isArray(value) ? value : []).filter(isObject);
}

export function texts(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : []).filter((item) => typeof item === 'string');
}
