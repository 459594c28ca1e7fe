/** The address of an artifact in a registry: `oci://HOST/REPOSITORY@sha256:…`, as Flux and Helm write it. */
import { UsageError } from '../core/model.js';
import { trimEnd } from '../core/text.js';

export type ArtifactReference = {
  /** Scheme, host and port. */
  registry: URL;
  /** As `cozystack/cozystack/cozystack-packages`. */
  repository: string;
  /** Of the manifest: `sha256:` and 64 hexadecimal digits. */
  digest: string;
};

const example = 'oci://ghcr.io/cozystack/cozystack/cozystack-packages@sha256:…';

export function isDigest(text: unknown): text is string {
  return typeof text === 'string' && /^sha256:[0-9a-f]{64}$/.test(text);
}

/** Throws a `UsageError`: a tag is no address, as what it names changes. */
export function readReference(text: string): ArtifactReference {
  const at = text.lastIndexOf('@');
  const slash = text.indexOf('/', 'oci://'.length);
  const digest = text.slice(at + 1);
  if (!text.startsWith('oci://') || at < 0 || slash < 0 || slash > at || !isDigest(digest))
    throw new UsageError(`"${text}" is no address of an artifact with its digest, such as ${example}`);
  const registry = registryAt(`https://${text.slice('oci://'.length, slash)}`, text);
  return { registry, repository: repositoryIn(text.slice(slash + 1, at), text), digest };
}

/**
 * The same artifact in a mirror, `[http[s]://]HOST[:PORT][/PREFIX]`, which keeps the repositories of others below the prefix. Throws a
 * `UsageError`.
 */
export function mirrored(reference: ArtifactReference, mirror: string): ArtifactReference {
  const isUrl = /^https?:\/\//.test(mirror);
  if (!isUrl && mirror.includes('://')) throw noRegistry(mirror);
  const url = isUrl ? mirror : `https://${mirror}`;
  const slash = url.indexOf('/', 'https://'.length);
  const [host, prefix] = slash < 0 ? [url, ''] : [url.slice(0, slash), trimEnd(url.slice(slash + 1), '/')];
  const repository = prefix === '' ? reference.repository : `${prefix}/${reference.repository}`;
  return { ...reference, registry: registryAt(host, mirror), repository: repositoryIn(repository, mirror) };
}

function registryAt(origin: string, written: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  // What is written has to be the host and nothing else: no user, no query.
  if (url === undefined || url.host === '' || url.origin !== trimEnd(url.href, '/')) throw noRegistry(written);
  return url;
}

function noRegistry(written: string): UsageError {
  return new UsageError(`"${written}" is no address of a registry, such as registry.example.org or localhost:5000`);
}

/** The names that the distribution specification knows (`<name>`), a little more loosely. */
function repositoryIn(text: string, written: string): string {
  const isName = text.length <= 255 && text.split('/').every((part) => /^[a-z0-9][a-z0-9._-]*$/.test(part));
  if (!isName) throw new UsageError(`"${written}" names no repository of a registry`);
  return text;
}
