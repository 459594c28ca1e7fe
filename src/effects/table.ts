/**
 * Which effects of a change count, and how much: one table of kinds and fields. The rules `sensitive-change` and `deleted-object` report
 * its rows, and docs/trust.md prints it. An effect that the base has unchanged is none, and what is in no row has no effect.
 */

import { isDeepStrictEqual } from 'node:util';
import type { EffectKind, FieldPath, Json, JsonObject, Severity } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { customizer } from '../cozystack/customizer.js';
import { isPackage, isPackageSource, platformValuesPath } from '../cozystack/package.js';
import type { Applied } from '../flux/applied.js';
import { ownersOf } from '../flux/applied.js';
import { type Change, changesBetween, differsAt, groupKind, nodesIn, releaseKind } from './change.js';
import { holdsData, removedParts } from './data.js';
import { imagesIn, repositoriesIn } from './images.js';
import { isNetworkPolicy, opensBy } from './network.js';
import { accountOf, podsIn } from './pods.js';
import {
  copyingAnnotations,
  dataSourcesOf,
  differsBeyondLabels,
  isClusterWide,
  isInPlatform,
  isOtherActor,
  overwritesData,
  platformLabels,
  platformValues,
  releaseActions,
} from './reach.js';
import { escapesIn, hostVolumes, networksOf, placementsIn, weakenedLevel } from './sandbox.js';
import { keysRead, secretReferencesIn, secretsMadeBy } from './secret-references.js';
import { accountsInValues, hasValues, namedEscapes, openingsInValues } from './values.js';

/** An effect of one object: the field that has it, and what the message says of it. */
export type Found = { path: FieldPath; what?: string };

/** All objects before and after, which decide what is new in one of them. */
export type Objects = { base: readonly Applied[]; head: readonly Applied[] };

export type EffectRow = {
  id: string;
  effect: EffectKind;
  /** For the documents: which kinds, and which of their fields. */
  kinds: string;
  fields: string;
  /** On a fork's pull request it is an error; on a branch of the repository this, or nothing. */
  own?: Severity;
  find(change: Change, objects: Objects): Found[];
};

const fluxKinds = {
  release: releaseKind,
  kustomization: 'kustomize.toolkit.fluxcd.io/Kustomization',
};
const acting: readonly string[] = Object.values(fluxKinds);

/** Fields of Flux objects that decide when something is done, and not what. */
const timing = {
  [fluxKinds.release]: new Set([
    'interval',
    'timeout',
    'maxHistory',
    'suspend',
    'dependsOn',
    'values',
    'test',
    'driftDetection',
    ...['install', 'upgrade', 'rollback', 'uninstall'],
  ]),
  [fluxKinds.kustomization]: new Set([
    ...['interval', 'retryInterval', 'timeout', 'wait', 'healthChecks', 'healthCheckExprs', 'dependsOn', 'suspend'],
  ]),
  source: new Set(['interval', 'timeout', 'suspend']),
};

/** Groups that decide who may do what, and what the API server accepts and serves. */
const accessGroups = new Set([
  'rbac.authorization.k8s.io',
  'admissionregistration.k8s.io',
  'apiregistration.k8s.io',
  'apiextensions.k8s.io',
  'certificates.k8s.io',
  'kyverno.io',
  'policies.kyverno.io',
  'templates.gatekeeper.sh',
  'constraints.gatekeeper.sh',
  // Groups of users of the platform, and the clients that log in for them.
  'v1.edp.epam.com',
]);
const accessKinds = new Set([
  'cozystack.io/ApplicationDefinition',
  'cozystack.io/CozystackResourceDefinition',
  'gateway.networking.k8s.io/ReferenceGrant',
]);

const name: FieldPath = ['metadata', 'name'];
const shard: FieldPath = ['metadata', 'labels', 'sharding.fluxcd.io/key'];
const ownSettings: FieldPath = [...platformValuesPath, 'customizer'];
const disabledPackages: FieldPath = [...platformValuesPath, 'bundles', 'disabledPackages'];

export const effectRows: readonly EffectRow[] = [
  {
    id: 'acting-object',
    effect: 'rights',
    kinds: 'HelmRelease, Flux Kustomization',
    fields: 'a new one; `spec.serviceAccountName`, `spec.kubeConfig`',
    find: (change) => {
      if (!acting.includes(groupKind(change.object.ref))) return [];
      if (!change.before) return [{ path: name }];
      return changed(change, ['spec'], (field) => field === 'serviceAccountName' || field === 'kubeConfig');
    },
  },
  {
    id: 'acting-content',
    effect: 'source',
    kinds: 'HelmRelease, Flux Kustomization',
    fields:
      'of `spec` all but the values of a release, and what decides when it is applied: source, chart, version, path, `valuesFrom`, patches',
    find: (change) => {
      const still = timing[groupKind(change.object.ref)];
      if (!still || !acting.includes(groupKind(change.object.ref)) || !change.before) return [];
      const isOther = (field: string) => !still.has(field) && field !== 'serviceAccountName' && field !== 'kubeConfig';
      return changed(change, ['spec'], isOther);
    },
  },
  {
    id: 'package-source',
    effect: 'rights',
    kinds: 'PackageSource',
    fields: 'a new one; all of `spec`',
    find: (change) => {
      if (!isPackageSource(change.object)) return [];
      return change.before ? changed(change, ['spec'], () => true) : [{ path: name }];
    },
  },
  {
    id: 'source',
    effect: 'source',
    kinds: 'sources of Flux (`source.toolkit.fluxcd.io`)',
    fields:
      'a new one; of `spec` all but what decides when it is fetched: URL, `ref`, credentials, verification, `ignore`',
    find: (change) => {
      if (!groupKind(change.object.ref).startsWith('source.toolkit.fluxcd.io/')) return [];
      if (!change.before) return [{ path: name }];
      return changed(change, ['spec'], (field) => !timing.source.has(field));
    },
  },
  {
    id: 'other-actor',
    effect: 'rights',
    kinds:
      'image automation and notifications of Flux, Terraform and Helm controllers, Crossplane, Tekton: objects by which others act or fetch',
    fields: 'all but labels',
    find: (change) => (isOtherActor(change) && differsBeyondLabels(change) ? [{ path: name }] : []),
  },
  {
    id: 'values-content',
    effect: 'source',
    kinds: 'ConfigMap, Secret',
    fields: 'the data of one from which a HelmRelease takes its values (`valuesFrom`)',
    find: (change, { head }) => {
      const { kind, namespace, name: own } = change.object.ref;
      if (!change.before || !['/ConfigMap', '/Secret'].includes(groupKind(change.object.ref))) return [];
      const isRead = valuesRead(head).has(JSON.stringify([namespace, kind, own]));
      return isRead ? changed(change, [], (field) => ['data', 'binaryData', 'stringData', 'sops'].includes(field)) : [];
    },
  },
  {
    id: 'embedded-object',
    effect: 'rights',
    kinds: 'HelmRelease, Package, application',
    fields: 'a value that is a manifest, or a text with one',
    find: embeddedObjects,
  },
  {
    id: 'shard',
    effect: 'disables',
    kinds: 'objects of Flux',
    fields: 'the label `sharding.fluxcd.io/key`',
    own: 'warning',
    find: (change) => {
      const isFlux = /^[^/]*\.toolkit\.fluxcd\.io\//.test(groupKind(change.object.ref));
      return isFlux && differsAt(change, shard) ? [placed(change.object, shard)] : [];
    },
  },
  {
    id: 'escape',
    effect: 'sandbox',
    kinds: 'any with pods in it',
    fields:
      'what the baseline profile of the Pod Security Standards forbids: privileged, capabilities, host namespaces, `hostPath`, `hostPort`, unconfined profiles, hosts of probes',
    own: 'warning',
    find: (change) => podsIn(change).flatMap(escapesIn),
  },
  {
    id: 'placement',
    effect: 'sandbox',
    kinds: 'any with pods in it',
    fields: '`runtimeClassName`, `nodeName`, and volumes that the restricted profile does not allow, such as `nfs`',
    find: (change) => podsIn(change).flatMap(placementsIn),
  },
  {
    id: 'named-escape',
    effect: 'sandbox',
    kinds: 'any; accounts of HelmRelease, Package, application',
    fields:
      'fields and values with the names of such fields, wherever they are: `privileged`, `hostNetwork`, `hostPath`, `hostDisk`, `capabilities.add`; `serviceAccount.name` that the chart does not create',
    find: (change) => [
      ...namedEscapes(
        change,
        podsIn(change).map(({ path }) => path),
      ),
      ...accountsInValues(change),
    ],
  },
  {
    id: 'host-volume',
    effect: 'sandbox',
    kinds: 'PersistentVolume',
    fields: '`hostPath` or `local`, by which a pod that claims it gets a path of the node',
    own: 'warning',
    find: hostVolumes,
  },
  {
    id: 'pod-security-level',
    effect: 'sandbox',
    kinds: 'Namespace',
    fields: 'a weaker `pod-security.kubernetes.io/enforce`',
    own: 'warning',
    find: (change) => {
      const path = weakenedLevel(change);
      return path ? [placed(change.object, path)] : [];
    },
  },
  {
    id: 'pod-account',
    effect: 'sandbox',
    kinds: 'any with pods in it',
    fields: '`serviceAccountName`, unless the change itself creates the account',
    own: 'warning',
    find: otherAccounts,
  },
  {
    id: 'image',
    effect: 'sandbox',
    kinds: 'any',
    fields: 'an image of another registry or repository; in what is new, one that nothing in the base uses',
    own: 'warning',
    find: otherImages,
  },
  {
    id: 'access',
    effect: 'access',
    kinds:
      'RBAC, webhooks, admission policies, CRDs, APIServices, ApplicationDefinitions, token Secrets, users and clients of Keycloak',
    fields:
      'all, but of a Role, a RoleBinding and a ClusterRoleBinding not labels, nor annotations of others than Flux and Kubernetes',
    own: 'notice',
    find: (change) => (decidesAccess(change.object) && !isOnlyLabelled(change) ? [{ path: name }] : []),
  },
  {
    id: 'cluster-wide',
    effect: 'access',
    kinds: 'cluster-scoped objects, such as PersistentVolume, StorageClass, Node or ClusterIssuer',
    fields: 'all but labels; of a Namespace the labels of `cozystack.io`',
    find: (change) => {
      const isNamed = decidesAccess(change.object) || hostVolumes(change).length > 0;
      const isOther = isClusterWide(change) && !isNamed && differsBeyondLabels(change);
      return [...(isOther ? [{ path: name }] : []), ...platformLabels(change).map((path) => ({ path }))];
    },
  },
  {
    id: 'platform-namespace',
    effect: 'access',
    kinds:
      'any in a namespace `kube-*` or `cozy-*` other than cozy-customizer, unless the repository makes that namespace',
    fields: 'all but labels',
    find: (change, { base }) =>
      isInPlatform(change, base) && !isActing(change) && !decidesAccess(change.object) && differsBeyondLabels(change)
        ? [{ path: name }]
        : [],
  },
  {
    id: 'account-identity',
    effect: 'access',
    kinds: 'ServiceAccount, Secret',
    fields: 'annotations that give an account an identity outside the cluster, or copy a Secret to other namespaces',
    find: (change) => copyingAnnotations(change).map((path) => ({ path })),
  },
  {
    id: 'network-policy',
    effect: 'network',
    kinds: 'NetworkPolicy, and those of Cilium and Calico',
    fields: 'more that is let through',
    own: 'warning',
    find: (change, { base }) => {
      const path = isNetworkPolicy(change.object) ? opensBy(change, base) : undefined;
      return path ? [placed(change.object, path)] : [];
    },
  },
  {
    id: 'address',
    effect: 'network',
    kinds: 'Service, Endpoints, EndpointSlice',
    fields: '`externalIPs`, `externalName`; a new Endpoints or EndpointSlice',
    own: 'warning',
    find: (change) => {
      const kind = groupKind(change.object.ref);
      if (kind === '/Endpoints' || kind === 'discovery.k8s.io/EndpointSlice') return [{ path: name }];
      if (kind !== '/Service') return [];
      return changed(change, ['spec'], (field) => ['externalIPs', 'externalName'].includes(field)).filter(
        ({ path }) => lookUp(change.object.value, path) !== undefined,
      );
    },
  },
  {
    id: 'pod-network',
    effect: 'network',
    kinds: 'any with pods in it; HelmRelease, Package, application',
    fields:
      'annotations that attach a pod to other networks, labels of `policy.cozystack.io`; values that switch network policies off, `externalIPs` among values',
    find: (change) => [...podsIn(change).flatMap(networksOf), ...openingsInValues(change)],
  },
  {
    id: 'data-source',
    effect: 'source',
    kinds: 'PersistentVolumeClaim, DataVolume',
    fields: '`dataSource`, `dataSourceRef`, `volumeName`, `source`, `sourceRef`',
    find: (change) => dataSourcesOf(change).map((path) => ({ path })),
  },
  {
    id: 'secret',
    effect: 'secret',
    kinds: 'any',
    fields: 'a reference to a Secret that the object did not read, and that the change does not create',
    find: newSecrets,
  },
  {
    id: 'customizer',
    effect: 'disables',
    kinds: `Package ${customizer.platform}`,
    fields: '`customizer` in the values of the platform',
    find: (change) =>
      isPackage(change.object) && change.object.ref.name === customizer.platform && differsAt(change, ownSettings)
        ? [placed(change.object, ownSettings)]
        : [],
  },
  {
    id: 'platform-values',
    effect: 'rights',
    kinds: `Package ${customizer.platform}`,
    fields: 'all values of the platform but `branding` and `resources`',
    find: (change) =>
      isPackage(change.object) && change.object.ref.name === customizer.platform
        ? platformValues(change).map((path) => ({ ...placed(change.object, path), what: path.at(-1) as string }))
        : [],
  },
  {
    id: 'restored-data',
    effect: 'deletes',
    kinds: 'RestoreJob (`backups.cozystack.io`); StatefulSet',
    fields: 'a new restore, which overwrites data; `persistentVolumeClaimRetentionPolicy` that becomes `Delete`',
    find: (change) => overwritesData(change).map((path) => ({ ...placed(change.object, path), what: path.join('.') })),
  },
  {
    id: 'release-action',
    effect: 'deletes',
    kinds: 'HelmRelease',
    fields:
      'of `install`, `upgrade` and `rollback`: `crds`, `force`, `recreate`, `replace`, `cleanupOnFail`, `disableTakeOwnership`, `disableSchemaValidation`, `remediation.strategy`; `driftDetection.ignore`',
    find: (change) =>
      releaseActions(change).map((path) => ({ ...placed(change.object, path), what: path.slice(1).join('.') })),
  },
  {
    id: 'disabled-component',
    effect: 'disables',
    kinds: 'Package',
    fields: '`enabled: false` of a component; `bundles.disabledPackages`, and `enabled: false` of a bundle',
    find: disabledComponents,
  },
  {
    id: 'owner-reference',
    effect: 'deletes',
    kinds: 'any',
    fields: '`metadata.ownerReferences`, by which the garbage collector deletes it once its owner is absent',
    own: 'warning',
    find: (change) => {
      const path = ['metadata', 'ownerReferences'];
      return ownersOf(change.object.value).length > 0 && differsAt(change, path) ? [{ path }] : [];
    },
  },
  {
    id: 'removed-part',
    effect: 'deletes',
    kinds: 'applications (`apps.cozystack.io`)',
    fields:
      'an entry of `databases`, `topics`, `buckets`, `nodeGroups`, `vhosts`, `pools`, `zones`, `shards`, `metricsStorages` or `logsStorages` that is removed, fewer `shards`; `etcd`, `monitoring` or `seaweedfs` of a Tenant that is switched off',
    own: 'error',
    find: (change) => removedParts(change).map((part) => ({ ...placed(change.object, part.path), what: part.name })),
  },
];

export type Effect = { row: EffectRow; change: Change } & Found;

/** The effects of all changes, object by object, in the order of the table. Two rules and the report ask for them. */
export function effectsBetween(base: readonly Applied[], head: readonly Applied[]): readonly Effect[] {
  return effectsFrom(base)(head);
}

const effectsFrom = oncePer((base: readonly Applied[]) =>
  oncePer((head: readonly Applied[]): readonly Effect[] =>
    changesBetween(base, head).flatMap((change) => effectsOf(change, { base, head })),
  ),
);

/** The effects of a change of one object, in the order of the table. */
export function effectsOf(change: Change, objects: Objects): Effect[] {
  return effectRows.flatMap((row) => row.find(change, objects).map((found) => ({ row, change, ...found })));
}

/** True for an object of Flux or a PackageSource, which rows of their own judge. */
function isActing({ object }: Change): boolean {
  return acting.includes(groupKind(object.ref)) || groupKind(object.ref).startsWith('source.toolkit.fluxcd.io/');
}

/** The severity of an effect; undefined if it does not count. */
export function severityOf({ row, change }: Effect, trust: 'fork' | 'same-repository'): Severity | undefined {
  if (trust === 'fork') return 'error';
  return row.id === 'owner-reference' && holdsData(change.object) ? 'error' : row.own;
}

/** The fields of a map that differ and count, each with its path. */
function changed(change: Change, path: FieldPath, counts: (field: string) => boolean): Found[] {
  const [is, was] = [change.object.value, change.before?.value].map((value) => value && lookUp(value, path));
  const fields = new Set([is, was].flatMap((map) => (isObject(map) ? Object.keys(map) : [])));
  return [...fields]
    .filter((field) => counts(field) && differsAt(change, [...path, field]))
    .map((field) => ({ ...placed(change.object, [...path, field]), what: [...path, field].join('.') }));
}

/** A field that is not there any more is reported at the nearest that is. */
function placed({ value }: Applied, path: FieldPath): Found {
  for (let length = path.length; length > 0; length--) {
    const near = path.slice(0, length);
    if (lookUp(value, near) !== undefined) return { path: near };
  }
  return { path: name };
}

/** Namespace, kind and name of all from which a HelmRelease takes values. */
const valuesRead = oncePer(
  (objects: readonly Applied[]): ReadonlySet<string> =>
    new Set(
      objects.flatMap(({ ref, value }) => {
        const list = groupKind(ref) === fluxKinds.release ? lookUp(value, ['spec', 'valuesFrom']) : undefined;
        const named = (one: Json) =>
          JSON.stringify([ref.namespace, getString(one, ['kind']), getString(one, ['name'])]);
        return Array.isArray(list) ? list.map(named) : [];
      }),
    ),
);

function embeddedObjects(change: Change): Found[] {
  const spec = lookUp(change.object.value, ['spec']);
  if (!hasValues(change) || spec === undefined) return [];
  const found: Found[] = [];
  for (const { path, value } of nodesIn(spec, ['spec']))
    if (isManifest(value) && differsAt(change, path)) found.push({ path });
  return found.slice(0, 5);
}

function isManifest(value: Json): boolean {
  if (typeof value === 'string') {
    // A template may write the key apiVersion itself.
    const isTemplate = value.includes('{{');
    return value.includes('\n') && hasKey(value, 'kind') && (isTemplate || hasKey(value, 'apiVersion'));
  }
  return (
    isObject(value) && ['apiVersion', 'kind'].every((key) => typeof value[key] === 'string') && isObject(value.metadata)
  );
}

/** True if a line of the text begins with the key, as in YAML or JSON. */
function hasKey(text: string, key: string): boolean {
  const at = text.indexOf(key);
  if (at < 0) return false;
  return text.split('\n').some((line) => line.replace(/^[\s"'{-]{0,200}/, '').startsWith(key));
}

function otherAccounts(change: Change, { base, head }: Objects): Found[] {
  const { namespace } = change.object.ref;
  return podsIn(change).flatMap((pod): Found[] => {
    const account = accountOf(pod.value);
    // A new pod has the rights of the account "default" of its namespace, if a binding of the base gives it some.
    const isPlain = account === 'default' && !boundNames(base).has(account);
    const isSame = pod.before ? accountOf(pod.before) === account : isPlain;
    if (isSame || isNewAccount(account, namespace, { base, head })) return [];
    const field = ['serviceAccountName', 'serviceAccount'].find((one) => pod.value[one] !== undefined);
    return [{ path: field ? [...pod.path, field] : pod.path, what: account }];
  });
}

/** True for an account that the change creates and that no binding of the base names, so that it has no rights. */
function isNewAccount(account: string, namespace: string | undefined, { base, head }: Objects): boolean {
  const key = `${namespace ?? ''}/${account}`;
  return accountsIn(head).has(key) && !accountsIn(base).has(key) && !boundNames(base).has(account);
}

const accountsIn = oncePer(
  (objects: readonly Applied[]): ReadonlySet<string> =>
    new Set(
      objects.flatMap(({ ref }) =>
        groupKind(ref) === '/ServiceAccount' ? [`${ref.namespace ?? ''}/${ref.name}`] : [],
      ),
    ),
);

/** The names of all subjects of bindings. */
const boundNames = oncePer(
  (objects: readonly Applied[]): ReadonlySet<string | undefined> =>
    new Set(
      objects.flatMap(({ ref, value }) =>
        groupKind(ref).startsWith('rbac.authorization.k8s.io/') && Array.isArray(value.subjects)
          ? value.subjects.map((subject) => getString(subject, ['name']))
          : [],
      ),
    ),
);

function otherImages({ object, before }: Change, { base }: Objects): Found[] {
  const images = imagesIn(object.value);
  if (images.length === 0) return [];
  const used = repositoriesIn(base);
  const old = containerImages(before);
  return images.flatMap(({ path, repository }): Found[] => {
    const was = old.get(keyOf(object.value, path));
    const isSame = was === undefined ? used.has(repository) : was === repository;
    return isSame ? [] : [{ path, what: repository }];
  });
}

/** The images of an object, each by its place. */
function containerImages(before: Applied | undefined): Map<string, string> {
  const images = before ? imagesIn(before.value) : [];
  return new Map(images.map(({ path, repository }) => [keyOf((before as Applied).value, path), repository]));
}

/** A container is found by its name, wherever it is in its list. */
function keyOf(value: JsonObject, path: FieldPath): string {
  return JSON.stringify(
    path.map((step, index) =>
      typeof step === 'number' ? (getString(value, [...path.slice(0, index + 1), 'name']) ?? step) : step,
    ),
  );
}

function decidesAccess({ ref, value }: Applied): boolean {
  const [group = ''] = groupKind(ref).split('/');
  const isToken = groupKind(ref) === '/Secret' && value.type === 'kubernetes.io/service-account-token';
  return accessGroups.has(group) || accessKinds.has(groupKind(ref)) || isToken;
}

/** The labels of a ClusterRole add its rules to those of others (`aggregationRule`); of these kinds nothing reads them. */
const plainlyLabelled = new Set(
  ['Role', 'RoleBinding', 'ClusterRoleBinding'].map((kind) => `rbac.authorization.k8s.io/${kind}`),
);
const isRead = (annotation: string) => /(?:^|\.)(?:fluxcd|kubernetes|k8s)\.io\//.test(annotation);

function isOnlyLabelled({ object, before }: Change): boolean {
  if (!before || !plainlyLabelled.has(groupKind(object.ref))) return false;
  const [is, was] = [object, before].map(({ value }) => withoutNotes(value));
  return isDeepStrictEqual(is, was);
}

/** Without labels, and without annotations that nothing reads. */
function withoutNotes({ metadata, ...rest }: JsonObject): JsonObject {
  const { labels: _, annotations, ...others } = isObject(metadata) ? metadata : {};
  const read = Object.entries(isObject(annotations) ? annotations : {}).filter(([key]) => isRead(key));
  return { ...rest, metadata: { ...others, annotations: Object.fromEntries(read) } };
}

function newSecrets({ object, before }: Change, { base, head }: Objects): Found[] {
  const known = new Set(before && secretReferencesIn(before).map((one) => one.name));
  return secretReferencesIn(object).flatMap(({ path, name: secret }): Found[] => {
    const key = `${object.ref.namespace ?? ''}/${secret}`;
    // The cluster may have a Secret of that name, and its other keys stay: only keys that the change writes are its own.
    const made = secretsMadeBy(base).has(key) ? undefined : secretsMadeBy(head).get(key);
    const keys = keysRead(object.value, path);
    const isCreated = made !== undefined && keys?.every((one) => made.has(one));
    return known.has(secret) || isCreated ? [] : [{ path, what: secret }];
  });
}

function disabledComponents(change: Change): Found[] {
  const { object, before } = change;
  if (!isPackage(object)) return [];
  const found: Found[] = [];
  for (const { path, value } of nodesIn(object.value.spec ?? null, ['spec'])) {
    const isSwitch = path.at(-1) === 'enabled' && (path.length === 4 || path[path.length - 3] === 'bundles');
    const was = before && lookUp(before.value, path);
    if (isSwitch && !isOn(value) && (was === undefined || isOn(was)))
      found.push({ path, what: path.slice(-2, -1).join('.') });
  }
  const [listed, known] = [object.value, before?.value].map((value) => value && lookUp(value, disabledPackages));
  for (const [index, one] of (Array.isArray(listed) ? listed : []).entries())
    if (!Array.isArray(known) || !known.some((other) => isDeepStrictEqual(one, other)))
      found.push({ path: [...disabledPackages, index], what: String(one) });
  return found;
}

function isOn(value: Json): boolean {
  return value !== false && value !== null && value !== 0 && value !== '';
}
