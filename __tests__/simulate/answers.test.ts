/** What is taken for refused, of what a server answers and of what the rules say. */
import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { Finding, JsonObject, RenderedObject } from '../../src/core/model.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import type { ApplyAnswer, Operation, Status } from '../../src/engine/host/apply-protocol.js';
import type { Built } from '../../src/flux/prune.js';
import { type Answered, reconcile } from '../../src/simulate/reconcile.js';
import { type SourceContext, toSource } from '../../src/simulate/sources.js';
import { refusedMetadata } from '../../src/simulate/unknown-kinds.js';
import { schemas as data, newest } from '../support/releases.js';

const schemas = loadSchemas(data, newest);
const entrypoint = { path: '.', why: 'a test', kustomization: {} };
const status = (message: string) => ({ reason: 'Invalid', message }) as Status;
const allowed = () => ({ allowed: true as const });

function rendered(apiVersion: string, kind: string, metadata: JsonObject = {}): RenderedObject {
  const [namespace, name] = ['cozy-customizer', 'a'];
  const value = { apiVersion, kind, metadata: { name, namespace, ...metadata } };
  const ref = { apiVersion, kind, namespace, name };
  return { ref, value, entrypoint: '.' } as unknown as RenderedObject;
}

describe('a role that grants more than its author has', () => {
  const { ref, value } = rendered('rbac.authorization.k8s.io/v1', 'Role');

  /** How it is refused, if its dry run is answered so. */
  async function refused(answer: ApplyAnswer, deniedGrant?: (object: JsonObject) => string | undefined) {
    const answered = ({ op, ...one }: Operation): ApplyAnswer =>
      op === 'apply' && 'dryRun' in one
        ? answer
        : { status: op === 'get' ? 200 : 201, ...(op === 'get' && { object: value }) };
    const server = { ask: async (operations: Operation[]) => operations.map(answered) };
    const asked = {
      entrypoint,
      inventory: [],
      objects: [{ ref, value }],
      access: allowed,
      ...(deniedGrant && { deniedGrant }),
    };
    return (await reconcile(server, asked)).refused.map((one) => `${one.status} ${one.message}`);
  }

  const invalid = status('rules are invalid');
  test.each<[string, ApplyAnswer, string[]]>([
    ['is refused where it changes', { status: 200, drifted: true }, ['403 too much']],
    ['is refused where nobody says whether it does', { status: 200 }, ['403 too much']],
    ['is left alone where it stays as it is', { status: 200, drifted: false }, []],
    ['is refused before its values are looked at', { status: 422, error: invalid }, ['403 too much']],
    [
      'is refused for its fields where it does not fit the schema',
      { status: 500, error: invalid },
      ['500 rules are invalid'],
    ],
    ['is refused where its namespace is not there', { status: 404, error: invalid }, ['404 rules are invalid']],
  ])('%s', async (_, answer, expected) => {
    expect(await refused(answer, () => 'too much')).toEqual(expected);
  });

  test('one that does not is refused only by the server', async () => {
    expect(await refused({ status: 200, drifted: true }, () => undefined)).toEqual([]);
    expect(await refused({ status: 422, error: invalid }, () => undefined)).toEqual(['422 rules are invalid']);
    expect(await refused({ status: 200, drifted: true })).toEqual([]);
  });
});

test('a Secret that is not decrypted is invalid, in the words of Flux, and nothing is applied', async () => {
  const { ref, value } = rendered('v1', 'Secret');
  const server = { ask: () => Promise.reject(new Error('nothing is asked')) };
  const objects = [
    { ref, value: { ...value, sops: { mac: 'x' } } },
    { ref: rendered('v1', 'ConfigMap').ref, value: {} },
  ];
  const done = await reconcile(server, { entrypoint, inventory: [], objects, access: allowed });
  expect(done.refused).toMatchObject([{ ref, status: 422, reason: 'Invalid', isSaid: true }]);
  expect(done.stopped.map(({ kind }) => kind)).toEqual(['ConfigMap']);
});

describe('metadata of a kind that nobody knows', () => {
  const odd = rendered('example.org/v1', 'Thing', { labels: { a: 'b c' } });
  const cluster = (...objects: RenderedObject[]) =>
    ({ head: { objects }, contract: { schemas } }) as unknown as Cluster;
  const error = status('Namespaced.unknown "a" is invalid: metadata.labels: not so');

  async function said(answer: ApplyAnswer, ...objects: RenderedObject[]) {
    const server = { define: async () => undefined, ask: async (all: Operation[]) => all.map(() => answer) };
    return [...(await refusedMetadata(server, cluster(...objects)))].map(([{ ref }, { message }]) => [
      ref.kind,
      message,
    ]);
  }

  test('that the server refuses is refused, in its words and by the name of the kind', async () => {
    const message = 'Thing.example.org "a" is invalid: metadata.labels: not so';
    expect(await said({ status: 422, error }, odd)).toEqual([['Thing', message]]);
  });

  test.each<[string, ApplyAnswer, RenderedObject]>([
    ['that it accepts', { status: 201 }, odd],
    ['of which it says something else', { status: 500, error }, odd],
    ['of which it says nothing', { status: 422 }, odd],
    ['that is like any other is not asked about', { status: 422, error }, rendered('example.org/v1', 'Thing')],
    [
      'of a kind that is known is not asked about',
      { status: 422, error },
      rendered('v1', 'ConfigMap', { labels: { a: 'b c' } }),
    ],
  ])('%s', async (_, answer, object) => {
    expect(await said(answer, object)).toEqual([]);
  });
});

describe('what a rule says of the version', () => {
  const object = rendered('example.org/v1', 'Thing');
  const about = (apiVersion: string, more: object = {}): Finding =>
    ({
      ...{ rule: 'unserved-version', severity: 'error', field: ['apiVersion'], entrypoints: ['.'], assumes: [] },
      ...{ message: 'it is not served', object: { ...object.ref, apiVersion }, ...more },
    }) as unknown as Finding;
  const answer = (...said: Finding[]) => {
    const context = {
      ...{ cluster: { contract: { schemas } }, said, isServed: () => true, left: new Map(), wrong: new Map() },
      rights: { access: allowed },
    } as unknown as SourceContext;
    const { objects } = toSource({ ok: true, entrypoint, objects: [object] } as unknown as Built, context);
    return (objects as readonly Answered[]).map((one) => one.answer?.message);
  };
  const notServed = 'no matches for kind "Thing" in version "example.org/v1"';

  test.each<[string, Finding[], (string | undefined)[]]>([
    ['counts for that version', [about('example.org/v1')], [notServed]],
    ['does not count for another one of the same object', [about('example.org/v1beta1')], [undefined]],
    ['counts where it is said of both', [about('example.org/v1beta1', { also: [object.ref] })], [notServed]],
    ['is none where nothing is said', [], [undefined]],
  ])('%s', (_, said, expected) => {
    expect(answer(...said)).toEqual(expected);
  });
});
