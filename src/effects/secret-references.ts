/** Secrets that objects read. */

import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
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

/** The keys of a Secret that a reference takes; undefined if it takes all of them. */
export function keysRead(value: JsonObject, path: FieldPath): string[] | undefined {
  const reference = lookUp(value, path.slice(0, -1));
  const key = getString(reference ?? null, ['key']);
  const items = reference === undefined ? undefined : lookUp(reference, ['items']);
  if (key !== undefined) return [key];
  return Array.isArray(items) ? items.map((item) => getString(item, ['key']) ?? '') : undefined;
}

/** Every Secret that one of the objects makes, by namespace and name: the keys that it then has for certain. */
export const secretsMadeBy = oncePer(
  (objects: readonly Applied[]): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(
      objects.flatMap(({ ref, value }) => {
        const made = secretMade(ref.kind, ref.name, value);
        return made ? [[`${ref.namespace ?? ''}/${made.name}`, new Set(made.keys)] as const] : [];
      }),
    ),
);

function secretMade(kind: string, name: string, value: JsonObject): { name: string; keys: string[] } | undefined {
  if (kind === 'Secret' && !isLeftAsItIs(value)) return { name, keys: keysIn(value.data, value.stringData) };
  if (kind === 'SealedSecret') return { name, keys: keysIn(lookUp(value, ['spec', 'encryptedData'])) };
  const certificate = kind === 'Certificate' ? getString(value, ['spec', 'secretName']) : undefined;
  return certificate ? { name: certificate, keys: ['tls.crt', 'tls.key', 'ca.crt'] } : undefined;
}

/** True if Flux leaves what the cluster has of it. */
function isLeftAsItIs({ metadata }: JsonObject): boolean {
  return ['annotations', 'labels'].some((map) => {
    const policy = getString(metadata ?? null, [map, 'kustomize.toolkit.fluxcd.io/ssa']);
    return policy !== undefined && !/^override$/i.test(policy);
  });
}

function keysIn(...maps: (Json | undefined)[]): string[] {
  return maps.flatMap((map) => (isObject(map) ? Object.keys(map) : []));
}
