/**
 * What became of the first APIs of Flux, and of every field of a Flux Kustomization that one of them had (flux/FACTS.md, APIs
 * that are gone). As the
 * text of what to write instead, field by field, so that a reader gets the whole of the new form.
 */
import type { FieldPath, Json } from '../../core/model.js';
import { isObject } from '../../core/object.js';

/** By the group that no release serves: the one that has its kinds now, and what changed in general. */
export const oldGroups: { readonly [group: string]: { group: string; help: string } } = {
  'kustomize.fluxcd.io': { group: 'kustomize.toolkit.fluxcd.io', help: 'and change its fields as noted at each' },
  'source.fluxcd.io': { group: 'source.toolkit.fluxcd.io', help: 'whose fields differ' },
  'notification.fluxcd.io': { group: 'notification.toolkit.fluxcd.io', help: 'whose fields differ' },
  'helm.fluxcd.io': {
    group: 'helm.toolkit.fluxcd.io',
    help: 'where spec.chart.spec names the chart, its version, and a HelmRepository or GitRepository as sourceRef',
  },
  'flux.weave.works': {
    group: 'helm.toolkit.fluxcd.io',
    help: 'where spec.chart.spec names the chart, its version, and a HelmRepository or GitRepository as sourceRef',
  },
};

const first = 'kustomize.fluxcd.io/v1alpha1';

export type ChangedField = {
  /** The API that has, or had, it this way. */
  of: string;
  /** `*` is any item of a list. */
  path: readonly string[];
  /** What to do about it for kustomize.toolkit.fluxcd.io/v1. */
  v1: string;
  /** Whether a value has the form that v1 refuses, or passes over; absent: both take the same. */
  isOther?(value: Json): boolean;
  /** The API server takes it, and it is of no use. */
  without?: string;
};

const always = () => true;
const seconds = '30 seconds';

export const changedFields: readonly ChangedField[] = [
  {
    of: first,
    path: ['spec', 'dependsOn', '*'],
    v1: 'write a map with name, and with namespace if that is another',
    isOther: (value) => typeof value === 'string',
  },
  {
    of: first,
    path: ['spec', 'generate'],
    v1: 'remove it; Flux generates a missing kustomization.yaml itself',
    isOther: always,
  },
  { of: first, path: ['spec', 'interval'], v1: 'keep it, in ms, s, m or h, such as 10m' },
  { of: first, path: ['spec', 'path'], v1: 'keep it; the root needs no path, and "./" in front is optional' },
  {
    of: first,
    path: ['spec', 'prune'],
    v1: 'write true or false; Flux keeps an inventory and needs no labels',
    isOther: (value) => typeof value === 'string' && !/^(true|false|yes|no|on|off)$/i.test(value),
  },
  {
    of: first,
    path: ['spec', 'healthChecks', '*'],
    v1: 'add an apiVersion, such as apps/v1; any kind is possible, and wait: true checks all that is applied',
    isOther: (value) =>
      isObject(value) && !value.apiVersion && ['Deployment', 'DaemonSet', 'StatefulSet'].includes(String(value.kind)),
    without: 'without an apiVersion it never passes',
  },
  {
    of: first,
    path: ['spec', 'serviceAccount'],
    v1: 'write spec.serviceAccountName, a service account in the namespace of the Flux Kustomization',
    isOther: always,
  },
  { of: first, path: ['spec', 'sourceRef'], v1: 'keep it; a namespace and any kind of source are possible' },
  {
    of: first,
    path: ['spec', 'sourceRef', 'apiGroup'],
    v1: 'remove it, or write apiVersion',
    isOther: always,
  },
  { of: first, path: ['spec', 'suspend'], v1: 'keep it' },
  {
    of: first,
    path: ['spec', 'timeout'],
    v1: `keep it; the default is the interval less ${seconds}, at least ${seconds}`,
  },
  {
    of: first,
    path: ['spec', 'validation'],
    v1: 'remove it; the API server checks every object before any is applied',
    isOther: always,
  },
  { of: first, path: ['status'], v1: 'remove it; the controller writes it' },
  {
    of: first,
    path: ['metadata', 'annotations', 'kustomize.fluxcd.io/syncAt'],
    v1: 'set reconcile.fluxcd.io/requestedAt on the object in the cluster instead',
    isOther: always,
    without: 'has no effect, as nothing reads it',
  },
  {
    of: 'kustomize.toolkit.fluxcd.io/v1beta1',
    path: ['spec', 'patchesStrategicMerge'],
    v1: 'write spec.patches, each entry with its text as patch',
    isOther: always,
  },
  {
    of: 'kustomize.toolkit.fluxcd.io/v1beta1',
    path: ['spec', 'patchesJson6902'],
    v1: 'write spec.patches, each entry with its target and its operations as text',
    isOther: always,
  },
  ...[
    ['spec', 'ignore'],
    ['spec', 'buildMetadata'],
    ['spec', 'postBuild', 'substituteStrategy'],
  ].map((path) => ({
    of: 'Flux 2.9',
    path,
    v1: 'remove it until the platform has Flux 2.9',
    isOther: always,
  })),
];

/** The row about a field, or about what it is a part of. */
export function changeOf(path: FieldPath): ChangedField | undefined {
  return changedFields.findLast(
    (row) => row.path.length <= path.length && row.path.every((step, index) => step === '*' || step === path[index]),
  );
}

/** Where the fields stand in an object that has them, in the order of the table. */
export function fieldsIn(object: Json, row: ChangedField): FieldPath[] {
  return row.path.reduce<FieldPath[]>((found, step) => found.flatMap((path) => below(object, path, step)), [[]]);
}

function below(object: Json, path: FieldPath, step: string): FieldPath[] {
  let node: Json | undefined = object;
  for (const key of path) node = (node as { [key: string | number]: Json })[key];
  if (step === '*') return Array.isArray(node) ? [...node.keys()].map((index) => [...path, index]) : [];
  return isObject(node) && Object.hasOwn(node, step) ? [[...path, step]] : [];
}
