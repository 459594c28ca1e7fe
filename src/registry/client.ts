/** A registry, asked for what is in one of its repositories (OCI distribution specification, "Pull"). Nothing is ever written there. */
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../core/model.js';
import { getString } from '../core/object.js';
import { ask, BrokenError, inWords, type Network } from './ask.js';
import type { RegistryCredentials } from './credentials.js';
import { readJson } from './manifest.js';
import type { ArtifactReference } from './reference.js';

/** Where registries are known to keep blobs and tokens. What else a registry leads to is asked for by name (`--allow-host`). */
const knownHosts: { readonly [registry: string]: readonly string[] } = {
  'ghcr.io': ['pkg-containers.githubusercontent.com'],
};

export function hostsOf(registry: URL, more: readonly string[]): ReadonlySet<string> {
  return new Set([registry.host, ...(knownHosts[registry.host] ?? []), ...more]);
}

/** Tries of one request in a row, and seconds before the second, the third … */
const tries = 4;
const pauses = [1, 3, 9];
const longestPause = 30;
const maxHops = 5;
const maxToken = 1 << 20;

export type RegistryOptions = {
  network: Network;
  credentials: RegistryCredentials;
  /** Told of every try that broke, in a sentence. */
  say: (sentence: string) => void;
  /** What a second of a pause is, in milliseconds; 1000 unless given. */
  second?: number;
};

type Answer = { response: IncomingMessage; url: URL };

export class RegistryClient {
  /** The header of that name, for the registry's own host alone. */
  #authorization: string | undefined;
  readonly #base: URL;

  constructor(
    private readonly reference: ArtifactReference,
    private readonly options: RegistryOptions,
  ) {
    this.#base = new URL(`/v2/${reference.repository}/`, reference.registry);
  }

  /** All of `path` below the repository, as `manifests/sha256:…`; at most so many bytes. Throws a `UsageError`. */
  bytes(path: string, accept: string, most: number): Promise<Buffer> {
    return this.patiently(path, async () => {
      const answer = await this.get(path, { accept });
      if (answer.response.statusCode !== 200) throw this.#refusal(answer, path);
      return bodyOf(answer, most, path, this.options.network);
    });
  }

  /** The answer to one try, after redirects and authorization. Its body is still to be read. */
  async get(path: string, headers: { [name: string]: string }): Promise<Answer> {
    const url = new URL(path, this.#base);
    const answer = await this.#follow(url, headers);
    if (answer.response.statusCode !== 401 || answer.url.host !== url.host) return answer;
    answer.response.destroy();
    await this.#authorize(String(answer.response.headers['www-authenticate'] ?? ''));
    return this.#follow(url, headers);
  }

  /** Again where a try breaks, a few times; each is said. Throws a `UsageError` in the end. */
  async patiently<Result>(what: string, work: (attempt: number) => Promise<Result>): Promise<Result> {
    const { network, say, second = 1000 } = this.options;
    for (let attempt = 1; ; attempt += 1)
      try {
        return await work(attempt);
      } catch (error) {
        if (!(error instanceof BrokenError) || network.signal.aborted) throw error;
        const pause = error.after ?? pauses[attempt - 1] ?? 0;
        if (attempt === tries || pause > longestPause)
          throw new UsageError(
            `${what} could not be had in ${attempt} ${attempt === 1 ? 'try' : 'tries'}: ${error.message}`,
          );
        say(`${error.message}; trying again (${attempt} of ${tries - 1})`);
        await sleep(pause * second, undefined, { signal: network.signal });
      }
  }

  /** What another status than that of success means. */
  #refusal(answer: Answer, path: string): Error {
    const { response, url } = answer;
    response.destroy();
    const status = response.statusCode ?? 0;
    if (status === 429 || status === 408 || status >= 500)
      return new BrokenError(`${url.host} answered ${status}`, pauseIn(response.headers['retry-after']));
    if (status === 404) return new UsageError(`${url.host} has no ${path} in ${this.reference.repository} (404)`);
    if (status === 401 || status === 403)
      return new UsageError(`${url.host} does not allow it (${status}); ${this.#without()}`);
    return new UsageError(`${url.host} answered ${status} where ${path} was asked for`);
  }

  #without(): string {
    const { basic, words } = this.options.credentials;
    return basic === undefined ? words : `the credentials are those of ${words}`;
  }

  /** Throws as `#refusal` says, unless the status is one of those. */
  expect(answer: Answer, path: string, statuses: readonly number[]): void {
    if (!statuses.includes(answer.response.statusCode ?? 0)) throw this.#refusal(answer, path);
  }

  async #follow(first: URL, headers: { [name: string]: string }): Promise<Answer> {
    let url = first;
    for (let hop = 0; ; hop += 1) {
      const own = url.origin === this.reference.registry.origin ? this.#authorization : undefined;
      const response = await ask(url, { ...headers, ...(own && { authorization: own }) }, this.options.network);
      const { location } = response.headers;
      if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined)
        return { response, url };
      response.destroy();
      if (hop === maxHops) throw new UsageError(`${first.host} leads on more than ${maxHops} times`);
      url = this.#nextOf(location, url);
    }
  }

  #nextOf(location: string, from: URL): URL {
    const next = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    if (next === undefined || next.username !== '' || next.password !== '')
      throw new UsageError(`${from.host} leads on to what is no address`);
    if (from.protocol === 'https:' && next.protocol !== 'https:')
      throw new UsageError(`${from.host} leads on to ${next.host} without TLS`);
    if (!this.options.network.hosts.has(next.host))
      throw new UsageError(
        `${from.host} leads on to ${next.host}, which is not known to belong to it; --allow-host ${next.host} allows it`,
      );
    return next;
  }

  /** As the challenge asks: by a token of the registry's, or by the credentials themselves. */
  async #authorize(challenge: string): Promise<void> {
    const { basic } = this.options.credentials;
    const host = this.reference.registry.host;
    const realm = /\brealm="([^"]*)"/i.exec(challenge)?.[1];
    const service = /\bservice="([^"]*)"/i.exec(challenge)?.[1];
    if (/\bbearer /i.test(challenge) && realm !== undefined) {
      this.#authorization = `Bearer ${await this.patiently(`a token of ${host}`, () => this.#token(realm, service))}`;
      return;
    }
    if (!/^basic\b/i.test(challenge)) throw new UsageError(`${host} asks for a kind of login that is not known`);
    if (basic === undefined) throw new UsageError(`${host} asks for a user and a password; ${this.#without()}`);
    this.#authorization = `Basic ${basic}`;
  }

  /**
   * Whoever runs the registry says where tokens are had; that has to be a host that may be asked. No more is asked for than to read the
   * repository.
   */
  async #token(realm: string, service: string | undefined): Promise<string> {
    const { network, credentials } = this.options;
    const { registry, repository } = this.reference;
    const url = this.#nextOf(realm, registry);
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', `repository:${repository}:pull`);
    const { basic } = credentials;
    const headers = { accept: 'application/json', ...(basic && { authorization: `Basic ${basic}` }) };
    const answer = { response: await ask(url, headers, network), url };
    this.expect(answer, 'a token', [200]);
    const value = readJson(await bodyOf(answer, maxToken, 'the token', network), `the token of ${url.host}`);
    const token = getString(value, ['token']) ?? getString(value, ['access_token']);
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw new UsageError(`${url.host} gives no token`);
    return token;
  }
}

/** In seconds. */
function pauseIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

/**
 * Hands on the parts of a body as they come, at most `most` bytes of it: where it breaks, what has come before has been handed on. Throws a
 * `BrokenError`, or a `UsageError` where there is more.
 */
export async function readBody(
  { response, url }: Answer,
  { most, what, network }: { most: number; what: string; network: Network },
  take: (part: Buffer) => void,
): Promise<void> {
  let size = 0;
  let failure: unknown;
  response.on('data', (part: Buffer) => {
    size += part.length;
    try {
      if (size > most) throw new UsageError(`${url.host} sends more than ${most} bytes for ${what}`);
      take(part);
    } catch (error) {
      failure ??= error;
      response.destroy();
    }
  });
  await finished(response).catch((error) => {
    throw failure ?? inWords(error, url, network);
  });
}

async function bodyOf(answer: Answer, most: number, what: string, network: Network): Promise<Buffer> {
  const parts: Buffer[] = [];
  await readBody(answer, { most, what, network }, (part) => parts.push(part));
  return Buffer.concat(parts);
}
