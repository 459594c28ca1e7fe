/**
 * Commits that the checkout lacks, fetched into a repository of our own. No configuration is in it but ours, so that no file of
 * the checked repository has a say in what git starts, where it goes and what it sends.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf, GitError, git, objectsOf, settings } from '../tree/git.js';
import type { Repository } from '../tree/repository.js';

/** Where a repository is, as the runner says it: `GITHUB_SERVER_URL` and `GITHUB_REPOSITORY`. */
export type RemoteOrigin = { server: string; repository: string };

/** A repository without a work tree; `close` removes it. */
export type Store = Repository & { close(): void };

/** Seconds for one attempt, and how long a server may send nothing (git-config, `http.lowSpeedTime`). */
const patience = 120;
const silence = 30;

/**
 * Fetches commits; `history`: with all that come before them. First with what actions/checkout left in the configuration of
 * `directory`, of which nothing else is used; if that is not enough, with the token. Throws `GitError` with git's own words.
 */
export function fetchCommits(
  directory: string,
  commits: readonly string[],
  origin: RemoteOrigin,
  token: string | undefined,
  { history = false } = {},
): Promise<Store> {
  const format = commits[0]?.length === 64 ? 'sha256' : 'sha1';
  return fetched([...(history ? [] : ['--depth=1'])], commits, { directory, origin, token, format });
}

/** Fetches the commit at a ref of the server, by the full name of the ref. Throws `GitError`. */
export async function fetchRef(
  directory: string,
  { ref, format }: { ref: string; format: 'sha1' | 'sha256' },
  origin: RemoteOrigin,
  token: string | undefined,
): Promise<{ store: Store; commit: string }> {
  if (!/^refs\/[^\s:*?[\\^~]+$/.test(ref)) throw new GitError(`"${ref}" is not the name of a ref`);
  const store = await fetched(['--depth=1'], [`${ref}:${fetchedRef}`], { directory, origin, token, format });
  const commit = await commitOf(store, fetchedRef);
  if (commit !== undefined) return { store, commit };
  store.close();
  throw new GitError(`${ref} is not a commit`);
}

const fetchedRef = 'refs/fetched';

type Source = {
  directory: string;
  origin: RemoteOrigin;
  token: string | undefined;
  format: 'sha1' | 'sha256';
};

async function fetched(
  depth: readonly string[],
  wanted: readonly string[],
  { directory, origin, token, format }: Source,
): Promise<Store> {
  const { server, url } = addressOf(origin);
  const left = await headerLeftIn(directory, server);
  const store = emptyStore(format);
  const args = [...depth, url, ...wanted];
  try {
    await attempt(store, { server, url, header: left }, args).catch((error) => {
      if (token === undefined || !(error instanceof GitError)) throw error;
      return attempt(store, { server, url, header: authorization(token) }, args);
    });
  } catch (error) {
    store.close();
    throw error;
  }
  return store;
}

/** A repository of our own that reads the objects of another one, and nothing else of it. */
export async function borrowingStore(directory: string, format: 'sha1' | 'sha256'): Promise<Store | undefined> {
  const objects = await objectsOf(directory);
  return objects === undefined ? undefined : { ...emptyStore(format), alternates: [objects] };
}

/** An Enterprise Server without TLS has http. */
function addressOf({ server, repository }: RemoteOrigin): { server: string; url: string } {
  const isKnown = URL.canParse(server) && ['https:', 'http:'].includes(new URL(server).protocol);
  if (!isKnown || !/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repository))
    throw new GitError(`"${server}/${repository}" is no address of a repository`);
  const { href } = new URL(server);
  const base = href.endsWith('/') ? href : `${href}/`;
  return { server: base, url: `${base}${repository}` };
}

/** `configure` says what its configuration holds beside the necessary. */
type Configurable = Store & { configure(more: string): void };

/** Made by hand: `git init` would copy a template, with hooks. Nobody else may look into it. */
function emptyStore(format: 'sha1' | 'sha256'): Configurable {
  const gitDirectory = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'customizer-lint-git-'));
  for (const folder of ['objects', 'refs']) mkdirSync(join(gitDirectory, folder));
  writeFileSync(join(gitDirectory, 'HEAD'), 'ref: refs/heads/none\n');
  const start = `[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = ${format}\n`;
  return {
    gitDirectory,
    prefix: '',
    configure: (more) => writeFileSync(join(gitDirectory, 'config'), start + more, { mode: 0o600 }),
    close: () => rmSync(gitDirectory, { recursive: true, force: true }),
  };
}

const options = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance'];

/**
 * What authorizes lies in the store's own file for as long as the fetch runs. An argument or a variable of the environment would
 * be handed on to every program that git starts, and any process of the same user can read it there.
 */
async function attempt(
  store: Configurable,
  { server, url, header }: { server: string; url: string; header: string | undefined },
  args: readonly string[],
): Promise<void> {
  // An empty value first: two headers would be refused (git-config, `http.extraHeader`), and the user's own may have one.
  store.configure(
    header === undefined
      ? ''
      : `[http "${server}"]\n\textraheader =\n\textraheader = "AUTHORIZATION: basic ${header}"\n`,
  );
  const scheme = new URL(url).protocol.slice(0, -1);
  try {
    const slow = ['-c', 'http.lowSpeedLimit=1', '-c', `http.lowSpeedTime=${silence}`];
    const allowed = ['-c', `protocol.${scheme}.allow=always`];
    await git(store, [...allowed, ...slow, 'fetch', '--quiet', ...options, ...args], {
      seconds: patience,
      env: { GIT_ALLOW_PROTOCOL: scheme, ...networkEnvironment(process.env) },
    });
  } finally {
    store.configure('');
  }
}

/**
 * How the runner's network is reached, as curl and OpenSSL read it: proxies and certificates. Only the git that fetches gets it. There is no
 * HTTP_PROXY, which curl does not read either, as a CGI program would have it from its client.
 */
const ofNetwork = [
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

function networkEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(ofNetwork.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** What actions/checkout leaves behind unless `persist-credentials` is false; anything else stays where it is. */
async function headerLeftIn(directory: string, server: string): Promise<string | undefined> {
  const values = await settings(directory, ['--get-all', `http.${server}.extraheader`]);
  return values.flatMap((value) => /^authorization: basic ([A-Za-z0-9+/]+=*)$/i.exec(value)?.[1] ?? []).at(-1);
}

function authorization(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64');
}
