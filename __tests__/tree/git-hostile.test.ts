/**
 * Repositories that would have git run a command: as files that a pull request commits, and as the configuration of a clone that
 * somebody was handed. Whatever becomes of the check, nothing is run and nothing is told.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fetchCommits } from '../../src/action/fetch.js';
import { GitError } from '../../src/tree/git.js';
import { repositoryOf } from '../../src/tree/repository.js';
import { runCli } from '../support/cli.js';
import { type GitServer, serveGit } from '../support/githttp.js';
import { runAction } from '../support/runner.js';
import { someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const secret = 'ghs_SECRETSECRETSECRET0123456789';
const basic = Buffer.from(`x-access-token:${secret}`).toString('base64');
const packages = {
  'kustomization.yaml': 'resources: [metallb.yaml]\n',
  'metallb.yaml':
    'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.metallb}\nspec:\n  variant: oidc\n',
};

let planted: string[];
let witness: string;
/** A program that leaves its environment behind. */
let payload: string;

const make = (files: Parameters<typeof createRepo>[0]) => {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
};

beforeEach(() => {
  planted = [];
  witness = join(make({}), 'ran');
  payload = join(make({ 'run.sh': `#!/bin/sh\nenv >> ${witness}\n` }), 'run.sh');
  chmodSync(payload, 0o755);
});
afterEach(() => planted.forEach(removeRepo));

const said = () => (existsSync(witness) ? `RAN: ${readFileSync(witness, 'utf8')}` : 'nothing ran');

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** What a configuration can start, in the words that git has for it. */
function configurations(): Record<string, string> {
  const remote = (url: string, more = '') => `[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/*:refs/*\n${more}`;
  const open =
    '[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n[protocol "file"]\n\tallow = always\n';
  const promised = '[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryformatversion = 1\n';
  return {
    'a transport that is a program': `${open}${remote(`ext::${payload}`)}`,
    'a promise that a program keeps': `${open}${promised}${remote(`ext::${payload}`, '\tpromisor = true\n')}`,
    'a promise kept over ssh': `${open}${promised}${remote('ssh://git@127.0.0.1/x', '\tpromisor = true\n')}[core]\n\tsshCommand = ${payload}\n`,
    'a promise kept by another upload-pack': `${open}${promised}${remote(`file://${witness}x`, `\tpromisor = true\n\tuploadpack = ${payload}\n`)}`,
    'a promise kept by a helper': `${open}${promised}${remote('x', `\tpromisor = true\n\tvcs = ext\n`)}`,
    'a rewritten address': `${open}${promised}${remote('https://127.0.0.1:1/x', '\tpromisor = true\n')}[url "ext::${payload} "]\n\tinsteadOf = https://127.0.0.1:1/\n`,
    'a monitor of the file system': `[core]\n\tfsmonitor = ${payload}\n`,
    hooks: `[core]\n\thooksPath = ${join(payload, '..')}\n`,
    filters: `[filter "x"]\n\tsmudge = ${payload}\n\tclean = ${payload}\n\tprocess = ${payload}\n\trequired = true\n[diff "x"]\n\ttextconv = ${payload}\n\tcommand = ${payload}\n`,
    'a pager and aliases': `[core]\n\tpager = ${payload}\n\teditor = ${payload}\n[pager]\n\tls-tree = ${payload}\n\tconfig = ${payload}\n[alias]\n\tls-files = !${payload}\n\trev-parse = !${payload}\n`,
    'helpers that are asked for passwords': `[core]\n\taskPass = ${payload}\n\tgitProxy = ${payload}\n[credential]\n\thelper = ${payload}\n`,
    'refs of alternates': `[core]\n\talternateRefsCommand = ${payload}\n`,
    'another work tree': `[core]\n\tworktree = ${join(witness, '..')}\n`,
    'a file that is included': `[include]\n\tpath = ${join(payload, '..', 'more')}\n`,
  };
}

/** A bare repository as files that one commits: git finds one in every folder that has these. */
function bareFiles(config: string): Record<string, string> {
  return {
    HEAD: 'ref: refs/heads/main\n',
    config: `[core]\n\tbare = false\n\tworktree = ..\n${config}`,
    'objects/info/keep': '',
    'refs/heads/keep': '',
  };
}

const names = Object.keys({
  'a transport that is a program': 0,
  'a promise that a program keeps': 0,
  'a promise kept over ssh': 0,
  'a promise kept by another upload-pack': 0,
  'a promise kept by a helper': 0,
  'a rewritten address': 0,
  'a monitor of the file system': 0,
  hooks: 0,
  filters: 0,
  'a pager and aliases': 0,
  'helpers that are asked for passwords': 0,
  'refs of alternates': 0,
  'another work tree': 0,
  'a file that is included': 0,
});
/** One in six, others in each place; in CI all. */
const some = (place: number) => someOf(names, 12, (name) => `${place} ${name}`);

describe('a committed bare repository', () => {
  function workspace(config: string, folder = 'platform'): { clone: string; base: string; head: string } {
    const bare = Object.fromEntries(
      Object.entries(bareFiles(config)).map(([name, text]) => [`${folder}/${name}`, text]),
    );
    const own = Object.fromEntries(Object.entries(packages).map(([name, text]) => [`${folder}/${name}`, text]));
    const clone = make({ ...bare, ...own, '.gitattributes': '* filter=x diff=x\n' });
    git(clone, 'init', '-q', '-b', 'main');
    git(clone, 'add', '-A', '-f');
    git(clone, 'commit', '-q', '-m', 'x');
    return { clone, base: git(clone, 'rev-parse', 'HEAD'), head: git(clone, 'rev-parse', 'HEAD') };
  }

  /** Knows of nothing, which is no reason to ask again. */
  let api: Server;
  beforeAll(async () => {
    api = createServer((_, response) => response.writeHead(404).end('{}'));
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void api.close());

  test.each(some(1))('as the directory of the action starts nothing: %s', async (name) => {
    const { clone } = workspace(configurations()[name] as string);
    // Commits that are not here, so that they have to be fetched.
    const side = (letter: string) => ({ sha: letter.repeat(40), repo: { full_name: 'acme/platform' } });
    const event = {
      name: 'pull_request',
      payload: { pull_request: { number: 1, head: side('a'), base: side('b') } },
    };
    const run = await runAction(
      clone,
      { directory: 'platform', token: secret, comment: 'false' },
      process.execPath,
      event,
      {
        GITHUB_REPOSITORY: 'acme/platform',
        GITHUB_SERVER_URL: 'http://127.0.0.1:1',
        GITHUB_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      },
    );
    expect(said()).toBe('nothing ran');
    expect({ status: run.status, leaks: [secret, basic].filter((word) => run.log.includes(word)) }).toEqual({
      status: 1,
      leaks: [],
    });
    // It came as far as the fetch.
    expect(run.log).toContain('git cannot fetch');
  });

  test.each(some(2))('as what is checked here starts nothing, and is read as files: %s', async (name) => {
    const { clone } = workspace(configurations()[name] as string);
    const { status, stdout } = await runCli(['check', join(clone, 'platform')]);
    expect({ ran: said(), status, found: stdout.includes('chart-owned-field') }).toEqual({
      ran: 'nothing ran',
      status: 1,
      found: true,
    });
  });

  test('is not looked into below, where the directory is one of its folders', async () => {
    const { clone } = workspace(configurations()['a monitor of the file system'] as string);
    mkdirSync(join(clone, 'platform/objects/deeper'));
    writeFileSync(join(clone, 'platform/objects/deeper/kustomization.yaml'), 'resources: []\n');
    expect(repositoryOf(join(clone, 'platform/objects/deeper'))).toEqual({
      gitDirectory: join(clone, '.git'),
      workTree: clone,
      prefix: 'platform/objects/deeper/',
    });
  });
});

describe('the directory of the action', () => {
  test.each([
    ['is a link to another one', 'platform', { platform: { link: 'harmless' } }],
    ['lies behind a link', 'a/platform', { a: { link: 'b' }, 'b/platform/kustomization.yaml': 'resources: []\n' }],
    ['is a link to one outside', 'platform', { platform: { link: '/etc' } }],
  ] as [string, string, Parameters<typeof createRepo>[0]][])(
    '%s: other files are not judged in its place',
    async (_, directory, files) => {
      const clone = make({ 'harmless/kustomization.yaml': 'resources: []\n', ...files });
      git(clone, 'init', '-q', '-b', 'main');
      const { status, log } = await runAction(clone, { directory }, process.execPath);
      expect({ status, said: log.includes('leads through a symbolic link') }).toEqual({ status: 2, said: true });
    },
  );
});

describe('the configuration of a clone', () => {
  /** A blob and a tree are missing, as in a clone with a filter: git would fetch them. */
  function clone(config: string): { folder: string; base: string } {
    const folder = make({ ...packages, 'sub/a.yaml': 'a', '.gitattributes': '* filter=x diff=x\n' });
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'x');
    const base = git(folder, 'rev-parse', 'HEAD');
    for (const object of ['HEAD:metallb.yaml', 'HEAD:sub']) {
      const id = git(folder, 'rev-parse', object);
      rmSync(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)));
    }
    writeFileSync(join(folder, '.git/config'), `${readFileSync(join(folder, '.git/config'), 'utf8')}${config}`);
    return { folder, base };
  }

  test.each(some(3))('starts nothing: %s', async (name) => {
    const { folder, base } = clone(configurations()[name] as string);
    writeFileSync(join(payload, '..', 'more'), `[core]\n\tfsmonitor = ${payload}\n`);
    const compared = await runCli(['check', folder, '--base', base]);
    const alone = await runCli(['check', folder]);
    expect({ ran: said(), statuses: [compared.status, alone.status] }).toEqual({
      ran: 'nothing ran',
      statuses: [2, 1],
    });
    expect(compared.stderr).toMatch(/^customizer-lint: /);
    expect(compared.stderr).not.toMatch(/bug of the linter|\n\s+at /);
  });
});

describe('a file named .git', () => {
  test('of a work tree and of a submodule is followed', async () => {
    const folder = make(packages);
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'x');
    git(folder, 'worktree', 'add', '-q', join(folder, 'second'), 'HEAD', '--detach');
    git(folder, 'submodule', '--quiet', 'add', `file://${folder}`, 'third');
    for (const [name, inside] of [
      ['second', 'worktrees/second'],
      ['third', 'modules/third'],
    ] as const) {
      expect(repositoryOf(join(folder, name))?.gitDirectory).toBe(join(folder, '.git', inside));
      const { status, stdout } = await runCli(['check', join(folder, name), '--base', 'HEAD', '--format', 'json']);
      expect({ name, status, found: stdout.includes('chart-owned-field') }).toEqual({ name, status: 1, found: true });
    }
  });

  test.each(['inner', './inner', 'x/../inner'])('that names a folder of the work tree is none: %s', (path) => {
    const inner = Object.entries(bareFiles(`[core]\n\tfsmonitor = ${payload}\n`)).map(([name, text]) => [
      `inner/${name}`,
      text,
    ]);
    const folder = make({ ...packages, ...Object.fromEntries(inner), 'x/keep': '', '.git': `gitdir: ${path}\n` });
    expect(repositoryOf(folder)).toBeUndefined();
  });

  test.each(['no word of a folder\n', 'gitdir: nowhere\n'])('that leads nowhere is none: %j', (text) => {
    expect(repositoryOf(make({ ...packages, '.git': text }))).toBeUndefined();
  });

  test('that is a link to a folder of the work tree is none', () => {
    const inner = Object.entries(bareFiles('')).map(([name, text]) => [`inner/${name}`, text]);
    const folder = make({ ...packages, ...Object.fromEntries(inner), '.git': { link: 'inner' } });
    expect(repositoryOf(folder)).toBeUndefined();
  });
});

describe('a fetch', () => {
  let server: GitServer;
  let origin: string;
  let commit: string;

  beforeEach(async () => {
    origin = make({ 'x.git/keep': '' });
    const work = make(packages);
    git(work, 'init', '-q', '-b', 'main');
    git(work, 'add', '-A');
    git(work, 'commit', '-q', '-m', 'x');
    commit = git(work, 'rev-parse', 'HEAD');
    rmSync(join(origin, 'x.git'), { recursive: true });
    cpSync(join(work, '.git'), join(origin, 'x.git'), { recursive: true });
    server = await serveGit(join(origin, 'x.git'), secret);
  });
  afterEach(() => server.close());

  /** A git that tells what it and its children were started with. */
  function spied(): { path: string; calls: () => string } {
    const spy = make({});
    const real = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
    for (const name of ['git', 'git-remote-http', 'git-remote-https'])
      writeFileSync(
        join(spy, name),
        `#!/bin/sh\n{ echo "CALL ${name} $*"; env; } >> ${join(spy, 'calls')}\nexec ${join(real, name)} "$@"\n`,
        { mode: 0o755 },
      );
    return { path: `${spy}:${process.env.PATH}`, calls: () => readFileSync(join(spy, 'calls'), 'utf8') };
  }

  test.each(names)('takes nothing from the configuration of the checkout: %s', async (name) => {
    const checkout = make({});
    git(checkout, 'init', '-q');
    writeFileSync(
      join(checkout, '.git/config'),
      `${readFileSync(join(checkout, '.git/config'), 'utf8')}${configurations()[name]}[url "http://127.0.0.1:1/"]\n\tinsteadOf = ${server.url}\n[http]\n\tproxy = http://127.0.0.1:1\n`,
    );
    const store = await fetchCommits(checkout, [commit], { server: server.url, repository: 'acme/x' }, secret);
    expect(said()).toBe('nothing ran');
    expect(git(store.gitDirectory, 'cat-file', '-t', commit)).toBe('commit');
    // The token was there for the fetch alone.
    expect(readFileSync(join(store.gitDirectory, 'config'), 'utf8')).not.toContain(basic);
    store.close();
    expect(existsSync(store.gitDirectory)).toBe(false);
    expect(readdirSync(join(checkout, '.git/objects'))).toEqual(['info', 'pack']);
  });

  test('has the token in no argument and in no environment', async () => {
    const checkout = make({});
    git(checkout, 'init', '-q');
    const { path, calls } = spied();
    const before = process.env.PATH;
    process.env.PATH = path;
    try {
      (await fetchCommits(checkout, [commit], { server: server.url, repository: 'acme/x' }, secret)).close();
    } finally {
      process.env.PATH = before;
    }
    expect(server.seen).toContain(`x-access-token:${secret}`);
    expect(calls()).toContain('CALL git ');
    for (const word of [secret, basic]) expect(calls()).not.toContain(word);
    expect(calls().match(/^GIT_ALLOW_PROTOCOL=.*$/gm)).toContain('GIT_ALLOW_PROTOCOL=http');
  });

  test.each(['', '/', '/git', '/git/'])('has the token where the server is at "%s" of its host', async (path) => {
    const origin = { server: `${server.url}${path}`, repository: 'acme/x' };
    (await fetchCommits(make({}), [commit], origin, secret)).close();
    expect(server.seen).toContain(`x-access-token:${secret}`);
  });

  test.each([
    ['ext::sh -c x', 'acme/x'],
    ['file:///etc', 'acme/x'],
    ['https://github.com', '../../x'],
    ['https://github.com', 'more/acme/x'],
    ['https://github.com', 'acme/x --upload-pack=x'],
    ['-x', 'acme/x'],
  ])('goes to no such address: %s %s', async (address, repository) => {
    const failed = fetchCommits(make({}), [commit], { server: address, repository }, secret);
    await expect(failed).rejects.toThrow(new GitError(`"${address}/${repository}" is no address of a repository`));
  });
});
