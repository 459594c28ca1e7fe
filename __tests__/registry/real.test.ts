/** `charts pull` from a real registry, without a login, with a password and with tokens; without the program these are skipped tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chartsFolder, makeArtifact, repository } from '../support/artifact.js';
import { runHere } from '../support/here.js';
import {
  htpasswd,
  pushArtifact,
  type RealRegistry,
  registryProgram,
  startRegistry,
  startTokenServer,
  type TokenServer,
  whyNoRegistry,
} from '../support/registry.js';

if (whyNoRegistry) {
  test.skip(`charts are pulled from a real registry: skipped, as ${whyNoRegistry}`, () => {});
}

(whyNoRegistry ? describe.skip : describe)('distribution', () => {
  const artifact = makeArtifact();
  const registries: { [name: string]: RealRegistry } = {};
  const tokens: { [name: string]: TokenServer } = {};
  let data: string;

  beforeAll(async () => {
    registryProgram();
    data = mkdtempSync(join(tmpdir(), 'registry-'));
    const open = await startRegistry(data);
    registries.open = open;
    await pushArtifact(open.url, artifact);
    const path = join(data, 'htpasswd');
    writeFileSync(path, htpasswd);
    registries.basic = await startRegistry(data, { htpasswd: { realm: 'charts', path } });
    tokens.all = await startTokenServer(data);
    registries.tokens = await startRegistry(data, tokens.all.auth());
    tokens.some = await startTokenServer(data, 'me:hunter2');
    registries.both = await startRegistry(data, tokens.some.auth());
  }, 1_800_000);
  afterAll(() => {
    for (const one of [...Object.values(registries), ...Object.values(tokens)]) one.close();
    rmSync(data, { recursive: true, force: true });
  });

  async function pull(name: string, { password, more = [] }: { password?: string; more?: string[] } = {}) {
    const { url, host } = registries[name] as RealRegistry;
    const cache = mkdtempSync(join(data, 'cache-'));
    const login = { DOCKER_AUTH_CONFIG: JSON.stringify({ auths: { [host]: { username: 'me', password } } }) };
    const args = [`oci://ghcr.io/${repository}@${artifact.digest}`, '--registry', url, '--allow-private', ...more];
    return runHere(['charts', 'pull', ...args], { env: { HOME: cache, ...(password !== undefined && login) } });
  }

  /** The tokens come from another port of the loopback. */
  const allowed = (name: string) => {
    const { realm } = ((tokens[name] as TokenServer).auth() as { token: { realm: string } }).token;
    return ['--allow-host', new URL(realm).host];
  };

  test('without a login, and what is pulled is what was pushed', async () => {
    const { status, stdout } = await pull('open');
    expect(status).toBe(0);
    const example = ['check', '__tests__/rules/chart-fails/bad', '-q', '--charts'];
    const [pulled, folder] = [await runHere([...example, stdout.trim()]), await runHere([...example, chartsFolder])];
    expect(pulled).toEqual(folder);
    expect(pulled.stdout).toContain('error[chart-fails]');
  });

  test('with a password', async () => {
    expect(await pull('basic', { password: 'hunter2' })).toMatchObject({ status: 0 });
    const wrong = await pull('basic', { password: 'hunter3' });
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/does not allow it \(401\); the credentials are those of DOCKER_AUTH_CONFIG$/m);
    expect((await pull('basic')).stderr).toMatch(/asks for a user and a password; there is no .*config\.json$/m);
  });

  test('with a token that anybody gets', async () => {
    expect(await pull('tokens', { more: allowed('all') })).toMatchObject({ status: 0 });
    expect(tokens.all?.asked).toEqual([{ scope: `repository:${repository}:pull`, user: undefined }]);
    const refused = await pull('tokens');
    expect(refused).toMatchObject({ status: 2 });
    expect(refused.stderr).toContain('is not known to belong to it');
  });

  test('with a token for a password', async () => {
    expect(await pull('both', { password: 'hunter2', more: allowed('some') })).toMatchObject({ status: 0 });
    expect(tokens.some?.asked.at(-1)).toEqual({ scope: `repository:${repository}:pull`, user: 'me:hunter2' });
    const refused = await pull('both', { more: allowed('some') });
    expect(refused.stderr).toMatch(/does not allow it \(401\); there is no .*config\.json$/m);
  });

  test('what it does not have', async () => {
    const args = [
      `oci://ghcr.io/${repository}@sha256:${'0'.repeat(64)}`,
      '--registry',
      registries.open?.url ?? '',
      '--allow-private',
    ];
    const { status, stderr } = await runHere(['charts', 'pull', ...args], { env: { HOME: data } });
    expect(status).toBe(2);
    expect(stderr).toMatch(/has no manifests\/sha256:0+ in .* \(404\)$/m);
  });

  test('a layer of which some is there already is gone on with', async () => {
    const layer = `${registries.open?.url}/v2/${repository}/blobs/${artifact.layer.digest}`;
    const answer = await fetch(layer, { headers: { range: 'bytes=100-' } });
    // What the client rests on (pull.ts).
    expect({ status: answer.status, range: answer.headers.get('content-range') }).toEqual({
      status: 206,
      range: `bytes 100-${artifact.layer.bytes.length - 1}/${artifact.layer.bytes.length}`,
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(artifact.layer.bytes.subarray(100));
  });
});
