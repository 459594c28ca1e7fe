/**
 * Sequences of writes at random, the same for the same seed: several managers create, apply, patch and replace one object,
 * mostly rightly, and come back to the same fields again and again, so that they meet.
 */

import type { Json, JsonObject } from '../../../src/core/model.js';
import { isObject } from '../../../src/core/object.js';
import type { ApplyTarget, JsonPatch, Operation } from '../../../src/engine/host/apply-protocol.js';
import type { Schema } from '../../../src/schema/types.js';
import { seeded } from '../../schema/objects.js';
import { builtInKinds, customKinds, type Kind, namespace } from './kinds.js';

type How = { manager: string; dryRun?: boolean };

export type Step = How &
  (
    | { write: 'create'; object: JsonObject }
    | { write: 'apply'; object: JsonObject; force?: boolean }
    | { write: 'merge'; patch: JsonObject; subresource?: 'status' }
    | { write: 'json'; patch: JsonPatch }
    /** Replaces the whole object by this one, with the resourceVersion of the last answer. */
    | { write: 'replace'; object: JsonObject }
    /** Reads the object, changes it as a merge patch would, and writes all of it back. */
    | { write: 'edit'; patch: JsonObject }
    | { write: 'delete' }
  );

export type Sequence = { seed: number; kind: Kind; name: string; steps: Step[] };

export function sequence(seed: number): Sequence {
  const random = seeded(seed * 7919 + 1);
  const kinds = [...customKinds, ...customKinds, ...builtInKinds, ...builtInKinds];
  const kind = pickOf(random, kinds);
  const name = `s-${seed}`;
  const maker: Maker = {
    random,
    salt: Math.floor(random() * 2 ** 31),
    mistakes: random() < 0.35 ? 0.02 : 0,
    budget: 0,
  };
  const steps: Step[] = [first(maker, kind, name)];
  const more = 2 + Math.floor(random() * 6);
  while (steps.length <= more) steps.push(next(maker, kind, name));
  return { seed, kind, name, steps };
}

export function refOf({ kind, name }: Sequence): ApplyTarget {
  const { apiVersion, namespaced } = kind;
  return { apiVersion, kind: kind.kind, ...(namespaced && { namespace }), name };
}

/** A step on the object as it was last answered. */
export function operationOf(one: Sequence, step: Step, live: JsonObject | undefined): Operation {
  const { manager, dryRun } = step;
  const how = { manager, ...(dryRun && { dryRun }) };
  const ref = refOf(one);
  switch (step.write) {
    case 'create':
      return { op: 'create', ...how, object: step.object };
    case 'apply':
      return { op: 'apply', ...how, object: step.object, ...(step.force && { force: true }) };
    case 'merge':
      return {
        op: 'merge',
        ...how,
        ref,
        patch: step.patch,
        ...(step.subresource && { subresource: 'status' as const }),
      };
    case 'json':
      return { op: 'json', ...how, ref, patch: step.patch };
    case 'replace': {
      const resourceVersion = metaOf(live).resourceVersion;
      const metadata = { ...metaOf(step.object), ...(resourceVersion !== undefined && { resourceVersion }) };
      return { op: 'update', ...how, object: { ...step.object, metadata } };
    }
    case 'edit': {
      const { kind, name } = one;
      const empty = {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata: { name, ...(kind.namespaced && { namespace }) },
      };
      return { op: 'update', ...how, object: merged(live ?? empty, step.patch) as JsonObject };
    }
    case 'delete':
      return { op: 'delete', ref, ...(dryRun && { dryRun }) };
  }
}

function metaOf(object: JsonObject | undefined): JsonObject {
  return isObject(object?.metadata) ? object.metadata : {};
}

function merged(value: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const out: JsonObject = isObject(value) ? { ...value } : {};
  for (const [key, item] of Object.entries(patch)) {
    if (item === null) delete out[key];
    else out[key] = merged(out[key] ?? null, item);
  }
  return out;
}

/** `salt` decides which fields a sequence is about; `mistakes` how often a value is wrong. */
type Maker = { random: () => number; salt: number; mistakes: number; budget: number };

function pickOf<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

const appliers = ['helm-controller', 'kustomize-controller', 'kustomize-controller', 'kubectl', 'flux', 'Terraform'];
const updaters = [
  'helm-controller',
  'helm',
  'kubectl-client-side-apply',
  'kubectl-edit',
  'kubectl-create',
  'kubectl-patch',
];

function first(maker: Maker, kind: Kind, name: string): Step {
  const { random } = maker;
  if (random() < 0.5) return apply(maker, kind, name, pickOf(random, appliers));
  const manager = pickOf(random, updaters);
  return { write: 'create', manager, object: asClient(manager, objectOf(maker, kind, name, false)) };
}

function next(maker: Maker, kind: Kind, name: string): Step {
  const { random } = maker;
  const chance = random();
  const dryRun = random() < 0.2 && { dryRun: true };
  const manager = pickOf(random, updaters);
  if (chance < 0.5) return { ...apply(maker, kind, name, pickOf(random, appliers)), ...dryRun };
  if (chance < 0.62) return { write: 'merge', manager, patch: patchOf(maker, kind, name, manager), ...dryRun };
  if (chance < 0.72) return { write: 'json', manager, patch: jsonPatch(maker, kind, name), ...dryRun };
  if (chance < 0.82) {
    return { write: 'replace', manager, object: asClient(manager, objectOf(maker, kind, name, false)), ...dryRun };
  }
  if (chance < 0.92) return { write: 'edit', manager, patch: patchOf(maker, kind, name, manager), ...dryRun };
  if (chance < 0.94) return { write: 'delete', manager, ...dryRun };
  if (chance < 0.96) return { write: 'create', manager, object: objectOf(maker, kind, name, false), ...dryRun };
  const status = kind.schema?.properties?.status;
  if (!status) return { write: 'merge', manager, patch: patchOf(maker, kind, name, manager), ...dryRun };
  maker.budget = 30;
  const patch = { status: make(maker, status, 'status', 1) };
  return { write: 'merge', manager: 'controller', patch, subresource: 'status', ...dryRun };
}

function apply(maker: Maker, kind: Kind, name: string, manager: string): Step {
  const force = maker.random() < 0.6 && { force: true };
  return { write: 'apply', manager, object: objectOf(maker, kind, name, true), ...force };
}

/** kubectl's client-side apply leaves a copy of what it was given. */
function asClient(manager: string, object: JsonObject): JsonObject {
  if (manager !== 'kubectl-client-side-apply') return object;
  const metadata = metaOf(object);
  const annotations = isObject(metadata.annotations) ? metadata.annotations : {};
  const copy = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(object)}\n` };
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, ...copy } } };
}

function objectOf(maker: Maker, kind: Kind, name: string, applied: boolean): JsonObject {
  maker.budget = 40;
  const { random } = maker;
  const metadata: JsonObject = { name, ...(kind.namespaced && { namespace }), ...metadataOf(maker) };
  const object: JsonObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata };
  Object.assign(object, bodyOf(maker, kind));
  if (random() < maker.mistakes) object.bogus = 1;
  if (random() < 0.05) object.status = kind.kind === 'Deployment' ? {} : { phase: 'a' };
  if (applied && random() < maker.mistakes / 2) metadata.managedFields = [];
  return object;
}

function bodyOf(maker: Maker, { kind, schema }: Kind): JsonObject {
  if (kind === 'ConfigMap') return configMap(maker);
  if (kind === 'Deployment') return { spec: deployment(maker) };
  const spec = schema?.properties?.spec;
  if (!spec || maker.random() < 0.05) return {};
  return { spec: make(maker, spec, 'spec', 1) };
}

function metadataOf({ random, mistakes }: Maker): JsonObject {
  const texts = (): JsonObject => {
    const out: JsonObject = {};
    for (const key of ['a', 'b', 'example.org/c']) if (random() < 0.5) out[key] = pickOf(random, ['x', 'y', '']);
    if (random() < mistakes) out.a = pickOf<Json>(random, [true, 5, null, { a: 'b' }]);
    return out;
  };
  const out: JsonObject = {};
  if (random() < 0.4) out.labels = texts();
  if (random() < 0.3) out.annotations = texts();
  if (random() < 0.12)
    out.finalizers = [['example.org/a'], ['example.org/b', 'example.org/a'], []][Math.floor(random() * 3)] as Json;
  if (random() < 0.05) {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '0f2c8a6e-1111-4222-8333-444455556666' };
    out.ownerReferences = [owner];
  }
  if (random() < mistakes) out.label = { a: 'x' };
  if (random() < 0.02) out.creationTimestamp = null;
  return out;
}

function patchOf(maker: Maker, kind: Kind, name: string, manager: string): JsonObject {
  const { random } = maker;
  const { apiVersion, kind: _, ...patch } = asClient(manager, objectOf(maker, kind, name, false));
  const { name: __, namespace: ___, ...metadata } = metaOf(patch);
  if (random() < 0.15) Object.assign(metadata, { [pickOf(random, ['labels', 'annotations', 'finalizers'])]: null });
  const body: JsonObject =
    patch.spec !== undefined && kind.schema && random() < 0.1 ? { spec: dropSome(random, patch.spec) } : {};
  return { ...patch, ...body, ...(Object.keys(metadata).length > 0 ? { metadata } : { metadata: {} }) };
}

/** A merge patch that removes some of what a value has. */
function dropSome(random: () => number, value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, random() < 0.4 ? null : dropSome(random, item)]),
  );
}

function jsonPatch(maker: Maker, kind: Kind, name: string): JsonPatch {
  const { random } = maker;
  const object = objectOf(maker, kind, name, false);
  const out: JsonPatch = [];
  const add = (path: string, value: Json) => out.push({ op: pickOf(random, ['add', 'add', 'replace']), path, value });
  const metadata = metaOf(object);
  if (isObject(metadata.labels) && random() < 0.7)
    out.push({ op: 'add', path: '/metadata/labels', value: metadata.labels });
  if (random() < 0.1) out.push({ op: 'remove', path: '/metadata/annotations' });
  if (random() < 0.08) out.push({ op: 'replace', path: '/metadata/managedFields', value: [{}] });
  const body = kind.kind === 'ConfigMap' ? object.data : object.spec;
  const at = kind.kind === 'ConfigMap' ? '/data' : '/spec';
  if (random() < 0.05 && kind.schema) out.push({ op: 'remove', path: at });
  else if (isObject(body)) {
    for (const [key, value] of Object.entries(body)) {
      if (random() < 0.5) add(`${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value);
    }
  }
  if (out.length === 0) out.push({ op: 'add', path: '/metadata/labels', value: { a: 'x' } });
  return out;
}

/** Whether a sequence has to do with the field at all. */
function about(maker: Maker, path: string, share: number): boolean {
  let hash = maker.salt;
  for (let i = 0; i < path.length; i++) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193);
  return ((hash >>> 8) & 0xffff) / 0x10000 < share;
}

const words = ['x', 'y', 'z'];
const matching: [RegExp, string[]][] = [
  [/ms\|s\|m\|h/, ['5m', '1h', '30s', '90s']],
  [/s\|m\|h/, ['5m', '1h', '30s']],
  [/\^oci:/, ['oci://example.org/x']],
  [/_a-zA-Z/, ['x', 'y']],
];

function make(maker: Maker, schema: Schema, path: string, depth: number): Json {
  const { random } = maker;
  maker.budget--;
  if (random() < maker.mistakes) return pickOf<Json>(random, [5, 'x', true, null, {}, [], ['x'], { a: 1 }, 2.5, 1e21]);
  if (random() < 0.015) return null;
  if (schema['x-kubernetes-int-or-string']) return pickOf<Json>(random, [1, 2, 'x', '50%']);
  if (schema.enum) return random() < 0.03 ? 'bogus' : pickOf(random, schema.enum);
  switch (schema.type) {
    case 'object':
      return record(maker, schema, path, depth);
    case 'array': {
      const out: Json[] = [];
      const length = maker.budget > 0 ? Math.floor(random() * 3) : 0;
      while (out.length < length && schema.items) out.push(make(maker, schema.items, `${path}[]`, depth + 1));
      return out;
    }
    case 'string': {
      const known = matching.find(([pattern]) => pattern.test(schema.pattern ?? ''))?.[1];
      if (known && random() < 0.97) return pickOf(random, known);
      if (schema.format === 'date-time') return '2020-01-01T00:00:00Z';
      return pickOf(random, words);
    }
    case 'integer':
      return pickOf(random, [0, 1, 2, 3]);
    case 'number':
      return pickOf(random, [0, 1, 0.5, 1.25, 1e3]);
    case 'boolean':
      return random() < 0.5;
  }
  return tree(maker, path, depth);
}

function record(maker: Maker, schema: Schema, path: string, depth: number): Json {
  const { random } = maker;
  const out: JsonObject = {};
  const properties = Object.entries(schema.properties ?? {});
  const share = properties.length > 12 ? 0.3 : properties.length > 4 ? 0.5 : 0.85;
  for (const [name, property] of properties) {
    const below = `${path}.${name}`;
    const required = schema.required?.includes(name) ?? false;
    const wanted = required ? random() < 0.98 : maker.budget > 0 && about(maker, below, share) && random() < 0.65;
    if (wanted) out[name] = make(maker, property, below, depth + 1);
  }
  const items = schema.additionalProperties;
  if (isObject(items as Json) && maker.budget > 0) {
    for (const name of ['c', 'd', 'e.f']) {
      if (random() < 0.4) out[name] = make(maker, items as Schema, `${path}{}`, depth + 1);
    }
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] && properties.length === 0) return tree(maker, path, depth);
  if (random() < maker.mistakes) out.bogus = 'x';
  return out;
}

/** A value of no schema: maps, lists and scalars take each other's place. */
function tree(maker: Maker, path: string, depth: number): Json {
  const { random } = maker;
  maker.budget--;
  const chance = random();
  if (depth > 9 || maker.budget < 0 || chance < 0.3) {
    return pickOf<Json>(random, [1, 2, 'x', 'y', '', true, false, 1.5, null, {}, [], 0]);
  }
  if (chance < 0.4) return [tree(maker, path, depth + 2), ...(random() < 0.5 ? [tree(maker, path, depth + 2)] : [])];
  const out: JsonObject = {};
  for (const key of ['a', 'b', 'c']) if (random() < 0.5) out[key] = tree(maker, `${path}.${key}`, depth + 1);
  return out;
}

function configMap({ random, mistakes }: Maker): JsonObject {
  const data: JsonObject = {};
  for (const key of ['a', 'b', 'c.yaml', 'd']) if (random() < 0.45) data[key] = pickOf(random, ['x', 'y', '']);
  if (random() < mistakes) data.a = pickOf<Json>(random, [5, true, { a: 'b' }, ['x']]);
  const out: JsonObject = {};
  if (random() < 0.85) out.data = data;
  if (random() < 0.1) out.data = random() < 0.5 ? {} : null;
  if (random() < 0.15) out.binaryData = { e: 'eA==' };
  return out;
}

function deployment(maker: Maker): JsonObject {
  const { random } = maker;
  const maybe = (share: number, field: JsonObject): JsonObject => (random() < share ? field : {});
  const pick = <T>(items: readonly T[]) => pickOf(random, items);
  const port = (): JsonObject => ({
    containerPort: pick([80, 81]),
    ...maybe(0.3, { name: pick(['http', 'web']) }),
    ...maybe(0.3, { protocol: pick(['TCP', 'UDP']) }),
  });
  const container = (name: string): JsonObject => ({
    name,
    image: pick(['a', 'a:1', 'b:latest']),
    ...maybe(0.4, { ports: random() < 0.2 ? [] : random() < 0.8 ? [port()] : [port(), { containerPort: 90 }] }),
    ...maybe(0.4, {
      env: [{ name: 'A', value: pick(['x', 'y']) }, ...(random() < 0.4 ? [{ name: 'B', value: 'x' }] : [])],
    }),
    ...maybe(0.3, { args: pick<Json>([['x'], ['x', 'y'], []]) }),
    ...maybe(0.3, { resources: { limits: { cpu: pick(['100m', '1', '0.5']), ...maybe(0.5, { memory: '64Mi' }) } } }),
    ...maybe(0.2, { imagePullPolicy: pick(['Always', 'IfNotPresent']) }),
    ...maybe(0.2, { securityContext: { privileged: random() < 0.5 } }),
  });
  const out: JsonObject = {
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: {
        labels: { app: 'x', ...maybe(0.3, { b: pick(['x', 'y']) }) },
        ...maybe(0.2, { annotations: { a: 'x' } }),
      },
      spec: {
        containers: [container('c'), ...(random() < 0.25 ? [container('d')] : [])],
        ...maybe(0.2, { serviceAccountName: 'x' }),
        ...maybe(0.2, { volumes: [{ name: 'v', emptyDir: {} }] }),
        ...maybe(0.2, { nodeSelector: { a: pick(['x', 'y']) } }),
        ...maybe(0.15, { tolerations: [{ key: 'x', operator: 'Exists' }] }),
        ...maybe(0.1, { terminationGracePeriodSeconds: pick([5, 30]) }),
      },
    },
    ...maybe(0.5, { replicas: pick([0, 1, 2]) }),
    ...maybe(0.2, { strategy: pick<Json>([{ type: 'Recreate' }, { type: 'RollingUpdate' }]) }),
    ...maybe(0.1, { revisionHistoryLimit: 3 }),
    ...maybe(0.1, { paused: random() < 0.5 }),
  };
  if (random() < maker.mistakes * 2) out.bogus = 1;
  return out;
}
