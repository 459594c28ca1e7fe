/** Objects of a cluster that is only read. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../apiserver/types.js';
import { readBuilt } from '../core/built.js';
import type { JsonObject } from '../core/model.js';
import { getString, isObject } from '../core/object.js';
import { cozystackVersion } from '../cozystack/package.js';
import { Client, ServerUnavailableError } from './client.js';
import type { Credentials } from './kubeconfig.js';

/** Throws `Unanswered` with the reason, which never holds a credential. `home` is the directory that holds `dist/`. */
export async function openCredentials(home: string, file: string, context?: string): Promise<Credentials> {
  if (!existsSync(resolve(file))) throw new ServerUnavailableError(`there is no kubeconfig ${file}`, true);
  readBuilt(join(home, 'dist'), 'cluster/index.js');
  const bundle = pathToFileURL(join(home, 'dist', 'cluster', 'index.js')).href;
  const { openKubeconfig } = (await import(/* webpackIgnore: true */ bundle)) as typeof import('./kubeconfig.js');
  try {
    return openKubeconfig(resolve(file), context);
  } catch (error) {
    throw new ServerUnavailableError(`the kubeconfig is of no use: ${(error as Error).message}`, true);
  }
}

const pageSize = 200;

/** All Packages with their managed fields, and what tells the release of the platform where that may be read. */
export async function listPackages(credentials: Credentials, signal: AbortSignal): Promise<JsonObject[]> {
  const client = new Client(credentials, { writes: false, signal });
  try {
    const packages = await list(client, `/apis/${cozystackVersion}/packages`);
    const sources = '/apis/source.toolkit.fluxcd.io/v1/namespaces/cozy-system/ocirepositories';
    return [...packages, ...(await list(client, sources).catch(unlessBroken))];
  } finally {
    client.close();
  }
}

async function list(client: Client, path: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (let next: string | undefined = ''; next !== undefined; ) {
    const query = { limit: String(pageSize), ...(next !== '' && { continue: next }) };
    const answer = await client.ask({ method: 'GET', path, query });
    if (answer.status !== 200)
      throw new Refused(`the server does not list ${path.split('/').at(-1)}: ${messageOf(answer)}`, true);
    const { items } = answer.body;
    found.push(...(Array.isArray(items) ? items.filter(isObject) : []));
    next = getString(answer.body, ['metadata', 'continue']) || undefined;
  }
  return found;
}

/** An answer, but a no. */
class Refused extends ServerUnavailableError {}

/** Without them the release is assumed. */
function unlessBroken(error: unknown): JsonObject[] {
  if (error instanceof Refused) return [];
  throw error;
}
