/** One request to a registry, to where it may go and no further: the only place of this room that opens a connection. */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { getProxyUrl } from '@actions/http-client/lib/proxy';
import { UsageError } from '../core/model.js';
import { AddressError, checkedLookup, checkWrittenAddress, isPublicAddress } from './addresses.js';

export type Network = {
  /** Also addresses that are not of the internet, and http to them. */
  allowPrivate: boolean;
  /** Those that may be asked, each with its port where it is not that of the scheme. */
  hosts: ReadonlySet<string>;
  /** Milliseconds for which a server may send nothing. */
  silence: number;
  /** Ends everything. */
  signal: AbortSignal;
};

/** The connection is no good, or the server is busy: another try may do. */
export class BrokenError extends Error {
  override name = 'BrokenError';
  constructor(
    message: string,
    /** Seconds that the server asks for. */
    readonly after?: number,
  ) {
    super(message);
  }
}

/** The head of the answer, whatever it says. Throws a `BrokenError`, or a `UsageError` where another try is of no use. */
export async function ask(url: URL, headers: { [name: string]: string }, network: Network): Promise<IncomingMessage> {
  const wants = addressesFor(url, network);
  try {
    checkWrittenAddress(url.hostname, wants);
    const proxy = getProxyUrl(url);
    const through = proxy && url.protocol === 'https:' ? await tunnel(proxy, url, network) : undefined;
    return await send(url, headers, network, { wants, through });
  } catch (error) {
    throw inWords(error, url, network);
  }
}

/** Throws where neither scheme nor host will do. Without TLS anybody on the way reads the token, so it stays in one's own network. */
function addressesFor(url: URL, { allowPrivate, hosts }: Network): (address: string) => boolean {
  if (!hosts.has(url.host))
    throw new UsageError(`${url.host} is no host of this registry; --allow-host ${url.host} allows it`);
  const isPlain = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !(isPlain && allowPrivate))
    throw new UsageError(`${url.origin}: only https is spoken; --allow-private allows http to private addresses`);
  if (isPlain) return (address) => !isPublicAddress(address);
  return (address) => allowPrivate || isPublicAddress(address);
}

type Way = { wants: (address: string) => boolean; through: Socket | undefined };

function send(
  url: URL,
  headers: { [name: string]: string },
  { silence, signal }: Network,
  { wants, through }: Way,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const make = url.protocol === 'https:' ? https.request : http.request;
    const request = make(url, {
      // A body is compared with its digest as it was pushed.
      headers: { 'user-agent': 'customizer-lint', 'accept-encoding': 'identity', ...headers },
      lookup: checkedLookup(wants),
      timeout: silence,
      signal,
      ...(through
        ? { defaultPort: 443, createConnection: () => connectTls({ socket: through, servername: url.hostname }) }
        : { agent: false as const }),
    });
    let answer: IncomingMessage | undefined;
    // Of a request that is answered, the answer alone would not say why it breaks.
    request.on('timeout', () =>
      (answer ?? request).destroy(new BrokenError(`${url.host} sent nothing for ${silence / 1000} s`)),
    );
    request.on('error', reject).on('response', (response) => {
      answer = response;
      resolve(response);
    });
    request.end();
  });
}

/** A connection through the proxy that the environment names. The proxy looks up the name, so its address cannot be judged here. */
function tunnel(proxy: URL, url: URL, { silence, signal }: Network): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const make = proxy.protocol === 'https:' ? https.request : http.request;
    const target = `${url.hostname}:${url.port || 443}`;
    const user = proxy.username ? `${proxy.username}:${proxy.password}` : undefined;
    const request = make({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: {
        host: target,
        ...(user !== undefined && { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
      },
      timeout: silence,
      signal,
    });
    request.on('timeout', () => request.destroy(new BrokenError(`the proxy ${proxy.host} sent nothing`)));
    request.on('error', reject).on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new UsageError(`the proxy ${proxy.host} does not connect to ${target} (${statusCode})`));
    });
    request.end();
  });
}

/** What the system says where a second try may find another state of the network. */
const passing = [
  'ECONNRESET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
];

/** An error of a connection, as a `BrokenError` or a `UsageError`. */
export function inWords(error: unknown, url: URL, { signal }: Network): Error {
  if (error instanceof BrokenError || error instanceof UsageError) return error;
  if (signal.aborted) return new BrokenError('the time is up');
  if (error instanceof AddressError)
    return new UsageError(`${url.host} is ${error.message}, ${unwanted(url, error.message)}`);
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (passing.includes(code)) return new BrokenError(`the connection to ${url.host} broke (${code})`);
  return new UsageError(`${url.host} cannot be asked: ${message || code}`);
}

function unwanted({ protocol }: URL, address: string): string {
  return protocol === 'http:' && isPublicAddress(address)
    ? 'an address of the internet, where only https is spoken'
    : 'no address of the internet; --allow-private allows it';
}
