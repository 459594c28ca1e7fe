/** Which entrypoints the configuration gives to a cluster, and what it names in vain. */
import { posix } from 'node:path';
import { minimatch } from 'minimatch';
import type { Config } from '../config/config.js';
import type { Entrypoint, Problem, Tree } from '../core/model.js';
import { nearestDirectory, nearMiss } from '../core/suggest.js';
import { clusterFolder } from '../flux/decoy.js';

/** The path itself, or a glob that it fits. */
function isOfCluster(path: string, pattern: string): boolean {
  return path === pattern || minimatch(path, pattern, { dot: true });
}

/** The configuration's word for it; else the folder of `clusters/`; undefined where nothing tells clusters apart. */
export function clusterOf(entrypoint: Entrypoint, { clusters }: Pick<Config, 'clusters'>): string | undefined {
  const configuredFor = (path: string | undefined) =>
    clusters.find(({ paths }) => path !== undefined && paths.some((pattern) => isOfCluster(path, pattern)));
  const configured = configuredFor(entrypoint.path) ?? configuredFor(entrypoint.appliedFrom);
  return configured ? configured.name : clusterFolder(entrypoint);
}

/** What is said where `--cluster` names none of the clusters. */
export function noCluster(wanted: string, known: readonly (string | undefined)[]): string {
  const names = namesOf(known);
  if (names.length === 0)
    return `the repository has no cluster "${wanted}", as it does not tell clusters apart; leave --cluster out`;
  return `the repository has no cluster "${wanted}"; ${nearMiss(wanted, names, `use one of ${names.join(', ')}`)}`;
}

/** Each once, sorted. */
export function namesOf(known: readonly (string | undefined)[]): string[] {
  return [...new Set(known.filter((name) => name !== undefined))].sort();
}

/**
 * Paths of clusters that nothing is applied from. A glob need only fit a directory, as it may be meant for what comes later; and so
 * need all of them where not all entrypoints are looked at.
 */
export function unmatchedPaths(
  { clusters, file }: Config,
  entrypoints: readonly Pick<Entrypoint, 'path' | 'appliedFrom'>[],
  tree: Tree,
  areAll: boolean,
): Problem[] {
  const applied = entrypoints.flatMap(({ path, appliedFrom }) => [path, ...(appliedFrom ? [appliedFrom] : [])]);
  const names = [...new Set(applied)];
  return clusters.flatMap(({ name, paths }, cluster) =>
    paths.flatMap((pattern, index): Problem[] => {
      if (names.some((path) => isOfCluster(path, pattern))) return [];
      const isThere = tree.isDirectory(pattern);
      const isGlob = /[*?[{!(]/.test(pattern);
      if ((isThere && !areAll) || (isGlob && fitsDirectory(pattern, tree))) return [];
      // An entrypoint that is misspelt is a finding of its own.
      if (isThere && names.some((path) => !tree.isDirectory(path))) return [];
      const existing = names.filter((path) => tree.isDirectory(path));
      const meant = meantBy(pattern, existing, isThere ? [] : tree.files);
      const isOtherwise = meant !== undefined && meant === plainly(pattern);
      const what = isThere
        ? 'is not an entrypoint'
        : isGlob
          ? 'matches no directory'
          : isOtherwise
            ? 'is not written as the entrypoint is'
            : 'does not exist';
      return [
        {
          rule: 'missing-entrypoint',
          ...((isThere || isGlob) && { severity: 'warning' as const }),
          message: `path "${pattern}" of cluster "${name}" ${what}, so its facts are not used there`,
          help: meant === undefined ? 'name an entrypoint of the cluster, or remove it' : `did you mean "${meant}"?`,
          at: {
            revision: tree.revision,
            file,
            document: 0,
            path: ['clusters', cluster, 'paths', index],
            part: 'value',
          },
        },
      ];
    }),
  );
}

/** An entrypoint sooner than another directory. */
function meantBy(pattern: string, names: readonly string[], files: readonly string[]): string | undefined {
  const plain = plainly(pattern);
  if (plain !== pattern && names.includes(plain)) return plain;
  const entrypoints = names.map((name) => `${name}/`);
  return nearestDirectory(plain, entrypoints) ?? nearestDirectory(plain, files);
}

/** Without `./` and a slash at the end. */
function plainly(path: string): string {
  return posix.normalize(path).replace(/\/$/, '');
}

/** What is to be below a directory may come later. */
function fitsDirectory(pattern: string, tree: Tree): boolean {
  if (pattern.endsWith('/**') && tree.isDirectory(pattern.slice(0, -3))) return true;
  const directories = new Set(tree.files.flatMap((file) => parents(file)));
  return [...directories].some((directory) => isOfCluster(directory, pattern));
}

function parents(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
