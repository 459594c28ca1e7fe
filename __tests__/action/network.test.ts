/** Behind a proxy, and with certificates of the company: commits by git, and the archive, as the runner's environment says. */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { download } from '../../src/action/download.js';
import { fetchCommits } from '../../src/action/fetch.js';
import { gitEnvironment } from '../../src/tree/git-environment.js';
import { type GitServer, serveGit } from '../support/githttp.js';
import { commitTwice, type History } from '../support/history.js';
import { hasOpenssl, type ProxyServer, portOf, startProxy, startTls } from '../support/proxy.js';
import { createRepo, removeRepo } from '../support/trees.js';

const secret = 'ghs_SECRETSECRETSECRET0123456789';
/** Nobody but the proxy knows where it is. */
const host = 'git.company.test';
const names = ['http_proxy', 'https_proxy', 'no_proxy', 'GIT_SSL_CAINFO'];
const before = names.map((name) => [name, process.env[name]] as const);
const folders: string[] = [];
const ends: (() => unknown)[] = [];

function set(variables: Record<string, string>): void {
  for (const name of names) delete process.env[name];
  Object.assign(process.env, variables);
}

beforeEach(() => set({}));
afterEach(async () => {
  set(Object.fromEntries(before.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))));
  for (const end of ends.splice(0)) await end();
  folders.splice(0).forEach(removeRepo);
});

function folder(): string {
  const made = createRepo({});
  folders.push(made);
  return made;
}

describe('commits', () => {
  let history: History;
  let git: GitServer;
  let proxy: ProxyServer;
  let ca: string;

  beforeEach(async () => {
    if (!hasOpenssl) return;
    history = commitTwice({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' });
    git = await serveGit(join(history.folder, '.git'), secret);
    const tls = await startTls(host, Number(new URL(git.url).port), folder());
    proxy = await startProxy({ [`${host}:443`]: tls.port });
    ca = tls.ca;
    ends.push(
      tls.close,
      proxy.close,
      () => git.close(),
      () => removeRepo(history.folder),
    );
  });

  const fetched = async () => {
    const origin = { server: `https://${host}`, repository: 'acme/x' };
    const store = await fetchCommits(folder(), [history.head], origin, secret);
    store.close();
  };
  const whereOpenssl = hasOpenssl ? test : test.skip;

  whereOpenssl('come through the proxy, with the certificate of the company', async () => {
    set({ https_proxy: proxy.url, GIT_SSL_CAINFO: ca });
    await fetched();
    expect(new Set(proxy.seen)).toEqual(new Set([`${host}:443`]));
    expect(git.seen).toContain(`x-access-token:${secret}`);
  });

  whereOpenssl.each<[string, () => Record<string, string>, RegExp]>([
    ['without a proxy', () => ({ GIT_SSL_CAINFO: ca }), /resolve host/i],
    [
      'where the proxy is not for this host',
      () => ({ https_proxy: proxy.url, GIT_SSL_CAINFO: ca, no_proxy: host }),
      /resolve host/i,
    ],
    ['with a certificate that nobody knows', () => ({ https_proxy: proxy.url }), /certificate/i],
  ])('do not come %s, and the token goes nowhere', async (_, variables, words) => {
    set(variables());
    await expect(fetched()).rejects.toThrow(words);
    expect(git.seen).toEqual([]);
  });

  whereOpenssl('are all that the proxy is for: no other git is told of it', async () => {
    set({ https_proxy: proxy.url, GIT_SSL_CAINFO: ca });
    expect(Object.keys(gitEnvironment()).filter((name) => names.includes(name))).toEqual([]);
  });

  whereOpenssl('that do not come say nothing of the password of the proxy', async () => {
    set({ https_proxy: 'http://jane:hunter2hunter2@127.0.0.1:1', GIT_SSL_CAINFO: ca });
    const error = await fetched().catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/fatal/);
    expect(String(error)).not.toContain('hunter2');
  });
});

describe('an archive', () => {
  let server: Server;
  let url: string;
  let port: number;
  let proxy: ProxyServer;

  beforeEach(async () => {
    server = createServer(({ url: path, headers }, response) => {
      if (path === '/moved') response.writeHead(302, { location: `${url}/archive` }).end();
      else if (path === '/archive') response.end(`bytes ${headers.authorization ?? 'for anybody'}`);
      else response.writeHead(404).end();
    });
    port = await portOf(server);
    url = 'http://codeload.company.test';
    proxy = await startProxy({ 'codeload.company.test:80': port });
    ends.push(() => server.close(), proxy.close);
  });

  test('comes through the proxy, and from where it has been moved to', async () => {
    set({ http_proxy: proxy.url });
    for (const path of ['archive', 'moved'])
      expect(Buffer.from(await download(`${url}/${path}`, 100)).toString()).toBe('bytes for anybody');
    expect(new Set(proxy.seen)).toEqual(new Set(['codeload.company.test:80']));
  });

  test('does not come without it', async () => {
    await expect(download(`${url}/archive`, 100)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
    set({ http_proxy: proxy.url, no_proxy: 'codeload.company.test' });
    await expect(download(`${url}/archive`, 100)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  });

  test('is refused where it is not there, or too large', async () => {
    const direct = `http://127.0.0.1:${port}`;
    await expect(download(`${direct}/nothing`, 100)).rejects.toThrow('404 Not Found');
    await expect(download(`${direct}/archive`, 5)).rejects.toThrow('it is larger than a repository may be');
  });
});
