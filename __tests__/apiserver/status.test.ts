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

describe('a conflict', () => {
  const cause = (reason: string, message: string) => ({ reason, message, field: '.spec.a' });
  const known = cause('FieldManagerConflict', 'conflict with "a \\"b\\"" using v1');
  const asked = object('Thing', {}, 'a');

  test('names whoever the server names', () => {
    const path = ['spec', 'a'];
    const unknown = [cause('FieldManagerConflict', ''), cause('FieldManagerConflict', 'no conflict with "c"')];
    expect(conflictsIn(status(409, 'Conflict', 'x', [known, ...unknown]), asked)).toEqual([
      { manager: 'a \\"b\\"', path },
      { manager: 'somebody else', path },
      { manager: 'somebody else', path },
    ]);
  });

  test('is one though the server leaves out what it says of it', () => {
    const answer = status(409, 'Conflict', 'x', [{ reason: 'FieldManagerConflict' }]);
    expect(conflictsIn(answer, asked)).toEqual([{ manager: 'somebody else', path: [] }]);
  });

  test.each<[string, number, Json[]]>([
    ['that is none of 409', 422, [known]],
    ['with another cause beside it', 409, [known, cause('FieldValueInvalid', 'x')]],
    ['with no cause', 409, []],
    ['with causes that are none', 409, [null, 'x']],
    ['with a cause that says nothing', 409, [{}]],
  ])('is not one %s', (_, code, causes) => {
    expect(conflictsIn(status(code, 'Conflict', 'x', causes as object[]), asked)).toBeUndefined();
  });

  test.each<[string, Json]>([
    ['no details', null],
    ['no list of causes', { causes: 'x' }],
  ])('is not one with %s', (_, details) => {
    const { body } = status(409, 'Conflict', 'x');
    expect(conflictsIn({ status: 409, body: { ...body, details } }, asked)).toBeUndefined();
    const { details: _left, ...bare } = body;
    expect(conflictsIn({ status: 409, body: bare }, asked)).toBeUndefined();
  });
});

describe('the reason of a refusal', () => {
  const inside = object('Thing', {}, 'a');
  const outside = object('Thing', {});
  const admission = 'admission webhook "a.example.org" denied the request: no';
  const mayNot = 'things "x" is forbidden: User "system:serviceaccount:a:b" cannot patch resource "things"';

  test.each<[string, number, string, string]>([
    ['a policy', 400, 'BadRequest', admission],
    ['a policy', 422, 'Invalid', "ValidatingAdmissionPolicy 'a' with binding 'b' denied request: no"],
    ['a policy', 400, 'x', 'pods "x" is forbidden: exceeded quota: q'],
    ['a policy', 400, 'x', 'violates PodSecurity "baseline:latest"'],
    ['a policy', 403, 'Forbidden', 'things "x" is forbidden: not today'],
    ['other', 400, 'x', 'admission webhook "a.example.org" is slow'],
    ['other', 400, 'x', 'plugin "a" denied the request'],
    ['webhook', 500, 'InternalError', 'conversion webhook for v1 failed: Post "https://x": EOF'],
    ['webhook', 500, 'InternalError', 'failed calling webhook "a": admission webhook "b" denied the request: no'],
    ['forbidden', 403, 'Forbidden', mayNot],
    ['invalid', 422, '', 'x'],
    ['invalid', 400, 'BadRequest', 'strict decoding error'],
    ['invalid', 500, 'Invalid', 'x'],
    ['other', 500, '', 'x'],
    ['conflict', 409, '', 'x'],
    ['missing-namespace', 404, 'NotFound', 'namespaces "a" not found'],
    ['unknown-kind', 404, 'NotFound', 'the server could not find the requested resource'],
  ])('%s: of %i, "%s": %s', (reason, code, said, message) => {
    const expected = reason === 'a policy' ? 'policy' : reason;
    expect(refusalIn(status(code, said, message), inside).reason).toBe(expected);
  });

  test('is known though the server leaves out its own', () => {
    expect(refusalIn({ status: 500, body: { message: 'x' } }, inside)).toEqual({
      ...{ reason: 'other', causes: [{ path: ['metadata', 'name'], message: 'x' }] },
    });
    expect(refusalIn({ status: 500, body: {} }, inside).causes[0]?.message).toBe('status 500');
  });

  test.each<[string, number, ReturnType<typeof object>, boolean | undefined, string]>([
    ['has a namespace', 404, outside, true, 'no-namespace'],
    ['has one, and the object names it', 404, inside, true, 'unknown-kind'],
    ['has none', 404, outside, false, 'unknown-kind'],
    ['is not known', 404, outside, undefined, 'unknown-kind'],
    ['has a namespace, and something else is wrong', 422, outside, true, 'invalid'],
  ])('of what is in no namespace, where the kind %s', (_, code, asked, isNamespaced, reason) => {
    expect(refusalIn(status(code, '', 'x'), asked, isNamespaced).reason).toBe(reason);
  });

  test.each<[string, ReturnType<typeof object>, number, string, (string | number)[]]>([
    ['the namespace, which is not there', inside, 404, 'namespaces "a" not found', ['metadata', 'namespace']],
    ['the version, which is not served', inside, 404, 'could not find it', ['apiVersion']],
    ['the namespace, in which it is not allowed', inside, 403, mayNot, ['metadata', 'namespace']],
    ['the kind, which is in no namespace', outside, 403, mayNot, ['kind']],
    ['the name of a Namespace', object('Namespace', {}), 403, mayNot, ['metadata', 'name']],
    ['the name else', inside, 413, 'too large', ['metadata', 'name']],
  ])('is about %s', (_, asked, code, message, path) => {
    expect(refusalIn(status(code, '', message), asked).causes.map((cause) => cause.path)).toEqual([path]);
  });

  const copied = { managedFields: [], uid: 'u', resourceVersion: '1' };
  const modified = 'Operation cannot be fulfilled on things "x": the object has been modified';
  test.each<[string, JsonObject, string, (string | number)[]]>([
    ['managedFields', copied, 'metadata.managedFields must be nil', ['metadata', 'managedFields']],
    [
      'uid',
      copied,
      'uid mismatch: the provided object specified uid u, and no existing object was found',
      ['metadata', 'uid'],
    ],
    ['uid', copied, 'Precondition failed: UID in precondition: u, UID in object meta: v', ['metadata', 'uid']],
    ['resourceVersion', copied, modified, ['metadata', 'resourceVersion']],
    ['uid first', copied, `${modified}: uid mismatch`, ['metadata', 'uid']],
    ['none that it does not have', { uid: 'u' }, modified, ['metadata', 'name']],
    ['none that is not meant', copied, 'no', ['metadata', 'name']],
    ['none of another field of that name', copied, 'spec.metadata.managedFields must be nil', ['metadata', 'name']],
    ['none of a field below', copied, 'metadata.managedFields must be nil or a list', ['metadata', 'name']],
  ])('is about what was copied from a cluster: %s', (_, metadata, message, path) => {
    const { causes } = refusalIn(status(409, 'Conflict', message), object('Thing', { metadata }, 'a'));
    expect(causes.map((cause) => cause.path)).toEqual([path]);
  });
});

describe('the words of a refusal', () => {
  const words = (code: number, message: string, asked = object('Thing', {}, 'a')) =>
    refusalIn(status(code, '', message), asked).causes.map((cause) => cause.message);

  test('are without what the report says anyway', () => {
    expect(
      words(403, 'things.example.org "x" is forbidden: User "system:serviceaccount:a:b" cannot patch resource "c"'),
    ).toEqual(['a/b cannot patch resource "c"']);
    expect(words(403, 'things "x" is forbidden: not\n  today')).toEqual(['not today']);
  });

  test.each([
    [403, 'so it is: things "x" is forbidden: no'],
    [403, 'User "system:serviceaccount:a:b" may not'],
    [403, 'it is so that User "system:serviceaccount:a:b" cannot patch resource "c"'],
    [500, 'User "system:serviceaccount:a:b" is unknown'],
  ])('are else those of the server: %i, %s', (code, message) => {
    expect(words(code, message)).toEqual([message]);
  });

  const invalid = (cause: object, asked = object('Thing', {}, 'a')) =>
    refusalIn(status(422, 'Invalid', 'Thing "x" is invalid', [cause]), asked);

  test('are those of each cause, at its field where the server names one', () => {
    const message = 'Invalid value: 5: no';
    expect(invalid({ message, field: 'spec' })).toEqual({
      ...{ reason: 'invalid', causes: [{ path: ['spec'], message, named: true }] },
    });
    for (const cause of [{ message: `<nil>: ${message}`, field: '<nil>' }, { message, field: '' }, { message }]) {
      const [found] = invalid(cause).causes;
      expect(found).toEqual({ path: [], message });
      expect(found).not.toHaveProperty('named');
    }
    expect(invalid({ field: 'spec' }).causes).toEqual([{ path: ['spec'], message: '', named: true }]);
  });

  test('are those of the whole where the causes are none', () => {
    const answer = status(422, 'Invalid', 'it is wrong', [null, 'x'] as unknown as object[]);
    expect(refusalIn(answer, object('Thing', {}, 'a')).causes).toEqual([
      { path: ['metadata', 'name'], message: 'it is wrong' },
    ]);
  });

  test('are those of the whole where there is no cause, or the reason is another', () => {
    expect(words(422, 'it is wrong')).toEqual(['it is wrong']);
    const causes = [{ message: 'a', field: 'spec' }];
    expect(refusalIn(status(409, 'Conflict', 'x', causes), object('Thing', {}, 'a')).causes).toEqual([
      { path: ['metadata', 'name'], message: 'x' },
    ]);
  });

  test.each<[string, string, JsonObject, (string | number)[]]>([
    ['stands in stringData', 'Secret', { stringData: { a: 'x' } }, ['stringData', 'a']],
    ['stands in data', 'Secret', { data: { a: 'x' }, stringData: { b: 'x' } }, ['data', 'a']],
    ['stands nowhere', 'Secret', {}, ['data', 'a']],
    ['is of no Secret', 'Thing', { stringData: { a: 'x' } }, ['data', 'a']],
  ])('are about data that %s', (_, kind, value, path) => {
    expect(invalid({ message: 'no', field: 'data[a]' }, object(kind, value, 'a')).causes[0]?.path).toEqual(path);
  });

  test('are about another field of a Secret as it is', () => {
    const secret = object('Secret', { stringData: { a: 'x' } }, 'a');
    expect(invalid({ message: 'no', field: 'metadata.labels' }, secret).causes[0]?.path).toEqual([
      'metadata',
      'labels',
    ]);
  });
});

describe('an object that does not fit the types of its schema', () => {
  const typedAs = (rest: string, before = '') =>
    refusalIn(
      status(500, '', `${before}failed to create typed patch object (a/x; v1, Kind=Thing)${rest}`),
      object('Thing', {}, 'a'),
    );
  const one = (path: (string | number)[], message: string) => ({
    ...{ reason: 'unknown-field', causes: [{ path, message, named: true }] },
  });

  test.each<[string, string, string, ReturnType<typeof one>]>([
    ['behind other words', ': .a: no', 'it went wrong (twice): ', one(['a'], 'no')],
    ['with a bracket in its words', ': .a: expected (x): y', '', one(['a'], 'expected (x): y')],
    ['with "errors:" in its words', ': .a: two errors: x', '', one(['a'], 'two errors: x')],
    ['in one of several lines', ': errors:\n  .a: no\n  and so on\n  .b', '', one(['a'], 'no')],
    ['said twice', ': errors:\n  .a: no\n  .a: no', '', one(['a'], 'no')],
    ['as a whole', ': .: expected map, got &{[]}', '', one([], 'expected map')],
    ['at a key in brackets', ': [x]: no', '', one(['x'], 'no')],
    [
      'of a field that is not declared',
      ': .a: field not declared in schema',
      '',
      one(['a'], 'the schema of its kind has no such field'),
    ],
    [
      'of which more is said',
      ': .a: so field not declared in schema',
      '',
      one(['a'], 'so field not declared in schema'),
    ],
  ])('is refused for that field: %s', (_, rest, before, expected) => {
    expect(typedAs(rest, before)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['it ends', ''],
    ['no field follows', ': something'],
    ['no words follow', ': .a'],
  ])('is refused by the words of the server where %s', (_, rest) => {
    const message = `failed to create typed patch object (a/x; v1, Kind=Thing)${rest}`;
    expect(typedAs(rest)).toEqual({ reason: 'other', causes: [{ path: ['metadata', 'name'], message }] });
  });

  test('is refused by the words of the server where these do not end as they should', () => {
    expect(typedAs('\n  .a: no').reason).toBe('other');
  });

  test('is not what other words with brackets are about', () => {
    const { reason } = refusalIn(status(500, '', 'it failed (twice): .a: no'), object('Thing', {}, 'a'));
    expect(reason).toBe('other');
  });
});

describe('what may be secret in the words of a refusal', () => {
  const told = (message: string, kind: string, value: JsonObject, field = 'spec.x') =>
    refusalIn(status(422, 'Invalid', 'x', [{ message, field }]), object(kind, value, 'a')).causes[0]?.message;

  test.each([
    ['Invalid value: "hunter2": must be short', 'Invalid value: must be short'],
    ['must not be "hunter2"', 'must not be "…"'],
    ['Invalid value: "hunter2"', 'Invalid value: "…"'],
    ['"hunter2": must be short', '"…": must be short'],
    ['"hun\\"ter2" and "x', '"…" and "…"'],
  ])('at a field that says so is not repeated: %s', (message, words) => {
    expect(told(message, 'Thing', {}, 'spec.password')).toBe(words);
    expect(told(message, 'Secret', {}, 'metadata.name')).toBe(words);
    expect(told(message, 'Thing', {}, 'spec.name')).toBe(message);
  });

  test.each<[string, string, JsonObject]>([
    ['a text at such a key', 'Thing', { spec: { password: 'abcd' } }],
    ['a text in a list at such a key', 'Thing', { spec: { passwords: ['x', 'abcd'] } }],
    ['a text below such a key', 'Thing', { spec: { token: { of: ['abcd'] } } }],
    ['the data of a Secret', 'Secret', { data: { a: 'abcd' } }],
    ['the stringData of a Secret', 'Secret', { stringData: { a: 'abcd' } }],
    ['the data of a Secret in a template', 'Thing', { spec: { template: { kind: 'Secret', data: { a: 'abcd' } } } }],
    ['the data of a Secret in a list', 'List', { items: [{ kind: 'Secret', data: { a: 'abcd' } }] }],
  ])('is left out wherever it stands: %s', (_, kind, value) => {
    expect(told('here is abcd twice: abcd', kind, value)).toBe('here is … twice: …');
  });

  test.each<[string, string, JsonObject]>([
    ['a text at another key', 'Thing', { spec: { name: 'abcd' } }],
    ['what is too short to be one', 'Thing', { spec: { password: 'abc' } }],
    ['the data of another object', 'ConfigMap', { data: { a: 'abcd' } }],
    ['what else a Secret has', 'Secret', { type: 'abcd' }],
    ['what is no text', 'Thing', { spec: { password: 5, token: null, key: true } }],
  ])('is not %s', (_, kind, value) => {
    expect(told('here is abcd', kind, value)).toBe('here is abcd');
  });
});

describe('what Kubernetes prints around its words', () => {
  const invalid = (field: string, message: string) => ({
    status: 422,
    body: { reason: 'Invalid', message, details: { causes: [{ reason: 'FieldValueInvalid', field, message }] } },
  });
  const asked = {
    ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
    value: { metadata: { name: 'a', labels: { team: 'a b', other: 'x' } }, spec: { a: 1 } },
  };

  test.each([
    ['an object in front', 'Invalid value: {"a":{"b":"}\\"]"},"c":[1]}: field is immutable', 'field is immutable'],
    ['a list in front', 'Invalid value: [{"a":1}]: must be one', 'must be one'],
    ['a difference behind', 'Forbidden: spec is immutable\n@@ -6,2 +6,2 @@\n- a\n+ b', 'Forbidden: spec is immutable'],
    ['an object that is cut off', 'Invalid value: {"a":', 'Invalid value: {"a":'],
    ['an object and nothing behind', 'Invalid value: {}', 'Invalid value: {}'],
    ['a text', 'Invalid value: "{": no', 'Invalid value: "{": no'],
  ])('%s is left out', (_, message, expected) => {
    expect(refusalIn(invalid('spec', message), asked).causes).toEqual([
      { path: ['spec'], message: expected, named: true },
    ]);
  });

  test.each([
    ['a value', 'Invalid value: "a b": a label', ['metadata', 'labels', 'team']],
    ['a key', 'Invalid value: "other": a key', ['metadata', 'labels', 'other']],
    ['neither', 'Invalid value: "c": a label', ['metadata', 'labels']],
    ['nothing', 'Too long: may not be more', ['metadata', 'labels']],
  ])('the entry of a map is found by %s', (_, message, path) => {
    expect(refusalIn(invalid('metadata.labels', message), asked).causes).toMatchObject([{ path }]);
  });

  test('a value that its type cannot hold is about the whole object', () => {
    const message =
      'failed to convert new object (default/a; /v1, Kind=Secret) to proper version: unable to convert unstructured object to /v1, Kind=Secret: illegal base64 data at input byte 2';
    expect(refusalIn({ status: 500, body: { message } }, asked)).toEqual({
      reason: 'invalid',
      causes: [{ path: [], message: 'illegal base64 data at input byte 2' }],
    });
  });
});
