/** What one revision of the repository makes of a cluster's charts: the platform's objects, and the releases of its own Packages. */
import type { RevisionObjects } from '../cluster/cluster.js';
import type { Permissions } from '../cluster/permissions.js';
import { knownPlatformValues, platformsIn } from '../cluster/platform.js';
import { defined } from '../core/defined.js';
import {
  type FieldPath,
  type JsonObject,
  type Rendered,
  type RenderedObject,
  type Tree,
  UsageError,
} from '../core/model.js';
import { inventoryId, lookUp } from '../core/object.js';
import { platformName } from '../cozystack/catalog.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';
import type { Schemas } from '../cozystack/schemas.js';
import type { ChartFailure } from '../engine/host/helm-protocol.js';
import { isSetTo } from '../flux/settings.js';
import { isHelmRelease, type OwnHelmRelease, ownHelmReleases } from './helm-releases.js';
import { type ChartOrigin, ownCharts } from './own.js';
import { type Platform, renderPlatform } from './platform.js';
import { type ComponentRelease, merged, type ReleaseOfRepository, releasesOf } from './releases.js';
import type { ChartRenderer, ChartWorld } from './renderer.js';

export type ChartSide = {
  world: ChartWorld;
  /** Of the kinds that the cluster has. */
  schemas: Schemas;
  platform: Platform;
  /** The manifests of Packages that Flux applies, but for that of the platform itself. */
  packages: readonly RenderedObject[];
  /** The ids of those, and of HelmReleases, that stay in the cluster as they are when their manifests go. */
  kept: ReadonlySet<string>;
  /** By name, as the repository or else the platform has it. */
  sources: ReadonlyMap<string, SideSource>;
  /** Those of the repository with a chart of it, by `namespace/name`. */
  helmReleases: ReadonlyMap<string, OwnHelmRelease>;
  tree: Tree;
};

/** `object` and `home` where the repository has it itself. */
export type SideSource = { value: JsonObject; object?: RenderedObject; home?: ChartOrigin };

/** Why the charts of a cluster are not rendered, where the platform's own chart is not; `objects` are the manifests that set its values. */
export type PlatformFailure = { failed: ChartFailure; objects: readonly RenderedObject[] };

export async function sideOf(
  renderer: ChartRenderer,
  revision: RevisionObjects,
  tree: Tree,
): Promise<ChartSide | PlatformFailure> {
  const { applied, known, entrypoints } = revision;
  const { facts, contract } = known;
  const world: ChartWorld = {
    kubeVersion: `${facts.get('kubernetes').value}.0`,
    apiVersions: contract.schemas.served(),
    objects: [],
  };
  const values = knownPlatformValues({ facts, objects: applied });
  const variant = String(facts.get('variant').value);
  const platform = await renderPlatform(renderer, { variant, values }, world);
  if ('failed' in platform) return { failed: platform.failed, objects: platformsIn(applied) };
  const charts = ownCharts(revision, tree);
  const own = applied.filter(isPackageSource).map((object): [string, SideSource] => {
    const { value, ref } = object;
    // One of the platform that is edited here has its charts where the platform has them.
    return [ref.name, platform.sources.has(ref.name) ? { value } : { value, object, home: charts.originOf(value) }];
  });
  return {
    world,
    schemas: contract.schemas,
    platform,
    packages: applied.filter((object) => isPackage(object) && object.ref.name !== platformName),
    kept: keptIn(entrypoints, known.permissions),
    sources: new Map([
      ...[...platform.sources].map(([name, value]): [string, SideSource] => [name, { value }]),
      ...own,
    ]),
    helmReleases: ownHelmReleases(revision, charts, platform.clusterValues),
    tree,
  };
}

/** Throws a `UsageError` where the platform's own chart fails. */
export async function renderableSide(...asked: Parameters<typeof sideOf>): Promise<ChartSide> {
  const side = await sideOf(...asked);
  if (!('failed' in side)) return side;
  throw new UsageError('the platform’s own chart fails, so no other can be rendered: see check --charts');
}

/** Flux does not prune them, or its account may not delete them. */
function keptIn(entrypoints: readonly Rendered[], permissions: Permissions): ReadonlySet<string> {
  const ids = entrypoints.flatMap((one) =>
    (one.ok ? one.objects : [])
      .filter((object) => isPackage(object) || isHelmRelease(object))
      .flatMap(({ ref, value }) => {
        const isPruned =
          !isSetTo(value, 'prune', 'disabled') && permissions.access(one.entrypoint, 'delete', ref).allowed === true;
        return isPruned ? [] : [inventoryId(ref)];
      }),
  );
  return new Set(ids);
}

/**
 * The releases of a Package as the cluster has it: what the repository writes over what the platform's chart does. `value` is what the
 * repository writes; undefined where it writes nothing of it.
 */
export function releasesWith(side: ChartSide, name: string, value: JsonObject | undefined): ComponentRelease[] {
  const source = side.sources.get(name);
  const emitted = side.platform.packages.get(name);
  if (!source || !(emitted ?? value) || (source.home && 'elsewhere' in source.home)) return [];
  const whole = merged(emitted ?? {}, value ?? {});
  return releasesOf(
    { package: name, value: whole, source: source.value, ...defined({ home: source.home }) },
    side.platform.clusterValues,
  );
}

/** The same release if the object that decides of it were another, where it made one. */
export function releaseWith(side: ChartSide, release: ReleaseOfRepository, value: JsonObject | undefined) {
  if ('helmRelease' in release) {
    const made = value && side.helmReleases.get(release.helmRelease)?.make(value);
    return made && 'why' in made ? undefined : made;
  }
  return releasesWith(side, release.package, value).find(({ component }) => component === release.component);
}

/** The manifest that decides of a release. */
export function manifestOf(side: ChartSide, release: ReleaseOfRepository): RenderedObject | undefined {
  if ('helmRelease' in release) return side.helmReleases.get(release.helmRelease)?.object;
  return side.packages.find(({ ref }) => ref.name === release.package);
}

/** Of the platform's chart the default that a value takes the place of; undefined where there is none. */
export function emittedValue(side: ChartSide, release: ReleaseOfRepository, path: FieldPath) {
  return 'helmRelease' in release ? undefined : lookUp(side.platform.packages.get(release.package) ?? {}, path);
}
