/**
 * An object as Flux sends it: with the labels of its owner, and of built-in kinds only what their Go types hold (flux/FACTS.md,
 * Request).
 */

import { settingPrefix } from '../core/flux-api.js';
import type { Entrypoint, FieldPath, Json, JsonObject, ObjectRef, RenderedObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import type { Schemas } from '../cozystack/schemas.js';
import { childOf, resolve } from '../schema/structure.js';
import type { KnownSchema, Schema } from '../schema/types.js';
import { validate } from '../schema/validate.js';
import { addGoDefaults } from './go-defaults.js';

export function toApplyRequest({ ref, value }: RenderedObject, entrypoint: Entrypoint, schemas: Schemas): JsonObject {
  const schema = schemas.find(ref.apiVersion, ref.kind);
  const copy = structuredClone(value);
  if (schema.known && schema.scope === 'Cluster' && isObject(copy.metadata)) delete copy.metadata.namespace;
  const sent = schema.known && schema.unknownFields === 'dropped' ? normalized(copy, schema) : copy;
  return labelled(sent, entrypoint);
}

/**
 * As it is known in a cluster: a kind that is in no namespace is in none, whatever its manifest says (simulate/FACTS.md, Rights).
 */
export function withScope(ref: ObjectRef, schemas: Schemas): ObjectRef {
  const { namespace, ...everywhere } = ref;
  if (namespace === undefined) return ref;
  const schema = schemas.find(ref.apiVersion, ref.kind);
  return schema.known && schema.scope === 'Cluster' ? everywhere : ref;
}

export function isInNamespaces(
  { apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>,
  schemas: Schemas,
): boolean {
  const schema = schemas.find(apiVersion, kind);
  return schema.known && schema.scope === 'Namespaced';
}

/** Flux leaves an object as it is where the conversion to its Go type fails. */
function normalized(value: JsonObject, schema: KnownSchema): JsonObject {
  const { violations } = validate(value, schema, { partial: true });
  if (violations.some(({ kind, dropped }) => kind === 'type' && !dropped)) return value;
  // Ciphertext is not the bytes that a Secret holds, so that one which has it in its data is not converted either.
  if (value.sops !== undefined && value.kind === 'Secret' && hasCiphertext(value.data)) return value;
  delete value.sops;
  for (const { path } of violations.filter(({ dropped }) => dropped).reverse()) remove(value, path);
  dropEmpty(value, schema.schema, schema.root);
  addGoDefaults(value, schema);
  delete value.status;
  if (isObject(value.metadata)) {
    delete value.metadata.creationTimestamp;
    if (isEmptyList(value.metadata.managedFields)) delete value.metadata.managedFields;
  }
  for (const field of value.kind === 'Secret' ? ['data'] : value.kind === 'ConfigMap' ? ['binaryData'] : [])
    unfold(value[field]);
  if (value.kind === 'Secret') encode(value);
  return value;
}

/** Go's types leave out a list or a map that has nothing in it, unless the field must be there. */
function dropEmpty(value: Json, schema: Schema, root: Schema): void {
  const { items, required = [] } = resolve(schema, root);
  if (Array.isArray(value)) {
    for (const item of items ? value : []) dropEmpty(item, items as Schema, root);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const child = childOf(resolve(schema, root), key);
      if (!child) continue;
      const { additionalProperties, properties } = resolve(child, root);
      const isMap = isObject(inner) && additionalProperties !== undefined && !properties;
      const isNothing =
        inner === null || ((isMap || Array.isArray(inner)) && Object.keys(inner as object).length === 0);
      if (isNothing && !required.includes(key)) delete value[key];
      else dropEmpty(inner, child, root);
    }
  }
}

/** Go's types leave it out, where an API server refuses even that. */
function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function hasCiphertext(data: Json | undefined): boolean {
  return isObject(data) && Object.values(data).some((text) => typeof text === 'string' && text.startsWith('ENC['));
}

/** Bytes are decoded and encoded anew, which leaves no line breaks. */
function unfold(data: Json | undefined): void {
  for (const [name, text] of isObject(data) ? Object.entries(data) : [])
    if (typeof text === 'string') (data as JsonObject)[name] = text.replace(/[\r\n]/g, '');
}

function encode(secret: JsonObject): void {
  const { stringData, data } = secret;
  delete secret.stringData;
  if (!isObject(stringData)) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  secret.data = { ...(isObject(data) ? data : {}), ...Object.fromEntries(encoded) };
}

function remove(value: Json, path: FieldPath): void {
  const parent = lookUp(value, path.slice(0, -1));
  const last = path.at(-1);
  if (isObject(parent) && last !== undefined) delete parent[last];
}

/** Where one label is no text, Flux reads none of them, and writes its own alone. */
function labelled(value: JsonObject, entrypoint: Entrypoint): JsonObject {
  const { metadata } = value;
  if (!isObject(metadata)) return value;
  const { labels } = metadata;
  const isRead = isObject(labels) && Object.values(labels).every((label) => typeof label === 'string');
  return { ...value, metadata: { ...metadata, labels: { ...(isRead ? labels : {}), ...ownerLabels(entrypoint) } } };
}

/** By which Flux knows what it has applied. The names of its Kustomization are known only where the repository has it. */
export function ownerLabels({ kustomization }: Pick<Entrypoint, 'kustomization'>): Record<string, string> {
  const { name = 'cozystack-customizer', namespace = 'cozy-system' } = kustomization;
  return { [`${settingPrefix}name`]: name, [`${settingPrefix}namespace`]: namespace };
}
