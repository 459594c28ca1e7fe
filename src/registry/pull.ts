/** An artifact pulled by its digest into an OCI layout. The only work of the linter that asks the network for charts. */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { UsageError } from '../core/model.js';
import { BrokenError } from './ask.js';
import { RegistryClient, type RegistryOptions, readBody } from './client.js';
import { blobIn, writeLayout } from './layout.js';
import { type Descriptor, indexType, manifestType, maxManifest, readManifest } from './manifest.js';
import type { ArtifactReference } from './reference.js';

export type PullOptions = RegistryOptions & {
  /** Bytes that the layer may have. */
  most: number;
};

/** Into a folder that exists and is empty. Gives the bytes of the layer. Throws a `UsageError` that says what is wrong. */
export async function pullArtifact(
  reference: ArtifactReference,
  folder: string,
  options: PullOptions,
): Promise<number> {
  const client = new RegistryClient(reference, options);
  const path = `manifests/${reference.digest}`;
  const manifest = await client.bytes(path, `${manifestType}, ${indexType};q=0.5`, maxManifest);
  const { config, layer } = readManifest(manifest, reference.digest, options.most);
  writeLayout(folder, manifest);
  for (const blob of new Map([config, layer].map((one) => [one.digest, one])).values())
    await download(client, blob, blobIn(folder, blob.digest), options);
  return layer.size;
}

/** `file`: its descriptor. */
type Download = { file: number; hash: Hash; done: number };

/** What broke is gone on with, where the registry can (`Range`), else begun again. */
async function download(client: RegistryClient, blob: Descriptor, path: string, options: PullOptions): Promise<void> {
  const file = openSync(path, 'w');
  const state: Download = { file, hash: createHash('sha256'), done: 0 };
  try {
    await client.patiently(`the blob ${blob.digest}`, () => goOn(client, blob, state, options));
    const got = `sha256:${state.hash.digest('hex')}`;
    if (got !== blob.digest) throw new UsageError(`what the registry sent as ${blob.digest} has the digest ${got}`);
  } finally {
    closeSync(file);
  }
}

async function goOn(
  client: RegistryClient,
  { digest, size }: Descriptor,
  state: Download,
  { network }: PullOptions,
): Promise<void> {
  const what = `blobs/${digest}`;
  const from = state.done;
  // What broke after the last byte is whole.
  if (from === size) return;
  const answer = await client.get(what, from > 0 ? { range: `bytes=${from}-` } : {});
  const { response, url } = answer;
  if (response.statusCode === 416) {
    response.destroy();
    restart(state);
    throw new BrokenError(`${url.host} has no part of ${what} from byte ${from} on`);
  }
  client.expect(answer, what, from > 0 ? [200, 206] : [200]);
  const { 'content-range': range = '', 'content-length': length } = response.headers;
  if (response.statusCode === 200) restart(state);
  else if (!range.startsWith(`bytes ${from}-`)) {
    response.destroy();
    throw new UsageError(`${url.host} sends another part of ${what} than was asked for`);
  }
  const rest = size - state.done;
  if (length !== undefined && Number(length) !== rest) {
    response.destroy();
    throw new UsageError(`${url.host} has ${length} bytes of ${what}, and the manifest says ${rest}`);
  }
  await readBody(answer, { most: rest, what, network }, (part) => {
    writeSync(state.file, part, 0, part.length, state.done);
    state.hash.update(part);
    state.done += part.length;
  });
  if (state.done < size) throw new BrokenError(`${url.host} sent ${state.done} of ${size} bytes of ${what}`);
}

function restart(state: Download): void {
  ftruncateSync(state.file);
  Object.assign(state, { hash: createHash('sha256'), done: 0 });
}
