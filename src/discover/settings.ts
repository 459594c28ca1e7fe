/** Variables that objects of this repository define for `postBuild.substituteFrom`. */
import type { Entrypoint, FluxKustomization, Rendered } from '../core/model.js';
import { isObject } from '../core/object.js';
import { appliedBy, certaintyOf } from '../flux/applied.js';
import { clusterFolder } from '../flux/decoy.js';

/** A rendered ConfigMap or Secret. */
type Provider = {
  /** Its keys, with their values; undefined for a value that is not known, as those of a Secret. */
  data: ReadonlyMap<string, string | undefined>;
  cluster: string | undefined;
  reach: Entrypoint['reach'];
  /** True if Flux applies it as it is rendered, whenever it applies the entrypoint at all. */
  isKept: boolean;
};

/** The providers by kind, namespace and name. */
export type Settings = ReadonlyMap<string, readonly Provider[]>;

export function settingsOf(rendered: readonly Rendered[]): Settings {
  const found = new Map<string, Provider[]>();
  for (const one of rendered) {
    const { reach, ...rest } = one.entrypoint;
    for (const { ref, value } of appliedBy(one)) {
      if (ref.apiVersion !== 'v1' || (ref.kind !== 'ConfigMap' && ref.kind !== 'Secret')) continue;
      const data = new Map(
        [value.data, value.stringData]
          .flatMap((map) => (isObject(map) ? Object.entries(map) : []))
          .map(([key, text]): [string, string | undefined] => [
            key,
            ref.kind === 'ConfigMap' && typeof text === 'string' && !isObject(value.sops) ? text : undefined,
          ]),
      );
      const provider = { data, cluster: clusterFolder(rest), reach, isKept: certaintyOf({ value }, {}) === 'certain' };
      const key = keyOf(ref.kind, ref.namespace, ref.name);
      found.set(key, [...(found.get(key) ?? []), provider]);
    }
  }
  return found;
}

/** A Flux Kustomization that takes variables: how it reaches the cluster, and which cluster. */
export type Referring = { cluster: string | undefined; reach: Entrypoint['reach'] };

/**
 * The Flux Kustomization with its variables resolved as the controller resolves them: a later entry of `substituteFrom` replaces an
 * earlier one, and `substitute` replaces both (fluxcd/pkg/kustomize, `LoadVariables`). A variable whose value is not known is in
 * `unknown`; an entry that nothing here renders stays in `substituteFrom`.
 */
export function resolved(
  kustomization: FluxKustomization,
  referring: Referring,
  settings: Settings,
): FluxKustomization {
  const { postBuild, namespace } = kustomization;
  const from = postBuild?.substituteFrom ?? [];
  const known = from.map((ref) => variablesIn(settings.get(keyOf(ref.kind, namespace, ref.name)) ?? [], referring));
  if (known.every((one) => one === undefined)) return kustomization;
  const variables = new Map(known.flatMap((one) => [...(one ?? [])]));
  for (const [name, value] of Object.entries(postBuild?.substitute ?? {})) variables.set(name, value);
  const open = from.filter((_, index) => known[index] === undefined);
  const unknown = [...variables].flatMap(([name, value]) => (value === undefined ? [name] : [])).sort();
  return {
    ...kustomization,
    postBuild: {
      substitute: Object.fromEntries(
        [...variables].filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      ...(unknown.length > 0 && { unknown }),
      ...(open.length > 0 && { substituteFrom: open }),
    },
  };
}

/**
 * The variables of one entry of `substituteFrom`; undefined if nothing renders it. Two builds may render the object with different
 * data, or the cluster may keep it as it was: then the values are unknown.
 */
function variablesIn(
  providers: readonly Provider[],
  referring: Referring,
): ReadonlyMap<string, string | undefined> | undefined {
  const near = providers.filter(({ cluster }) => isSameCluster(cluster, referring.cluster));
  const [first, ...others] = near;
  if (!first) return undefined;
  const isSame = others.every(({ data }) => JSON.stringify([...data]) === JSON.stringify([...first.data]));
  const isSure = near.some((one) => one.isKept && comesWith(one, referring)) && isSame;
  const names = near.flatMap(({ data }) => [...data.keys()]);
  return new Map(names.map((name) => [name, isSure ? first.data.get(name) : undefined]));
}

/** True unless both are in folders of different clusters. */
function isSameCluster(one: string | undefined, other: string | undefined): boolean {
  return one === other || one === undefined || other === undefined;
}

/** True if nothing may keep Flux from applying it but what keeps Flux from the Flux Kustomization too. */
function comesWith({ reach }: Provider, referring: Referring): boolean {
  const ways = referring.reach?.split(' + ') ?? [];
  return (reach?.split(' + ') ?? []).every((way) => ways.includes(way));
}

function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace ?? '', name]);
}
