/** `charts pull` behind a proxy, and with certificates of the company, as the environment says. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FakeRegistry, makeArtifact, repository, startFakeRegistry } from '../support/artifact.js';
import { root } from '../support/cli.js';
import { hasOpenssl, type ProxyServer, startProxy, startTls } from '../support/proxy.js';

/** Nobody but the proxy knows where it is. */
const host = 'registry.company.test';
const artifact = makeArtifact();

if (!hasOpenssl) test.skip('charts are pulled through a proxy: skipped, as openssl is not installed', () => {});

describe.each(hasOpenssl ? ['a company'] : [])('the network of %s', () => {
  let folder: string;
  let registry: FakeRegistry;
  let proxy: ProxyServer;
  let tls: Awaited<ReturnType<typeof startTls>>;
  /** Where the layer is said to be. */
  let location: string | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'company-'));
    registry = await startFakeRegistry(artifact, ({ url = '' }, response) => {
      if (location === undefined || !url.endsWith(artifact.layer.digest)) return false;
      response.writeHead(302, { location }).end();
      return true;
    });
    tls = await startTls(host, Number(new URL(registry.url).port), folder);
    proxy = await startProxy({ [`${host}:443`]: tls.port });
  });
  afterAll(() => {
    registry.close();
    tls.close();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function pull(env: Record<string, string>, registryHost = host) {
    const cache = mkdtempSync(join(folder, 'cache-'));
    const args = [`${root}__tests__/support/pull-host.mjs`, `oci://ghcr.io/${repository}@${artifact.digest}`];
    const { stdout } = await promisify(execFile)(process.execPath, [...args, `registry=${registryHost}`], {
      env: { PATH: process.env.PATH, HOME: cache, ...env },
    });
    return JSON.parse(stdout) as { status: number; stdout: string; stderr: string };
  }
  const company = () => ({ https_proxy: proxy.url, NODE_EXTRA_CA_CERTS: tls.ca });

  test('charts come through the proxy, with the certificate of the company', async () => {
    const { status, stderr } = await pull(company());
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining(`pulled 0.0 MiB from ${host};`) });
    expect(new Set(proxy.seen)).toEqual(new Set([`${host}:443`]));
    // The registry sees the host that was asked for, not the proxy.
    expect(new Set(registry.seen.map(({ headers }) => headers.host))).toEqual(new Set([host]));
  });

  test.each<[string, () => Record<string, string>, RegExp]>([
    [
      'without the proxy',
      () => ({ NODE_EXTRA_CA_CERTS: tls.ca }),
      /cannot be asked: getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|EAI_AGAIN/,
    ],
    ['where the proxy is not for this host', () => ({ ...company(), no_proxy: host }), /ENOTFOUND|EAI_AGAIN/],
    ['without the certificate', () => ({ https_proxy: proxy.url }), /cannot be asked: .*certificate/],
  ])('not %s', async (_, env, words) => {
    const { status, stderr } = await pull(env());
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
  });

  test('what the proxy refuses is said', async () => {
    const { status, stderr } = await pull(company(), 'other.company.test');
    expect(status).toBe(2);
    expect(stderr).toBe(
      `UsageError: the proxy ${new URL(proxy.url).host} does not connect to other.company.test:443 (502)\n`,
    );
  });

  test('an address of one’s own network is not asked for by the proxy either', async () => {
    const seen = proxy.seen.length;
    const { stderr } = await pull(company(), '10.0.0.1');
    expect(stderr).toContain('10.0.0.1 is 10.0.0.1, no address of the internet');
    expect(proxy.seen.length).toBe(seen);
  });

  test('what was asked for with TLS is not gone on with without it', async () => {
    location = `http://${host}/v2/${repository}/blobs/${artifact.layer.digest}`;
    const { status, stderr } = await pull(company());
    expect({ status, stderr }).toEqual({ status: 2, stderr: `UsageError: ${host} leads on to ${host} without TLS\n` });
  });
});
