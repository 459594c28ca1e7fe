/** Objects of charts as other tools get them: nothing secret in them, and all that is none as it was. */
import { expect, test } from '@jest/globals';
import { shownObjects } from '../../src/charts/shown-object.js';
import type { Json, JsonObject } from '../../src/core/model.js';

const hidden = '••••••';
const metadata = { name: 'a', namespace: 'b' };

function shown(object: JsonObject, ...secrets: string[]): JsonObject | undefined {
  return shownObjects([{ apiVersion: 'v1', metadata, ...object }], new Set(secrets))[0];
}

test('what a Secret holds is hidden, in data so that it can be decoded', () => {
  const object = {
    kind: 'Secret',
    type: 'Opaque',
    data: { 'tls.crt': 'aGFyZC10by1ndWVzcw==', empty: '' },
    stringData: { note: 'hard-to-guess' },
  };
  expect(shown(object)).toEqual({
    apiVersion: 'v1',
    metadata,
    ...object,
    data: { 'tls.crt': Buffer.from(hidden).toString('base64'), empty: '' },
    stringData: { note: hidden },
  });
});

test('so is its copy in an annotation', () => {
  const copied = { ...metadata, annotations: { last: 'hard-to-guess', other: 'x' } };
  expect(shown({ kind: 'Secret', metadata: copied, stringData: { a: 'hard-to-guess' } })?.metadata).toEqual({
    ...metadata,
    annotations: { last: hidden, other: 'x' },
  });
});

test.each<[string, Json, Json]>([
  ['a text', { password: 'x' }, { password: hidden }],
  ['a number stays one', { password: 5432 }, { password: 0 }],
  ['a switch says nothing', { automountServiceAccountToken: false }, { automountServiceAccountToken: false }],
  ['all below it', { credentials: { user: 'x', more: ['y'] } }, { credentials: { user: hidden, more: [hidden] } }],
  ['a variable by its name', { env: [{ name: 'TOKEN', value: 'x' }] }, { env: [{ name: 'TOKEN', value: hidden }] }],
  ['a text that looks it', { url: 'redis://me:xyz@host' }, { url: `redis://me:${hidden}@host` }],
])('what a key calls secret is hidden: %s', (_, spec, expected) => {
  expect(shown({ kind: 'Other', spec })?.spec).toEqual(expected);
});

test.each<[string, Json]>([
  ['a volume', { volumes: [{ secret: { secretName: 'x', items: [{ key: 'a', path: 'b', mode: 420 }] } }] }],
  [
    'a projected one',
    {
      sources: [
        { serviceAccountToken: { path: 'x', expirationSeconds: 3600 } },
        { secret: { name: 'x', optional: true } },
      ],
    },
  ],
  ['those of an account', { secrets: [{ name: 'x' }] }],
  ['how a key is made', { privateKey: { algorithm: 'RSA', size: 2048, rotationPolicy: 'Always' } }],
])('a reference to a Secret is none: %s', (_, spec) => {
  expect(shown({ kind: 'Other', spec })?.spec).toEqual(spec);
});

test('what a reference has besides is no reference', () => {
  const spec = { secret: { name: 'x', key: 'y', text: 'z' } };
  expect(shown({ kind: 'Other', spec })?.spec).toEqual({ secret: { name: hidden, key: hidden, text: hidden } });
});

test('the fields of a definition only have such names', () => {
  const object = { kind: 'CustomResourceDefinition', spec: { properties: { password: { type: 'string' } } } };
  expect(shown(object)).toEqual({ apiVersion: 'v1', metadata, ...object });
});

test('a known secret is hidden wherever it stands, but not in what names the object', () => {
  const object = { kind: 'ConfigMap', metadata: { name: 'known-one' }, data: { a: 'see known-one', b: 'no' } };
  expect(shown(object, 'known-one')).toEqual({
    apiVersion: 'v1',
    ...object,
    data: { a: `see ${hidden}`, b: 'no' },
  });
});
