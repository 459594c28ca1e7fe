/** Variables that ConfigMaps of this repository define for `postBuild.substituteFrom`. */
import type { FluxKustomization, JsonObject, RenderedObject } from '../core/model.js';
import { isObject } from '../core/object.js';
import type { Declared } from './declared.js';

/** The data of rendered ConfigMaps by cluster, namespace and name; undefined where two builds render different ones. */
export type Settings = ReadonlyMap<string, JsonObject | undefined>;

export function settingsOf(
  rendered: readonly { cluster: string | undefined; objects: readonly RenderedObject[] }[],
): Settings {
  const found = new Map<string, JsonObject | undefined>();
  for (const { cluster, objects } of rendered) {
    for (const { ref, value } of objects) {
      if (ref.kind !== 'ConfigMap' || ref.apiVersion !== 'v1') continue;
      const data = isObject(value.data) ? value.data : {};
      const key = keyOf(cluster, ref.namespace, ref.name);
      const isSame = !found.has(key) || JSON.stringify(found.get(key)) === JSON.stringify(data);
      found.set(key, isSame ? data : undefined);
    }
  }
  return found;
}

/**
 * The Flux Kustomization with the variables of those ConfigMaps filled in, as the controller collects them: later entries win,
 * and `substitute` wins over all (fluxcd/pkg/kustomize, `LoadVariables`). What is not rendered here stays as it is.
 */
export function resolved(
  kustomization: FluxKustomization,
  { cluster }: Pick<Declared, 'cluster'>,
  settings: Settings,
): FluxKustomization {
  const { postBuild, namespace } = kustomization;
  const from = postBuild?.substituteFrom;
  if (!Array.isArray(from) || settings.size === 0) return kustomization;
  const dataOf = (ref: unknown) => {
    const { kind, name } = isObject(ref as JsonObject) ? (ref as JsonObject) : {};
    return kind === 'ConfigMap' ? settings.get(keyOf(cluster, namespace, String(name))) : undefined;
  };
  const open = from.filter((ref) => !dataOf(ref));
  if (open.length === from.length) return kustomization;
  const values = from.flatMap((ref) => Object.entries(dataOf(ref) ?? {}));
  const texts = values.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const { substituteFrom: _, ...rest } = postBuild ?? {};
  return {
    ...kustomization,
    postBuild: {
      ...rest,
      substitute: { ...Object.fromEntries(texts), ...postBuild?.substitute },
      ...(open.length > 0 && { substituteFrom: open }),
    },
  };
}

function keyOf(cluster: string | undefined, namespace: string | undefined, name: string): string {
  return JSON.stringify([cluster ?? null, namespace ?? '', name]);
}
