/** Which kinds a server serves, and under which address. */

import { messageOf } from '../apiserver/types.js';
import type { ObjectRef } from '../core/model.js';
import { getString, isObject } from '../core/object.js';
import { type Client, ServerUnavailableError } from './client.js';

export type Served = { resource: string; namespaced: boolean };

export class Discovery {
  readonly #groups = new Map<string, Promise<Map<string, Served>>>();

  constructor(private readonly client: Client) {}

  /** Undefined for what is not served: `no matches for kind`. */
  async find({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): Promise<Served | undefined> {
    let kinds = this.#groups.get(apiVersion);
    if (!kinds) {
      kinds = this.#read(apiVersion);
      this.#groups.set(apiVersion, kinds);
    }
    return (await kinds).get(kind);
  }

  /** Something new may be served. */
  forget(): void {
    this.#groups.clear();
  }

  async #read(apiVersion: string): Promise<Map<string, Served>> {
    const served = new Map<string, Served>();
    if (!/^(?:[a-z0-9.-]+\/)?v\w+$/.test(apiVersion)) return served;
    const answer = await this.client.ask({ method: 'GET', path: root(apiVersion) });
    if (answer.status === 404) return served;
    if (answer.status !== 200)
      throw new ServerUnavailableError(`the server does not say what it serves: ${messageOf(answer)}`, true);
    const { resources } = answer.body;
    for (const one of Array.isArray(resources) ? resources : []) {
      const [resource, kind] = [getString(one, ['name']), getString(one, ['kind'])];
      if (resource === undefined || kind === undefined || resource.includes('/')) continue;
      served.set(kind, { resource, namespaced: isObject(one) && one.namespaced === true });
    }
    return served;
  }
}

/** Of one object, or of all of a kind in a namespace. */
export function addressOf(
  { apiVersion, namespace, name }: { apiVersion: string; namespace?: string; name?: string },
  { resource, namespaced }: Served,
): string {
  const place = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root(apiVersion)}${place}/${resource}${object}`;
}

function root(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
