/** Who may do what: the rules' own answer beside the authorizer of a real API server, on the documented rights and random ones. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/core/model.js';
import {
  type AccessRequest,
  allows,
  type Grants,
  grantedBeyond,
  grantsOf,
  loadRbac,
} from '../../../src/cozystack/rbac.js';
import { randomOf } from '../../bench/generate.mjs';
import { root } from '../../support/cli.js';
import { type Cluster, startCluster } from '../../support/cluster.js';

const rbac = loadRbac(`${root}schemas`);
const account = rbac.account;
const user = `system:serviceaccount:${account.namespace}:${account.name}`;
const owned = ['cozy-customizer', 'tools'];
const namespaces = ['cozy-system', 'cozy-customizer', 'tools', 'other', 'kube-system', 'default'];
const group = 'rbac.authorization.k8s.io';
let cluster: Cluster;
let grants: Grants;
/** All that is in force. */
let inForce: JsonObject[];

const random = randomOf(9);
const one = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
const some = <Item>(items: readonly Item[], most: number): Item[] => [
  ...new Set(Array.from({ length: 1 + random(most) }, () => one(items))),
];

const groups = ['', 'apps', 'cozystack.io', 'source.toolkit.fluxcd.io', 'helm.toolkit.fluxcd.io', group];
const resources = ['configmaps', 'secrets', 'namespaces', 'deployments', 'packages', 'packagesources', 'roles', 'pods'];
const verbs = ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete', 'deletecollection', 'impersonate'];
const names = ['a', 'b', 'tools', 'other', 'cozystack.metallb'];

beforeAll(async () => {
  cluster = await startCluster();
  const objects = [
    ...documented(),
    ...Array.from({ length: 24 }, (_, index) => randomRole(index)).flat(),
    ...limited(),
  ];
  for (const name of namespaces) await cluster.adminRequest('POST', '/api/v1/namespaces', { metadata: { name } });
  for (const object of objects) {
    const { kind, metadata } = object as { kind: string; metadata: { namespace?: string } };
    const place = metadata.namespace ? `/namespaces/${metadata.namespace}` : '';
    const path = `/apis/${group}/v1${place}/${kind.toLowerCase()}s`;
    const { status, body } = await cluster.adminRequest('POST', path, object);
    expect([status, body.message]).toEqual([201, undefined]);
  }
  grants = grantsOf(rbac, { ownedNamespaces: owned, objects: objects.slice(documented().length) });
  inForce = objects;
});

afterAll(() => cluster?.stop());

/** What the platform's chart makes of the table. */
function documented(): JsonObject[] {
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  const to = (name: string) => ({ apiGroup: group, kind: 'ClusterRole', name });
  return [
    object('ClusterRole', { name: 'customizer' }, { rules: rbac.cluster as unknown as Json }),
    object('ClusterRole', { name: 'owned' }, { rules: rbac.owned as unknown as Json }),
    object('ClusterRoleBinding', { name: 'customizer' }, { roleRef: to('customizer'), subjects }),
    ...owned.map((namespace) =>
      object('RoleBinding', { name: 'owned', namespace }, { roleRef: to('owned'), subjects }),
    ),
  ];
}

const author = { namespace: 'cozy-system', name: 'author' };

/** One that may write roles and bindings, and neither escalate nor bind, but for one of each. */
function limited(): JsonObject[] {
  const subjects = [{ kind: 'ServiceAccount', ...author }];
  const own = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];
  const wide: Json[] = [
    { apiGroups: [group], resources: own, verbs: ['get', 'create', 'patch'] },
    { apiGroups: [group], resources: ['roles'], resourceNames: ['free'], verbs: ['escalate'] },
    { apiGroups: [group], resources: ['clusterroles'], resourceNames: ['random-3', 'owned'], verbs: ['bind'] },
    { apiGroups: ['', 'apps'], resources: ['configmaps', 'pods', '*/scale'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get', 'patch'] },
    { nonResourceURLs: ['/metrics/*', '/healthz'], verbs: ['get'] },
  ];
  const here: Json[] = [{ apiGroups: ['*'], resources: ['configmaps', 'secrets', 'deployments'], verbs: ['*'] }];
  const roleRef = (kind: string) => ({ apiGroup: group, kind, name: 'author' });
  return [
    object('ClusterRole', { name: 'author' }, { rules: wide }),
    object('ClusterRoleBinding', { name: 'author' }, { roleRef: roleRef('ClusterRole'), subjects }),
    object('Role', { name: 'author', namespace: 'tools' }, { rules: here }),
    object('RoleBinding', { name: 'author', namespace: 'tools' }, { roleRef: roleRef('Role'), subjects }),
  ];
}

function object(kind: string, metadata: JsonObject, rest: JsonObject): JsonObject {
  return { apiVersion: `${group}/v1`, kind, metadata, ...rest };
}

/** A role and a binding of it: for the account, a group of it, or somebody else. */
function randomRole(index: number): JsonObject[] {
  const name = `random-${index}`;
  const isCluster = random(3) === 0;
  const namespace = isCluster ? undefined : one(namespaces);
  const rules = Array.from({ length: 1 + random(3) }, () => ({
    apiGroups: some([...groups, '*'], 2),
    resources: some([...resources, 'pods/log', '*/scale', '*/scale', '*'], 3),
    verbs: some([...verbs, '*'], 4),
    ...(random(3) === 0 && { resourceNames: some(names, 2) }),
  }));
  const ofNamespace = !isCluster && random(2) === 0;
  const subjects = [
    one<JsonObject>([
      { kind: 'ServiceAccount', ...account },
      { kind: 'ServiceAccount', ...account },
      { kind: 'ServiceAccount', name: account.name, namespace: 'other' },
      { kind: 'Group', apiGroup: group, name: `system:serviceaccounts:${account.namespace}` },
      { kind: 'Group', apiGroup: group, name: 'system:authenticated' },
      { kind: 'User', apiGroup: group, name: user },
      { kind: 'User', apiGroup: group, name: 'somebody' },
    ]),
  ];
  const roleRef = { apiGroup: group, kind: ofNamespace ? 'Role' : 'ClusterRole', name };
  const place: JsonObject = namespace === undefined ? {} : { namespace };
  return [
    object(roleRef.kind, { name, ...(ofNamespace ? place : {}) }, { rules }),
    object(isCluster ? 'ClusterRoleBinding' : 'RoleBinding', { name, ...place }, { roleRef, subjects }),
  ];
}

function randomRequest(): AccessRequest {
  const resource = one([...resources, 'clusterroles', 'gitrepositories', 'helmreleases']);
  const name = random(3) > 0 ? one(names) : undefined;
  const namespace = random(4) > 0 ? one(namespaces) : undefined;
  const subresource = random(6) === 0 ? one(['log', 'scale', 'status']) : undefined;
  return {
    ...{ verb: one(verbs), group: one(groups), resource },
    ...(subresource && { subresource }),
    ...(namespace && { namespace }),
    ...(name && { name }),
  };
}

async function inTens<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += 10)
    results.push(...(await Promise.all(items.slice(start, start + 10).map(work))));
  return results;
}

test('a thousand questions have the answers of SelfSubjectAccessReview', async () => {
  const requests = Array.from({ length: 1500 }, randomRequest);
  const answers = await inTens(requests, async (request) => {
    // A request for one Namespace is made in that namespace.
    const isNamespace = request.group === '' && request.resource === 'namespaces';
    const { namespace: _, ...elsewhere } = request;
    const resourceAttributes = isNamespace
      ? { ...elsewhere, ...(request.name && { namespace: request.name }) }
      : request;
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const { body } = await cluster.adminRequest('POST', path, review, { as: user });
    return { request, allowed: body.status.allowed };
  });
  const ours = requests.map((request) => ({ request, allowed: allows(grants, request).allowed }));
  expect(ours).toEqual(answers);
  const granted = ours.filter(({ allowed }) => allowed).length;
  expect(Math.min(granted, ours.length - granted)).toBeGreaterThan(200);
}, 300_000);

test('a hundred dry runs are allowed, and refused in these words', async () => {
  const kinds = [
    { apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps', group: '', root: '/api/v1' },
    { apiVersion: 'v1', kind: 'Secret', resource: 'secrets', group: '', root: '/api/v1' },
    { apiVersion: 'v1', kind: 'Namespace', resource: 'namespaces', group: '', root: '/api/v1' },
    { apiVersion: `${group}/v1`, kind: 'Role', resource: 'roles', group, root: `/apis/${group}/v1` },
  ];
  const there = new Set<string>();
  for (const namespace of namespaces) {
    await cluster.adminRequest('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'a' } });
    there.add(`ConfigMap ${namespace} a`).add(`Namespace  ${namespace}`);
  }
  const requests = Array.from({ length: 160 }, () => {
    const kind = one(kinds);
    const isNamespace = kind.kind === 'Namespace';
    return { ...kind, namespace: isNamespace ? '' : one(namespaces), name: isNamespace ? one(namespaces) : one(names) };
  });
  const said = await inTens(requests, async ({ apiVersion, kind, resource, root: base, namespace, name }) => {
    const metadata = { name, ...(namespace && { namespace }) };
    const path = `${base}${namespace && `/namespaces/${namespace}`}/${resource}/${name}?dryRun=All&fieldManager=x`;
    const { status, body } = await cluster.adminRequest('PATCH', path, { apiVersion, kind, metadata }, { as: user });
    return status === 403 ? body.message.replace(/^.*? is forbidden: /, '') : 'allowed';
  });
  const ours = requests.map(({ kind, resource, group: of, namespace, name }) => {
    const about = { group: of, resource, name, ...(namespace && { namespace }) };
    const asked = there.has(`${kind} ${namespace} ${name}`) ? ['patch'] : ['patch', 'create'];
    for (const verb of asked) {
      const verdict = allows(grants, { verb, ...about });
      if (!verdict.allowed) return verdict.refusal;
    }
    return 'allowed';
  });
  expect(ours.map((answer, index) => [requests[index], answer])).toEqual(
    said.map((answer, index) => [requests[index], answer]),
  );
  const allowed = ours.filter((answer) => answer === 'allowed').length;
  expect(Math.min(allowed, ours.length - allowed)).toBeGreaterThan(20);
}, 300_000);

/** What the author may be able to grant as often as not. */
function randomGrant(index: number): JsonObject {
  const kind = one(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
  const isCluster = kind.startsWith('Cluster');
  const metadata = {
    name: random(6) === 0 ? 'free' : `grant-${index}`,
    ...(!isCluster && { namespace: one(['tools', 'other']) }),
  };
  if (kind.endsWith('Binding')) {
    const known = inForce.filter((role) => role.kind === 'ClusterRole' || (!isCluster && role.kind === 'Role'));
    const { kind: of, metadata: to } = one(known) as { kind: string; metadata: { name: string } };
    return object(kind, metadata, { roleRef: { apiGroup: group, kind: of, name: to.name }, subjects: [] });
  }
  const rules: Json[] = Array.from({ length: 1 + random(2) }, () => ({
    apiGroups: some(['', '', 'apps', '*'], 2),
    resources: some(['configmaps', 'secrets', 'pods', 'deployments/scale', '*/scale', 'pods/log', '*'], 2),
    verbs: some(['get', 'list', 'watch', 'patch', '*'], 2),
    ...(random(3) === 0 && { resourceNames: some(names, 2) }),
  }));
  const urls = {
    nonResourceURLs: [one(['/metrics', '/metrics/*', '/metrics/a', '/healthz', '/logs', '*'])],
    verbs: ['get'],
  };
  if (isCluster && random(8) === 0)
    return object(kind, metadata, {
      rules: [],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    });
  return object(kind, metadata, { rules: isCluster && random(3) === 0 ? [...rules.slice(1), urls] : rules });
}

test('of roles and bindings the API server refuses those that grant more than their author has', async () => {
  const rights = grantsOf(rbac, { account: author, ownedNamespaces: owned, objects: inForce });
  const asAuthor = { as: `system:serviceaccount:${author.namespace}:${author.name}` };
  const objects = Array.from({ length: 400 }, (_, index) => randomGrant(index));
  const said = await inTens(objects, async (one) => {
    const { kind, metadata } = one as { kind: string; metadata: { namespace?: string; name: string } };
    const place = metadata.namespace ? `/namespaces/${metadata.namespace}` : '';
    const path = `/apis/${group}/v1${place}/${kind.toLowerCase()}s/${metadata.name}?dryRun=All&fieldManager=x`;
    const { status, body } = await cluster.adminRequest('PATCH', path, one, asAuthor);
    if (status === 403) {
      expect(body.message).toMatch(/attempting to grant RBAC permissions|must have cluster-admin privileges/);
      return 'refused';
    }
    return status === 404 ? 'not there' : status === 201 ? 'made' : `${status} ${body.message}`;
  });
  const ours = objects.map((one) => {
    const granted = grantedBeyond(rights, one, inForce);
    return granted === 'unknown' ? 'not there' : granted.beyond === undefined ? 'made' : 'refused';
  });
  expect(ours.map((answer, index) => [objects[index], answer])).toEqual(
    said.map((answer, index) => [objects[index], answer]),
  );
  for (const answer of ['made', 'refused', 'not there'])
    expect(ours.filter((one) => one === answer).length).toBeGreaterThan(10);
}, 300_000);
