/** Variables whose value only a Secret has, in fields by which a change has an effect: the text of the field never differs. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import { lookUp } from '../../../../src/core/object.js';
import type { Tree } from '../generate.js';
import { type Path, withField } from '../harms.js';
import { inUse, rules } from './payloads.js';
import { becoming, clusterWide, type Draw, flux, folderOf, home, isSame, note, object, rootOf } from './site.js';

/** A field with its value before and after, as text; `isHarmless` marks a control. */
type Use = { object: JsonObject; field: Path; good: string; evil: string; isHarmless?: true };

const plain = { name: 'a', image: 'nginx:1' };
const job = (more: JsonObject) => {
  const spec = { restartPolicy: 'Never', containers: [plain], ...more };
  return object('batch/v1', 'CronJob', 'often', {
    spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template: { spec } } } },
  });
};
const pod: Path = ['spec', 'jobTemplate', 'spec', 'template', 'spec'];
const release = object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'portal', {
  spec: {
    interval: '5m',
    serviceAccountName: 'installer',
    chart: { spec: { chart: 'portal', version: '1.0.0', sourceRef: { kind: 'HelmRepository', name: 'charts' } } },
  },
});
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const binding = object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'team', {
  roleRef: role,
  subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: home }],
});
const policy = object('networking.k8s.io/v1', 'NetworkPolicy', 'guard', { spec: { podSelector: {}, ingress: [] } });
const from = (label: string): JsonObject => ({ from: [{ podSelector: { matchLabels: { app: label } } }] });
const webhooks = (url: string): JsonObject[] => [
  {
    name: 'a.example.org',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
  },
];
const webhook = clusterWide('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'ours');
const level: Path = ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'];
const url = (host: string) => `https://${host}.example.org`;

const text = `\${V}`;
const uses: Record<string, Use> = {
  'host network of a pod': { object: job({}), field: [...pod, 'hostNetwork'], good: 'false', evil: 'true' },
  'account of a pod': { object: job({}), field: [...pod, 'serviceAccountName'], good: 'default', evil: 'admin' },
  'level of a Namespace': {
    object: clusterWide('v1', 'Namespace', 'cozy-customizer-more'),
    field: level,
    good: 'restricted',
    evil: 'privileged',
  },
  'external name': {
    object: object('v1', 'Service', 'out', { spec: { type: 'ExternalName' } }),
    field: ['spec', 'externalName'],
    good: 'a.example.org',
    evil: 'evil.example.org',
  },
  'role of a binding': { object: binding, field: ['roleRef', 'name'], good: 'view', evil: 'cluster-admin' },
  'account of a release': {
    object: release,
    field: ['spec', 'serviceAccountName'],
    good: 'installer',
    evil: 'admin',
  },
  'chart of a release': { object: release, field: ['spec', 'chart', 'spec', 'chart'], good: 'portal', evil: 'evil' },
  'data of a ConfigMap': { object: note('text'), field: ['data', 'x'], good: 'a', evil: 'b', isHarmless: true },
  'label of an object': {
    object: note('text'),
    field: ['metadata', 'labels', 'team'],
    good: 'a',
    evil: 'b',
    isHarmless: true,
  },
};

/** Fields in lists, which are written whole. */
const lists: Record<string, Omit<Use, 'object'> & { of(value: string): JsonObject }> = {
  'image of a pod': {
    of: (value) => job({ containers: [{ ...plain, image: value }] }),
    field: [...pod, 'containers', 0, 'image'],
    good: 'nginx',
    evil: 'evil.example.org/nginx',
  },
  'privileges of a container': {
    of: (value) => job({ containers: [{ ...plain, securityContext: { privileged: value } }] }),
    field: [...pod, 'containers', 0, 'securityContext', 'privileged'],
    good: 'false',
    evil: 'true',
  },
  'tag of an image': {
    of: (value) => job({ containers: [{ ...plain, image: `nginx:${value}` }] }),
    field: [...pod, 'containers', 0, 'image'],
    good: 'one',
    evil: 'two',
    isHarmless: true,
  },
  'source of traffic': {
    of: (value) => ({ ...policy, spec: { podSelector: {}, ingress: [from(value)] } }),
    field: ['spec', 'ingress'],
    good: 'a',
    evil: 'b',
  },
  'address of a webhook': {
    of: (value) => ({ ...webhook, webhooks: webhooks(value) }),
    field: ['webhooks'],
    good: url('a'),
    evil: url('evil'),
  },
};

/** A value as the substitution leaves it. */
const typed = (value: string) => (/^(?:true|false)$/.test(value) ? value === 'true' : value);

function useOf(name: string): Use & { of(value: string): JsonObject } {
  const list = lists[name];
  if (list) return { ...list, object: list.of(text) };
  const use = uses[name] as Use;
  return { ...use, of: (value) => withField(use.object, use.field, value) };
}

export const unknown: Draw = (random) => {
  const name = random.pick([...Object.keys(uses), ...Object.keys(lists)]);
  const use = useOf(name);
  const isEncoded = random.chance(0.5);
  const secret = (value: string) => {
    const data = isEncoded ? { data: { V: Buffer.from(value).toString('base64') } } : { stringData: { V: value } };
    return object('v1', 'Secret', 'variables', data);
  };
  const state = random.pick(['new', 'value', 'value']);
  const postBuild = { substituteFrom: [{ kind: 'Secret', name: 'variables' }] };
  const tree = (value: string, isThere: boolean): Tree => ({
    ...rootOf({ variables: secret(value), calm: flux('calm', './calm') }, { postBuild }),
    ...folderOf('apps', { a: note('of-apps'), ...(isThere && { x: use.of(text) }) }),
    'calm/a.yaml': stringify(note('calm')),
    'calm/job.yaml': stringify(inUse),
  });
  const evil = lookUp(use.of(use.evil), [...use.field]) ?? null;
  const bad = typeof evil === 'string' ? typed(evil) : evil;
  const isBad = (one: JsonObject) => !use.isHarmless && isSame(lookUp(one, [...use.field]), bad);
  return {
    harm: becoming(rules, use.of(text), isBad),
    base: state === 'new' ? tree(use.evil, false) : tree(use.good, true),
    head: tree(use.evil, true),
    isNew: state === 'new',
    isControl: use.isHarmless === true,
    labels: [`unknown: ${name}`, `change: ${state}`, ...(use.isHarmless ? ['twin'] : [])],
  };
};
