import { isDeepStrictEqual } from 'node:util';
import { describeBlocked } from '../../cluster/blocked.js';
import { newlyListed, ownedNamespacesPath } from '../../cluster/pending.js';
import type { FieldPath, JsonObject, ObjectRef, RenderedObject } from '../../core/model.js';
import { inventoryId, label } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { type AccessRequest, claimAbout, insteadOf } from '../../cozystack/rbac.js';
import { isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  mayNotWrite: (object: string, account: string, right: string, applied: string) =>
    `${object}: ${account} may not ${right}, so Flux applies ${applied}`,
  mayNotCreate: (object: string, account: string, right: string, applied: string) =>
    `${object}: ${account} may not ${right}, so Flux applies ${applied} unless it is there already`,
  grantsMore: (object: string, account: string, right: string, applied: string) =>
    `${object}: it grants "${right}", which ${account} does not have, so Flux applies ${applied}`,
  grantsMoreUnlessThere: (object: string, account: string, right: string, applied: string) =>
    `${object}: it grants "${right}", which ${account} does not have, so Flux applies ${applied} unless it is there already`,
};

export default {
  id: 'forbidden-object',
  severity: 'error',
  summary: 'the account that applies the repository may not write an object, so nothing at all is applied',
  messages,
  check(context) {
    const { entrypoints, base } = context;
    const known = new Map(base?.objects.map(({ ref, value }) => [inventoryId(ref), value]));
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      for (const object of rendered.objects.filter(isApplied)) judge(object, rendered, known, context);
    }
  },
} satisfies Rule;

/** What was there before the change. */
type Before = ReadonlyMap<string, JsonObject>;

function judge(object: RenderedObject, rendered: Built, known: Before, context: RuleContext): void {
  const {
    base,
    notChecked,
    known: { permissions },
  } = context;
  const { ref } = object;
  // Without a namespace it is refused whatever the rights.
  if (permissions.resourceOf(ref)?.namespaced && ref.namespace === undefined) return;
  const patch = permissions.access(rendered.entrypoint, 'patch', ref);
  if (patch.allowed === 'unknown') notChecked(`rights of ${permissions.accountName(rendered.entrypoint)}`, patch.why);
  if (patch.allowed === false && !isOnlyEnabled(ref, rendered, context))
    refuse(object, rendered, patch.missing, context);
  if (patch.allowed === true) judgeGrants(object, rendered, known, context);
  // A Package that is not there has a rule of its own.
  if (patch.allowed !== true || !base || known.has(inventoryId(ref)) || isPackage(object)) return;
  const create = permissions.access(rendered.entrypoint, 'create', ref);
  if (create.allowed === false) refuse(object, rendered, create.missing, context);
}

/** A role or a binding that grants more than its author has is refused, unless it is there and stays as it is. */
function judgeGrants(object: RenderedObject, rendered: Built, known: Before, context: RuleContext): void {
  const {
    report,
    base,
    notChecked,
    known: { permissions },
  } = context;
  const { entrypoint } = rendered;
  const granted = permissions.beyond(entrypoint, object.value);
  const account = permissions.accountName(entrypoint);
  if (granted === 'unknown') notChecked(`rights of ${account}`, 'whether it has those that it grants is not known');
  if (granted === 'unknown' || granted.beyond === undefined) return;
  const before = known.get(inventoryId(object.ref));
  if (before && isDeepStrictEqual(before, object.value)) return;
  const tell = base ? messages.grantsMore : messages.grantsMoreUnlessThere;
  report({
    message: tell(label(object.ref), account, granted.beyond, describeBlocked(object.ref, rendered, permissions)),
    help: `give ${account} that right itself, or the verb ${granted.field[0] === 'rules' ? 'escalate' : 'bind'} for the role; or have an administrator apply it`,
    at: { object, path: granted.field },
    ...(!base && { severity: 'warning' as const }),
  });
}

/** What the change itself lets the account do has a rule of its own. */
function isOnlyEnabled(
  { kind, name, namespace }: ObjectRef,
  { entrypoint, objects }: Built,
  { base, known: { contract, permissions } }: RuleContext,
): boolean {
  if (!base || !permissions.isCustomizer(entrypoint)) return false;
  const enabled = newlyListed(ownedNamespacesPath, objects, base.objects, contract.rbac.ownedNamespaces);
  return enabled.some((entry) => entry.name === (kind === 'Namespace' ? name : namespace));
}

function refuse(object: RenderedObject, rendered: Built, missing: AccessRequest, context: RuleContext): void {
  const {
    report,
    known: { permissions },
  } = context;
  const account = permissions.accountName(rendered.entrypoint);
  const isCreated = missing.verb === 'create';
  const tell = isCreated ? messages.mayNotCreate : messages.mayNotWrite;
  const applied = describeBlocked(object.ref, rendered, permissions);
  report({
    message: tell(label(object.ref), account, rightIn(missing), applied),
    help: permissions.isCustomizer(rendered.entrypoint)
      ? insteadFor(missing, context)
      : `give ${account} a role that allows it, or take the object out of what it applies`,
    at: { object, path: fieldAtFault(object, rendered, missing, context) },
    ...(isCreated && { severity: 'warning' as const }),
  });
}

function insteadFor(missing: AccessRequest, { known: { contract, facts } }: RuleContext): string {
  const row = insteadOf(contract.rbac, missing);
  if (!row || row.resourceNames || row.namespaces) return row?.instead ?? 'take the object out';
  const claim = claimAbout(contract.rbac, missing);
  const mayBeOwned = missing.namespace !== undefined && facts.get('ownedNamespaces').source === 'contract';
  return [
    row.instead,
    ...(mayBeOwned ? [`if it is owned, say so in cluster.ownedNamespaces of the configuration`] : []),
    ...(claim ? [`the documentation says that ${claim.says}, but ${claim.fact}`] : []),
  ].join('; ');
}

/** What a person would edit: the namespace where that makes the difference, else the kind, or the name of what is nobody's. */
function fieldAtFault(
  { ref }: RenderedObject,
  { entrypoint, objects }: Built,
  missing: AccessRequest,
  { known: { contract, permissions } }: RuleContext,
): FieldPath {
  if (ref.kind === 'Namespace' || insteadOf(contract.rbac, missing)?.resourceNames) return ['metadata', 'name'];
  if (missing.namespace === undefined) return ['kind'];
  const neighbours = objects.filter((other) => other.ref.namespace === missing.namespace);
  const mayOther = neighbours.some((other) => permissions.access(entrypoint, 'patch', other.ref).allowed === true);
  return mayOther ? ['kind'] : ['metadata', 'namespace'];
}

function rightIn({ verb, group, resource, namespace }: AccessRequest): string {
  if (group === '' && resource === 'namespaces') return `${verb} that namespace`;
  const what = resource || `anything of ${group}`;
  return `${verb} ${what} in ${namespace === undefined ? 'the whole cluster' : `namespace "${namespace}"`}`;
}
