/** What an API server says, as it was recorded (kube-apiserver 1.35.4), and which field it is about. */
import { describe, expect, test } from '@jest/globals';
import { readField } from '../../src/apiserver/field.js';
import { conflictsIn, refusalIn } from '../../src/apiserver/status.js';
import type { Json, JsonObject } from '../../src/core/model.js';

const status = (code: number, reason: string, message: string, causes: object[] = []) => ({
  status: code,
  body: { kind: 'Status', status: 'Failure', code, reason, message, details: { causes } } as JsonObject,
});
const object = (kind: string, value: JsonObject, namespace?: string) => ({
  ref: { apiVersion: 'v1', kind, name: 'x', ...(namespace && { namespace }) },
  value: { kind, ...value },
});

describe('fields', () => {
  const value: Json = {
    metadata: { annotations: { 'a.b/c': 'x' }, finalizers: ['x', 'y'] },
    data: { 'tls.crt': '', tls: '', 8080: '' },
    spec: {
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
      containers: [{ name: 'a' }, { name: 'c.d', env: [{ name: 'A"]' }] }],
      components: { metallb: {} },
      list: [1, 2],
    },
  };
  test.each([
    ['spec.containers[1].env[0].name', ['spec', 'containers', 1, 'env', 0, 'name']],
    ['metadata.annotations[a.b/c]', ['metadata', 'annotations', 'a.b/c']],
    ['.metadata.annotations.a.b/c', ['metadata', 'annotations', 'a.b/c']],
    ['.data.tls.crt', ['data', 'tls.crt']],
    ['data[tls.key]', ['data', 'tls.key']],
    ['data[8080]', ['data', '8080']],
    ['.spec.ports[port=53,protocol="TCP"].name', ['spec', 'ports', 1, 'name']],
    ['.spec.containers[name="c.d"].env[name="A\\"]"]', ['spec', 'containers', 1, 'env', 0]],
    ['.metadata.finalizers["y"]', ['metadata', 'finalizers', 1]],
    ['.spec.list[=2]', ['spec', 'list', 1]],
    ['.spec.components.metallb.values', ['spec', 'components', 'metallb', 'values']],
    ['.spec.ports[port=9]', ['spec', 'ports']],
    ['spec.variants[0].components[0].name', ['spec', 'variants', 0, 'components', 0, 'name']],
    ['', []],
    ['spec.x[', ['spec', 'x']],
    ['.constructor.name', ['constructor', 'name']],
  ])('%s', (text, path) => {
    expect(readField(text, value)).toEqual(path);
  });
});

test('conflicts name who has set which field', () => {
  const cause = (manager: string, field: string) => ({
    ...{ reason: 'FieldManagerConflict', field },
    message: `conflict with "${manager}" using cozystack.io/v1alpha1`,
  });
  const answer = status(409, 'Conflict', 'Apply failed with 2 conflicts', [
    cause('helm-controller', '.spec.variant'),
    cause('kubectl-edit', '.spec.components.metallb.enabled'),
  ]);
  expect(conflictsIn(answer, object('Package', { spec: { components: { metallb: {} } } }))).toEqual([
    { manager: 'helm-controller', path: ['spec', 'variant'] },
    { manager: 'kubectl-edit', path: ['spec', 'components', 'metallb', 'enabled'] },
  ]);
});

test('a conflict about the state that a manifest was copied in is a refusal', () => {
  const message = 'Operation cannot be fulfilled on configmaps "x": the object has been modified';
  const answer = status(409, 'Conflict', message);
  const asked = object('ConfigMap', {}, 'a');
  expect(conflictsIn(answer, asked)).toBeUndefined();
  expect(refusalIn(answer, asked)).toMatchObject({ reason: 'conflict', causes: [{ message }] });
});

const account = 'system:serviceaccount:cozy-system:cozystack-customizer';
const internal =
  'Internal error occurred: failed calling webhook "v.cert-manager.io": failed to call webhook: Post "https://x/v?timeout=10s": service "x" not found';
const typed =
  'failed to create typed patch object (a/x; v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:5}';
const several = `failed to create typed patch object (/x; cozystack.io/v1alpha1, Kind=Package): errors:
  .spec.values: field not declared in schema
  .spec.components: expected map, got &{[map[name:metallb]]}`;

test.each([
  [
    'a right that is missing',
    status(
      403,
      'Forbidden',
      `configmaps "x" is forbidden: User "${account}" cannot patch resource "configmaps" in API group "" in the namespace "a"`,
    ),
    'forbidden',
    [['metadata', 'namespace']],
    'cozy-system/cozystack-customizer cannot patch resource "configmaps"',
  ],
  [
    'a right that nobody may give',
    status(
      403,
      'Forbidden',
      `roles.rbac.authorization.k8s.io "x" is forbidden: user "${account}" (groups=["system:serviceaccounts"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}`,
    ),
    'forbidden',
    [['metadata', 'namespace']],
    'attempting to grant RBAC permissions',
  ],
  [
    'a policy',
    status(403, 'Forbidden', 'admission webhook "deny.example.org" denied the request: no'),
    'policy',
    [['metadata', 'name']],
    'admission webhook "deny.example.org" denied the request: no',
  ],
  [
    'pod security',
    status(
      403,
      'Forbidden',
      'pods "x" is forbidden: violates PodSecurity "baseline:latest": privileged (container "a")',
    ),
    'policy',
    [['metadata', 'name']],
    'violates PodSecurity',
  ],
  [
    'a webhook that is not there',
    status(500, 'InternalError', internal),
    'webhook',
    [['metadata', 'name']],
    'failed calling webhook',
  ],
  ['a type', status(500, 'InternalError', typed), 'unknown-field', [['data', 'a']], 'expected string'],
  [
    'several fields',
    status(500, '', several),
    'unknown-field',
    [
      ['spec', 'values'],
      ['spec', 'components'],
    ],
    'no such field',
  ],
  [
    'a namespace that is not there',
    status(404, 'NotFound', 'namespaces "a" not found'),
    'missing-namespace',
    [['metadata', 'namespace']],
    'not found',
  ],
  [
    'something else',
    status(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
    'other',
    [['metadata', 'name']],
    'too large',
  ],
])('%s', (_, answer, reason, paths, words) => {
  const { causes, ...refusal } = refusalIn(answer, object('ConfigMap', { data: { a: 5 } }, 'a'));
  expect(refusal).toEqual({ reason });
  expect(causes.map(({ path }) => path)).toEqual(paths);
  expect(causes[0]?.message).toContain(words);
  expect(causes[0]?.message).not.toMatch(/\n|valueUnstructured/);
});

test('the lines of a value that the server prints are no fields', () => {
  const message = `failed to create typed patch object (/x; v1, Kind=ConfigMap): errors:
  .data: expected map, got &{[one
see spec.replicas: hunter2
]}
  .metadata.other: field not declared in schema`;
  const { causes } = refusalIn(
    status(500, '', message),
    object('ConfigMap', { data: ['one\nsee spec.replicas: hunter2\n'] }, 'a'),
  );
  expect(causes).toEqual([
    { path: ['data'], message: 'expected map', named: true },
    { path: ['metadata', 'other'], message: 'the schema of its kind has no such field', named: true },
  ]);
});

test('a message is cut to 400 characters, and an object with nothing at a key is no hindrance', () => {
  const asked = object('ConfigMap', { data: { a: null, b: 5, c: true } }, 'a');
  const said = (length: number) => refusalIn(status(413, 'x', 'x'.repeat(length)), asked).causes[0]?.message;
  expect([said(400), said(401)]).toEqual(['x'.repeat(400), `${'x'.repeat(399)}…`]);
});

test('every cause of an invalid object has its own field', () => {
  const causes = [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 70000: must be between 1 and 65535, inclusive',
      field: 'spec.ports[0].port',
    },
    { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.ports[0].name' },
    { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.ports[0].name' },
  ];
  const answer = status(422, 'Invalid', 'Service "x" is invalid: […]', causes);
  expect(refusalIn(answer, object('Service', { spec: { ports: [{ port: 70000 }] } }, 'a')).causes).toEqual([
    {
      path: ['spec', 'ports', 0, 'port'],
      message: 'Invalid value: 70000: must be between 1 and 65535, inclusive',
      named: true,
    },
    { path: ['spec', 'ports', 0, 'name'], message: 'Required value', named: true },
  ]);
});

describe('values that may be secret', () => {
  test('of a Secret nothing is repeated', () => {
    const cause = {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: "aHVudGVyMg==": hunter2 is no key',
      field: 'data[tls.crt]',
    };
    const secret = object('Secret', { stringData: { 'tls.crt': 'hunter2' } }, 'a');
    const { causes } = refusalIn(status(422, 'Invalid', 'Secret "x" is invalid', [cause]), secret);
    expect(causes).toEqual([{ path: ['stringData', 'tls.crt'], message: 'Invalid value: … is no key', named: true }]);
  });

  test('nor what stands at a key that says so, wherever the message is about', () => {
    const value = { spec: { password: 'hunter2', url: 'x' } };
    const cause = {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: {"password":"hunter2"}: no',
      field: 'spec.url',
    };
    const { causes } = refusalIn(status(422, 'Invalid', 'x', [cause]), object('Thing', value, 'a'));
    expect(JSON.stringify(causes)).not.toContain('hunter2');
  });
});
