/** Definitions of kinds that a cluster serves, for an API server that has to be told of each: those that no schema is known of. */

import type { JsonObject, ObjectRef } from '../core/model.js';
import { getString, groupOf, isObject } from '../core/object.js';
import type { Applied } from '../flux/applied.js';
import type { Cluster } from './cluster.js';
import { definitionOf } from './crds.js';

/** Any field may be set, as nothing is known of them. */
const anything = { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true as const };

/** Those that the repository brings itself: Flux applies them, and waits for them, before what is of their kinds. */
export function broughtDefinitions(objects: readonly Applied[]): JsonObject[] {
  return objects.flatMap(({ ref, value }) => {
    const isWhole = isObject(value.spec) && getString(value, ['spec', 'group']) && Array.isArray(value.spec.versions);
    return ref.kind === 'CustomResourceDefinition' && isWhole ? [value] : [];
  });
}

/**
 * For kinds that are built in, or that a snapshot has seen, and that the server does not have; `missing` are objects of them. The
 * core group is left out, as nothing can be defined in it.
 */
export function standInsFor(missing: readonly ObjectRef[], { contract, snapshot }: Cluster): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const { apiVersion, kind, namespace } of missing) {
    const [group, version] = [groupOf(apiVersion), apiVersion.split('/').at(-1) ?? ''];
    const key = `${group}/${kind}`;
    const schema = contract.schemas.find(apiVersion, kind);
    const seen = snapshot?.kinds && Object.hasOwn(snapshot.kinds, key) ? (snapshot.kinds[key] ?? []) : [];
    const isServed = (schema.known && !schema.offByDefault) || seen.includes(version);
    if (group === '' || !isServed || found.has(key)) continue;
    const [plural, scope] = schema.known
      ? [schema.plural, schema.scope]
      : [`${kind.toLowerCase()}s`, namespace === undefined ? ('Cluster' as const) : ('Namespaced' as const)];
    const names = seen.length > 0 ? seen : [version];
    const versions = names.map((name, index) => ({
      ...{ name, served: true, storage: index === 0, deprecated: false, schema: anything },
    }));
    found.set(key, definitionOf({ group, kind, plural, scope, versions }));
  }
  return [...found.values()];
}
