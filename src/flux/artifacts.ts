/**
 * What an ArtifactGenerator (source.extensions.fluxcd.io) makes: ExternalArtifacts, of files that it copies from sources (fluxcd/source-watcher,
 * `docs/spec/v1beta1/artifactgenerators.md`).
 */
import type { Json, JsonObject, RenderedObject } from '../core/model.js';
import { getString, groupOf, lookUp } from '../core/object.js';
import { sourceKey } from './flux-objects.js';

export function isArtifactGenerator({ ref }: Pick<RenderedObject, 'ref'>): boolean {
  return ref.kind === 'ArtifactGenerator' && groupOf(ref.apiVersion) === 'source.extensions.fluxcd.io';
}

/** Its ExternalArtifacts, which are made in its own namespace, by their `sourceKey`. */
export function artifactsOf({ ref, value }: Pick<RenderedObject, 'ref' | 'value'>): string[] {
  return itemsAt(value, ['spec', 'artifacts']).flatMap((artifact) => {
    const name = getString(artifact, ['name']);
    return name === undefined ? [] : [sourceKey({ kind: 'ExternalArtifact', namespace: ref.namespace ?? '', name })];
  });
}

/** The files that it copies: of which source, as `spec.sourceRef` of an object in its place would name it, and by which pattern in it. */
export function copiedBy({ value }: Pick<RenderedObject, 'value'>): { referring: JsonObject; pattern: string }[] {
  const sources = new Map(itemsAt(value, ['spec', 'sources']).map((one) => [getString(one, ['alias']), one]));
  const copies = itemsAt(value, ['spec', 'artifacts']).flatMap((artifact) => itemsAt(artifact, ['copy']));
  return copies.flatMap((copy) => {
    const from = getString(copy, ['from']) ?? '';
    const slash = from.indexOf('/');
    const sourceRef = sources.get(from.slice(1, slash));
    if (!from.startsWith('@') || sourceRef === undefined) return [];
    return [{ referring: { metadata: value.metadata ?? {}, spec: { sourceRef } }, pattern: from.slice(slash + 1) }];
  });
}

function itemsAt(value: Json, path: string[]): Json[] {
  const items = lookUp(value, path);
  return Array.isArray(items) ? items : [];
}
