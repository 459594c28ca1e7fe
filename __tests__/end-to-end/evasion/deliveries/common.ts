/** What the deliveries are made of: patches, selectors, replacements and plugins for a target. */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { lookUp } from '../../../../src/core/object.js';
import type { Folder } from '../folder.js';
import { type Path, shown, type Target, withField } from '../harms.js';

export type Delivery = {
  /** A folder that Flux applies with spec of its own can do more. */
  needsFlux?: true;
  /** Only for fields of this kind of path. */
  fits?: (target: Target) => boolean;
  deliver(folder: Folder, target: Target, active: boolean): void;
};

export const nameOf = (object: JsonObject) => String(lookUp(object, ['metadata', 'name']));
export const pointer = (field: Path) =>
  field.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
export const dotted = (field: Path) =>
  field
    .map((step) => (String(step).includes('.') ? `[${step}]` : String(step).replaceAll('.', '\\.')))
    .join('.')
    .replaceAll('.[', '.[');
export const identity = (object: JsonObject): JsonObject => {
  const { apiVersion, kind, metadata } = object as { apiVersion: string; kind: string; metadata: JsonObject };
  const namespace = metadata.namespace;
  return { apiVersion, kind, metadata: { name: metadata.name as Json, ...(namespace !== undefined && { namespace }) } };
};
/** As a strategic merge patch; of an object whose field is not to change it says nothing. */
export function merge(target: Target, active: boolean): JsonObject {
  const value = active ? target.value : target.decoy;
  const known = identity(shown(target, false));
  return value === undefined ? known : withField(known, target.field, value);
}
export function operations(target: Target, active: boolean, random: Folder['random']): JsonObject[] {
  const path = pointer(target.field);
  if (!active) return [{ op: 'test', path: '/kind', value: target.object.kind as Json }];
  if (target.decoy !== undefined && random.chance(0.5)) return [{ op: 'replace', path, value: target.value }];
  return [{ op: 'add', path, value: target.value }];
}
export const isIdentity = ({ field }: Target) =>
  field.length === 1 || (field[0] === 'metadata' && ['name', 'namespace'].includes(String(field[1])));
export const isText = ({ value }: Target) => typeof value === 'string';
export const isMergeable = (target: Target) => !isIdentity(target);

/** Selects the object by one of the things that a selector knows. */
export function selector(folder: Folder, target: Target): JsonObject {
  const { kind, apiVersion } = target.object as { kind: string; apiVersion: string };
  const name = nameOf(target.object);
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const ways: Record<string, JsonObject> = {
    kind: { kind },
    'kind and name': { kind, name },
    'regular expression of a name': { name: `${name.slice(0, 2)}.*` },
    'regular expression of a kind': { kind: `${kind.slice(0, 3)}\\w+` },
    'alternatives of a kind': { kind: `Nothing|${kind}` },
    group: { ...(group && { group }), version, kind },
    'everything named so': { name },
    label: { labelSelector: 'evasion=yes' },
    annotation: { annotationSelector: 'evasion in (yes)' },
  };
  const label = folder.fork().pick(Object.keys(ways));
  folder.label('selector', label);
  return ways[label] as JsonObject;
}
/** What labelSelector and annotationSelector look for. */
export function marked(object: JsonObject): JsonObject {
  return withField(
    withField(object, ['metadata', 'labels', 'evasion'], 'yes'),
    ['metadata', 'annotations', 'evasion'],
    'yes',
  );
}
export const calm = (target: Target) => marked(shown(target, false));
export const resource = (folder: Folder, object: JsonObject) => folder.add('resources', folder.file(object));
export const valueSource = (name: string, text: Json): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'cozy-customizer' },
  data: { x: text },
});
export function replacement(target: Target, active: boolean, from: string): JsonObject {
  const note = active || target.decoy !== undefined ? dotted(target.field) : 'metadata.annotations.note';
  const kind = target.object.kind as string;
  return {
    source: { kind: 'ConfigMap', name: from, fieldPath: 'data.x' },
    targets: [{ select: { kind, name: nameOf(target.object) }, fieldPaths: [note], options: { create: true } }],
  };
}
export const sourced = ({ value, decoy }: Target, active: boolean): Json =>
  active || decoy === undefined ? value : decoy;
export const builtin = (kind: string, rest: JsonObject): JsonObject => ({
  apiVersion: 'builtin',
  kind,
  metadata: { name: `my-${kind.toLowerCase()}` },
  ...rest,
});
/** A builtin plugin may be written in a file, in the list itself, or be rendered by a folder. */
export function plugin(folder: Folder, field: 'transformers' | 'generators' | 'validators', value: JsonObject) {
  const random = folder.fork();
  const way = random.pick(['file', 'inline', 'folder']);
  folder.label(field, way);
  if (way === 'inline') return folder.add(field, stringify(value));
  if (way === 'file') return folder.add(field, folder.file(value));
  const name = `plugins-${random.below(1000)}`;
  folder.named(`${name}/kustomization.yaml`, stringify({ resources: ['p.yaml'] }));
  folder.named(`${name}/p.yaml`, stringify(value));
  folder.add(field, name);
}

export function selectorOfName(target: Target): JsonObject {
  return { kind: target.object.kind as string, name: nameOf(target.object) };
}
