/** Names of Flux' own API. */
import type { JsonObject } from './model.js';
import { getString } from './object.js';

export const settingPrefix = 'kustomize.toolkit.fluxcd.io/';

/** A patch of one looks the same, but has no source. */
export function isFluxKustomization(value: JsonObject): boolean {
  return (
    getString(value, ['apiVersion'])?.startsWith('kustomize.toolkit.fluxcd.io/') === true &&
    value.kind === 'Kustomization' &&
    getString(value, ['spec', 'sourceRef', 'kind']) !== undefined
  );
}
