/** Commits are fetched from where the runner says, with what authorizes there, into a repository that is nobody else's. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fetchCommits, fetchRef } from '../../src/action/fetch.js';
import { UnreadableError } from '../../src/core/unreadable.js';
import { commitOf, GitError, git } from '../../src/tree/git.js';
import { type GitServer, serveGit } from '../support/githttp.js';
import { commitTwice, gitIn, type History } from '../support/history.js';
import { createRepo, removeRepo } from '../support/trees.js';

const secret = 'ghs_SECRETSECRETSECRET0123456789';
const authorized = `x-access-token:${secret}`;
const basic = (words: string) => Buffer.from(words).toString('base64');

let made: History;
let checkout: string;
/** Where the runner wants temporary files. */
let temporary: string;
const before = { temporary: process.env.RUNNER_TEMP, path: process.env.PATH };

beforeAll(() => {
  made = commitTwice({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' });
  gitIn(made.folder)('tag', 'v1', made.head);
});
afterAll(() => removeRepo(made.folder));
beforeEach(() => {
  checkout = createRepo({});
  gitIn(checkout)('init', '-q');
  temporary = createRepo({});
  process.env.RUNNER_TEMP = temporary;
});
afterEach(() => {
  process.env.PATH = before.path;
  if (before.temporary === undefined) delete process.env.RUNNER_TEMP;
  else process.env.RUNNER_TEMP = before.temporary;
  [checkout, temporary].forEach(removeRepo);
});

/** What actions/checkout leaves behind. */
const leave = (server: string, value: string) =>
  gitIn(checkout)('config', '--add', `http.${server}/.extraheader`, value);

describe('from a server that asks for a token', () => {
  let server: GitServer;
  beforeEach(async () => {
    server = await serveGit(join(made.folder, '.git'), secret);
  });
  afterEach(() => server.close());

  const fetched = (token: string | undefined, commits = [made.head], directory = checkout) =>
    fetchCommits(directory, commits, { server: server.url, repository: 'acme/x' }, token);

  test('come the commits that were asked for, without history, tags or a trace of the token', async () => {
    const store = await fetched(secret);
    try {
      expect((await git(store, ['rev-list', made.head])).toString()).toBe(`${made.head}\n`);
      expect((await git(store, ['show', `${made.head}:a.txt`])).toString()).toBe('b\n');
      expect(await commitOf(store, made.base)).toBeUndefined();
      expect((await git(store, ['for-each-ref'])).toString()).toBe('');
      expect(readdirSync(store.gitDirectory).sort()).toEqual(['HEAD', 'config', 'objects', 'refs', 'shallow']);
      expect(readFileSync(join(store.gitDirectory, 'config'), 'utf8')).not.toMatch(/extraheader|basic/i);
      expect([store.prefix, dirname(store.gitDirectory)]).toEqual(['', temporary]);
    } finally {
      store.close();
    }
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('come several at once', async () => {
    const store = await fetched(secret, [made.head, made.base]);
    expect([await commitOf(store, made.head), await commitOf(store, made.base)]).toEqual([made.head, made.base]);
    store.close();
  });

  test('they lie where nobody else may read them', async () => {
    const store = await fetched(secret);
    const modes = [store.gitDirectory, join(store.gitDirectory, 'config')].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
    store.close();
  });

  test('they lie among the temporary files where the runner names no place', async () => {
    process.env.RUNNER_TEMP = '';
    const store = await fetched(secret);
    expect(dirname(store.gitDirectory)).toBe(tmpdir());
    store.close();
  });

  test('a store that is gone already is closed all the same', async () => {
    const store = await fetched(secret);
    rmSync(store.gitDirectory, { recursive: true });
    expect(() => store.close()).not.toThrow();
  });

  test('they come with what the checkout left, in capitals or not, and the token stays where it is', async () => {
    leave(server.url, `authorization: BASIC ${basic(authorized)}`);
    (await fetched('ghs_other')).close();
    expect(server.seen).toEqual(server.seen.map(() => authorized));
  });

  test.each([
    ['another header that quotes it', `X: authorization: basic ${basic(authorized)}`],
    ['more behind it', `authorization: basic ${basic(authorized)} more`],
    ['another way to authorize', `authorization: bearer ${secret}`],
    ['nothing', 'x'],
  ])('nothing else that is left there is sent: %s', async (_, value) => {
    leave(server.url, value);
    await expect(fetched(undefined)).rejects.toBeInstanceOf(GitError);
    expect(server.seen).toEqual([undefined]);
  });

  test('the last that may be a header counts, whatever else stands beside it', async () => {
    for (const value of [`authorization: basic ${basic('a:b')}`, `authorization: basic ${basic(authorized)}`, 'x'])
      leave(server.url, value);
    (await fetched(undefined)).close();
    expect(server.seen).toEqual(server.seen.map(() => authorized));
  });

  test('the token is tried where what was left does not do', async () => {
    leave(server.url, `authorization: basic ${basic('a:b')}`);
    (await fetched(secret)).close();
    expect([server.seen[0], server.seen.at(-1)]).toEqual(['a:b', authorized]);
  });

  test('without a token it is asked once, and nothing is left', async () => {
    await expect(fetched(undefined)).rejects.toThrow(/could not read Username|Authentication failed/i);
    expect(server.seen).toEqual([undefined]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('a token that does not do is told in git’s words, and nothing is left', async () => {
    await expect(fetched('ghs_other')).rejects.toBeInstanceOf(GitError);
    expect(server.seen).toEqual([undefined, 'x-access-token:ghs_other']);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('a directory without a repository leaves nothing, and the token does', async () => {
    const store = await fetched(secret, [made.head], temporary);
    expect(await commitOf(store, made.head)).toBe(made.head);
    store.close();
  });

  test('a git that cannot be started is told as such', async () => {
    const bin = createRepo({ git: 'no program' });
    process.env.PATH = bin;
    await expect(fetched(secret)).rejects.toBeInstanceOf(UnreadableError);
    expect(server.seen).toEqual([]);
    removeRepo(bin);
  });
});

// To wait for it would take as long; git-config says what these mean, and that they end a fetch is tested with less (tree/git-silence).
test('git is told to give up where not a byte comes for half a minute', async () => {
  const calls = join(temporary, 'calls');
  const bin = createRepo({});
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >> ${calls}\n`, { mode: 0o755 });
  process.env.PATH = `${bin}:${before.path}`;
  try {
    (
      await fetchCommits(checkout, [made.head], { server: 'https://127.0.0.1:1', repository: 'acme/x' }, undefined)
    ).close();
    const fetch = readFileSync(calls, 'utf8').match(/^.* fetch .*$/m)?.[0];
    expect(fetch).toMatch(
      / -c http\.lowSpeedLimit=1 -c http\.lowSpeedTime=30 fetch .* https:\/\/127\.0\.0\.1:1\/acme\/x /,
    );
  } finally {
    removeRepo(bin);
  }
});

test.each(['main', 'refs/heads/a:refs/heads/b', 'refs/heads/*', '--upload-pack=x', 'refs/heads/a b', '+refs/heads/a'])(
  'the ref %s is not fetched',
  async (ref) => {
    const origin = { server: 'https://127.0.0.1:1', repository: 'acme/x' };
    const opened = fetchRef(checkout, { ref, format: 'sha1' }, origin, undefined);
    await expect(opened).rejects.toThrow(`"${ref}" is not the name of a ref`);
  },
);

test('commits of SHA-256 have a repository of their kind', async () => {
  const origin = createRepo({ 'a.txt': 'a\n' });
  const run = gitIn(origin);
  run('init', '-q', '--object-format=sha256', '-b', 'main');
  run('add', '-A');
  run('commit', '-q', '-m', 'x');
  const commit = run('rev-parse', 'HEAD');
  const server = await serveGit(join(origin, '.git'), secret);
  try {
    const store = await fetchCommits(checkout, [commit], { server: server.url, repository: 'acme/x' }, secret);
    expect([commit.length, await commitOf(store, commit)]).toEqual([64, commit]);
    store.close();
  } finally {
    await server.close();
    removeRepo(origin);
  }
});

describe('the address', () => {
  let server: Server;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.headers.authorization ?? 'nobody'} ${request.url}`);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => void server.close());

  test.each([
    ['', '/acme/x'],
    ['/', '/acme/x'],
    ['/git', '/git/acme/x'],
    ['/git/', '/git/acme/x'],
  ])('of a server at "%s" of its host is "%s", also for the token', async (path, expected) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const failed = fetchCommits(checkout, [made.head], { server: url, repository: 'acme/x' }, secret);
    await expect(failed).rejects.toThrow(/not found/);
    const service = `${expected}/info/refs?service=git-upload-pack`;
    expect(asked).toEqual([`nobody ${service}`, `basic ${basic(authorized)} ${service}`]);
  });

  test('may be one with TLS', async () => {
    const failed = fetchCommits(
      checkout,
      [made.head],
      { server: 'https://127.0.0.1:1', repository: 'a.b/c-d_e' },
      undefined,
    );
    await expect(failed).rejects.toThrow(/unable to access 'https:\/\/127\.0\.0\.1:1\/a\.b\/c-d_e\//);
  });

  test.each([
    ['github.com', 'acme/x'],
    ['file:///etc', 'acme/x'],
    ['ssh://github.com', 'acme/x'],
    ['https://127.0.0.1:1', 'acme'],
    ['https://127.0.0.1:1', 'acme/x/y'],
    ['https://127.0.0.1:1', '-/acme/x'],
    ['https://127.0.0.1:1', 'acme/x?y'],
    ['https://127.0.0.1:1', ''],
  ])('is none: %s %s', async (address, repository) => {
    const failed = fetchCommits(checkout, [made.head], { server: address, repository }, secret);
    await expect(failed).rejects.toThrow(new GitError(`"${address}/${repository}" is no address of a repository`));
    expect(readdirSync(temporary)).toEqual([]);
  });
});
