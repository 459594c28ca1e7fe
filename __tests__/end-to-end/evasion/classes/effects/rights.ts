/** Objects that apply or fetch others: releases, Flux Kustomizations, sources and PackageSources. */
import type { JsonObject } from '../../../../../src/core/model.js';
import { lookUp } from '../../../../../src/core/object.js';
import type { Effect } from '../effects.js';
import { clusterWide, flux, gitRepository, note, object, platformSource } from '../site.js';

const chart = (spec: JsonObject = {}): JsonObject => ({
  spec: { chart: 'portal', version: '1.0.0', sourceRef: { kind: 'HelmRepository', name: 'charts' }, ...spec },
});
const release = (spec: JsonObject = {}, name = 'portal') =>
  object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', name, {
    spec: { interval: '5m', serviceAccountName: 'installer', chart: chart(), values: { replicas: 1 }, ...spec },
  });
const ofSource = (kind: string, spec: JsonObject, name = 'charts') =>
  object('source.toolkit.fluxcd.io/v1', kind, name, { spec: { interval: '5m', ...spec } });
const charts = ofSource('HelmRepository', { url: 'https://charts.example.org' });
const own = flux('team', './calm', { serviceAccountName: 'team' });
const packageSource = clusterWide('cozystack.io/v1alpha1', 'PackageSource', 'example.portal', {
  spec: {
    sourceRef: { kind: 'OCIRepository', name: 'portal', namespace: 'cozy-system', path: '/' },
    variants: [
      {
        name: 'default',
        components: [{ name: 'portal', path: 'portal', install: { namespace: 'cozy-portal', releaseName: 'portal' } }],
      },
    ],
  },
});
const manifest = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'extra' } };
const values = note('values', { 'values.yaml': 'replicas: 1\n' });
const withValues = release({ valuesFrom: [{ kind: 'ConfigMap', name: 'values' }] });
/** A ConfigMap of the same name and with a field of its own, which does nothing. */
const harmless = (name: string) => ({ object: note(name, { x: '1' }), field: ['data', 'x'], value: '2', decoy: '1' });
const ofRelease = { beside: { charts } };
const moreReplicas = { object: release(), field: ['spec', 'values', 'replicas'], value: 2, decoy: 1 };

export const rights: Record<string, Effect> = {
  'new release': {
    object: release({ serviceAccountName: null }),
    field: ['spec', 'chart', 'spec', 'version'],
    value: '1.0.0',
    isAdded: true,
    twin: harmless('portal'),
    ...ofRelease,
  },
  'release with another account': {
    object: release(),
    field: ['spec', 'serviceAccountName'],
    value: 'admin',
    decoy: 'installer',
    twin: moreReplicas,
    ...ofRelease,
  },
  'release without an account': {
    object: release(),
    field: ['spec', 'serviceAccountName'],
    value: null,
    decoy: 'installer',
    twin: { field: ['spec', 'interval'], value: '6m', decoy: '5m' },
    ...ofRelease,
  },
  'release in another cluster': {
    object: release(),
    field: ['spec', 'kubeConfig'],
    value: { secretRef: { name: 'other' } },
    twin: moreReplicas,
    ...ofRelease,
  },
  'another chart': {
    object: release(),
    field: ['spec', 'chart', 'spec', 'chart'],
    value: 'evil',
    decoy: 'portal',
    twin: moreReplicas,
    ...ofRelease,
  },
  'another version of a chart': {
    object: release(),
    field: ['spec', 'chart', 'spec', 'version'],
    value: '9.9.9',
    decoy: '1.0.0',
    twin: moreReplicas,
    ...ofRelease,
  },
  'another repository of a chart': {
    object: release(),
    field: ['spec', 'chart', 'spec', 'sourceRef', 'name'],
    value: 'others',
    decoy: 'charts',
    beside: { charts, others: ofSource('HelmRepository', { url: 'https://evil.example.org' }, 'others') },
  },
  'values from elsewhere': {
    object: release(),
    field: ['spec', 'valuesFrom'],
    value: [{ kind: 'ConfigMap', name: 'evil' }],
    beside: { charts, evil: note('evil', { 'values.yaml': 'replicas: 3\n' }) },
  },
  'patches of a release': {
    object: release(),
    field: ['spec', 'postRenderers'],
    value: [{ kustomize: { patches: [{ patch: '- {op: remove, path: /spec/x}', target: { kind: 'Deployment' } }] } }],
    ...ofRelease,
  },
  'values that a release reads': {
    object: values,
    field: ['data', 'values.yaml'],
    value: 'image: evil\n',
    decoy: 'replicas: 1\n',
    twin: { object: note('other'), field: ['data', 'values.yaml'], value: 'replicas: 2\n', decoy: 'replicas: 1\n' },
    beside: { charts, withValues },
  },
  'manifest in values': {
    object: release(),
    field: ['spec', 'values', 'extraObjects'],
    value: [manifest],
    twin: moreReplicas,
    ...ofRelease,
  },
  'text of a manifest in values': {
    object: release(),
    field: ['spec', 'values', 'extra'],
    value: 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: extra}\n',
    twin: { field: ['spec', 'values', 'extra'], value: 'hello\nworld\n' },
    ...ofRelease,
  },
  'new Flux object': {
    object: flux('evil', './calm'),
    field: ['spec', 'path'],
    value: './calm',
    isAdded: true,
    twin: harmless('evil'),
  },
  'Flux object without its account': {
    object: own,
    field: ['spec', 'serviceAccountName'],
    value: null,
    decoy: 'team',
    twin: { field: ['spec', 'interval'], value: '6m', decoy: '5m' },
  },
  'Flux object with another account': {
    object: own,
    field: ['spec', 'serviceAccountName'],
    value: 'root',
    decoy: 'team',
    twin: { field: ['spec', 'timeout'], value: '6m', decoy: '5m' },
  },
  'Flux object of another cluster': {
    object: own,
    field: ['spec', 'kubeConfig'],
    value: { secretRef: { name: 'other' } },
  },
  'another path': { object: own, field: ['spec', 'path'], value: './other', decoy: './calm' },
  'another source': {
    object: own,
    field: ['spec', 'sourceRef'],
    value: { kind: 'GitRepository', name: 'other' },
    decoy: platformSource,
    beside: { other: gitRepository('other', 'https://github.com/o/other') },
  },
  'patches of a Flux object': {
    object: own,
    field: ['spec', 'patches'],
    value: [{ patch: '- {op: add, path: /data/x, value: y}', target: { kind: 'ConfigMap' } }],
    twin: { field: ['spec', 'wait'], value: true },
  },
  'another target namespace': { object: own, field: ['spec', 'targetNamespace'], value: 'kube-system' },
  'another shard': {
    object: own,
    field: ['metadata', 'labels', 'sharding.fluxcd.io/key'],
    value: 'nobody',
    twin: { field: ['metadata', 'labels', 'team'], value: 'one' },
  },
  'another shard of a source': {
    object: charts,
    field: ['metadata', 'labels', 'sharding.fluxcd.io/key'],
    value: 'nobody',
    twin: { field: ['spec', 'interval'], value: '6m', decoy: '5m' },
  },
  'new PackageSource': {
    object: packageSource,
    field: ['spec', 'sourceRef', 'name'],
    value: 'evil',
    decoy: 'portal',
    isAdded: true,
    twin: harmless('portal'),
  },
  'another source of a PackageSource': {
    object: packageSource,
    field: ['spec', 'sourceRef', 'name'],
    value: 'evil',
    decoy: 'portal',
  },
  'another path of a PackageSource': {
    object: packageSource,
    field: ['spec', 'sourceRef', 'path'],
    value: '/evil',
    decoy: '/',
  },
  'new source': {
    object: ofSource('OCIRepository', { url: 'oci://evil.example.org/x', ref: { tag: 'v1' } }, 'evil'),
    field: ['spec', 'ref', 'tag'],
    value: 'v1',
    isAdded: true,
    twin: harmless('evil'),
  },
  'another address of charts': {
    object: charts,
    field: ['spec', 'url'],
    value: 'https://evil.example.org',
    decoy: 'https://charts.example.org',
    twin: { field: ['spec', 'timeout'], value: '2m', decoy: '1m' },
  },
  'another address of an artifact': {
    object: ofSource('OCIRepository', { url: 'oci://ghcr.io/a/b', ref: { tag: 'v1' } }),
    field: ['spec', 'url'],
    value: 'oci://evil.example.org/a/b',
    decoy: 'oci://ghcr.io/a/b',
  },
  'another tag of an artifact': {
    object: ofSource('OCIRepository', { url: 'oci://ghcr.io/a/b', ref: { tag: 'v1' } }),
    field: ['spec', 'ref', 'tag'],
    value: 'v2',
    decoy: 'v1',
  },
  'another address of a repository': {
    object: gitRepository('theirs', 'https://github.com/o/other'),
    field: ['spec', 'url'],
    value: 'https://example.org/o/r',
    decoy: 'https://github.com/o/other',
    twin: { field: ['spec', 'timeout'], value: '2m', decoy: '1m' },
  },
  'another branch of a repository': {
    object: gitRepository('theirs', 'https://github.com/o/other'),
    field: ['spec', 'ref', 'branch'],
    value: 'evil',
    decoy: 'main',
  },
  'verification switched off': {
    object: gitRepository('theirs', 'https://github.com/o/other', {
      verify: { mode: 'HEAD', secretRef: { name: 'keys' } },
    }),
    field: ['spec', 'verify'],
    value: null,
    decoy: { mode: 'HEAD', secretRef: { name: 'keys' } },
    isBad: (one) => !lookUp(one, ['spec', 'verify']),
    twin: { field: ['spec', 'interval'], value: '6m', decoy: '5m' },
  },
};
