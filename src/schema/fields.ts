/** Fields that a map has and its schema does not, and the other way round. */
import type { FieldPath, JsonObject } from '../core/model.js';
import { nearest } from '../core/suggest.js';
import { childOf, resolve } from './structure.js';
import { isUnresolved, type Node, report, skip, unresolvedBecause, type Walk } from './walk.js';
import { spell } from './wording.js';

export function reportUnknown(walk: Walk, map: JsonObject, name: string, { schema, path }: Node): void {
  if (isUnresolved(name)) {
    skip(walk, unresolvedBecause(name));
    return;
  }
  const dropped = walk.known.unknownFields === 'dropped';
  const server = walk.known.server ? `Kubernetes ${walk.known.server.kubernetes}` : 'the API server';
  const fields = Object.keys(schema.properties ?? {}).sort();
  const meant = walk.violations.length < maxHelped ? nearestField(name, fields, map) : undefined;
  const help = meant ? `did you mean "${meant}"?` : suggestFields(fields, path, name);
  report(walk, {
    path,
    part: 'key',
    kind: 'unknown-field',
    message: `unknown field "${spell(path).replaceAll('"', "'")}"`,
    outcome: dropped ? 'Flux drops it silently' : `${server} refuses the object`,
    ...(help && { help }),
    ...(meant && !Object.hasOwn(map, meant) && { instead: { key: meant } }),
    ...(dropped && { dropped }),
  });
}

/** Comparing names takes its time; nobody reads the help of the hundredth finding in one object. */
const maxHelped = 100;

/** Rather a field that is not written yet. */
function nearestField(name: string, fields: readonly string[], map: JsonObject): string | undefined {
  const free = fields.filter((field) => !Object.hasOwn(map, field));
  return nearest(name, free) ?? nearest(name, fields);
}

function suggestFields(fields: readonly string[], path: FieldPath, name: string): string | undefined {
  if (name.includes('/') && fields.includes('labels'))
    return 'labels belong under "labels", annotations under "annotations"';
  if (fields.length === 0 || fields.length > 12) return undefined;
  const parent = path.length > 1 ? spell(path.slice(0, -1)) : 'the object';
  return `the fields of ${parent} are ${fields.join(', ')}`;
}

export function checkRequired(walk: Walk, map: JsonObject, node: Node): void {
  const { schema, path, whole } = node;
  const implied = schema['x-kubernetes-embedded-resource'] && !node.declared ? ['apiVersion', 'kind'] : [];
  for (const name of new Set([...(schema.required ?? []), ...implied])) {
    if (isPresent(map, name, node) || isNotEnforced(walk, node, name)) continue;
    if (path.length === 0 && ['apiVersion', 'kind', 'metadata', 'status'].includes(name)) continue;
    if (!whole) {
      walk.undecided++;
      continue;
    }
    report(walk, {
      path: [...path, name],
      part: 'key',
      kind: 'required',
      message: `${spell([...path, name])} is missing`,
    });
  }
}

/** Required fields of built-in kinds that the API server does without: it has a default, or takes the zero value. */
const notEnforced = new Set([
  'CSIDriver.spec',
  'CSINodeSpec.drivers',
  'ControllerRevision.revision',
  'CustomResourceDefinitionVersion.served',
  'CustomResourceDefinitionVersion.storage',
  'DeviceClass.spec',
  'EndpointSlice.endpoints',
  'HTTPHeader.value',
  'ISCSIPersistentVolumeSource.lun',
  'ISCSIVolumeSource.lun',
  'LimitRangeSpec.limits',
  'PodFailurePolicy.rules',
  'PriorityClass.value',
  'ResourceClaimTemplateSpec.spec',
  'RoleRef.apiGroup',
  'SleepAction.seconds',
  'Sysctl.value',
  'TokenRequest.audience',
]);

/** A default counts: it is filled in before the object is judged. */
function isPresent(map: JsonObject, name: string, { schema, declared, lax, root }: Node): boolean {
  if (Object.hasOwn(map, name)) return !(lax && map[name] === null);
  const child = childOf(resolve(declared ?? schema, root), name);
  return child !== undefined && resolve(child, root).default !== undefined;
}

function isNotEnforced(walk: Walk, { schema, root }: Node, name: string): boolean {
  if (!walk.known.builtIn) return false;
  for (const [definition, candidate] of Object.entries(root.definitions ?? {})) {
    if (candidate === schema) return notEnforced.has(`${definition.slice(definition.lastIndexOf('.') + 1)}.${name}`);
  }
  return false;
}
