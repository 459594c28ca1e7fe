/** HelmReleases of the repository with a chart of the repository: what source-controller packs, and the values that helm-controller composes. */
import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import type { RevisionObjects } from '../cluster/cluster.js';
import type { Json, JsonObject, RenderedObject } from '../core/model.js';
import { getString, groupOf, isObject, lookUp } from '../core/object.js';
import { trimEnd } from '../core/text.js';
import { isApplied } from '../flux/applied.js';
import { sourceRefAt } from '../flux/flux-objects.js';
import { helmIgnored } from './helm-ignore.js';
import type { OwnCharts } from './own.js';
import { merged, type ReleaseOfRepository } from './releases.js';
import type { ChartPlace } from './renderer.js';
import type { ChartStore } from './store.js';

/** Why a HelmRelease is not rendered; `elsewhere` is the source of a chart that is not of this repository, empty where it names none. */
export type NotRendered = { why: string; elsewhere?: string };

/** A HelmRelease, and what it would be with another manifest. */
export type OwnHelmRelease = {
  object: RenderedObject;
  make(value: JsonObject): ReleaseOfRepository | NotRendered;
  /** The values that it takes from Secrets. */
  secrets: JsonObject[];
};

/** All that Flux applies, by `namespace/name`. */
export function ownHelmReleases(
  { objects }: RevisionObjects,
  charts: OwnCharts,
  clusterValues: JsonObject,
): ReadonlyMap<string, OwnHelmRelease> {
  const applied = objects.filter(isApplied);
  const releases = applied.filter(isHelmRelease);
  return new Map(
    releases.map((object) => {
      const make = (value: JsonObject) => releaseOf(value, { applied, charts, clusterValues });
      return [idOf(object.value), { object, make, secrets: secretValuesOf(object.value, applied) }];
    }),
  );
}

export function isHelmRelease({ ref }: RenderedObject): boolean {
  return ref.kind === 'HelmRelease' && groupOf(ref.apiVersion) === 'helm.toolkit.fluxcd.io';
}

const chartSpec = ['spec', 'chart', 'spec'];

function isHere(value: JsonObject, charts: OwnCharts): boolean {
  const ref = sourceRefAt(value, [...chartSpec, 'sourceRef']);
  return ref !== undefined && charts.isHere(ref);
}

/** `HelmRepository "namespace/name"`, or another kind; empty where none is named. */
function sourceLabel(value: JsonObject): string {
  const ref = sourceRefAt(value, [...chartSpec, 'sourceRef']) ?? sourceRefAt(value, ['spec', 'chartRef']);
  return ref ? `${ref.kind} "${ref.namespace}/${ref.name}"` : '';
}

function folderOf(value: JsonObject): string {
  const written = getString(value, [...chartSpec, 'chart']) ?? '';
  return trimEnd(written, '/').replace(/^(?:\.?\/)+/, '');
}

function idOf(value: JsonObject): string {
  return `${getString(value, ['metadata', 'namespace']) ?? ''}/${getString(value, ['metadata', 'name']) ?? ''}`;
}

type Context = { applied: readonly RenderedObject[]; charts: OwnCharts; clusterValues: JsonObject };

function releaseOf(value: JsonObject, context: Context): ReleaseOfRepository | NotRendered {
  if (!isHere(value, context.charts))
    return { why: 'its chart is not of this repository', elsewhere: sourceLabel(value) };
  if (lookUp(value, ['spec', 'suspend']) === true) return { why: 'it is suspended' };
  if (isObject(lookUp(value, ['spec', 'kubeConfig']))) return { why: 'it is for another cluster (spec.kubeConfig)' };
  const renderers = lookUp(value, ['spec', 'postRenderers']);
  if (Array.isArray(renderers) && renderers.length > 0) return { why: 'it has post-renderers (spec.postRenderers)' };
  const chart = chartOf(value, context.charts.store);
  if ('why' in chart) return chart;
  const from = valuesFrom(value, context);
  if ('why' in from) return from;
  const own = lookUp(value, ['spec', 'values']);
  const name = getString(value, ['metadata', 'name']) ?? '';
  const namespace = getString(value, ['metadata', 'namespace']) ?? '';
  const target = getString(value, ['spec', 'targetNamespace']);
  const called = getString(value, ['spec', 'releaseName']) || (target ? `${target}-${name}` : name);
  return {
    helmRelease: `${namespace}/${name}`,
    name: shortened(called),
    namespace: target || namespace,
    chart: chart.place,
    values: merged(from.values, isObject(own) ? own : {}),
  };
}

/** As helm-controller does with names of more than 53 characters (v1.5.0, `internal/release/name.go`). */
function shortened(name: string): string {
  if (name.length <= 53) return name;
  return `${name.slice(0, 40)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

/** A chart that source-controller has to fetch something for, or follows a link in, is not rendered. */
function chartOf(value: JsonObject, store: ChartStore): { place: ChartPlace } | NotRendered {
  const path = folderOf(value);
  const all = store.files(path);
  const text = (name: string) => {
    const found = all.find((file) => file.path === name);
    return found && Buffer.from(found.bytes).toString('utf8');
  };
  const ignores = helmIgnored(text('.helmignore') ?? '');
  if (!ignores) return { why: 'its chart has a .helmignore with more than names and one * each' };
  if (store.hasLinks?.(path)) return { why: 'its chart has symbolic links' };
  const missing = missingDependency(
    text('Chart.yaml') ?? '',
    all.map((file) => file.path),
  );
  if (missing !== undefined) return { why: `its chart needs the chart "${missing}", which is not in charts/` };
  const wanted = lookUp(value, [...chartSpec, 'valuesFiles']);
  const listed = (Array.isArray(wanted) ? wanted : []).map(String).map((file) => file.replace(/^(?:\.?\/)+/, ''));
  const prefix = path === '' ? '' : `${path}/`;
  if (listed.some((file) => !file.startsWith(prefix)))
    return { why: 'it takes values from outside its chart (valuesFiles)' };
  const own = listed.map((file) => file.slice(prefix.length));
  const mayLack = lookUp(value, [...chartSpec, 'ignoreMissingValuesFiles']) === true;
  const valuesFiles = mayLack ? own.filter((file) => all.some((one) => one.path === file)) : own;
  return { place: { store: without(store, path, ignores), path, libraries: [], valuesFiles } };
}

/** The same store, but for what `.helmignore` leaves out of one chart. */
function without(store: ChartStore, path: string, ignores: (path: string) => boolean): ChartStore {
  const kept = store.files(path).filter((file) => !ignores(file.path));
  return {
    ...store,
    files: (folder) => (folder === path ? kept : store.files(folder)),
    version: (folder) => `packed ${store.version?.(folder)}`,
  };
}

function missingDependency(text: string, files: readonly string[]): string | undefined {
  const chart = yamlOf(text);
  const listed = isObject(chart) ? chart.dependencies : undefined;
  const there = new Set(files.filter((file) => file.startsWith('charts/')).map((file) => file.split('/')[1] ?? ''));
  const isThere = (name: string) =>
    there.has(name) || [...there].some((one) => one.startsWith(`${name}-`) && one.endsWith('.tgz'));
  const names = (Array.isArray(listed) ? listed : []).map((one) => getString(one, ['name']) ?? '');
  return names.find((name) => !isThere(name));
}

/** Undefined where it is none. */
function yamlOf(text: string): Json | undefined {
  try {
    return parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** In their order; what is not in the repository is not known. */
function valuesFrom(value: JsonObject, { applied, clusterValues }: Context): { values: JsonObject } | NotRendered {
  const list = lookUp(value, ['spec', 'valuesFrom']);
  const namespace = getString(value, ['metadata', 'namespace']);
  let values: JsonObject = {};
  for (const item of Array.isArray(list) ? list : []) {
    const [kind = '', name = ''] = [getString(item, ['kind']), getString(item, ['name'])];
    if (getString(item, ['targetPath'])) return { why: `its values come from ${kind} "${name}" by a targetPath` };
    const held = heldBy({ kind, name, namespace }, applied);
    const isCluster = kind === 'Secret' && name === 'cozystack-values' && !held;
    const found = isCluster
      ? clusterValues
      : held && heldValues(held.value, getString(item, ['valuesKey']) || 'values.yaml');
    if (!found) return { why: `its values come from ${kind} "${name}", of which not all is in the repository` };
    values = merged(values, found);
  }
  return { values };
}

function heldBy(
  { kind, name, namespace }: { kind: string; name: string; namespace: string | undefined },
  applied: readonly RenderedObject[],
): RenderedObject | undefined {
  return applied.find(({ ref }) => ref.kind === kind && ref.name === name && ref.namespace === namespace);
}

function secretValuesOf(value: JsonObject, applied: readonly RenderedObject[]): JsonObject[] {
  const list = lookUp(value, ['spec', 'valuesFrom']);
  const namespace = getString(value, ['metadata', 'namespace']);
  return (Array.isArray(list) ? list : []).flatMap((item) => {
    if (getString(item, ['kind']) !== 'Secret') return [];
    const held = heldBy({ kind: 'Secret', name: getString(item, ['name']) ?? '', namespace }, applied);
    const values = held && heldValues(held.value, getString(item, ['valuesKey']) || 'values.yaml');
    return values ? [values] : [];
  });
}

/** Of a ConfigMap or Secret; undefined where that is encrypted, or is not what helm-controller could read. */
function heldValues(object: JsonObject, key: string): JsonObject | undefined {
  if (object.sops !== undefined) return undefined;
  const encoded = object.kind === 'Secret' ? getString(object, ['data', key]) : undefined;
  const plain = getString(object, [object.kind === 'Secret' ? 'stringData' : 'data', key]);
  const text = plain ?? (encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8'));
  const values = text === undefined ? undefined : (yamlOf(text) ?? {});
  return isObject(values) ? values : undefined;
}
