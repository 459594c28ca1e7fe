/** The definitions of custom resources that a cluster needs, so that the repository's objects can be judged there. */

import type { Json, JsonObject } from '../core/model.js';
import { groupOf, isObject } from '../core/object.js';
import { cozystackGroup } from '../cozystack/package.js';
import type { Definition, Schemas } from '../cozystack/schemas.js';
import type { Cluster } from './cluster.js';

/** For each custom resource that the repository has or refers to, as the cluster serves it: CustomResourceDefinitions. */
export function definitionsFor(cluster: Cluster): JsonObject[] {
  const { head, base } = cluster;
  const used = [...head.objects, ...(base?.objects ?? [])].flatMap(({ value }) => kindsIn(value));
  const kinds = [`${cozystackGroup}/Package`, `${cozystackGroup}/PackageSource`, ...used];
  return definitionsOf(kinds, cluster.contract.schemas, cluster.snapshot);
}

/** Of kinds, by group and kind (`helm.toolkit.fluxcd.io/HelmRelease`): those that a definition brings. */
export function definitionsOf(
  kinds: readonly string[],
  schemas: Schemas,
  snapshot?: Cluster['snapshot'],
): JsonObject[] {
  return [...new Set(kinds)].sort().flatMap((key) => {
    const [group = '', kind = ''] = key.split('/');
    const known = schemas.definition(group, kind);
    return known ? [definitionOf(asServed(known, snapshot?.kinds?.[key]))] : [];
  });
}

/** In the versions that a snapshot has seen; of one that the release does not have, nothing but its name is known. */
function asServed(known: Definition, seen: readonly string[] | undefined): Definition {
  if (!seen || seen.length === 0) return known;
  const versions = known.versions.map((version) => ({ ...version, served: seen.includes(version.name) }));
  const others = seen.filter((name) => !known.versions.some((version) => version.name === name));
  const schema = { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true as const };
  const more = others.map((name) => ({ name, served: true, storage: false, deprecated: false, schema }));
  return { ...known, versions: [...versions, ...more] };
}

/** That of an object and those it refers to, by `apiVersion` and `kind` or, as Flux's objects do, by the kind of a source alone. */
function kindsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(kindsIn);
  if (!isObject(value)) return [];
  const { kind, apiVersion, apiGroup } = value;
  const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : (apiGroup ?? 'source.toolkit.fluxcd.io');
  const own = typeof kind === 'string' ? [`${group}/${kind}`] : [];
  return [...own, ...Object.values(value).flatMap(kindsIn)];
}

/** As `apiextensions.k8s.io/v1` has it. */
export function definitionOf({ group, kind, plural, scope, versions }: Definition): JsonObject {
  const approval = 'api-approved.kubernetes.io';
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  const stored = versions.find(({ storage }) => storage) ?? versions.find(({ served }) => served);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(isProtected && { annotations: { [approval]: 'unapproved, for a dry run' } }),
    },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: versions.map((version) => ({
        name: version.name,
        served: version.served,
        storage: version === stored,
        ...(version.deprecated && { deprecated: true }),
        schema: { openAPIV3Schema: version.schema as unknown as JsonObject },
        ...(version.schema.properties?.status && { subresources: { status: {} } }),
      })),
    },
  };
}
