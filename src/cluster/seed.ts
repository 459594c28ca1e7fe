/** What a cluster of our own must hold before it can be asked: as much of the platform as the repository touches, from `schemas/`. */
import { platformName } from '../contract/catalog.js';
import type { Definition } from '../contract/schemas.js';
import type { Cluster } from '../facts/clusters.js';
import { isPackage, knownPlatformValues } from '../facts/platform.js';
import type { Json, JsonObject, RenderedObject } from '../model.js';
import { groupOf, isObject, textAt } from '../object.js';
import { untilEstablished } from './apply.js';
import { type Answer, type Client, inParallel, messageOf, Unanswered } from './client.js';
import { addressOf } from './discovery.js';

/** The account of Flux itself, which may do everything. */
export const fluxAccount = { namespace: 'cozy-fluxcd', name: 'flux' };

type Planted = { object: JsonObject; manager: string; how?: 'create' };

const atOnce = 8;
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
  const definitions = definitionsFor(cluster).map((one) => ({
    object: definition(one),
    manager: 'cozystack-operator',
  }));
  await plant(client, definitions);
  await inParallel(definitions, atOnce, ({ object }) => untilEstablished(client, pathOf(object), 30));
  await plant(client, grantsFor(cluster));
  await plant(client, platformObjects(cluster));
}

/** Whether the cluster is one that this tool has made. */
export async function isOurs(client: Client): Promise<boolean> {
  return (await client.ask({ method: 'GET', path: markerPath })).status === 200;
}

async function plant(client: Client, objects: readonly Planted[]): Promise<void> {
  await inParallel(objects, atOnce, async ({ object, manager, how }) => {
    const answer = how === 'create' ? await create(client, object, manager) : await apply(client, object, manager);
    if (answer.status < 300 || (how === 'create' && answer.status === 409)) return;
    const name = `${object.kind} ${textAt(object, ['metadata', 'name'])}`;
    throw new Unanswered(`the cluster could not be filled: ${name}: ${messageOf(answer)}`, true);
  });
}

function apply(client: Client, body: JsonObject, fieldManager: string): Promise<Answer> {
  const query = { fieldManager, force: 'true' };
  return client.ask({ method: 'PATCH', path: pathOf(body), query, type: 'application/apply-patch+yaml', body });
}

function create(client: Client, body: JsonObject, fieldManager: string): Promise<Answer> {
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
  const [namespace, name = ''] = [textAt(object, ['metadata', 'namespace']), textAt(object, ['metadata', 'name'])];
  const apiVersion = String(object.apiVersion);
  return addressOf({ apiVersion, name, ...(namespace && { namespace }) }, { resource, namespaced: Boolean(namespace) });
}

function namespace(name: string): Planted {
  return {
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    manager: 'cozystack-package-controller',
  };
}

/** Those that are owned, that hold roles, and those of all objects, unless it is the change that brings them. */
function namespacesFor({ facts, roles, head, base, contract }: Cluster): string[] {
  const rendered = (objects: readonly RenderedObject[] = []) =>
    objects.filter(({ ref }) => ref.kind === 'Namespace' && ref.apiVersion === 'v1').map(({ ref }) => ref.name);
  const before = new Set(rendered(base?.objects));
  const brought = new Set(rendered(head.objects).filter((name) => !before.has(name)));
  const used = [...head.objects, ...(base?.objects ?? [])].map(({ ref }) => ref.namespace);
  const sure = [
    ...(facts.get('ownedNamespaces').value as string[]),
    ...[...before, contract.rbac.account.namespace, fluxAccount.namespace],
    ...roles.map((role) => textAt(role, ['metadata', 'namespace'])),
  ];
  const names = [...sure, ...used.filter((name) => name !== undefined && !brought.has(name))];
  return [...new Set(names)].filter((name): name is string => name !== undefined && isName(name)).sort();
}

/** What a repository names is not always one. */
function isName(name: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
}

function definitionsFor({ contract, head, base, snapshot }: Cluster): Definition[] {
  const used = [...head.objects, ...(base?.objects ?? [])].flatMap(({ value }) => kindsIn(value));
  const kinds = new Set(['cozystack.io/Package', 'cozystack.io/PackageSource', ...used]);
  return [...kinds].sort().flatMap((key) => {
    const [group = '', kind = ''] = key.split('/');
    const known = contract.schemas.definition(group, kind);
    return known ? asServed(known, snapshot?.kinds?.[key]) : [];
  });
}

/** In the versions that a snapshot has seen; of one that the release does not have, nothing but its name is known. */
function asServed(known: Definition, seen: readonly string[] | undefined): Definition {
  if (!seen || seen.length === 0) return known;
  const versions = known.versions.map((version) => ({ ...version, served: seen.includes(version.name) }));
  const others = seen.filter((name) => !known.versions.some((version) => version.name === name));
  const schema = { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true as const };
  const more = others.map((name) => ({ name, served: true, storage: false, deprecated: false, schema }));
  return { ...known, versions: [...versions, ...more] };
}

/** That of an object and those it refers to, by `apiVersion` and `kind` or, as Flux's objects do, by the kind of a source alone. */
function kindsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(kindsIn);
  if (!isObject(value)) return [];
  const { kind, apiVersion, apiGroup } = value;
  const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : (apiGroup ?? 'source.toolkit.fluxcd.io');
  const own = typeof kind === 'string' ? [`${group}/${kind}`] : [];
  return [...own, ...Object.values(value).flatMap(kindsIn)];
}

function definition({ group, kind, plural, scope, versions }: Definition): JsonObject {
  const approval = 'api-approved.kubernetes.io';
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  const stored = versions.find(({ storage }) => storage) ?? versions.find(({ served }) => served);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(isProtected && { annotations: { [approval]: 'unapproved, for a dry run' } }),
    },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: versions.map((version) => ({
        name: version.name,
        served: version.served,
        storage: version === stored,
        ...(version.deprecated && { deprecated: true }),
        schema: { openAPIV3Schema: version.schema as unknown as JsonObject },
        ...(version.schema.properties?.status && { subresources: { status: {} } }),
      })),
    },
  };
}

/** The rights that the platform documents, and the roles that are known to be in force. */
function grantsFor({ contract, facts, roles }: Cluster): Planted[] {
  const { rbac } = contract;
  const subject = (account: { namespace: string; name: string }) => ({ kind: 'ServiceAccount', ...account });
  const role = (kind: string, metadata: JsonObject, more: JsonObject) => ({
    object: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...more },
    manager: 'helm-controller',
  });
  const to = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
  const customizer = rbac.account.name;
  const owned = `${customizer}-owned`;
  const rules = (list: Cluster['contract']['rbac']['cluster']) => list as unknown as Json;
  const bindings = (facts.get('ownedNamespaces').value as string[])
    .filter(isName)
    .map((place) =>
      role('RoleBinding', { name: owned, namespace: place }, { roleRef: to(owned), subjects: [subject(rbac.account)] }),
    );
  const known = roles.filter((one) => resources[String(one.kind)] && textAt(one, ['metadata', 'name'])).map(plain);
  return [
    role('ClusterRole', { name: customizer }, { rules: rules(rbac.cluster) }),
    role('ClusterRole', { name: owned }, { rules: rules(rbac.owned) }),
    role('ClusterRoleBinding', { name: customizer }, { roleRef: to(customizer), subjects: [subject(rbac.account)] }),
    role('ClusterRoleBinding', { name: 'flux' }, { roleRef: to('cluster-admin'), subjects: [subject(fluxAccount)] }),
    ...bindings,
    ...known.map((object) => ({ object, manager: 'helm-controller' })),
  ];
}

/** Without what another cluster has written into it. */
function plain({ apiVersion, kind, metadata, rules, roleRef, subjects }: JsonObject): JsonObject {
  const [name, place] = [
    textAt({ metadata } as JsonObject, ['metadata', 'name']),
    textAt({ metadata } as JsonObject, ['metadata', 'namespace']),
  ];
  return {
    apiVersion: apiVersion as Json,
    kind: kind as Json,
    metadata: { name: name as string, ...(place !== undefined && { namespace: place }) },
    ...(rules !== undefined && { rules }),
    ...(roleRef !== undefined && { roleRef }),
    ...(subjects !== undefined && { subjects }),
  };
}

/** The Packages and PackageSources that the repository names and the platform has, as those who write them leave them. */
function platformObjects(cluster: Cluster): Planted[] {
  const { contract, head, base } = cluster;
  const named = [...head.objects, ...(base?.objects ?? [])].filter(({ ref }) =>
    ref.apiVersion.startsWith('cozystack.io/'),
  );
  const of = (kind: string) =>
    [...new Set(named.filter(({ ref }) => ref.kind === kind).map(({ ref }) => ref.name))].sort();
  const sources = of('PackageSource').filter((name) => contract.catalog.source(name));
  return [
    ...sources.map((name) => ({
      object: packageSource(name, cluster),
      manager: name === platformName ? 'cozystack-operator' : 'helm-controller',
    })),
    ...of('Package').flatMap((name) => packageThere(name, cluster) ?? []),
  ];
}

function packageSource(name: string, { contract }: Cluster): JsonObject {
  const variants = contract.catalog.source(name)?.variants ?? [];
  return {
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource', metadata: { name } },
    spec: {
      sourceRef: { kind: 'OCIRepository', name: 'cozystack-packages', namespace: 'cozy-system' },
      variants: variants.map(({ name, dependsOn, components }) => ({
        name,
        ...(dependsOn.length > 0 && { dependsOn: [...dependsOn] }),
        components: components.map(({ name, path, install }) => ({
          name,
          path,
          ...(install && { install: { ...install, dependsOn: [...install.dependsOn] } }),
        })),
      })),
    },
  };
}

/** Undefined for one that no platform makes. One that this platform is told not to make was made by hand, or it would not be named. */
function packageThere(name: string, cluster: Cluster): Planted | undefined {
  const { contract, facts, snapshot, base } = cluster;
  const object = (spec: JsonObject) => ({
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name }, spec },
  });
  if (name === platformName) {
    const values = JSON.parse(JSON.stringify(knownPlatformValues({ facts, objects: [] }))) as JsonObject;
    const spec = { variant: String(facts.get('variant').value), components: { platform: { values } } };
    return { object: object(spec), manager: 'kubectl-client-side-apply', how: 'create' };
  }
  const variant = contract.catalog.platformVariant(String(facts.get('variant').value));
  const emitted =
    variant?.packages[name] ??
    Object.values(variant?.optional ?? {}).find((change) => change[name])?.[name] ??
    undefined;
  const before = (base?.objects ?? []).some((one) => isPackage(one) && one.ref.name === name);
  const seen = snapshot ? Object.hasOwn(snapshot.packages, name) : undefined;
  const made = seen ?? (before || emitted !== undefined);
  if (!made) return undefined;
  const { variant: own = 'default', components } = emitted ?? {};
  const spec = { variant: snapshot?.packages[name]?.variant ?? own, ...(components && { components }) };
  return { object: object(spec as JsonObject), manager: 'helm-controller' };
}
