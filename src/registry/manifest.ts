/** The manifest of an artifact that Flux has pushed: one layer, a tar in gzip (fluxcd/pkg/oci v0.50.0, `globals.go` and `push.go`). */
import { createHash } from 'node:crypto';
import type { Json } from '../core/model.js';
import { UsageError } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { isDigest } from './reference.js';

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
const layerType = 'application/vnd.cncf.flux.content.v1.tar+gzip';

/** What a manifest says of a blob; `size` in bytes. */
export type Descriptor = { digest: string; size: number };

/** Bytes: what registries take of a manifest (distribution specification, "Pushing Manifests"), and what a config has at most here. */
export const maxManifest = 4 << 20;
const maxConfig = 1 << 20;

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The JSON of `what`, which is a name for a person. Throws a `UsageError`. */
export function readJson(bytes: Uint8Array, what: string): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    throw new UsageError(`${what} is not JSON`);
  }
}

/** Throws a `UsageError` where `bytes` are no manifest of that digest and kind. A layer has at most `most` bytes. */
export function readManifest(
  bytes: Uint8Array,
  digest: string,
  most: number,
): { config: Descriptor; layer: Descriptor } {
  const what = `the manifest ${digest}`;
  const got = digestOf(bytes);
  if (got !== digest) throw new UsageError(`what was read as ${what} has the digest ${got}`);
  const value = readJson(bytes, what);
  const type = getString(value, ['mediaType']);
  if (lookUp(value, ['manifests']) !== undefined)
    throw new UsageError(`${what} is an index of several, and no artifact`);
  if (lookUp(value, ['schemaVersion']) !== 2 || (type !== undefined && type !== manifestType))
    throw new UsageError(`${what} is no OCI image manifest`);
  const layers = lookUp(value, ['layers']);
  const [layer] = Array.isArray(layers) ? layers : [];
  if (!Array.isArray(layers) || layers.length !== 1 || getString(layer ?? null, ['mediaType']) !== layerType)
    throw new UsageError(`${what} has not one layer of ${layerType}, as an artifact of Flux has`);
  return {
    config: readDescriptor(lookUp(value, ['config']), `the config in ${what}`, maxConfig),
    layer: readDescriptor(layer, `the layer in ${what}`, most),
  };
}

/** Throws a `UsageError`. */
export function readDescriptor(value: Json | undefined, what: string, most: number): Descriptor {
  const digest = isObject(value) ? value.digest : undefined;
  const size = isObject(value) ? value.size : undefined;
  if (!isDigest(digest) || typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw new UsageError(`${what} has no digest of SHA-256 with a size`);
  if (size > most) throw new UsageError(`${what} has ${size} bytes, and ${most} at most are read`);
  return { digest, size };
}
