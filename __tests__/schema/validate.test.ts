import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../src/core/model.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import type { KnownSchema, Schema } from '../../src/schema/types.js';
import { type ValidateOptions, validate } from '../../src/schema/validate.js';
import { schemas as data, newest } from '../support/releases.js';

const schemas = loadSchemas(data, newest);

/** Violations as `field: message (help)`, with `- ` in front of what is dropped without a word. */
function check(value: JsonObject, options?: ValidateOptions): string[] {
  const known = schemas.find(String(value.apiVersion), String(value.kind));
  if (!known.known) throw new Error(`no schema for ${value.apiVersion} ${value.kind}`);
  return lines(validate(value, known, options).violations);
}

function lines(violations: ReturnType<typeof validate>['violations']): string[] {
  return violations.map(
    ({ message, help, dropped, unlessFilled }) =>
      `${dropped ? '- ' : unlessFilled ? '? ' : ''}${message}${help ? ` (${help})` : ''}`,
  );
}

/** A valid object of a kind with some fields changed; `undefined` takes one away. */
const valid = {
  Package: { apiVersion: 'cozystack.io/v1alpha1', metadata: { name: 'cozystack.metallb' }, spec: { components: {} } },
  PackageSource: {
    apiVersion: 'cozystack.io/v1alpha1',
    metadata: { name: 'myorg.portal' },
    spec: {
      sourceRef: { kind: 'OCIRepository', name: 'portal', namespace: 'cozy-customizer', path: '/' },
      variants: [{ name: 'default', components: [{ name: 'portal', path: 'portal' }] }],
    },
  },
  HelmRelease: {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    metadata: { name: 'portal', namespace: 'cozy-customizer' },
    spec: { interval: '5m', chartRef: { kind: 'OCIRepository', name: 'portal' } },
  },
  Kustomization: {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    metadata: { name: 'apps', namespace: 'cozy-customizer' },
    spec: { interval: '5m', prune: true, path: './apps', sourceRef: { kind: 'GitRepository', name: 'apps' } },
  },
  OCIRepository: {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    metadata: { name: 'portal', namespace: 'cozy-customizer' },
    spec: { interval: '5m', url: 'oci://example.org/portal', ref: { tag: '1.0.0' } },
  },
  IPAddressPool: {
    apiVersion: 'metallb.io/v1beta1',
    metadata: { name: 'pool', namespace: 'cozy-metallb' },
    spec: { addresses: ['10.0.0.0/24'] },
  },
  ClusterIssuer: {
    apiVersion: 'cert-manager.io/v1',
    metadata: { name: 'letsencrypt' },
    spec: { acme: { server: 'https://example.org/directory', privateKeySecretRef: { name: 'account' } } },
  },
  Deployment: {
    apiVersion: 'apps/v1',
    metadata: { name: 'portal', namespace: 'cozy-customizer' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'portal' } },
      template: {
        metadata: { labels: { app: 'portal' } },
        spec: {
          containers: [
            { name: 'portal', image: 'example.org/portal:1', resources: { limits: { cpu: 1, memory: '1Gi' } } },
          ],
        },
      },
    },
  },
  NetworkPolicy: {
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name: 'deny', namespace: 'cozy-customizer' },
    spec: { podSelector: {}, policyTypes: ['Ingress'] },
  },
  RoleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name: 'readers', namespace: 'cozy-customizer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'Group', name: 'readers', apiGroup: 'rbac.authorization.k8s.io' }],
  },
  Role: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name: 'reader', namespace: 'cozy-customizer' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  ConfigMap: { apiVersion: 'v1', metadata: { name: 'settings', namespace: 'cozy-customizer' }, data: { a: '5' } },
  Secret: { apiVersion: 'v1', metadata: { name: 'login', namespace: 'cozy-customizer' }, data: { a: 'YQ==' } },
  Service: {
    apiVersion: 'v1',
    metadata: { name: 'portal', namespace: 'cozy-customizer' },
    spec: { ports: [{ port: 80, targetPort: 'http' }] },
  },
} satisfies { [kind: string]: JsonObject };

type Kind = keyof typeof valid;

function changed(kind: Kind, changes: { [path: string]: Json | undefined }): JsonObject {
  const value = { kind, ...structuredClone<JsonObject>(valid[kind]) };
  for (const [path, to] of Object.entries(changes)) {
    const steps = path.split('/');
    let node = value as { [key: string]: Json | undefined };
    for (const step of steps.slice(0, -1)) {
      node[step] ??= {};
      node = node[step] as typeof node;
    }
    node[steps.at(-1) ?? ''] = to;
    if (to === undefined) delete node[steps.at(-1) ?? ''];
  }
  return value;
}

test.each(Object.keys(valid) as Kind[])('a valid %s', (kind) => {
  expect(check(changed(kind, {}))).toEqual([]);
});

describe('custom resources: the API server refuses', () => {
  test.each<[Kind, { [path: string]: Json | undefined }, string[]]>([
    [
      'Package',
      { 'spec/values': {} },
      ['unknown field "spec.values" (the fields of spec are components, ignoreDependencies, variant)'],
    ],
    [
      'Package',
      { 'spec/components/metallb/value': {} },
      ['unknown field "spec.components.metallb.value" (did you mean "values"?)'],
    ],
    ['Package', { 'spec/components/metallb': { values: { any: [{ thing: 1 }] }, enabled: true } }, []],
    ['Package', { 'spec/components/metallb': { values: 'a: b' } }, []],
    ['Package', { 'spec/components/metallb': { values: null } }, []],
    ['Package', { 'spec/variant': 5 }, ['spec.variant is 5, but must be a string (quote it: "5")']],
    ['Package', { 'spec/variant': null }, ['spec.variant is null, but must be a string (set a value or remove it)']],
    ['Package', { 'spec/components': [{ name: 'metallb' }] }, ['spec.components is a list, but must be a map']],
    [
      'Package',
      { 'spec/components/metallb/enabled': 'false' },
      ['spec.components.metallb.enabled is "false", but must be true or false (write false without quotes)'],
    ],
    [
      'Package',
      { 'spec/ignoreDependencies': 'cozystack.linstor' },
      [
        'spec.ignoreDependencies is "cozystack.linstor", but must be a list (write it as a list, with a dash in front of every item)',
      ],
    ],
    ['Package', { status: { anything: 1 } }, []],
    ['Package', { 'metadata/label': { a: 'b' } }, ['unknown field "metadata.label" (did you mean "labels"?)']],
    [
      'PackageSource',
      { 'spec/sourceRef/kind': 'HelmRepository', 'spec/variants': [{ components: [{ path: 'x' }] }] },
      [
        'spec.sourceRef.kind is "HelmRepository", but must be "GitRepository" or "OCIRepository"',
        'spec.variants[0].components[0].name is missing',
        'spec.variants[0].name is missing',
      ],
    ],
    ['HelmRelease', { 'spec/interval': '5' }, ['spec.interval is "5", which is not a duration such as 10m or 1h30m']],
    [
      'HelmRelease',
      { 'spec/interval': '30 minutes' },
      ['spec.interval is "30 minutes", which is not a duration such as 10m or 1h30m (write 30m)'],
    ],
    ['HelmRelease', { 'spec/interval': undefined }, ['spec.interval is missing']],
    ['HelmRelease', { 'spec/valuesFrom': [{ kind: 'Secret' }] }, ['spec.valuesFrom[0].name is missing']],
    [
      'HelmRelease',
      { 'spec/upgrade/remediation/retries': 1.5 },
      ['spec.upgrade.remediation.retries is 1.5, but must be an integer'],
    ],
    ['Kustomization', { 'spec/validation': 'client' }, ['unknown field "spec.validation"']],
    ['Kustomization', { 'spec/prune': 'app=x' }, ['spec.prune is "app=x", but must be true or false']],
    ['Kustomization', { 'spec/dependsOn': ['infra'] }, ['spec.dependsOn[0] is "infra", but must be a map']],
    [
      'OCIRepository',
      { 'spec/url': 'https://example.org' },
      ['spec.url is "https://example.org", which does not match ^oci://.*$'],
    ],
    [
      'OCIRepository',
      { 'spec/provider': 'amazon' },
      ['spec.provider is "amazon", but must be one of "generic", "aws", "azure", "gcp"'],
    ],
    [
      'IPAddressPool',
      { 'spec/addresses': undefined, 'spec/address': [] },
      ['unknown field "spec.address" (did you mean "addresses"?)', 'spec.addresses is missing'],
    ],
    [
      'IPAddressPool',
      { 'spec/serviceAllocation/priority': '1' },
      ['spec.serviceAllocation.priority is "1", but must be an integer (write 1 without quotes)'],
    ],
    ['ClusterIssuer', { 'spec/acme/solver': [] }, ['unknown field "spec.acme.solver" (did you mean "solvers"?)']],
    ['ClusterIssuer', { 'spec/acme/server': undefined }, ['spec.acme.server is missing']],
  ])('%s %j', (kind, changes, expected) => {
    expect(check(changed(kind, changes))).toEqual(expected);
  });
});

describe('built-in kinds: Flux drops what it does not know, the API server refuses the rest', () => {
  test.each<[Kind, { [path: string]: Json | undefined }, string[]]>([
    [
      'RoleBinding',
      { subjects: undefined, subject: [{ kind: 'Group', name: 'x' }] },
      ['- unknown field "subject" (did you mean "subjects"?)'],
    ],
    [
      'NetworkPolicy',
      { 'spec/policyType': ['Ingress'], 'spec/policyTypes': undefined },
      ['- unknown field "spec.policyType" (did you mean "policyTypes"?)'],
    ],
    ['Deployment', { 'spec/replica': 2 }, ['- unknown field "spec.replica" (did you mean "replicas"?)']],
    ['Deployment', { 'metadata/lables': {} }, ['- unknown field "metadata.lables" (did you mean "labels"?)']],
    ['Deployment', { 'spec/replicas': '3' }, ['spec.replicas is "3", but must be an integer (write 3 without quotes)']],
    ['Deployment', { 'spec/replicas': null, 'spec/template/spec/volumes': null }, []],
    ['Deployment', { 'spec/selector': undefined }, ['spec.selector is missing']],
    [
      'Deployment',
      { 'spec/template/spec/containers': [{ image: 'x' }] },
      ['spec.template.spec.containers[0].name is missing'],
    ],
    [
      'Deployment',
      { 'spec/template/metadata/labels/tier': 1 },
      ['spec.template.metadata.labels.tier is 1, but must be a string (quote it: "1")'],
    ],
    [
      'Deployment',
      { 'spec/template/spec/containers/0/resources/limits/cpu': '1 core' },
      [
        'spec.template.spec.containers[0].resources.limits.cpu is "1 core", but must be an amount such as 500m or 1.5Gi',
      ],
    ],
    [
      'Role',
      { rules: [{ resource: ['pods'], verbs: ['get'] }] },
      ['unknown field "rules[0].resource" (did you mean "resources"?)'],
    ],
    ['Role', { rules: null }, []],
    [
      'ConfigMap',
      { data: { a: 5, b: 'x', c: true, d: null } },
      ['data.a is 5, but must be a string (quote it: "5")', 'data.c is true, but must be a string (quote it: "true")'],
    ],
    [
      'Secret',
      { data: { a: 'plain text', b: 5 }, stringData: { c: 5 } },
      [
        'data.a is a string, but must be base64',
        'data.b is a number, but must be a string',
        'stringData.c is a number, but must be a string',
      ],
    ],
    [
      'Service',
      { 'spec/ports': [{ port: '80', targetPort: 80.5 }] },
      [
        'spec.ports[0].port is "80", but must be an integer (write 80 without quotes)',
        'spec.ports[0].targetPort is 80.5, but must be an integer or a string (quote it: "80.5")',
      ],
    ],
    ['Service', { 'spec/ports': [{ port: 80, targetPort: 80 }] }, []],
    ['ConfigMap', { sops: { mac: 'x' } }, []],
  ])('%s %j', (kind, changes, expected) => {
    expect(check(changed(kind, changes))).toEqual(expected);
  });
});

describe('metadata', () => {
  test('annotations become strings; labels that are none are a rule’s of its own', () => {
    const object = changed('ConfigMap', {
      'metadata/labels': { a: true, b: 'x' },
      'metadata/annotations': { a: true, b: {} },
    });
    expect(check(object)).toEqual(['metadata.annotations.b is a map, but must be a string']);
  });

  test.each<[JsonObject, string[]]>([
    [{ name: 'a', ownerReferences: null, creationTimestamp: null, labels: null, annotations: null }, []],
    [{ name: 5 }, ['metadata.name is 5, but must be a string (quote it: "5")']],
    [
      { name: 'a', finalizers: 'x' },
      ['metadata.finalizers is "x", but must be a list (write it as a list, with a dash in front of every item)'],
    ],
    [{ name: 'a', labels: ['x'] }, ['metadata.labels is a list, but must be a map']],
    [
      { name: 'a', 'example.org/team': 'x' },
      [
        'unknown field "metadata[\'example.org/team\']" (labels belong under "labels", annotations under "annotations")',
      ],
    ],
  ])('%j', (metadata, expected) => {
    expect(check(changed('Package', { metadata }))).toEqual(expected);
  });
});

describe('an object that others write too', () => {
  const source = changed('PackageSource', { 'spec/sourceRef': { kind: 'OCIRepository' }, 'spec/variants': [{}] });

  test('misses nothing but what an atomic list must hold', () => {
    expect(check(source, { partial: true })).toEqual(['spec.variants[0].name is missing']);
    expect(check(source)).toEqual([
      'spec.sourceRef.name is missing',
      'spec.sourceRef.namespace is missing',
      'spec.variants[0].name is missing',
    ]);
  });

  test.each([['annotations'], ['labels']])('says so itself in its %s', (holder) => {
    const merged = changed('Deployment', {
      [`metadata/${holder}`]: { 'kustomize.toolkit.fluxcd.io.ssa': 'x' },
      'spec/selector': undefined,
    });
    expect(check(merged)).toEqual(['spec.selector is missing']);
    const marks = (merged.metadata as JsonObject)[holder] as JsonObject;
    marks['kustomize.toolkit.fluxcd.io/ssa'] = 'IfNotPresent';
    expect(check(merged)).toEqual(['spec.selector is missing']);
    marks['kustomize.toolkit.fluxcd.io/ssa'] = 'merge';
    expect(check(merged)).toEqual([]);
  });

  test('still names the items of a list that it adds to', () => {
    const object = changed('Deployment', { 'spec/template/spec/containers': [{ image: 'x' }] });
    expect(check(object, { partial: true })).toEqual(['spec.template.spec.containers[0].name is missing']);
  });
});

describe('what cannot be judged is counted', () => {
  test.each<[Kind, { [path: string]: Json }, { why: string; count: number }[]]>([
    ['Package', { 'spec/variant': `\${VARIANT}` }, [{ why: 'the value has a variable in it', count: 1 }]],
    [
      'Deployment',
      { 'spec/replicas': `\${REPLICAS}`, 'spec/template': `\${A}` },
      [{ why: 'the value has a variable in it', count: 2 }],
    ],
    ['Deployment', { 'spec/\u0024{FIELD}': 1 }, [{ why: 'the value has a variable in it', count: 1 }]],
    ['Secret', { data: { a: 'ENC[AES256_GCM,data:x]' } }, [{ why: 'the value is encrypted', count: 1 }]],
    ['ConfigMap', { data: { script: `echo \${HOME}` } }, []],
    ['ConfigMap', { data: { port: `\${PORT}` } }, [{ why: 'the value has a variable in it', count: 1 }]],
    ['Package', { 'spec/components/metallb': { values: { a: `\${A}` } } }, []],
    [
      'Secret',
      { type: `\${TYPE}`, data: { a: 'ENC[AES256_GCM,data:x]' } },
      [
        { why: 'the value has a variable in it', count: 1 },
        { why: 'the value is encrypted', count: 1 },
      ],
    ],
    [
      'Secret',
      { data: { a: 'ENC[AES256_GCM,data:x]', b: `\${B}` } },
      [
        { why: 'the value has a variable in it', count: 1 },
        { why: 'the value is encrypted', count: 1 },
      ],
    ],
  ])('%s %j', (kind, changes, expected) => {
    const value = changed(kind, changes);
    const known = schemas.find(String(value.apiVersion), kind) as KnownSchema;
    expect(validate(value, known)).toEqual({ violations: [], skipped: expected });
  });

  test('a null in place of a map, which is refused unless it is filled', () => {
    const value = changed('Package', { spec: null });
    const known = schemas.find(String(value.apiVersion), 'Package') as KnownSchema;
    expect(validate(value, known).violations).toMatchObject([{ path: ['spec'], kind: 'null', unlessFilled: true }]);
  });

  test('rules in CEL', () => {
    const value = changed('HelmRelease', {});
    const { skipped } = validate(value, schemas.find(String(value.apiVersion), 'HelmRelease') as KnownSchema);
    expect(skipped).toEqual([{ why: 'a rule of the schema needs CEL', count: 1 }]);
  });
});

describe('schemas', () => {
  /** The violations of `spec` against a schema of its own. */
  function checkSpec(schema: Schema, spec: Json, options?: ValidateOptions): string[] {
    const known = schemas.find('cozystack.io/v1alpha1', 'Package') as KnownSchema;
    const root: Schema = { type: 'object', properties: { spec: schema } };
    return lines(validate({ spec }, { ...known, schema: root, root }, options).violations);
  }

  const text: Schema = { type: 'string' };
  const either: Schema = {
    type: 'object',
    properties: { a: text, b: text },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  };
  const union: Schema = {
    type: 'object',
    properties: { type: { type: 'string', default: 'x' }, a: text },
    anyOf: [{ properties: { type: { enum: ['x'] } } }, { required: ['a'] }],
  };

  test.each<[string, Schema, Json, string[], ValidateOptions?]>([
    ['one of', either, { a: '' }, []],
    ['one of: none', either, {}, ['spec must have one of "a", "b"']],
    ['one of: both', either, { a: '', b: '' }, ['spec may have only one of "a", "b"']],
    ['one of: another may have it', either, {}, [], { partial: true }],
    ['any of: a default decides', union, {}, []],
    ['any of: none', union, { type: 'y' }, ['spec fits none of the forms that the schema allows']],
    ['any of: not known', union, { type: `\${T}` }, []],
    [
      'not',
      { type: 'object', properties: { a: text }, not: { required: ['a'] } },
      { a: '' },
      ['spec must not have "a"'],
    ],
    [
      'all of',
      { type: 'string', allOf: [{ minLength: 2 }, { maxLength: 1 }] },
      'ab',
      ['spec is "ab", but may have at most 1 character, and has 2'],
    ],
    ['bounds', { type: 'integer', minimum: 1, exclusiveMinimum: true }, 1, ['spec is 1, but must be more than 1']],
    ['bounds', { type: 'integer', maximum: 5 }, 6, ['spec is 6, but must be at most 5']],
    ['multiples', { type: 'integer', multipleOf: 5 }, 6, ['spec is 6, but must be a multiple of 5']],
    ['length in characters', { type: 'string', maxLength: 1 }, '😀', []],
    ['items', { type: 'array', maxItems: 1, items: text }, ['a', 'b'], ['spec has 2 items, but may have at most 1']],
    [
      'items of others',
      { type: 'array', minItems: 1, items: text, 'x-kubernetes-list-type': 'set' },
      [],
      [],
      { partial: true },
    ],
    [
      'items of nobody else',
      { type: 'array', minItems: 1, items: text },
      [],
      ['spec has 0 items, but must have at least 1'],
      { partial: true },
    ],
    [
      'entries',
      { type: 'object', maxProperties: 0, additionalProperties: text },
      { a: 'b' },
      ['spec has 1 entries, but may have at most 0'],
    ],
    [
      'a default for what is required',
      { type: 'object', required: ['a'], properties: { a: { type: 'string', default: 'x' } } },
      {},
      [],
    ],
    ['a free-form object', { type: 'object' }, { a: { b: 1 } }, []],
    [
      'preserved below',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: either } },
      { x: 1, a: { a: '', y: 1 } },
      [],
    ],
    [
      'an embedded object',
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: text } },
      { apiVersion: 'v1', metadata: { nam: 'x' } },
      ['spec.kind is missing', 'unknown field "spec.metadata.nam" (did you mean "name"?)'],
    ],
    [
      'an embedded object without a name for its kind',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1', kind: '' },
      ['spec.kind is "", but must have at least 1 character'],
    ],
    [
      'null for an item',
      { type: 'array', items: either, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
      [null, { a: 'x' }],
      ['spec[0] is null, but must be a map (set a value or remove it)'],
    ],
    [
      'null that may be, but is none of the words',
      { type: 'string', nullable: true, enum: ['a', 'b'] },
      null,
      ['spec is null, but must be "a" or "b"'],
    ],
    [
      'none of a dozen words',
      { enum: [...'abcdefghijkl'] },
      'x',
      [`spec is "x", but must be one of ${[...'abcdefghijkl'].map((word) => `"${word}"`).join(', ')}`],
    ],
    [
      'none of a dozen words and one',
      { enum: [...'abcdefghijklm'] },
      'x',
      [`spec is "x", but must be one of ${[...'abcdefghijkl'].map((word) => `"${word}"`).join(', ')} and 1 more`],
    ],
    ['null that is one of the words', { type: 'string', nullable: true, enum: ['a', null] }, null, []],
    [
      'null where a list is replaced as one',
      { type: 'array', items: { type: 'object', properties: { inner: { type: 'object', properties: { a: text } } } } },
      [{ inner: null }],
      ['spec[0].inner is null, but must be a map (set a value or remove it)'],
    ],
    [
      'null where a map is',
      { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { inner: { type: 'array', items: text } } },
      { inner: null },
      ['spec.inner is null, but must be a list (set a value or remove it)'],
    ],
    [
      'a reference to itself',
      { $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/a' } } },
      { a: 1 },
      [],
    ],
  ])('%s: %j on %j', (_, schema, spec, expected, options = {}) => {
    expect(checkSpec(schema, spec, options)).toEqual(expected);
  });

  test('odd values break nothing', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    const tree: Schema = {
      type: 'object',
      additionalProperties: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    };
    expect(checkSpec(tree, deep)).toEqual([]);
    expect(checkSpec(either, JSON.parse('{"__proto__":1,"a":"","constructor":2}'))).toEqual([
      'unknown field "spec.__proto__" (the fields of spec are a, b)',
      'unknown field "spec.constructor" (the fields of spec are a, b)',
    ]);
    for (const odd of [null, 1, 'x', [], [[]]]) expect(() => checkSpec(either, odd)).not.toThrow();
  });
});

describe('what is said of an object', () => {
  const known = (schema: Schema): KnownSchema => ({
    ...(schemas.find('cozystack.io/v1alpha1', 'Package') as KnownSchema),
    ...{ schema, root: schema },
  });
  const text: Schema = { type: 'string' };

  test('the server fills in, or nobody writes, some fields that its schema wants', () => {
    const required = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
    const whole = known({ type: 'object', properties: { spec: { type: 'object' } }, required });
    expect(validate({}, whole).violations.map(({ path }) => path)).toEqual([['spec']]);
  });

  test('comes by the path, what stands higher first', () => {
    const spec: Schema = { type: 'object', properties: { b: { type: 'object', properties: { c: text } }, a: text } };
    const whole = known({ type: 'object', properties: { spec } });
    const { violations } = validate({ spec: { b: { c: 1, d: 1 }, a: 1, z: 1 } }, whole);
    expect(violations.map(({ path }) => path.join('.'))).toEqual(['spec.a', 'spec.b.c', 'spec.b.d', 'spec.z']);
  });

  test('a scalar of another type may be written as that type, where it can be', () => {
    const types: { [name: string]: Schema } = {
      yes: { type: 'boolean' },
      count: { type: 'integer' },
      name: { type: 'string' },
      share: { type: 'number' },
    };
    const whole = known({ type: 'object', properties: { spec: { type: 'object', properties: types } } });
    const instead = (spec: JsonObject) => validate({ spec }, whole).violations.map((one) => one.instead);
    expect(instead({ count: '3', name: 5, share: '0.5', yes: 'true' })).toEqual([
      ...[{ value: 3 }, { value: '5' }, { value: 0.5 }, { value: true }],
    ]);
    expect(instead({ name: true, yes: 'false' })).toEqual([{ value: 'true' }, { value: false }]);
    expect(instead({ count: 'three', name: ['x'], share: '0.50', yes: 'on' })).toEqual(Array(4).fill(undefined));
    // No whole number, or none that is told apart from the next.
    expect([instead({ count: '0.5' }), instead({ count: '9007199254740992' })]).toEqual([[undefined], [undefined]]);
  });

  test.each([
    [0, undefined],
    [12, 'the fields of spec are a0, a1, a10, a11, a2, a3, a4, a5, a6, a7, a8, a9'],
    [13, undefined],
  ])('of a map of %i fields those are listed, where they are few', (size, help) => {
    const properties = Object.fromEntries(Array.from({ length: size }, (_, index) => [`a${index}`, text]));
    const spec: Schema = { type: 'object', properties, ...(size === 0 && { additionalProperties: false }) };
    const whole = known({ type: 'object', properties: { spec } });
    expect(validate({ spec: { somethingElse: 1 } }, whole).violations.map((one) => one.help)).toEqual([help]);
  });

  test('is cut where it repeats what is long', () => {
    const whole = known({
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'integer' } } } },
    });
    const said = (spec: JsonObject) => validate({ spec }, whole).violations[0]?.message;
    const cut = (length: number) => `"${'x'.repeat(length)}…"`;
    expect(said({ a: 'x'.repeat(60) })).toContain(`"${'x'.repeat(60)}"`);
    expect(said({ a: 'x'.repeat(61) })).toContain(cut(59));
    expect(said({ ['x'.repeat(80)]: 1 })).toBe(`unknown field "spec.${'x'.repeat(80)}"`);
    expect(said({ ['x'.repeat(81)]: 1 })).toBe(`unknown field "spec[${cut(79).replaceAll('"', "'")}]"`);
  });

  test('a value that is one of a list in other letters may be put right', () => {
    const spec: Schema = { type: 'object', properties: { mode: { type: 'string', enum: ['Always', 'Never'] } } };
    const whole = known({ type: 'object', properties: { spec } });
    const [near, far] = ['always', 'sometimes'].map((mode) => validate({ spec: { mode } }, whole).violations[0]);
    expect([near?.instead, far?.instead]).toEqual([{ value: 'Always' }, undefined]);
    expect(far && 'instead' in far).toBe(false);
  });
});
