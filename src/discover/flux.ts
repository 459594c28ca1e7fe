/** What a Flux Kustomization (kustomize.toolkit.fluxcd.io/v1) says about the build of its path. */
import type { Entrypoint, FluxKustomization, Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';

/** A path as Flux joins it to the artifact's root: relative, without `./` and trailing slashes; never above the root. */
export function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/') || '.';
}

/** The fields that change what is built; a field of another type than the API's is left out (the schema rule names it). */
export function fluxKustomization(value: JsonObject): FluxKustomization {
  const spec = lookUp(value, ['spec']);
  const fields = isObject(spec) ? spec : {};
  const result: FluxKustomization = {};
  for (const key of ['name', 'namespace'] as const) {
    const meta = getString(value, ['metadata', key]);
    if (meta !== undefined) result[key] = meta;
  }
  for (const key of ['targetNamespace', 'namePrefix', 'nameSuffix'] as const) {
    if (typeof fields[key] === 'string') result[key] = fields[key];
  }
  if (Array.isArray(fields.patches)) result.patches = fields.patches.flatMap(patchOf);
  if (Array.isArray(fields.images)) result.images = fields.images.filter(isObject).map(textsOf);
  if (Array.isArray(fields.components))
    result.components = fields.components.filter((path): path is string => typeof path === 'string');
  if (fields.ignoreMissingComponents === true) result.ignoreMissingComponents = true;
  if (isObject(fields.commonMetadata)) result.commonMetadata = mapsOf(fields.commonMetadata, ['labels', 'annotations']);
  if (isObject(fields.postBuild)) result.postBuild = postBuildOf(fields.postBuild);
  return result;
}

function patchOf(value: Json): NonNullable<FluxKustomization['patches']> {
  if (!isObject(value)) return [];
  const patch = typeof value.patch === 'string' ? value.patch : '';
  return [{ patch, ...(isObject(value.target) && { target: textsOf(value.target) }) }];
}

function postBuildOf(value: JsonObject): NonNullable<FluxKustomization['postBuild']> {
  const { substituteFrom } = value;
  return {
    ...mapsOf(value, ['substitute']),
    ...(Array.isArray(substituteFrom) && { substituteFrom: substituteFrom.flatMap(referenceOf) }),
  };
}

function referenceOf(value: Json): { kind: string; name: string; optional?: boolean }[] {
  const [kind, name] = [getString(value, ['kind']), getString(value, ['name'])];
  if (kind === undefined || name === undefined) return [];
  return [{ kind, name, ...(lookUp(value, ['optional']) === true && { optional: true }) }];
}

/** Of some fields those that are maps of texts, without what in them is none. */
function mapsOf<Key extends string>(
  value: JsonObject,
  keys: readonly Key[],
): { [key in Key]?: Record<string, string> } {
  const found = keys.flatMap((key) => {
    const map = value[key];
    return isObject(map) ? [[key, textsOf(map)] as const] : [];
  });
  return Object.fromEntries(found) as { [key in Key]?: Record<string, string> };
}

function textsOf(map: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Whose rights a Flux Kustomization is applied with. */
export function accountOf(value: JsonObject): NonNullable<Entrypoint['account']> {
  const name = getString(value, ['spec', 'serviceAccountName']);
  return name ? { namespace: getString(value, ['metadata', 'namespace']) ?? '', name } : 'flux';
}

const sourceGroup = 'source.toolkit.fluxcd.io/';

export function isSource(object: JsonObject): boolean {
  return getString(object, ['apiVersion'])?.startsWith(sourceGroup) === true;
}

/** The definitions of the source that a Flux object refers to; a definition without a namespace may be in any. */
export function sourcesFor(value: JsonObject, sources: readonly JsonObject[]): JsonObject[] {
  const [kind, name] = [
    getString(value, ['spec', 'sourceRef', 'kind']),
    getString(value, ['spec', 'sourceRef', 'name']),
  ];
  const namespace = getString(value, ['spec', 'sourceRef', 'namespace']) ?? getString(value, ['metadata', 'namespace']);
  return sources.filter((candidate) => {
    const home = getString(candidate, ['metadata', 'namespace']);
    const near = !home || !namespace || home === namespace;
    return near && candidate.kind === kind && getString(candidate, ['metadata', 'name']) === name;
  });
}

/**
 * A GitRepository with another URL is another repository, and so is every other source that is defined here: it has an
 * artifact of its own. A source that is not defined here may be this repository, as bootstrap or an operator makes it.
 */
export function canBeThisRepository(
  kustomization: JsonObject,
  sources: readonly JsonObject[],
  remotes: readonly string[],
): boolean {
  const kind = getString(kustomization, ['spec', 'sourceRef', 'kind']);
  if (kind === 'Bucket' || kind === 'ExternalArtifact') return false;
  const found = sourcesFor(kustomization, sources);
  return found.length === 0 || found.some((source) => isThisRepository(source, remotes));
}

/** Whether a source may fetch this repository; without a known remote any GitRepository may. */
export function isThisRepository(source: JsonObject, remotes: readonly string[]): boolean {
  if (source.kind !== 'GitRepository') return false;
  const url = getString(source, ['spec', 'url']);
  if (url === undefined || remotes.length === 0) return true;
  return remotes.some((remote) => repositoryOf(remote) === repositoryOf(url));
}

/** Hosts under which a forge answers besides its own name: `www.`, and SSH over port 443. */
const otherHosts: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/** `host/owner/name` of any form in which git writes a URL: what stands for the same repository is spelt the same. */
function repositoryOf(url: string): string {
  const plain = decoded(url.slice(0, 2048).trim())
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z+]{1,20}:\/{2,}/i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?:\d+(?=\/|$))?/, '$1/');
  const [host = '', ...path] = plain.toLowerCase().split('/');
  const name = host.replace(/\.+$/, '').replace(/^www\./, '');
  const below = normalize(path.join('/')).replace(/\.git$/, '');
  return `${otherHosts[name] ?? name}/${below}`;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
