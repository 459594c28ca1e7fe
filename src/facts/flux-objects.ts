/** Flux Kustomizations and HelmReleases: those that are rendered, and those that only stand in a file that Flux reads. */
import { dirname } from 'node:path/posix';
import { parseDocument } from 'yaml';
import { Source } from '../locate/source.js';
import { depthExceeds, maxDepth } from '../locate/syntax.js';
import type { Entrypoint, FieldPath, Json, JsonObject, Place, RenderedObject } from '../model.js';
import { isObject, lookUp, textAt } from '../object.js';
import type { Rendered } from '../render/render.js';
import type { Tree } from '../tree.js';

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
  const declared = entrypoints.flatMap(({ entrypoint }) => declaredOne(entrypoint, tree) ?? []);
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
  const text = new Source(tree.text(file) ?? '').documents[document]?.text ?? '';
  if (depthExceeds(text, maxDepth)) return undefined;
  const value = parseDocument(text, { logLevel: 'silent' }).toJS({ maxAliasCount: 100 }) as Json;
  if (!isObject(value)) return undefined;
  const id = `${textAt(value, ['metadata', 'namespace'])}/${kustomization.name}`;
  return { kind: 'Kustomization', id, value, group: dirname(file), at: (path) => ({ file, document, path }) };
}

/** What it waits for; with an expression of its own it may not have to be ready. */
export function dependenciesOf({ value, id }: FluxObject): { id: string; path: FieldPath }[] {
  const list = lookUp(value, ['spec', 'dependsOn']);
  return (Array.isArray(list) ? list : []).flatMap((item, index) => {
    const name = textAt(item, ['name']);
    if (name === undefined || textAt(item, ['readyExpr']) !== undefined) return [];
    const namespace = textAt(item, ['namespace']) || id.split('/')[0];
    return [{ id: `${namespace}/${name}`, path: ['spec', 'dependsOn', index, 'name'] }];
  });
}
