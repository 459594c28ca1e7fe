/** What a cluster of our own must hold before it can be asked: as much of the platform as the repository touches, from `schemas/`. */

import { randomUUID } from 'node:crypto';
import { type ApiResponse, messageOf } from '../apiserver/types.js';
import type { Cluster } from '../cluster/cluster.js';
import { definitionsFor } from '../cluster/crds.js';
import { type SeedObject, seedObjects } from '../cluster/initial-objects.js';
import { ownedWhenApplied } from '../cluster/pending.js';
import { defined } from '../core/defined.js';
import type { Json, JsonObject, RenderedObject } from '../core/model.js';
import { getString } from '../core/object.js';
import { untilEstablished } from './apply.js';
import { type Client, inParallel, ServerUnavailableError } from './client.js';
import { addressOf } from './discovery.js';

/** The account of Flux itself, which may do everything. */
export const fluxAccount = { namespace: 'cozy-fluxcd', name: 'flux' };

const atOnce = 8;
const secondsUntilAuthorized = 30;
const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'customizer-lint', namespace: 'kube-system' } };
const markerPath = addressOf(
  { apiVersion: 'v1', namespace: 'kube-system', name: 'customizer-lint' },
  { resource: 'configmaps', namespaced: true },
);

/** Throws `Unanswered` where the cluster refuses what it is to hold. */
export async function seed(client: Client, cluster: Cluster): Promise<void> {
  if (!client.writes) throw new Error('only a cluster of our own is seeded');
  await plant(client, ['cozy-system', 'kube-system', ...namespacesFor(cluster)].map(namespace));
  await plant(client, [{ object: marker, manager: 'customizer-lint' }]);
  const definitions = definitionsFor(cluster).map((object) => ({ object, manager: 'cozystack-operator' }));
  await plant(client, definitions);
  await inParallel(definitions, atOnce, ({ object }) => untilEstablished(client, pathOf(object), 30));
  await plant(client, grantsFor(cluster), { mayRefuse: true });
  await plant(client, seedObjects(cluster));
  await untilAuthorized(client);
}

/** Whether the cluster is one that this tool has made. */
export async function isOurs(client: Client): Promise<boolean> {
  return (await client.ask({ method: 'GET', path: markerPath })).status === 200;
}

/**
 * Waits until the server judges by all roles and bindings that were written. Its authorizer reads each of the four kinds from
 * a watch of its own, in the order of writing: once it knows the last of each kind, it knows those before.
 * Throws `ServerUnavailableError` where it does not come to know them.
 */
async function untilAuthorized(client: Client): Promise<void> {
  const token = randomUUID();
  const [inCluster, inNamespace] = [`customizer-lint:cluster:${token}`, `customizer-lint:namespace:${token}`];
  const rules = [{ apiGroups: ['customizer-lint'], resources: ['probes'], resourceNames: [token], verbs: ['get'] }];
  const [name, namespace] = ['customizer-lint-probe', 'kube-system'];
  const to = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const user = (called: string) => [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: called }];
  await plant(client, [
    role('ClusterRole', { name }, { rules }),
    role('Role', { name, namespace }, { rules }),
    role('ClusterRoleBinding', { name }, { roleRef: to('ClusterRole'), subjects: user(inCluster) }),
    role('RoleBinding', { name, namespace }, { roleRef: to('Role'), subjects: user(inNamespace) }),
  ]);
  const end = Date.now() + secondsUntilAuthorized * 1000;
  for (const called of [inCluster, inNamespace])
    while (!(await isAllowed(client, called, token))) {
      if (Date.now() > end) {
        const why = `the server does not know the roles after ${secondsUntilAuthorized} s`;
        throw new ServerUnavailableError(`the cluster could not be filled: ${why}`, true);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

async function isAllowed(client: Client, user: string, name: string): Promise<boolean> {
  const asked = { group: 'customizer-lint', resource: 'probes', name, namespace: 'kube-system', verb: 'get' };
  const [apiVersion, kind] = ['authorization.k8s.io/v1', 'SubjectAccessReview'];
  const answer = await client.ask({
    method: 'POST',
    path: `/apis/${apiVersion}/subjectaccessreviews`,
    body: { apiVersion, kind, spec: { user, resourceAttributes: asked } },
  });
  if (answer.status >= 300)
    throw new ServerUnavailableError(`the cluster could not be filled: ${kind}: ${messageOf(answer)}`, true);
  return (answer.body.status as JsonObject | undefined)?.allowed === true;
}

/** `mayRefuse`: what is invalid is not in force, and left out; the dry run says of it what is wrong. */
async function plant(client: Client, objects: readonly SeedObject[], { mayRefuse = false } = {}): Promise<void> {
  await inParallel(objects, atOnce, async ({ object, manager, how }) => {
    const answer = how === 'create' ? await create(client, object, manager) : await apply(client, object, manager);
    if (answer.status < 300 || (how === 'create' && answer.status === 409)) return;
    if (mayRefuse && answer.status === 422) return;
    const name = `${object.kind} ${getString(object, ['metadata', 'name'])}`;
    throw new ServerUnavailableError(`the cluster could not be filled: ${name}: ${messageOf(answer)}`, true);
  });
}

function apply(client: Client, body: JsonObject, fieldManager: string): Promise<ApiResponse> {
  const query = { fieldManager, force: 'true' };
  return client.ask({ method: 'PATCH', path: pathOf(body), query, type: 'application/apply-patch+yaml', body });
}

function create(client: Client, body: JsonObject, fieldManager: string): Promise<ApiResponse> {
  const path = pathOf(body).replace(/\/[^/]+$/, '');
  return client.ask({ method: 'POST', path, query: { fieldManager }, body });
}

/** Of the kinds that are planted here, of which the address is known. */
const resources: Record<string, string> = {
  Namespace: 'namespaces',
  ConfigMap: 'configmaps',
  CustomResourceDefinition: 'customresourcedefinitions',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Package: 'packages',
  PackageSource: 'packagesources',
};

function pathOf(object: JsonObject): string {
  const resource = resources[String(object.kind)];
  if (resource === undefined) throw new Error(`nothing of kind ${object.kind} is planted`);
  const [namespace, name = ''] = [
    getString(object, ['metadata', 'namespace']),
    getString(object, ['metadata', 'name']),
  ];
  const apiVersion = String(object.apiVersion);
  return addressOf({ apiVersion, name, ...(namespace && { namespace }) }, { resource, namespaced: Boolean(namespace) });
}

function namespace(name: string): SeedObject {
  return {
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    manager: 'cozystack-package-controller',
  };
}

/** Those that are owned, that hold roles, and those of all objects, unless it is the change that brings them. */
function namespacesFor(cluster: Cluster): string[] {
  const { roles, head, base, contract } = cluster;
  const rendered = (objects: readonly RenderedObject[] = []) =>
    objects.filter(({ ref }) => ref.kind === 'Namespace' && ref.apiVersion === 'v1').map(({ ref }) => ref.name);
  const before = new Set(rendered(base?.objects));
  const brought = new Set(rendered(head.objects).filter((name) => !before.has(name)));
  const used = [...head.objects, ...(base?.objects ?? [])].map(({ ref }) => ref.namespace);
  const sure = [
    ...ownedWhenApplied(cluster),
    ...before,
    contract.rbac.account.namespace,
    fluxAccount.namespace,
    ...roles.map((role) => getString(role, ['metadata', 'namespace'])),
  ];
  const names = [...sure, ...used.filter((name) => name !== undefined && !brought.has(name))];
  return [...new Set(names)].filter((name): name is string => name !== undefined && isName(name)).sort();
}

/** What a repository names is not always one. */
function isName(name: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
}

/** The rights that the platform documents, and the roles that are known to be in force. */
function grantsFor(cluster: Cluster): SeedObject[] {
  const { contract, roles } = cluster;
  const { rbac } = contract;
  const subject = (account: { namespace: string; name: string }) => ({ kind: 'ServiceAccount', ...account });
  const to = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
  const customizer = rbac.account.name;
  const owned = `${customizer}-owned`;
  const rules = (list: Cluster['contract']['rbac']['cluster']) => list as unknown as Json;
  const bindings = ownedWhenApplied(cluster)
    .filter(isName)
    .map((place) =>
      role('RoleBinding', { name: owned, namespace: place }, { roleRef: to(owned), subjects: [subject(rbac.account)] }),
    );
  const known = roles.filter((one) => resources[String(one.kind)] && getString(one, ['metadata', 'name'])).map(plain);
  return [
    role('ClusterRole', { name: customizer }, { rules: rules(rbac.cluster) }),
    role('ClusterRole', { name: owned }, { rules: rules(rbac.owned) }),
    role('ClusterRoleBinding', { name: customizer }, { roleRef: to(customizer), subjects: [subject(rbac.account)] }),
    role('ClusterRoleBinding', { name: 'flux' }, { roleRef: to('cluster-admin'), subjects: [subject(fluxAccount)] }),
    ...bindings,
    ...known.map((object) => ({ object, manager: 'helm-controller' })),
  ];
}

function role(kind: string, metadata: JsonObject, more: JsonObject): SeedObject {
  return {
    object: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...more },
    manager: 'helm-controller',
  };
}

/** Without what another cluster has written into it. */
function plain({ apiVersion, kind, metadata, rules, roleRef, subjects }: JsonObject): JsonObject {
  const [name, place] = [
    getString({ metadata } as JsonObject, ['metadata', 'name']),
    getString({ metadata } as JsonObject, ['metadata', 'namespace']),
  ];
  return {
    apiVersion: apiVersion as Json,
    kind: kind as Json,
    metadata: { name: name as string, ...defined({ namespace: place }) },
    ...defined({ rules, roleRef, subjects }),
  };
}
