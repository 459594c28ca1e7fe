/**
 * One reconcile of a Flux Kustomization as kustomize-controller 1.8.0 does it, against an API server without a server: the
 * steps of fluxcd/pkg/ssa 0.67.1 (`ApplyAllStaged`, `DeleteAll`) with the controller's options (flux/FACTS.md, Stages).
 */

import type { Access } from '../cluster/permissions.js';
import { defined } from '../core/defined.js';
import { settingPrefix } from '../core/flux-api.js';
import type { Entrypoint, Json, JsonObject, ObjectRef } from '../core/model.js';
import { inventoryId, isObject, lookUp } from '../core/object.js';
import { deletionGuard, isGuarded } from '../cozystack/customizer.js';
import type { ApplyAnswer, Operation, Status } from '../engine/host/apply-protocol.js';
import { isApplied } from '../flux/applied.js';
import { inOrder } from '../flux/apply-order.js';
import { ownerLabels } from '../flux/request.js';
import { isSetTo, stageOf } from '../flux/settings.js';

/** Answers operations on objects that it keeps. */
export type ApiServer = {
  /** `meanwhile` is work of this thread, done once the server has all of them. */
  ask(operations: Operation[], meanwhile?: () => void): Promise<ApplyAnswer[]>;
};

/** An object as Flux sends it. */
export type Sent = { ref: ObjectRef; value: JsonObject };

/** One of which it is known what the API server answers, though this one cannot be asked. */
export type Answered = Sent & { answer?: Omit<RefusedRequest, 'ref'> };

export type Reconcile = {
  entrypoint: Entrypoint;
  objects: readonly Answered[];
  /** What the reconcile before has recorded. */
  inventory: readonly ObjectRef[];
  /** The rights of the account. */
  access(verb: 'get' | 'create' | 'patch' | 'delete', ref: ObjectRef): Access;
  /** What the API server says of a role or a binding that grants more than its author has; nothing of all else. */
  deniedGrant?(object: JsonObject): string | undefined;
};

type Action = 'created' | 'configured' | 'unchanged' | 'skipped' | 'deleted';

/** A request that is refused: the status code, what a `metav1.Status` says of it, and the whole of that. */
export type RefusedRequest = {
  ref: ObjectRef;
  status: number;
  reason: string;
  message: string;
  body: Partial<Status>;
  /** By a rule, which knows of it. */
  isSaid?: true;
  /** Why the cluster may accept it. */
  unsure?: string;
};

export type Reconciled = {
  /** Of the Ready condition; the last two stand for one that the controller does not even begin. */
  reason:
    | 'ReconciliationSucceeded'
    | 'ReconciliationFailed'
    | 'PruneFailed'
    | 'DependencyNotReady'
    | 'Suspended'
    | 'NotThere';
  /**
   * All that is refused in the stage that fails, of which Flux names one at random, and what the stages after it would come to; or
   * what is refused on pruning.
   */
  refused: RefusedRequest[];
  /** What is not applied because of it: of the stage that fails, and of those after it. */
  stopped: ObjectRef[];
  changes: { ref: ObjectRef; action: Action }[];
  /** What the next reconcile compares with; that of before where nothing was applied to the end. */
  inventory: ObjectRef[];
};

/** Under which name Flux applies. */
export const manager = 'kustomize-controller';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** What Flux takes over, and removes, before it applies (kustomize-controller 1.8.0, `apply`). */
export const cleanup = {
  annotations: [lastApplied, `${settingPrefix}checksum`, 'fluxcd.io/sync-checksum'],
  labels: ['fluxcd.io/sync-gc-mark'],
  exclusions: { [`${settingPrefix}ssa`]: 'Merge' },
  fieldManagers: [
    { name: 'kubectl', exactMatch: false, operationType: 'Apply' as const },
    { name: 'kubectl', exactMatch: false, operationType: 'Update' as const },
    { name: 'before-first-apply', exactMatch: false, operationType: 'Update' as const },
    { name: manager, exactMatch: false, operationType: 'Update' as const },
  ],
};

export async function reconcile(server: ApiServer, request: Reconcile): Promise<Reconciled> {
  const done: Reconciled = { reason: 'ReconciliationSucceeded', refused: [], stopped: [], changes: [], inventory: [] };
  const failed = (refused: RefusedRequest[], stage: number): Reconciled => {
    const known = new Set(refused.map(({ ref }) => inventoryId(ref)));
    const later = request.objects.map(({ ref }) => ref).filter((ref) => stageOf(ref) >= stage);
    const stopped = later.filter((ref) => !known.has(inventoryId(ref)));
    return { ...done, reason: 'ReconciliationFailed', refused, stopped, inventory: [...request.inventory] };
  };
  const encrypted = request.objects.filter(isEncryptedSecret).map(({ ref }) => undecrypted(ref));
  if (encrypted.length > 0) return failed(encrypted, 0);
  for (const stage of [1, 2, 3] as const) {
    const objects = request.objects.filter(({ ref }) => stageOf(ref) === stage).sort((a, b) => inOrder(a.ref, b.ref));
    const { refused, changes } = await applyAll(server, objects, request);
    if (refused.length > 0) return failed([...refused, ...(await refusedLater(server, stage, request))], stage);
    done.changes.push(...changes);
    const vain = stage === 3 ? [] : waitedInVain(changes, request);
    if (vain.length > 0) return failed([...vain, ...(await refusedLater(server, stage, request))], stage + 1);
  }
  done.inventory = done.changes.filter(({ action }) => action !== 'skipped').map(({ ref }) => ref);
  // The inventory is stored before anything is pruned, so what cannot be deleted is forgotten.
  const known = new Set(done.changes.map(({ ref }) => inventoryId(ref)));
  const stale = request.inventory.filter((ref) => !known.has(inventoryId(ref)));
  const pruned =
    request.entrypoint.prunes === false ? { refused: [], changes: [] } : await withdraw(server, stale, request);
  done.changes.push(...pruned.changes);
  return pruned.refused.length > 0 ? { ...done, reason: 'PruneFailed', refused: pruned.refused } : done;
}

/** Flux waits for all of the first two stages, those too that it does not apply, and has to read them for that. */
function waitedInVain(changes: Reconciled['changes'], { access }: Reconcile): RefusedRequest[] {
  return changes.flatMap(({ ref, action }) => {
    const right = action === 'skipped' ? access('get', ref) : undefined;
    if (right?.allowed !== false) return [];
    const message = `timeout waiting for: [${ref.kind}/${ref.name} status: 'Unknown': ${right.refusal}]`;
    return [
      { ref, status: 403, reason: 'Forbidden', message, body: { reason: 'Forbidden', message }, isSaid: true as const },
    ];
  });
}

/** What the stages after one that fails would come to as well, as far as nothing of this commit makes a difference. */
async function refusedLater(server: ApiServer, stage: number, request: Reconcile): Promise<RefusedRequest[]> {
  const later = request.objects.filter((one) => stageOf(one.ref) > stage && isApplied(one));
  const refused: RefusedRequest[] = [];
  const asked: Answered[] = [];
  for (const one of later) {
    const missing = request.access('patch', one.ref);
    if (one.answer) refused.push({ ref: one.ref, ...one.answer });
    else if (missing.allowed === false) refused.push(forbidden(one.ref, missing.refusal));
    else asked.push(one);
  }
  const answers = await server.ask(
    asked.map(({ value }) => ({ op: 'apply', object: value, manager, force: true, dryRun: true, brief: true })),
  );
  // That something is not there says nothing: it may be what the first stage makes.
  const isWrong = (answer: ApplyAnswer | undefined) => answer?.error !== undefined && answer.status !== 404;
  const wrong = asked.flatMap((one, index) => {
    const answer = answers[index] as ApplyAnswer;
    const denied = deniedGrant(one, answer, request);
    return denied ? [denied] : isWrong(answer) ? [refusedBy(one.ref, answer)] : [];
  });
  return [...refused, ...wrong];
}

/** What SOPS adds is gone from a Secret whose values are bytes: Flux does not see any more that it is encrypted. */
function isEncryptedSecret({ ref, value }: Sent): boolean {
  return (
    ref.kind === 'Secret' && ref.apiVersion === 'v1' && isObject(value.sops) && !isSetTo(value, 'decrypt', 'disabled')
  );
}

/** In the words of Flux, which looks for it before it asks for anything. */
function undecrypted(ref: ObjectRef): RefusedRequest {
  const message = 'it is SOPS encrypted, configuring decryption is required for this secret to be reconciled';
  return { ref, status: 422, reason: 'Invalid', message, body: { reason: 'Invalid', message }, isSaid: true };
}

type Tried = Sent & { live: JsonObject | undefined };
type Accepted = Tried & { hasDrifted: boolean };
type Outcome = { refused: RefusedRequest[]; changes: Reconciled['changes'] };

/** Every object is tried before any is applied. What kubectl has written is taken over even where the stage fails. */
async function applyAll(server: ApiServer, objects: readonly Answered[], request: Reconcile): Promise<Outcome> {
  const lives = await server.ask(objects.map(({ ref }) => ({ op: 'get', ref, brief: true })));
  const outcome: Outcome = { refused: [], changes: [] };
  const tried: Tried[] = [];
  for (const [index, object] of objects.entries()) {
    const live = lives[index]?.object;
    if (isSkipped(object, live)) {
      outcome.changes.push({ ref: object.ref, action: 'skipped' });
      continue;
    }
    const missing = request.access('patch', object.ref);
    if (object.answer) outcome.refused.push({ ref: object.ref, ...object.answer });
    else if (missing.allowed === false) outcome.refused.push(forbidden(object.ref, missing.refusal));
    else tried.push({ ...object, live });
  }
  const drifted = await dryRun(server, tried, request, outcome);
  const touched = drifted.filter(({ live }) => live && isTouched(live));
  const taken = await server.ask(
    touched.map(({ ref, value }) => ({
      op: 'takeover',
      ref,
      manager,
      desired: carried(value),
      ...cleanup,
      brief: true,
    })),
  );
  const patched = new Set(touched.flatMap(({ ref }, index) => (taken[index]?.patch ? inventoryId(ref) : [])));
  if (outcome.refused.length > 0) return outcome;
  const writes = drifted.filter((one) => one.hasDrifted || patched.has(inventoryId(one.ref)));
  const failed = await writeAll(server, writes);
  if (failed) return { refused: [failed], changes: [] };
  const written = new Set(writes.map(({ ref }) => inventoryId(ref)));
  for (const { ref, live } of drifted) {
    const action = !live ? 'created' : written.has(inventoryId(ref)) ? 'configured' : 'unchanged';
    outcome.changes.push({ ref, action });
  }
  return outcome;
}

/** Whether there may be anything to take over, so that of most objects nothing has to be asked. */
function isTouched({ metadata }: JsonObject): boolean {
  const { labels, annotations, managedFields } = isObject(metadata) ? metadata : {};
  const carries = (map: Json | undefined, keys: readonly string[]) =>
    isObject(map) && keys.some((key) => Object.hasOwn(map, key));
  const wrote = (entry: Json) =>
    isObject(entry) &&
    cleanup.fieldManagers.some(
      ({ name, operationType }) => entry.operation === operationType && String(entry.manager).startsWith(name),
    );
  return (
    carries(annotations, cleanup.annotations) ||
    carries(labels, cleanup.labels) ||
    (Array.isArray(managedFields) && managedFields.some(wrote))
  );
}

/** Of what is to be applied a takeover reads no more. */
function carried({ metadata }: JsonObject): JsonObject {
  const { labels, annotations } = isObject(metadata) ? metadata : {};
  return { metadata: defined({ labels, annotations }) };
}

/** One after the other, until one is refused; that it was accepted before its fields were taken over says nothing. */
async function writeAll(server: ApiServer, objects: readonly Sent[]): Promise<RefusedRequest | undefined> {
  const apply = ({ value }: Sent): Operation => ({ op: 'apply', object: value, manager, force: true, brief: true });
  const [, ...answers] = await server.ask([{ op: 'snapshot', name: 'writes' }, ...objects.map(apply)]);
  const index = answers.findIndex(({ error }) => error);
  if (index < 0) return undefined;
  await server.ask([{ op: 'restore', name: 'writes' }, ...objects.slice(0, index).map(apply)]);
  return refusedBy((objects[index] as Sent).ref, answers[index] as ApplyAnswer);
}

/** Those that the server accepts; what is to be forced is deleted here, as Flux does before it knows of the others. */
async function dryRun(
  server: ApiServer,
  tried: readonly Tried[],
  request: Reconcile,
  outcome: Outcome,
): Promise<Accepted[]> {
  const { entrypoint, access } = request;
  const accepted: Accepted[] = [];
  const how = { manager, force: true, dryRun: true, brief: true };
  const ask = (object: JsonObject): Operation => ({ op: 'apply', object, ...how });
  const answers = await server.ask(tried.map(({ value }) => ask(value)));
  for (const [index, one] of tried.entries()) {
    let answer = answers[index] as ApplyAnswer;
    let { live } = one;
    if (live && isMadeAnew(one, live, entrypoint, answer)) {
      const right = access('delete', one.ref);
      if (right.allowed === false || isGuarded(live)) {
        outcome.refused.push(right.allowed === false ? forbidden(one.ref, right.refusal) : guarded(one.ref));
        continue;
      }
      const [, again] = await server.ask([{ op: 'delete', ref: one.ref }, ask(one.value)]);
      answer = again as ApplyAnswer;
      live = undefined;
    }
    // Whether it may be made is asked last.
    const right = live ? { allowed: true as const } : access('create', one.ref);
    const denied = deniedGrant(one, answer, request);
    if (denied) outcome.refused.push(denied);
    else if (answer.error) outcome.refused.push(refusedBy(one.ref, answer));
    else if (right.allowed === false) outcome.refused.push(forbidden(one.ref, right.refusal));
    else accepted.push({ ...one, live, hasDrifted: answer.drifted ?? true });
  }
  return accepted;
}

/** It is asked of what changes, once the request fits the schema, and before its values are looked at. */
function deniedGrant(
  { ref, value }: Sent,
  { error, status, drifted }: ApplyAnswer,
  request: Reconcile,
): RefusedRequest | undefined {
  const isAsked = error === undefined ? (drifted ?? true) : status === 422;
  const message = isAsked ? request.deniedGrant?.(value) : undefined;
  return message === undefined ? undefined : forbidden(ref, message);
}

function refusedBy(ref: ObjectRef, answer: ApplyAnswer): RefusedRequest {
  const { reason = '', message = '' } = answer.error ?? {};
  return { ref, status: answer.status, reason, message, body: answer.error ?? {} };
}

function forbidden(ref: ObjectRef, message: string): RefusedRequest {
  const reason = 'Forbidden';
  return { ref, status: 403, reason, message, body: { reason, message } };
}

/** In the words of the policy, up to its hint. */
function guarded(ref: ObjectRef): RefusedRequest {
  const policy = 'cozystack-no-delete-guardrail';
  const denied = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request`;
  const message = `${ref.name} is forbidden: ${denied}: Deletion blocked: object carries ${deletionGuard}=true.`;
  return { ref, status: 422, reason: 'Invalid', message, body: { reason: 'Invalid', message } };
}

/** Whether Flux leaves it alone. */
export function isSkipped({ value }: Sent, live: JsonObject | undefined): boolean {
  if (!isApplied({ value }) || (live && !isApplied({ value: live }))) return true;
  return live !== undefined && isSetTo(value, 'ssa', 'IfNotPresent');
}

/** Whether Flux deletes it and makes it anew, as the server refuses to change it. */
export function isMadeAnew({ value }: Sent, live: JsonObject, { forces }: Entrypoint, answer: ApplyAnswer): boolean {
  const isForced = forces === true || isSetTo(value, 'force', 'enabled') || isSetTo(live, 'force', 'enabled');
  return isForced && answer.error !== undefined && [409, 422].includes(answer.status);
}

/** Deletes what was applied. What does not carry its labels, and what forbids it, stays. */
export async function withdraw(
  server: ApiServer,
  stale: readonly ObjectRef[],
  request: Pick<Reconcile, 'entrypoint' | 'access'>,
): Promise<Outcome> {
  const outcome: Outcome = { refused: [], changes: [] };
  const lives = await server.ask(stale.map((ref) => ({ op: 'get', ref, brief: true })));
  for (const [index, ref] of stale.entries()) {
    const live = lives[index]?.object;
    if (!live) {
      outcome.changes.push({ ref, action: 'deleted' });
    } else if (
      !isOwned(live, request.entrypoint) ||
      isSetTo(live, 'prune', 'disabled') ||
      isSetTo(live, 'reconcile', 'disabled')
    ) {
      outcome.changes.push({ ref, action: 'skipped' });
    } else {
      const right = request.access('delete', ref);
      if (right.allowed === false) outcome.refused.push(forbidden(ref, right.refusal));
      else if (isGuarded(live)) outcome.refused.push(guarded(ref));
      else {
        await server.ask([{ op: 'delete', ref }]);
        outcome.changes.push({ ref, action: 'deleted' });
      }
    }
  }
  return outcome;
}

function isOwned(live: JsonObject, entrypoint: Entrypoint): boolean {
  return Object.entries(ownerLabels(entrypoint)).every(
    ([key, value]) => lookUp(live, ['metadata', 'labels', key]) === value,
  );
}
