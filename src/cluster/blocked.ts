/** What one object that the API server refuses keeps from being applied. */

import type { Entrypoint, ObjectRef, RenderedObject } from '../core/model.js';
import { stageOf } from '../flux/settings.js';
import type { Permissions } from './permissions.js';

/**
 * Completes "so Flux applies …". Every object of a stage is tried before any of it is applied, and a refusal ends the run:
 * only what comes in an earlier stage is applied.
 */
export function describeBlocked(
  refused: ObjectRef,
  { entrypoint, objects }: { entrypoint: Entrypoint; objects: readonly RenderedObject[] },
  permissions: Permissions,
): string {
  const known = said.get(objects) ?? new WeakMap<Permissions, Map<string, string>>();
  const words = known.get(permissions) ?? new Map<string, string>();
  said.set(objects, known);
  known.set(permissions, words);
  const key = JSON.stringify([stageOf(refused), entrypoint.path, entrypoint.account]);
  const word = words.get(key) ?? wordsOf(refused, { entrypoint, objects }, permissions);
  words.set(key, word);
  return word;
}

/** It is the same for all objects of a stage, which may be many. */
const said = new WeakMap<readonly RenderedObject[], WeakMap<Permissions, Map<string, string>>>();

function wordsOf(
  refused: ObjectRef,
  { entrypoint, objects }: { entrypoint: Entrypoint; objects: readonly RenderedObject[] },
  permissions: Permissions,
): string {
  const earlier = objects.map(({ ref }) => ref).filter((ref) => stageOf(ref) < stageOf(refused));
  const noneRefused = earlier.every((ref) => permissions.access(entrypoint, 'patch', ref).allowed !== false);
  const kinds = noneRefused ? [...new Set(earlier.map(({ kind }) => kind))].sort() : [];
  const where = entrypoint.path === '.' ? 'the repository' : `"${entrypoint.path}"`;
  return `nothing of ${where}${kinds.length > 0 ? ` but objects of kind ${kinds.join(' and ')}` : ''}`;
}
