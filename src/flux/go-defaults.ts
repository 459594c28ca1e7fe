/**
 * What Go's types of built-in kinds add where nothing is written: a struct is never empty to Go's encoding, whatever `omitempty`
 * says, and a text without that is written as none (k8s.io/api 0.35, by reflection). Flux sends it, and so owns it; with the
 * protocol of ports, which it sets itself (fluxcd/pkg/ssa 0.67.1, normalize.go).
 */

import type { Json, JsonObject } from '../core/model.js';
import { isObject, lookUp } from '../core/object.js';
import { childOf, resolve } from '../schema/structure.js';
import type { KnownSchema, Schema } from '../schema/types.js';

/** By type and field. What an object cannot do without is left out. */
const zeros: { readonly [type: string]: { readonly [field: string]: Json } } = {
  'apps.v1.DaemonSetSpec': { updateStrategy: {} },
  'apps.v1.DeploymentSpec': { strategy: {} },
  'apps.v1.StatefulSetSpec': { updateStrategy: {}, serviceName: '' },
  'batch.v1.JobTemplateSpec': { metadata: {} },
  'core.v1.Container': { resources: {} },
  'core.v1.EphemeralContainer': { resources: {} },
  'core.v1.Namespace': { spec: {} },
  'core.v1.PersistentVolumeClaim': { status: {} },
  'core.v1.PersistentVolumeClaimSpec': { resources: {} },
  'core.v1.PersistentVolumeClaimTemplate': { metadata: {} },
  'core.v1.PodTemplateSpec': { metadata: {} },
  'core.v1.ResourceFieldSelector': { divisor: '0' },
  'core.v1.ResourceQuota': { spec: {} },
  'core.v1.Service': { spec: {} },
  'networking.v1.IngressServiceBackend': { port: {} },
  'networking.v1.NetworkPolicy': { spec: {} },
  'networking.v1.NetworkPolicySpec': { podSelector: {} },
  'policy.v1.PodDisruptionBudget': { spec: {} },
};

/** Changes the object in place. */
export function addGoDefaults(value: JsonObject, { schema, root }: KnownSchema): void {
  fill(value, schema, root);
  for (const port of portsOf(value)) {
    if (!isObject(port)) continue;
    if (!port.protocol) port.protocol = 'TCP';
    // What is sent is 0, for which the API server takes the port.
    if (value.kind === 'Service' && port.port !== undefined) port.targetPort ||= port.port;
  }
}

function fill(value: Json, schema: Schema, root: Schema): void {
  const { items } = resolve(schema, root);
  if (Array.isArray(value)) {
    for (const item of items ? value : []) fill(item, items as Schema, root);
  } else if (isObject(value)) {
    const type = schema.$ref?.replace(/^.*\.api\./, '') ?? '';
    for (const [field, zero] of Object.entries(zeros[type] ?? {})) value[field] ??= structuredClone(zero);
    for (const [name, inner] of Object.entries(value)) {
      const child = childOf(resolve(schema, root), name);
      if (child) fill(inner, child, root);
    }
  }
}

const podTemplates: { readonly [kind: string]: string[] } = {
  Pod: ['spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ...Object.fromEntries(
    ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].map((kind) => [kind, ['spec', 'template', 'spec']]),
  ),
};

function portsOf(object: JsonObject): Json[] {
  const list = (value: Json | undefined) => (Array.isArray(value) ? value : []);
  if (object.kind === 'Service') return list(lookUp(object, ['spec', 'ports']));
  const pod = podTemplates[String(object.kind)];
  if (!pod) return [];
  return list(lookUp(object, [...pod, 'containers'])).flatMap((one) => list(lookUp(one, ['ports'])));
}
