/**
 * What Flux reads from the objects that it applies, and in which order it applies them (FACTS.md, Stages and Settings).
 *
 * A setting is an annotation or a label, of the object itself: on the Flux Kustomization it says nothing of what that applies.
 */

import { settingPrefix } from '../core/flux-api.js';
import type { FieldPath, Json, ObjectRef } from '../core/model.js';
import { getString, isObject } from '../core/object.js';

/** Every setting with the values that mean something; their case does not matter. */
export const settings = {
  /** How it is applied; Merge leaves the fields alone that others have set with kubectl. */
  ssa: ['Override', 'Merge', 'IfNotPresent', 'Ignore'],
  /** Deleted and made anew where the API server refuses a change of it. */
  force: ['enabled'],
  /** Left in the cluster when the repository no longer has it. */
  prune: ['disabled'],
  /** Neither applied nor pruned. */
  reconcile: ['disabled'],
  substitute: ['disabled'],
  decrypt: ['disabled'],
} as const;

export type Setting = keyof typeof settings;

const places = ['annotations', 'labels'] as const;

/** Where the setting stands in an object, and what it says: the annotation first, then the label. */
export function settingIn(object: Json, setting: Setting): { path: FieldPath; value: string }[] {
  return places.flatMap((place) => {
    const path = ['metadata', place, settingPrefix + setting];
    const value = getString(object, path);
    return value === undefined ? [] : [{ path, value }];
  });
}

/** Whether the annotation or the label says so. */
export function isSetTo<S extends Setting>(object: Json, setting: S, wanted: (typeof settings)[S][number]): boolean {
  // Asked for with every object, and most have neither.
  const metadata = isObject(object) ? object.metadata : undefined;
  return isObject(metadata) && places.some((place) => says(metadata[place], settingPrefix + setting, wanted));
}

function says(map: Json | undefined, key: string, wanted: string): boolean {
  if (!isObject(map) || !Object.hasOwn(map, key)) return false;
  const value = map[key];
  return typeof value === 'string' && value.toLowerCase() === wanted.toLowerCase();
}

/**
 * Flux applies in stages, each as a whole or not at all: what others need first, then kinds named `…Class`, then the rest.
 * Where one fails, nothing of it and of the later ones is applied.
 */
export function stageOf({ kind }: Pick<ObjectRef, 'kind'>): 1 | 2 | 3 {
  if (['CustomResourceDefinition', 'Namespace', 'ClusterRole'].includes(kind)) return 1;
  return kind.endsWith('Class') ? 2 : 3;
}

/** The labels that Flux puts on all that it applies say nothing of the change. */
export function isOfFlux(path: FieldPath): boolean {
  const [top, map, key] = path;
  return top === 'metadata' && map === 'labels' && /^kustomize\.toolkit\.fluxcd\.io\/name(?:space)?$/.test(String(key));
}
