/** What a merge would do in a cluster, as far as two renders tell: it is the inventory that Flux compares, too. */

import { isDeepStrictEqual } from 'node:util';
import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import { defined } from '../core/defined.js';
import type { Effects, ObjectRef, RenderedObject } from '../core/model.js';
import { inventoryId } from '../core/object.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';
import { isApplied } from '../flux/applied.js';
import { prunedObjects, sameEntrypoint } from '../flux/prune.js';
import { around } from '../graph/around.js';
import { dependencyGraph } from '../graph/graph.js';
import { toMermaid } from '../graph/mermaid.js';

/** A picture of more than this is none. */
const maxNodes = 40;

/** Undefined where there is nothing to compare with. */
export function effectsOf(cluster: Cluster): Effects | undefined {
  const { name, head, base } = cluster;
  if (!base) return undefined;
  const [now, before] = [applied(head), applied(base)];
  const pruned = prunedObjects(base.entrypoints, head.entrypoints).filter(({ movedTo }) => !movedTo);
  const gone = base.entrypoints.filter(
    ({ entrypoint }) => !head.entrypoints.some((other) => sameEntrypoint(other.entrypoint, entrypoint)),
  );
  const effects = {
    created: refs([...now].filter(([id]) => !before.has(id))),
    changed: refs([...now].filter(([id, object]) => differs(before.get(id), object))),
    deleted: pruned.filter(({ stays }) => !stays).map(({ object }) => object.ref),
    left: pruned.filter(({ stays }) => stays).map(({ object }) => object.ref),
    unknown: [...head.entrypoints, ...gone].filter((one) => !one.ok || gone.includes(one)).map(pathOf),
  };
  const graph = pictureOf(cluster, [...effects.created, ...effects.changed, ...effects.deleted]);
  return { ...defined({ cluster: name }), ...effects, ...defined({ graph }) };
}

function applied({ objects }: RevisionObjects): Map<string, RenderedObject> {
  return new Map(objects.filter(isApplied).map((object) => [inventoryId(object.ref), object]));
}

function differs(before: RenderedObject | undefined, now: RenderedObject): boolean {
  return before !== undefined && !isDeepStrictEqual(before.value, now.value);
}

function refs(objects: [string, RenderedObject][]): ObjectRef[] {
  return objects.map(([, { ref }]) => ref);
}

function pathOf({ entrypoint }: RevisionObjects['entrypoints'][number]): string {
  return entrypoint.path;
}

/** The Packages that are touched, and those that wait for them. */
function pictureOf(cluster: Cluster, touched: readonly ObjectRef[]): string | undefined {
  const names = touched.filter((ref) => isPackage({ ref }) || isPackageSource({ ref })).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const graph = around(dependencyGraph(cluster, { installed: false, components: false }), new Set(names), maxNodes);
  return graph.edges.length > 0 ? toMermaid(graph) : undefined;
}
