/** What people are shown of an object's values. */
import { describe, expect, test } from '@jest/globals';
import type { FieldPath, Json, JsonObject } from '../../src/core/model.js';
import { lookUp } from '../../src/core/object.js';
import { hidden } from '../../src/secrets/mask.js';
import { maskedValue } from '../../src/secrets/masked-values.js';

const shown = (kind: string, value: JsonObject, path: FieldPath) =>
  maskedValue({ ref: { kind }, value }, path, lookUp(value, path) ?? null);

const encoded = Buffer.from('hunter2').toString('base64');
const secret: JsonObject = {
  metadata: {
    name: 'db',
    annotations: { plain: 'hunter2', encoded, text: 'hunter3', other: 'blue', empty: '', port: 1 },
  },
  data: { user: encoded, port: 1 },
  stringData: { conf: 'hunter3', empty: '', nothing: null },
};

test.each<[string, FieldPath, Json]>([
  ['data', ['data', 'user'], hidden],
  ['a number in it', ['data', 'port'], hidden],
  ['all data', ['data'], hidden],
  ['stringData', ['stringData', 'conf'], hidden],
  ['nothing', ['stringData', 'nothing'], null],
  ['its name', ['metadata', 'name'], 'db'],
  ['an annotation', ['metadata', 'annotations', 'other'], 'blue'],
  ['an annotation that is empty', ['metadata', 'annotations', 'empty'], ''],
  ['a number', ['metadata', 'annotations', 'port'], 1],
  ['an annotation with a value of stringData', ['metadata', 'annotations', 'text'], hidden],
  ['an annotation with a value of data', ['metadata', 'annotations', 'encoded'], hidden],
  ['an annotation with a value of data, decoded', ['metadata', 'annotations', 'plain'], hidden],
])('of a Secret: %s', (_, path, expected) => {
  expect(shown('Secret', secret, path)).toEqual(expected);
});

test('of a field that is not there its own value is shown', () => {
  expect(maskedValue({ ref: { kind: 'Thing' }, value: { items: [] } }, ['spec', 'words'], 'blue')).toBe('blue');
  expect(maskedValue({ ref: { kind: 'Thing' }, value: { items: [] } }, ['spec', 'password'], 'blue')).toBe(hidden);
  // What is beside it would tell.
  for (const key of ['value', 'patch'])
    expect(maskedValue({ ref: { kind: 'Thing' }, value: { items: [] } }, ['spec', key], 'blue')).toBe('blue');
});

test('of another kind data are shown', () => {
  expect([shown('ConfigMap', secret, ['data', 'user']), shown('ConfigMap', secret, ['stringData', 'conf'])]).toEqual([
    encoded,
    'hunter3',
  ]);
});

test('a map that has the value of a secret name is hidden whole, and each of its parts', () => {
  const env: JsonObject = {
    env: [
      { name: 'API_TOKEN', value: { x: 'hunter2' } },
      { name: 'COLOR', value: { x: 'blue' } },
    ],
  };
  expect(shown('Thing', env, ['env', 0, 'value', 'x'])).toBe(hidden);
  expect(shown('Thing', env, ['env', 0])).toEqual({ name: 'API_TOKEN', value: hidden });
  expect(shown('Thing', env, ['env', 1, 'value', 'x'])).toBe('blue');
});

const patch = '- op: add\n  path: /data/user\n  value: hunter2\n- op: remove\n  path: /metadata/labels\n';
const maskedPatch = patch.replace('hunter2', hidden);
const object: JsonObject = {
  spec: {
    user: 'me',
    password: 'hunter2',
    token: null,
    credentials: { me: 'hunter2' },
    replicas: 2,
    enabled: true,
    text: 'user: me\npassword: hunter2\nport: 1',
    env: [
      { name: 'DB_PASSWORD', value: 'hunter2' },
      { name: 'DB_USER', value: 'me' },
      { name: ['DB_PASSWORD'], value: 'me' },
      { label: 'DB_PASSWORD', value: 'me' },
      { name: 'DB_PASSWORD', note: 'me' },
    ],
    patches: [
      { target: { kind: 'Secret' }, patch },
      { target: { kind: 'ConfigMap' }, patch },
      { patch },
      { target: { kind: 'Secret' }, note: patch },
      { target: { kind: 'Secret' }, patch: [{ user: 'me', password: 'hunter2' }] },
    ],
  },
};

test.each<[string, FieldPath, Json]>([
  ['a plain field', ['spec', 'user'], 'me'],
  ['a number', ['spec', 'replicas'], 2],
  ['a switch', ['spec', 'enabled'], true],
  ['a field whose name is secret', ['spec', 'password'], hidden],
  ['one without a value', ['spec', 'token'], null],
  ['what stands below such a name', ['spec', 'credentials', 'me'], hidden],
  ['all below such a name', ['spec', 'credentials'], hidden],
  ['a text of lines', ['spec', 'text'], `user: me\npassword: ${hidden}\nport: 1`],
  ['a variable', ['spec', 'env', 0, 'value'], hidden],
  ['the name of a variable', ['spec', 'env', 0, 'name'], 'DB_PASSWORD'],
  ['another variable', ['spec', 'env', 1, 'value'], 'me'],
  ['a value beside a name that is no text', ['spec', 'env', 2, 'value'], 'me'],
  ['a value without a name', ['spec', 'env', 3, 'value'], 'me'],
  ['another field beside the name', ['spec', 'env', 4, 'note'], 'me'],
  ['a patch of Secrets', ['spec', 'patches', 0, 'patch'], maskedPatch],
  ['a patch of another kind', ['spec', 'patches', 1, 'patch'], patch],
  ['a patch without a target', ['spec', 'patches', 2, 'patch'], patch],
  ['another text beside a target', ['spec', 'patches', 3, 'note'], patch],
  ['a patch that is no text', ['spec', 'patches', 4, 'patch'], [{ user: 'me', password: hidden }]],
  [
    'a list of maps',
    ['spec', 'env'],
    [
      { name: 'DB_PASSWORD', value: hidden },
      { name: 'DB_USER', value: 'me' },
      { name: ['DB_PASSWORD'], value: 'me' },
      { label: 'DB_PASSWORD', value: 'me' },
      { name: 'DB_PASSWORD', note: 'me' },
    ],
  ],
  ['an item of it', ['spec', 'env', 0], { name: 'DB_PASSWORD', value: hidden }],
])('of another object: %s', (_, path, expected) => {
  expect(shown('HelmRelease', object, path)).toEqual(expected);
});

describe('in a text of several lines that is no YAML', () => {
  const told = (line: string, ...more: string[]) =>
    shown('ConfigMap', { data: { conf: [`[OUTPUT]`, line, ...more].join('\n') } }, ['data', 'conf']);

  test.each([
    ['    HTTP_Passwd hunter2', `    HTTP_Passwd ${hidden}`],
    ['db_password hunter2', `db_password ${hidden}`],
    ['\tSplunk_Token   hunter2', `\tSplunk_Token   ${hidden}`],
    ['Password "hunter 2"', `Password ${hidden}`],
    ['password hunter2;', `password ${hidden};`],
    ['api_key hunter2 # of the other one', `api_key ${hidden} # of the other one`],
    ['# password hunter2', `# password ${hidden}`],
    ['tls.key_passwd hunter2', `tls.key_passwd ${hidden}`],
    ['API-Key=hunter2', `API-Key=${hidden}`],
    ['Token: hunter2', `Token: ${hidden}`],
  ])('%j', (line, expected) => {
    expect(told(line)).toBe(`[OUTPUT]\n${expected}`);
  });

  test.each([
    'HTTP_User admin',
    'the password is',
    'a secret',
    'proxy_pass backend',
    'Token $TOKEN',
    'password true',
    'Kube_Token_File /var/run/token',
    'token /var/run/token',
    'auth_token https://vault.example.org',
    'secret management.',
    'password hash and salt',
    'Tls_Secret',
  ])('%j is shown', (line) => {
    expect(told(line)).toBe(`[OUTPUT]\n${line}`);
  });

  test('which is a title in a text of one', () => {
    const object = { spec: { title: 'Access token', about: 'Token bucket' } };
    expect(shown('Thing', object, ['spec', 'title'])).toBe('Access token');
    expect(shown('Thing', object, ['spec', 'about'])).toBe('Token bucket');
  });
});
