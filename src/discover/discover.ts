/** Which directories someone applies: where to begin, and what is applied from there. */

import { type Config, configFile } from '../config/config.js';
import { kustomizationOf } from '../core/kustomization.js';
import type { Tree } from '../core/model.js';
import { type Entrypoint, type JsonObject, type Problem, UsageError } from '../core/model.js';
import { getString } from '../core/object.js';
import { nearestDirectory } from '../core/suggest.js';
import { platformName } from '../cozystack/catalog.js';
import { isPackageValue, platformValuePath } from '../cozystack/package.js';
import type { Engine } from '../engine/host/engine.js';
import type { Outcome } from '../render/render.js';
import { type Assembled, assemble, type SkippedKustomization } from './assemble.js';
import { type Declared, type Documents, readDeclared, sync } from './declared.js';
import { normalize } from './flux.js';
import { follow, maxEntrypoints, maxLevels } from './follow.js';

export type Discovered = {
  entrypoints: Entrypoint[];
  skipped: SkippedKustomization[];
  /** Flux objects in files that no build reads. */
  unrendered: Declared[];
  /** Files that were looked at to find the entrypoints. */
  inputs: readonly string[];
  /** What is wrong with the entrypoints themselves. */
  problems: Problem[];
};

export type DiscoverOptions = {
  paths: readonly string[];
  /** Look at these only, even where none of them is in the tree. */
  onlyPaths?: boolean;
  remotes: readonly string[];
  build(entrypoint: Entrypoint): Promise<Outcome>;
};

/**
 * The first of these that names any directory says where to begin: `paths`, the configuration, the platform's Package, Flux
 * objects and folders of the repository. From there Flux Kustomizations are followed as they are rendered. Throws a
 * `UsageError` for a path that is not in the tree. An empty result is the caller's to report.
 */
export async function discover(
  tree: Tree,
  engine: Engine,
  config: Config,
  { paths, onlyPaths, remotes, build }: DiscoverOptions,
): Promise<Discovered> {
  const named = paths.length > 0 || onlyPaths ? given(tree, paths) : listed(config);
  const documents = await readDeclared(tree, engine);
  const platform = fromPlatformPackage(tree, documents);
  const fixed = named ?? (platform.length > 0 ? platform : undefined);
  // Where it is said what is applied, only the sources count of what stands in a file alone.
  const declared = fixed ? [] : documents.declared;
  const known = [...remotes, ...documents.urls];
  const { cut, ...found } = await follow(
    declared,
    (all, settings) => {
      const flux = assemble(fixed ? [...documents.declared.filter(isOnlySource), ...all] : all, {
        tree,
        remotes: known,
        settings,
      });
      return fixed ? after(fixed, flux) : withFirst(tree, flux);
    },
    build,
  );
  return { ...found, inputs: documents.files, problems: cut ? [tooMany(cut)] : [] };
}

function isOnlySource({ value }: Declared): boolean {
  return value.kind !== 'Kustomization';
}

function tooMany(cut: 'directories' | 'levels'): Problem {
  const what = {
    directories: `name more than ${maxEntrypoints} directories`,
    levels: `apply each other more than ${maxLevels} levels deep`,
  };
  return {
    rule: 'unbuildable-kustomization',
    message: `Flux objects ${what[cut]}, and the rest is not rendered`,
    help: 'remove the Flux objects that render each other',
    at: { file: configFile },
  };
}

function bare(path: string, why: string): Entrypoint {
  return { path, why, kustomization: {} };
}

function given(tree: Tree, paths: readonly string[]): Entrypoint[] {
  return paths.map((path) => {
    const normal = normalize(path);
    if (!tree.isDirectory(normal)) {
      const meant = nearestDirectory(normal, tree.files);
      const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
      throw new UsageError(`--path ${path}: there is no such directory in ${tree.description}${hint}`);
    }
    return bare(normal, 'given with --path');
  });
}

function listed({ entrypoints, file }: Config): Entrypoint[] | undefined {
  return entrypoints?.map((path, index) => ({
    ...bare(normalize(path), `listed in ${file}`),
    declaredAt: { file, document: 0, path: ['entrypoints', index] },
  }));
}

/** The customizer's own setting: `customizer.kustomization.path` in the values of the platform Package. */
function fromPlatformPackage(tree: Tree, { all }: Documents): Entrypoint[] {
  return all.flatMap((value: JsonObject) => {
    if (!isPackageValue(value) || getString(value, ['metadata', 'name']) !== platformName) return [];
    const path = getString(value, platformValuePath('customizer.kustomization.path'));
    if (path === undefined || !tree.isDirectory(normalize(path))) return [];
    return [bare(normalize(path), 'customizer.kustomization.path of the platform Package')];
  });
}

/** A Flux object says more of a directory than its bare path. */
function after(roots: readonly Entrypoint[], flux: Assembled): Assembled {
  const named = new Set(flux.entrypoints.map(({ path }) => path));
  return { ...flux, entrypoints: [...roots.filter(({ path }) => !named.has(path)), ...flux.entrypoints] };
}

/** What the customizer applies may hold Flux objects that apply other folders; it does not name itself. */
function withFirst(tree: Tree, flux: Assembled): Assembled {
  if (flux.entrypoints.length === 0) return { ...flux, entrypoints: byConvention(tree) };
  const root = rootKustomization(tree);
  const first =
    root.length > 0 ? root : clusterFolders(tree).filter(({ path, account }) => account || isBuilt(tree, path));
  return after(first, flux);
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
  if (tree.files.some((file) => /\.ya?ml$/i.test(file))) return [bare('.', 'the root, as nothing names another path')];
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
