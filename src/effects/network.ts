/** Network policies that let more in, or out, than before. */

import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Json } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import type { Applied } from '../flux/applied.js';
import { type Change, groupKind } from './change.js';

const policies = new Set([
  'networking.k8s.io/NetworkPolicy',
  'cilium.io/CiliumNetworkPolicy',
  'cilium.io/CiliumClusterwideNetworkPolicy',
  'policy.networking.k8s.io/AdminNetworkPolicy',
  'policy.networking.k8s.io/BaselineAdminNetworkPolicy',
  'crd.projectcalico.org/NetworkPolicy',
  'crd.projectcalico.org/GlobalNetworkPolicy',
]);

export function isNetworkPolicy({ ref }: Pick<Applied, 'ref'>): boolean {
  return policies.has(groupKind(ref));
}

const rules = ['ingress', 'egress'];

/** Kinds whose rules only ever let something through; in the others a rule may deny, so that one more or one less may open. */
const allowing = new Set([
  'networking.k8s.io/NetworkPolicy',
  'cilium.io/CiliumNetworkPolicy',
  'cilium.io/CiliumClusterwideNetworkPolicy',
]);

/**
 * The field by which a policy lets more through. A new one does if it is for all namespaces, may overrule others, or comes to another
 * that isolates pods of its namespace already, as policies add up. A changed one does unless it only has fewer rules, or denies more.
 */
export function opensBy({ object, before }: Change, base: readonly Applied[]): FieldPath | undefined {
  if (!before) {
    const list = rules.find((name) => isFilled(lookUp(object.value, ['spec', name])));
    return list && addsUp(object, base) ? ['spec', list] : undefined;
  }
  const [was, is] = [before.value.spec ?? {}, object.value.spec ?? {}];
  const fields = new Set([...Object.keys(was as object), ...Object.keys(is as object)]);
  for (const field of fields) {
    const [old, now] = [lookUp(was, [field]), lookUp(is, [field])];
    if (!isDeepStrictEqual(old, now) && !isNarrower(groupKind(object.ref), field, old, now)) return ['spec', field];
  }
  return restrictsEgress(was) && !restrictsEgress(is) ? ['spec'] : undefined;
}

/** Namespaces that a policy is in; undefined if one is for all. */
const isolatedNamespaces = oncePer(
  (objects: readonly Applied[]): ReadonlySet<string | undefined> =>
    new Set(objects.filter(isNetworkPolicy).map(({ ref }) => ref.namespace)),
);

function addsUp({ ref }: Applied, base: readonly Applied[]): boolean {
  const { namespace } = ref;
  if (namespace === undefined || !allowing.has(groupKind(ref))) return true;
  const isolated = isolatedNamespaces(base);
  return isolated.has(namespace) || isolated.has(undefined);
}

/** Without `policyTypes` a policy restricts what goes out only if it has rules for it (networking.k8s.io/v1, NetworkPolicySpec). */
function restrictsEgress(spec: Json): boolean {
  const types = lookUp(spec, ['policyTypes']);
  return Array.isArray(types) ? types.includes('Egress') : isFilled(lookUp(spec, ['egress']));
}

function isFilled(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isNarrower(kind: string, field: string, old: Json | undefined, now: Json | undefined): boolean {
  if (!allowing.has(kind)) return false;
  if (field === 'policyTypes' || /Deny$/.test(field)) return isPartOf(old ?? [], now ?? []);
  if (!rules.includes(field) || !isPartOf(now ?? [], old ?? [])) return false;
  // Cilium isolates a pod only if a policy for it has a rule (docs.cilium.io, Layer 3 Examples: Ingress/Egress Default Deny).
  return kind === 'networking.k8s.io/NetworkPolicy' || isFilled(now);
}

function isPartOf(part: Json, whole: Json): boolean {
  if (!Array.isArray(part) || !Array.isArray(whole)) return false;
  return part.every((item) => whole.some((other) => isDeepStrictEqual(item, other)));
}
