/** The trees of a pull request, out of the shallow checkout that actions/checkout leaves: the merge commit, without history. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
import { hurried } from '../support/hurried.js';
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
  new GitHub({ token, repository: 'acme/platform', apiUrl: fake.apiUrl, fetch: fake.fetch as never, clock: hurried });

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
    compare: async () => ({ base: fake.pull(number).base.sha, shared: fake.pull(number).base.sha }),
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

describe('the merge', () => {
  const short = (commit = '') => commit.slice(0, 12);
  const tipOfBranch = () => fake.state.branchHead('main');
  const headOf = () => fake.pull(number).head.sha;
  const operations = () => fake.log.map(({ operation }) => operation);
  const withToken = () => ({ token: fake.token('write'), github: asked(fake.token('write')), branch: 'main', number });
  const compared = 'repos/compare-commits-with-basehead';
  /** A commit with any parents, and with a tree that need not exist. */
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
  const mine = `${text(1, 20)}mine\n`;
  const theirs = `theirs\n${text(1, 20)}`;

  /** Its files and those of its first parent; and those that the pull request shows. */
  function expectMerge({ head, base, tip, others, shown, shared, why }: ChangedTrees, parent = tipOfBranch()) {
    expect([head?.text('a.txt'), base?.text('a.txt')]).toEqual([`theirs\n${mine}`, theirs]);
    expect([shown?.head?.text('a.txt'), shown?.base?.text('a.txt')]).toEqual([mine, text(1, 20)]);
    expect([head?.revision, base?.revision, shared, tip, others, why]).toEqual([
      'head',
      'base',
      parent,
      undefined,
      undefined,
      [],
    ]);
  }
  function expectHead({ head, base, tip, merge }: ChangedTrees) {
    expect([head?.text('a.txt'), base?.text('a.txt'), tip?.text('a.txt')]).toEqual([mine, text(1, 20), theirs]);
    expect([merge, base?.description]).toEqual([
      undefined,
      expect.stringContaining(`without a merge: the head ${short(headOf())} is judged`),
    ]);
  }

  test('is the commit of the event, and without a token no API is asked', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const merge = git('rev-parse', 'HEAD');
    const change = await open({ merge, branch: 'main', number });
    expectMerge(change);
    expect([change.merge, change.base?.description]).toEqual([
      merge,
      `commit ${short(tipOfBranch())} as the first parent of the merge ${short(merge)} of the head ${short(headOf())}`,
    ]);
    expect(fake.log).toEqual([]);
  });

  test('is that of a shallow checkout, whose parents are fetched', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    expectMerge(await open({ ...withToken(), server: server.url, merge: git('rev-parse', 'HEAD') }));
    expect(operations()).toEqual([compared]);
  });

  test('is fetched if the base is checked out, as for pull_request_target', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const merge = git('rev-parse', 'HEAD');
    git('update-ref', '-d', `refs/remotes/pull/${number}/merge`);
    const change = await open({ ...withToken(), server: server.url, merge: tipOfBranch() });
    expectMerge(change);
    expect([change.merge, operations()]).toEqual([merge, [compared]]);
  });

  test('is the commit that the API names if the ref is another one', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const merge = git('rev-parse', 'HEAD');
    await fake.state.point(`refs/pull/${number}/merge`, tipOfBranch());
    await fake.state.point('refs/heads/kept', merge);
    const change = await open({ ...withToken(), server: server.url });
    expectMerge(change);
    expect([change.merge, operations()]).toEqual([merge, [compared, 'pulls/get']]);
  });

  test.each<[string, () => string | undefined]>([
    ['of another head', () => commit('a'.repeat(40), tipOfBranch(), tipOfBranch())],
    ['of three commits', () => commit('a'.repeat(40), tipOfBranch(), headOf(), tipOfBranch())],
    ['of one commit', () => commit('a'.repeat(40), tipOfBranch())],
    ['that does not exist', () => 'a'.repeat(40)],
    ['that is not named', () => undefined],
  ])('is made here instead of one %s', async (_, other) => {
    checkOut('file:///nowhere', { depth: '' });
    const change = await open({ ...withToken(), merge: other(), number: undefined });
    expectMerge(change);
    expect([change.merge, change.base?.description]).toEqual([
      undefined,
      `commit ${short(tipOfBranch())} with which the head ${short(headOf())} was merged here`,
    ]);
  });

  test('is made again if the base branch has moved on, and the history is fetched for that', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const merge = git('rev-parse', 'HEAD');
    await fake.mergeBaseForward({ 'dir/b.txt': 'newer\n' });
    const before = execFileSync('find', ['.git', '-type', 'f'], { cwd: workspace, encoding: 'utf8' });
    const change = await open({ ...withToken(), server: server.url, merge });
    expectMerge(change);
    expect(change.head?.text('dir/b.txt')).toBe('newer\n');
    expect(execFileSync('find', ['.git', '-type', 'f'], { cwd: workspace, encoding: 'utf8' })).toBe(before);
  });

  test('is made without any program or attribute of the checkout', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const ran = join(workspace, 'ran');
    for (const key of ['merge.x.driver', 'filter.x.clean', 'filter.x.smudge', 'core.fsmonitor', 'core.editor'])
      git('config', key, `touch ${ran}`);
    git('config', 'merge.default', 'x');
    writeFileSync(join(workspace, '.git/info/attributes'), '* merge=x filter=x\n');
    writeFileSync(join(workspace, '.gitattributes'), '* merge=x filter=x\n');
    expectMerge(await open({ ...withToken(), number: undefined }));
    expect(existsSync(ran)).toBe(false);
  });

  test('is an older one if no newer one can be made, as long as its parent is one of the base branch', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const merge = git('rev-parse', 'HEAD');
    const parent = tipOfBranch();
    await fake.mergeBaseForward({ 'a.txt': `${theirs}conflict\n` });
    git('fetch', '--quiet', `file://${fake.gitDirectory}`, tipOfBranch());
    const change = await open({ ...withToken(), number: undefined, merge });
    expectMerge(change, parent);
    expect(change.base?.description).toContain(` while the base branch has moved on to ${short(tipOfBranch())}`);
  });

  test('is not one with a commit that is not of the base branch', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const tree = git('rev-parse', 'HEAD^{tree}');
    const foreign = commit(tree, fake.pull(number).base.sha);
    const change = await open({ ...withToken(), number: undefined, merge: commit(tree, foreign, headOf()) });
    expectMerge(change);
    expect(change.merge).toBeUndefined();
  });

  test('is not that of the event with the branch before the pull request was retargeted', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const foreign = commit(git('rev-parse', 'HEAD^{tree}'), fake.pull(number).base.sha);
    const merge = commit(git('rev-parse', 'HEAD^{tree}'), foreign, headOf());
    const change = await open({ merge, isRetargeted: true });
    // The head contains what the event has as the tip.
    expect([change.shared, change.head?.text('a.txt')]).toEqual([fake.pull(number).base.sha, mine]);
  });

  test('is the head itself if that contains the tip of the base branch', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const { base } = fake.pull(number);
    const change = await open({ branch: undefined });
    expectBoth(change);
    expect([change.merge, change.shown, change.base?.description]).toEqual([
      undefined,
      undefined,
      `commit ${short(base.sha)} that the head ${short(headOf())} contains`,
    ]);
  });

  test('does not exist if there are conflicts: the head is compared with what both share', async () => {
    number = await fake.open({ changes: { 'a.txt': mine } });
    const { base } = fake.pull(number);
    const parent = await fake.mergeBaseForward({ 'a.txt': `${theirs}theirs\n` });
    expect([parent, await fake.mergeCommit(number)]).toEqual([tipOfBranch(), null]);
    git('init', '--quiet');
    git('fetch', '--quiet', `file://${fake.gitDirectory}`, tipOfBranch(), headOf());
    const { head, shared, tip, base: before } = await open({ ...withToken() });
    expect([head?.text('a.txt'), shared, tip?.text('a.txt')]).toEqual([mine, base.sha, `${theirs}theirs\n`]);
    expect(before?.description).toContain('without a merge');
  });

  test('is not made if the history is not known and cannot be fetched: then the head is judged', async () => {
    checkOut(`${nowhere}/acme/platform`);
    expectHead(await open({ token: 'x', branch: 'main', github: await listening() }));
  });

  test('and the base are missing if the commits cannot be read', async () => {
    checkOut('file:///nowhere', { depth: '' });
    const tip = commit('a'.repeat(40), fake.pull(number).base.sha);
    const change = await open({ merge: commit('a'.repeat(40), tip, headOf()), base: tip });
    expect(Object.keys(change).sort()).toEqual(['head', 'why']);
    expect(change.head?.text('a.txt')).toBe(mine);
    expect(change.why.join('\n')).toContain(`git cannot fetch ${short(tip)}: fatal: `);
  });

  test('that is queued is what is checked out, compared with the commit that it follows', async () => {
    const { server, url } = await privateServer();
    checkOut(url);
    const queued = { head: undefined, base: tipOfBranch(), branch: 'main' };
    const { base, ...change } = await open({ ...queued, token: fake.token('write'), server: server.url });
    expect(base?.text('a.txt')).toBe(theirs);
    expect(change).toEqual({ shared: tipOfBranch(), why: [] });
    expect(fake.log).toEqual([]);
  });
});

describe('several last commits that head and base branch share', () => {
  test('are all compared with if there is no merge', async () => {
    const folder = workspace;
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    const run = (...args: string[]) => git(...who, ...args);
    const write = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      run('add', '-A');
    };
    git('init', '--quiet', '-b', 'main');
    write('a.txt', 'a\n');
    run('commit', '-qm', 'x');
    run('checkout', '-qb', 'topic');
    write('b.txt', 'topic\n');
    run('commit', '-qm', 'x');
    const one = git('rev-parse', 'HEAD');
    run('checkout', '-q', 'main');
    write('c.txt', 'main\n');
    run('commit', '-qm', 'x');
    const two = git('rev-parse', 'HEAD');
    run('merge', '-q', '-m', 'x', one);
    write('a.txt', 'theirs\n');
    run('commit', '-qm', 'x');
    run('checkout', '-q', 'topic');
    run('merge', '-q', '-m', 'x', two);
    write('a.txt', 'mine\n');
    run('commit', '-qm', 'x');
    const [head, base] = [git('rev-parse', 'topic'), git('rev-parse', 'main')];
    const change = await open({ head, base });
    const files = [change.base, ...(change.others ?? [])].map((tree) => tree?.files.join(' '));
    expect(files.sort()).toEqual(['a.txt b.txt', 'a.txt c.txt']);
    expect([change.head?.text('a.txt'), change.tip?.text('a.txt')]).toEqual(['mine\n', 'theirs\n']);
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
      compare: async () => ({ base: fake.pull(number).base.sha, shared: fake.pull(number).base.sha }),
    } as unknown as GitHub;
    const [head, base] = names();
    expect((await open({ token: 'x', github })).why.slice(1)).toEqual([
      `the archive of ${head} cannot be had: ${said}`,
      `the archive of ${base} cannot be had: ${said}`,
    ]);
  });
});
