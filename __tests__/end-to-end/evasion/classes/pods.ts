/** Pods that leave their sandbox, in every kind that has pods and every list of containers. */
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { getString, isObject, lookUp } from '../../../../src/core/object.js';
import type { Random } from '../writing.js';
import { draftOf, type Effect } from './effects.js';
import { type Draw, object } from './site.js';

type Spec = JsonObject & { containers: JsonObject[] };
type List = 'containers' | 'initContainers' | 'sidecars' | 'ephemeralContainers';
type Escape = {
  /** Adds the harm to the pod, or to its container. */
  ofPod?: (spec: Spec) => Spec;
  ofContainer?: (container: JsonObject) => JsonObject;
  /** The same without harm. */
  twin?: (part: JsonObject) => JsonObject;
  isIn(spec: JsonObject, containers: JsonObject[]): boolean;
};

const withContext = (more: JsonObject) => (container: JsonObject) => ({ ...container, securityContext: more });
const added = (container: JsonObject): string[] => {
  const names = lookUp(container, ['securityContext', 'capabilities', 'add']);
  return Array.isArray(names) ? names.map(String) : [];
};
const host = (field: string): Escape => ({
  ofPod: (spec) => ({ ...spec, [field]: true }),
  twin: (spec) => ({ ...spec, [field]: false }),
  isIn: (spec) => spec[field] === true,
});
const capability = (name: string): Escape => ({
  ofContainer: withContext({ capabilities: { add: [name] } }),
  twin: withContext({ capabilities: { drop: ['ALL'] } }),
  isIn: (_, containers) => containers.some((one) => added(one).includes(name)),
});
const image = (name: string): Escape => ({
  ofContainer: (container) => ({ ...container, image: name }),
  twin: (container) => ({ ...container, image: 'docker.io/library/nginx:2' }),
  isIn: (_, containers) => containers.some((one) => one.image === name),
});
const profile = (field: string, value: JsonObject, twin: JsonObject): Escape => ({
  ofContainer: withContext({ [field]: value }),
  twin: withContext({ [field]: twin }),
  isIn: (_, containers) => containers.some((one) => isSameText(lookUp(one, ['securityContext', field]), value)),
});
const isSameText = (one: Json | undefined, other: Json) => JSON.stringify(one) === JSON.stringify(other);
const ofHost = { name: 'host', hostPath: { path: '/' } };

const escapes: Record<string, Escape> = {
  privileged: {
    ofContainer: withContext({ privileged: true }),
    twin: withContext({ privileged: false }),
    isIn: (_, containers) => containers.some((one) => lookUp(one, ['securityContext', 'privileged']) === true),
  },
  'capability SYS_ADMIN': capability('SYS_ADMIN'),
  'capability NET_ADMIN': capability('NET_ADMIN'),
  'capability CAP_SYS_PTRACE': capability('CAP_SYS_PTRACE'),
  'all capabilities': capability('ALL'),
  hostNetwork: host('hostNetwork'),
  hostPID: host('hostPID'),
  hostIPC: host('hostIPC'),
  hostPath: {
    ofPod: (spec) => ({ ...spec, volumes: [ofHost] }),
    twin: (spec) => ({ ...spec, volumes: [{ name: 'host', emptyDir: {} }] }),
    isIn: (spec) => Array.isArray(spec.volumes) && spec.volumes.some((one) => lookUp(one, ['hostPath']) !== undefined),
  },
  hostPort: {
    ofContainer: (container) => ({ ...container, ports: [{ containerPort: 80, hostPort: 80 }] }),
    twin: (container) => ({ ...container, ports: [{ containerPort: 80 }] }),
    isIn: (_, containers) =>
      containers.some(({ ports }) => Array.isArray(ports) && ports.some((one) => lookUp(one, ['hostPort']) === 80)),
  },
  'seccomp profile': profile('seccompProfile', { type: 'Unconfined' }, { type: 'RuntimeDefault' }),
  'AppArmor profile': profile('appArmorProfile', { type: 'Unconfined' }, { type: 'RuntimeDefault' }),
  'another account': {
    ofPod: (spec) => ({ ...spec, serviceAccountName: 'admin' }),
    twin: (spec) => ({ ...spec, serviceAccountName: 'default' }),
    isIn: (spec) => getString(spec, ['serviceAccountName']) === 'admin',
  },
  'another account by the old field': {
    ofPod: (spec) => ({ ...spec, serviceAccount: 'admin' }),
    twin: (spec) => ({ ...spec, serviceAccount: 'default' }),
    isIn: (spec) => getString(spec, ['serviceAccount']) === 'admin',
  },
  'image of another registry': image('evil.example.org/library/nginx:1'),
  'image of another repository': image('someone/nginx:1'),
  'image by digest of another registry': image(`evil.example.org:5000/nginx@sha256:${'a'.repeat(64)}`),
  'image that looks like the same': image('docker.io.evil.example.org/library/nginx:1'),
};

/** Kinds, with the path of their pod. */
const kinds: Record<string, { apiVersion: string; path: string[]; more: JsonObject; policy?: string }> = {
  Pod: { apiVersion: 'v1', path: ['spec'], more: {} },
  Deployment: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'], more: { replicas: 1 } },
  DaemonSet: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'], more: {} },
  StatefulSet: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'], more: { serviceName: 'web' } },
  ReplicaSet: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'], more: { replicas: 1 } },
  ReplicationController: { apiVersion: 'v1', path: ['spec', 'template', 'spec'], more: { replicas: 1 } },
  Job: { apiVersion: 'batch/v1', path: ['spec', 'template', 'spec'], more: {}, policy: 'Never' },
  CronJob: {
    apiVersion: 'batch/v1',
    path: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
    more: { schedule: '0 0 * * *' },
    policy: 'Never',
  },
};
const labels = { app: 'web' };

function workload(kind: string, spec: JsonObject): JsonObject {
  const { apiVersion, path, more, policy } = kinds[kind] as (typeof kinds)[string];
  const pod = { ...spec, ...(policy && { restartPolicy: policy }) };
  if (kind === 'Pod') return object(apiVersion, kind, 'web', { spec: pod });
  const template = { metadata: { labels }, spec: pod };
  if (kind === 'CronJob')
    return object(apiVersion, kind, 'web', { spec: { ...more, jobTemplate: { spec: { template } } } });
  const isSelecting = path.length === 3 && kind !== 'Job';
  const selector = kind === 'ReplicationController' ? labels : { matchLabels: labels };
  return object(apiVersion, kind, 'web', { spec: { ...more, ...(isSelecting && { selector }), template } });
}

const plain: JsonObject = { name: 'web', image: 'nginx:1' };
const other: JsonObject = { name: 'other', image: 'nginx:1' };

/** A pod with the container in one of its lists; nothing of the harm stands in the others. */
function podWith(list: List, container: JsonObject): Spec {
  if (list === 'containers') return { containers: [container] };
  if (list === 'sidecars') return { containers: [plain], initContainers: [{ ...container, restartPolicy: 'Always' }] };
  return { containers: [plain], [list]: [container] };
}

function specs(way: Escape, list: List): { bad: Spec; twin: Spec; before: Spec } {
  const one = list === 'containers' ? plain : other;
  const before = podWith(list, one);
  if (way.ofPod) return { bad: way.ofPod(before), twin: (way.twin?.(before) ?? before) as Spec, before };
  const bad = podWith(list, way.ofContainer?.(one) ?? one);
  return { bad, twin: podWith(list, way.twin?.(one) ?? one), before };
}

function containersIn(spec: JsonObject): JsonObject[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => {
    const items = spec[list];
    return Array.isArray(items) ? items.filter(isObject) : [];
  });
}

/** The base uses the image in another workload, so that a new one of it is no other registry. */
const inUse = object('apps/v1', 'Deployment', 'in-use', {
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [plain] } },
  },
});

function effectOf(random: Random): { effect: Effect; names: string[] } {
  const name = random.pick(Object.keys(escapes));
  const way = escapes[name] as Escape;
  const kind = random.pick(Object.keys(kinds));
  const path = (kinds[kind] as (typeof kinds)[string]).path;
  const lists: List[] = ['containers', 'containers', 'initContainers', 'sidecars'];
  const list = random.pick(kind === 'Pod' ? [...lists, 'ephemeralContainers' as const] : lists);
  const { bad, twin, before } = specs(way, list);
  const policy = kinds[kind]?.policy;
  const shown = (spec: Spec) => ({ ...spec, ...(policy && { restartPolicy: policy }) });
  const isIn = (one: JsonObject) => {
    const spec = lookUp(one, path);
    return isObject(spec) && way.isIn(spec, containersIn(spec));
  };
  // The API server rejects another pod in an object of these kinds.
  const isAdded = ['Pod', 'Job'].includes(kind) || random.chance(0.3);
  const effect: Effect = {
    object: workload(kind, bad),
    field: path,
    value: shown(bad),
    decoy: shown(before),
    isAdded,
    isBad: isIn,
    twin: { object: workload(kind, twin), value: shown(twin) },
    beside: { inUse },
  };
  return {
    effect,
    names: [`escape: ${name}`, `pod of: ${kind}`, `list: ${list}`, ...(isAdded ? ['new workload'] : [])],
  };
}

export const podsDraw: Draw = (random) => {
  const { effect, names } = effectOf(random);
  // The API server creates no Pod with ephemeral containers, so that it refuses the harmless one too.
  const isControl = !names.includes('list: ephemeralContainers') && random.chance(0.3);
  return draftOf(random, effect, isControl, names);
};
