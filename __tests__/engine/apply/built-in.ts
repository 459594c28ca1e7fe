/** Objects of the built-in kinds: a right one of each, and what is wrong with it at random, the same for the same seed. */

import type { Json, JsonObject } from '../../../src/core/model.js';
import { isObject } from '../../../src/core/object.js';
import { loadSchemas } from '../../../src/cozystack/schemas.js';
import type { Schema } from '../../../src/schema/types.js';
import { seeded } from '../../schema/objects.js';
import { schemas as data, newest } from '../../support/releases.js';

export type BuiltIn = { apiVersion: string; kind: string; plural: string; namespaced: boolean; body: JsonObject };

/** What is sent, one after the other, of one object. */
export type Attempt = { seed: number; kind: BuiltIn; name: string; objects: JsonObject[] };

const labels = { app: 'web' };
const container = { name: 'web', image: 'nginx:1.29' };
const pod = { containers: [container] };
const template = { metadata: { labels }, spec: pod };
const once = { metadata: { labels }, spec: { ...pod, restartPolicy: 'Never' } };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
const subjects = [{ kind: 'ServiceAccount', name: 'web', namespace: 'default' }];
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

function kind(apiVersion: string, name: string, plural: string, body: JsonObject, scope = 'Namespaced'): BuiltIn {
  return { apiVersion, kind: name, plural, namespaced: scope === 'Namespaced', body };
}

export const builtIn: readonly BuiltIn[] = [
  kind('v1', 'ConfigMap', 'configmaps', { data: { key: 'value' }, binaryData: { bytes: 'AAAA' } }),
  kind('v1', 'Endpoints', 'endpoints', {
    subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ name: 'http', port: 80 }] }],
  }),
  kind('v1', 'LimitRange', 'limitranges', {
    spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' }, default: { cpu: '1' } }] },
  }),
  kind('v1', 'Namespace', 'namespaces', {}, 'Cluster'),
  kind(
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
    },
    'Cluster',
  ),
  kind('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', { spec: { ...claim, storageClassName: 'replicated' } }),
  kind('v1', 'Pod', 'pods', { spec: { ...pod, volumes: [{ name: 'tmp', emptyDir: {} }] } }),
  kind('v1', 'PodTemplate', 'podtemplates', { template }),
  kind('v1', 'ReplicationController', 'replicationcontrollers', { spec: { replicas: 1, selector: labels, template } }),
  kind('v1', 'ResourceQuota', 'resourcequotas', { spec: { hard: { pods: '10', 'requests.cpu': '4' } } }),
  kind('v1', 'Secret', 'secrets', { type: 'Opaque', data: { password: 'c2VjcmV0' } }),
  kind('v1', 'Service', 'services', {
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080 }], type: 'ClusterIP' },
  }),
  kind('v1', 'ServiceAccount', 'serviceaccounts', { imagePullSecrets: [{ name: 'registry' }] }),
  kind('apps/v1', 'ControllerRevision', 'controllerrevisions', { revision: 1, data: { a: 1 } }),
  kind('apps/v1', 'DaemonSet', 'daemonsets', {
    spec: { selector: { matchLabels: labels }, template, updateStrategy: { type: 'RollingUpdate' } },
  }),
  kind('apps/v1', 'Deployment', 'deployments', {
    spec: { replicas: 2, selector: { matchLabels: labels }, template, strategy: { type: 'RollingUpdate' } },
  }),
  kind('apps/v1', 'ReplicaSet', 'replicasets', { spec: { replicas: 1, selector: { matchLabels: labels }, template } }),
  kind('apps/v1', 'StatefulSet', 'statefulsets', {
    spec: {
      serviceName: 'web',
      selector: { matchLabels: labels },
      template,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    },
  }),
  kind('autoscaling/v1', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 80 },
  }),
  kind('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    spec: {
      scaleTargetRef: target,
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
    },
  }),
  kind('batch/v1', 'CronJob', 'cronjobs', {
    spec: { schedule: '0 4 * * *', concurrencyPolicy: 'Forbid', jobTemplate: { spec: { template: once } } },
  }),
  kind('batch/v1', 'Job', 'jobs', { spec: { backoffLimit: 3, template: once } }),
  kind('coordination.k8s.io/v1', 'Lease', 'leases', { spec: { holderIdentity: 'web', leaseDurationSeconds: 15 } }),
  kind('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  }),
  kind('networking.k8s.io/v1', 'Ingress', 'ingresses', {
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['example.org'], secretName: 'tls' }],
      rules: [
        {
          host: 'example.org',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
    },
  }),
  kind(
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    { spec: { controller: 'example.org/ingress' } },
    'Cluster',
  ),
  kind('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', {
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [{ namespaceSelector: {} }, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
          ports: [{ protocol: 'TCP', port: 80 }],
        },
      ],
    },
  }),
  kind('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', { handler: 'kata' }, 'Cluster'),
  kind('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', {
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  }),
  kind('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', { rules }, 'Cluster'),
  kind('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'clusterrolebindings', { roleRef, subjects }, 'Cluster'),
  kind('rbac.authorization.k8s.io/v1', 'Role', 'roles', { rules }),
  kind('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', { roleRef, subjects }),
  kind(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    { value: 1000, preemptionPolicy: 'PreemptLowerPriority' },
    'Cluster',
  ),
  kind('storage.k8s.io/v1', 'CSIDriver', 'csidrivers', { spec: { attachRequired: false } }, 'Cluster'),
  kind(
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    { provisioner: 'linstor.csi.linbit.com', parameters: { a: 'b' }, reclaimPolicy: 'Delete' },
    'Cluster',
  ),
  kind(
    'storage.k8s.io/v1',
    'VolumeAttributesClass',
    'volumeattributesclasses',
    { driverName: 'example.org', parameters: { iops: '1000' } },
    'Cluster',
  ),
];

const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
const probe = { httpGet: { path: '/', port: 8080 }, periodSeconds: 5 };
const nodes = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
  },
};

/** More of what there is to get wrong. */
const variants: { [kind: string]: readonly JsonObject[] } = {
  Service: [
    { spec: { clusterIP: 'None', selector: labels, ports } },
    { spec: { clusterIP: 'None' } },
    { spec: { type: 'ExternalName', externalName: 'example.org' } },
    {
      spec: {
        type: 'NodePort',
        selector: labels,
        ports: [{ port: 80, nodePort: 30_080 }],
        externalTrafficPolicy: 'Local',
      },
    },
    {
      spec: {
        type: 'LoadBalancer',
        selector: labels,
        ports,
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        loadBalancerClass: 'example.org/lb',
        allocateLoadBalancerNodePorts: false,
      },
    },
    {
      spec: {
        selector: labels,
        ports,
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        sessionAffinity: 'ClientIP',
      },
    },
  ],
  CronJob: [
    {
      spec: {
        schedule: '@hourly',
        timeZone: 'Europe/Berlin',
        suspend: true,
        jobTemplate: { spec: { template: once } },
      },
    },
  ],
  Job: [
    {
      spec: { completionMode: 'Indexed', completions: 3, parallelism: 2, ttlSecondsAfterFinished: 60, template: once },
    },
    { spec: { suspend: true, template: { ...once, spec: { ...once.spec, nodeSelector: { a: 'b' } } } } },
  ],
  Secret: [
    { type: 'kubernetes.io/tls', data: { 'tls.crt': 'AA==', 'tls.key': 'AA==' } },
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } },
    { immutable: true, stringData: { a: 'b' } },
    { type: 'kubernetes.io/service-account-token' },
  ],
  ConfigMap: [{ immutable: true, data: { key: 'value' } }],
  Pod: [
    {
      spec: {
        initContainers: [{ ...container, name: 'init', restartPolicy: 'Always' }],
        containers: [
          {
            ...container,
            ports: [{ name: 'http', containerPort: 8080 }],
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            envFrom: [{ configMapRef: { name: 'web' } }],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
            livenessProbe: probe,
            readinessProbe: { periodSeconds: 5, exec: { command: ['true'] } },
            resources: { requests: { cpu: '100m' }, limits: { cpu: '1', memory: '1Gi' } },
            securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
          },
        ],
        volumes: [{ name: 'data', configMap: { name: 'web', items: [{ key: 'a', path: 'a' }] } }],
        affinity: { nodeAffinity: nodes },
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: labels },
          },
        ],
        hostAliases: [{ ip: '10.1.2.3', hostnames: ['a'] }],
        dnsPolicy: 'None',
        dnsConfig: { nameservers: ['10.0.0.10'] },
      },
    },
  ],
  Deployment: [
    {
      spec: {
        selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] },
        template,
        strategy: { type: 'Recreate' },
        minReadySeconds: 5,
        progressDeadlineSeconds: 60,
      },
    },
  ],
  PersistentVolume: [
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        csi: { driver: 'linstor.csi.linbit.com', volumeHandle: 'a' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } },
      },
    },
  ],
  PersistentVolumeClaim: [
    { spec: { ...claim, volumeMode: 'Block', dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } } },
  ],
  Ingress: [{ spec: { defaultBackend: { service: { name: 'web', port: { name: 'http' } } } } }],
  'autoscaling/v2 HorizontalPodAutoscaler': [
    {
      spec: {
        scaleTargetRef: target,
        maxReplicas: 3,
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
        },
      },
    },
  ],
  NetworkPolicy: [
    { spec: { podSelector: {}, egress: [{ to: [{ podSelector: {} }], ports: [{ port: 80, endPort: 90 }] }] } },
  ],
  ClusterRole: [
    { aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] }, rules: [] },
    { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
  ],
  StorageClass: [
    {
      provisioner: 'example.org/a',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
      mountOptions: ['ro'],
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
    },
  ],
};

const schemas = loadSchemas(data, newest);

/** An object of a kind and its changes: at first mostly right, later with something else about it. */
export function attempt(seed: number): Attempt {
  const random = seeded(seed * 104_729 + 7);
  const of = builtIn[seed % builtIn.length] as BuiltIn;
  const found = schemas.find(of.apiVersion, of.kind);
  if (!found.known) throw new Error(`no schema of ${of.kind}`);
  const name = `a-${seed}`;
  const metadata = { name, ...(of.namespaced && { namespace: 'default' }) };
  let object: JsonObject = {
    apiVersion: of.apiVersion,
    kind: of.kind,
    metadata,
    ...bodyOf(of, random, seed),
  };
  const objects: JsonObject[] = [];
  const isRightAtFirst = random() < 0.6;
  for (let index = 0; index < 3; index++) {
    const changes = index === 0 && isRightAtFirst ? 0 : 1 + Math.floor(random() * 2);
    for (let n = 0; n < changes; n++) object = changed(object, found.schema, random, of);
    object = { ...object, apiVersion: of.apiVersion, kind: of.kind };
    object.metadata = { ...(isObject(object.metadata) ? object.metadata : {}), ...metadata };
    objects.push(object);
  }
  return { seed, kind: of, name, objects };
}

/** No two Services can have one port of the nodes. */
function bodyOf({ apiVersion, kind, body }: BuiltIn, random: Random, seed: number): JsonObject {
  const more = variants[`${apiVersion} ${kind}`] ?? variants[kind] ?? [];
  const text = JSON.stringify(pick(random, [body, ...more]));
  return JSON.parse(text.replace('"nodePort":30080', `"nodePort":${30_000 + (seed % 2700)}`)) as JsonObject;
}

type Random = () => number;
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** With another value somewhere: one that fits the field's type, mostly. */
function changed(object: JsonObject, schema: Schema, random: Random, of: BuiltIn): JsonObject {
  const copy = structuredClone(object);
  let [value, at]: [Json, Schema | undefined] = [copy, schema];
  for (let depth = 0; depth < 12; depth++) {
    const holder: JsonObject | Json[] | undefined = isObject(value) || Array.isArray(value) ? value : undefined;
    if (!holder) break;
    const keys = keysOf(holder, at, random, depth);
    if (keys.length === 0) break;
    const key = pick(random, keys);
    const below: Schema | undefined = Array.isArray(holder)
      ? at?.items
      : (at?.properties?.[key] ?? (typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined));
    const inside: Json | undefined = (holder as JsonObject)[key];
    const isInside =
      (isObject(inside) && Object.keys(inside).length > 0) || (Array.isArray(inside) && inside.length > 0);
    if (isInside && random() < 0.8) {
      [value, at] = [inside as Json, below];
      continue;
    }
    change(holder, key, below, random, of);
    break;
  }
  return copy;
}

/** Fields that are there more often than those that might be. */
function keysOf(holder: JsonObject | Json[], at: Schema | undefined, random: Random, depth: number): string[] {
  const there = Object.keys(holder).filter((key) => depth > 0 || !['apiVersion', 'kind'].includes(key));
  const known = Object.keys(at?.properties ?? {}).filter((key) => key !== 'managedFields' && key !== 'status');
  return random() < 0.6 && there.length > 0 ? there : [...known, ...there];
}

function change(holder: JsonObject | Json[], key: string, at: Schema | undefined, random: Random, of: BuiltIn): void {
  const object = holder as JsonObject;
  const chance = random();
  if (chance < 0.15 && key in object) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete object[key];
  } else if (chance < 0.22 && Array.isArray(holder)) {
    holder.push(structuredClone(holder[Number(key)] as Json));
  } else if (chance < 0.26) {
    object[key] = pick<Json>(random, ['', 0, true, {}, [], null, 'x', -1]);
  } else {
    object[key] = make(at, random, key, of, 0);
  }
}

const texts = [
  ...['', 'a', 'web', 'Web', 'a_b', 'a.b', '-a', 'a-', 'x'.repeat(64), 'x'.repeat(254), '10', '1.2.3.4', '::1', '*'],
  ...['example.org/a', 'a/b/c', 'ünicode', 'a b', 'http', 'https://example.org', '/', '/data', '../x', '25%', '101%'],
  ...['10.0.0.0/8', '10.0.0.1/8', 'TCP', 'UDP', 'SCTP', 'Always', 'Never', 'OnFailure', 'IfNotPresent', 'ClusterIP'],
  ...['NodePort', 'LoadBalancer', 'ExternalName', 'None', 'Cluster', 'Local', 'ReadWriteMany', 'Retain', 'Delete'],
  ...['Recreate', 'OnDelete', 'RollingUpdate', 'Parallel', 'Indexed', 'Replace', 'Allow', 'Exact', 'Prefix', 'In'],
  ...[
    'NotIn',
    'Exists',
    'DoesNotExist',
    'Utilization',
    'AverageValue',
    'Resource',
    'Pods',
    'IPv4',
    'IPv6',
    'Immediate',
  ],
  ...[
    '@daily',
    '* * * * *',
    '60 * * * *',
    'Europe/Berlin',
    'Nowhere',
    'SingleStack',
    'RequireDualStack',
    'kube-system',
  ],
];
const quantities = ['1', '100m', '-1', '0', '1Gi', '64Mi', '0.5', '1e3', 'abc', '', '1.5Gi', '1 Gi', '10Ti', '1m'];
const numbers = [-1, 0, 1, 2, 3, 30, 80, 100, 101, 1000, 65_535, 65_536, 2_147_483_647, 2_147_483_648, 1_000_000_001];
const names = ['app', 'web', 'a', 'example.org/a', '-a', 'a b', 'key', 'x'.repeat(64), 'kubernetes.io/x', '', 'cpu'];

function make(at: Schema | undefined, random: Random, key: string, of: BuiltIn, depth: number): Json {
  const format = at?.format ?? '';
  if (at?.enum && random() < 0.8) return pick(random, at.enum as Json[]);
  const isQuantity = ['cpu', 'memory', 'storage'].includes(key) || (at?.type === undefined && format === 'quantity');
  if (isQuantity) return pick<Json>(random, quantities);
  switch (at?.type) {
    case 'boolean':
      return random() < 0.5;
    case 'integer':
    case 'number':
      return pick(random, numbers);
    case 'array': {
      const count = Math.floor(random() * 3);
      return Array.from({ length: count }, () => make(at.items, random, key, of, depth + 1));
    }
    case 'object':
      return made(at, random, of, depth);
    case 'string':
      return pick<Json>(random, random() < 0.2 ? quantities : texts);
  }
  if (at?.properties) return made(at, random, of, depth);
  return pick<Json>(random, [...texts, ...numbers, ...quantities]);
}

function made(at: Schema, random: Random, of: BuiltIn, depth: number): JsonObject {
  const out: JsonObject = {};
  const known = Object.entries(at.properties ?? {});
  if (known.length === 0) {
    const more = typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined;
    for (let n = Math.floor(random() * 3); n > 0; n--) {
      const key = pick(random, names);
      out[key] = make(more, random, key, of, depth + 1);
    }
    return out;
  }
  const wanted = depth > 3 ? 0.05 : Math.min(0.5, 2 / known.length);
  for (const [key, below] of known)
    if (random() < ((at.required ?? []).includes(key) ? 0.9 : wanted))
      out[key] = make(below, random, key, of, depth + 1);
  return out;
}
