/** Flux objects as documents of the repository have them, wherever they stand: a cluster may have them without any build. */
import { basename } from 'node:path/posix';
import { isFluxKustomization } from '../core/flux-api.js';
import type { Entrypoint, JsonObject, RenderedObject, Tree } from '../core/model.js';
import { getString } from '../core/object.js';
import type { Engine } from '../engine/host/engine.js';
import type { ReadResponse } from '../engine/host/protocol.js';
import { isSource, normalize } from './flux.js';

/** A Flux Kustomization or a source: as a document has it, or as a build renders it. */
export type Declared = {
  value: JsonObject;
  /** The document, where it is known. */
  file?: string;
  document?: number;
  /** As a build renders it; `appliedFrom` is the entrypoint that all begins with. */
  object?: RenderedObject;
  appliedFrom?: string;
  /** Why what renders it may not reach the cluster. */
  reach?: Entrypoint['reach'];
  /** The folder of `clusters/` that the build belongs to. */
  cluster?: string | undefined;
};

/** What a file must mention for its documents to be looked at. */
const words = ['kustomize.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io', 'cozystack.cozystack-platform'];

export type Documents = {
  /** Flux Kustomizations and sources. */
  declared: Declared[];
  all: readonly JsonObject[];
  /** The URLs of this repository, as `flux bootstrap` wrote them. */
  urls: string[];
  /** The files that were read. */
  files: readonly string[];
};

export async function readDeclared(tree: Tree, engine: Engine): Promise<Documents> {
  const candidates = mentioning(tree);
  const { documents, sources } = candidates.length > 0 ? await engine.read(candidates) : { documents: [], sources: [] };
  const declared = documents.flatMap(({ value, source }): Declared[] => {
    const { file, document } = sources[source] ?? { file: '', document: 0 };
    return isFluxKustomization(value) || isSource(value) ? [{ value, file, document }] : [];
  });
  return {
    declared,
    files: candidates,
    all: documents.map(({ value }) => value),
    urls: bootstrapped(documents, sources),
  };
}

/** YAML and JSON files that contain one of the words: a cheap look before anything is parsed. */
function mentioning(tree: Tree): string[] {
  return tree.files.filter((file) => {
    if (!/\.(ya?ml|json)$/i.test(file)) return false;
    const content = tree.bytes(file);
    return (
      content !== undefined &&
      words.some((word) => Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(word))
    );
  });
}

/** What `flux bootstrap` writes into the folder that it has Flux apply, with all of Flux's rights. */
export const sync = 'gotk-sync.yaml';

/** The URLs that it wrote there: those of this repository, under which name ever this clone knows it. */
function bootstrapped(documents: ReadResponse['documents'], files: ReadResponse['sources']): string[] {
  const written = documents.filter(({ source }) => basename(files[source]?.file ?? '') === sync);
  const own = written.filter(({ value, source }) => {
    const path = normalize(getString(value, ['spec', 'path']) ?? '.');
    return isFluxKustomization(value) && (path === '.' || files[source]?.file.startsWith(`${path}/`));
  });
  const names = new Set(own.map(({ value }) => getString(value, ['spec', 'sourceRef', 'name'])));
  return written
    .filter(({ value }) => isSource(value) && names.has(getString(value, ['metadata', 'name'])))
    .flatMap(({ value }) => getString(value, ['spec', 'url']) ?? []);
}
