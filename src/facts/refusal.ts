/** What one object that the API server refuses keeps from being applied. */
import { isSetTo, stageOf } from '../contract/flux.js';
import type { Entrypoint, JsonObject, ObjectRef, RenderedObject } from '../model.js';
import { isObject } from '../object.js';
import type { Permissions } from './permissions.js';

/** Whether Flux asks the API server for it at all. */
export function isApplied({ value }: { value: JsonObject }): boolean {
  return !isSetTo(value, 'reconcile', 'disabled') && !isSetTo(value, 'ssa', 'Ignore');
}

/** Flux decrypts it before it asks, and nobody else can. */
export function isEncrypted({ value }: { value: JsonObject }): boolean {
  return isObject(value.sops);
}

/**
 * Completes "so Flux applies …". Every object of a stage is tried before any of it is applied, and a refusal ends the run:
 * only what comes in an earlier stage is applied.
 */
export function appliedBefore(
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
