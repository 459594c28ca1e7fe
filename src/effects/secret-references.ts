/** Secrets that objects read. */

import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject } from '../core/object.js';
import { oncePer } from '../core/once.js';
import type { Applied } from '../flux/applied.js';
import { groupKind, nodesIn } from './change.js';

export type SecretReference = { path: FieldPath; name: string };

/** Kinds whose reference to a Secret gives nothing of it away: they write it, or serve it as a certificate. */
const others = new Set([
  'cert-manager.io/Certificate',
  'networking.k8s.io/Ingress',
  'gateway.networking.k8s.io/Gateway',
]);

/** References by a key that has the word secret (`secretName`, `secretKeyRef`, `imagePullSecrets`), or by `kind: Secret`. */
export function secretReferencesIn({ ref, value }: Pick<Applied, 'ref' | 'value'>): SecretReference[] {
  if (ref.kind === 'Secret' || others.has(groupKind(ref))) return [];
  const found: SecretReference[] = [];
  for (const { path, value: node } of nodesIn(value)) {
    if (!isObject(node) || path[0] === 'metadata') continue;
    if (path.length > 0 && node.kind === 'Secret' && typeof node.name === 'string')
      found.push({ path: [...path, 'name'], name: node.name });
    for (const [key, child] of Object.entries(node))
      if (/secret/i.test(key)) found.push(...namesBelow(key, child, [...path, key]));
  }
  return found;
}

function namesBelow(key: string, value: Json, path: FieldPath): SecretReference[] {
  if (typeof value === 'string')
    return /secret(?:s|ref|name)?$/i.test(key) && value !== '' ? [{ path, name: value }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => namesBelow(key, item, [...path, index]));
  if (!isObject(value)) return [];
  // A map that is named by `secretName` is found by that key.
  const name = getString(value, ['name']);
  return name && value.kind !== 'Secret' ? [{ path: [...path, 'name'], name }] : [];
}

/** Namespace and name of every Secret that one of the objects makes: itself, or by a controller. */
export const secretsMadeBy = oncePer(
  (objects: readonly Applied[]): ReadonlySet<string> =>
    new Set(
      objects.flatMap(({ ref, value }) =>
        namesMade(ref.kind, ref.name, value).map((name) => `${ref.namespace ?? ''}/${name}`),
      ),
    ),
);

function namesMade(kind: string, name: string, value: JsonObject): string[] {
  if (kind === 'Secret' || kind === 'SealedSecret') return [name];
  if (kind === 'ExternalSecret') return [getString(value, ['spec', 'target', 'name']) ?? name];
  if (kind === 'Certificate') return [getString(value, ['spec', 'secretName']) ?? ''];
  return [];
}
