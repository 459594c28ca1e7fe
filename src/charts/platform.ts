/** What the platform chart makes of its values: the Packages, the PackageSources, and what every release is told of the cluster. */
import { parse } from 'yaml';
import type { Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { isPackageSourceValue, isPackageValue } from '../cozystack/package.js';
import type { ChartFailure } from '../engine/host/helm-protocol.js';
import type { ChartPlace, ChartRelease, ChartRenderer, ChartWorld } from './renderer.js';

export type Platform = {
  /** By name. */
  packages: ReadonlyMap<string, JsonObject>;
  sources: ReadonlyMap<string, JsonObject>;
  /** What Secret `cozy-system/cozystack-values` holds (`_cluster`), which the operator copies to the namespaces of the platform. */
  clusterValues: JsonObject;
};

/** The component of Package `cozystack.cozystack-platform`, whose PackageSource the operator writes itself. */
function platformChart(variant: string): ChartPlace {
  const own = variant === 'default' ? [] : [`values-${variant}.yaml`];
  return { path: 'core/platform', libraries: [], valuesFiles: ['values.yaml', ...own] };
}

/** `values` are those of its Package. */
export async function renderPlatform(
  renderer: ChartRenderer,
  { variant, values }: { variant: string; values: JsonObject },
  world: ChartWorld,
): Promise<Platform | { failed: ChartFailure }> {
  const chart = platformChart(variant);
  const loaded = await renderer.load(chart);
  if ('failed' in loaded) return loaded;
  const release: ChartRelease = { name: 'cozystack-platform', namespace: 'cozy-system', chart, values };
  const source = lookUp({ ...loaded.values, ...values }, ['sourceRef']);
  const response = await renderer.render(release, { ...world, objects: [...world.objects, ...sourceObject(source)] });
  if ('failed' in response) return response;
  const objects = response.objects.map(({ object }) => object);
  const named = (kept: (object: JsonObject) => boolean) =>
    new Map(objects.filter(kept).map((object) => [getString(object, ['metadata', 'name']) ?? '', object]));
  const found = valuesIn(objects);
  if ('failed' in found) return found;
  return { packages: named(isPackageValue), sources: named(isPackageSourceValue), clusterValues: found.values };
}

/** The chart copies the source that it comes from, and fails where that is not there. */
function sourceObject(source: Json | undefined): JsonObject[] {
  if (!isObject(source)) return [];
  const { kind = null, name = null, namespace = null } = source;
  return [{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind, metadata: { name, namespace }, spec: {} }];
}

/** Text that is no YAML keeps helm-controller from every release ("could not resolve Secret chart values reference"). */
function valuesIn(objects: readonly JsonObject[]): { values: JsonObject } | { failed: ChartFailure } {
  const secret = objects.find(
    (object) => object.kind === 'Secret' && getString(object, ['metadata', 'name']) === 'cozystack-values',
  );
  const text = secret && getString(secret, ['stringData', 'values.yaml']);
  try {
    const values = text === undefined ? undefined : (parse(text) as Json);
    return { values: isObject(values) ? values : {} };
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    return { failed: { stage: 'parse', message: `Secret cozystack-values is no YAML: ${line}` } };
  }
}
