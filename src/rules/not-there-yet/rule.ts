import { describeBlocked } from '../../cluster/blocked.js';
import { enabledPackagesPath, newlyListed, ownedNamespacesPath, type PendingEntry } from '../../cluster/pending.js';
import { rolesIn } from '../../cluster/permissions.js';
import type { FactName, FieldPath, ObjectRef, RenderedObject } from '../../core/model.js';
import { inventoryId, label } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { allows, grantsOf } from '../../cozystack/rbac.js';
import { type Applied, appliedBy, isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  notYet: (object: string, what: string, applied: string) =>
    `${object} ${what} only after this change is applied, so Flux applies ${applied}, that change included`,
  namespaceOwned: (namespace: string) => `is in namespace "${namespace}", which is owned`,
  packageMade: 'is created',
  kindThere: 'is of a kind that exists',
};

export default {
  id: 'not-there-yet',
  group: 'schema',
  severity: 'error',
  summary: 'an object needs something that the same change enables, so neither is ever applied',
  messages,
  needsBase: true,
  check(context) {
    const {
      entrypoints,
      base,
      known: { permissions },
    } = context;
    const before = base?.applied ?? [];
    const known = new Set(before.map(({ ref }) => inventoryId(ref)));
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      const namespaces = permissions.isCustomizer(rendered.entrypoint) ? newNamespaces(rendered, before, context) : [];
      const packages = newlyListed(enabledPackagesPath, appliedBy(rendered), before);
      if (namespaces.length + packages.length === 0) continue;
      for (const object of rendered.objects.filter(isApplied)) {
        const isNew = !known.has(inventoryId(object.ref));
        judge(object, rendered, { namespaces, packages: isNew ? packages : [] }, context);
      }
    }
  },
} satisfies Rule;

type Enabled = { namespaces: readonly PendingEntry[]; packages: readonly PendingEntry[] };
type Said = { enabled: PendingEntry; what: string; path: FieldPath; assumes: FactName[] };

function judge(object: RenderedObject, rendered: Built, enabled: Enabled, context: RuleContext): void {
  const said = needOf(object.ref, rendered, enabled, context);
  if (!said) return;
  const { ref } = object;
  context.report({
    message: messages.notYet(label(ref), said.what, describeBlocked(ref, rendered, context.known.permissions)),
    help: `split the change: first enable "${said.enabled.name}", then add the rest once the platform has applied that`,
    at: { object, path: said.path },
    related: [{ message: 'enabled here', at: { object: said.enabled.object, path: said.enabled.path } }],
    assumes: said.assumes,
  });
}

/** Which entry an object needs that the change itself adds, and what for. */
function needOf(ref: ObjectRef, rendered: Built, enabled: Enabled, context: RuleContext): Said | undefined {
  const place = ref.kind === 'Namespace' ? ref.name : ref.namespace;
  const namespace = enabled.namespaces.find(({ name }) => name === place);
  const needed = enabled.packages.find(({ name }) => brings(name, rendered, ref, context));
  if (namespace)
    return {
      enabled: namespace,
      what: messages.namespaceOwned(namespace.name),
      path: atNamespace(ref),
      assumes: [],
    };
  if (!needed) return undefined;
  const assumes: FactName[] = ['variant', 'packages'];
  return isPackage({ ref })
    ? { enabled: needed, what: messages.packageMade, path: ['metadata', 'name'], assumes }
    : { enabled: needed, what: messages.kindThere, path: ['kind'], assumes };
}

/** Those in which the account had no right before. */
function newNamespaces(
  rendered: Built,
  before: readonly Applied[],
  { known: { contract, facts } }: RuleContext,
): PendingEntry[] {
  const fact = facts.get('ownedNamespaces');
  const owned = (fact.source === 'manifest' ? contract.rbac.ownedNamespaces : fact.value) as string[];
  const candidates = newlyListed(ownedNamespacesPath, appliedBy(rendered), before, owned);
  const grants = grantsOf(contract.rbac, { ownedNamespaces: [], objects: rolesIn(before) });
  const anything = { verb: 'patch', group: '', resource: 'configmaps', name: 'any' };
  return candidates.filter(
    ({ name }) => !owned.includes(name) && !allows(grants, { ...anything, namespace: name }).allowed,
  );
}

/** Whether the platform makes the Package, or the kind, only because the name is listed. */
function brings(
  name: string,
  { entrypoint }: Built,
  ref: ObjectRef,
  { known: { contract, facts, permissions, snapshot } }: RuleContext,
): boolean {
  const variant = String(facts.get('variant').value);
  const { catalog, schemas } = contract;
  if (isPackage({ ref })) {
    if (snapshot && Object.hasOwn(snapshot.packages, ref.name)) return false;
    if (permissions.access(entrypoint, 'create', ref).allowed !== false) return false;
    return catalog.emitted(ref.name, variant) === 'optional' && catalog.enabledBy(ref.name, variant).includes(name);
  }
  const kind = schemas.find(ref.apiVersion, ref.kind);
  const bringing = kind.known ? kind.installedBy.map((by) => by.split('/')[0] ?? '') : [];
  return (
    bringing.some((by) => catalog.enabledBy(by, variant).includes(name)) &&
    bringing.every(
      (by) => catalog.emitted(by, variant) !== 'always' && !(snapshot && Object.hasOwn(snapshot.packages, by)),
    )
  );
}

function atNamespace({ kind }: ObjectRef): FieldPath {
  return kind === 'Namespace' ? ['metadata', 'name'] : ['metadata', 'namespace'];
}
