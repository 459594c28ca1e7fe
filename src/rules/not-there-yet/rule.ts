import { describeBlocked } from '../../cluster/blocked.js';
import { enabledPackagesPath, newlyListed, ownedNamespacesPath, type PendingEntry } from '../../cluster/pending.js';
import { rolesIn } from '../../cluster/permissions.js';
import type { FactName, FieldPath, ObjectRef, RenderedObject } from '../../core/model.js';
import { inventoryId } from '../../core/object.js';
import { allows, grantsOf } from '../../cozystack/rbac.js';
import { isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import type { Rule } from '../rule.js';

export default {
  id: 'not-there-yet',
  severity: 'error',
  summary: 'an object needs what the same change only enables, so neither of them is ever applied',
  needsBase: true,
  check({ entrypoints, base, contract, facts, permissions, snapshot, report }) {
    const before = base?.objects ?? [];
    const known = new Set(before.map(({ ref }) => inventoryId(ref)));
    for (const rendered of entrypoints) {
      if (rendered.ok) judge(rendered);
    }

    function judge(rendered: Built) {
      const namespaces = permissions.isCustomizer(rendered.entrypoint) ? newNamespaces(rendered) : [];
      const packages = newlyListed(enabledPackagesPath, rendered.objects, before);
      if (namespaces.length + packages.length === 0) return;
      for (const object of rendered.objects.filter(isApplied)) {
        const { ref } = object;
        const place = ref.kind === 'Namespace' ? ref.name : ref.namespace;
        const namespace = namespaces.find(({ name }) => name === place);
        const isNew = !known.has(inventoryId(ref));
        const needed = isNew ? packages.find(({ name }) => brings(name, rendered, ref)) : undefined;
        if (namespace)
          say(
            object,
            rendered,
            namespace,
            `is in namespace "${namespace.name}", which is only owned`,
            atNamespace(ref),
          );
        else if (needed && ref.kind === 'Package')
          say(object, rendered, needed, 'is only made', ['metadata', 'name'], ['variant', 'packages']);
        else if (needed)
          say(object, rendered, needed, 'is of a kind that is only there', ['kind'], ['variant', 'packages']);
      }
    }

    function say(
      object: RenderedObject,
      rendered: Built,
      enabled: PendingEntry,
      what: string,
      path: FieldPath,
      assumes: FactName[] = [],
    ) {
      report({
        message: `${object.ref.kind} "${object.ref.name}" ${what} once this change is applied, but Flux tries everything before: it applies ${describeBlocked(object.ref, rendered, permissions)}, not even what brings it about`,
        help: `split the change: first enable "${enabled.name}", and add the rest once the platform has applied that`,
        at: { object, path },
        related: [{ message: 'enabled here', at: { object: enabled.object, path: enabled.path } }],
        assumes,
      });
    }

    /** Those in which the account had no right before. */
    function newNamespaces({ objects }: Built): PendingEntry[] {
      const fact = facts.get('ownedNamespaces');
      const owned = (fact.source === 'manifest' ? contract.rbac.ownedNamespaces : fact.value) as string[];
      const candidates = newlyListed(ownedNamespacesPath, objects, before, owned);
      const grants = grantsOf(contract.rbac, { ownedNamespaces: [], objects: rolesIn(before) });
      const anything = { verb: 'patch', group: '', resource: 'configmaps', name: 'any' };
      return candidates.filter(
        ({ name }) => !owned.includes(name) && !allows(grants, { ...anything, namespace: name }).allowed,
      );
    }

    /** Whether the platform makes the Package, or the kind, only because the name is listed. */
    function brings(name: string, { entrypoint }: Built, ref: ObjectRef): boolean {
      const variant = String(facts.get('variant').value);
      const { catalog, schemas } = contract;
      if (ref.kind === 'Package') {
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
  },
} satisfies Rule;

function atNamespace({ kind }: ObjectRef): FieldPath {
  return kind === 'Namespace' ? ['metadata', 'name'] : ['metadata', 'namespace'];
}
