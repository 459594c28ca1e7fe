/** `charts pull` from registries on the loopback that do what no registry should: each ends with a sentence and status 2, and leaves nothing. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  type Artifact,
  chartsFolder,
  type FakeRegistry,
  type Misbehaviour,
  makeArtifact,
  repository,
  startFakeRegistry,
  tarOf,
  writeArtifact,
} from '../support/artifact.js';
import { runHere } from '../support/here.js';

const { openCharts } = await import('../../src/charts/store.js');
const { main } = await import('../../src/cli/main.js');
const { pullArtifact } = await import('../../src/registry/pull.js');
const { digestOf } = await import('../../src/registry/manifest.js');
const { hostsOf } = await import('../../src/registry/client.js');

const folders: string[] = [];
const open: FakeRegistry[] = [];
afterEach(() => {
  for (const registry of open.splice(0)) registry.close();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const artifact = makeArtifact();
const isLayer = (path = '') => path.endsWith(artifact.layer.digest);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pull-'));
  folders.push(folder);
  return folder;
}

async function start(misbehave?: Misbehaviour, of: Artifact = artifact): Promise<FakeRegistry> {
  const registry = await startFakeRegistry(of, misbehave);
  open.push(registry);
  return registry;
}

async function pull(
  registry: FakeRegistry,
  {
    digest = artifact.digest,
    more = [],
    env = {},
  }: { digest?: string; more?: string[]; env?: Record<string, string> } = {},
) {
  const cache = env.XDG_CACHE_HOME ?? newFolder();
  const address = `oci://ghcr.io/${repository}@${digest}`;
  const args = ['charts', 'pull', address, '--registry', registry.url, '--allow-private', ...more];
  const shown = await runHere(args, { env: { HOME: cache, XDG_CACHE_HOME: cache, ...env } });
  const place = join(cache, 'customizer-lint/charts');
  return { ...shown, cache, place, left: existsSync(place) ? readdirSync(place) : [] };
}

/** That it ends so, and that nothing of it stays. */
function expectRefused(
  { status, stdout, stderr, left }: Awaited<ReturnType<typeof pull>>,
  words: RegExp | string,
): void {
  expect({ status, stdout, left }).toEqual({ status: 2, stdout: '', left: [] });
  expect(stderr).toMatch(words);
  expect(stderr).not.toContain('bug of the linter');
}

const environmentOf = (host: string) => ({
  DOCKER_AUTH_CONFIG: JSON.stringify({ auths: { [host]: { username: 'me', password: 'hunter2' } } }),
});
const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;

describe('what is pulled', () => {
  test('is in the cache under its digest, and is what --charts takes', async () => {
    const registry = await start();
    const { status, stdout, stderr, place, left } = await pull(registry);
    const folder = join(place, artifact.digest.replace(':', '-'));
    expect({ status, stdout, left }).toEqual({
      status: 0,
      stdout: `${folder}\n`,
      left: [artifact.digest.replace(':', '-')],
    });
    expect(stderr).toMatch(/^customizer-lint: pulled 0\.0 MiB from 127\.0\.0\.1:\d+; --charts takes the directory\n$/);
    // What is compared with a digest is what was pushed.
    expect(new Set(registry.seen.map(({ headers }) => headers['accept-encoding']))).toEqual(new Set(['identity']));
    const store = await openCharts(folder, { home: '', env: {} });
    expect(store.files('library/names').map(({ path }) => path)).toEqual(['Chart.yaml', 'templates/_names.tpl']);
  });

  test('is not pulled again, unless a byte of it is another', async () => {
    const registry = await start();
    const { cache, stdout } = await pull(registry);
    const before = registry.seen.length;
    const env = { XDG_CACHE_HOME: cache };
    const again = await pull(registry, { env });
    expect(again).toMatchObject({ status: 0, stdout, stderr: 'customizer-lint: they were pulled before\n' });
    expect(registry.seen.length).toBe(before);
    const blob = join(stdout.trim(), 'blobs/sha256', artifact.layer.digest.slice(7));
    const bytes = readFileSync(blob);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(blob, bytes);
    const { status, left } = await pull(registry, { env });
    expect({ status, left: left.length }).toEqual({ status: 0, left: 1 });
    expect(readFileSync(blob)).toEqual(artifact.layer.bytes);
  });

  test('of a release is found by its name, as long as it has the digest that is known of it', async () => {
    const registry = await start();
    const [home, cache] = [newFolder(), newFolder()];
    const data = join(home, 'schemas/cozystack/v9.9.9');
    mkdirSync(data, { recursive: true });
    const fact = { url: `oci://ghcr.io/${repository}`, digest: artifact.digest };
    writeFileSync(join(data, 'artifact.json'), JSON.stringify(fact));
    const places = { home, env: { XDG_CACHE_HOME: cache } };
    await expect(openCharts('v9.9.9', places)).rejects.toThrow('customizer-lint charts pull v9.9.9 puts them there');
    const said: string[] = [];
    const stream = { write: (text: string) => said.push(text) };
    const args = ['charts', 'pull', 'v9.9.9', '--registry', registry.url, '--allow-private'];
    expect(await main(args, { ...places, stdout: stream, stderr: stream })).toBe(0);
    expect(said[0]).toContain('--charts takes the directory or "v9.9.9"');
    const store = await openCharts('v9.9.9', places);
    expect(store.files('core/platform').length).toBeGreaterThan(1);
    // As a folder of another artifact would be.
    const other = makeArtifact(artifact.layer.bytes, (manifest) => ({ ...manifest, annotations: {} }));
    writeFileSync(join(data, 'artifact.json'), JSON.stringify({ ...fact, digest: other.digest }));
    const poisoned = join(cache, 'customizer-lint/charts');
    rmSync(join(poisoned, other.digest.replace(':', '-')), { recursive: true, force: true });
    cpSync((said.at(-1) as string).trim(), join(poisoned, other.digest.replace(':', '-')), { recursive: true });
    await expect(openCharts('v9.9.9', places)).rejects.toThrow('does not exist');
    const blob = join(poisoned, other.digest.replace(':', '-'), 'blobs/sha256', other.digest.slice(7));
    writeFileSync(blob, artifact.manifest);
    await expect(openCharts('v9.9.9', places)).rejects.toThrow(`has the digest ${artifact.digest}`);
  });

  test('goes into a folder of one’s own, which is empty or has that very artifact', async () => {
    const registry = await start();
    const folder = join(newFolder(), 'charts');
    const first = await pull(registry, { more: ['--output', folder] });
    expect(first).toMatchObject({ status: 0, stdout: `${folder}\n`, left: [] });
    expect(await pull(registry, { more: ['--output', folder, '-q'] })).toMatchObject({ status: 0, stderr: '' });
    const another = makeArtifact(artifact.layer.bytes, (manifest) => ({ ...manifest, annotations: {} }));
    const layout = writeArtifact(newFolder(), another);
    expectRefused(await pull(registry, { more: ['--output', layout] }), 'is there already, and is not this artifact');
    const other = newFolder();
    writeFileSync(join(other, 'mine'), '');
    const refused = await pull(registry, { more: ['--output', other] });
    expectRefused(refused, 'is there already, and is not this artifact');
    expect(readdirSync(other)).toEqual(['mine']);
  });

  test('is below ~/.cache where XDG_CACHE_HOME is no absolute path, and what a killed process has left there is removed', async () => {
    const home = newFolder();
    const place = join(home, '.cache/customizer-lint/charts');
    const [old, recent] = [join(place, '.pulling-old'), join(place, '.pulling-recent')];
    for (const folder of [old, recent]) mkdirSync(folder, { recursive: true });
    utimesSync(old, 1, 1);
    const { status, stdout } = await pull(await start(), { env: { HOME: home, XDG_CACHE_HOME: 'cache' } });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${join(place, artifact.digest.replace(':', '-'))}\n` });
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true]);
  });

  test('is whole where several pull at once', async () => {
    const registry = await start();
    const cache = newFolder();
    const env = { XDG_CACHE_HOME: cache };
    const all = await Promise.all([1, 2, 3, 4].map(() => pull(registry, { env })));
    expect(all.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    const last = await pull(registry, { env });
    expect(last.stderr).toBe('customizer-lint: they were pulled before\n');
    expect(last.left).toEqual([artifact.digest.replace(':', '-')]);
  });
});

describe('a registry that sends what it should not', () => {
  const answer = (response: ServerResponse, bytes: Uint8Array) => {
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    return true;
  };
  const isManifest = (path = '') => path.includes('/manifests/');

  test('another manifest', async () => {
    const registry = await start(({ url }, response) => isManifest(url) && answer(response, Buffer.from('{}')));
    expectRefused(await pull(registry), /what was read as the manifest sha256:\w+ has the digest sha256:\w+/);
  });

  test.each<[string, (manifest: object) => object, RegExp]>([
    ['an index', () => ({ schemaVersion: 2, manifests: [] }), /is an index of several, and no artifact/],
    ['no layer', (one) => ({ ...one, layers: [] }), /has not one layer of/],
    [
      'two layers',
      (one) => ({ ...one, layers: (one as { layers: object[] }).layers.concat({}) }),
      /has not one layer of/,
    ],
    [
      'an image',
      (one) => ({ ...one, layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip' }] }),
      /has not one layer of/,
    ],
    ['another schema', (one) => ({ ...one, schemaVersion: 1 }), /is no OCI image manifest/],
    ['a list', () => [], /is no OCI image manifest/],
    [
      'a path for a digest',
      (one) => ({ ...one, config: { digest: 'sha256:../../etc/passwd', size: 1 } }),
      /the config in .* has no digest/,
    ],
    [
      'a size that is none',
      (one) => ({ ...one, config: { digest: artifact.digest, size: -1 } }),
      /has no digest of SHA-256 with a size/,
    ],
    [
      'a huge config',
      (one) => ({ ...one, config: { digest: artifact.digest, size: 1e12 } }),
      /has 1000000000000 bytes, and 1048576 at most/,
    ],
  ])('%s', async (_, change, words) => {
    const other = makeArtifact(artifact.layer.bytes, change);
    expectRefused(await pull(await start(undefined, other), { digest: other.digest }), words);
  });

  test('a layer that is too large to begin with', async () => {
    const other = makeArtifact(artifact.layer.bytes, (one) => ({
      ...one,
      layers: (one as { layers: object[] }).layers.map((layer) => ({ ...layer, size: 1e12 })),
    }));
    const registry = await start(undefined, other);
    expectRefused(await pull(registry, { digest: other.digest }), /the layer in .* has 1000000000000 bytes/);
    expect(registry.seen.map(({ path }) => path.includes('/blobs/'))).toEqual([false]);
  });

  test('no JSON, and no UTF-8', async () => {
    for (const bytes of ['{"schemaVersion": 2', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const manifest = Buffer.from(bytes);
      const other = {
        ...artifact,
        manifest,
        digest: digestOf(manifest),
      };
      expectRefused(await pull(await start(undefined, other), { digest: other.digest }), 'is not JSON');
    }
  });

  test('a manifest without an end', async () => {
    const registry = await start(({ url }, response) => isManifest(url) && endless(response));
    expectRefused(await pull(registry), /sends more than 4194304 bytes for manifests/);
  });

  test('a layer without an end', async () => {
    const registry = await start(({ url }, response) => isLayer(url) && endless(response));
    expectRefused(await pull(registry), new RegExp(`sends more than ${artifact.layer.bytes.length} bytes for blobs`));
  });

  test('a layer of another size, and another of the same', async () => {
    const longer = await start(({ url }, response) => isLayer(url) && answer(response, Buffer.alloc(10)));
    expectRefused(await pull(longer), /has 10 bytes of blobs\/sha256:\w+, and the manifest says \d+/);
    const zeros = Buffer.alloc(artifact.layer.bytes.length);
    const other = await start(({ url }, response) => isLayer(url) && answer(response, zeros));
    expectRefused(await pull(other), /what the registry sent as sha256:\w+ has the digest sha256:\w+/);
  });

  test('what is no artifact with charts', async () => {
    for (const [layer, words] of [
      [gzipSync(tarOf(join(chartsFolder, 'library'))), /the artifact sha256:\w+ has no charts of Cozystack/],
      [Buffer.from('no gzip'), /the artifact sha256:\w+ is no tar that can be read/],
    ] as const) {
      const other = makeArtifact(layer);
      expectRefused(await pull(await start(undefined, other), { digest: other.digest }), words);
    }
  });

  test('nothing of that name', async () => {
    const registry = await start();
    expectRefused(
      await pull(registry, { digest: `sha256:${'0'.repeat(64)}` }),
      /has no manifests\/sha256:0+ in cozystack\/.* \(404\)/,
    );
  });

  test('nothing for so long that the time is up', async () => {
    const registry = await start(({ url }, response) => {
      if (!isLayer(url)) return false;
      response
        .writeHead(200, { 'content-length': artifact.layer.bytes.length })
        .write(artifact.layer.bytes.subarray(0, 9));
      return true;
    });
    expectRefused(
      await pull(registry, { more: ['--max-seconds', '1'] }),
      /was not done in 1 s; --max-seconds allows more/,
    );
  });
});

/** As much as anybody takes. */
function endless(response: ServerResponse): true {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 16))) {}
  };
  response.on('drain', more);
  more();
  return true;
}

describe('a download that breaks', () => {
  /** Without pauses, as a command has. */
  async function pullQuickly(registry: FakeRegistry, silence = 10_000) {
    const said: string[] = [];
    const folder = newFolder();
    const signal = AbortSignal.timeout(60_000);
    const network = { allowPrivate: true, hosts: hostsOf(new URL(registry.url), []), silence, signal };
    const reference = { registry: new URL(registry.url), repository, digest: artifact.digest };
    const options = {
      network,
      credentials: { words: '' },
      say: (one: string) => said.push(one),
      second: 0,
      most: 1 << 20,
    };
    const error = await pullArtifact(reference, folder, options).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    const blob = join(folder, 'blobs/sha256', artifact.layer.digest.slice(7));
    return { said, error, layer: existsSync(blob) ? readFileSync(blob) : undefined };
  }

  const { bytes } = artifact.layer;
  const third = Math.ceil(bytes.length / 3);
  const breaks = (response: ServerResponse, from: number, to: number, head: object, status = 200) => {
    response.writeHead(status, { 'content-length': bytes.length - from, ...head });
    response.write(bytes.subarray(from, to), () => response.destroy());
    return true;
  };

  test('is gone on with where it broke', async () => {
    const asked: (string | undefined)[] = [];
    const registry = await start(({ url, headers: { range } }, response) => {
      if (!isLayer(url)) return false;
      asked.push(range);
      const from = Number(/\d+/.exec(range ?? '0')?.[0]);
      const head = range === undefined ? {} : { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
      return breaks(response, from, from + third, head, range === undefined ? 200 : 206);
    });
    const { said, error, layer } = await pullQuickly(registry);
    expect({ error, asked, same: layer?.equals(bytes) }).toEqual({
      error: undefined,
      asked: [undefined, `bytes=${third}-`, `bytes=${2 * third}-`],
      same: true,
    });
    expect(said.length).toBe(2);
    expect(said[0]).toMatch(/^the connection to 127\.0\.0\.1:\d+ broke \(ECONNRESET\); trying again \(1 of 3\)$/);
  });

  test('is begun again where the registry knows no parts', async () => {
    let count = 0;
    const registry = await start(({ url }, response) => {
      if (!isLayer(url) || ++count > 2) return false;
      return breaks(response, 0, 400, {});
    });
    const { said, error, layer } = await pullQuickly(registry);
    expect({ error, said: said.length, same: layer?.equals(bytes) }).toEqual({ error: undefined, said: 2, same: true });
  });

  test('ends after a few tries, which are said', async () => {
    const registry = await start(({ url }, response) => isLayer(url) && breaks(response, 0, 4, {}));
    const { said, error } = await pullQuickly(registry);
    expect(said.length).toBe(3);
    expect(error).toMatch(
      /^the blob sha256:\w+ could not be had in 4 tries: the connection to .* broke \(ECONNRESET\)$/,
    );
  });

  test('that is shorter than the manifest says is broken too', async () => {
    const registry = await start(({ url }, response) => {
      if (!isLayer(url)) return false;
      response.writeHead(200).end(bytes.subarray(0, 7));
      return true;
    });
    expect((await pullQuickly(registry)).error).toMatch(/in 4 tries: .* sent 7 of \d+ bytes/);
  });

  test('with another part than was asked for is refused', async () => {
    const registry = await start(({ url, headers: { range } }, response) => {
      if (!isLayer(url)) return false;
      if (range === undefined) return breaks(response, 0, 400, {});
      return breaks(response, 0, 400, { 'content-range': `bytes 0-399/${bytes.length}` }, 206);
    });
    expect((await pullQuickly(registry)).error).toMatch(/sends another part of blobs/);
  });

  test.each([
    ['nothing', -1],
    ['nothing but the head', 0],
    ['nothing more', 9],
  ])('a registry that sends %s is left, after as many tries', async (_, count) => {
    const registry = await start(({ url }, response) => {
      if (!isLayer(url)) return false;
      if (count >= 0) response.writeHead(200, { 'content-length': bytes.length }).flushHeaders();
      if (count > 0) response.write(bytes.subarray(0, count));
      return true;
    });
    const { said, error } = await pullQuickly(registry, 50);
    expect(said.length).toBe(3);
    expect(error).toMatch(/in 4 tries: 127\.0\.0\.1:\d+ sent nothing for 0\.05 s$/);
  });

  test('after the last byte is whole', async () => {
    const registry = await start(({ url }, response) => {
      if (!isLayer(url)) return false;
      // In chunks, so that the end is not told.
      response.writeHead(200);
      response.write(bytes, () => response.destroy());
      return true;
    });
    const { said, error, layer } = await pullQuickly(registry);
    expect({ error, said: said.length, same: layer?.equals(bytes) }).toEqual({ error: undefined, said: 1, same: true });
    expect(registry.seen.filter(({ path }) => isLayer(path)).length).toBe(1);
  });

  test('without the part that is missing is begun again', async () => {
    let count = 0;
    const registry = await start(({ url, headers: { range } }, response) => {
      if (!isLayer(url)) return false;
      if (range !== undefined) response.writeHead(416).end();
      return range !== undefined || (++count === 1 && breaks(response, 0, third, {}));
    });
    const { said, error, layer } = await pullQuickly(registry);
    expect({ error, said: said.length, same: layer?.equals(bytes) }).toEqual({ error: undefined, said: 2, same: true });
  });

  test('a registry that is busy is asked again, but not after an hour', async () => {
    let count = 0;
    const registry = await start(({ url }, response) => {
      if (!isLayer(url) || ++count > 2) return false;
      response.writeHead(count === 1 ? 503 : 429, { 'retry-after': '7' }).end();
      return true;
    });
    const { said, error } = await pullQuickly(registry);
    expect(error).toBeUndefined();
    expect(said.map((one) => one.replace(/^\S+ /, ''))).toEqual([
      'answered 503; trying again (1 of 3)',
      'answered 429; trying again (2 of 3)',
    ]);
    const busy = await start((_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
      return true;
    });
    expect((await pullQuickly(busy)).error).toMatch(/in 1 try: 127\.0\.0\.1:\d+ answered 429/);
  });
});

describe('where a registry leads to', () => {
  const leads =
    (to: () => string): Misbehaviour =>
    ({ url }, response) => {
      if (!isLayer(url)) return false;
      response.writeHead(307, { location: to() }).end();
      return true;
    };

  test('is followed to a host that is allowed, which gets no credentials', async () => {
    const storage = await start();
    const path = `/v2/${repository}/blobs/${artifact.layer.digest}?signed=yes`;
    storage.close();
    const other = await start(({ url }, response) => {
      if (url !== path) return false;
      response.end(artifact.layer.bytes);
      return true;
    });
    const asks = withBasic(leads(() => `${other.url}${path}`));
    const registry = await start(asks);
    const { status } = await pull(registry, { more: ['--allow-host', other.host], env: environmentOf(registry.host) });
    expect(status).toBe(0);
    expect(registry.seen.some(({ headers }) => headers.authorization === basic)).toBe(true);
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test.each<[string, string, RegExp]>([
    [
      'a host that is not',
      'https://storage.example/x',
      /leads on to storage\.example, which is not known to belong to it; --allow-host storage\.example allows it/,
    ],
    ['another port', 'http://127.0.0.1:1/x', /leads on to 127\.0\.0\.1:1, which is not known/],
    [
      'the cloud’s metadata',
      'http://169.254.169.254/latest/meta-data',
      /leads on to 169\.254\.169\.254, which is not known/,
    ],
    ['a file', 'file:///etc/passwd', /leads on to , which is not known/],
    ['no address', 'http://[', /leads on to what is no address/],
    ['an address with a password', 'http://a:b@127.0.0.1/', /leads on to what is no address/],
  ])('is not followed to %s', async (_, location, words) => {
    expectRefused(await pull(await start(leads(() => location))), words);
  });

  test('is not followed in circles', async () => {
    const registry = await start(leads(() => `/v2/${repository}/blobs/${artifact.layer.digest}`));
    expectRefused(await pull(registry), 'leads on more than 5 times');
    expect(registry.seen.filter(({ path }) => isLayer(path)).length).toBe(6);
  });

  test('gets no credentials where it asks for some', async () => {
    const storage = await start(withBasic(() => false));
    const registry = await start(leads(() => `${storage.url}/x`));
    const refused = await pull(registry, { more: ['--allow-host', storage.host], env: environmentOf(registry.host) });
    expectRefused(refused, `${storage.host} does not allow it (401)`);
    for (const { headers } of [...storage.seen, ...registry.seen]) expect(headers.authorization).toBe(undefined);
  });
});

/** Asks for user and password before it does anything else. */
function withBasic(next: Misbehaviour): Misbehaviour {
  return (request, response) => {
    if (request.headers.authorization === basic) return next(request, response);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="a registry"' }).end();
    return true;
  };
}

describe('credentials', () => {
  test('are asked for, and where they were looked for is said', async () => {
    const registry = await start(withBasic(() => false));
    expectRefused(await pull(registry), /asks for a user and a password; there is no .*config\.json/);
    const folder = newFolder();
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ auths: { 'ghcr.io': { auth: 'eDp5' } }, credsStore: 'desktop' }),
    );
    const helped = await pull(registry, { env: { DOCKER_CONFIG: folder } });
    expectRefused(
      helped,
      /config\.json has no user and password for 127\.0\.0\.1:\d+, and the helper that it names is not started/,
    );
  });

  test('are those of Docker’s configuration, wherever it lies', async () => {
    const pulled = { status: 0, stdout: expect.stringMatching(/^\/.*\n$/) };
    const registry = await start(withBasic(() => false));
    const auths = { [`http://${registry.host}/v2/`]: { auth: Buffer.from('me:hunter2').toString('base64') } };
    const home = newFolder();
    mkdirSync(join(home, '.docker'));
    writeFileSync(join(home, '.docker/config.json'), JSON.stringify({ auths }));
    expect(await pull(registry, { env: { HOME: home } })).toMatchObject(pulled);
    expect(await pull(registry, { env: { DOCKER_CONFIG: join(home, '.docker') } })).toMatchObject(pulled);
    expect(await pull(registry, { env: environmentOf(registry.host) })).toMatchObject(pulled);
  });

  test('that are refused are not shown, and a configuration that is broken is not either', async () => {
    const registry = await start((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    });
    const refused = await pull(registry, { env: environmentOf(registry.host) });
    expectRefused(refused, /does not allow it \(401\); the credentials are those of DOCKER_AUTH_CONFIG/);
    const broken = await pull(registry, { env: { DOCKER_AUTH_CONFIG: '{"auths": hunter2' } });
    expectRefused(broken, 'DOCKER_AUTH_CONFIG is not JSON');
    expect(refused.stderr + broken.stderr).not.toMatch(/hunter2|bWU6/);
  });

  test('are those of the registry that is asked, not of the one that it mirrors', async () => {
    const registry = await start();
    await pull(registry, { env: environmentOf('ghcr.io') });
    expect(registry.seen.length).toBeGreaterThan(0);
    expect(registry.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });
});

describe('a token', () => {
  /** Gives a token at a path of its own, and takes no other. */
  const withToken =
    (realm: (host: string) => string, body = '{"token":"t0ken"}'): Misbehaviour =>
    (request, response) => {
      const { url = '', headers } = request;
      if (url.startsWith('/token')) response.end(body);
      else if (headers.authorization === 'Bearer t0ken') return false;
      else {
        const challenge = `Bearer realm="${realm(headers.host ?? '')}",service="a service",scope="repository:other:pull,push"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      }
      return true;
    };

  test('is asked for as the registry says, to read this one repository', async () => {
    const registry = await start(withToken((host) => `http://${host}/token`));
    expect(await pull(registry)).toMatchObject({ status: 0 });
    const asked = registry.seen.filter(({ path }) => path.startsWith('/token'));
    expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [`/token?service=a+service&scope=repository%3A${repository.replaceAll('/', '%2F')}%3Apull`, undefined],
    ]);
    expect(await pull(registry, { env: environmentOf(registry.host) })).toMatchObject({ status: 0 });
    expect(registry.seen.findLast(({ path }) => path.startsWith('/token'))?.headers.authorization).toBe(basic);
  });

  test('is not asked for elsewhere, unless that host is allowed', async () => {
    const tokens = await start(withToken(() => ''));
    const registry = await start(withToken(() => `${tokens.url}/token`));
    const env = environmentOf(registry.host);
    expectRefused(await pull(registry, { env }), `leads on to ${tokens.host}, which is not known to belong to it`);
    expect(tokens.seen).toEqual([]);
    expect(await pull(registry, { env, more: ['--allow-host', tokens.host] })).toMatchObject({ status: 0 });
  });

  test.each<[string, string, RegExp]>([
    ['no JSON', '<html>', /the token of .* is not JSON/],
    ['no token', '{"message":"no"}', /gives no token/],
    ['a header of its own', JSON.stringify({ token: 'a\r\nhost: b' }), /gives no token/],
  ])('that is %s is refused', async (_, body, words) => {
    expectRefused(await pull(await start(withToken((host) => `http://${host}/token`, body))), words);
  });

  test('that the registry does not take is asked for once', async () => {
    const registry = await start(withToken((host) => `http://${host}/token`, '{"access_token":"other"}'));
    expectRefused(await pull(registry), /does not allow it \(401\)/);
    expect(registry.seen.length).toBe(3);
  });

  test('of a kind that is not known', async () => {
    const registry = await start((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Negotiate' }).end();
      return true;
    });
    expectRefused(await pull(registry), 'asks for a kind of login that is not known');
  });
});

describe('the network is that of the internet', () => {
  const address = `oci://ghcr.io/${repository}@${artifact.digest}`;
  const from = (registry: string, ...more: string[]) => {
    const cache = newFolder();
    return runHere(['charts', 'pull', address, '--registry', registry, ...more], { env: { HOME: cache } });
  };

  test.each<[string, string[], RegExp]>([
    ['127.0.0.1:1', [], /127\.0\.0\.1:1 is 127\.0\.0\.1, no address of the internet; --allow-private allows it/],
    ['https://[::1]:1', [], /is ::1, no address of the internet/],
    ['https://2130706433:1', [], /is 127\.0\.0\.1, no address of the internet/],
    // By its name alone nobody would know.
    ['localhost:1', [], /localhost:1 is (?:127\.0\.0\.1|::1), no address of the internet/],
    ['http://127.0.0.1:1', [], /only https is spoken; --allow-private allows http to private addresses/],
    ['http://8.8.8.8:1', ['--allow-private'], /is 8\.8\.8\.8, an address of the internet, where only https is spoken/],
    ['http://127.0.0.1:1', ['--allow-private'], /127\.0\.0\.1:1 cannot be asked: connect ECONNREFUSED/],
  ])('%s %j', async (registry, more, words) => {
    const { status, stderr } = await from(registry, ...more);
    expect(stderr).toMatch(words);
    expect(status).toBe(2);
  });
});

describe('what is asked for', () => {
  const refused = async (...args: string[]) => {
    const { status, stderr, stdout } = await runHere(['charts', ...args], { env: { HOME: newFolder() } });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    return stderr;
  };
  const digest = `sha256:${'a'.repeat(64)}`;

  test.each<[string[], string]>([
    [[], 'what of charts? charts pull RELEASE'],
    [['push', 'v1.6.2'], 'what of charts? charts pull RELEASE'],
    [['pull'], 'what of charts? charts pull RELEASE'],
    [['pull', 'v1.6.2', 'v1.5.4'], 'one at a time: "v1.6.2" or "v1.5.4"?'],
    [['pull', 'v1.6'], 'of "v1.6" no artifact with charts is known, only of v1.5.4 and v1.6.2'],
    [['pull', 'next'], '"next" is no address of an artifact'],
    [['pull', `oci://ghcr.io/a:latest`], 'is no address of an artifact with its digest'],
    [['pull', `oci://ghcr.io/a/../b@${digest}`], 'names no repository of a registry'],
    [['pull', `oci://ghcr.io/${'a/'.repeat(130)}b@${digest}`], 'names no repository of a registry'],
    [['pull', `oci://a@b/c@${digest}`], 'is no address of a registry'],
    [['pull', `oci://ghcr.io@${digest}`], 'is no address of an artifact'],
    [['pull', 'v1.6.2', '--registry', 'https://a.example?x=/y'], 'is no address of a registry'],
    [['pull', 'v1.6.2', '--registry', 'ftp://a.example'], 'is no address of a registry'],
    [['pull', 'v1.6.2', '--max-seconds', '0'], '--max-seconds 0: a number of seconds from 1 is needed'],
    [['pull', 'v1.6.2', '--charts', 'x'], '--charts is not an option of charts'],
  ])('%j', async (args, words) => {
    expect(await refused(...args)).toContain(words);
  });
});
