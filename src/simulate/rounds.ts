/**
 * A round: one reconcile of each Flux Kustomization. One that is suspended, that waits for another which is not ready, or that the
 * cluster does not have, as what makes it is refused, is not reconciled; one that is deleted takes with it what it has applied.
 */

import type { Permissions } from '../cluster/permissions.js';
import { groupBy } from '../core/group.js';
import type { ObjectRef, RenderedObject } from '../core/model.js';
import { getString, inventoryId } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { dependenciesOf } from '../flux/flux-objects.js';
import { type ApiServer, type Reconcile, type Reconciled, reconcile, withdraw } from './reconcile.js';
import type { Source } from './sources.js';

export type Begin = (index: number) => { inventory: readonly ObjectRef[]; rights: Permissions };

/**
 * One reconcile of each, in turn: what two of them apply in different ways goes to and fro. In the order of `sources`. `after` each
 * of them others may have to do something.
 */
export async function round(
  server: ApiServer,
  sources: readonly Source[],
  begin: Begin,
  after: () => Promise<void> = async () => undefined,
): Promise<Reconciled[]> {
  const done = new Map<Source, Reconciled>();
  for (const source of inTurn(sources)) {
    const { inventory, rights } = begin(sources.indexOf(source));
    const held = await heldBack(server, source, sources, done);
    if (held) {
      done.set(source, { ...nothing(held), inventory: [...inventory], stopped: source.objects.map(({ ref }) => ref) });
      continue;
    }
    done.set(source, await reconcile(server, { ...source, inventory, ...askedOf(source, rights) }));
    await after();
  }
  return sources.map((source) => done.get(source) as Reconciled);
}

/** A Flux Kustomization that the cluster had, with what it has recorded. */
export type Earlier = { source: Source; inventory: readonly ObjectRef[] };

/** Of what went with a Flux Kustomization: which one that was, as `NAMESPACE/NAME`. By `inventoryId`. */
export type Withdrawn = Map<string, string>;

/** What goes with the Flux Kustomizations that are not there any more: their finalizer deletes what they had applied, once. */
export function finalizers(
  server: ApiServer,
  earlier: readonly Earlier[],
  rights: Permissions,
): { withdrawn: Withdrawn; run(): Promise<void> } {
  const withdrawn: Withdrawn = new Map();
  const all = earlier.map(({ source }) => source);
  const open = new Set(earlier.filter(({ source, inventory }) => inventory.length > 0 && madeBy(source, all)));
  const run = async () => {
    for (const one of open) {
      const { source, inventory } = one;
      const own = madeBy(source, all) as RenderedObject;
      if (await isThere(server, own.ref)) continue;
      open.delete(one);
      if (source.entrypoint.reach === 'suspended' || !mirrorsPrune(source, own)) continue;
      const { changes } = await withdraw(server, inventory, { ...source, access: accessOf(source, rights) });
      for (const { ref, action } of changes)
        if (action === 'deleted') withdrawn.set(inventoryId(ref), `${own.ref.namespace}/${own.ref.name}`);
    }
  };
  return { withdrawn, run };
}

/** What a reconcile asks of the rights of its account. */
export function askedOf(
  source: Pick<Source, 'entrypoint' | 'isDenied'>,
  rights: Permissions,
): Pick<Reconcile, 'access' | 'deniedGrant'> {
  return {
    access: accessOf(source, rights),
    deniedGrant(object) {
      const granted = rights.beyond(source.entrypoint, object);
      return granted === 'unknown' ? undefined : granted.refusal;
    },
  };
}

function accessOf(
  { entrypoint, isDenied }: Pick<Source, 'entrypoint' | 'isDenied'>,
  rights: Permissions,
): Reconcile['access'] {
  const missing = { verb: 'patch', group: '', resource: '', name: '' };
  const refusal = `${rights.accountName(entrypoint)} has no rights`;
  return (verb, ref) => (isDenied ? { allowed: false, refusal, missing } : rights.access(entrypoint, verb, ref));
}

export function nothing(reason: Reconciled['reason']): Reconciled {
  return { reason, refused: [], stopped: [], changes: [], inventory: [] };
}

/** The object that it is in the cluster; undefined where the repository does not render it. */
function madeBy({ entrypoint }: Source, all: readonly Source[]): RenderedObject | undefined {
  const { name, namespace } = entrypoint.kustomization;
  if (name === undefined) return undefined;
  return renderedBy(all).get(idIn({ name, namespace }))?.[0]?.object;
}

/** The Flux Kustomizations that are rendered, by their names, each with those that render it, in the order of `all`. */
const renderedBy = oncePer((all: readonly Source[]) =>
  groupBy(
    all.flatMap((source) => source.rendered.filter(isOfKind).map((object) => ({ object, source }))),
    ({ object }) => idIn(object.ref),
  ),
);

function isOfKind({ ref }: RenderedObject): boolean {
  return ref.kind === 'Kustomization' && ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
}

function idIn({ name = '', namespace = '' }: { name?: string | undefined; namespace?: string | undefined }): string {
  return `${namespace}/${name}`;
}

async function heldBack(
  server: ApiServer,
  source: Source,
  all: readonly Source[],
  done: ReadonlyMap<Source, Reconciled>,
): Promise<'Suspended' | 'NotThere' | 'DependencyNotReady' | undefined> {
  if (source.entrypoint.reach === 'suspended') return 'Suspended';
  const own = madeBy(source, all);
  if (!own) return undefined;
  // What makes it has to have had its turn: one that makes itself was made by hand, and so was one in a circle.
  const makers = all.filter((one) => one !== source && one.rendered.includes(own) && done.has(one));
  if (makers.length > 0 && !(await isThere(server, own.ref))) return 'NotThere';
  const isReady = (other: Source) => [undefined, 'ReconciliationSucceeded'].includes(done.get(other)?.reason);
  return waitsFor(source, own, all).every(isReady) ? undefined : 'DependencyNotReady';
}

function waitsFor(source: Source, own: RenderedObject, all: readonly Source[]): Source[] {
  const ids = dependenciesOf({ id: idOf(source), value: own.value }).map(({ id }) => id);
  return all.filter((other) => other !== source && ids.includes(idOf(other)));
}

function idOf({ entrypoint: { kustomization } }: Source): string {
  return idIn(kustomization);
}

async function isThere(server: ApiServer, ref: ObjectRef): Promise<boolean> {
  const [answer] = await server.ask([{ op: 'get', ref, brief: true }]);
  return answer?.object !== undefined;
}

/** Whether what it has applied goes with it (`spec.deletionPolicy`). */
function mirrorsPrune({ entrypoint }: Source, { value }: RenderedObject): boolean {
  const policy = getString(value, ['spec', 'deletionPolicy']) || 'MirrorPrune';
  return policy === 'MirrorPrune' ? entrypoint.prunes !== false : policy !== 'Orphan';
}

/** What makes another comes before it, and what another waits for as well; in a circle the one that comes first. */
function inTurn(sources: readonly Source[]): Source[] {
  const turn = new Set<Source>();
  const open = new Set<Source>();
  const visit = (source: Source) => {
    if (turn.has(source) || open.has(source)) return;
    open.add(source);
    const own = madeBy(source, sources);
    for (const maker of own ? (renderedBy(sources).get(idIn(own.ref)) ?? []) : []) visit(maker.source);
    for (const other of own ? waitsFor(source, own, sources) : []) visit(other);
    turn.add(source);
  };
  for (const source of sources) visit(source);
  return [...turn];
}
