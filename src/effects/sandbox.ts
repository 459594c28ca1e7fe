/**
 * Fields by which a pod leaves its sandbox: those that the baseline profile of the Pod Security Standards forbids
 * (kubernetes.io/docs/concepts/security/pod-security-standards).
 */

import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { type Change, changedKeys, groupKind } from './change.js';
import type { Pod } from './pods.js';

/** What the pod gets, in words, and the field by which it does. */
export type Escape = { path: FieldPath; what: string };

export function escapesIn(pod: Pod): Escape[] {
  const own = [
    ...namespacesOf(pod),
    ...volumesOf(pod),
    ...profilesOf(pod.path, pod.value, pod.before),
    ...annotatedProfilesOf(pod),
  ];
  const ofContainers = pod.containers.flatMap(({ path, value, before }) => [
    ...privilegesOf(path, value, before),
    ...portsOf(path, value, before),
    ...profilesOf(path, value, before),
    ...probedHosts(path, value, before),
  ]);
  return [...own, ...ofContainers];
}

function namespacesOf({ path, value, before }: Pod): Escape[] {
  return ['hostNetwork', 'hostPID', 'hostIPC']
    .filter((field) => value[field] === true && before?.[field] !== true)
    .map((field) => ({ path: [...path, field], what: field }));
}

function volumesOf({ path, value, before }: Pod): Escape[] {
  const known = new Set(hostPathsOf(before).map(({ host }) => host));
  return hostPathsOf(value)
    .filter(({ host }) => !known.has(host))
    .map(({ at, host }) => ({ path: [...path, ...at], what: `the hostPath "${host}"` }));
}

function hostPathsOf(pod: JsonObject | undefined): { at: FieldPath; host: string }[] {
  const volumes = pod?.volumes;
  return (Array.isArray(volumes) ? volumes : []).flatMap((volume, index) => {
    const host = lookUp(volume, ['hostPath']);
    return isObject(host) ? [{ at: ['volumes', index, 'hostPath'], host: getString(host, ['path']) ?? '' }] : [];
  });
}

function privilegesOf(path: FieldPath, value: JsonObject, before: JsonObject | undefined): Escape[] {
  const context = ['securityContext'];
  const flags = [
    { field: [...context, 'privileged'], what: 'all privileges of the node' },
    { field: [...context, 'windowsOptions', 'hostProcess'], what: 'hostProcess' },
  ].filter(({ field }) => lookUp(value, field) === true && (!before || lookUp(before, field) !== true));
  const added = capabilitiesOf(value).filter((name) => !capabilitiesOf(before).includes(name));
  return [
    ...flags.map(({ field, what }) => ({ path: [...path, ...field], what })),
    ...(added.length > 0
      ? [{ path: [...path, ...context, 'capabilities', 'add'], what: `the capability ${added.join(', ')}` }]
      : []),
  ];
}

/** Capabilities that the baseline profile allows: those that container runtimes give by default. */
const usual = new Set([
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD'],
  ...['NET_BIND_SERVICE', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
]);

function capabilitiesOf(container: JsonObject | undefined): string[] {
  return unusualCapabilities(container && lookUp(container, ['securityContext', 'capabilities', 'add']));
}

export function unusualCapabilities(added: Json | undefined): string[] {
  const names = (Array.isArray(added) ? added : []).map((name) => String(name).toUpperCase().replace(/^CAP_/, ''));
  return names.filter((name) => !usual.has(name));
}

function portsOf(path: FieldPath, value: JsonObject, before: JsonObject | undefined): Escape[] {
  const portsIn = (container: JsonObject | undefined): Json[] =>
    Array.isArray(container?.ports) ? container.ports.map((port) => lookUp(port, ['hostPort']) ?? 0) : [];
  const known = portsIn(before);
  return portsIn(value).flatMap((port, index) =>
    port === 0 || known.includes(port)
      ? []
      : [{ path: [...path, 'ports', index, 'hostPort'], what: `the hostPort ${port}` }],
  );
}

const handlers: readonly FieldPath[] = [
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe) => [probe]),
  ...['postStart', 'preStop'].map((hook) => ['lifecycle', hook]),
].flatMap((path) => ['httpGet', 'tcpSocket'].map((action) => [...path, action, 'host']));

/** Hosts that the kubelet calls for the container, from the network of the node. */
function probedHosts(path: FieldPath, value: JsonObject, before: JsonObject | undefined): Escape[] {
  return handlers.flatMap((field) => {
    const host = getString(value, field);
    const isNew = host && host !== (before && getString(before, field));
    return isNew ? [{ path: [...path, ...field], what: `calls to "${host}" from its node` }] : [];
  });
}

/** Profiles of the kernel that are switched off, of a pod or of a container. */
function profilesOf(path: FieldPath, value: JsonObject, before: JsonObject | undefined): Escape[] {
  const fields = [
    ['securityContext', 'seccompProfile', 'type'],
    ['securityContext', 'appArmorProfile', 'type'],
    ['securityContext', 'procMount'],
    ['securityContext', 'sysctls'],
    ['securityContext', 'seLinuxOptions'],
  ];
  const isOff = (found: Json | undefined) =>
    found === 'Unconfined' || found === 'Unmasked' || (found !== null && typeof found === 'object');
  return fields
    .filter((field) => {
      const found = lookUp(value, field);
      return isOff(found) && !isDeepStrictEqual(found, before && lookUp(before, field));
    })
    .map((field) => ({ path: [...path, ...field], what: field.slice(1).join('.') }));
}

/** The same as annotations, which kubelets and runtimes still read. */
function annotatedProfilesOf({ metadata }: Pod): Escape[] {
  return changedKeys(metadata, 'annotations', (key) =>
    /^(?:container\.)?(?:apparmor|seccomp)\.security\.(?:beta|alpha)\.kubernetes\.io\//.test(key),
  )
    .filter(({ value }) => value === 'unconfined')
    .map(({ path, key }) => ({ path, what: key }));
}

/** Volumes that the restricted profile allows; an image is judged as one. */
const usualVolumes = new Set([
  ...['configMap', 'secret', 'emptyDir', 'persistentVolumeClaim', 'projected', 'downwardAPI', 'ephemeral', 'image'],
  // Of the baseline profile, above.
  'hostPath',
]);

/** What decides where a pod runs and what it is given there: volumes of other systems, its runtime, its node. */
export function placementsIn({ path, value, before }: Pod): Escape[] {
  const old: readonly Json[] = Array.isArray(before?.volumes) ? before.volumes : [];
  const volumes: readonly Json[] = Array.isArray(value.volumes) ? value.volumes : [];
  const others = volumes.flatMap((volume, index): Escape[] => {
    const kind = isObject(volume)
      ? Object.keys(volume).find((key) => key !== 'name' && !usualVolumes.has(key))
      : undefined;
    if (kind === undefined || old.some((one) => isDeepStrictEqual(one, volume))) return [];
    return [{ path: [...path, 'volumes', index, kind], what: `a volume of type ${kind}` }];
  });
  const fields = ['runtimeClassName', 'nodeName'].filter(
    (field) => getString(value, [field]) && value[field] !== before?.[field],
  );
  return [...others, ...fields.map((field) => ({ path: [...path, field], what: field }))];
}

/** Labels and annotations of a pod that give it other networks, or that the policies of the platform select. */
export function networksOf({ metadata }: Pod): Escape[] {
  const found = [
    ...changedKeys(metadata, 'annotations', (key) =>
      /(?:^|\.)(?:cni\.cncf\.io|multus-cni\.io|ovn\.org|ovn\.kubernetes\.io)\//.test(key),
    ),
    ...changedKeys(metadata, 'labels', (key) => key.startsWith('policy.cozystack.io/')),
  ];
  return found.map(({ path, key }) => ({ path, what: key }));
}

/** Paths of a node that a PersistentVolume gives to the pods that claim it. */
export function hostVolumes(change: Change): Escape[] {
  const { object, before } = change;
  if (groupKind(object.ref) !== '/PersistentVolume') return [];
  return ['hostPath', 'local'].flatMap((field) => {
    const path = ['spec', field];
    const volume = lookUp(object.value, path);
    const isNew = isObject(volume) && !isDeepStrictEqual(volume, before && lookUp(before.value, path));
    return isNew ? [{ path, what: `the ${field} "${getString(volume, ['path']) ?? ''}"` }] : [];
  });
}

/** How strict the levels of the Pod Security Standards are, in the label of a Namespace. */
const levels = ['privileged', 'baseline', 'restricted'];
const label = ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'];

/** The label by which a Namespace lets pods leave their sandbox that it did not let before. */
export function weakenedLevel({ object, before }: Change): FieldPath | undefined {
  if (object.ref.kind !== 'Namespace') return undefined;
  const [was, is] = [before?.value, object.value].map((value) => value && getString(value, label)) as (
    | string
    | undefined
  )[];
  // Without the label the level is that of the cluster, which is seldom the weakest.
  const isOff = is === 'privileged' && was !== is;
  const isWeaker = was !== undefined && levels.indexOf(is ?? 'privileged') < levels.indexOf(was);
  return isOff || isWeaker ? label : undefined;
}
