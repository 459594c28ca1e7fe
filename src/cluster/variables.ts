/** Fields that decide what is applied, and whose value only the cluster has: variables that nothing here defines, and ciphertext. */

import type { FieldPath, Json, JsonObject, RenderedObject } from '../core/model.js';
import { groupOf, isObject, lookUp } from '../core/object.js';
import { isPackage, isPackageSource } from '../cozystack/package.js';

/** `text` is the variable as written, `"${NAME}"`; absent for ciphertext. */
export type UnknownField = { path: FieldPath; text?: string };

/** The most fields that are reported of one object. */
const most = 5;

/**
 * Fields that are unknown and decide which object is applied, from where, with which rights, or whether it stays; keys; and of a Package
 * a variable in place of a map of its contract, which may then hold any field. A value of another field is not among them.
 */
export function unknownFields({ ref, value }: RenderedObject): UnknownField[] {
  const found: UnknownField[] = [];
  const add = (path: FieldPath, text: Json | undefined) => {
    const unknown = typeof text === 'string' ? unknownIn(text) : undefined;
    if (unknown && found.length < most) found.push({ path, ...unknown });
  };
  for (const path of decidingFields({ ref, value }))
    for (const one of expanded(value, path)) add(one, lookUp(value, one));
  for (const path of keysWithVariables(value)) add(path, path.at(-1));
  return found;
}

const always = [
  ...[['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']],
  ...['annotations', 'labels'].flatMap((map) =>
    ['ssa', 'prune', 'reconcile', 'force'].map((setting) => [
      'metadata',
      map,
      `kustomize.toolkit.fluxcd.io/${setting}`,
    ]),
  ),
];

const account = [
  'serviceAccountName',
  'targetNamespace',
  'storageNamespace',
  'releaseName',
  'prune',
  'suspend',
  'force',
];
const references = ['sourceRef', 'chartRef'].flatMap((field) =>
  ['kind', 'name', 'namespace'].map((key) => [field, key]),
);

/** `*` stands for any key, or for every item. */
function decidingFields({ ref, value }: Pick<RenderedObject, 'ref' | 'value'>): FieldPath[] {
  const group = groupOf(ref.apiVersion);
  const spec = (...fields: (readonly string[] | string)[]) => fields.map((field) => ['spec', ...[field].flat()]);
  if (isPackage({ ref }))
    return [
      ...always,
      ...spec(
        'variant',
        'components',
        ['components', '*'],
        ['components', '*', 'enabled'],
        ['components', '*', 'values'],
      ),
      ['spec'],
    ];
  if (isPackageSource({ ref })) return [...always, ...leavesOf(value, ['spec'])];
  if (group.endsWith('.toolkit.fluxcd.io'))
    return [
      ...always,
      ...spec('path', 'url', 'endpoint', 'bucketName', ...account, ...references),
      ...spec(['chart', 'spec', 'chart'], ...references.map((path) => ['chart', 'spec', ...path])),
    ];
  if (group === 'rbac.authorization.k8s.io')
    return [
      ...always,
      ...leavesOf(value, ['roleRef']),
      ...leavesOf(value, ['subjects']),
      ...leavesOf(value, ['rules']),
    ];
  if (admitting.has(group) || policies.has(ref.kind))
    return [...always, ...Object.keys(value).flatMap((key) => (key === 'metadata' ? [] : leavesOf(value, [key])))];
  if (ref.kind === 'Service') return [...always, ['spec', 'externalName'], ...leavesOf(value, ['spec', 'externalIPs'])];
  return [...always, podSecurity, ...sandboxFields(value)];
}

/** Groups and kinds of which every field decides what the API server accepts, or which traffic passes. */
const admitting = new Set(['admissionregistration.k8s.io', 'apiregistration.k8s.io', 'policy.networking.k8s.io']);
const policies = new Set([
  'NetworkPolicy',
  'GlobalNetworkPolicy',
  'CiliumNetworkPolicy',
  'CiliumClusterwideNetworkPolicy',
]);

const podSecurity = ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'];

/** Keys of a pod, and of its parts, by which it leaves its sandbox or changes its identity; some only below another key. */
const sandboxKeys = new Set([
  ...['hostNetwork', 'hostPID', 'hostIPC', 'privileged', 'hostProcess', 'procMount', 'hostPort'],
  ...['serviceAccountName', 'serviceAccount', 'hostPath.path', 'seccompProfile.type', 'appArmorProfile.type'],
]);

/** Maps and lists of a pod; a variable in place of one may hold any of those keys. */
const sandboxMaps = new Set([
  ...['containers', 'initContainers', 'ephemeralContainers', 'volumes', 'securityContext', 'hostPath'],
  ...['jobTemplate', 'template', 'template.spec'],
]);

/** The fields of all pods in an object that may be unknown. */
function sandboxFields({ spec = null }: JsonObject): FieldPath[] {
  const found: FieldPath[] = [];
  const open: { node: Json; path: FieldPath }[] = [{ node: spec, path: ['spec'] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, path } = next;
    if (typeof node === 'string' && unknownIn(node) && isOfSandbox(path, node)) found.push(path);
    if (node === null || typeof node !== 'object') continue;
    const isList = Array.isArray(node);
    for (const [key, item] of Object.entries(node))
      open.push({ node: item as Json, path: [...path, isList ? Number(key) : key] });
  }
  return found;
}

function isOfSandbox(path: FieldPath, text: string): boolean {
  const names = [path.slice(-1), path.slice(-2)].map((keys) => keys.join('.'));
  if (names.some((name) => sandboxKeys.has(name))) return true;
  if (path.at(-1) === 'image') return unknownIn(repositoryIn(text)) !== undefined;
  return /^\$\{[^}]*\}$/.test(text) && names.some((name) => sandboxMaps.has(name));
}

/** An image up to its tag, if a variable begins only in that. */
function repositoryIn(image: string): string {
  const before = image.slice(0, Math.max(image.indexOf('${'), 0));
  return before.includes('@') || before.lastIndexOf(':') > before.lastIndexOf('/') ? before : image;
}

function leavesOf(value: JsonObject, start: FieldPath): FieldPath[] {
  const leaves: FieldPath[] = [];
  const open: FieldPath[] = [start];
  for (let path = open.pop(); path; path = open.pop()) {
    const node = lookUp(value, path);
    if (node === null || typeof node !== 'object') leaves.push(path);
    else for (const key of Object.keys(node)) open.push([...path, Array.isArray(node) ? Number(key) : key]);
  }
  return leaves;
}

/** The paths that a path with `*` stands for in the object. */
function expanded(value: JsonObject, path: FieldPath): FieldPath[] {
  const at = path.indexOf('*');
  if (at < 0) return [path];
  const map = lookUp(value, path.slice(0, at));
  return Object.keys(isObject(map) ? map : {}).flatMap((key) =>
    expanded(value, [...path.slice(0, at), key, ...path.slice(at + 1)]),
  );
}

function* keysWithVariables(value: Json): Generator<FieldPath> {
  // A stack of its own, as the depth is the repository's choice.
  const open: { node: Json; path: FieldPath }[] = [{ node: value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, path } = next;
    if (Array.isArray(node)) node.forEach((item, index) => void open.push({ node: item, path: [...path, index] }));
    if (!isObject(node)) continue;
    for (const [key, item] of Object.entries(node)) {
      if (key.includes('${')) yield [...path, key];
      if (item !== null && typeof item === 'object') open.push({ node: item, path: [...path, key] });
    }
  }
}

/** The first variable of a text, at most 100 characters of it, or ciphertext of SOPS. */
function unknownIn(text: string): Pick<UnknownField, 'text'> | undefined {
  if (text.startsWith('ENC[')) return {};
  const start = text.indexOf('${');
  const end = start < 0 ? -1 : text.indexOf('}', start);
  return end < 0 ? undefined : { text: `"${text.slice(start, Math.min(end + 1, start + 100))}"` };
}
