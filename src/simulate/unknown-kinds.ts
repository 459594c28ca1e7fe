/** Objects of kinds of which nothing is known but that they are custom resources: their metadata are as those of any other. */

import type { Cluster } from '../cluster/cluster.js';
import { definitionOf } from '../cluster/crds.js';
import { isAggregated, isOpenGroup } from '../cluster/definitions.js';
import type { Json, JsonObject, ObjectRef, RenderedObject } from '../core/model.js';
import { groupOf, isObject } from '../core/object.js';
import { isApplication } from '../cozystack/application.js';
import type { Schemas } from '../cozystack/schemas.js';
import { isApplied } from '../flux/applied.js';
import type { Answered } from './reconcile.js';
import type { Simulator } from './types.js';

/**
 * Whether a kind that is not known can be nothing but one that a definition brings. So are applications, of which Cozystack's own server
 * makes a HelmRelease with their labels and annotations (cozystack/FACTS.md, Applications).
 */
export function isCustom(ref: ObjectRef, schemas: Schemas): boolean {
  if (isApplication({ ref })) return true;
  const group = groupOf(ref.apiVersion);
  return !schemas.find(ref.apiVersion, ref.kind).known && isOpenGroup(group, schemas) && !isAggregated(group);
}

/** What stands for all of them: a kind in a namespace, and one in none, both with metadata alone. */
const unknownGroup = 'unknown.customizer-lint.invalid';
export const unknownKinds = (['Namespaced', 'Cluster'] as const).map((scope) =>
  definitionOf({
    ...{ group: unknownGroup, kind: scope, plural: scope.toLowerCase(), scope },
    versions: [{ name: 'v1', served: true, storage: true, deprecated: false, schema: { type: 'object' } }],
  }),
);

export function metadataOf({ metadata }: JsonObject): JsonObject {
  const isNamespaced = isObject(metadata) && metadata.namespace !== undefined;
  return {
    apiVersion: `${unknownGroup}/v1`,
    kind: isNamespaced ? 'Namespaced' : 'Cluster',
    ...(metadata !== undefined && { metadata }),
  };
}

/** Names, labels and annotations of which no rule of Kubernetes has anything to say: of nearly all objects. */
export function hasPlainMetadata({ metadata }: JsonObject): boolean {
  if (!isObject(metadata)) return true;
  const { name, namespace, labels = {}, annotations = {}, finalizers = [], ownerReferences, generateName } = metadata;
  const fits = (text: Json | undefined, what: RegExp) =>
    text === undefined || (typeof text === 'string' && what.test(text));
  const keys = [...Object.keys(labels ?? {}), ...Object.keys(annotations ?? {})];
  return (
    fits(name, /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/) &&
    !/\.[.-]|-\./.test(String(name)) &&
    fits(namespace, /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/) &&
    keys.every((key) =>
      /^(?:[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?\/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/.test(key),
    ) &&
    Object.values(labels ?? {}).every((text) => fits(text, /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/)) &&
    JSON.stringify(annotations).length < 100_000 &&
    JSON.stringify([finalizers, ownerReferences ?? [], generateName ?? '']) === '[[],[],""]'
  );
}

/** What a server says of their metadata, whatever else it may say; of those only that it refuses. */
export async function refusedMetadata(
  server: Simulator,
  { head, base, contract }: Pick<Cluster, 'head' | 'base' | 'contract'>,
): Promise<Map<RenderedObject, NonNullable<Answered['answer']>>> {
  const asked = [...head.objects, ...(base?.objects ?? [])].filter(
    (object) => isApplied(object) && isCustom(object.ref, contract.schemas) && !hasPlainMetadata(object.value),
  );
  if (asked.length === 0) return new Map();
  await server.define(unknownKinds);
  const how = { op: 'apply' as const, manager: 'metadata', dryRun: true, brief: true };
  const answers = await server.ask(asked.map(({ value }) => ({ ...how, object: metadataOf(value) })));
  return new Map(
    asked.flatMap((object, index) => {
      const { status = 0, error } = answers[index] ?? {};
      if (status !== 422 || !error) return [];
      const { apiVersion, kind } = object.ref;
      const message = (error.message ?? '').replace(/^\S+(?= ")/, `${kind}.${groupOf(apiVersion)}`);
      const body = { ...error, message };
      return [[object, { status, reason: 'Invalid', message, body, isSaid: true as const }] as const];
    }),
  );
}
