/** Reading a rendered object. Keys come from an untrusted repository, so only own properties count. */
import type { FieldPath, Json, JsonObject, ObjectRef } from './model.js';

/** The value at a path, or undefined where nothing is written there; an explicit `null` is `null`. */
export function lookUp(value: Json, path: FieldPath): Json | undefined {
  let node: Json | undefined = value;
  for (const step of path) {
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, step)) return undefined;
    node = (node as { [key: string | number]: Json })[step];
  }
  return node;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The string at a path, or undefined where there is none. */
export function getString(value: Json, path: FieldPath): string | undefined {
  const found = lookUp(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** The API group of `group/version`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0));
}

/** The identity of an object as it is written; an empty namespace is none. */
export function refOf(object: JsonObject): ObjectRef {
  const namespace = getString(object, ['metadata', 'namespace']);
  return {
    apiVersion: String(object.apiVersion),
    kind: String(object.kind),
    ...(namespace && { namespace }),
    name: String(lookUp(object, ['metadata', 'name']) ?? ''),
  };
}

/** Helm, and Cozystack's operator for namespaces, leave what has it (https://helm.sh/docs/howto/charts_tips_and_tricks). */
export function isKeptByHelm(object: JsonObject): boolean {
  return getString(object, ['metadata', 'annotations', 'helm.sh/resource-policy']) === 'keep';
}

/** As messages name an object: `ConfigMap "settings"`. */
export function label({ kind, name }: Pick<ObjectRef, 'kind' | 'name'>): string {
  return `${kind} "${name}"`;
}

/** The same, with the two kinds of the name Kustomization told apart: `Flux Kustomization "apps"`. */
export function distinctLabel({ apiVersion, kind, name }: ObjectRef): string {
  const isOfFlux = kind === 'Kustomization' && groupOf(apiVersion) === 'kustomize.toolkit.fluxcd.io';
  return label({ kind: isOfFlux ? 'Flux Kustomization' : kind, name });
}

/** What an object is by Flux's inventory: group, kind, namespace and name. A new version of a kind is the same object. */
export function inventoryId({ apiVersion, kind, namespace = '', name }: ObjectRef): string {
  return [groupOf(apiVersion), kind, namespace, name].join('/');
}

const rbac = 'rbac.authorization.k8s.io';

/** As `status.inventory` of a Flux Kustomization spells it: `<namespace>_<name>_<group>_<kind>` (cli-utils, ObjMetadata). */
export function inventoryEntry({ apiVersion, kind, namespace = '', name }: ObjectRef): string {
  const group = groupOf(apiVersion);
  // Only the names of roles and their bindings may have a colon.
  return [namespace, group === rbac ? name.replaceAll(':', '__') : name, group, kind].join('_');
}

/** A path as a person writes it: `spec.variants[0].name`, `metadata.annotations["helm.sh/resource-policy"]`. */
export function formatPath(path: FieldPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index > 0 ? `.${step}` : step;
    })
    .join('');
}

/** Whether it is the outer field, or in it. */
export function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((step, index) => step === path[index]);
}

/** Whether one is the other, in it or above it; of a whole object nothing is. */
export function pathsOverlap(path: FieldPath, other: FieldPath): boolean {
  return path.length > 0 && other.length > 0 && (isWithin(path, other) || isWithin(other, path));
}

/** `spec.ports[0].name`, `metadata.labels["a.b/c"]`. */
export function parsePath(text: string): FieldPath {
  const steps = [...text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)];
  return steps.map(([, index, quoted, plain]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? String(plain) : quoted.slice(1, -1).replace(/\\(.)/g, '$1');
  });
}
