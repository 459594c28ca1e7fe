/** The artifact that the platform is installed from: its tag is the release. */

import type { Fact, JsonObject } from '../core/model.js';
import { getString, groupOf, label } from '../core/object.js';
import { platformSources } from '../cozystack/customizer.js';
import type { Applied } from '../flux/applied.js';
import { isSetTo } from '../flux/settings.js';

/** As `v1.6.2`; undefined for other sources, and where a digest or a range stands instead. */
export function taggedRelease(source: JsonObject): string | undefined {
  if (!platformSources.names.includes(getString(source, ['metadata', 'name']) ?? '')) return undefined;
  const ref = ['spec', 'ref'];
  // Flux believes the digest first, then the range (fluxcd/source-controller, OCIRepositoryRef).
  if (['digest', 'semver'].some((name) => getString(source, [...ref, name]))) return undefined;
  const tag = getString(source, [...ref, 'tag']);
  return tag !== undefined && /^v?\d+\.\d+\.\d+$/.test(tag) ? `v${tag.replace(/^v/, '')}` : undefined;
}

/** What a manifest of it says. */
export function statedRelease(objects: readonly Applied[]): Pick<Fact, 'value' | 'file' | 'because'> | undefined {
  for (const object of objects) {
    const { apiVersion, kind, namespace } = object.ref;
    if (kind !== 'OCIRepository' || groupOf(apiVersion) !== 'source.toolkit.fluxcd.io') continue;
    // Of one that is made only where none is, nobody knows what the one that is there says.
    if (namespace !== platformSources.namespace || isSetTo(object.value, 'ssa', 'IfNotPresent')) continue;
    const value = taggedRelease(object.value);
    if (value === undefined) continue;
    return { value, because: `${label(object.ref)} has that tag`, ...(object.source && { file: object.source.file }) };
  }
  return undefined;
}
