/**
 * Who may do what: Kubernetes' own role-based access control, on the rights that the platform documents
 * (`schemas/cozystack/rbac.yaml`) and on those that roles and bindings give.
 *
 * Equal to the API server's authorizer: rights only add up, a binding counts for whom it names, a role binding reaches no
 * further than its namespace, and a role that is not there gives nothing.
 */
import { defined } from '../core/defined.js';
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { type Data, readTable } from './releases.js';

export type PolicyRule = {
  apiGroups?: readonly string[];
  /** `pods`, `pods/log`, `*` for all, `* /scale` (without the space) for one subresource of all. */
  resources?: readonly string[];
  verbs: readonly string[];
  /** Empty or absent: all. */
  resourceNames?: readonly string[];
  /** Addresses that are no resources: `/healthz`, `/metrics/*`. */
  nonResourceURLs?: readonly string[];
};

/** A service account. */
export type Account = { namespace: string; name: string };

/** Something that an account wants to do. `resource` is the plural: `configmaps`. */
export type AccessRequest = {
  verb: string;
  /** Empty for the core group. */
  group: string;
  resource: string;
  subresource?: string;
  /** Absent for what is in no namespace, and for a list or watch of all. A Namespace is in the namespace that it is. */
  namespace?: string;
  name?: string;
};

/** What is not granted, and what to do instead. */
export type NotGranted = PolicyRule & {
  /** A last `*` stands for all that begin so. */
  namespaces?: readonly string[];
  scope?: 'cluster';
  documented: boolean;
  what: string;
  instead: string;
};

/** `resources` where it is about certain objects. */
export type Claim = { says: string; fact: string; apiGroups: readonly string[]; resources?: readonly string[] };

/** The rights that the platform documents for the account that applies a customizer repository. */
export type Rbac = {
  account: Account;
  /** Unless the platform is told otherwise. */
  ownedNamespaces: readonly string[];
  cluster: readonly PolicyRule[];
  /** In each owned namespace. */
  owned: readonly PolicyRule[];
  notGranted: readonly NotGranted[];
  /** What the documentation says of some groups, and what happens. */
  claims: readonly Claim[];
};

export type Grants = {
  account: Account;
  cluster: readonly PolicyRule[];
  namespaces: ReadonlyMap<string, readonly PolicyRule[]>;
  /** Roles that are bound to the account but not known, so that it may have more rights than are known. */
  unknown: readonly { role: string; namespace?: string }[];
};

export type Verdict =
  | { allowed: true }
  | {
      allowed: false;
      /** The right that is missing; a Namespace has its own name as its namespace. */
      missing: AccessRequest;
      /** What the API server says. */
      refusal: string;
      /** Roles bound to the account, there or everywhere, that nobody knows; with any of them the verdict is a guess. */
      unsure: string[];
    };

export function loadRbac(data: Data): Rbac {
  return readTable(data, 'rbac.yaml') as Rbac;
}

/** The rights of an account. Those that the platform documents are counted for its own account only. */
export function grantsOf(
  rbac: Rbac,
  options: {
    /** The customizer's, unless given. */
    account?: Account;
    /** Those of the documentation, unless given. */
    ownedNamespaces?: readonly string[];
    /** Roles and bindings that are in force, in any order; all else is passed over. */
    objects?: readonly Json[];
  } = {},
): Grants {
  const { account = rbac.account, ownedNamespaces = rbac.ownedNamespaces, objects = [] } = options;
  const documented = account.namespace === rbac.account.namespace && account.name === rbac.account.name;
  const cluster: PolicyRule[] = documented ? [...rbac.cluster] : [];
  const namespaces = new Map<string, PolicyRule[]>();
  const unknown: { role: string; namespace?: string }[] = [];
  if (documented) for (const namespace of ownedNamespaces) namespaces.set(namespace, [...rbac.owned]);
  const rolesByName = rolesOf(objects);
  for (const binding of objects) {
    const bound = boundRole(binding, account);
    if (!bound) continue;
    const rules = rolesByName.get(bound.role) ?? (bound.role === 'ClusterRole/cluster-admin' ? everything : undefined);
    const { namespace } = bound;
    if (!rules) unknown.push({ role: bound.role, ...defined({ namespace }) });
    else if (namespace === undefined) cluster.push(...rules);
    else namespaces.set(namespace, [...(namespaces.get(namespace) ?? []), ...rules]);
  }
  return { account, cluster, namespaces, unknown };
}

/** Those that hold in a namespace; where it is not named, those that hold everywhere. */
function rulesIn({ cluster, namespaces }: Grants, namespace: string | undefined): PolicyRule[] {
  return [...cluster, ...(namespace === undefined ? [] : (namespaces.get(namespace) ?? []))];
}

/** Whether the account may do that. */
export function allows(grants: Grants, request: AccessRequest): Verdict {
  const placed = inItsNamespace(request);
  const { namespace } = placed;
  if (rulesIn(grants, namespace).some((rule) => ruleAllows(rule, placed))) return { allowed: true };
  const here = grants.unknown.filter((role) => role.namespace === undefined || role.namespace === namespace);
  return {
    allowed: false,
    missing: placed,
    refusal: refusalOf(grants.account, placed),
    unsure: [...new Set(here.map(({ role }) => role))].sort(),
  };
}

/** `refusal` is what the API server says, without what the account may and without the form of a rule. */
export type Granted =
  | { beyond: undefined; refusal?: undefined }
  | { beyond: string; field: FieldPath; refusal: string }
  | 'unknown';

/**
 * A role is a product of its lists, and a repository's role may be anything. Of what takes more comparisons than this the next right
 * counts as one that the account lacks, or such a role would hide one.
 */
const mostComparisons = 2_000_000;

/**
 * The first right that a role or a binding grants and the account itself does not have: the API server refuses such an object, unless
 * the account may `escalate` the role or `bind` what is bound (kubernetes/kubernetes v1.37.2, `pkg/registry/rbac/role/policybased/storage.go`
 * and beside it; k8s.io/component-helpers, `auth/rbac/validation/policy_comparator.go`). `unknown`: the bound role, or a role of the
 * account, is not known. Anything else than a role or a binding grants nothing.
 */
export function grantedBeyond(grants: Grants, object: JsonObject, known: readonly Json[]): Granted {
  const granted = isRbac(object) ? grantedBy(object, known) : undefined;
  if (!granted) return { beyond: undefined };
  const { rules, excusedBy, namespace } = granted;
  const excuse = allows(grants, { group: rbacGroup, ...excusedBy, ...defined({ namespace }) });
  if (excuse.allowed) return { beyond: undefined };
  if (!rules || excuse.unsure.length > 0) return 'unknown';
  const held = rulesIn(grants, namespace);
  let comparisons = 0;
  for (const [index, rule] of rules.entries()) {
    if (held.some((one) => coversAll(one, rule))) continue;
    for (const right of rightsIn(rule)) {
      comparisons += held.length + 1;
      if (comparisons <= mostComparisons && held.some((one) => covers(one, right))) continue;
      const beyond = wordsFor(right);
      return {
        beyond,
        field: granted.isBinding ? ['roleRef', 'name'] : ['rules', index],
        refusal: denialOf(grants, beyond),
      };
    }
  }
  return { beyond: undefined };
}

/** What the documentation says of such an object that is not what happens. */
export function claimAbout(
  rbac: Rbac,
  { group, resource }: Pick<AccessRequest, 'group' | 'resource'>,
): Claim | undefined {
  return rbac.claims.find(
    ({ apiGroups, resources }) => apiGroups.includes(group) && resources !== undefined && hasOrAll(resources, resource),
  );
}

/** Whether the account has that right on anything at all of an API group, in a namespace or where it is not named everywhere. */
export function reaches(grants: Grants, { verb, group, namespace }: Omit<AccessRequest, 'resource'>): boolean {
  return rulesIn(grants, namespace).some((rule) => hasOrAll(rule.verbs, verb) && hasOrAll(rule.apiGroups ?? [], group));
}

/** What to do instead of what the customizer may not. */
export function insteadOf(rbac: Rbac, missing: AccessRequest): NotGranted | undefined {
  const request = inItsNamespace(missing);
  const { namespace } = request;
  return rbac.notGranted.find(
    (row) =>
      ruleAllows(row, request) &&
      (row.scope === undefined || namespace === undefined) &&
      (row.namespaces === undefined ||
        (namespace !== undefined && row.namespaces.some((one) => isOfClass(one, namespace, rbac)))),
  );
}

/** `cozy-*` stands for all namespaces that begin so, but for the customizer's own, which may be listed again. */
function isOfClass(pattern: string, namespace: string, { ownedNamespaces }: Rbac): boolean {
  if (!pattern.endsWith('*')) return pattern === namespace;
  return namespace.startsWith(pattern.slice(0, -1)) && !ownedNamespaces.includes(namespace);
}

const everything: PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/** A request for a Namespace counts as made in that namespace, since its address is `/api/v1/namespaces/NAME`. */
function inItsNamespace(request: AccessRequest): AccessRequest {
  const { group, resource, name, namespace, ...rest } = request;
  const place = group === '' && resource === 'namespaces' ? name : namespace;
  return {
    group,
    resource,
    ...rest,
    ...(place !== undefined && place !== '' && { namespace: place }),
    ...(name !== undefined && name !== '' && { name }),
  };
}

function ruleAllows(rule: PolicyRule, { verb, group, resource, subresource, name }: AccessRequest): boolean {
  return (
    hasOrAll(rule.verbs, verb) &&
    hasOrAll(rule.apiGroups ?? [], group) &&
    (rule.resources ?? []).some((listed) => resourceMatches(listed, resource, subresource)) &&
    (!rule.resourceNames?.length || (name !== undefined && rule.resourceNames.includes(name)))
  );
}

function hasOrAll(listed: readonly string[], wanted: string): boolean {
  return listed.includes('*') || listed.includes(wanted);
}

/** `pods` alone does not cover `pods/log`; `*` covers all, and a star before the slash that subresource of every kind. */
function resourceMatches(listed: string, resource: string, subresource?: string): boolean {
  if (listed === '*') return true;
  if (!subresource) return listed === resource;
  return listed === `${resource}/${subresource}` || listed === `*/${subresource}`;
}

const rbacGroup = 'rbac.authorization.k8s.io';

type GrantedBy = {
  /** Undefined where the bound role is not known. */
  rules: readonly PolicyRule[] | undefined;
  excusedBy: { verb: string; resource: string; name: string };
  namespace?: string;
  isBinding: boolean;
};

function grantedBy(object: JsonObject, known: readonly Json[]): GrantedBy | undefined {
  const name = getString(object, ['metadata', 'name']) ?? '';
  const namespace = getString(object, ['metadata', 'namespace']);
  switch (object.kind) {
    case 'Role':
    case 'ClusterRole': {
      const resource = object.kind === 'Role' ? 'roles' : 'clusterroles';
      const rules = [...rulesOf(object), ...(isObject(object.aggregationRule) ? everything : [])];
      const place = object.kind === 'Role' ? { namespace } : {};
      return { rules, excusedBy: { verb: 'escalate', resource, name }, isBinding: false, ...defined(place) };
    }
    case 'RoleBinding':
    case 'ClusterRoleBinding': {
      const place = object.kind === 'RoleBinding' ? { namespace } : {};
      const [kind, role = ''] = [getString(object, ['roleRef', 'kind']), getString(object, ['roleRef', 'name'])];
      const key = kind === 'ClusterRole' ? `ClusterRole/${role}` : `Role/${place.namespace ?? ''}/${role}`;
      const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
      const rules = rolesOf(known).get(key) ?? (key === 'ClusterRole/cluster-admin' ? everything : undefined);
      return { rules, excusedBy: { verb: 'bind', resource, name: role }, isBinding: true, ...defined(place) };
    }
    default:
      return undefined;
  }
}

function denialOf({ account }: Grants, beyond: string): string {
  return `user "${userOf(account)}" is attempting to grant RBAC permissions not currently held: ${beyond}`;
}

type Right = { verb: string; url: string } | { verb: string; group: string; resource: string; name?: string };

function* rightsIn({ apiGroups = [], resources = [], verbs, resourceNames, nonResourceURLs = [] }: PolicyRule) {
  const names = new Set(resourceNames?.length ? resourceNames : [undefined]);
  for (const verb of new Set(verbs)) {
    for (const url of new Set(nonResourceURLs)) yield { verb, url } as Right;
    for (const group of new Set(apiGroups))
      for (const resource of new Set(resources))
        for (const name of names) yield { verb, group, resource, ...defined({ name }) } as Right;
  }
}

function covers(rule: PolicyRule, right: Right): boolean {
  if (!hasOrAll(rule.verbs, right.verb)) return false;
  if ('url' in right) return (rule.nonResourceURLs ?? []).some((listed) => urlCovers(listed, right.url));
  const { verb, group, name } = right;
  const [resource, subresource] = partsOf(right.resource);
  return ruleAllows(rule, { verb, group, resource, subresource, ...defined({ name }) });
}

/** Without a look at each right: most rules are held as a whole. */
function coversAll(held: PolicyRule, { apiGroups = [], resources = [], verbs, ...rule }: PolicyRule): boolean {
  const { resourceNames = [], nonResourceURLs = [] } = rule;
  const [names, urls] = [held.resourceNames ?? [], held.nonResourceURLs ?? []];
  return (
    verbs.every((verb) => hasOrAll(held.verbs, verb)) &&
    apiGroups.every((group) => hasOrAll(held.apiGroups ?? [], group)) &&
    resources.every((resource) => (held.resources ?? []).some((one) => resourceMatches(one, ...partsOf(resource)))) &&
    (names.length === 0 || (resourceNames.length > 0 && resourceNames.every((name) => names.includes(name)))) &&
    nonResourceURLs.every((url) => urls.some((listed) => urlCovers(listed, url)))
  );
}

/** A resource and its subresource. */
function partsOf(resource: string): [string, string] {
  const [name = '', ...rest] = resource.split('/');
  return [name, rest.join('/')];
}

function urlCovers(listed: string, url: string): boolean {
  return listed === url || (listed.endsWith('*') && url.startsWith(listed.slice(0, -1)));
}

function wordsFor(right: Right): string {
  if ('url' in right) return `${right.verb} ${right.url}`;
  const { verb, group, resource, name } = right;
  return `${verb} ${group ? `${resource}.${group}` : resource}${name === undefined ? '' : ` "${name}"`}`;
}

function refusalOf(account: Account, { verb, group, resource, subresource, namespace }: AccessRequest): string {
  const what = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${userOf(account)}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`;
}

function userOf({ namespace, name }: Account): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The rules of every role, by `ClusterRole/NAME` or `Role/NAMESPACE/NAME`. */
const rolesOf = oncePer((objects: readonly Json[]): Map<string, PolicyRule[]> => {
  const roles = new Map<string, PolicyRule[]>();
  for (const object of objects) {
    const name = getString(object, ['metadata', 'name']);
    if (!isRbac(object) || name === undefined) continue;
    const rules = rulesOf(object);
    if (object.kind === 'Role') roles.set(`Role/${getString(object, ['metadata', 'namespace']) ?? ''}/${name}`, rules);
    // What an aggregated role holds is written by a controller; without it nobody knows.
    if (object.kind === 'ClusterRole' && (rules.length > 0 || !isObject(object.aggregationRule))) {
      roles.set(`ClusterRole/${name}`, rules);
    }
  }
  return roles;
});

/** The role that a binding gives the account, and the namespace it is given in; none for everywhere. */
function boundRole(binding: Json, account: Account): { role: string; namespace?: string } | undefined {
  if (!isRbac(binding) || (binding.kind !== 'RoleBinding' && binding.kind !== 'ClusterRoleBinding')) return undefined;
  const namespace = binding.kind === 'RoleBinding' ? (getString(binding, ['metadata', 'namespace']) ?? '') : undefined;
  if (!listOf(binding.subjects).some((subject) => names(subject, account, namespace))) return undefined;
  const [kind, name] = [getString(binding, ['roleRef', 'kind']), getString(binding, ['roleRef', 'name'])];
  if (name === undefined) return undefined;
  if (kind === 'ClusterRole') return { role: `ClusterRole/${name}`, ...defined({ namespace }) };
  return kind === 'Role' && namespace !== undefined ? { role: `Role/${namespace}/${name}`, namespace } : undefined;
}

/** Whether a subject of a binding is the account: itself, as the user that it is, or one of its groups. */
function names(subject: Json, account: Account, bindingNamespace: string | undefined): boolean {
  const name = getString(subject, ['name']);
  if (name === undefined) return false;
  switch (getString(subject, ['kind'])) {
    case 'User':
      return name === userOf(account);
    case 'Group':
      return groupsOf(account).includes(name);
    case 'ServiceAccount':
      return name === account.name && (getString(subject, ['namespace']) || bindingNamespace) === account.namespace;
    default:
      return false;
  }
}

function groupsOf({ namespace }: Account): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
}

function isRbac(object: Json): object is JsonObject {
  return isObject(object) && getString(object, ['apiVersion'])?.startsWith('rbac.authorization.k8s.io/') === true;
}

/** A rule that has the wrong shape gives nothing, as the API server would have refused it. */
function rulesOf(role: JsonObject): PolicyRule[] {
  return listOf(role.rules)
    .filter(isObject)
    .map(({ apiGroups, resources, verbs, resourceNames, nonResourceURLs }) => ({
      apiGroups: words(apiGroups),
      resources: words(resources),
      verbs: words(verbs),
      resourceNames: words(resourceNames),
      nonResourceURLs: words(nonResourceURLs),
    }));
}

function words(value: Json | undefined): string[] {
  return listOf(value).filter((item): item is string => typeof item === 'string');
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
