/** Access control: roles and bindings, admission, definitions, tokens, levels of Pod Security. */
import type { JsonObject } from '../../../../../src/core/model.js';
import type { Effect } from '../effects.js';
import { clusterWide, home, note, object } from '../site.js';

const rbac = 'rbac.authorization.k8s.io/v1';
const admission = 'admissionregistration.k8s.io/v1';
const subject = (name: string): JsonObject => ({ kind: 'ServiceAccount', name, namespace: home });
const roleRef = (name: string, kind = 'ClusterRole') => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const rule = (verb: string): JsonObject => ({ apiGroups: [''], resources: ['secrets'], verbs: [verb] });
const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
const webhook = {
  name: 'a.example.org',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://evil.example.org' },
  rules: [everything],
};
const policySpec = {
  failurePolicy: 'Fail',
  matchConstraints: { resourceRules: [everything] },
  validations: [{ expression: 'false' }],
};
const definition = (name: string): JsonObject => ({
  group: 'example.org',
  scope: 'Namespaced',
  names: { plural: name, singular: name.slice(0, -1), kind: 'Thing', listKind: 'ThingList' },
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  ],
});
const twin = (name: string) => ({ object: note(name, { x: '1' }), field: ['data', 'x'], value: '2', decoy: '1' });
/** Any change of these kinds counts. */
const whole = (value: JsonObject, isAdded = true): Effect => ({
  object: value,
  field: ['metadata', 'annotations', 'example.org/x'],
  value: 'y',
  isAdded,
  twin: twin('thing'),
});
const field = (value: JsonObject, path: string[], now: Effect['value'], before: Effect['value']): Effect => ({
  object: value,
  field: path,
  value: now,
  decoy: before,
  twin: twin('thing'),
});

export const access: Record<string, Effect> = {
  'new ClusterRoleBinding': whole(
    clusterWide(rbac, 'ClusterRoleBinding', 'evil', { roleRef: roleRef('cluster-admin'), subjects: [subject('x')] }),
  ),
  'new RoleBinding': whole(object(rbac, 'RoleBinding', 'evil', { roleRef: roleRef('edit'), subjects: [subject('x')] })),
  'new Role': whole(object(rbac, 'Role', 'evil', { rules: [rule('get')] })),
  'another subject': field(
    object(rbac, 'RoleBinding', 'team', { roleRef: roleRef('view'), subjects: [subject('x')] }),
    ['subjects'],
    [subject('evil')],
    [subject('x')],
  ),
  'more verbs': field(object(rbac, 'Role', 'team', { rules: [rule('get')] }), ['rules'], [rule('*')], [rule('get')]),
  'new ClusterRole': whole(clusterWide(rbac, 'ClusterRole', 'evil', { rules: [rule('*')] })),
  'validating webhook': whole(
    clusterWide(admission, 'ValidatingWebhookConfiguration', 'evil', { webhooks: [webhook] }),
  ),
  'mutating webhook': whole(clusterWide(admission, 'MutatingWebhookConfiguration', 'evil', { webhooks: [webhook] })),
  'admission policy': whole(clusterWide(admission, 'ValidatingAdmissionPolicy', 'evil', { spec: policySpec })),
  'binding of an admission policy': whole(
    clusterWide(admission, 'ValidatingAdmissionPolicyBinding', 'evil', {
      spec: { policyName: 'evil', validationActions: ['Deny'] },
    }),
  ),
  'webhook of another address': field(
    clusterWide(admission, 'ValidatingWebhookConfiguration', 'ours', { webhooks: [webhook] }),
    ['webhooks'],
    [{ ...webhook, clientConfig: { url: 'https://other.example.org' } }],
    [webhook],
  ),
  'new definition': whole(
    clusterWide('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.org', {
      spec: definition('things'),
    }),
  ),
  'new APIService': whole(
    clusterWide('apiregistration.k8s.io/v1', 'APIService', 'v1.metrics.example.org', {
      spec: {
        group: 'metrics.example.org',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { name: 'evil', namespace: home },
      },
    }),
  ),
  'new ApplicationDefinition': whole(
    clusterWide('cozystack.io/v1alpha1', 'ApplicationDefinition', 'evil', {
      spec: {
        application: { kind: 'Evil', plural: 'evils', singular: 'evil', openAPISchema: '{"type":"object"}' },
        release: { prefix: 'evil-', chartRef: { kind: 'OCIRepository', name: 'evil', namespace: home } },
      },
    }),
  ),
  'token of an account': whole({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { name: 'token', namespace: home, annotations: { 'kubernetes.io/service-account.name': 'default' } },
  }),
  'weaker Pod Security': {
    object: clusterWide('v1', 'Namespace', 'cozy-customizer-more'),
    field: ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'],
    value: 'privileged',
    decoy: 'baseline',
    twin: { value: 'restricted', decoy: 'baseline' },
  },
};
