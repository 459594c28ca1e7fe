/** The objects that the customizer itself consists of, and those that all of the platform comes from. */

import type { Json } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { platformName } from './catalog.js';
import { platformValuePath } from './package.js';

/** Package and PackageSource of the customizer; in no release so far, but documented. */
export const customizerName = 'cozystack.customizer';

/** PackageSources and Packages with this prefix are the platform's. */
export const reservedPrefix = 'cozystack.';

export const customizer = {
  namespace: 'cozy-system',
  /** By kind: what applies this repository, where it comes from, and as whom. */
  objects: {
    Kustomization: ['cozystack-customizer'],
    GitRepository: ['cozystack-customizer', 'cozystack-customizer-config'],
    ServiceAccount: ['cozystack-customizer'],
  } as { readonly [kind: string]: readonly string[] },
  /** Where it is switched on, in the Package of the platform. */
  enabled: platformValuePath('customizer.enabled'),
  platform: platformName,
};

/** Whether a source is that of the customizer, which fetches this repository. */
export function isCustomizersSource({
  kind,
  namespace,
  name,
}: {
  kind: string;
  namespace: string;
  name: string;
}): boolean {
  return namespace === customizer.namespace && (customizer.objects[kind] ?? []).includes(name);
}

/** The label by which the platform's policy `cozystack-no-delete-guardrail` keeps an object from being deleted, whoever asks. */
export const deletionGuard = 'platform.cozystack.io/no-delete';

export function isGuarded(object: Json): boolean {
  return lookUp(object, ['metadata', 'labels', deletionGuard]) === 'true';
}

/** The sources of all charts of the platform. */
export const platformSources = { namespace: 'cozy-system', names: ['cozystack-packages', 'cozystack-platform'] };
