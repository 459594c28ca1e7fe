/** The registry of the CNCF (github.com/distribution/distribution), which GitLab, Harbor and Docker Hub are made of, on the loopback. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import type { Artifact } from './artifact.js';
import { repository } from './artifact.js';
import { root } from './cli.js';
import { isFull } from './sample.js';

const version = 'v3.1.2';
const folder = join(root, '.cache', 'bin', `registry-${version}`);
const file = join(folder, 'registry');

/** Why it is not asked, where that is so. Its build takes minutes, for which only the full run waits. */
export const whyNoRegistry = !hasGo()
  ? 'Go is not installed'
  : existsSync(file) || isFull()
    ? undefined
    : 'it is not built yet, which npm run test:full does';

/** Its file; building it takes some minutes. */
export function registryProgram(): string {
  if (existsSync(file)) return file;
  // Two suites may build it at once.
  const own = join(folder, String(process.pid));
  mkdirSync(own, { recursive: true });
  execFileSync('go', ['install', '-p', '2', `github.com/distribution/distribution/v3/cmd/registry@${version}`], {
    env: goEnv({ GOBIN: own, GOFLAGS: '' }),
    cwd: tmpdir(),
    stdio: 'inherit',
  });
  renameSync(join(own, 'registry'), file);
  return file;
}

export type RealRegistry = { url: string; host: string; close(): void };

/** `auth` as its configuration has it, as JSON. What is pushed lies below `data`. */
export async function startRegistry(data: string, auth: object = {}): Promise<RealRegistry> {
  const configuration = join(data, `config-${Date.now()}-${Math.random()}.yml`);
  const settings = {
    version: '0.1',
    log: { level: 'info', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(data, 'storage') } },
    http: { addr: '127.0.0.1:0', secret: 'none' },
    ...(Object.keys(auth).length > 0 && { auth }),
  };
  writeFileSync(configuration, JSON.stringify(settings));
  const env = { PATH: process.env.PATH, OTEL_TRACES_EXPORTER: 'none' };
  const child = spawn(registryProgram(), ['serve', configuration], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const host = await hostOf(child);
  return { url: `http://${host}`, host, close: () => void child.kill('SIGKILL') };
}

function hostOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const host = /listening on (127\.0\.0\.1:\d+)/.exec(said)?.[1];
      if (host !== undefined) resolve(host);
    });
    child.on('exit', () => reject(new Error(`the registry has ended: ${said}`)));
    child.on('error', reject);
  });
}

/** As a client pushes it: each blob, then the manifest. */
export async function pushArtifact(url: string, { digest, manifest, blobs }: Artifact): Promise<void> {
  const base = `${url}/v2/${repository}`;
  for (const [name, body] of blobs) {
    const begun = await fetch(`${base}/blobs/uploads/`, { method: 'POST' });
    const place = new URL(begun.headers.get('location') ?? '', url);
    place.searchParams.set('digest', name);
    const headers = { 'content-type': 'application/octet-stream' };
    await created(await fetch(place, { method: 'PUT', headers, body: new Uint8Array(body) }));
  }
  const headers = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' };
  await created(await fetch(`${base}/manifests/${digest}`, { method: 'PUT', headers, body: new Uint8Array(manifest) }));
}

async function created(response: Response): Promise<void> {
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
}

/** `me` with the password `hunter2`, in the words of htpasswd. */
export const htpasswd = 'me:$2b$05$abcdefghijklmnopqrstuuoXuKqgZXLiJqzfmMXDDhSFPIvxV7t8.\n';

export type TokenServer = {
  auth(): object;
  asked: { scope: string | null; user: string | undefined }[];
  close(): void;
};

/** Gives tokens that the registry takes (distribution, `docs/spec/auth/jwt.md`), to anybody, or to `me` alone. */
export async function startTokenServer(data: string, user?: string): Promise<TokenServer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = join(data, `jwks-${Math.random()}.json`);
  const kid = 'test';
  writeFileSync(
    jwks,
    JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] }),
  );
  const asked: TokenServer['asked'] = [];
  const server = createServer(({ url = '', headers }, response) => {
    const { searchParams } = new URL(url, 'http://x');
    const [, basic = ''] = (headers.authorization ?? '').split(' ');
    const by = basic === '' ? undefined : Buffer.from(basic, 'base64').toString();
    const scope = searchParams.get('scope');
    asked.push({ scope, user: by });
    if (by !== user) return void response.writeHead(401).end();
    const [type, name, actions = ''] = (scope ?? '').split(':');
    const now = Math.floor(Date.now() / 1000);
    const access = [{ type, name, actions: actions.split(',') }];
    const claims = {
      iss: 'tokens',
      sub: 'me',
      aud: searchParams.get('service'),
      exp: now + 300,
      nbf: now - 10,
      iat: now,
      jti: '1',
      access,
    };
    response.end(
      JSON.stringify({
        token: signed(claims, kid, createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const realm = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  return {
    auth: () => ({ token: { realm, service: 'registry', issuer: 'tokens', jwks, signingalgorithms: ['ES256'] } }),
    asked,
    close: () => void server.close(),
  };
}

function signed(claims: object, kid: string, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part({ alg: 'ES256', typ: 'JWT', kid })}.${part(claims)}`;
  return `${head}.${sign('sha256', Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
