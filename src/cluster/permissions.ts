/** Whether the account that applies an entrypoint may do something to an object: what the rules of permission ask. */

import { defined } from '../core/defined.js';
import type { Entrypoint, Json, JsonObject, ObjectRef } from '../core/model.js';
import { getString, groupOf } from '../core/object.js';
import type { Contract } from '../cozystack/contract.js';
import {
  type AccessRequest,
  allows,
  type Granted,
  type Grants,
  grantedBeyond,
  grantsOf,
  insteadOf,
  reaches,
} from '../cozystack/rbac.js';
import type { Applied } from '../flux/applied.js';
import type { Facts } from './facts.js';

type Verb = 'get' | 'list' | 'create' | 'patch' | 'delete';

export type Access =
  | { allowed: true }
  /** `refusal` is what the API server says; `instead` what to do. */
  | { allowed: false; refusal: string; missing: AccessRequest; instead?: string }
  /** Nobody knows the roles of the account, or the kind. */
  | { allowed: 'unknown'; why: string };

export type Permissions = {
  /** The right to do that to an object, or to its subresource, where it is (`namespace` of the object as rendered). */
  access(entrypoint: Entrypoint, verb: Verb, object: ObjectRef): Access;
  /** What a role or a binding grants that the account does not have itself, so that the API server refuses it. */
  beyond(entrypoint: Entrypoint, role: JsonObject): Granted;
  /** `cozy-system/cozystack-customizer`, or `Flux itself`; for a message. */
  accountName(entrypoint: Entrypoint): string;
  /** Whether it is the customizer's own account. */
  isCustomizer(entrypoint: Entrypoint): boolean;
  /** The resource that a kind is served as; undefined for a kind that nobody knows. */
  resourceOf(
    ref: Pick<ObjectRef, 'apiVersion' | 'kind'>,
  ): { group: string; resource: string; namespaced: boolean } | undefined;
};

export type PermissionOptions = {
  contract: Contract;
  facts: Facts;
  /** Roles and bindings that are in force: what the repository has applied before, and what the configuration names. */
  roles: readonly JsonObject[];
  /** Those of the facts, unless given. */
  ownedNamespaces?: readonly string[];
};

export function permissionsOf({ contract, facts, roles, ...options }: PermissionOptions): Permissions {
  const { rbac, schemas } = contract;
  const { ownedNamespaces = facts.get('ownedNamespaces').value as string[] } = options;
  const known = new Map<string, Grants | 'all' | undefined>();
  const isCustomizer = ({ account }: Entrypoint) =>
    account === undefined ||
    (account !== 'flux' && account.namespace === rbac.account.namespace && account.name === rbac.account.name);

  function grants(entrypoint: Entrypoint): Grants | 'all' | undefined {
    const { account } = entrypoint;
    if (account === 'flux') return 'all';
    const key = JSON.stringify(account ?? null);
    if (!known.has(key)) known.set(key, find(entrypoint));
    return known.get(key);
  }

  function find(entrypoint: Entrypoint): Grants | undefined {
    if (isCustomizer(entrypoint)) return grantsOf(rbac, { ownedNamespaces, objects: roles });
    const account = entrypoint.account as { namespace: string; name: string };
    const granted = grantsOf(rbac, { account, objects: roles });
    // An account without any right that is known has others: nobody would have made it for nothing.
    return granted.cluster.length + granted.namespaces.size > 0 ? granted : undefined;
  }

  const resourceOf = resourcesIn(schemas);
  return {
    isCustomizer,
    resourceOf,
    accountName(entrypoint) {
      const account = entrypoint.account ?? rbac.account;
      return account === 'flux' ? 'Flux itself' : `${account.namespace}/${account.name}`;
    },
    beyond(entrypoint, role) {
      const rights = grants(entrypoint);
      if (rights === 'all') return { beyond: undefined };
      return rights ? grantedBeyond(rights, role, roles) : 'unknown';
    },
    access(entrypoint, verb, object) {
      const rights = grants(entrypoint);
      if (rights === 'all') return { allowed: true };
      if (!rights) return { allowed: 'unknown', why: 'the roles of its service account are not known' };
      const served = resourceOf(object);
      const group = groupOf(object.apiVersion);
      // Of a kind that is not known only the group counts: as what it is served, if at all, nobody can tell.
      const { resource, namespaced } = served ?? { resource: '', namespaced: object.namespace !== undefined };
      const { name, namespace } = object;
      const verdict = allows(rights, { verb, group, resource, name, ...(namespaced && namespace && { namespace }) });
      if (verdict.allowed) return { allowed: true };
      if (verdict.unsure.length > 0) return { allowed: 'unknown', why: `${verdict.unsure.join(', ')} is not known` };
      const { namespace: place } = verdict.missing;
      if (!served && reaches(rights, { verb, group, ...(place && { namespace: place }) }))
        return { allowed: 'unknown', why: 'the kind is not known' };
      const instead = isCustomizer(entrypoint) ? insteadOf(rbac, verdict.missing)?.instead : undefined;
      const { refusal, missing } = verdict;
      return { allowed: false, refusal, missing, ...defined({ instead }) };
    },
  };
}

function resourcesIn(schemas: Contract['schemas']): Permissions['resourceOf'] {
  return ({ apiVersion, kind }) => {
    const group = groupOf(apiVersion);
    const found = schemas.find(apiVersion, kind);
    return found.known ? { group, resource: found.plural, namespaced: found.scope === 'Namespaced' } : undefined;
  };
}

/** What both allow: of two rights of which one is refused, that is the answer, and of an unknown one nothing better. */
export function bothOf(before: Permissions, after: Permissions): Permissions {
  return {
    ...before,
    access(entrypoint, verb, object) {
      const now = before.access(entrypoint, verb, object);
      if (now.allowed === false) return now;
      const then = after.access(entrypoint, verb, object);
      return then.allowed === true ? now : then;
    },
    beyond(entrypoint, role) {
      const now = before.beyond(entrypoint, role);
      if (now !== 'unknown' && now.beyond !== undefined) return now;
      const then = after.beyond(entrypoint, role);
      return then !== 'unknown' && then.beyond === undefined ? now : then;
    },
  };
}

/** Roles and bindings among the objects that Flux applies. */
export function rolesIn(objects: readonly Applied[]): JsonObject[] {
  return objects
    .filter((object) => object.ref.apiVersion.startsWith('rbac.authorization.k8s.io/'))
    .map(({ value }) => value);
}

/** Roles and bindings in documents that were read. */
export function rolesAmong(documents: readonly { value: Json }[]): JsonObject[] {
  const isRole = (value: Json): value is JsonObject =>
    getString(value, ['apiVersion'])?.startsWith('rbac.authorization.k8s.io/') === true;
  return documents.map(({ value }) => value).filter(isRole);
}
