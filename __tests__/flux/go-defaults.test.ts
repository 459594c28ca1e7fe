/** What Flux sends besides what is written, as Go's types have it. */
import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../src/core/model.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import { addGoDefaults } from '../../src/flux/go-defaults.js';
import { schemas as data, newest } from '../support/releases.js';

const schemas = loadSchemas(data, newest);

function sent(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  const known = schemas.find(apiVersion, kind);
  if (!known.known) throw new Error(`no schema for ${kind}`);
  const value = { kind, ...structuredClone(more) };
  addGoDefaults(value, known);
  const { kind: _, ...rest } = value;
  return rest;
}

const pod = { containers: [{}], ephemeralContainers: [{}] };
const sentPod = { containers: [{ resources: {} }], ephemeralContainers: [{ resources: {} }] };
const template = { template: { spec: pod } };
const sentTemplate = { template: { metadata: {}, spec: sentPod } };
const divisor = (more: object): Json => ({
  containers: [{ resources: {}, env: [{ valueFrom: { resourceFieldRef: { resource: 'limits.cpu', ...more } } }] }],
});

test.each<[string, string, JsonObject, Json]>([
  ['v1', 'Pod', { spec: pod }, { spec: sentPod }],
  ['v1', 'Pod', { spec: divisor({}) }, { spec: divisor({ divisor: '0' }) }],
  ['v1', 'Pod', { spec: divisor({ divisor: '1' }) }, { spec: divisor({ divisor: '1' }) }],
  ['apps/v1', 'DaemonSet', { spec: template }, { spec: { ...sentTemplate, updateStrategy: {} } }],
  ['apps/v1', 'Deployment', { spec: template }, { spec: { ...sentTemplate, strategy: {} } }],
  [
    'apps/v1',
    'StatefulSet',
    { spec: { ...template, volumeClaimTemplates: [{}] } },
    {
      spec: {
        ...{ ...sentTemplate, updateStrategy: {}, serviceName: '' },
        volumeClaimTemplates: [{ status: {} }],
      },
    },
  ],
  [
    'batch/v1',
    'CronJob',
    { spec: { jobTemplate: { spec: template } } },
    { spec: { jobTemplate: { metadata: {}, spec: sentTemplate } } },
  ],
  ['v1', 'PersistentVolumeClaim', { spec: {} }, { spec: { resources: {} }, status: {} }],
  [
    'v1',
    'Pod',
    { spec: { volumes: [{ ephemeral: { volumeClaimTemplate: { spec: {} } } }] } },
    { spec: { volumes: [{ ephemeral: { volumeClaimTemplate: { metadata: {}, spec: { resources: {} } } } }] } },
  ],
  ['v1', 'Namespace', {}, { spec: {} }],
  ['v1', 'ResourceQuota', {}, { spec: {} }],
  ['v1', 'Service', {}, { spec: {} }],
  [
    'networking.k8s.io/v1',
    'Ingress',
    { spec: { defaultBackend: { service: { name: 'a' } } } },
    { spec: { defaultBackend: { service: { name: 'a', port: {} } } } },
  ],
  ['networking.k8s.io/v1', 'NetworkPolicy', {}, { spec: { podSelector: {} } }],
  ['policy/v1', 'PodDisruptionBudget', {}, { spec: {} }],
  ['v1', 'ConfigMap', { data: {} }, { data: {} }],
])('%s %s: %j', (apiVersion, kind, written, expected) => {
  expect(sent(apiVersion, kind, written)).toEqual(expected);
});
