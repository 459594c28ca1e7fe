/** `explain --charts`: what a field of a Package or HelmRelease decides of in the objects of its chart. */
import type { Cluster } from '../cluster/cluster.js';
import { defined } from '../core/defined.js';
import type { ChartObjectDiff, FieldPath, JsonObject, RenderedObject } from '../core/model.js';
import { isObject, isWithin, lookUp, refOf } from '../core/object.js';
import { restartsBy } from '../core/workloads.js';
import type { Judged } from './fails.js';
import { allObjects, type DecidedObject, type Decision, decisionOf, isNearlyUp } from './origins.js';
import { type ReleaseOfRepository, releaseData, valuesPath } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { chartSecrets, isSecret, maskedFields } from './secrets.js';
import { type ChartSide, emittedValue, renderableSide } from './side.js';
import {
  type ChartsNeeds,
  type ChartsOptions,
  forEachCluster,
  manifestsIn,
  releasesOfRepository,
  valuesOfSecrets,
} from './stage.js';

/** Of `fields` `after` is as it is, and `before` as it is without the value: absent where another value was tried instead. */
export type BelowObject = Pick<ChartObjectDiff, 'ref' | 'fields' | 'restarts'> & Pick<DecidedObject, 'whole'>;

/** `release` is the HelmRelease, as `namespace/name`. */
export type Below = { release: string } & Decision<BelowObject>;

/** The fields of an object that are asked about; a list is one. */
export type AskedFields = { object: RenderedObject; paths: readonly FieldPath[] };

export type BelowFields = {
  /** What is known of a field. */
  of(object: RenderedObject, path: FieldPath): Below | undefined;
  /** What is secret in it, wherever it stands. */
  secrets: ReadonlySet<string>;
  /** Fields that there was no time for. */
  left: number;
};

/** Throws a `UsageError` where the platform's own chart fails. */
export async function belowFields(
  asked: readonly { cluster: Cluster; fields: readonly AskedFields[] }[],
  charts: ChartsOptions,
  needs: ChartsNeeds,
): Promise<BelowFields> {
  const found = new Map<RenderedObject, Map<string, Below>>();
  const secrets = new Set<string>();
  let left = 0;
  const fieldsOf = new Map(asked.map(({ cluster, fields }) => [cluster, fields]));
  await forEachCluster([...fieldsOf.keys()], charts, needs, async (renderer, cluster) => {
    const side = await renderableSide(renderer, cluster.head, needs.trees.head);
    const { releases } = releasesOfRepository(side);
    const made: JsonObject[] = [];
    for (const { object, paths } of fieldsOf.get(cluster) ?? []) {
      const own = new Map<string, Below>();
      found.set(object, own);
      for (const path of paths) {
        const release = releases.find((one) => one.object === object && isBelow(path, one.release))?.release;
        if (!release) continue;
        if (isNearlyUp(needs.budget)) {
          left += 1;
          continue;
        }
        const below = await belowField(renderer, { side, object, release }, path);
        if (below) own.set(JSON.stringify(path), below);
      }
      for (const { release } of releases.filter((one) => one.object === object))
        made.push(...(await secretsOf(renderer, release, side)));
    }
    for (const secret of chartSecrets(manifestsIn(cluster), made, valuesOfSecrets(side))) secrets.add(secret);
  });
  return { of: (object, path) => found.get(object)?.get(JSON.stringify(path)), secrets, left };
}

function isBelow(path: FieldPath, release: ReleaseOfRepository): boolean {
  const values = valuesPath(release);
  return path.length > values.length && isWithin(path, values);
}

async function secretsOf(
  renderer: ChartRenderer,
  release: ReleaseOfRepository,
  side: ChartSide,
): Promise<JsonObject[]> {
  const made = await allObjects(renderer, release, side);
  return 'failed' in made ? [] : made.map(({ object }) => object).filter(isSecret);
}

/** Undefined for what is not set and has no default: no other value of its kind can be tried. */
async function belowField(renderer: ChartRenderer, judged: Judged, path: FieldPath): Promise<Below | undefined> {
  const { object, release, side } = judged;
  const standard =
    lookUp(object.value, path) ?? emittedValue(side, release, path) ?? (await defaultOf(renderer, release, path));
  if (standard === undefined || (isObject(standard) && Object.keys(standard).length > 0)) return undefined;
  const decision = await decisionOf(renderer, judged, path, standard);
  const about = { release: releaseData(release).release };
  if (!('objects' in decision)) return { ...about, ...decision };
  const isTried = decision.effect === 'needed' || decision.isDefault === true;
  return { ...about, ...decision, objects: decision.objects.map((one) => belowObject(one, isTried)) };
}

async function defaultOf(renderer: ChartRenderer, release: ReleaseOfRepository, path: FieldPath) {
  const chart = await renderer.load(release.chart);
  return 'failed' in chart ? undefined : lookUp(chart.values, path.slice(valuesPath(release).length));
}

function belowObject({ made: { object }, other, whole, fields }: DecidedObject, isTried: boolean): BelowObject {
  const ref = refOf(object);
  const shown = maskedFields(ref, [other?.object ?? object, object], fields);
  const paths = fields.map(({ path }) => path);
  return {
    ref,
    ...(whole ? { whole } : defined({ restarts: restartsBy(object, paths) })),
    fields: isTried ? shown.map(({ before: _, ...field }) => field) : shown,
  };
}
