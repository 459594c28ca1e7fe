/** Objects whose change reaches further than their own namespace and name. */

import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, JsonObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { isPackage, isPackageSource, platformValuesPath } from '../cozystack/package.js';
import type { Applied } from '../flux/applied.js';
import { type Change, changedKeys, differsAt, groupKind, metadataAt, releaseKind } from './change.js';

/** The namespace that the documents give the repository. */
const ownNamespace = 'cozy-customizer';

/**
 * True for an object of the whole cluster: a node, a storage class, a volume, an issuer. Packages and PackageSources have rows of
 * their own, and a Namespace gives the rights to nothing but itself.
 */
export function isClusterWide({ object }: Change): boolean {
  const isKnown = isPackage(object) || isPackageSource(object) || groupKind(object.ref) === '/Namespace';
  return object.ref.namespace === undefined && !isKnown;
}

/** True for an object in a namespace of Kubernetes or the platform that the repository does not make itself. */
export function isInPlatform({ object }: Change, base: readonly Applied[]): boolean {
  const { namespace } = object.ref;
  const isOfPlatform = namespace !== undefined && /^(?:kube|cozy)-/.test(namespace) && namespace !== ownNamespace;
  return isOfPlatform && !namespacesIn(base).has(namespace);
}

const namespacesIn = oncePer(
  (objects: readonly Applied[]): ReadonlySet<string> =>
    new Set(objects.flatMap(({ ref }) => (groupKind(ref) === '/Namespace' ? [ref.name] : []))),
);

/** Labels of a Namespace that the platform gives a meaning. */
export function platformLabels(change: Change): FieldPath[] {
  if (groupKind(change.object.ref) !== '/Namespace') return [];
  return changedKeys(metadataAt(change, ['metadata']), 'labels', (key) => /(?:^|\.)cozystack\.io\//.test(key)).map(
    ({ path }) => path,
  );
}

/** Values of the platform that change nothing but its looks and how it shares a node. */
const plainValues = new Set(['branding', 'resources', 'customizer']);

/** Values of the platform that decide what it installs, from where, and whom it lets in; the customizer has a row of its own. */
export function platformValues(change: Change): FieldPath[] {
  const values = lookUp(change.object.value, platformValuesPath);
  const old = change.before && lookUp(change.before.value, platformValuesPath);
  const keys = new Set([values, old].flatMap((map) => (isObject(map) ? Object.keys(map) : [])));
  return [...keys]
    .filter((key) => !plainValues.has(key) && differsAt(change, [...platformValuesPath, key]))
    .map((key) => [...platformValuesPath, key]);
}

/** What Helm does to objects besides what the chart says: it replaces, recreates, takes over or uninstalls. */
const actions: readonly FieldPath[] = [
  ...['install', 'upgrade', 'rollback'].flatMap((action) =>
    ['crds', 'force', 'recreate', 'replace', 'cleanupOnFail', 'disableTakeOwnership', 'disableSchemaValidation'].map(
      (field) => ['spec', action, field],
    ),
  ),
  ...['install', 'upgrade'].map((action) => ['spec', action, 'remediation', 'strategy']),
  ['spec', 'driftDetection', 'ignore'],
];

export function releaseActions(change: Change): FieldPath[] {
  if (groupKind(change.object.ref) !== releaseKind || !change.before) return [];
  return actions.filter((path) => differsAt(change, path));
}

/** Annotations by which controllers copy a Secret to other namespaces, and those that give an account rights outside the cluster. */
export function copyingAnnotations(change: Change): FieldPath[] {
  const kind = groupKind(change.object.ref);
  const isCopied = (key: string) => /reflect|replicat|sync|copy/i.test(key.split('/')[0] ?? '');
  const isIdentity = (key: string) => /role|identity|service-?account|client-?id|tenant-?id/i.test(key);
  const counts = kind === '/Secret' ? isCopied : kind === '/ServiceAccount' ? isIdentity : undefined;
  if (!counts) return [];
  return changedKeys(metadataAt(change, ['metadata']), 'annotations', counts).map(({ path }) => path);
}

const dataSources: { readonly [kind: string]: readonly string[] } = {
  '/PersistentVolumeClaim': ['dataSource', 'dataSourceRef', 'volumeName'],
  'cdi.kubevirt.io/DataVolume': ['source', 'sourceRef'],
};

/** Fields by which a volume gets the data of another, or of an address. */
export function dataSourcesOf(change: Change): FieldPath[] {
  const fields = dataSources[groupKind(change.object.ref)] ?? [];
  const spec = lookUp(change.object.value, ['spec']) as JsonObject | undefined;
  return fields
    .filter((field) => isObject(spec) && spec[field] !== undefined && differsAt(change, ['spec', field]))
    .map((field) => ['spec', field]);
}

/** True if two revisions of an object differ in more than labels. */
export function differsBeyondLabels({ object, before }: Change): boolean {
  if (!before) return true;
  const [is, was] = [object, before].map(({ value }) => {
    const { metadata, ...rest } = value;
    const { labels: _, ...others } = isObject(metadata) ? metadata : {};
    return { ...rest, metadata: others };
  });
  return !isDeepStrictEqual(is, was);
}

/** Groups of controllers that fetch or apply something with rights of their own. */
const actors =
  /^(?:image\.toolkit\.fluxcd\.io|notification\.toolkit\.fluxcd\.io|infra\.contrib\.fluxcd\.io|helm\.cattle\.io|fleet\.cattle\.io|tekton\.dev|triggers\.tekton\.dev|(?:[\w.-]{1,60}\.)?crossplane\.io)\//;

export function isOtherActor({ object }: Change): boolean {
  return actors.test(groupKind(object.ref));
}

const retention: FieldPath = ['spec', 'persistentVolumeClaimRetentionPolicy'];

/** Fields by which data is overwritten, or deleted with the object that uses it. */
export function overwritesData(change: Change): FieldPath[] {
  const kind = groupKind(change.object.ref);
  if (kind === 'backups.cozystack.io/RestoreJob') return change.before ? [] : [['metadata', 'name']];
  if (kind !== 'apps/StatefulSet') return [];
  return ['whenDeleted', 'whenScaled']
    .map((field) => [...retention, field])
    .filter((path) => lookUp(change.object.value, path) === 'Delete' && differsAt(change, path));
}
