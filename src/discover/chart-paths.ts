/** Paths of this repository from which charts may be read: those of a source in git, as objects of Flux and of Cozystack name them. */
import type { FieldPath, Json, JsonObject, Tree } from '../core/model.js';
import { getString, groupOf, lookUp } from '../core/object.js';
import { isPackageSourceValue } from '../cozystack/package.js';
import { normalize } from './flux.js';

/** Where an object names a chart of a git repository, and the files and directories of it; undefined if it names none. */
export type ChartPaths = { at: FieldPath; paths: string[] };

export function chartPathsOf(value: JsonObject, tree: Tree): ChartPaths | undefined {
  const found = namedIn(value);
  return found && { ...found, paths: withDependencies(found.paths, tree) };
}

function namedIn(value: JsonObject): ChartPaths | undefined {
  if (isPackageSourceValue(value)) return ofPackageSource(value);
  const group = groupOf(String(value.apiVersion));
  if (value.kind === 'HelmRelease' && group === 'helm.toolkit.fluxcd.io')
    return ofChart(value, ['spec', 'chart', 'spec']);
  return value.kind === 'HelmChart' && group === 'source.toolkit.fluxcd.io' ? ofChart(value, ['spec']) : undefined;
}

function ofChart(value: JsonObject, path: FieldPath): ChartPaths | undefined {
  const chart = getString(value, [...path, 'chart']);
  if (chart === undefined || !isInGit(value, path)) return undefined;
  const valuesFiles = itemsOf(value, [...path, 'valuesFiles']).filter((file) => typeof file === 'string');
  return { at: [...path, 'chart'], paths: [chart, ...valuesFiles].map(normalize) };
}

/** The charts of all components and libraries, below the path of the source (Cozystack v1.6.2, `packagesource_reconciler.go`:316). */
function ofPackageSource(value: JsonObject): ChartPaths | undefined {
  if (!isInGit(value, ['spec'])) return undefined;
  const start = getString(value, ['spec', 'sourceRef', 'path']) || 'packages';
  const variants = itemsOf(value, ['spec', 'variants']);
  const parts = variants.flatMap((variant) => ['components', 'libraries'].flatMap((list) => itemsOf(variant, [list])));
  const paths = parts.flatMap((part) => getString(part, ['path']) ?? []).map((path) => normalize(`${start}/${path}`));
  return { at: ['spec', 'variants'], paths: [...new Set(paths)] };
}

function isInGit(value: JsonObject, path: FieldPath): boolean {
  return getString(value, [...path, 'sourceRef', 'kind']) === 'GitRepository';
}

function itemsOf(value: Json, path: FieldPath): Json[] {
  const items = lookUp(value, path);
  return Array.isArray(items) ? items : [];
}

/** With the charts beside them that a Chart.yaml names by `file://`. */
function withDependencies(paths: readonly string[], tree: Tree): string[] {
  const all = new Set(paths);
  for (const chart of all) {
    const text = ['Chart.yaml', 'requirements.yaml'].map((file) => tree.text(`${chart}/${file}`) ?? '').join('\n');
    for (const [, path = ''] of text.matchAll(/file:\/\/([^\s"',}]{1,500})/g)) all.add(normalize(`${chart}/${path}`));
  }
  return [...all];
}
