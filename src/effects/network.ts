/** Network policies that let more in, or out, than before. */

import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Json } from '../core/model.js';
import { lookUp } from '../core/object.js';
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

/**
 * The field by which a policy lets more through. A new one does if another of the same namespace isolates pods already, as policies
 * add up. A changed one does unless it only has fewer rules, or denies more.
 */
export function opensBy({ object, before }: Change, base: readonly Applied[]): FieldPath | undefined {
  if (!before) {
    const others = base.some((one) => isNetworkPolicy(one) && one.ref.namespace === object.ref.namespace);
    const list = rules.find((name) => isFilled(lookUp(object.value, ['spec', name])));
    return others && list ? ['spec', list] : undefined;
  }
  const [was, is] = [before.value.spec ?? {}, object.value.spec ?? {}];
  const fields = new Set([...Object.keys(was as object), ...Object.keys(is as object)]);
  for (const field of fields) {
    const [old, now] = [lookUp(was, [field]), lookUp(is, [field])];
    if (!isDeepStrictEqual(old, now) && !isNarrower(field, old, now)) return ['spec', field];
  }
  return restrictsEgress(was) && !restrictsEgress(is) ? ['spec'] : undefined;
}

/** Without `policyTypes` a policy restricts what goes out only if it has rules for it (networking.k8s.io/v1, NetworkPolicySpec). */
function restrictsEgress(spec: Json): boolean {
  const types = lookUp(spec, ['policyTypes']);
  return Array.isArray(types) ? types.includes('Egress') : isFilled(lookUp(spec, ['egress']));
}

function isFilled(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isNarrower(field: string, old: Json | undefined, now: Json | undefined): boolean {
  if (field === 'policyTypes' || /Deny$/.test(field)) return isPartOf(old ?? [], now ?? []);
  // Without a list of rules nothing is let through; `ingress` and `egress` decide, not which of the two is there.
  return rules.includes(field) && isPartOf(now ?? [], old ?? []);
}

function isPartOf(part: Json, whole: Json): boolean {
  if (!Array.isArray(part) || !Array.isArray(whole)) return false;
  return part.every((item) => whole.some((other) => isDeepStrictEqual(item, other)));
}
