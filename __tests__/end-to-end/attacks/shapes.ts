/** What attacks are written with: trees of a repository before and after a change. */
import type { JsonObject } from '../../../src/core/model.js';
import { kustomization } from '../../support/trees.js';

export type Tree = Record<string, string>;

/** A change of a fork, and the rules of which one must find an error in it. */
export type Attack = { base: Tree; head: Tree; rules: readonly string[] };

/** Attacks of one mechanism, by what they do. */
export type Attacks = Record<string, Attack>;

/** So that no verdict depends on what is assumed of the cluster. */
const configuration = { cluster: { release: 'v1.6.2', variant: 'isp-full' } };

export function object(kind: string, name: string, more: JsonObject = {}, namespace?: string | null): JsonObject {
  const { metadata = {}, ...rest } = more;
  const apiVersion = apiVersions[kind] ?? 'v1';
  const inNamespace = namespace === null ? {} : { namespace: namespace ?? 'cozy-customizer' };
  return { apiVersion, kind, metadata: { name, ...inNamespace, ...(metadata as JsonObject) }, ...rest };
}

const apiVersions: Record<string, string> = {
  ApplicationDefinition: 'cozystack.io/v1alpha1',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
  CronJob: 'batch/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
  DaemonSet: 'apps/v1',
  Deployment: 'apps/v1',
  GitRepository: 'source.toolkit.fluxcd.io/v1',
  HelmRelease: 'helm.toolkit.fluxcd.io/v2',
  HelmRepository: 'source.toolkit.fluxcd.io/v1',
  Kustomization: 'kustomize.toolkit.fluxcd.io/v1',
  MutatingWebhookConfiguration: 'admissionregistration.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  OCIRepository: 'source.toolkit.fluxcd.io/v1',
  Package: 'cozystack.io/v1alpha1',
  PackageSource: 'cozystack.io/v1alpha1',
  Postgres: 'apps.cozystack.io/v1alpha1',
  Role: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  Kafka: 'apps.cozystack.io/v1alpha1',
  StatefulSet: 'apps/v1',
  Tenant: 'apps.cozystack.io/v1alpha1',
  ValidatingAdmissionPolicy: 'admissionregistration.k8s.io/v1',
};

/** A root that lists the objects, each in a file of its own, beside other files. */
export function tree(objects: readonly JsonObject[], more: Tree = {}, folder = ''): Tree {
  const names = objects.map((_, index) => `object-${index}.yaml`);
  const files = objects.map((one, index) => [`${folder}${names[index]}`, JSON.stringify(one)]);
  const settings = folder === '' ? { '.customizer-lint.yaml': JSON.stringify(configuration) } : {};
  return {
    ...settings,
    [`${folder}kustomization.yaml`]: kustomization({ resources: names }),
    ...Object.fromEntries(files),
    ...more,
  };
}

export const note = object('ConfigMap', 'note', { data: { a: 'b' } });

const left = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };

/** A Package of the platform, patched as the documents say. */
export function packageOf(name: string, spec: JsonObject): JsonObject {
  return object('Package', `cozystack.${name}`, { metadata: { annotations: left }, spec }, null);
}

/** A Package whose variant the platform owns: harm wherever it is applied. */
export const taken = packageOf('metallb', { variant: 'oidc', components: {} });
export const harmless = packageOf('metallb', { components: {} });

export const thisRepository = { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-system' };

/** A Flux Kustomization of this repository, unless it names another source. */
export function flux(name: string, path: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const serviceAccountName = 'cozystack-customizer';
  const fields = { interval: '5m', path, prune: true, serviceAccountName, sourceRef: thisRepository };
  return object('Kustomization', name, { metadata, spec: { ...fields, ...spec } });
}

/** Attacks that are one change of one object beside others. */
export function changes(
  rows: Record<string, readonly [before: JsonObject | null, after: JsonObject | null]>,
  rules: readonly string[],
  others: readonly JsonObject[] = [note],
): Attacks {
  const list = (one: JsonObject | null) => tree([...others, ...(one ? [one] : [])]);
  return Object.fromEntries(
    Object.entries(rows).map(([title, [before, after]]) => [title, { base: list(before), head: list(after), rules }]),
  );
}

/** The object with other fields of its spec. */
export function withSpec(one: JsonObject, spec: JsonObject): JsonObject {
  return { ...one, spec: { ...(one.spec as JsonObject), ...spec } };
}

export function withoutSpec(one: JsonObject, ...fields: string[]): JsonObject {
  const spec = Object.entries(one.spec as JsonObject).filter(([field]) => !fields.includes(field));
  return { ...one, spec: Object.fromEntries(spec) };
}

export function withMetadata(one: JsonObject, metadata: JsonObject): JsonObject {
  return { ...one, metadata: { ...(one.metadata as JsonObject), ...metadata } };
}
