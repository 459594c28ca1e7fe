/** The kinds that are written at random, with what the API server has to know of them. */

import type { JsonObject } from '../../../src/core/model.js';
import { type Definition, loadSchemas } from '../../../src/cozystack/schemas.js';
import type { Schema } from '../../../src/schema/types.js';
import { schemas as data, newest } from '../../support/releases.js';

export type Kind = {
  apiVersion: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  /** Absent for a built-in kind. */
  schema?: Schema;
};

const schemas = loadSchemas(data, newest);

const custom = [
  ['cozystack.io', 'Package'],
  ['cozystack.io', 'PackageSource'],
  ['kustomize.toolkit.fluxcd.io', 'Kustomization'],
  ['helm.toolkit.fluxcd.io', 'HelmRelease'],
] as const;

const known = custom.map(([group, kind]) => {
  const found = schemas.definition(group, kind);
  if (!found) throw new Error(`nothing is known of ${kind}`);
  return found;
});

/** Rules with `oldSelf`, which no definition of the release has, beside lists of every type and defaults. */
const trial: Definition = {
  group: 'test.cozystack.io',
  kind: 'Trial',
  plural: 'trials',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      deprecated: false,
      schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              fixed: {
                type: 'string',
                'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed must not change' }],
              },
              low: { type: 'integer', default: 1, minimum: 0, maximum: 9 },
              high: { type: 'integer' },
              mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
              maybe: { type: 'string', nullable: true },
              either: { 'x-kubernetes-int-or-string': true },
              ratio: { type: 'number' },
              free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              atomic: {
                type: 'object',
                'x-kubernetes-map-type': 'atomic',
                properties: { a: { type: 'string' }, b: { type: 'string' } },
              },
              names: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
              ports: {
                type: 'array',
                maxItems: 3,
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['name', 'protocol'],
                items: {
                  type: 'object',
                  required: ['name'],
                  properties: {
                    name: { type: 'string', maxLength: 3 },
                    protocol: { type: 'string', default: 'TCP' },
                    port: { type: 'integer' },
                  },
                },
              },
            },
            'x-kubernetes-validations': [
              { rule: '!has(self.high) || self.low <= self.high', message: 'low must not be above high' },
            ],
          },
          status: {
            type: 'object',
            properties: { phase: { type: 'string', enum: ['a', 'b'] }, count: { type: 'integer' } },
          },
        },
      },
    },
  ],
};

export const definitions: JsonObject[] = [...known, trial].map(definition);

export const customKinds: Kind[] = [...known, trial].map(({ group, kind, plural, scope, versions }) => {
  const stored = versions.find(({ storage }) => storage);
  if (!stored) throw new Error(`no version of ${kind} is stored`);
  const namespaced = scope === 'Namespaced';
  return { apiVersion: `${group}/${stored.name}`, kind, plural, namespaced, schema: stored.schema };
});

export const builtInKinds: Kind[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
  { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
];

export const namespace = 'default';

export function collectionOf({ apiVersion, plural, namespaced }: Kind): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${group}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`;
}

function definition({ group, kind, plural, scope, versions }: Definition): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: versions.map(({ name, served, storage, schema }) => ({
        name,
        served,
        storage,
        schema: { openAPIV3Schema: schema as unknown as JsonObject },
        ...(schema.properties?.status && { subresources: { status: {} } }),
      })),
    },
  };
}
