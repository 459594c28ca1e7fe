/** Requests to an API server: a few at a time, each within a deadline, and none that writes where nothing may be written. */

import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, messageOf } from '../apiserver/types.js';
import { defined } from '../core/defined.js';
import type { Json, JsonObject } from '../core/model.js';
import { isObject } from '../core/object.js';
import { trimEnd } from '../core/text.js';
import type { Credentials } from './kubeconfig.js';

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: { [name: string]: string };
  body?: Json;
  type?: 'application/apply-patch+yaml' | 'application/json';
  /** The user in whose name it is asked. */
  as?: string;
};

/** Why there is no answer at all, in words for a person. `whole`: no other question would have one. */
export class ServerUnavailableError extends Error {
  override name = 'Unanswered';
  constructor(
    message: string,
    readonly whole: boolean,
  ) {
    super(message);
  }
}

export type ClientOptions = {
  /** Whether anything may be written there: only on a cluster that was made for this. */
  writes: boolean;
  /** Ends everything. */
  signal: AbortSignal;
  /** For one answer. */
  seconds?: number;
};

const tries = 5;
/** What a server may ask to be left alone for; more is taken for no answer. */
const longestPause = 30;
const maxBytes = 16 * 2 ** 20;

export class Client {
  #options: { until: number; value: Awaited<ReturnType<Credentials['options']>> } | undefined;

  constructor(
    private readonly credentials: Credentials,
    private readonly limits: ClientOptions,
  ) {}

  get writes(): boolean {
    return this.limits.writes;
  }

  /** The answer, whatever it says; throws `Unanswered` where there is none. */
  async ask(request: ApiRequest): Promise<ApiResponse> {
    if (!this.writes && request.method !== 'GET' && request.query?.dryRun !== 'All')
      throw new Error(`${request.method} ${request.path} would write into a cluster that is not ours`);
    for (let attempt = 1; ; attempt += 1) {
      const { status, body, after } = await this.#once(request);
      if (status === 401) {
        // A token may have run out on the way; a second one that is refused is no good either.
        if (attempt > 1)
          throw new ServerUnavailableError('the server does not accept the credentials (401 Unauthorized)', true);
        this.#options = undefined;
        continue;
      }
      const busy =
        status === 429 || status === 503 || (status >= 500 && after !== undefined) || isStarting({ status, body });
      if (!busy) return { status, body };
      const pause = after ?? 2 ** (attempt - 2);
      if (attempt === tries || pause > longestPause) {
        const words = status === 429 ? 'too many requests' : 'unavailable';
        throw new ServerUnavailableError(`the server gave no answer in ${attempt} tries (${status}, ${words})`, false);
      }
      await this.#sleep(pause);
    }
  }

  async #sleep(seconds: number): Promise<void> {
    const { signal } = this.limits;
    await sleep(seconds * 1000, undefined, { signal }).catch(() => {});
    this.#checkTime();
  }

  #checkTime(): void {
    const { signal } = this.limits;
    if (signal.aborted) throw new ServerUnavailableError(ended(signal), true);
  }

  async #once(request: ApiRequest): Promise<ApiResponse & { after?: number }> {
    this.#checkTime();
    const { agent, headers, auth } = await this.#prepared();
    const { server } = this.credentials;
    const url = new URL(trimEnd(server, '/') + request.path);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const text = request.body === undefined ? undefined : JSON.stringify(request.body);
    const options: RequestOptions = {
      method: request.method,
      agent,
      headers: {
        ...headers,
        accept: 'application/json',
        'user-agent': 'customizer-lint',
        ...defined({ 'impersonate-user': request.as }),
        ...(text !== undefined && {
          'content-type': request.type ?? 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
      ...(auth && { auth }),
    };
    const { seconds = 20, signal } = this.limits;
    const timeout = AbortSignal.timeout(seconds * 1000);
    try {
      return await exchange(url, { ...options, signal: AbortSignal.any([signal, timeout]) }, text);
    } catch (error) {
      if (signal.aborted) throw new ServerUnavailableError(ended(signal), true);
      if (timeout.aborted) throw new ServerUnavailableError(`no answer within ${seconds} s`, false);
      throw unreachable(error, url);
    }
  }

  /** Credentials are asked for once a minute at most. */
  async #prepared() {
    const now = Date.now();
    if (this.#options && this.#options.until > now) return this.#options.value;
    const before = this.#options?.value.agent;
    try {
      const { signal } = this.limits;
      const value = await Promise.race([this.credentials.options(), rejectWhen(signal)]);
      if (before) value.agent = before;
      this.#options = { until: now + 60_000, value };
      return value;
    } catch (error) {
      if (this.limits.signal.aborted) throw new ServerUnavailableError(ended(this.limits.signal), true);
      throw new ServerUnavailableError(`the kubeconfig gives no credentials${codeOf(error)}`, true);
    }
  }

  close(): void {
    this.#options?.value.agent.destroy();
    this.credentials.close();
  }
}

function exchange(
  url: URL,
  options: RequestOptions,
  text: string | undefined,
): Promise<ApiResponse & { after?: number }> {
  return new Promise((resolve, reject) => {
    const make = url.protocol === 'https:' ? https.request : http.request;
    const request = make(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) request.destroy(new Error('the answer is too long'));
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const after = pauseOf(response.headers['retry-after']);
        const status = response.statusCode ?? 0;
        const body = readJson(Buffer.concat(chunks).toString('utf8'), status);
        resolve({ status, body, ...defined({ after }) });
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}

/** In seconds. */
function pauseOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function readJson(text: string, status: number): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    if (isObject(value)) return value;
  } catch {
    // Something between here and there answers in another language.
  }
  return { kind: 'Status', status: 'Failure', code: status, message: text.slice(0, 200) };
}

function ended(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : 'it was ended';
}

function rejectWhen(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? ` (${code})` : '';
}

/** The reasons that OpenSSL gives for a certificate that it does not believe. */
const certificates =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|ERR_TLS|HOSTNAME_MISMATCH|ALTNAME|INVALID_(?:CA|PURPOSE)/;

function unreachable(error: unknown, url: URL): ServerUnavailableError {
  const { code = '' } = error as NodeJS.ErrnoException;
  const where = `the server at ${url.host}`;
  if (certificates.test(code))
    return new ServerUnavailableError(
      `${where} shows a certificate that the kubeconfig’s authority did not sign (${code})`,
      true,
    );
  if (/^E(?:CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN|TIMEDOUT)$/.test(code))
    return new ServerUnavailableError(`${where} cannot be reached (${code})`, true);
  return new ServerUnavailableError(`${where} ended the connection${code && ` (${code})`}`, false);
}

/** A server that has just begun answers for its addresses before it knows them (ipallocator, Kubernetes 1.35). */
function isStarting(answer: ApiResponse): boolean {
  return /\ballocator not ready\b/.test(messageOf(answer));
}

/** In the order of the items, at most so many at a time. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
