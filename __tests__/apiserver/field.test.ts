/** The path of a field as an API server writes it, read against the object. */
import { expect, test } from '@jest/globals';
import { readField } from '../../src/apiserver/field.js';
import type { Json } from '../../src/core/model.js';

const value: Json = {
  'a.b': { c: 1 },
  metadata: { annotations: { 'a.b/c': 'x' }, finalizers: ['x', 'y', 'x', 'k=v'] },
  data: { a: '', 'a.b': '', tls: '', '': '', z: '' },
  spec: {
    ports: [{ port: 53, protocol: 'UDP' }, { port: 53 }, { port: 80 }, { port: 80 }],
    mixed: ['name', null, { name: 'a', 'b.c': 1 }],
  },
};

test.each([
  ['a step that begins with a bracket', '[a.b].c', ['a.b', 'c']],
  ['the longest key that fits', '.data.a.b', ['data', 'a.b']],
  ['a key that is longer than one that is there', '.data.tlsx', ['data', 'tlsx']],
  ['keys that are not there', '.data.x.y', ['data', 'x', 'y']],
  ['a key that is not there before one that is', '.data.x.z', ['data', 'x', 'z']],
  ['a key in quotes', '.metadata.annotations["a.b/c"]', ['metadata', 'annotations', 'a.b/c']],
  ['a key of digits', 'data[8080]', ['data', '8080']],
  ['a key of digits and more', 'spec.x[8a]', ['spec', 'x', '8a']],
  ['an index', 'spec.x[8].y', ['spec', 'x', 8, 'y']],
  ['an item by its text', '.metadata.finalizers["y"]', ['metadata', 'finalizers', 1]],
  ['an item by its text without quotes', '.metadata.finalizers[y]', ['metadata', 'finalizers', 1]],
  ['the first of two items of the same text', '.metadata.finalizers["x"]', ['metadata', 'finalizers', 0]],
  ['an item whose text looks like a key', '.metadata.finalizers["k=v"]', ['metadata', 'finalizers', 3]],
  ['no item', '.metadata.finalizers["z"].a', ['metadata', 'finalizers']],
  ['an item by its keys', '.spec.ports[port=53,protocol="UDP"].name', ['spec', 'ports', 0, 'name']],
  ['an item that leaves a default out', '.spec.ports[port=53,protocol="TCP"]', ['spec', 'ports', 1]],
  ['the first of two items with the same keys', '.spec.ports[port=80]', ['spec', 'ports', 2]],
  ['no item with such keys', '.spec.ports[port=9].name', ['spec', 'ports']],
  ['an item beside others that are no maps', '.spec.mixed[name="a"].b.c', ['spec', 'mixed', 2, 'b.c']],
  ['what is no index of a list', '.spec.mixed.2.b.c', ['spec', 'mixed', '2', 'b', 'c']],
  ['what every object has without having it', '.__proto__[0]', ['__proto__', 0]],
  ['the object itself', '.', []],
  ['a dot at the end', 'spec.', ['spec']],
  ['two dots', '..x', []],
  ['two dots within', '.data..x', ['data']],
  ['a bracket that does not end', 'spec[a"[b]', ['spec']],
])('%s: %s', (_, text, path) => {
  expect(readField(text, value)).toStrictEqual(path);
});

test('without an object every dot parts two keys', () => {
  expect(readField('.data.tls.crt[0]', undefined)).toStrictEqual(['data', 'tls', 'crt', 0]);
});
