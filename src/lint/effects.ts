/** What a merge would do in a cluster, as far as two renders tell: it is the inventory that Flux compares, too. */

import { isDeepStrictEqual } from 'node:util';
import { findingsAbout, isRefusal } from '../apiserver/expected.js';
import type { Cluster, RevisionObjects } from '../cluster/cluster.js';
import { defined } from '../core/defined.js';
import type {
  Diff,
  Effects,
  Entrypoint,
  Finding,
  ObjectRef,
  Rendered,
  RenderedObject,
  SensitiveEffect,
} from '../core/model.js';
import { inventoryId, label } from '../core/object.js';
import { isGuarded } from '../cozystack/customizer.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';
import { isHarmlessToDelete } from '../effects/data.js';
import { effectsBetween } from '../effects/table.js';
import { isApplied } from '../flux/applied.js';
import { type Pruned, prunedObjects, sameEntrypoint } from '../flux/prune.js';
import { stageOf } from '../flux/settings.js';
import { around } from '../graph/around.js';
import { dependencyGraph } from '../graph/graph.js';
import { toMermaid } from '../graph/mermaid.js';

/** A picture of more than this is none. */
const maxNodes = 40;

/** Undefined where there is nothing to compare with. `said` is what the rules say of refusals, `diffs` what a simulation does. */
export function effectsOf(cluster: Cluster, said: readonly Finding[], diffs?: readonly Diff[]): Effects | undefined {
  const { name, head, base, permissions } = cluster;
  if (!base) return undefined;
  const known = refusedIn(diffs?.find((one) => one.cluster === name));
  const stops = new Map(head.entrypoints.map((one) => [one.entrypoint, stopOf(one, said, known)]));
  const isHeld = (entrypoint: Entrypoint, ref: ObjectRef) => stageOf(ref) >= (stops.get(entrypoint)?.stage ?? last);
  const owner = new Map(head.entrypoints.flatMap((one) => (one.ok ? one.objects.map((of) => [of, one] as const) : [])));
  const reaches = (object: RenderedObject) => !isHeld((owner.get(object) as Rendered).entrypoint, object.ref);
  const [now, before] = [applied(head), applied(base)];
  const pruned = prunedObjects(base.entrypoints, head.entrypoints).filter(
    ({ movedTo, by }) => !movedTo && !stops.get(by),
  );
  const mayNot = ({ by, object, stays }: Pruned) =>
    stays || isGuarded(object.value) || permissions.access(by, 'delete', object.ref).allowed === false;
  const gone = base.entrypoints.filter(
    ({ entrypoint }) => !head.entrypoints.some((other) => sameEntrypoint(other.entrypoint, entrypoint)),
  );
  const coming = [...now].filter(([, object]) => reaches(object));
  const deleted = pruned.filter((one) => !mayNot(one)).map(({ object }) => object);
  const effects = {
    created: refs(coming.filter(([id]) => !before.has(id))),
    changed: refs(coming.filter(([id, object]) => differs(before.get(id), object))),
    deleted: deleted.map(({ ref }) => ref),
    left: pruned.filter(mayNot).map(({ object }) => object.ref),
    held: [...stops].flatMap(([{ path }, stop]) => (stop ? [{ path, why: stop.why }] : [])),
    unknown: gone.map(({ entrypoint }) => entrypoint.path),
    sensitive: sensitiveEffects(cluster, deleted),
  };
  const graph = pictureOf(cluster, [...effects.created, ...effects.deleted], effects.changed);
  return { ...defined({ cluster: name }), ...effects, ...defined({ graph }) };
}

/** Deletions of what holds data or access, and what the table of effects says of the rest. */
function sensitiveEffects({ head, base }: Cluster, deleted: readonly RenderedObject[]): SensitiveEffect[] {
  const weighty = deleted.filter((object) => !isHarmlessToDelete(object, head.applied));
  return [
    ...weighty.map(({ ref }): SensitiveEffect => ({ kind: 'deletes', ref })),
    ...effectsBetween(base?.applied ?? [], head.applied).map(
      ({ row, change, what }): SensitiveEffect => ({ kind: row.effect, ref: change.object.ref, ...defined({ what }) }),
    ),
  ];
}

/** After all stages. */
const last = 4;

/** From which stage on nothing is applied, as far as that is certain. */
function stopOf(
  rendered: Rendered,
  said: readonly Finding[],
  known: ReadonlySet<string>,
): { stage: number; why: string } | undefined {
  if (!rendered.ok) return { stage: 0, why: 'it cannot be built' };
  if (rendered.entrypoint.reach === 'suspended') return { stage: 0, why: 'it is suspended' };
  const refused = rendered.objects.filter(
    (object) => known.has(inventoryId(object.ref)) || findingsAbout(object, said).some(isRefusal),
  );
  // What Flux leaves alone and waits for in vain stops what comes after it.
  const stops = refused.map((object) => ({ ...object, stage: stageOf(object.ref) + (isApplied(object) ? 0 : 1) }));
  const [first] = stops.sort((a, b) => a.stage - b.stage);
  return first && { stage: first.stage, why: `${label(first.ref)} is refused` };
}

function refusedIn(diff: Diff | undefined): Set<string> {
  const refused = diff?.objects.filter(({ action, unsure }) => action === 'refused' && unsure === undefined) ?? [];
  return new Set(refused.map(({ ref }) => inventoryId(ref)));
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

/**
 * The Packages that are touched, and those that wait for them: where one comes or goes, or a PackageSource may wait for others than
 * before, and where it can be read.
 */
function pictureOf(cluster: Cluster, moved: readonly ObjectRef[], changed: readonly ObjectRef[]): string | undefined {
  const isSource = (ref: ObjectRef) => isPackageSource({ ref });
  const isDrawn = (ref: ObjectRef) => isPackage({ ref }) || isSource(ref);
  if (!moved.some(isDrawn) && !changed.some(isSource)) return undefined;
  const names = new Set([...moved, ...changed].filter(isDrawn).map(({ name }) => name));
  const graph = around(dependencyGraph(cluster, { installed: false, components: false }), names, maxNodes);
  return graph.edges.length > 0 && graph.nodes.length <= maxNodes ? toMermaid(graph) : undefined;
}
