/**
 * Fields with names of those of a pod, in values of charts and in objects of any kind. What a chart or a controller makes of them is
 * not known here, but they are named as the fields of Kubernetes that they become: `hostNetwork`, `privileged`, `serviceAccount.name`.
 */

import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { applicationGroup } from '../cozystack/application.js';
import { isPackage } from '../cozystack/package.js';
import { type Change, groupKind, nodesIn, releaseKind, type ValueNode } from './change.js';
import { unusualCapabilities } from './sandbox.js';

export type ValueEffect = { path: FieldPath; what: string };

/** True for kinds whose `spec` has values that a chart gets. */
export function hasValues({ object }: Change): boolean {
  const kind = groupKind(object.ref);
  return kind === releaseKind || isPackage(object) || kind.startsWith(`${applicationGroup}/`);
}

/** Fields of any object by which pods leave their sandbox, outside of the pods that are judged as such. */
export function namedEscapes(change: Change, pods: readonly FieldPath[]): ValueEffect[] {
  // Its paths of a node have a row of their own.
  if (groupKind(change.object.ref) === '/PersistentVolume') return [];
  const isInPod = (path: FieldPath) => pods.some((pod) => pod.every((step, index) => path[index] === step));
  return changedNodes(change, escapeOf).filter(({ path }) => !isInPod(path));
}

/** Accounts that the pods of a chart run as, unless the chart creates them. */
export function accountsInValues(change: Change): ValueEffect[] {
  return changedValues(change, ({ path, value }) => {
    const [parent, key] = path.slice(-2);
    // That of a HelmRelease itself is in `spec`.
    const isAccount =
      (key === 'serviceAccountName' && path.length > 2) || (key === 'name' && /serviceAccount$/i.test(String(parent)));
    const account = lookUp(change.object.value, path.slice(0, -1));
    if (!isAccount || typeof value !== 'string' || value === '') return undefined;
    return isObject(account) && key === 'name' && account.create === true ? undefined : `service account "${value}"`;
  });
}

/** Values by which a chart opens its network, or takes addresses of others. */
export function openingsInValues(change: Change): ValueEffect[] {
  return changedValues(change, ({ path, value }) => {
    const [parent, key] = path.slice(-2).map(String);
    if (key === 'enabled' && /networkPolic(?:y|ies)$/i.test(parent ?? '') && value === false)
      return 'no network policy';
    if (/^(?:policyEnforcementMode|enable-policy)$/.test(key ?? '') && value === 'never') return 'no policies';
    return key === 'externalIPs' && Array.isArray(value) && value.length > 0 ? key : undefined;
  });
}

function changedValues(change: Change, whatIs: (node: ValueNode) => string | undefined): ValueEffect[] {
  return hasValues(change) ? changedNodes(change, whatIs) : [];
}

function changedNodes(change: Change, whatIs: (node: ValueNode) => string | undefined): ValueEffect[] {
  const found: ValueEffect[] = [];
  for (const node of nodesIn(change.object.value.spec ?? null, ['spec'])) {
    const what = whatIs(node);
    if (what !== undefined && !isDeepStrictEqual(node.value, before(change, node.path))) found.push({ ...node, what });
  }
  return found.map(({ path, what }) => ({ path, what }));
}

function before({ before: old }: Change, path: FieldPath): Json | undefined {
  return old && lookUp(old.value, path);
}

const switches = new Set(['hostNetwork', 'hostPID', 'hostIPC', 'privileged', 'hostProcess']);

function escapeOf({ path, value }: ValueNode): string | undefined {
  const key = String(path.at(-1));
  if (switches.has(key) && value === true) return key;
  if (key === 'hostPath') return hostPathOf(value);
  if (key === 'hostDisk' && isObject(value)) return 'a disk of the node';
  if (/^(?:hostDevices|gpus)$/.test(key) && Array.isArray(value) && value.length > 0) return 'a device of the node';
  if (key === 'hostPort' && typeof value === 'number' && value !== 0) return `the hostPort ${value}`;
  if (key === 'type' && (value === 'Unconfined' || value === 'unconfined')) return 'a profile of the kernel';
  if (key === 'add' && path.at(-2) === 'capabilities') {
    const added = unusualCapabilities(value);
    return added.length > 0 ? `the capability ${added.join(', ')}` : undefined;
  }
  return undefined;
}

function hostPathOf(value: Json): string | undefined {
  const path = typeof value === 'string' ? value : isObject(value) && getString(value as JsonObject, ['path']);
  return path ? `the hostPath "${path}"` : undefined;
}
