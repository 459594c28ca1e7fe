/**
 * A small file made from a cluster, to be committed: which Packages there are, who manages which fields, who may do what. It
 * holds no value of any field but those that name things, so that it can be read by everybody who may read the repository.
 */

import { parse } from 'yaml';
import { defined } from '../core/defined.js';
import type { Tree } from '../core/model.js';
import { type FieldPath, type Json, type JsonObject, UsageError } from '../core/model.js';
import { formatPath, getString, isObject, lookUp } from '../core/object.js';
import { cozystackGroup } from '../cozystack/package.js';
import { taggedRelease } from './platform-source.js';

export type Snapshot = SnapshotContent & {
  /** Where it lies in the repository. */
  file: string;
};

export type SnapshotContent = {
  /** The day on which it was made, as 2026-12-31. */
  taken: string;
  /** Of Cozystack, where the platform's source names it. */
  release?: string;
  packages: { [name: string]: SnapshotPackage };
  /** The names of the PackageSources. */
  packageSources?: string[];
  /** Namespaces in which the customizer may do everything. */
  ownedNamespaces?: string[];
  /** By `group/Kind`: the versions that custom resources are served in. */
  kinds?: { [groupKind: string]: string[] };
  /** Roles and bindings that give service accounts rights, without anything that is not needed to tell which. */
  roles?: JsonObject[];
};

type SnapshotPackage = {
  variant?: string;
  components?: string[];
  /** Who wrote which fields, by their paths as `spec.variant`; in the order of the cluster. */
  managers?: { manager: string; operation: 'Apply' | 'Update'; fields: string[] }[];
};

/** Throws a `UsageError` where there is no such file, or where it is no snapshot. */
export function readSnapshot(tree: Tree, file: string): Snapshot {
  const text = tree.text(file);
  if (text === undefined) throw new UsageError(`the snapshot ${file} is not in ${tree.description}`);
  let value: unknown;
  try {
    // Each key would be held against all before it: a square of the time.
    value = parse(text, { maxAliasCount: 0, logLevel: 'error', uniqueKeys: false });
  } catch {
    throw new UsageError(`the snapshot ${file} is not valid YAML`);
  }
  const { taken, packages } = (value ?? {}) as Partial<SnapshotContent>;
  if (typeof taken !== 'string' || !isObject(packages as Json))
    throw new UsageError(`${file} is no snapshot of a cluster; customizer-lint snapshot writes one`);
  return { ...(value as SnapshotContent), file };
}

const customizer = { namespace: 'cozy-system', name: 'cozystack-customizer' };

/** What is worth knowing of the objects of a cluster; nothing else of them goes into it. */
export function takeSnapshot(objects: readonly JsonObject[], taken: string): SnapshotContent {
  const ofKind = (group: string, kind: string) =>
    objects.filter((object) => object.kind === kind && getString(object, ['apiVersion'])?.split('/')[0] === group);
  const packages = ofKind(cozystackGroup, 'Package');
  const sources = ofKind(cozystackGroup, 'PackageSource');
  const roles = rolesOf(objects);
  const release = releaseOf(ofKind('source.toolkit.fluxcd.io', 'OCIRepository'));
  const definitions = ofKind('apiextensions.k8s.io', 'CustomResourceDefinition');
  return {
    taken,
    ...(release && { release }),
    packages: Object.fromEntries(byName(packages).map((object) => [nameOf(object), packageOf(object)])),
    ...(sources.length > 0 && { packageSources: byName(sources).map(nameOf) }),
    ...(roles.length > 0 && { ownedNamespaces: ownedNamespacesOf(roles) }),
    ...(definitions.length > 0 && { kinds: kindsOf(byName(definitions)) }),
    ...(roles.length > 0 && { roles }),
  };
}

function packageOf(object: JsonObject): SnapshotPackage {
  const variant = getString(object, ['spec', 'variant']);
  const components = lookUp(object, ['spec', 'components']);
  const managers = listAt(object, ['metadata', 'managedFields']).flatMap((entry) => {
    const [manager, operation] = [getString(entry, ['manager']), getString(entry, ['operation'])];
    const status = getString(entry, ['subresource']) === 'status';
    if (manager === undefined || status || (operation !== 'Apply' && operation !== 'Update')) return [];
    const fields = [...fieldsOf(lookUp(entry, ['fieldsV1']) ?? null, [])].map(formatPath);
    return [{ manager, operation: operation as 'Apply' | 'Update', fields: [...new Set(fields)].sort() }];
  });
  return {
    ...defined({ variant }),
    ...(isObject(components) && { components: Object.keys(components).sort() }),
    ...(managers.length > 0 && { managers }),
  };
}

/** The ends of a set of managed fields. Items of lists are left out: their keys are values. */
function* fieldsOf(set: Json, path: FieldPath): Generator<FieldPath> {
  const below = isObject(set) ? Object.entries(set).filter(([key]) => key.startsWith('f:')) : [];
  if (below.length === 0 && path.length > 0) yield path;
  for (const [key, value] of below) yield* fieldsOf(value, [...path, key.slice(2)]);
}

/** The tag of the artifact that the platform is installed from. */
function releaseOf(sources: readonly JsonObject[]): string | undefined {
  return sources.map(taggedRelease).find((release) => release !== undefined);
}

function kindsOf(definitions: readonly JsonObject[]): { [groupKind: string]: string[] } {
  return Object.fromEntries(
    definitions.flatMap((definition) => {
      const [group, kind] = [
        getString(definition, ['spec', 'group']),
        getString(definition, ['spec', 'names', 'kind']),
      ];
      const served = listAt(definition, ['spec', 'versions']).filter((version) => lookUp(version, ['served']) === true);
      const versions = served.flatMap((version) => getString(version, ['name']) ?? []);
      return group !== undefined && kind !== undefined ? [[`${group}/${kind}`, versions]] : [];
    }),
  );
}

/** Bindings that name a service account, and the roles that they give. */
function rolesOf(objects: readonly JsonObject[]): JsonObject[] {
  const all = objects.filter(
    (object) => getString(object, ['apiVersion'])?.startsWith('rbac.authorization.k8s.io/') === true,
  );
  const bindings = all.filter(
    (object) =>
      getString(object, ['kind'])?.endsWith('Binding') &&
      listAt(object, ['subjects']).some((subject) => getString(subject, ['kind']) === 'ServiceAccount'),
  );
  const key = (kind: Json | undefined, namespace: string | undefined, name: string | undefined) =>
    JSON.stringify([kind, kind === 'Role' ? namespace : undefined, name]);
  const given = new Set(
    bindings.map((binding) =>
      key(
        lookUp(binding, ['roleRef', 'kind']),
        getString(binding, ['metadata', 'namespace']),
        getString(binding, ['roleRef', 'name']),
      ),
    ),
  );
  const roles = all.filter((object) =>
    given.has(key(object.kind, getString(object, ['metadata', 'namespace']), nameOf(object))),
  );
  return byName([...roles, ...bindings]).map(({ apiVersion, kind, metadata, rules, subjects, roleRef }) => {
    const namespace = getString(metadata ?? null, ['namespace']);
    return {
      apiVersion: apiVersion as Json,
      kind: kind as Json,
      metadata: { name: getString(metadata ?? null, ['name']) ?? '', ...defined({ namespace }) },
      ...defined({ rules, subjects, roleRef }),
    };
  });
}

function ownedNamespacesOf(roles: readonly JsonObject[]): string[] {
  return roles
    .filter(
      (role) =>
        role.kind === 'RoleBinding' &&
        getString(role, ['roleRef', 'name']) === 'cluster-admin' &&
        listAt(role, ['subjects']).some(
          (subject) =>
            getString(subject, ['name']) === customizer.name &&
            getString(subject, ['namespace']) === customizer.namespace,
        ),
    )
    .flatMap((role) => getString(role, ['metadata', 'namespace']) ?? [])
    .sort();
}

function nameOf(object: JsonObject): string {
  return getString(object, ['metadata', 'name']) ?? '';
}

function byName(objects: readonly JsonObject[]): JsonObject[] {
  const key = (object: JsonObject) =>
    [object.kind, getString(object, ['metadata', 'namespace']) ?? '', nameOf(object)].join('/');
  return objects.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function listAt(value: Json, path: FieldPath): Json[] {
  const found = lookUp(value, path);
  return Array.isArray(found) ? found : [];
}
