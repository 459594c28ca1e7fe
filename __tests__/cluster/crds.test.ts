/** Definitions of custom resources, as an API server is told of them. */
import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import { definitionOf, definitionsFor } from '../../src/cluster/crds.js';
import type { JsonObject } from '../../src/core/model.js';
import { lookUp } from '../../src/core/object.js';
import { type Definition, loadSchemas } from '../../src/cozystack/schemas.js';
import { schemas as data, newest } from '../support/releases.js';

const version = (name: string, more: Partial<Definition['versions'][number]> = {}) => ({
  ...{ name, served: true, storage: false, deprecated: false, schema: { type: 'object' as const } },
  ...more,
});
const of = (more: Partial<Definition>): JsonObject =>
  definitionOf({
    ...{ group: 'example.org', kind: 'Thing', plural: 'things', scope: 'Cluster', versions: [version('v1')] },
    ...more,
  });
const versionsOf = (...versions: Definition['versions']) =>
  (of({ versions }).spec as JsonObject).versions as JsonObject[];

describe('a definition', () => {
  test('is one as Kubernetes has it', () => {
    expect(of({})).toEqual({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: 'things.example.org' },
      spec: {
        ...{ group: 'example.org', scope: 'Cluster' },
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
  });

  // The API server refuses a kind in a group of Kubernetes that nobody has approved or excused.
  test.each([
    ['k8s.io', true],
    ['gateway.networking.k8s.io', true],
    ['x.kubernetes.io', true],
    ['k8s.io.example.org', false],
    ['mykubernetes.io', false],
    ['k8sxio', false],
  ])('of the group %s is one of Kubernetes: %s', (group, isProtected) => {
    const { annotations } = of({ group }).metadata as JsonObject;
    expect(annotations !== undefined).toBe(isProtected);
  });

  test('stores the version that is marked, else the first one that is served', () => {
    const stored = (...versions: Definition['versions']) =>
      versionsOf(...versions).flatMap(({ name, storage }) => (storage ? [name] : []));
    expect(stored(version('v2'), version('v1', { storage: true }))).toEqual(['v1']);
    expect(stored(version('v3', { served: false }), version('v2'), version('v1'))).toEqual(['v2']);
  });

  test('says of a version whether it is deprecated, and has a subresource for a status', () => {
    const schema = { type: 'object' as const, properties: { status: { type: 'object' as const } } };
    const [old, plain] = versionsOf(version('v1beta1', { deprecated: true, schema }), version('v1'));
    expect(old).toMatchObject({ deprecated: true, subresources: { status: {} } });
    expect(Object.keys(plain ?? {})).toEqual(['name', 'served', 'storage', 'schema']);
  });
});

describe('the definitions that a cluster needs', () => {
  const schemas = loadSchemas(data, newest);
  const forObjects = (
    objects: JsonObject[],
    more: { base?: JsonObject[]; kinds?: { [kind: string]: string[] } } = {},
  ) => {
    const wrap = (values: JsonObject[]) => ({ objects: values.map((value) => ({ value })) });
    const cluster = {
      ...{ contract: { schemas }, head: wrap(objects) },
      ...(more.base && { base: wrap(more.base) }),
      ...(more.kinds && { snapshot: { kinds: more.kinds } }),
    };
    return definitionsFor(cluster as unknown as Cluster);
  };
  const namesOf = (definitions: JsonObject[]) => definitions.map(({ metadata }) => (metadata as JsonObject).name);
  const own = ['packages.cozystack.io', 'packagesources.cozystack.io'];
  const pool = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' };

  test('are those of Cozystack itself, and no built-in kind is one', () => {
    expect(namesOf(forObjects([{ apiVersion: 'v1', kind: 'ConfigMap' }]))).toEqual(own);
  });

  test('are also those of the objects, before the change and after it, and of what they refer to', () => {
    const ofPool = 'ipaddresspools.metallb.io';
    expect(namesOf(forObjects([pool]))).toEqual([...own, ofPool]);
    expect(namesOf(forObjects([], { base: [pool] }))).toEqual([...own, ofPool]);
    expect(namesOf(forObjects([{ spec: { patches: [{ target: pool }] } }]))).toEqual([...own, ofPool]);
    expect(namesOf(forObjects([{ spec: { sourceRef: { kind: 'GitRepository' } } }]))).toEqual([
      ...[...own, 'gitrepositories.source.toolkit.fluxcd.io'],
    ]);
    const issuerRef = { apiGroup: 'cert-manager.io', kind: 'ClusterIssuer' };
    expect(namesOf(forObjects([{ spec: { issuerRef } }]))).toEqual(['clusterissuers.cert-manager.io', ...own]);
  });

  test('serve the versions that a snapshot has seen, also one that the release does not have', () => {
    const versionsSeen = (...seen: string[]) => {
      const [definition] = forObjects([], { kinds: { 'cozystack.io/Package': seen } });
      const versions = lookUp(definition ?? null, ['spec', 'versions']) as JsonObject[];
      return versions.map(({ name, served, storage }) => ({ name, served, storage }));
    };
    const own = { name: 'v1alpha1', served: true, storage: true };
    const other = { name: 'v2', served: true, storage: false };
    expect(versionsSeen('v2')).toEqual([{ ...own, served: false }, other]);
    expect(versionsSeen('v1alpha1', 'v2')).toEqual([own, other]);
    expect(versionsSeen('v1alpha1')).toEqual([own]);
    expect(versionsSeen()).toEqual([own]);
  });
});
