/** Definitions that a server is told of though no schema is known: what the repository brings, and what the cluster serves. */

import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import { broughtDefinitions, standInsFor } from '../../src/cluster/stand-ins.js';
import type { JsonObject, ObjectRef, RenderedObject } from '../../src/core/model.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import { applied } from '../support/known.js';
import { schemas as data, newest } from '../support/releases.js';

describe('what the repository brings', () => {
  const definition = (spec: JsonObject, metadata: JsonObject = {}, kind = 'CustomResourceDefinition') => ({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind, metadata: { name: 'things.example.org', ...metadata } },
    spec,
  });
  const whole = { group: 'example.org', versions: [{ name: 'v1' }] };
  const brought = (value: JsonObject) =>
    broughtDefinitions(applied([{ ref: { kind: value.kind }, value } as unknown as RenderedObject]));

  test('is every definition as it is written', () => {
    expect(brought(definition(whole))).toEqual([definition(whole)]);
  });

  test.each(['kustomize.toolkit.fluxcd.io/ssa: Ignore', 'kustomize.toolkit.fluxcd.io/reconcile: disabled'])(
    'is none that Flux passes over, as with %s',
    (annotation) => {
      const [key = '', value = ''] = annotation.split(': ');
      expect(brought(definition(whole, { annotations: { [key]: value } }))).toEqual([]);
    },
  );

  test('is no other kind, and none that names no group or no version', () => {
    expect(brought(definition(whole, {}, 'Thing'))).toEqual([]);
    expect(brought(definition({ versions: whole.versions }))).toEqual([]);
    expect(brought(definition({ group: 'example.org' }))).toEqual([]);
  });
});

describe('what the cluster serves and the server does not', () => {
  const schemas = loadSchemas(data, newest);
  const standIns = (missing: ObjectRef[], kinds?: { [kind: string]: string[] }) =>
    standInsFor(missing, { contract: { schemas }, ...(kinds && { snapshot: { kinds } }) } as unknown as Cluster).map(
      ({ spec }) => {
        const { group, names, scope, versions } = spec as JsonObject;
        const named = (versions as JsonObject[]).map(({ name, storage }) => `${name}${storage ? ' stored' : ''}`);
        return `${scope} ${(names as JsonObject).plural}.${group}: ${named.join(', ')}`;
      },
    );
  const thing = (version: string, namespace?: string) => ({
    ...{ apiVersion: `example.org/${version}`, kind: 'Thing', name: 'a' },
    ...(namespace !== undefined && { namespace }),
  });

  test('is a built-in kind under its own name, once', () => {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'n', name: 'a' };
    expect(standIns([lease, { ...lease, name: 'b' }])).toEqual(['Namespaced leases.coordination.k8s.io: v1 stored']);
  });

  test('is a kind that a snapshot has seen, in all its versions', () => {
    const kinds = { 'example.org/Thing': ['v2', 'v1'] };
    expect(standIns([thing('v1')], kinds)).toEqual(['Cluster things.example.org: v2 stored, v1']);
    expect(standIns([thing('v1', 'n')], kinds)).toEqual(['Namespaced things.example.org: v2 stored, v1']);
  });

  test('is namespaced or not as the first object of the kind is', () => {
    const kinds = { 'example.org/Thing': ['v1'] };
    expect(standIns([thing('v1', 'n'), thing('v1')], kinds)).toEqual(['Namespaced things.example.org: v1 stored']);
    expect(standIns([thing('v1'), thing('v1', 'n')], kinds)).toEqual(['Cluster things.example.org: v1 stored']);
  });

  test('is nothing that nobody has seen, that is switched off, or that is of the core group', () => {
    expect(standIns([thing('v1')])).toEqual([]);
    expect(standIns([thing('v3')], { 'example.org/Thing': ['v2'] })).toEqual([]);
    expect(standIns([{ apiVersion: 'resource.k8s.io/v1beta1', kind: 'ResourceClaim', name: 'a' }])).toEqual([]);
    expect(standIns([{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }])).toEqual([]);
  });
});
