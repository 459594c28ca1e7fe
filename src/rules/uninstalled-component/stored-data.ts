/**
 * Packages whose components hold or serve PersistentVolumes, and what becomes of what is stored there. Kept by hand: the catalog
 * says which charts there are, and the schemas which kinds they bring, but neither says which objects their templates make.
 */

const atRisk = 'and the data on its volumes is at risk';

export const storedData: { readonly [packageName: string]: string } = {
  // The cluster of LINSTOR, its operator and the definitions of both: packages/system/linstor, piraeus-operator and
  // piraeus-operator-crds.
  'cozystack.linstor': atRisk,
  // A driver of volumes: packages/system/nfs-driver.
  'cozystack.nfs-driver': atRisk,
  // packages/system/keycloak/templates/db.yaml.
  'cozystack.keycloak': 'and its database is deleted with all users in it',
  // packages/system/monitoring/templates: grafana/db.yaml, alerta/alerta-db.yaml, vm/vmcluster.yaml and vlogs/vlogs.yaml.
  'cozystack.monitoring': 'and its databases are deleted',
};
