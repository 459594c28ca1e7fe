/** The objects that a release has in the cluster: what its chart makes, where Helm puts it. */
import type { JsonObject } from '../core/model.js';
import { inventoryId, isObject, refOf } from '../core/object.js';
import type { Schemas } from '../cozystack/schemas.js';
import type { ReleaseOfRepository } from './releases.js';
import type { ChartRenderer } from './renderer.js';
import { isSecret } from './secrets.js';
import type { ChartSide } from './side.js';

export type Made = {
  /** By the id that Flux' inventory would give them; none where the chart fails. */
  objects: ReadonlyMap<string, JsonObject>;
  fails: boolean;
  /** Those of hooks as well. */
  secrets: readonly JsonObject[];
  /** The functions that left something to chance. */
  random: readonly string[];
};

/** What comes of a release of one revision; `chance` changes all that is random. */
export async function madeBy(
  renderer: ChartRenderer,
  release: ReleaseOfRepository,
  { world, schemas }: ChartSide,
  chance = 0,
): Promise<Made> {
  const response = await renderer.render(release, world, chance);
  const { random = [] } = response.consulted;
  if ('failed' in response) return { objects: new Map(), fails: true, secrets: [], random };
  // Hooks come and go by themselves; definitions in `crds/` are never deleted.
  const lasting = response.objects.filter(({ hook, crd }) => !hook && !crd);
  const placed = lasting.map(({ object }) => inNamespace(object, release.namespace, schemas));
  return {
    objects: new Map(placed.map((object) => [inventoryId(refOf(object)), object])),
    fails: false,
    secrets: response.objects.map(({ object }) => object).filter(isSecret),
    random,
  };
}

/** Helm puts what names no namespace in that of the release. */
export function inNamespace(object: JsonObject, namespace: string, schemas: Schemas): JsonObject {
  const { apiVersion, kind, namespace: own } = refOf(object);
  const found = schemas.find(apiVersion, kind);
  if (own !== undefined || (found.known && found.scope === 'Cluster')) return object;
  return { ...object, metadata: { ...(isObject(object.metadata) ? object.metadata : {}), namespace } };
}
