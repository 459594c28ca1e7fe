/** Entrypoints from Flux Kustomizations: which of them apply this repository, and what they add to the build. */

import { defined } from '../core/defined.js';
import { isFluxKustomization } from '../core/flux-api.js';
import { groupBy } from '../core/group.js';
import type { Entrypoint, JsonObject, Tree } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { certaintyOf, isApplied } from '../flux/applied.js';
import { clusterFolder, unrendered } from '../flux/decoy.js';
import { sourceKey, sourceRefAt } from '../flux/flux-objects.js';
import type { Declared } from './declared.js';
import {
  accountOf,
  canBeThisRepository,
  fluxKustomization,
  isSource,
  isThisRepository,
  normalize,
  sourcesFor,
} from './flux.js';
import { resolved, type Settings } from './settings.js';

export type Assembled = { entrypoints: Entrypoint[]; skipped: SkippedKustomization[] };

/** A Flux Kustomization whose path is not linted, and why; `artifact` is the `sourceKey` of the ExternalArtifact that it applies. */
export type SkippedKustomization = { declared: Declared; name: string; reason: string; artifact?: string };

export type AssembleOptions = {
  tree: Tree;
  remotes: readonly string[];
  /** ConfigMaps that are rendered, for `postBuild.substituteFrom`. */
  settings: Settings;
};

/** `declared` are Flux Kustomizations and sources; what is rendered counts before what only a file says. */
export function assemble(declared: readonly Declared[], { tree, remotes, settings }: AssembleOptions): Assembled {
  const sources = sourcesByName(declared);
  const entrypoints: Entrypoint[] = [];
  const skipped: SkippedKustomization[] = [];
  for (const one of declared) {
    const { value, file, document, appliedFrom } = one;
    if (!isFluxKustomization(value)) continue;
    const near = sourcesOf(one, sources.get(refName(value)) ?? []);
    const path = normalize(getString(value, ['spec', 'path']) ?? '.');
    const name = nameOf(value);
    const reason = reasonToSkip(tree, value, path, near, remotes);
    if (reason) {
      skipped.push({ declared: one, name, ...reason });
      continue;
    }
    const ignore = ignoreOf(near, remotes);
    const way = reachOf(one, near);
    entrypoints.push({
      path,
      why: `Flux Kustomization "${name}"`,
      kustomization: resolved(fluxKustomization(value), { cluster: one.cluster, reach: way.reach }, settings),
      account: accountOf(value),
      ...(lookUp(value, ['spec', 'prune']) !== true && { prunes: false as const }),
      ...(lookUp(value, ['spec', 'force']) === true && { forces: true as const }),
      ...(file !== undefined && { declaredAt: { file, document: document ?? 0, path: ['spec', 'path'] } }),
      ...defined({ appliedFrom, ignore }),
      ...way,
    });
  }
  return { entrypoints: unique(entrypoints), skipped };
}

/** A Flux object looks at the sources of its own kind and name alone: all of them for each would be a square of the work. */
function sourcesByName(declared: readonly Declared[]): Map<string, Declared[]> {
  return groupBy(
    declared.filter(({ value }) => isSource(value)),
    ({ value }) => JSON.stringify([value.kind, getString(value, ['metadata', 'name'])]),
  );
}

function refName(value: JsonObject): string {
  return JSON.stringify([
    getString(value, ['spec', 'sourceRef', 'kind']),
    getString(value, ['spec', 'sourceRef', 'name']),
  ]);
}

function nameOf(value: JsonObject): string {
  return [getString(value, ['metadata', 'namespace']), getString(value, ['metadata', 'name'])]
    .filter(Boolean)
    .join('/');
}

/**
 * The sources that the same cluster renders, else those that any build renders, else those in a file. One that Flux does not apply as it is
 * rendered defines nothing.
 */
function sourcesOf(one: Declared, all: readonly Declared[]): JsonObject[] {
  const sources = all.filter((source) => source.reach !== 'suspended' && certaintyOf(source, {}) === 'certain');
  const rendered = sources.filter(({ object }) => object);
  const near = rendered.filter(({ cluster }) => cluster === one.cluster);
  for (const group of [near, rendered, sources]) {
    const found = sourcesFor(
      one.value,
      group.map(({ value }) => value),
    );
    if (found.length > 0) return found;
  }
  return [];
}

function reasonToSkip(
  tree: Tree,
  value: JsonObject,
  path: string,
  sources: readonly JsonObject[],
  remotes: readonly string[],
): Pick<SkippedKustomization, 'reason' | 'artifact'> | undefined {
  if (appliesElsewhere(value)) return { reason: 'applies to another cluster (spec.kubeConfig)' };
  const ref = sourceRefAt(value, ['spec', 'sourceRef']);
  if (ref?.kind === 'ExternalArtifact') {
    const reason = `applies ExternalArtifact "${ref.namespace}/${ref.name}"`;
    return { reason, artifact: sourceKey(ref) };
  }
  if (!canBeThisRepository(value, sources, remotes)) return { reason: 'renders another repository (spec.sourceRef)' };
  if (!tree.isDirectory(path)) return { reason: `names a path that is not here: "${path}"` };
  return undefined;
}

/** What stands in the way, from what renders it to its source. */
function reachOf({ value, reach, object }: Declared, sources: readonly JsonObject[]): Pick<Entrypoint, 'reach'> {
  const isHeld = reach === 'suspended' || lookUp(value, ['spec', 'suspend']) === true || !isApplied({ value });
  if (isHeld) return { reach: 'suspended' };
  const ref = lookUp(value, ['spec', 'sourceRef']) ?? {};
  const namespace = getString(ref, ['namespace']) ?? getString(value, ['metadata', 'namespace']) ?? '';
  const ways = new Set([
    ...(reach?.split(' + ') ?? []),
    ...(object ? [] : [unrendered]),
    ...(sources.length > 0 ? [] : [`GitRepository ${namespace}/${getString(ref, ['name']) ?? ''}`]),
  ]);
  return ways.size > 0 ? { reach: [...ways].sort().join(' + ') } : {};
}

/** An empty `kubeConfig` names no other cluster, so it is no reason not to look (its CRD refuses it). */
export function appliesElsewhere(value: JsonObject): boolean {
  const config = lookUp(value, ['spec', 'kubeConfig']);
  return isObject(config) && (isObject(config.secretRef) || isObject(config.configMapRef));
}

/** `spec.ignore` of the source, which decides what its artifact holds. */
function ignoreOf(sources: readonly JsonObject[], remotes: readonly string[]): string | undefined {
  const own = sources.find((source) => isThisRepository(source, remotes));
  return own && getString(own, ['spec', 'ignore']);
}

/** Two clusters may well have a Flux object of the same name and path; a folder that lists one twice has one. */
function unique(entrypoints: Entrypoint[]): Entrypoint[] {
  const key = (entrypoint: Entrypoint) =>
    JSON.stringify([
      entrypoint.path,
      entrypoint.kustomization,
      entrypoint.account,
      entrypoint.ignore,
      entrypoint.reach,
      clusterFolder(entrypoint),
    ]);
  const seen = new Map(entrypoints.map((entrypoint) => [key(entrypoint), entrypoint]));
  return [...seen.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
