/** Effects of single changes: what counts of a fork, and what has no effect. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RenderedObject } from '../../src/core/model.js';
import { changesBetween } from '../../src/effects/change.js';
import { repositoryOf } from '../../src/effects/images.js';
import { effectRows, effectsOf, severityOf } from '../../src/effects/table.js';
import { applied } from '../support/known.js';

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  more: JsonObject = {},
  namespace = 'team',
): RenderedObject =>
  ({
    ref: { apiVersion, kind, name, namespace },
    value: { apiVersion, kind, metadata: { name, namespace }, ...more },
  }) as unknown as RenderedObject;

/** The rows of all effects of a change from one list of objects to another. */
function rowsOf(before: RenderedObject[], after: RenderedObject[]): string[] {
  const [base, head] = [applied(before), applied(after)];
  return changesBetween(base, head).flatMap((change) => effectsOf(change, { base, head }).map(({ row }) => row.id));
}

const policy = (apiVersion: string, kind: string, spec: JsonObject, name = 'p') =>
  object(apiVersion, kind, name, { spec });
const kubernetes = (spec: JsonObject, name?: string) => policy('networking.k8s.io/v1', 'NetworkPolicy', spec, name);
const cilium = (spec: JsonObject) => policy('cilium.io/v2', 'CiliumNetworkPolicy', spec);
const calico = (spec: JsonObject) => policy('crd.projectcalico.org/v1', 'NetworkPolicy', spec);
const from = (app: string) => ({ from: [{ podSelector: { matchLabels: { app } } }] });
const deployment = (pod: JsonObject, name = 'web') =>
  object('apps/v1', 'Deployment', name, {
    spec: { template: { spec: { containers: [{ name: 'a', image: 'nginx:1' }], ...pod } } },
  });
const container = (more: JsonObject) => ({ containers: [{ name: 'a', image: 'nginx:1', ...more }] });

describe('a network policy lets more through', () => {
  test.each<[string, RenderedObject, RenderedObject, boolean]>([
    ['with one rule more', kubernetes({ ingress: [from('a')] }), kubernetes({ ingress: [from('a'), from('b')] }), true],
    [
      'not with one rule less',
      kubernetes({ ingress: [from('a'), from('b')] }),
      kubernetes({ ingress: [from('a')] }),
      false,
    ],
    ['not with no rule left', kubernetes({ ingress: [from('a')] }), kubernetes({ ingress: [] }), false],
    [
      'with another selector',
      kubernetes({ podSelector: {} }),
      kubernetes({ podSelector: { matchLabels: { a: 'b' } } }),
      true,
    ],
    [
      'without the last rule for egress, and without policyTypes',
      kubernetes({ egress: [from('a')] }),
      kubernetes({}),
      true,
    ],
    ['of Cilium with no rule left', cilium({ ingress: [{}] }), cilium({}), true],
    [
      'not of Cilium with a rule less',
      cilium({ ingress: [from('a'), from('b')] }),
      cilium({ ingress: [from('a')] }),
      false,
    ],
    ['not of Cilium that denies more', cilium({ ingressDeny: [] }), cilium({ ingressDeny: [from('a')] }), false],
    ['of Cilium that denies less', cilium({ ingressDeny: [from('a')] }), cilium({ ingressDeny: [] }), true],
    [
      'of Calico with a rule less, which may deny',
      calico({ ingress: [{ action: 'Deny' }] }),
      calico({ ingress: [] }),
      true,
    ],
  ])('%s', (_, before, after, opens) => {
    expect(rowsOf([before], [after])).toEqual(opens ? ['network-policy'] : []);
  });

  test('if a new one comes to another of its namespace, but not as the first', () => {
    const added = kubernetes({ ingress: [from('a')] }, 'added');
    expect(rowsOf([], [added])).toEqual([]);
    const old = kubernetes({ ingress: [] });
    expect(rowsOf([old], [old, added])).toEqual(['network-policy']);
    expect(rowsOf([], [calico({ ingress: [{ action: 'Allow' }] })])).toEqual(['network-policy']);
  });
});

describe('a pod', () => {
  test.each<[string, JsonObject, string[]]>([
    ['gets all privileges', container({ securityContext: { privileged: true } }), ['escape']],
    ['gets a capability', container({ securityContext: { capabilities: { add: ['CAP_SYS_ADMIN'] } } }), ['escape']],
    ['gets a capability that all have', container({ securityContext: { capabilities: { add: ['CHOWN'] } } }), []],
    ['uses the network of the host', { hostNetwork: true }, ['escape']],
    ['mounts a path of the host', { volumes: [{ name: 'v', hostPath: { path: '/' } }] }, ['escape']],
    ['gets a port of the host', container({ ports: [{ containerPort: 1, hostPort: 1 }] }), ['escape']],
    ['runs as another account', { serviceAccountName: 'root' }, ['pod-account']],
    ['has another image', container({ image: 'evil.example/nginx:1' }), ['image']],
    ['has another version of its image', container({ image: 'docker.io/library/nginx:2' }), []],
    ['reads a Secret', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }, ['secret']],
    ['has more replicas of the scheduler', { schedulerName: 'other' }, []],
  ])('%s', (_, pod, expected) => {
    expect(rowsOf([deployment({})], [deployment(pod)])).toEqual(expected);
  });

  test('is found in any kind, and what it had before is no effect', () => {
    const custom = (pod: JsonObject) => object('example.org/v1', 'Custom', 'c', { spec: { deep: [{ pod }] } });
    const privileged = container({ securityContext: { privileged: true } });
    expect(rowsOf([custom(container({}))], [custom(privileged)])).toEqual(['escape']);
    expect(rowsOf([custom(privileged)], [custom({ ...privileged, dnsPolicy: 'None' })])).toEqual([]);
  });

  test('may run as an account that the change creates, unless a binding of the base names it', () => {
    const account = object('v1', 'ServiceAccount', 'own');
    const binding = object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'b', {
      subjects: [{ kind: 'ServiceAccount', name: 'own', namespace: 'team' }],
    });
    const after = [account, deployment({ serviceAccountName: 'own' })];
    expect(rowsOf([deployment({})], after)).toEqual([]);
    expect(rowsOf([deployment({}), binding], [...after, binding])).toEqual(['pod-account']);
  });
});

describe('a PersistentVolume', () => {
  const volume = (spec: JsonObject) => object('v1', 'PersistentVolume', 'v', { spec });
  test.each<[string, RenderedObject[], RenderedObject, boolean]>([
    ['gives a path of the node', [], volume({ hostPath: { path: '/' } }), true],
    ['gives a disk of the node', [], volume({ local: { path: '/mnt' } }), true],
    ['gives another path', [volume({ hostPath: { path: '/a' } })], volume({ hostPath: { path: '/' } }), true],
    [
      'gives no more with more capacity',
      [volume({ local: { path: '/a' } })],
      volume({ local: { path: '/a' }, capacity: {} }),
      false,
    ],
    ['gives a share of a server', [], volume({ nfs: { path: '/', server: '192.0.2.1' } }), false],
  ])('%s', (_, before, after, isEscape) => {
    expect(rowsOf(before, [after])).toEqual(isEscape ? ['host-volume'] : []);
  });
});

describe('the level of Pod Security of a Namespace', () => {
  const namespace = (level?: string) =>
    object('v1', 'Namespace', 'n', {
      metadata: { name: 'n', ...(level && { labels: { 'pod-security.kubernetes.io/enforce': level } }) },
    });
  test.each<[string, RenderedObject[], RenderedObject, boolean]>([
    ['privileged in a new one', [], namespace('privileged'), true],
    ['restricted in a new one', [], namespace('restricted'), false],
    ['privileged where none was set', [namespace()], namespace('privileged'), true],
    ['baseline where none was set', [namespace()], namespace('baseline'), false],
    ['privileged after restricted', [namespace('restricted')], namespace('privileged'), true],
    ['none after baseline', [namespace('baseline')], namespace(), true],
    ['restricted after baseline', [namespace('baseline')], namespace('restricted'), false],
  ])('is %s', (_, before, after, isWeaker) => {
    expect(rowsOf(before, [after])).toEqual(isWeaker ? ['pod-security-level'] : []);
  });
});

describe('what decides who may do what', () => {
  const rbac = (kind: string, metadata: JsonObject) => {
    const { ref, value } = object('rbac.authorization.k8s.io/v1', kind, 'r');
    return {
      ref,
      value: { ...value, metadata: { ...(value.metadata as JsonObject), ...metadata } },
    } as unknown as RenderedObject;
  };
  test.each<[string, JsonObject, string[]]>([
    ['RoleBinding', { labels: { team: 'a' } }, []],
    ['Role', { annotations: { 'example.org/owner': 'a' } }, []],
    ['ClusterRoleBinding', { labels: { team: 'a' }, annotations: { 'example.org/owner': 'a' } }, []],
    ['ClusterRole', { labels: { team: 'a' } }, ['access']],
    ['Role', { annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } }, ['access']],
    ['Role', { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } }, ['access']],
  ])('is changed by labels and annotations that are read: %s %j', (kind, metadata, expected) => {
    expect(rowsOf([rbac(kind, {})], [rbac(kind, metadata)])).toEqual(expected);
  });

  test('is changed by a new Role', () => {
    expect(rowsOf([], [rbac('Role', { labels: { team: 'a' } })])).toEqual(['access']);
  });
});

test.each([
  ['nginx', 'docker.io/library/nginx'],
  ['nginx:1.27@sha256:abc', 'docker.io/library/nginx'],
  ['team/app:2', 'docker.io/team/app'],
  ['index.docker.io/team/app', 'docker.io/team/app'],
  ['localhost/app', 'localhost/app'],
  ['registry.example:5000/a/b:1', 'registry.example:5000/a/b'],
])('the repository of the image %s is %s', (image, repository) => {
  expect(repositoryOf(image)).toBe(repository);
});

test('every row has a name of its own, and is an error if a fork brings it', () => {
  expect(new Set(effectRows.map(({ id }) => id)).size).toBe(effectRows.length);
  const [base, head] = [applied([deployment({})]), applied([deployment({ hostNetwork: true })])];
  const [effect] = changesBetween(base, head).flatMap((change) => effectsOf(change, { base, head }));
  if (!effect) throw new Error('no effect');
  expect([severityOf(effect, 'fork'), severityOf(effect, 'same-repository')]).toEqual(['error', 'warning']);
});

/** Of the whole cluster. */
const wide = (apiVersion: string, kind: string, more: JsonObject = {}, metadata: JsonObject = {}): RenderedObject =>
  ({
    ref: { apiVersion, kind, name: 'w' },
    value: { apiVersion, kind, metadata: { name: 'w', ...metadata }, ...more },
  }) as unknown as RenderedObject;
const annotated = (one: RenderedObject, metadata: JsonObject): RenderedObject =>
  ({
    ...one,
    value: { ...one.value, metadata: { ...(one.value.metadata as JsonObject), ...metadata } },
  }) as RenderedObject;
const release = (spec: JsonObject) => object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'app', { spec });
const platform = (values: JsonObject) =>
  object('cozystack.io/v1alpha1', 'Package', 'cozystack.cozystack-platform', {
    spec: { components: { platform: { values } } },
  });
const template = (metadata: JsonObject) =>
  object('apps/v1', 'Deployment', 'web', { spec: { template: { metadata, spec: { containers: [{ name: 'a' }] } } } });
const configMap = (namespace: string) => object('v1', 'ConfigMap', 'c', { data: {} }, namespace);

describe('what reaches further than a namespace:', () => {
  test.each<[string, RenderedObject[], RenderedObject, string[]]>([
    ['a storage class', [], wide('storage.k8s.io/v1', 'StorageClass'), ['cluster-wide']],
    [
      'labels of a storage class',
      [wide('storage.k8s.io/v1', 'StorageClass')],
      wide('storage.k8s.io/v1', 'StorageClass', {}, { labels: { a: 'b' } }),
      [],
    ],
    ['a new Namespace', [], wide('v1', 'Namespace'), []],
    [
      'a label by which the platform knows tenants',
      [wide('v1', 'Namespace')],
      wide('v1', 'Namespace', {}, { labels: { 'tenant.cozystack.io/root': '' } }),
      ['cluster-wide'],
    ],
    ['a ConfigMap of Kubernetes', [], configMap('kube-system'), ['platform-namespace']],
    ['a ConfigMap of the platform', [], configMap('cozy-cilium'), ['platform-namespace']],
    ['a ConfigMap of the repository', [], configMap('cozy-customizer'), []],
    ['a ConfigMap in a namespace of a team', [], configMap('team'), []],
    ['other values of the platform', [platform({})], platform({ publishing: { host: 'x' } }), ['platform-values']],
    ['other colours of the platform', [platform({})], platform({ branding: { title: 'x' } }), []],
    ['a release that is suspended', [release({})], release({ suspend: true }), []],
    ['a release that is recreated', [release({})], release({ upgrade: { force: true } }), ['release-action']],
    ['a release that is tried more often', [release({})], release({ upgrade: { remediation: { retries: 3 } } }), []],
    [
      'a Secret that is copied',
      [object('v1', 'Secret', 's')],
      annotated(object('v1', 'Secret', 's'), {
        annotations: { 'reflector.v1.k8s.emberstack.com/reflection-allowed': 'true' },
      }),
      ['account-identity'],
    ],
    [
      'an account of a cloud',
      [object('v1', 'ServiceAccount', 's')],
      annotated(object('v1', 'ServiceAccount', 's'), { annotations: { 'eks.amazonaws.com/role-arn': 'x' } }),
      ['account-identity'],
    ],
    [
      'a note at an account',
      [object('v1', 'ServiceAccount', 's')],
      annotated(object('v1', 'ServiceAccount', 's'), { annotations: { 'example.org/team': 'x' } }),
      [],
    ],
    [
      'a claim with the data of another',
      [],
      object('v1', 'PersistentVolumeClaim', 'p', { spec: { dataSourceRef: { namespace: 'other', name: 'x' } } }),
      ['data-source'],
    ],
    [
      'a user of the platform',
      [],
      object('v1.edp.epam.com/v1', 'KeycloakRealmUser', 'u', { spec: { groups: ['admin'] } }),
      ['access'],
    ],
    ['a Terraform', [], object('infra.contrib.fluxcd.io/v1alpha2', 'Terraform', 't', { spec: {} }), ['other-actor']],
    ['a push to git', [], object('image.toolkit.fluxcd.io/v1', 'ImageUpdateAutomation', 'a'), ['other-actor']],
    ['a restore', [], object('backups.cozystack.io/v1alpha1', 'RestoreJob', 'r'), ['restored-data']],
    [
      'fewer shards',
      [object('apps.cozystack.io/v1alpha1', 'ClickHouse', 'c', { spec: { shards: 2 } })],
      object('apps.cozystack.io/v1alpha1', 'ClickHouse', 'c', { spec: { shards: 1 } }),
      ['removed-part'],
    ],
    [
      'a storage of a list',
      [
        object('apps.cozystack.io/v1alpha1', 'Monitoring', 'm', {
          spec: { metricsStorages: [{ name: 'a' }, { name: 'b' }] },
        }),
      ],
      object('apps.cozystack.io/v1alpha1', 'Monitoring', 'm', { spec: { metricsStorages: [{ name: 'b' }] } }),
      ['removed-part'],
    ],
    ['an empty claim', [], object('v1', 'PersistentVolumeClaim', 'p', { spec: {} }), []],
  ])('%s', (_, before, after, rows) => {
    expect(rowsOf(before, [after])).toEqual(rows);
  });
});

test('a probe of another host leaves the sandbox, one of the pod does not', () => {
  const probe = (httpGet: JsonObject) => deployment(container({ livenessProbe: { httpGet } }));
  expect(rowsOf([probe({ port: 80 })], [probe({ port: 80, host: '192.0.2.1' })])).toEqual(['escape']);
  expect(rowsOf([probe({ port: 80 })], [probe({ port: 81 })])).toEqual([]);
});

describe('where a pod runs and what it reaches:', () => {
  test.each<[string, RenderedObject, RenderedObject, string[]]>([
    ['a runtime', deployment({}), deployment({ runtimeClassName: 'x' }), ['placement']],
    ['a node', deployment({}), deployment({ nodeName: 'x' }), ['placement']],
    ['a volume of another system', deployment({}), deployment({ volumes: [{ name: 'a', nfs: {} }] }), ['placement']],
    ['a volume of its own', deployment({}), deployment({ volumes: [{ name: 'a', emptyDir: {} }] }), []],
    [
      'a volume that is an image',
      deployment({}),
      deployment({ volumes: [{ name: 'a', image: { reference: 'evil.example/x:1' } }] }),
      ['image'],
    ],
    [
      'a profile by an annotation',
      template({}),
      template({ annotations: { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' } }),
      ['escape'],
    ],
    [
      'another network',
      template({}),
      template({ annotations: { 'k8s.v1.cni.cncf.io/networks': 'kube-system/host' } }),
      ['pod-network'],
    ],
    ['a label of the platform', template({}), template({ labels: { 'policy.cozystack.io/x': '' } }), ['pod-network']],
    ['a label of its own', template({}), template({ labels: { app: 'a' } }), []],
  ])('%s', (_, before, after, rows) => {
    expect(rowsOf([before], [after])).toEqual(rows);
  });
});

describe('values of a chart:', () => {
  test.each<[string, JsonObject, string[]]>([
    ['a privileged container', { securityContext: { privileged: true } }, ['named-escape']],
    ['a directory of the node', { extraVolumes: [{ name: 'h', hostPath: { path: '/' } }] }, ['named-escape']],
    ['a capability', { sc: { capabilities: { add: ['SYS_ADMIN'] } } }, ['named-escape']],
    ['a usual capability', { sc: { capabilities: { add: ['NET_BIND_SERVICE'] } } }, []],
    ['an account that is there', { serviceAccount: { create: false, name: 'admin' } }, ['named-escape']],
    ['an account of the chart', { serviceAccount: { create: true, name: 'app' } }, []],
    ['a registry', { global: { imageRegistry: 'evil.example' } }, ['image']],
    ['a disk of the node', { volumes: [{ name: 'd', hostDisk: { path: '/dev/sda' } }] }, ['named-escape']],
    ['an image by its own key', { sidecarImage: 'evil.example/x:1' }, ['image']],
    ['images by name', { images: { a: 'evil.example/x:1' } }, ['image']],
    ['a repository by its own key', { sidecar: { imageRepository: 'evil.example/x' } }, ['image']],
    ['an image in an argument', { extraArgs: ['--solver-image=evil.example/x:1'] }, ['image']],
    ['a file of an image', { logoImage: 'logo.png', imagePullPolicy: 'Always' }, []],
    ['a manifest of a template', { extra: ['{{ printf "api%s" "Version" }}: v1\nkind: Pod'] }, ['embedded-object']],
    ['no policy at all', { policyEnforcementMode: 'never' }, ['pod-network']],
    ['no network policy', { networkPolicy: { enabled: false } }, ['pod-network']],
    ['addresses', { service: { externalIPs: ['192.0.2.1'] } }, ['pod-network']],
    ['more replicas', { replicaCount: 3, privileged: false }, []],
  ])('%s', (_, values, rows) => {
    expect(rowsOf([release({ values: {} })], [release({ values })])).toEqual(rows);
    expect(rowsOf([release({ values })], [release({ values: { ...values, more: 1 } })])).toEqual([]);
  });
});

describe('a Secret that the change itself creates is read', () => {
  const secret = (metadata: JsonObject = {}) =>
    annotated(object('v1', 'Secret', 's', { stringData: { a: 'b' } }), metadata);
  const env = (key: string) => deployment(container({ env: [{ valueFrom: { secretKeyRef: { name: 's', key } } }] }));
  const left = { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' } };
  test.each<[string, RenderedObject, RenderedObject, string[]]>([
    ['by a key that it has', secret(), env('a'), []],
    ['by a key that only the cluster may have', secret(), env('b'), ['secret']],
    [
      'as a whole, with all that the cluster may have',
      secret(),
      deployment(container({ envFrom: [{ secretRef: { name: 's' } }] })),
      ['secret'],
    ],
    ['although Flux leaves the one of the cluster', secret(left), env('a'), ['secret']],
  ])('%s', (_, made, after, rows) => {
    expect(rowsOf([deployment({})], [made, after])).toEqual(rows);
  });
});
