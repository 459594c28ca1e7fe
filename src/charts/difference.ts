/** What a change makes of the objects below the Packages: which come, change and go, and which pods restart. */
import { isDeepStrictEqual } from 'node:util';
import type {
  ChartDiff,
  ChartObjectDiff,
  FieldPath,
  Json,
  JsonObject,
  Problem,
  RenderedObject,
} from '../core/model.js';
import { formatPath, getString, groupOf, isObject, lookUp } from '../core/object.js';
import type { ApplyEngine, LaterEngine } from '../engine/host/apply-engine.js';
import type { ChartObject, ChartResponse } from '../engine/host/helm-protocol.js';
import { changesBetween } from '../simulate/changes.js';

import { without } from './fails.js';
import { fieldsBetween } from './fields.js';
import type { ComponentRelease } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { maskedFields, withoutChartSecrets } from './secrets.js';
import { type ChartSide, componentLabel, objectLabel, releasesWith, releaseWith, valuesPath } from './side.js';

const messages = {
  deletes: (object: string, component: string, lost: string) =>
    `${component}: Helm deletes ${object}, and with it ${lost}`,
  refused: (object: string, component: string, why: string) =>
    `${component}: ${why} in ${object}, so the upgrade fails`,
};

/** A Package in both revisions; absent where one does not have it. */
type Pair = { before: ComponentRelease | undefined; after: ComponentRelease | undefined };

export async function chartDiffsOf(
  renderer: ChartRenderer,
  base: ChartSide,
  head: ChartSide,
  server: LaterEngine,
): Promise<{ diffs: Omit<ChartDiff, 'cluster'>[]; problems: Problem[] }> {
  const diffs: Omit<ChartDiff, 'cluster'>[] = [];
  const problems: Problem[] = [];
  const secrets: JsonObject[] = [];
  for (const { before, after } of pairsOf(renderer, base, head)) {
    const [old, now] = [
      before && (await renderer.render(before, base.world)),
      after && (await renderer.render(after, head.world)),
    ];
    const release = after ?? before;
    if (!release) continue;
    const about = {
      package: release.package,
      component: release.component,
      release: `${release.namespace}/${release.name}`,
    };
    if ((old && 'failed' in old) || (now && 'failed' in now)) {
      diffs.push({ ...about, objects: [], notRendered: true });
      continue;
    }
    for (const response of [old, now]) secrets.push(...secretsIn(response));
    const unsure = await randomFields(renderer, { before, after }, { base, head });
    const objects = objectDiffs(objectsIn(old), objectsIn(now), unsure);
    if (objects.length > 0) diffs.push({ ...about, objects });
    if (after && before)
      problems.push(
        ...(await dangers(renderer, { base, head, before, after }, [objectsIn(old), objectsIn(now)], server)),
      );
  }
  const written = [...base.packages, ...head.packages].map(({ value }) => value);
  return { diffs: withoutChartSecrets(diffs, written, secrets), problems };
}

function secretsIn(response: ChartResponse | undefined): JsonObject[] {
  const objects = response && 'objects' in response ? response.objects : [];
  return objects.map(({ object }) => object).filter(({ kind }) => kind === 'Secret');
}

/** Of both revisions the releases that are not the same. */
function pairsOf(renderer: ChartRenderer, base: ChartSide, head: ChartSide): Pair[] {
  const written = (side: ChartSide) => new Map(side.packages.map((object) => [object.ref.name, object.value]));
  const [old, now] = [written(base), written(head)];
  // Flux leaves it in the cluster as it was.
  for (const [name, value] of old) if (!now.has(name) && base.kept.has(name)) now.set(name, value);
  const names = new Set([
    ...base.platform.packages.keys(),
    ...head.platform.packages.keys(),
    ...old.keys(),
    ...now.keys(),
  ]);
  const pairs: Pair[] = [];
  for (const name of [...names].sort()) {
    const [before, after] = [releasesWith(base, name, old.get(name)), releasesWith(head, name, now.get(name))];
    const components = new Set([...before, ...after].map(({ component }) => component));
    for (const component of components) {
      const find = (all: ComponentRelease[]) => all.find((one) => one.component === component);
      const pair = { before: find(before), after: find(after) };
      if (!isSame(renderer, pair.before, pair.after)) pairs.push(pair);
    }
  }
  return pairs;
}

/** A chart that does not read what the platform tells of the cluster is not touched by a change of that. */
function isSame(
  renderer: ChartRenderer,
  before: ComponentRelease | undefined,
  after: ComponentRelease | undefined,
): boolean {
  if (!before || !after || !isDeepStrictEqual(before.chart, after.chart)) return before === after;
  if (before.name !== after.name || before.namespace !== after.namespace) return false;
  if (isDeepStrictEqual(before.values, after.values)) return true;
  const kept = ({ values }: ComponentRelease) =>
    renderer.readsCluster(after.chart) ? values : { ...values, _cluster: null };
  return isDeepStrictEqual(kept(before), kept(after));
}

/** Hooks come and go by themselves; definitions in `crds/` are never deleted. */
function objectsIn(response: ChartResponse | undefined): Map<string, JsonObject> {
  const objects: readonly ChartObject[] = response && 'objects' in response ? response.objects : [];
  return new Map(objects.filter(({ hook, crd }) => !hook && !crd).map(({ object }) => [idOf(object), object]));
}

function idOf(object: JsonObject): string {
  const [kind, namespace, name] = [['kind'], ['metadata', 'namespace'], ['metadata', 'name']].map(
    (path) => getString(object, path) ?? '',
  );
  return [groupOf(String(object.apiVersion ?? '')), kind, namespace, name].join('/');
}

/** Fields that differ from one render to the next, by object: nobody knows what they become. */
async function randomFields(
  renderer: ChartRenderer,
  { before, after }: Pair,
  sides: { base: ChartSide; head: ChartSide },
): Promise<ReadonlySet<string>> {
  const fields = new Set<string>();
  for (const [release, side] of [
    [before, sides.base],
    [after, sides.head],
  ] as const) {
    if (!release) continue;
    const first = await renderer.render(release, side.world);
    if ((first.consulted.random ?? []).length === 0) continue;
    const second = objectsIn(await renderer.render(release, side.world, 1));
    for (const [id, object] of objectsIn(first))
      for (const { path } of fieldsBetween(object, second.get(id))) fields.add(`${id} ${formatPath(path)}`);
  }
  return fields;
}

function objectDiffs(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
  unsure: ReadonlySet<string>,
): ChartObjectDiff[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.flatMap((id): ChartObjectDiff[] => {
    const [old, now] = [before.get(id), after.get(id)];
    const object = now ?? old;
    if (!object) return [];
    const ref = refOf(object);
    if (!old) return [{ ref, action: 'created' as const, fields: [] }];
    if (!now) return [{ ref, action: isKept(old) ? ('left' as const) : ('deleted' as const), fields: [] }];
    const fields = fieldsBetween(old, now).filter(({ path }) => !unsure.has(`${id} ${formatPath(path)}`));
    if (fields.length === 0) return [];
    const restarts = restartsBy(
      object,
      fields.map(({ path }) => path),
    );
    return [
      { ref, action: 'changed' as const, fields: maskedFields(ref, [old, now], fields), ...(restarts && { restarts }) },
    ];
  });
}

function refOf(object: JsonObject): ChartObjectDiff['ref'] {
  const namespace = getString(object, ['metadata', 'namespace']);
  return {
    apiVersion: String(object.apiVersion ?? ''),
    kind: getString(object, ['kind']) ?? '',
    name: getString(object, ['metadata', 'name']) ?? '',
    ...(namespace !== undefined && { namespace }),
  };
}

function isKept(object: JsonObject): boolean {
  return getString(object, ['metadata', 'annotations', 'helm.sh/resource-policy']) === 'keep';
}

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Which field of the template of its pods makes a workload restart them: the first that is no checksum, or else a checksum. */
function restartsBy(object: JsonObject, paths: readonly FieldPath[]): string | undefined {
  if (!workloads.has(String(object.kind))) return undefined;
  const inTemplate = paths.filter(([first, second]) => first === 'spec' && second === 'template');
  const isChecksum = (path: FieldPath) => /checksum|hash/i.test(String(path.at(-1)));
  const found = inTemplate.find((path) => !isChecksum(path)) ?? inTemplate[0];
  return found && formatPath(found);
}

/** What goes with an object that Helm deletes. */
const lost: { readonly [kind: string]: string } = {
  PersistentVolumeClaim: 'the data of its volume',
  PersistentVolume: 'the data that it holds',
  Namespace: 'everything in it',
  CustomResourceDefinition: 'every object of its kind',
};

type Changed = { base: ChartSide; head: ChartSide; before: ComponentRelease; after: ComponentRelease };

async function dangers(
  renderer: ChartRenderer,
  changed: Changed,
  [before, after]: [ReadonlyMap<string, JsonObject>, ReadonlyMap<string, JsonObject>],
  server: LaterEngine,
): Promise<Problem[]> {
  const label = componentLabel(changed.after);
  const problems: Problem[] = [];
  for (const [id, object] of before) {
    const goes = lost[String(object.kind)];
    if (after.has(id) || goes === undefined || isKept(object)) continue;
    const at = await placeOf(renderer, changed, (made) => made.has(id));
    if (at) problems.push({ rule: 'chart-deletes', message: messages.deletes(objectLabel(object), label, goes), at });
  }
  const pairs = [...after].flatMap(([id, object]) => {
    const old = before.get(id);
    return old && !isDeepStrictEqual(old, object) ? [{ id, old, object }] : [];
  });
  if (pairs.length === 0) return problems;
  const engine = await server.get();
  for (const { id, old, object } of pairs) {
    const why = await refusal(engine, old, object, changed.after.namespace);
    if (why === undefined) continue;
    const at = await placeOf(renderer, changed, (made) => {
      const other = made.get(id);
      return other !== undefined && isDeepStrictEqual(other, old);
    });
    if (at)
      problems.push({ rule: 'immutable-chart-field', message: messages.refused(objectLabel(object), label, why), at });
  }
  return problems;
}

/** Kubernetes' own validation of an update; kinds that only definitions bring are not judged. Undefined where it is accepted, or was refused before. */
async function refusal(
  engine: ApplyEngine,
  old: JsonObject,
  object: JsonObject,
  namespace: string,
): Promise<string | undefined> {
  const manager = 'helm-controller';
  const placed = (one: JsonObject) => inNamespace(one, namespace);
  const answers = await engine.ask([
    { op: 'reset' },
    { op: 'apply', object: placed(old), force: true, manager, brief: true },
    { op: 'apply', object: placed(object), force: true, manager, brief: true, dryRun: true },
  ]);
  const [, made, changed] = answers;
  if (!made || made.status >= 400 || !changed || changed.status < 400) return undefined;
  const isImmutable = /immutable|Forbidden|may not (?:be )?change/i.test(changed.error?.message ?? '');
  const [cause] = changed.error?.details?.causes ?? [];
  return isImmutable ? `${cause?.field ?? 'a field'} cannot be changed` : undefined;
}

/** Helm puts what names no namespace in that of the release. */
function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  return clusterScoped.has(String(object.kind)) || metadata.namespace !== undefined
    ? object
    : { ...object, metadata: { ...metadata, namespace } };
}

const clusterScoped = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ClusterRole',
  'ClusterRoleBinding',
  'StorageClass',
  'IngressClass',
  'PriorityClass',
  'RuntimeClass',
  'CSIDriver',
  'CustomResourceDefinition',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'APIService',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'VolumeAttachment',
]);

/** The first value that changed without whose change all would be well; else the Package itself. */
async function placeOf(
  renderer: ChartRenderer,
  { base, head, after }: Changed,
  isWell: (made: ReadonlyMap<string, JsonObject>) => boolean,
): Promise<Problem['at'] | undefined> {
  const find = (side: ChartSide): RenderedObject | undefined =>
    side.packages.find(({ ref }) => ref.name === after.package);
  const [object, old] = [find(head), find(base)];
  if (!object) return undefined;
  const values = valuesPath(after.component);
  const changed = changesBetween(old?.value, object.value).filter(({ path }) => path[0] === 'spec');
  for (const { path, before } of changed) {
    const value = before === undefined ? without(object.value, [path]) : withValue(object.value, path, before);
    const other = releaseWith(head, after.package, after.component, value);
    const made = other && (await renderer.render(other, head.world));
    if (!made || !isWell(objectsIn(made))) continue;
    if (lookUp(object.value, path) !== undefined) return { object, path };
    break;
  }
  return { object, path: lookUp(object.value, values) === undefined ? ['metadata', 'name'] : values };
}

function withValue(object: JsonObject, path: FieldPath, value: Json): JsonObject {
  const copy = structuredClone(object);
  let node: JsonObject = copy;
  for (const step of path.slice(0, -1)) {
    const inner = node[step];
    if (!isObject(inner)) node[step] = {};
    node = node[step] as JsonObject;
  }
  node[path.at(-1) ?? ''] = value;
  return copy;
}
