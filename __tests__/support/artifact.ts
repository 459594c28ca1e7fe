/** An artifact as `flux push artifact` makes it, of the charts of these tests, and folders and registries that have it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { create } from 'tar';
import { digestOf } from '../../src/registry/manifest.js';
import { root } from './cli.js';

export const chartsFolder = join(root, '__tests__/charts/packages');

export type Artifact = {
  digest: string;
  manifest: Buffer;
  layer: { digest: string; bytes: Buffer };
  /** By digest: config and layer. */
  blobs: Map<string, Buffer>;
};

export const repository = 'cozystack/cozystack/cozystack-packages';

/** The content of `packages/` at the top, unless `layer` says otherwise. */
export function makeArtifact(
  layer: Buffer = gzipSync(tarOf(chartsFolder)),
  change: (manifest: object) => object = (one) => one,
): Artifact {
  const config = Buffer.from(JSON.stringify({ created: '2026-01-01T00:00:00Z' }));
  const described = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) });
  const manifest = Buffer.from(
    JSON.stringify(
      change({
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        config: described('application/vnd.cncf.flux.config.v1+json', config),
        layers: [described('application/vnd.cncf.flux.content.v1.tar+gzip', layer)],
        annotations: { 'org.opencontainers.image.source': 'https://github.com/cozystack/cozystack' },
      }),
    ),
  );
  return {
    digest: digestOf(manifest),
    manifest,
    layer: { digest: digestOf(layer), bytes: layer },
    blobs: new Map([config, layer].map((bytes) => [digestOf(bytes), bytes])),
  };
}

/** All of a folder, at the top of the tar or below `prefix`. */
export function tarOf(folder: string, prefix = ''): Buffer {
  const chunks: Buffer[] = [];
  const stream = create({ cwd: folder, sync: true, portable: true, prefix }, readdirSync(folder));
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** As `skopeo copy … oci:` and `oras copy --to-oci-layout` write it. */
export function writeArtifact(folder: string, { digest, manifest, blobs }: Artifact): string {
  const blobsFolder = join(folder, 'blobs/sha256');
  mkdirSync(blobsFolder, { recursive: true });
  for (const [name, bytes] of [...blobs, [digest, manifest] as const])
    writeFileSync(join(blobsFolder, name.slice(7)), bytes);
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifests = [
    { mediaType, digest, size: manifest.length, annotations: { 'org.opencontainers.image.ref.name': 'v1' } },
  ];
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  return folder;
}

/** Answers instead of what the registry would. False: it answers as usual. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

export type FakeRegistry = {
  /** `http://127.0.0.1:PORT` */
  url: string;
  host: string;
  seen: { path: string; headers: IncomingMessage['headers'] }[];
  close(): void;
};

/** A registry on the loopback that has one artifact, and does what real ones do not. */
export async function startFakeRegistry(
  artifact: Artifact,
  misbehave: Misbehaviour = () => false,
): Promise<FakeRegistry> {
  const seen: FakeRegistry['seen'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push({ path, headers: request.headers });
    if (misbehave(request, response)) return;
    const name = /\/(?:blobs|manifests)\/(sha256:\w+)$/.exec(path)?.[1] ?? '';
    const bytes = name === artifact.digest ? artifact.manifest : artifact.blobs.get(name);
    if (!path.startsWith(`/v2/${repository}/`) || !bytes) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    seen,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Every file below a folder, by its path. */
export function filesUnder(folder: string): { [path: string]: string } {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}
