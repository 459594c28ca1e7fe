/** The charts that the repository itself has: of its own PackageSources, from the very revision that is judged. */
import { createHash } from 'node:crypto';
import type { RevisionObjects } from '../cluster/cluster.js';
import type { JsonObject, Place, Tree } from '../core/model.js';
import { getString } from '../core/object.js';
import { once } from '../core/once.js';
import { trimEnd } from '../core/text.js';
import { isCustomizersSource } from '../cozystack/customizer.js';
import type { ChartFile } from '../engine/host/helm-engine.js';
import { declaredOne, type SourceRef, sourceKey, sourceRefAt } from '../flux/flux-objects.js';
import type { ChartPlace } from './renderer.js';
import type { ChartStore } from './store.js';
import { isIgnored, maxBytes, maxFiles, TooLarge } from './taken.js';

/** Where the charts of a PackageSource are, or why they are not here. */
export type ChartOrigin = { store: ChartStore; folder: string } | { elsewhere: string };

export type OwnCharts = {
  /** The files of the revision. */
  store: ChartStore;
  /** Whether a source is this repository. */
  isHere(ref: SourceRef): boolean;
  /** Where the charts of a PackageSource are. */
  originOf(source: JsonObject): ChartOrigin;
};

/** A source is this repository where it is the customizer's, or a Flux Kustomization of the repository is applied from it. */
export function ownCharts({ entrypoints }: RevisionObjects, tree: Tree): OwnCharts {
  const keys = new Set(
    entrypoints.flatMap(({ entrypoint }) => {
      const ref = sourceRefAt(declaredOne(entrypoint, tree)?.value ?? null, ['spec', 'sourceRef']);
      return ref ? [sourceKey(ref)] : [];
    }),
  );
  const lost = new Set(entrypoints.flatMap((one) => one.lost.map(({ path }) => path)));
  const store = treeStore(tree, lost);
  const isHere = (ref: SourceRef) =>
    ref.kind === 'GitRepository' && (isCustomizersSource(ref) || keys.has(sourceKey(ref)));
  return {
    store,
    isHere,
    originOf(source) {
      const ref = sourceRefAt(source, ['spec', 'sourceRef']);
      if (!ref) return { elsewhere: 'it has no spec.sourceRef' };
      if (isHere(ref)) return { store, folder: baseOf(ref, source) };
      return { elsewhere: `they come from ${ref.kind} "${ref.namespace}/${ref.name}", which is not here` };
    },
  };
}

/** As the operator writes the ArtifactGenerator (Cozystack v1.6.2, `internal/operator/packagesource_reconciler.go`:316-332). */
function baseOf({ kind }: SourceRef, source: JsonObject): string {
  const written = getString(source, ['spec', 'sourceRef', 'path']) ?? '';
  const bare = trimEnd(written, '/').replace(/^\/+/, '');
  return bare === '' && kind === 'GitRepository' && written === '' ? 'packages' : bare;
}

/** The regular files of a tree, without those that Flux' artifacts leave out. */
function treeStore(tree: Tree, lost: ReadonlySet<string>): ChartStore {
  const sorted = once(() => [...tree.files].sort());
  const files = remembered((folder: string) => filesIn(tree, below(folder, sorted()), folder, lost));
  return {
    description: tree.description,
    files,
    hasLinks: (folder) => tree.links.some((link) => folder === '' || `${link}/`.startsWith(`${folder}/`)),
    version: remembered((folder: string) => versionOf(() => files(folder))),
  };
}

function remembered<Value>(of: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const found = known.has(key) ? (known.get(key) as Value) : of(key);
    known.set(key, found);
    return found;
  };
}

/** Those that begin with the folder stand side by side. */
function below(folder: string, sorted: readonly string[]): string[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? '') < prefix) from = middle + 1;
    else to = middle;
  }
  const found: string[] = [];
  for (let at = from; at < sorted.length && sorted[at]?.startsWith(prefix); at++) found.push(sorted[at] as string);
  return found;
}

function filesIn(tree: Tree, paths: readonly string[], folder: string, lost: ReadonlySet<string>): ChartFile[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const kept = paths.filter((file) => !lost.has(file) && !file.slice(start).split('/').some(isIgnored));
  if (kept.length > maxFiles) throw new TooLarge(folder);
  let size = 0;
  return kept.flatMap((file) => {
    const bytes = tree.bytes(file);
    size += bytes?.length ?? 0;
    if (size > maxBytes) throw new TooLarge(folder);
    return bytes ? [{ path: file.slice(start), bytes }] : [];
  });
}

function versionOf(files: () => readonly ChartFile[]): string {
  try {
    return digestOf(files());
  } catch (error) {
    if (error instanceof TooLarge) return error.message;
    throw error;
  }
}

function digestOf(files: readonly ChartFile[]): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of files) hash.update(`${JSON.stringify(path)} ${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

/** Where a line of a template stands in the repository; undefined where it is of another chart. */
export function templatePlace(
  { store, path, libraries }: ChartPlace,
  { template, line }: { template: string; line: number },
  tree: Tree,
): Place | undefined {
  if (!store) return undefined;
  const [, ...rest] = template.split('/');
  const library = rest[0] === 'charts' ? libraries.find(({ name }) => name === rest[1]) : undefined;
  const file = (library ? [library.path, ...rest.slice(2)] : [path, ...rest]).filter((part) => part !== '').join('/');
  const text = tree.text(file)?.split('\n')[line - 1];
  if (text === undefined) return undefined;
  const start = { line, column: 1 };
  return { revision: tree.revision, file, range: { start, end: { line, column: text.length + 1 } } };
}
