/** Networks that open, and Secrets that are read. */
import type { JsonObject } from '../../../../../src/core/model.js';
import type { Effect } from '../effects.js';
import { note, object } from '../site.js';

const from = (app: string): JsonObject => ({ from: [{ podSelector: { matchLabels: { app } } }] });
const policy = (spec: JsonObject, name = 'guard') =>
  object('networking.k8s.io/v1', 'NetworkPolicy', name, {
    spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [from('a'), from('b')], ...spec },
  });
const cilium = (spec: JsonObject) =>
  object('cilium.io/v2', 'CiliumNetworkPolicy', 'cilium-guard', { spec: { endpointSelector: {}, ...spec } });
const fromEndpoints = (app: string): JsonObject => ({ fromEndpoints: [{ matchLabels: { app } }] });
const service = object('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
const external = object('v1', 'Service', 'out', { spec: { type: 'ExternalName', externalName: 'a.example.org' } });
const twin = { object: note('thing', { x: '1' }), field: ['data', 'x'], value: '2', decoy: '1' };
const container = { name: 'web', image: 'nginx:1' };
const deployment = object('apps/v1', 'Deployment', 'web', {
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
  },
});
const containers = ['spec', 'template', 'spec', 'containers'];
const fromEnvironment = (kind: 'secretKeyRef' | 'configMapKeyRef') => [
  { ...container, env: [{ name: 'X', valueFrom: { [kind]: { name: 'admin', key: 'password' } } }] },
];
const volumes = ['spec', 'template', 'spec', 'volumes'];

export const network: Record<string, Effect> = {
  'policy with a rule for all': {
    isOfOld: true,
    object: policy({}),
    field: ['spec', 'ingress'],
    value: [{}],
    decoy: [from('a'), from('b')],
    twin: { value: [from('a')], decoy: [from('a'), from('b')] },
  },
  'policy for fewer pods': {
    isOfOld: true,
    object: policy({}),
    field: ['spec', 'podSelector'],
    value: { matchLabels: { app: 'nobody' } },
    decoy: {},
  },
  'policy without what goes in': {
    isOfOld: true,
    object: policy({ policyTypes: ['Ingress', 'Egress'] }),
    field: ['spec', 'policyTypes'],
    value: ['Egress'],
    decoy: ['Ingress', 'Egress'],
    twin: { object: policy({ policyTypes: ['Ingress'] }), value: ['Ingress', 'Egress'], decoy: ['Ingress'] },
  },
  'policy that comes to another': {
    object: policy({ ingress: [{}] }, 'more'),
    field: ['spec', 'ingress'],
    value: [{}],
    isAdded: true,
    twin,
    beside: { guard: policy({}) },
  },
  'Cilium policy that opens': {
    isOfOld: true,
    object: cilium({ ingress: [fromEndpoints('a'), fromEndpoints('b')] }),
    field: ['spec', 'ingress'],
    value: [{ fromEntities: ['all'] }],
    decoy: [fromEndpoints('a'), fromEndpoints('b')],
    twin: { value: [fromEndpoints('a')], decoy: [fromEndpoints('a'), fromEndpoints('b')] },
  },
  'external address': {
    object: service,
    field: ['spec', 'externalIPs'],
    value: ['192.0.2.9'],
    twin: { field: ['spec', 'sessionAffinity'], value: 'ClientIP', decoy: 'None' },
  },
  'another external name': {
    object: external,
    field: ['spec', 'externalName'],
    value: 'evil.example.org',
    decoy: 'a.example.org',
  },
  'new endpoints': {
    object: object('v1', 'Endpoints', 'web', {
      subsets: [{ addresses: [{ ip: '192.0.2.9' }], ports: [{ port: 80 }] }],
    }),
    field: ['metadata', 'annotations', 'example.org/x'],
    value: 'y',
    isAdded: true,
    twin,
    beside: { service },
  },
  'new slice of endpoints': {
    object: object('discovery.k8s.io/v1', 'EndpointSlice', 'web-1', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.9'] }],
      ports: [{ port: 80 }],
    }),
    field: ['metadata', 'labels', 'kubernetes.io/service-name'],
    value: 'web',
    isAdded: true,
    twin,
    beside: { service },
  },
  'Secret in the environment': {
    object: deployment,
    field: containers,
    value: fromEnvironment('secretKeyRef'),
    decoy: [container],
    isBad: (one) => JSON.stringify(one).includes('secretKeyRef'),
    twin: { value: fromEnvironment('configMapKeyRef'), decoy: [container] },
  },
  'Secret in a volume': {
    object: deployment,
    field: volumes,
    value: [{ name: 'v', secret: { secretName: 'admin' } }],
    twin: { value: [{ name: 'v', emptyDir: {} }] },
  },
};
