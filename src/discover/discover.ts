/** Which directories someone applies: the first of these sources that names any is believed. */
import { basename } from 'node:path/posix';
import { type Config, configFile } from '../config/config.js';
import { kustomizationOf } from '../contract/kustomize.js';
import type { Engine } from '../engine/engine.js';
import type { ReadResponse } from '../engine/protocol.js';
import { type Entrypoint, type JsonObject, UsageError } from '../model.js';
import { lookUp, textAt } from '../object.js';
import type { Tree } from '../tree.js';
import { accountOf, canBeThisRepository, fluxKustomization, normalize, sourcesOf } from './flux.js';
import { type Declared, follow, isFluxKustomization, mayBeChanged } from './rendered.js';

export type Discovered = {
  entrypoints: Entrypoint[] /** Flux Kustomizations that are not this repository's to lint, by name, with the reason. */;
  skipped: string[];
};

export type DiscoverOptions = {
  paths: readonly string[];
  /** Look at these only, even where none of them is in the tree. */
  onlyPaths?: boolean;
  remotes: readonly string[];
};

/** What a file must mention for its documents to be looked at. */
const words = ['kustomize.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io', 'cozystack.cozystack-platform'];

type Documents = ReadResponse['documents'];

/** Throws a `UsageError` for a path that is not in the tree. An empty result is the caller's to report. */
export async function discover(
  tree: Tree,
  engine: Engine,
  config: Config,
  options: DiscoverOptions,
): Promise<Discovered> {
  if (options.paths.length > 0 || options.onlyPaths) return { entrypoints: given(tree, options.paths), skipped: [] };
  if (config.entrypoints)
    return {
      entrypoints: config.entrypoints.map((path, index) => ({
        ...bare(normalize(path), `listed in ${config.file}`),
        declaredAt: { file: config.file ?? configFile, document: 0, path: ['entrypoints', index] },
      })),
      skipped: [],
    };
  const candidates = mentioning(tree, words);
  const { documents, sources } = candidates.length > 0 ? await engine.read(candidates) : { documents: [], sources: [] };
  const platform = fromPlatformPackage(tree, documents);
  if (platform.length > 0) return { entrypoints: platform, skipped: [] };
  const remotes = [...options.remotes, ...bootstrapped(documents, sources)];
  const declared = documents.flatMap(({ value, source }): Declared[] => {
    const { file, document } = sources[source] ?? { file: '', document: 0 };
    return isFluxKustomization(value) ? [{ value, file, document }] : [];
  });
  const values = documents.map(({ value }) => value);
  const assemble = (from: readonly Declared[]) => withFirst(tree, fromFlux(tree, from, sourcesOf(values), remotes));
  return mayBeChanged(tree, values) ? follow(declared, assemble, engine) : assemble(declared);
}

/** What the customizer applies may hold Flux objects that apply other folders; it does not name itself. */
function withFirst(tree: Tree, flux: Discovered): Discovered {
  if (flux.entrypoints.length === 0) return { ...flux, entrypoints: byConvention(tree) };
  const named = new Set(flux.entrypoints.map(({ path }) => path));
  const root = rootKustomization(tree);
  const first =
    root.length > 0 ? root : clusterFolders(tree).filter(({ path, account }) => account || isBuilt(tree, path));
  return { ...flux, entrypoints: [...first.filter(({ path }) => !named.has(path)), ...flux.entrypoints] };
}

/** What `flux bootstrap` writes into the folder that it has Flux apply, with all of Flux's rights. */
const sync = 'gotk-sync.yaml';

/** The URLs that it wrote there: those of this repository, under which name ever this clone knows it. */
function bootstrapped(documents: Documents, files: ReadResponse['sources']): string[] {
  const isSync = (file = '') => basename(file) === sync;
  const written = documents.filter(({ source }) => isSync(files[source]?.file));
  const own = written.filter(({ value, source }) => {
    const path = normalize(textAt(value, ['spec', 'path']) ?? '.');
    return isFluxKustomization(value) && (path === '.' || files[source]?.file.startsWith(`${path}/`));
  });
  const names = new Set(own.map(({ value }) => textAt(value, ['spec', 'sourceRef', 'name'])));
  return sourcesOf(written.map(({ value }) => value))
    .filter((source) => names.has(textAt(source, ['metadata', 'name'])))
    .flatMap((source) => textAt(source, ['spec', 'url']) ?? []);
}

function bare(path: string, why: string): Entrypoint {
  return { path, why, kustomization: {} };
}

function given(tree: Tree, paths: readonly string[]): Entrypoint[] {
  return paths.map((path) => {
    const normal = normalize(path);
    if (!tree.isDirectory(normal))
      throw new UsageError(`--path ${path}: there is no such directory in ${tree.description}`);
    return bare(normal, 'given with --path');
  });
}

/** YAML and JSON files that contain one of the words: a cheap look before anything is parsed. */
function mentioning(tree: Tree, words: readonly string[]): string[] {
  return tree.files.filter((file) => {
    if (!/\.(ya?ml|json)$/.test(file)) return false;
    const content = tree.bytes(file);
    return (
      content !== undefined &&
      words.some((word) => Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(word))
    );
  });
}

/** The customizer's own setting: `customizer.kustomization.path` in the values of the platform Package. */
function fromPlatformPackage(tree: Tree, documents: Documents): Entrypoint[] {
  return documents.flatMap(({ value }) => {
    if (value.kind !== 'Package' || textAt(value, ['metadata', 'name']) !== 'cozystack.cozystack-platform') return [];
    const path = textAt(value, ['spec', 'components', 'platform', 'values', 'customizer', 'kustomization', 'path']);
    if (path === undefined || !tree.isDirectory(normalize(path))) return [];
    return [bare(normalize(path), 'customizer.kustomization.path of the platform Package')];
  });
}

function fromFlux(
  tree: Tree,
  declared: readonly Declared[],
  sources: JsonObject[],
  remotes: readonly string[],
): Discovered {
  const entrypoints: Entrypoint[] = [];
  const skipped: string[] = [];
  for (const { value, file, document, appliedFrom } of declared) {
    const name = [textAt(value, ['metadata', 'namespace']), textAt(value, ['metadata', 'name'])]
      .filter(Boolean)
      .join('/');
    const path = normalize(textAt(value, ['spec', 'path']) ?? '.');
    const reason = reasonToSkip(tree, value, path, sources, remotes);
    if (reason) skipped.push(`Flux Kustomization "${name}" ${reason}`);
    else
      entrypoints.push({
        path,
        why: `Flux Kustomization "${name}"`,
        kustomization: fluxKustomization(value),
        account: accountOf(value),
        ...(lookUp(value, ['spec', 'prune']) !== true && { prunes: false as const }),
        ...(lookUp(value, ['spec', 'force']) === true && { forces: true as const }),
        ...(file && { declaredAt: { file, document, path: ['spec', 'path'] } }),
        ...(appliedFrom !== undefined && { appliedFrom }),
      });
  }
  return { entrypoints: unique(entrypoints), skipped };
}

function reasonToSkip(
  tree: Tree,
  value: JsonObject,
  path: string,
  sources: JsonObject[],
  remotes: readonly string[],
): string | undefined {
  const spec = value.spec;
  if (spec && typeof spec === 'object' && !Array.isArray(spec) && spec.kubeConfig)
    return 'applies to another cluster (spec.kubeConfig)';
  if (!canBeThisRepository(value, sources, remotes)) return 'renders another repository (spec.sourceRef)';
  if (!tree.isDirectory(path)) return `names a path that is not here: "${path}"`;
  return undefined;
}

/** Two clusters may well have a Flux object of the same name and path; a folder that lists one twice has one. */
function unique(entrypoints: Entrypoint[]): Entrypoint[] {
  const key = (entrypoint: Entrypoint) =>
    JSON.stringify([entrypoint.path, entrypoint.kustomization, entrypoint.account, clusterFolder(entrypoint)]);
  const seen = new Map(entrypoints.map((entrypoint) => [key(entrypoint), entrypoint]));
  return [...seen.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** The folder of `clusters/` that holds the entrypoint, or the Flux object that names it: what the usual layout means by it. */
export function clusterFolder({ path, declaredAt, appliedFrom }: Entrypoint): string | undefined {
  const folder = /^clusters\/([^/]+)(?:\/|$)/;
  const places = [path, declaredAt?.file ?? '', appliedFrom ?? ''];
  return places.map((place) => folder.exec(place)?.[1]).find((name) => name !== undefined);
}

function rootKustomization(tree: Tree): Entrypoint[] {
  return isBuilt(tree, '.') ? [bare('.', 'the root has a kustomization')] : [];
}

function isBuilt(tree: Tree, path: string): boolean {
  return kustomizationOf(path, tree) !== undefined;
}

function byConvention(tree: Tree): Entrypoint[] {
  const root = rootKustomization(tree);
  if (root.length > 0) return root;
  const clusters = clusterFolders(tree);
  if (clusters.length > 0) return clusters;
  if (tree.files.some((file) => /\.ya?ml$/.test(file))) return [bare('.', 'the root, as nothing names another path')];
  return [];
}

/** Before somebody runs `flux bootstrap`, its file is there but says nothing. */
function clusterFolders(tree: Tree): Entrypoint[] {
  const paths = new Set(tree.files.flatMap((file) => /^(clusters\/[^/]+)\//.exec(file)?.[1] ?? []));
  return [...paths].sort().map((path) => ({
    ...bare(path, 'a folder of clusters/'),
    ...(tree.has(`${path}/flux-system/${sync}`) && { account: 'flux' as const }),
  }));
}
