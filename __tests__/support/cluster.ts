/** A real Kubernetes API server for a test: RBAC on, nothing in it, on the loopback, gone when the test stops it. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../src/core/defined.js';
import { build } from '../end-to-end/cluster/build.mjs';
import { start, stop } from '../end-to-end/cluster/start.mjs';

export type Answer = {
  status: number;
  /** What the API server said: an object, a list or a Status. Text when it is not JSON, as /readyz. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there, and fails where it is not
  body: any;
  warnings: string[];
};

export type RequestOptions = {
  /** The user to impersonate, as `system:serviceaccount:NAMESPACE:NAME`. */
  as?: string;
  /** The media type of the body: that of server-side apply for a PATCH, of JSON for all else. */
  type?: string;
};

/** One line of the audit log, with the fields that tests read. */
export type AuditEvent = {
  verb: string;
  requestURI: string;
  user: { username: string };
  impersonatedUser?: { username: string };
  userAgent?: string;
  requestObject?: unknown;
  responseStatus?: { code: number };
};

export type Definition = {
  metadata: { name: string };
  spec: {
    group: string;
    names: { plural: string; [name: string]: unknown };
    versions: { name: string; [field: string]: unknown }[];
    [field: string]: unknown;
  };
};

export type Cluster = {
  url: string;
  /** PEM. */
  ca: string;
  /** A file of system:masters, readable by the owner alone. */
  kubeconfig: string;
  pids: readonly number[];
  /** As system:masters, or as whom `as` names. The path includes the query. */
  adminRequest(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  /** Adds a CustomResourceDefinition, and waits until its objects are served. */
  define(definition: Definition): Promise<void>;
  /** The requests so far, when started with `audit`; those that the API server sends to itself are left out. */
  audit(): AuditEvent[];
  stop(): Promise<void>;
};

export type ClusterOptions = {
  audit?: boolean;
  /** False: no admission plugin judges what the API server would store. */
  admission?: boolean;
  /** A folder laid out as KUBEBUILDER_ASSETS, other than the one built here. */
  assets?: string;
};

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  const assets = options.assets ?? build('server');
  try {
    const { url, kubeconfig, admin, pids } = await start({
      assets,
      folder,
      ...defined({ audit: options.audit, admission: options.admission }),
    });
    const agent = new Agent({ ...admin, keepAlive: true });
    const adminRequest: Cluster['adminRequest'] = (method, path, body, how = {}) =>
      send(agent, url + path, method, body, how);
    return {
      url,
      kubeconfig,
      pids,
      ca: admin.ca,
      adminRequest,
      define: (definition) => define(adminRequest, definition),
      audit: () => auditLog(folder),
      async stop() {
        agent.destroy();
        await stop(pids);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function define(request: Cluster['adminRequest'], definition: Definition): Promise<void> {
  const { metadata, spec } = definition;
  const post = () => request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  let answer = await post();
  // One of before may still be on its way out.
  for (let tries = 0; tries < 200 && /object is being deleted/.test(String(answer.body?.message)); tries++) {
    await sleep(50);
    answer = await post();
  }
  if (answer.status !== 201) throw new Error(`${metadata.name}: ${answer.body.message}`);
  const served = `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`;
  for (let tries = 0; tries < 200; tries++) {
    if ((await request('GET', served)).status === 200) return;
    await sleep(50);
  }
  throw new Error(`${served} is not served`);
}

function send(agent: Agent, url: string, method: string, body: unknown, options: RequestOptions): Promise<Answer> {
  const type = options.type ?? (method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json');
  const headers = {
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': type }),
    ...(options.as && { 'Impersonate-User': options.as }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        const json = answer.headers['content-type']?.startsWith('application/json');
        resolve({
          status: answer.statusCode ?? 0,
          body: json ? JSON.parse(text) : text,
          warnings: warningsIn(answer.headers.warning),
        });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** RFC 7234, section 5.5: `299 - "text"`, which Node joins by commas. */
function warningsIn(header: string | undefined): string[] {
  return [...(header ?? '').matchAll(/\d{3} \S+ ("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text ?? '""'));
}

/** The audit log in the folder of a cluster that keeps one. */
export function auditLog(folder: string): AuditEvent[] {
  const file = join(folder, 'audit.log');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}
