/** What a dry run needs of an API server, answering from a list: for what a real one cannot be brought to say at will. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Recorded = {
  /** The begin of `METHOD /path?query`. */
  to: string;
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Only the first so many times; then the next one that fits. */
  times?: number;
  /** No answer at all. */
  silent?: boolean;
};
export type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
export type Fake = { kubeconfig: string; port: number; heard: Heard[]; most(): number; close(): Promise<void> };

const served: Record<string, [resource: string, kind: string, namespaced: boolean][]> = {
  '/api/v1': [
    ['namespaces', 'Namespace', false],
    ['configmaps', 'ConfigMap', true],
    ['secrets', 'Secret', true],
    ['services', 'Service', true],
  ],
  '/apis/apps/v1': [['deployments', 'Deployment', true]],
  '/apis/rbac.authorization.k8s.io/v1': [
    ['clusterroles', 'ClusterRole', false],
    ['roles', 'Role', true],
    ['rolebindings', 'RoleBinding', true],
  ],
  '/apis/apiextensions.k8s.io/v1': [['customresourcedefinitions', 'CustomResourceDefinition', false]],
  '/apis/cozystack.io/v1alpha1': [
    ['packages', 'Package', false],
    ['packagesources', 'PackageSource', false],
  ],
};

/** Accepts every object of those kinds, where nothing else is recorded. */
export async function startFake(recorded: readonly Recorded[] = [], token = 'a-token'): Promise<Fake> {
  const answers = recorded.map((one) => ({ ...one }));
  const heard: Heard[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [method = '', url = ''] = [request.method, request.url];
      heard.push({ method, url, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      const found = answers.find(({ to, times }) => `${method} ${url}`.startsWith(to) && times !== 0);
      if (found?.times !== undefined) found.times -= 1;
      // Long enough for others to come in.
      if (!found?.silent) setTimeout(() => reply(response, found ?? usual(method, url, chunks)), 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'apiserver-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const { port } = server.address() as AddressInfo;
  writeFileSync(kubeconfig, kubeconfigOf(`http://127.0.0.1:${port}`, { token }));
  return {
    kubeconfig,
    port,
    heard,
    most: () => most,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

export function kubeconfigOf(server: string, user: object): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'c', user }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  });
}

function usual(method: string, url: string, chunks: Buffer[]): Recorded {
  const [path = ''] = url.split('?');
  const to = '';
  if (path === '/version') return { to, status: 200, body: { gitVersion: 'v1.35.4' } };
  const kinds = served[path];
  if (kinds) {
    const resources = kinds.map(([name, kind, namespaced]) => ({ name, kind, namespaced }));
    return { to, status: 200, body: { kind: 'APIResourceList', resources } };
  }
  if (path.endsWith('/subjectaccessreviews')) return { to, status: 201, body: { status: { allowed: true } } };
  if (method === 'PATCH') return { to, status: 200, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  return { to, status: 404, body: { kind: 'Status', reason: 'NotFound', message: 'not found', code: 404 } };
}

function reply(response: ServerResponse, { status, body = {}, headers = {} }: Recorded): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
