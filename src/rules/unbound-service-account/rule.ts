import { rolesIn } from '../../cluster/permissions.js';
import { getString } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { type Account, grantsOf } from '../../cozystack/rbac.js';
import { fluxObjects, labelOf } from '../../flux/flux-objects.js';
import type { Rule, RuleContext } from '../rule.js';

const field = ['spec', 'serviceAccountName'];

const messages = {
  allRefused: (object: string, account: string, why: string) =>
    `${object} is applied as service account "${account}", ${why}, so nothing is applied`,
  notBound: 'to which no role is bound',
  notHere: 'which is not defined here',
  inOtherNamespace: (other: string) => `which is only in namespace "${other}" here`,
  notBoundInCluster: 'which has no role in the cluster or here',
};

export default {
  id: 'unbound-service-account',
  group: 'permissions',
  severity: 'error',
  summary: 'a Flux Kustomization or HelmRelease is applied as a service account that does not exist or has no rights',
  messages,
  check(context) {
    const { entrypoints, tree, report } = context;
    const known = accountsHere(context);
    for (const one of fluxObjects(entrypoints, tree)) {
      const [name, namespace] = [getString(one.value, field), getString(one.value, ['metadata', 'namespace'])];
      if (!name || !namespace || name.includes('${') || isBound({ namespace, name }, context)) continue;
      const words = whatIsWrong({ namespace, name }, known, context);
      if (!words) continue;
      report({
        message: messages.allRefused(labelOf(one), `${namespace}/${name}`, words.message),
        help: words.help,
        at: one.at(field),
        assumes: ['roles'],
        ...(words.meant !== undefined && { remedy: rewritten(one.at(field), words.meant) }),
      });
    }
  },
} satisfies Rule;

/** Nobody makes an account for nothing: without a word about it here, others have bound it. */
function whatIsWrong(
  account: Account,
  known: Account[],
  { known: { snapshot, facts } }: RuleContext,
): { message: string; help: string; meant?: string } | undefined {
  const { namespace, name } = account;
  const isMade = known.some((one) => one.namespace === namespace && one.name === name);
  const bind = `bind a role to it (subjects: kind ServiceAccount, name ${name}, namespace ${namespace})`;
  // Roles that only the configuration names were all looked at; what else is bound is somebody else's to know.
  if (isMade) return facts.get('roles').source === 'config' ? undefined : { message: messages.notBound, help: bind };
  const elsewhere = known.find((one) => one.name === name && one.namespace !== namespace);
  const meant = nearest(
    name,
    known.filter((one) => one.namespace === namespace).map((one) => one.name),
  );
  if (meant !== undefined) return { message: messages.notHere, help: `did you mean "${meant}"?`, meant };
  if (elsewhere)
    return {
      message: messages.inOtherNamespace(elsewhere.namespace),
      help: `create a service account in namespace "${namespace}" and ${bind}`,
    };
  if (snapshot?.roles) return { message: messages.notBoundInCluster, help: bind };
  return undefined;
}

/** By what the repository brings, by the configuration, or by the cluster. */
function isBound(account: Account, context: RuleContext): boolean {
  const {
    applied,
    known: { contract, snapshot, permissions },
  } = context;
  const roles = [...rolesIn(applied), ...(snapshot?.roles ?? [])];
  const { cluster, namespaces, unknown } = grantsOf(contract.rbac, { account, objects: roles });
  if (cluster.length + namespaces.size + unknown.length > 0) return true;
  const entrypoint = { path: '.', why: '', kustomization: {}, account };
  const any = { apiVersion: 'v1', kind: 'ConfigMap', namespace: account.namespace, name: 'any' };
  return permissions.access(entrypoint, 'get', any).allowed !== 'unknown';
}

/** Those that the repository makes, or that a binding of it names. */
function accountsHere({ objects }: RuleContext): Account[] {
  return objects.flatMap(({ ref, value }) => {
    if (ref.kind === 'ServiceAccount') return [{ namespace: ref.namespace ?? '', name: ref.name }];
    if (ref.kind !== 'RoleBinding' && ref.kind !== 'ClusterRoleBinding') return [];
    const subjects = Array.isArray(value.subjects) ? value.subjects : [];
    return subjects.flatMap((subject) => {
      const name = getString(subject, ['kind']) === 'ServiceAccount' ? getString(subject, ['name']) : undefined;
      const namespace = getString(subject, ['namespace']) || (ref.kind === 'RoleBinding' ? ref.namespace : undefined);
      return name === undefined || namespace === undefined ? [] : [{ namespace, name }];
    });
  });
}
