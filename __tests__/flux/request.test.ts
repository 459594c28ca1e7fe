/** An object as Flux sends it. */
import { expect, test } from '@jest/globals';
import type { Entrypoint, JsonObject, RenderedObject } from '../../src/core/model.js';
import type { Schemas } from '../../src/cozystack/schemas.js';
import { isInNamespaces, ownerLabels, toApplyRequest, withScope } from '../../src/flux/request.js';

const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const metadata = {
  type: 'object',
  properties: { name: text, namespace: text, labels: texts, managedFields: { type: 'array' }, creationTimestamp: text },
};
const schemaOf = (scope: string, unknownFields: string) => ({
  ...{ known: true, scope, unknownFields, source: 'a test', root: {}, metadata },
  schema: {
    type: 'object',
    required: ['must'],
    properties: {
      ...{ apiVersion: text, kind: text, data: texts, stringData: texts, binaryData: texts },
      metadata,
      ...{ must: texts, may: text, struct: { type: 'object', properties: { a: text } } },
      items: { type: 'array', items: { type: 'object', properties: { more: texts } } },
    },
  },
});
const schemas = {
  find: (_: string, kind: string) => {
    if (kind === 'Unknown') return { known: false };
    return schemaOf(kind === 'Everywhere' ? 'Cluster' : 'Namespaced', kind === 'Custom' ? 'refused' : 'dropped');
  },
} as unknown as Schemas;

const entrypoint = { path: '.', why: '', kustomization: { name: 'apps', namespace: 'flux-system' } } as Entrypoint;

function sent(kind: string, more: JsonObject): JsonObject {
  const value = { apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'x' }, ...more };
  return toApplyRequest(
    { ref: { apiVersion: 'v1', kind, name: 'a' }, value } as unknown as RenderedObject,
    entrypoint,
    schemas,
  );
}

test('a Secret has its stringData as data, and no other object has', () => {
  const stringData = { a: 'b' };
  expect(sent('Secret', { stringData, data: { a: 'old', c: 'ZA==' } }).data).toEqual({ a: 'Yg==', c: 'ZA==' });
  expect(sent('Secret', { stringData })).not.toHaveProperty('stringData');
  expect(sent('Thing', { stringData })).toMatchObject({ stringData });
  expect(sent('Thing', { stringData })).not.toHaveProperty('data');
});

test('what a Go type does not hold is left out, of what has one', () => {
  const unknown = { other: 1, status: { x: 1 } };
  expect(sent('Thing', unknown)).toEqual(expect.not.objectContaining({ other: 1 }));
  expect(sent('Thing', unknown)).not.toHaveProperty('status');
  expect(sent('Custom', unknown)).toMatchObject(unknown);
});

test('what has nothing in it is left out, where it is known', () => {
  expect(sent('Thing', { data: {}, items: [{ more: {} }, { more: { a: 'b' } }] })).toMatchObject({
    items: [{}, { more: { a: 'b' } }],
  });
  expect(sent('Thing', { data: {} })).not.toHaveProperty('data');
  expect(sent('Thing', { items: [{ more: {} }] }).items).toEqual([{}]);
});

test('bytes have no line breaks, of a Secret and of the binary data of a ConfigMap', () => {
  expect(sent('Secret', { data: { a: 'YW\nJj' } }).data).toEqual({ a: 'YWJj' });
  expect(sent('ConfigMap', { data: { a: 'a\nb' }, binaryData: { a: 'YW\r\nJj' } })).toMatchObject({
    ...{ data: { a: 'a\nb' }, binaryData: { a: 'YWJj' } },
  });
});

test('a kind that is in no namespace has none', () => {
  expect(sent('Everywhere', {}).metadata).not.toHaveProperty('namespace');
  expect(sent('Thing', {}).metadata).toMatchObject({ namespace: 'x' });
  const ref = (kind: string) => ({ apiVersion: 'v1', kind, namespace: 'x', name: 'a' });
  const scoped = (kind: string) => withScope(ref(kind), schemas).namespace;
  expect([scoped('Everywhere'), scoped('Thing'), scoped('Unknown')]).toEqual([undefined, 'x', 'x']);
  const inSome = (kind: string) => isInNamespaces(ref(kind), schemas);
  expect([inSome('Everywhere'), inSome('Thing'), inSome('Unknown')]).toEqual([false, true, false]);
});

test('an object that is of another type than its kind is sent as it is written', () => {
  const written = { data: { a: 1 }, other: 1, sops: { x: 1 } };
  expect(sent('Thing', written)).toMatchObject(written);
  expect(sent('Thing', { ...written, data: { a: 'b' } })).not.toHaveProperty('other');
});

test('what sops has left is not sent, but of a Secret with ciphertext, which is not converted', () => {
  const sops = { x: 1 };
  const encrypted = { sops, data: { a: 'plain', b: 'ENC[AES256_GCM]' }, other: 1 };
  expect(sent('Secret', encrypted)).toMatchObject(encrypted);
  expect(sent('Secret', { sops, data: { a: 'YQ==' }, other: 1 })).not.toHaveProperty('sops');
  expect(sent('Secret', { sops, other: 1 })).not.toHaveProperty('other');
  expect(sent('Thing', encrypted)).not.toHaveProperty('sops');
  expect(sent('Secret', { data: { b: 'ENC[AES256_GCM]' }, other: 1 })).not.toHaveProperty('other');
});

test('what must be there stays, be it empty, and null is nothing', () => {
  expect(sent('Thing', { must: {}, may: null, items: [] })).toEqual(expect.objectContaining({ must: {} }));
  const names = Object.keys(sent('Thing', { must: {}, may: null, items: [], data: { a: 'b' } }));
  expect(names).toEqual(['apiVersion', 'kind', 'metadata', 'must', 'data']);
  // A map whose fields are known is a struct, which Go does not take for empty.
  expect(sent('Thing', { struct: {} })).toMatchObject({ struct: {} });
});

test('what an API server writes into the metadata is not sent', () => {
  const meta = (more: JsonObject) => sent('Thing', { metadata: { name: 'a', ...more } }).metadata;
  expect(meta({ creationTimestamp: null, managedFields: [] })).toEqual({ name: 'a', labels: ownerLabels(entrypoint) });
  expect(meta({ managedFields: [{}] })).toHaveProperty('managedFields');
});

test('it has the labels of its owner beside its own, unless one of those is no text', () => {
  const owner = {
    'kustomize.toolkit.fluxcd.io/name': 'apps',
    'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
  };
  expect(ownerLabels(entrypoint)).toEqual(owner);
  const labels = (own: JsonObject) => sent('Custom', { metadata: { name: 'a', labels: own } }).metadata;
  expect(labels({ a: 'b' })).toEqual({ name: 'a', labels: { a: 'b', ...owner } });
  expect(labels({ a: 'b', c: 1 })).toEqual({ name: 'a', labels: owner });
  expect(sent('Custom', { metadata: { name: 'a', labels: 'x' } }).metadata).toEqual({ name: 'a', labels: owner });
  expect(sent('Custom', { metadata: 'x' }).metadata).toBe('x');
});
