/** What the platform leaves in a cluster before the repository has a say, with its real field managers. */

import { defined } from '../core/defined.js';
import type { JsonObject } from '../core/model.js';
import { platformName } from '../cozystack/catalog.js';
import { cozystackVersion, isOfCozystack, isPackage } from '../cozystack/package.js';
import type { Cluster } from './cluster.js';
import { enabledPackagesPath, newlyListed } from './pending.js';
import { isEmittedByPlatform, knownPlatformValues } from './platform.js';

/** An object and who has written it: by server-side apply, or by creating it. */
export type SeedObject = { object: JsonObject; manager: string; how?: 'create' };

/** The Packages and PackageSources that the repository names and the platform has, as those who write them leave them. */
export function seedObjects(cluster: Cluster): SeedObject[] {
  const { contract, head, base } = cluster;
  const named = [...head.objects, ...(base?.objects ?? [])].filter(isOfCozystack);
  const of = (kind: string) =>
    [...new Set(named.filter(({ ref }) => ref.kind === kind).map(({ ref }) => ref.name))].sort();
  const sources = of('PackageSource').filter((name) => contract.catalog.source(name));
  return [
    ...sources.map((name) => ({
      object: packageSource(name, cluster),
      ...(name === platformName ? { manager: 'cozystack-operator' } : byHelm(cluster)),
    })),
    ...of('Package').flatMap((name) => packageThere(name, cluster) ?? []),
  ];
}

function packageSource(name: string, { contract }: Cluster): JsonObject {
  const variants = contract.catalog.source(name)?.variants ?? [];
  return {
    apiVersion: cozystackVersion,
    kind: 'PackageSource',
    metadata: { name },
    spec: {
      sourceRef: { kind: 'OCIRepository', name: 'cozystack-packages', namespace: 'cozy-system' },
      variants: variants.map(({ name, dependsOn, components }) => ({
        name,
        ...(dependsOn.length > 0 && { dependsOn: [...dependsOn] }),
        components: components.map(({ name, path, install }) => ({
          name,
          path,
          ...(install && { install: { ...install, dependsOn: [...install.dependsOn] } }),
        })),
      })),
    },
  };
}

/** Undefined for one that no platform makes. One that this platform is told not to make was made by hand, or it would not be named. */
function packageThere(name: string, cluster: Cluster): SeedObject | undefined {
  const { contract, snapshot, head, base } = cluster;
  // What the change itself says of the platform is not so before it.
  const { facts } = base?.known ?? cluster;
  const object = (spec: JsonObject) => ({
    apiVersion: cozystackVersion,
    kind: 'Package',
    metadata: { name },
    spec,
  });
  if (name === platformName) {
    const values = JSON.parse(JSON.stringify(knownPlatformValues({ facts, objects: [] }))) as JsonObject;
    const spec = { variant: String(facts.get('variant').value), components: { platform: { values } } };
    return { object: object(spec), manager: 'kubectl-client-side-apply', how: 'create' };
  }
  const variant = contract.catalog.platformVariant(String(facts.get('variant').value));
  // What the change itself lists is made after it.
  const coming = base ? newlyListed(enabledPackagesPath, head.applied, base.applied).map(({ name }) => name) : [];
  const optional = Object.entries(variant?.optional ?? {}).filter(([listed]) => !coming.includes(listed));
  const emitted = variant?.packages[name] ?? optional.find(([, change]) => change[name])?.[1][name] ?? undefined;
  const before = (base?.objects ?? []).some((one) => isPackage(one) && one.ref.name === name);
  const seen = snapshot ? Object.hasOwn(snapshot.packages, name) : undefined;
  // A switch that the change itself flips takes effect after it.
  const known = { contract, facts, objects: head.applied, snapshot: undefined, ...base?.known };
  const switched = isEmittedByPlatform(name, { ...known, objects: (base ?? head).applied });
  const made = seen ?? (before || emitted !== undefined || switched === true);
  if (!made) return undefined;
  const { variant: own = 'default', components } = emitted ?? {};
  const spec = { variant: snapshot?.packages[name]?.variant ?? own, ...defined({ components }) };
  return { object: object(spec as JsonObject), ...byHelm(cluster) };
}

/**
 * A release stays with the method that it was installed with: server-side apply from Helm 4 (Cozystack 1.5) on, updates before
 * (cozystack/FACTS.md, Flux and Helm). A snapshot tells; without one a cluster is taken for a young one.
 */
function byHelm({ snapshot }: Cluster): Pick<SeedObject, 'manager' | 'how'> {
  const manager = 'helm-controller';
  const entries = Object.values(snapshot?.packages ?? {}).flatMap(({ managers = [] }) => managers);
  const updates = entries.some((entry) => entry.manager === manager && entry.operation === 'Update');
  return { manager, ...(updates && { how: 'create' as const }) };
}
