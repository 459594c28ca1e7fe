/** Flux objects as documents of the repository have them, wherever they stand: a cluster may have them without any build. */
import { basename } from 'node:path/posix';
import { isFluxKustomization } from '../core/flux-api.js';
import { groupBy } from '../core/group.js';
import type { Entrypoint, JsonObject, RenderedObject, Tree } from '../core/model.js';
import { getString } from '../core/object.js';
import { roundNumber } from '../core/rounds.js';
import type { Engine } from '../engine/host/engine.js';
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
  const documents = candidates.length > 0 ? await documentsOf(candidates, tree, engine) : [];
  const declared = documents.filter(({ value }) => isFluxKustomization(value) || isSource(value));
  return {
    declared,
    files: candidates,
    all: documents.map(({ value }) => value),
    urls: bootstrapped(documents),
  };
}

type Document = { value: JsonObject; file: string; document: number };

/** What files hold that could be read, by their bytes, for the next round of `check --watch`. */
const known = new WeakMap<Uint8Array, readonly Document[]>();

/** In the order of the files. */
async function documentsOf(files: readonly string[], tree: Tree, engine: Engine): Promise<readonly Document[]> {
  const knownOf = (file: string) => {
    const bytes = tree.bytes(file);
    return bytes && known.get(bytes);
  };
  // Where there is nothing to read, the engine says what Flux does not get to see.
  const first = await readIn(
    engine,
    files.filter((file) => !knownOf(file)),
  );
  // What breaks the engine takes the others along.
  const { documents, failed } = first.failed.size > 0 ? await readIn(engine, [...files]) : first;
  const lost = new Set(engine.lost.map(({ path }) => path));
  return files.flatMap((file) => {
    const isRead = documents.has(file) || failed.has(file) || lost.has(file);
    const found = isRead ? (documents.get(file) ?? []) : (knownOf(file) ?? []);
    const bytes = tree.bytes(file);
    if (roundNumber() > 0 && bytes && !failed.has(file) && !lost.has(file)) known.set(bytes, found);
    return found;
  });
}

async function readIn(engine: Engine, files: string[]) {
  const { documents, sources, failures } = await engine.read(files);
  const found = documents.map(({ value, source }): Document => {
    const { file, document } = sources[source] ?? { file: '', document: 0 };
    return { value, file, document };
  });
  return { documents: groupBy(found, ({ file }) => file), failed: new Set(failures.map(({ file }) => file)) };
}

/** YAML and JSON files that contain one of the words: a cheap look before anything is parsed. */
function mentioning(tree: Tree): string[] {
  return tree.files.filter((file) => {
    if (!/\.(ya?ml|json)$/i.test(file)) return false;
    const content = tree.bytes(file);
    if (content === undefined) return false;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    return words.some((word) => isMentioned(word, bytes));
  });
}

/** The longest key that is known for one; a longer one is read. */
const keyBytes = 64;

/** Most files that have a word have it as a key of an annotation (`kustomize.toolkit.fluxcd.io/prune: disabled`), which is no object of Flux'. */
function isMentioned(word: string, bytes: Buffer): boolean {
  const first = bytes.indexOf(word);
  // With an escape any other text may be the word too.
  if (first >= 0 && bytes.includes('\\')) return true;
  for (let at = first; at >= 0; at = bytes.indexOf(word, at + word.length)) {
    const behind = at + word.length;
    if (!/^\/[a-z]+["']?:/.test(bytes.toString('latin1', behind, behind + keyBytes))) return true;
  }
  return false;
}

/** What `flux bootstrap` writes into the folder that it has Flux apply, with all of Flux's rights. */
export const sync = 'gotk-sync.yaml';

/** The URLs that it wrote there: those of this repository, under which name ever this clone knows it. */
function bootstrapped(documents: readonly Document[]): string[] {
  const written = documents.filter(({ file }) => basename(file) === sync);
  const own = written.filter(({ value, file }) => {
    const path = normalize(getString(value, ['spec', 'path']) ?? '.');
    return isFluxKustomization(value) && (path === '.' || file.startsWith(`${path}/`));
  });
  const names = new Set(own.map(({ value }) => getString(value, ['spec', 'sourceRef', 'name'])));
  return written
    .filter(({ value }) => isSource(value) && names.has(getString(value, ['metadata', 'name'])))
    .flatMap(({ value }) => getString(value, ['spec', 'url']) ?? []);
}
