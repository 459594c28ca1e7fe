/** Objects that do harm by one field, for classes in which the way matters and not the harm. */
import type { JsonObject } from '../../../../src/core/model.js';
import { lookUp } from '../../../../src/core/object.js';
import { type Harm, harms, shown, withField } from '../harms.js';
import { becoming, clusterWide, note, object } from './site.js';

/** An object that does harm, the same without harm, and the predicate of the harm. */
export type Payload = { bad: JsonObject; good: JsonObject; harm: Harm };

export const rules = [
  'sensitive-change',
  'deleted-object',
  'chart-owned-field',
  'unverifiable-change',
  'pruned-namespace',
];
const level = ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'];
const owners = ['metadata', 'ownerReferences'];
const variant = harms.variant as Harm;
export const payload = (good: JsonObject, field: string[], value: JsonObject[string]): Payload => ({
  good,
  bad: withField(good, field, value),
  harm: becoming(rules, good, (one) => JSON.stringify(lookUp(one, field)) === JSON.stringify(value)),
});
export const payloads: Record<string, Payload> = {
  variant: payload(shown(variant, false), ['spec', 'variant'], 'oidc'),
  'Pod Security': payload(clusterWide('v1', 'Namespace', 'cozy-customizer-more'), level, 'privileged'),
  owner: payload(note('owned'), owners, [{ apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'x' }]),
  account: payload(
    object('batch/v1', 'Job', 'once', {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'nginx:1' }] } },
      },
    }),
    ['spec', 'template', 'spec', 'serviceAccountName'],
    'admin',
  ),
};

/** The base uses the image, so that a new object with it is no other registry. */
export const inUse = object('batch/v1', 'Job', 'in-use', {
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'nginx:1' }] } } },
});
