/** The customizer and parts of the platform that are switched off, owners that do not exist, and parts of applications. */
import type { Json, JsonObject } from '../../../../../src/core/model.js';
import { lookUp } from '../../../../../src/core/object.js';
import type { Effect } from '../effects.js';
import { clusterWide, note, object } from '../site.js';

const flux = 'kustomize.toolkit.fluxcd.io';
const packageOf = (name: string, components: JsonObject): JsonObject => ({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'Package',
  metadata: { name: `cozystack.${name}`, annotations: { [`${flux}/ssa`]: 'Merge', [`${flux}/prune`]: 'disabled' } },
  spec: { components },
});
const platform = (values: JsonObject) => packageOf('cozystack-platform', { platform: { values } });
const settings = ['spec', 'components', 'platform', 'values', 'customizer'];
const publishing = { publishing: { host: 'example.org' } };
const on = { enabled: true, source: { url: 'https://github.com/o/r' } };
const isOff = (one: JsonObject) => {
  const enabled = lookUp(one, [...settings, 'enabled']);
  return enabled !== true;
};
const switchedOff = (value: Json): Effect => ({
  object: platform({ ...publishing, customizer: on }),
  field: [...settings, 'enabled'],
  value,
  decoy: true,
  isBad: isOff,
});
const owner = { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: '00000000-0000-0000-0000-000000000000' };
const owned = (value: JsonObject, isAdded = false): Effect => ({
  object: value,
  field: ['metadata', 'ownerReferences'],
  value: [owner],
  isAdded,
  isBad: (one) => Array.isArray(lookUp(one, ['metadata', 'ownerReferences'])),
});
const tenant = (spec: JsonObject) => object('apps.cozystack.io/v1alpha1', 'Tenant', 'team', { spec });
const postgres = (spec: JsonObject) => object('apps.cozystack.io/v1alpha1', 'Postgres', 'db', { spec });

export const disabling: Record<string, Effect> = {
  'customizer: enabled false': switchedOff(false),
  'customizer: enabled null': switchedOff(null),
  'customizer: enabled 0': switchedOff(0),
  'customizer: enabled empty': switchedOff(''),
  'customizer: null': {
    object: platform({ ...publishing, customizer: on }),
    field: settings,
    value: null,
    decoy: on,
    isBad: isOff,
  },
  'customizer: another address': {
    object: platform({ ...publishing, customizer: on }),
    field: [...settings, 'source', 'url'],
    value: 'https://github.com/someone/r',
    decoy: 'https://github.com/o/r',
  },
  'component of the network': {
    object: packageOf('networking', { cilium: { values: { cilium: { debug: { enabled: true } } } } }),
    field: ['spec', 'components', 'cilium', 'enabled'],
    value: false,
  },
  'component of storage': {
    object: packageOf('linstor', { linstor: { values: {} } }),
    field: ['spec', 'components', 'linstor', 'enabled'],
    value: false,
  },
  'disabled Packages': {
    object: platform({ ...publishing, bundles: { disabledPackages: ['cozystack.hetzner-robotlb'] } }),
    field: ['spec', 'components', 'platform', 'values', 'bundles', 'disabledPackages'],
    value: ['cozystack.hetzner-robotlb', 'cozystack.networking'],
    decoy: ['cozystack.hetzner-robotlb'],
  },
  'disabled bundle': {
    object: platform({ ...publishing, bundles: { iaas: { enabled: true } } }),
    field: ['spec', 'components', 'platform', 'values', 'bundles', 'iaas', 'enabled'],
    value: false,
    decoy: true,
  },
  'owner of a Namespace': owned(clusterWide('v1', 'Namespace', 'cozy-customizer-more')),
  'owner of a Tenant': owned(tenant({ etcd: true })),
  'owner of a Package': owned(packageOf('metallb', {})),
  'owner of a ConfigMap': owned(note('owned')),
  'owner of a new object': owned(note('owned'), true),
  'etcd of a Tenant': {
    isOfOld: true,
    object: tenant({ etcd: true }),
    field: ['spec', 'etcd'],
    value: false,
    decoy: true,
  },
  'storage of a Tenant': {
    isOfOld: true,
    object: tenant({ seaweedfs: true }),
    field: ['spec', 'seaweedfs'],
    value: false,
    decoy: true,
    twin: { object: tenant({ monitoring: false }), field: ['spec', 'monitoring'], value: true, decoy: false },
  },
  'databases of a Postgres': {
    isOfOld: true,
    object: postgres({ databases: { one: {}, two: {} } }),
    field: ['spec', 'databases'],
    value: { one: {} },
    decoy: { one: {}, two: {} },
    isBad: (one) => !lookUp(one, ['spec', 'databases', 'two']),
    twin: { value: { one: {}, two: {}, three: {} }, decoy: { one: {}, two: {} } },
  },
};
