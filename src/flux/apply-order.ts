/** The order in which Flux applies objects (fluxcd/pkg/ssa 0.67.1, `ApplyAllStaged`, `SortableUnstructureds`). */

import type { ObjectRef } from '../core/model.js';
import { groupOf } from '../core/object.js';
import { stageOf } from './settings.js';

/** Kinds that others need come first, webhooks last (fluxcd/pkg/ssa, `ReconcileOrder`). */
const first = [
  'CustomResourceDefinition',
  'Namespace',
  'ClusterRole',
  'ClusterClass',
  'RuntimeClass',
  'PriorityClass',
  'StorageClass',
  'VolumeSnapshotClass',
  'IngressClass',
  'GatewayClass',
  'ClusterRoleBinding',
  'ResourceQuota',
  'ServiceAccount',
  'Role',
  'RoleBinding',
  'ConfigMap',
  'Secret',
  'Service',
  'LimitRange',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
const last = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** The order within a stage; a `compare` for `sort`. */
export function inOrder(a: ObjectRef, b: ObjectRef): number {
  const rank = ({ kind }: ObjectRef) =>
    first.includes(kind) ? first.indexOf(kind) - first.length : last.indexOf(kind) + 1;
  const words = (ref: ObjectRef) => [groupOf(ref.apiVersion), ref.kind, ref.namespace ?? '', ref.name];
  const [left, right] = [words(a), words(b)];
  const differing = left.findIndex((word, index) => word !== right[index]);
  return rank(a) - rank(b) || (differing < 0 ? 0 : (left[differing] as string) < (right[differing] as string) ? -1 : 1);
}

/** All that one reconcile applies, one stage after the other. */
export function inApplyOrder<T extends { ref: ObjectRef }>(objects: readonly T[]): T[] {
  return [...objects].sort((a, b) => stageOf(a.ref) - stageOf(b.ref) || inOrder(a.ref, b.ref));
}
