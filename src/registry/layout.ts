/** An OCI layout with one artifact (image-spec, "Image Layout"): `oci-layout`, `index.json`, and blobs by their digest. */
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../core/model.js';
import { lookUp } from '../core/object.js';
import {
  type Descriptor,
  digestOf,
  manifestType,
  maxManifest,
  readDescriptor,
  readJson,
  readManifest,
} from './manifest.js';

/** Bytes of a layer: the charts of a release have few MiB. */
export const maxLayer = 128 << 20;

export function isLayout(folder: string): boolean {
  return existsSync(join(folder, 'oci-layout'));
}

/** The file of a blob; its folder has to be made. */
export function blobIn(folder: string, digest: string): string {
  return join(folder, 'blobs', 'sha256', digest.slice('sha256:'.length));
}

/**
 * The artifact in a layout: the digest of its manifest, and the bytes of its layer, both compared with what they should be. `wanted`
 * is a digest that it has to have. Throws a `UsageError`.
 */
export function readLayout(folder: string, wanted?: string): { digest: string; layer: Buffer } {
  const digest = wanted ?? onlyIn(folder);
  const { layer } = readManifest(read(blobIn(folder, digest), maxManifest), digest, maxLayer);
  return { digest, layer: readBlob(folder, layer) };
}

function onlyIn(folder: string): string {
  const file = join(folder, 'index.json');
  const manifests = lookUp(readJson(read(file, maxManifest), file), ['manifests']);
  if (!Array.isArray(manifests) || manifests.length !== 1)
    throw new UsageError(`${file} has not one manifest, so nothing says which artifact is meant`);
  return readDescriptor(manifests[0], `the manifest in ${file}`, maxManifest).digest;
}

function readBlob(folder: string, { digest, size }: Descriptor): Buffer {
  const file = blobIn(folder, digest);
  const bytes = read(file, size);
  if (bytes.length !== size) throw new UsageError(`${file} has ${bytes.length} bytes, and the manifest says ${size}`);
  const got = digestOf(bytes);
  if (got !== digest) throw new UsageError(`${file} has the digest ${got}`);
  return bytes;
}

/** Throws a `UsageError` for what is no file, or a longer one. */
function read(file: string, most: number): Buffer {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new UsageError(`${file} does not exist`);
  if (stat.size > most) throw new UsageError(`${file} has ${stat.size} bytes, and ${most} at most are read`);
  return readFileSync(file);
}

/** All of a layout but the blobs of config and layer. */
export function writeLayout(folder: string, manifest: Uint8Array): void {
  const digest = digestOf(manifest);
  mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
  writeFileSync(blobIn(folder, digest), manifest);
  const index = { schemaVersion: 2, manifests: [{ mediaType: manifestType, digest, size: manifest.length }] };
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}
