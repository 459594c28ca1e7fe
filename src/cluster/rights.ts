/**
 * Which rights hold when: what a commit grants or takes away does not hold while it is applied itself (simulate/FACTS.md, Rights).
 */
import type { Cluster } from './cluster.js';
import { ownedWhenApplied } from './pending.js';
import { type Permissions, permissionsOf, rolesIn } from './permissions.js';

export type Rights = {
  /** While the change is applied: those of the commit before. */
  now: Permissions;
  /** At the next reconcile: by the roles and bindings of the change. What the platform is told to own comes with its upgrade. */
  later: Permissions;
};

export function rightsOf(cluster: Cluster): Rights {
  const { contract, facts, roles, base, head } = cluster;
  const ownedNamespaces = ownedWhenApplied(cluster);
  const before = new Set(rolesIn(base?.applied ?? []));
  const others = roles.filter((role) => !before.has(role));
  const rights = { contract, facts, ownedNamespaces };
  return {
    now: permissionsOf({ ...rights, roles }),
    later: permissionsOf({ ...rights, roles: base ? [...others, ...rolesIn(head.applied)] : roles }),
  };
}
