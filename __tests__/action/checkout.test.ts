/** The two trees of a pull request, out of the shallow checkout that actions/checkout leaves: the merge commit, without history. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ChangedTrees, type ChangeOptions, openChange } from '../../src/action/checkout.js';
import { GitHub } from '../../src/github/client.js';
import { treeLimits } from '../../src/tree/tree.js';
import { type GitServer, serveGit } from '../support/githttp.js';
import { FakeGitHub } from '../support/github/fake.js';
import { isLong } from '../support/sample.js';

let fake: FakeGitHub;
let number: number;
let workspace: string;
let servers: { close(): Promise<unknown> }[] = [];

const text = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

/** The base has moved on since, so that neither its tip nor the merge is what is to be compared. */
beforeEach(async () => {
  fake = await FakeGitHub.create({ files: { 'a.txt': text(1, 20), 'dir/b.txt': 'b\n' }, private: true });
  number = await fake.open({ changes: { 'a.txt': `${text(1, 20)}mine\n` } });
  await fake.mergeBaseForward({ 'a.txt': `theirs\n${text(1, 20)}` });
  await fake.mergeCommit(number);
  workspace = mkdtempSync(join(tmpdir(), 'workspace-'));
});
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
  rmSync(workspace, { recursive: true });
  expect({ violations: fake.violations, leaks: fake.leaks }).toEqual({ violations: [], leaks: [] });
  fake.close();
});

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: workspace, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** As actions/checkout does it; `header` is what it leaves behind unless persist-credentials is false. */
type CheckOut = { depth?: string; header?: string; filter?: string };
function checkOut(url: string, { depth = '--depth=1', header, filter }: CheckOut = {}) {
  git('init', '--quiet');
  git('remote', 'add', 'origin', `file://${fake.gitDirectory}`);
  const ref = `+refs/pull/${number}/merge:refs/remotes/pull/${number}/merge`;
  git(
    'fetch',
    '--quiet',
    '--no-tags',
    ...(filter ? [filter] : []),
    ...(depth ? [depth, 'origin', ref] : ['origin', ref, '+refs/heads/*:refs/remotes/origin/*']),
  );
  git('checkout', '--quiet', '--force', `refs/remotes/pull/${number}/merge`);
  git('remote', 'set-url', 'origin', url);
  if (header) git('config', `http.${new URL(url).origin}/.extraheader`, `AUTHORIZATION: basic ${header}`);
}

async function privateServer(): Promise<{ server: GitServer; url: string }> {
  const server = await serveGit(fake.gitDirectory, fake.token('write'));
  servers.push(server);
  return { server, url: `${server.url}/${basename(fake.gitDirectory)}` };
}

type Open = { token?: string; server?: string; github?: GitHub } & Partial<ChangeOptions>;
function open({ token, server = nowhere, ...more }: Open = {}) {
  const { head, base } = fake.pull(number);
  const origin = { server, repository: 'acme/platform' };
  const github = token === undefined ? undefined : asked(token);
  const usual = { directory: workspace, prefix: '', head: head.sha, base: base.sha, github, origin, token };
  return openChange({ ...usual, ...more });
}

/** Nobody listens there. */
const nowhere = 'https://127.0.0.1:1';
const asked = (token: string) =>
  new GitHub({ token, repository: 'acme/platform', apiUrl: fake.apiUrl, fetch: fake.fetch as never });

/** The fake behind a real port, as archives are not fetched by way of the client. */
async function listening(): Promise<GitHub> {
  const real = await fake.listen();
  servers.push(real);
  return new GitHub({ token: fake.token('write'), repository: 'acme/platform', apiUrl: real.api });
}

/** Head's own bytes against the merge base: neither has the line that the base got since. */
function expectBoth({ head, base, why }: ChangedTrees) {
  expect(head?.text('a.txt')).toBe(`${text(1, 20)}mine\n`);
  expect(base?.text('a.txt')).toBe(text(1, 20));
  expect([head?.revision, base?.revision, why]).toEqual(['head', 'base', []]);
}

test('with all the history nothing is fetched, and nobody is asked', async () => {
  checkOut('file:///nowhere', { depth: '' });
  expectBoth(await open());
  expect(fake.log).toEqual([]);
});

test('a plain checkout: the merge base is asked for, both commits are fetched with what the checkout left', async () => {
  const { server, url } = await privateServer();
  const header = Buffer.from(`x-access-token:${fake.token('write')}`).toString('base64');
  checkOut(url, { header });
  expectBoth(await open({ token: fake.token('no-pulls'), server: server.url }));
  expect(fake.log.map(({ operation }) => operation)).toEqual(['repos/compare-commits-with-basehead']);
  expect(server.seen).toContain(`x-access-token:${fake.token('write')}`);
  expect(server.seen).not.toContain(`x-access-token:${fake.token('no-pulls')}`);
});

test('persist-credentials: false: the token goes to git, for this one fetch', async () => {
  const { server, url } = await privateServer();
  checkOut(url);
  expectBoth(await open({ token: fake.token('write'), server: server.url }));
  expect(server.seen).toContain(`x-access-token:${fake.token('write')}`);
  expect(git('config', '--list')).not.toContain('extraheader');
});

test('a header that the checkout left and that does not work is replaced, not doubled', async () => {
  const { server, url } = await privateServer();
  checkOut(url, { header: Buffer.from('x-access-token:expired').toString('base64') });
  expectBoth(await open({ token: fake.token('write'), server: server.url }));
});

test('of two headers that checkouts left the last one is sent', async () => {
  const { server, url } = await privateServer();
  const header = (password: string) => Buffer.from(`x-access-token:${password}`).toString('base64');
  checkOut(url, { header: header('expired') });
  const key = `http.${server.url}/.extraheader`;
  git('config', '--add', key, `AUTHORIZATION: basic ${header(fake.token('write'))}`);
  // The token may ask for the shared commit, but not for the repository.
  expectBoth(await open({ token: fake.token('no-pulls'), server: server.url }));
  expect(server.seen).not.toContain('x-access-token:expired');
});

test('a clone without the trees of a commit is as good as none', async () => {
  const { server, url } = await privateServer();
  checkOut(`file://${fake.gitDirectory}`, { depth: '', filter: '--filter=tree:0' });
  // What git would fetch by itself where it misses something is not to be had any more.
  git('remote', 'set-url', 'origin', url);
  expectBoth(await open({ token: fake.token('write'), server: server.url }));
  expect(server.seen).toContain(`x-access-token:${fake.token('write')}`);
});

(isLong() ? test : test.skip)('an archive without end is given up', async () => {
  checkOut(`${nowhere}/acme/platform`);
  const endless = createServer((_, response) => {
    const chunk = Buffer.alloc(1 << 20);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  servers.push({
    close: async () => {
      endless.closeAllConnections();
      endless.close();
    },
  });
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
  const github = {
    archiveUrl: async () => url,
    mergeBase: async () => fake.pull(number).base.sha,
  } as unknown as GitHub;
  const change = await open({ token: 'x', github });
  expect([change.head, change.why.join('\n')]).toEqual([
    undefined,
    expect.stringContaining('it is larger than a repository may be'),
  ]);
});

test.each([
  ['is taken that is as large as a repository may be', 0, undefined],
  ['is given up that is larger by a byte', -1, expect.stringContaining('it is larger than a repository may be')],
])('an archive %s', async (_, less, why) => {
  checkOut(`${nowhere}/acme/platform`);
  const github = await listening();
  const response = await fetch((await github.archiveUrl(fake.pull(number).head.sha)) ?? '');
  const { totalBytes } = treeLimits;
  treeLimits.totalBytes = (await response.arrayBuffer()).byteLength + less;
  try {
    const { head, why: said } = await open({ token: 'x', github });
    const ofHead = said.find((one) => one.includes(`the archive of ${fake.pull(number).head.sha.slice(0, 12)}`));
    expect([head?.files, ofHead]).toEqual([why ? undefined : ['a.txt', 'dir/b.txt'], why]);
  } finally {
    treeLimits.totalBytes = totalBytes;
  }
});

test('where nothing can be written there is no use in looking elsewhere', async () => {
  checkOut(`${nowhere}/acme/platform`);
  const { RUNNER_TEMP } = process.env;
  process.env.RUNNER_TEMP = join(workspace, 'nowhere');
  try {
    const opened = open({ token: fake.token('write'), github: await listening() });
    await expect(opened).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    if (RUNNER_TEMP === undefined) delete process.env.RUNNER_TEMP;
    else process.env.RUNNER_TEMP = RUNNER_TEMP;
  }
});

test('git cannot fetch: the archives, without the token where they lie', async () => {
  checkOut(`${nowhere}/acme/platform`);
  const change = await open({ token: fake.token('write'), github: await listening() });
  expect(change.head?.text('a.txt')).toBe(`${text(1, 20)}mine\n`);
  expect(change.base?.text('a.txt')).toBe(text(1, 20));
  expect(change.base?.files).toEqual(['a.txt', 'dir/b.txt']);
  expect(
    fake.log.filter(({ operation }) => operation === 'codeload').map(({ headers }) => headers.authorization),
  ).toEqual([undefined, undefined]);
});

test.each([
  ['a file that attributes leave out', 'dir/b.txt export-ignore\n', 'dir/b.txt'],
  ['the attributes themselves', '* export-ignore\n', '.gitattributes'],
  ['a folder', 'dir export-ignore\n', 'dir/b.txt'],
  ['a file that attributes rewrite', 'a.txt export-subst\n', 'a.txt'],
])('an archive that is not the commit is refused: %s', async (_, attributes, name) => {
  number = await fake.open({ changes: { '.gitattributes': attributes, 'a.txt': '$Format:%H$\n' } });
  await fake.mergeCommit(number);
  checkOut(`${nowhere}/acme/platform`);
  const opened = open({ token: 'x', github: await listening() });
  await expect(opened).rejects.toThrow(
    `"${name}" is not in the archive of commit ${fake.pull(number).head.sha.slice(0, 12)} as it is committed`,
  );
});

test('neither history nor token: what was to be compared is missing, and why is said', async () => {
  checkOut(`${nowhere}/acme/platform`);
  const { head, base, why } = await open();
  expect([head, base]).toEqual([undefined, undefined]);
  expect(why.join('\n')).toMatch(/no token to ask GitHub.*\n.*git cannot fetch/s);
  expect(why.join('\n')).not.toContain('x-access-token');
});

describe('the tip of the base branch, as others have merged since,', () => {
  const short = (commit: string) => commit.slice(0, 12);
  const tipOfBranch = () => fake.state.branchHead('main');
  /** A commit with any parents, and with a tree that need not be there. */
  const commit = (tree: string, ...parents: string[]) =>
    execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
      cwd: workspace,
      encoding: 'utf8',
      input: [
        `tree ${tree}`,
        ...parents.map((parent) => `parent ${parent}`),
        'author A <a@example.org> 0 +0000',
        'committer A <a@example.org> 0 +0000\n\nx\n',
      ].join('\n'),
    }).trim();

  function expectTip(change: ChangedTrees) {
    expectBoth(change);
    expect(change.tip?.text('a.txt')).toBe(`theirs\n${text(1, 20)}`);
    expect([change.tip?.revision, change.shared]).toEqual(['base', fake.pull(number).base.sha]);
  }
  function expectNone(change: ChangedTrees) {
    expectBoth(change);
    expect([change.tip, change.shared]).toEqual([undefined, fake.pull(number).base.sha]);
  }

  test('is what the merge of the event is made on, and nobody is asked', async () => {
    checkOut('file:///nowhere', { depth: '' });
    expectTip(await open({ token: fake.token('write'), merge: git('rev-parse', 'HEAD'), branch: 'main' }));
    expect(fake.log).toEqual([]);
  });

  test('is known from a shallow checkout by name, and fetched with the others', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const token = fake.token('write');
    expectTip(await open({ token, server: server.url, merge: git('rev-parse', 'HEAD') }));
  });

  test('is asked for by the name of the branch where the merge is not of this change and its tip alone', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const [tip, head] = [tipOfBranch(), fake.pull(number).head.sha];
    const ofAnother = commit('a'.repeat(40), tip, tip);
    const ofSeveral = commit('a'.repeat(40), tip, head, tip);
    const plain = commit('a'.repeat(40), tip);
    for (const merge of [ofAnother, ofSeveral, plain, 'a'.repeat(40), undefined]) {
      const before = fake.log.length;
      expectTip(await open({ token: fake.token('write'), merge, branch: 'main' }));
      const asked = fake.log.slice(before).map(({ operation }) => operation);
      expect({ merge, asked }).toEqual({ merge, asked: ['repos/compare-commits-with-basehead'] });
    }
  });

  test('is what the event says where neither a merge nor GitHub tells it', async () => {
    checkOut('file:///nowhere', { depth: '' });
    expectNone(await open({ token: fake.token('write') }));
    expectNone(await open({ branch: 'main' }));
    expectNone(await open({ token: fake.token('write'), branch: 'nobody' }));
  });

  test('that cannot be had leaves no base either, as its configuration would count', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const { head, base } = fake.pull(number);
    const tip = commit('a'.repeat(40), base.sha);
    const change = await open({ merge: commit('a'.repeat(40), tip, head.sha) });
    expect(Object.keys(change).sort()).toEqual(['head', 'why']);
    expect(change.head?.text('a.txt')).toBe(`${text(1, 20)}mine\n`);
    expect(change.why).toEqual([expect.stringContaining(`git cannot fetch ${short(tip)}: fatal: `)]);
  });

  test('that nobody knows to share a commit with the head leaves no base, and why is said', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const { head } = fake.pull(number);
    const unknown = 'f'.repeat(40);
    const change = await open({
      token: 'ghs_x',
      merge: commit('a'.repeat(40), unknown, head.sha),
      github: await listening(),
    });
    expect(Object.keys(change).sort()).toEqual(['head', 'why']);
    expect(change.why[0]).toMatch(/^GitHub does not tell the last shared commit: [^:]*$/);
    expect(change.why[1]).toMatch(/^git cannot fetch ffffffffffff: fatal: /);
    expect(change.why[2]).toMatch(/^the archive of ffffffffffff cannot be had: /);
  });

  test('is the whole base of a queued merge: what is checked out is compared with it', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const queued = { head: undefined, base: tipOfBranch(), branch: 'main' };
    const { base, ...change } = await open({ ...queued, token: fake.token('write'), server: server.url });
    expect(base?.text('a.txt')).toBe(`theirs\n${text(1, 20)}`);
    expect(change).toEqual({ shared: tipOfBranch(), why: [] });
    expect(fake.log).toEqual([]);
  });
});

describe('of a directory below the root', () => {
  const below = ({ head, base, why }: ChangedTrees) => [head?.files, base?.files, why];

  test('the files are those below it, wherever they come from', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const token = fake.token('write');
    // What git says of the place is better than what anybody else says.
    const change = await open({ directory: join(workspace, 'dir'), prefix: 'elsewhere/', token, server: server.url });
    expect(below(change)).toEqual([['b.txt'], ['b.txt'], []]);
  });

  test('the way to it is what the caller says where there is no repository', async () => {
    const { server } = await privateServer();
    const change = await open({ prefix: 'dir/', token: fake.token('write'), server: server.url });
    expect(below(change)).toEqual([['b.txt'], ['b.txt'], []]);
  });

  test('an archive is read from there on', async () => {
    checkOut(`${nowhere}/acme/platform`);
    const { head, base } = await open({ prefix: 'dir/', token: 'x', github: await listening() });
    expect([head?.files, base?.files]).toEqual([['b.txt'], ['b.txt']]);
  });
});

describe('what is there in part', () => {
  test('is fetched whole where a folder of it is missing', async () => {
    const { server, url } = await privateServer();
    checkOut(url, { depth: '' });
    const folder = git('rev-parse', 'HEAD:dir');
    rmSync(join(workspace, '.git/objects', folder.slice(0, 2), folder.slice(2)));
    expectBoth(await open({ token: fake.token('write'), server: server.url }));
    expect(server.seen).toContain(`x-access-token:${fake.token('write')}`);
  });

  test('is taken as an archive where only the bytes of a file are missing', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const file = git('rev-parse', `${fake.pull(number).base.sha}:a.txt`);
    rmSync(join(workspace, '.git/objects', file.slice(0, 2), file.slice(2)));
    expectBoth(await open({ token: 'x', github: await listening() }));
  });

  test('and what was fetched is gone when it has been read', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const { RUNNER_TEMP } = process.env;
    process.env.RUNNER_TEMP = mkdtempSync(join(workspace, 'temporary-'));
    try {
      expectBoth(await open({ token: fake.token('write'), server: server.url }));
      expect(readdirSync(process.env.RUNNER_TEMP)).toEqual([]);
    } finally {
      if (RUNNER_TEMP === undefined) delete process.env.RUNNER_TEMP;
      else process.env.RUNNER_TEMP = RUNNER_TEMP;
    }
  });
});

describe('why something is missing is said in full', () => {
  const names = () => {
    const { head, base } = fake.pull(number);
    return [head.sha, base.sha].map((commit) => commit.slice(0, 12));
  };

  test('where nobody said from where to fetch', async () => {
    checkOut(`${nowhere}/acme/platform`);
    const [head, base] = names();
    expect((await open({ origin: undefined })).why).toEqual([
      `git does not know the last commit that ${head} shares with its base, and there is no token to ask GitHub; check out with fetch-depth: 0`,
      `git cannot fetch ${head} and ${base}: GITHUB_REPOSITORY does not say from where (fetch-depth: 0 in the checkout helps)`,
    ]);
  });

  test.each<[string, number | undefined, string]>([
    ['GitHub names no archive', undefined, 'GitHub names no address for the archive'],
    ['the archive is not there', 404, '404 Not Found'],
    ['the archive is nothing', 204, '204 No Content'],
  ])('where %s', async (_, status, said) => {
    checkOut(`${nowhere}/acme/platform`);
    const server = createServer((_request, response) => response.writeHead(status ?? 200).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push({ close: async () => server.close() });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const github = {
      archiveUrl: async () => (status === undefined ? undefined : url),
      listing: async () => new Map(),
      mergeBase: async () => fake.pull(number).base.sha,
    } as unknown as GitHub;
    const [head, base] = names();
    expect((await open({ token: 'x', github })).why.slice(1)).toEqual([
      `the archive of ${head} cannot be had: ${said}`,
      `the archive of ${base} cannot be had: ${said}`,
    ]);
  });
});
