/** Kinds that hold data, and parts of applications that do. */

import type { FieldPath, Json } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { oncePer } from '../core/once.js';
import { applicationGroup } from '../cozystack/application.js';
import type { Applied } from '../flux/applied.js';
import { type Change, groupKind, nodesIn, releaseKind } from './change.js';

/** By group: kinds whose deletion deletes data; `*` for all kinds of a group. */
const dataKinds: { readonly [group: string]: readonly string[] } = {
  '': ['Namespace', 'PersistentVolumeClaim', 'PersistentVolume'],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  [applicationGroup]: ['*'],
  'postgresql.cnpg.io': ['Cluster', 'Database'],
  'k8s.mariadb.com': ['MariaDB', 'Database'],
  'mongodb.com': ['*'],
  'psmdb.percona.com': ['*'],
  'kafka.strimzi.io': ['Kafka', 'KafkaTopic', 'KafkaNodePool'],
  'clickhouse.altinity.com': ['ClickHouseInstallation'],
  'databases.spotahome.com': ['RedisFailover'],
  'rabbitmq.com': ['RabbitmqCluster', 'Queue', 'Vhost'],
  'etcd.aenix.io': ['EtcdCluster'],
  'kubevirt.io': ['VirtualMachine'],
  'cdi.kubevirt.io': ['DataVolume'],
  'snapshot.storage.k8s.io': ['VolumeSnapshot', 'VolumeSnapshotContent'],
  'piraeus.io': ['LinstorCluster', 'LinstorSatelliteConfiguration'],
  'seaweed.seaweedfs.com': ['Seaweed'],
  'objectstorage.k8s.io': ['BucketClaim'],
  'cluster.x-k8s.io': ['Cluster', 'MachineDeployment'],
  'velero.io': ['Backup'],
};

export function holdsData({ ref }: Pick<Applied, 'ref'>): boolean {
  const [group = '', kind = ''] = groupKind(ref).split('/');
  const kinds = Object.hasOwn(dataKinds, group) ? (dataKinds[group] ?? []) : [];
  return kinds.includes(kind) || kinds.includes('*');
}

/** Maps and lists of applications of which each entry is something with data of its own, and switches of a Tenant. */
const dataFields = {
  maps: [
    ...['databases', 'topics', 'buckets', 'nodeGroups', 'vhosts', 'pools', 'zones', 'shards'],
    ...['metricsStorages', 'logsStorages'],
  ],
  switches: ['etcd', 'monitoring', 'seaweedfs'],
};

export type RemovedPart = { path: FieldPath; name: string };

/** Parts of an application with data that the change removes, or switches off. */
export function removedParts({ object, before }: Change): RemovedPart[] {
  const [group] = groupKind(object.ref).split('/');
  if (!before || group !== applicationGroup) return [];
  const entries = [...nodesIn(before.value.spec ?? null, ['spec'])].flatMap(({ path, value }) =>
    dataFields.maps.includes(String(path.at(-1))) ? missingEntries(path, value, lookUp(object.value, path)) : [],
  );
  const switches = object.ref.kind === 'Tenant' ? dataFields.switches : [];
  const off = switches.filter(
    (name) => lookUp(before.value, ['spec', name]) === true && lookUp(object.value, ['spec', name]) !== true,
  );
  return [...entries, ...off.map((name) => ({ path: ['spec', name], name }))];
}

/** Entries of a map or of a list of named entries that are gone, or fewer of a number of them. */
function missingEntries(path: FieldPath, old: Json, now: Json | undefined): RemovedPart[] {
  const field = path.slice(1).join('.');
  if (typeof old === 'number') return typeof now === 'number' && now < old ? [{ path, name: field }] : [];
  const names = namesOf(now);
  return [...namesOf(old)]
    .filter((name) => !names.has(name))
    .map((name) => ({ path: [...path, name], name: `${field}.${name}` }));
}

function namesOf(value: Json | undefined): Set<string> {
  if (Array.isArray(value))
    return new Set(value.flatMap((item) => (typeof item === 'string' ? item : (getString(item, ['name']) ?? []))));
  return new Set(isObject(value) ? Object.keys(value) : []);
}

/** Names of charts that hold data, as HelmReleases have them: those of the platform's applications and their like. */
const charts =
  /postgres|mysql|mariadb|mongo|redis|valkey|kafka|rabbitmq|clickhouse|etcd|minio|seaweedfs|elasticsearch|opensearch|cassandra|nats|qdrant|harbor|gitlab|nextcloud|vault|openbao|keycloak|tenant|bucket|virtual-machine|vm-disk|vm-instance|kubernetes/i;

/** True for a HelmRelease whose chart is known to hold data. */
export function isReleaseWithData({ ref, value }: Pick<Applied, 'ref' | 'value'>): boolean {
  if (groupKind(ref) !== releaseKind) return false;
  const chart = getString(value, ['spec', 'chart', 'spec', 'chart']) ?? getString(value, ['spec', 'chartRef', 'name']);
  return chart !== undefined && charts.test(chart.slice(0, 300));
}

/** Kinds that hold neither data nor access, and that nothing else is lost with. */
const harmless = new Set([
  '/ConfigMap',
  'autoscaling/HorizontalPodAutoscaler',
  'policy/PodDisruptionBudget',
  'monitoring.coreos.com/ServiceMonitor',
  'monitoring.coreos.com/PrometheusRule',
  'grafana.integreatly.org/GrafanaDashboard',
]);

/** True if the deletion of the object harms nothing, as no object that stays refers to it. */
export function isHarmlessToDelete({ ref }: Pick<Applied, 'ref'>, staying: readonly Applied[]): boolean {
  if (!harmless.has(groupKind(ref))) return false;
  return ref.kind !== 'ConfigMap' || !textsIn(staying).has(`${ref.namespace ?? ''}/${ref.name}`);
}

/** The longest name of an object. */
const maxName = 253;

/** Every text of the objects that may be a name, behind their namespace. */
const textsIn = oncePer((objects: readonly Applied[]): ReadonlySet<string> => {
  const texts = new Set<string>();
  for (const { ref, value } of objects)
    for (const node of nodesIn(value))
      if (typeof node.value === 'string' && node.value.length <= maxName && node.path[0] !== 'metadata')
        texts.add(`${ref.namespace ?? ''}/${node.value}`);
  return texts;
});
