import { isDeepStrictEqual } from 'node:util';
import { describeBlocked } from '../../cluster/blocked.js';
import { newlyListed, ownedNamespacesPath } from '../../cluster/pending.js';
import type { Permissions } from '../../cluster/permissions.js';
import { platformsIn } from '../../cluster/platform.js';
import type { Fact, FieldPath, JsonObject, ObjectRef, Problem, RenderedObject } from '../../core/model.js';
import { formatPath, inventoryId, label, lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { nearestOrPart } from '../../core/suggest.js';
import { isPackage, platformValuesPath } from '../../cozystack/package.js';
import { type AccessRequest, claimAbout, insteadOf } from '../../cozystack/rbac.js';
import { appliedBy, isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  notAllowed: (object: string, account: string, verb: string, applied: string) =>
    `${object}: ${account} is not allowed to ${verb} it; Flux applies ${applied}`,
  notAllowedToCreate: (object: string, account: string, verb: string, applied: string) =>
    `${object}: ${account} is not allowed to ${verb} it; Flux applies ${applied} unless it exists`,
  lost: (object: string, account: string, verb: string, applied: string) =>
    `${object}: ${account} loses the right to ${verb} it; then Flux applies ${applied}`,
  grantsMore: (object: string, account: string, right: string, applied: string) =>
    `${object} grants "${right}", which ${account} does not have, so Flux applies ${applied}`,
  grantsMoreUnlessThere: (object: string, account: string, right: string, applied: string) =>
    `${object} grants "${right}", which ${account} does not have, so Flux applies ${applied} unless it exists`,
};

export default {
  id: 'forbidden-object',
  group: 'permissions',
  severity: 'error',
  summary: 'the service account that applies the repository is not allowed to write an object, so Flux applies nothing',
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
  if (granted === 'unknown')
    notChecked(`rights of ${account}`, 'whether it has those that it grants is not known', { object });
  if (granted === 'unknown' || granted.beyond === undefined) return;
  const before = known.get(inventoryId(object.ref));
  if (before && isDeepStrictEqual(before, object.value)) return;
  const tell = base ? messages.grantsMore : messages.grantsMoreUnlessThere;
  const what = label(object.ref);
  report({
    message: tell(what, named(account, what), granted.beyond, describeBlocked(object.ref, rendered, permissions)),
    help: `grant the service account that right, or the verb ${granted.field[0] === 'rules' ? 'escalate' : 'bind'} for the role; or have an administrator apply this object`,
    at: { object, path: granted.field },
    ...(!base && { severity: 'warning' as const }),
  });
}

/** What the change itself lets the account do has a rule of its own. */
function isOnlyEnabled(
  { kind, name, namespace }: ObjectRef,
  rendered: Built,
  { base, known: { contract, permissions } }: RuleContext,
): boolean {
  if (!base || !permissions.isCustomizer(rendered.entrypoint)) return false;
  const enabled = newlyListed(ownedNamespacesPath, appliedBy(rendered), base.applied, contract.rbac.ownedNamespaces);
  return enabled.some((entry) => entry.name === (kind === 'Namespace' ? name : namespace));
}

function refuse(object: RenderedObject, rendered: Built, missing: AccessRequest, context: RuleContext): void {
  const {
    report,
    known: { permissions },
  } = context;
  const account = permissions.accountName(rendered.entrypoint);
  const isCreated = missing.verb === 'create';
  const isCustomizer = permissions.isCustomizer(rendered.entrypoint);
  const lost = isCustomizer ? disowned(missing, context) : undefined;
  const tell = lost ? messages.lost : isCreated ? messages.notAllowedToCreate : messages.notAllowed;
  const applied = describeBlocked(object.ref, rendered, permissions);
  const what = placed(object.ref, missing);
  report({
    message: tell(what, named(account, what), missing.verb, applied),
    help: isCustomizer
      ? insteadFor(missing, context)
      : `bind a role to "${account}" that allows it, or remove the object`,
    ...lost,
    at: { object, path: fieldAtFault(object, rendered, missing, context) },
    ...(isCreated && { severity: 'warning' as const }),
  });
}

/** Where the change itself has taken the namespace from the list of those that are owned. */
function disowned(
  { namespace = '' }: AccessRequest,
  { applied, base, known }: RuleContext,
): Pick<Problem, 'help' | 'related' | 'unsent'> | undefined {
  const is = known.facts.get('ownedNamespaces');
  const was = base?.known.facts.get('ownedNamespaces') ?? is;
  const isOwned = ({ value }: Fact) => (value as string[]).includes(namespace);
  if (!isOwned(was) || isOwned(is) || ![was, is].some(({ source }) => source === 'manifest')) return undefined;
  const lists = platformsIn(applied).filter(({ value }) => Array.isArray(lookUp(value, ownedNamespacesPath)));
  const list = formatPath(ownedNamespacesPath.slice(platformValuesPath.length));
  return {
    // While it is applied the account still has the right; the next time it does not.
    unsent: true,
    help: `this change removes "${namespace}" from ${list}; put it back`,
    related: lists.slice(0, 1).map((object) => ({
      message: 'no longer listed here',
      at: { object, path: ownedNamespacesPath, part: 'key' },
    })),
  };
}

function insteadFor(missing: AccessRequest, { known: { contract, facts } }: RuleContext): string {
  const owned = facts.get('ownedNamespaces').value as string[];
  const meant = missing.namespace === undefined ? undefined : nearestOrPart(missing.namespace, owned);
  if (meant !== undefined) return `did you mean namespace "${meant}"?`;
  const row = insteadOf(contract.rbac, missing);
  if (!row || row.resourceNames || row.namespaces) return row?.instead ?? 'remove the object';
  const claim = claimAbout(contract.rbac, missing);
  const mayBeOwned = missing.namespace !== undefined && facts.get('ownedNamespaces').source === 'contract';
  return [
    row.instead,
    ...(mayBeOwned ? ['if it is owned, add it to cluster.ownedNamespaces'] : []),
    ...(claim ? ["Cozystack's documentation is wrong here"] : []),
  ].join('; ');
}

/** What a person would edit: the namespace where that makes the difference, else the kind, or the name of what is nobody's. */
function fieldAtFault(
  { ref }: RenderedObject,
  rendered: Built,
  missing: AccessRequest,
  { known: { contract, permissions } }: RuleContext,
): FieldPath {
  if (ref.kind === 'Namespace' || insteadOf(contract.rbac, missing)?.resourceNames) return ['metadata', 'name'];
  if (missing.namespace === undefined) return ['kind'];
  return placesToWrite(permissions)(rendered).has(missing.namespace) ? ['kind'] : ['metadata', 'namespace'];
}

/** The namespaces in which the account may write something of what is there. */
const placesToWrite = oncePer((permissions: Permissions) =>
  oncePer(({ entrypoint, objects }: Built): ReadonlySet<string> => {
    const places = new Set<string>();
    for (const { ref } of objects) {
      const { namespace } = ref;
      if (namespace === undefined || places.has(namespace)) continue;
      if (permissions.access(entrypoint, 'patch', ref).allowed === true) places.add(namespace);
    }
    return places;
  }),
);

/** With its namespace, which a Namespace is itself. */
function placed(ref: ObjectRef, { namespace }: AccessRequest): string {
  if (namespace === undefined || ref.kind === 'Namespace') return label(ref);
  return label({ ...ref, name: `${namespace}/${ref.name}` });
}

/** In full where that is not too long for a message. */
function named(account: string, object: string): string {
  return object.length > 43 ? `"${account}"` : `service account "${account}"`;
}
