/** A proxy of a company on the loopback, and a server with a certificate that only the company knows. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';

export type ProxyServer = {
  url: string;
  /** What was asked for, as `host:port`. */
  seen: string[];
  close(): void;
};

/** Knows names that no other does: `ports` says on which port of the loopback each of them is. */
export async function startProxy(ports: Record<string, number>): Promise<ProxyServer> {
  const seen: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }, client, head) => {
    seen.push(url);
    const port = ports[url];
    if (port === undefined) return client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [upstream, client]) socket.on('error', () => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await portOf(server)}`, seen, close: () => void server.close() };
}

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** In front of a server without TLS. `ca`: the file of the authority that has signed for `host`. */
export async function startTls(host: string, port: number, folder: string) {
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
    '-subj',
    '/CN=company',
    '-days',
    '2',
  );
  openssl('req', ...key, '-keyout', file('key'), '-out', file('csr'), '-subj', `/CN=${host}`);
  writeFileSync(file('san'), `subjectAltName=DNS:${host}\n`);
  const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('san')];
  openssl('x509', '-req', '-in', file('csr'), ...signed, '-out', file('crt'), '-days', '2');
  const options = { key: readFileSync(file('key')), cert: readFileSync(file('crt')) };
  const server = createTlsServer(options, (client) => {
    const upstream = connect(port, '127.0.0.1');
    upstream.pipe(client).pipe(upstream);
    for (const socket of [upstream, client]) socket.on('error', () => socket.destroy());
  });
  server.on('tlsClientError', () => {});
  return { port: await portOf(server), ca: file('ca.crt'), close: () => void server.close() };
}

export function portOf(server: Server | TlsServer): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}
