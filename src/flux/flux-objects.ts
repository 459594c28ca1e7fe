/** Flux Kustomizations and HelmReleases: those that are rendered, and those that only stand in a file that Flux reads. */
import { dirname } from 'node:path/posix';
import type { Entrypoint, FieldPath, Json, JsonObject, Place, Rendered, RenderedObject, Tree } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { documentValue, sourceOf } from '../yaml/documents.js';

export type FluxObject = {
  kind: 'Kustomization' | 'HelmRelease';
  /** `NAMESPACE/NAME`. */
  id: string;
  value: JsonObject;
  /** What is applied together: an entrypoint, or a folder of declarations. */
  group: string;
  at(path: FieldPath): Place;
};

const groups = { Kustomization: 'kustomize.toolkit.fluxcd.io/', HelmRelease: 'helm.toolkit.fluxcd.io/' };

export function fluxObjects(entrypoints: readonly Rendered[], tree: Tree): FluxObject[] {
  const rendered = entrypoints.flatMap((one) => (one.ok ? one.objects.flatMap(renderedOne) : []));
  const known = new Set(rendered.map(({ id, kind }) => `${kind} ${id}`));
  // What a kustomization reads counts as that renders it.
  const read = filesRead(entrypoints);
  const declared = entrypoints.flatMap(({ entrypoint }) =>
    read.has(entrypoint.declaredAt?.file ?? '') ? [] : (declaredOne(entrypoint, tree) ?? []),
  );
  return [...rendered, ...declared.filter(({ id, kind }) => !known.has(`${kind} ${id}`))];
}

function renderedOne(object: RenderedObject): FluxObject[] {
  const { kind, apiVersion, namespace, name } = object.ref;
  if ((kind !== 'Kustomization' && kind !== 'HelmRelease') || !apiVersion.startsWith(groups[kind])) return [];
  const at = (path: FieldPath) => ({ object, path });
  return [{ kind, id: `${namespace}/${name}`, value: object.value, group: object.entrypoint, at }];
}

/** The Flux Kustomization that an entrypoint was found in. */
export function declaredOne({ declaredAt, kustomization }: Entrypoint, tree: Tree): FluxObject | undefined {
  if (!declaredAt || kustomization.name === undefined) return undefined;
  const { file, document } = declaredAt;
  const value = documentValue(file, document, tree);
  if (!isObject(value)) return undefined;
  const id = `${getString(value, ['metadata', 'namespace'])}/${kustomization.name}`;
  return { kind: 'Kustomization', id, value, group: dirname(file), at: (path) => ({ file, document, path }) };
}

function filesRead(entrypoints: readonly Rendered[]): Set<string> {
  return new Set(entrypoints.flatMap((one) => (one.ok ? [...one.files] : [])));
}

/** A document in a folder that somebody applies, as Flux Kustomizations were found there, though nothing here renders it. */
export type Beside = { value: JsonObject; group: string; at(path: FieldPath): Place };

export function documentsBeside(entrypoints: readonly Rendered[], tree: Tree): Beside[] {
  const read = filesRead(entrypoints);
  const declaring = entrypoints.flatMap(({ entrypoint }) => entrypoint.declaredAt?.file ?? []);
  const folders = new Set(declaring.filter((file) => !read.has(file)).map((file) => dirname(file)));
  return tree.files
    .filter((file) => /\.ya?ml$/.test(file) && folders.has(dirname(file)) && !read.has(file))
    .flatMap((file) =>
      sourceOf(file, tree).documents.flatMap(({ text }, document) => {
        if (!text.includes('toolkit.fluxcd.io')) return [];
        const value = documentValue(file, document, tree);
        const at = (path: FieldPath) => ({ file, document, path });
        return isObject(value) ? [{ value, group: dirname(file), at }] : [];
      }),
    );
}

export type Dependency = {
  id: string;
  path: FieldPath;
  /** An expression of its own says when it is met, so it may not have to be ready. */
  byExpression: boolean;
};

/** What it waits for. */
export function dependenciesOf({ value, id }: Pick<FluxObject, 'value' | 'id'>): Dependency[] {
  const list = lookUp(value, ['spec', 'dependsOn']);
  return (Array.isArray(list) ? list : []).flatMap((item, index) => {
    const name = getString(item, ['name']);
    if (name === undefined) return [];
    const namespace = getString(item, ['namespace']) || id.split('/')[0];
    const byExpression = Boolean(getString(item, ['readyExpr']));
    return [{ id: `${namespace}/${name}`, path: ['spec', 'dependsOn', index, 'name'], byExpression }];
  });
}

/** `Flux Kustomization "flux-system/apps"`, for a message. */
export function labelOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind === 'Kustomization' ? 'Flux Kustomization' : kind} "${id.replace(/^undefined\//, '')}"`;
}

/** A reference to a source, completed: in the namespace of what refers to it, unless it says another. */
export type SourceRef = { kind: string; namespace: string; name: string; path: FieldPath };

export function sourceRefAt(value: Json, path: FieldPath): SourceRef | undefined {
  const [kind, name] = [getString(value, [...path, 'kind']), getString(value, [...path, 'name'])];
  const namespace = getString(value, [...path, 'namespace']) || getString(value, ['metadata', 'namespace']);
  return kind && name ? { kind, name, namespace: namespace ?? '', path: [...path, 'name'] } : undefined;
}

/** What names a source, as one word. */
export function sourceKey({ kind, namespace, name }: Pick<SourceRef, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace}/${name}`;
}
