/** A real API server that is as new for each of many repositories. */

import type { Cluster as Known } from '../../src/cluster/cluster.js';
import { definitionsFor } from '../../src/cluster/crds.js';
import type { JsonObject, ObjectRef } from '../../src/core/model.js';
import { groupOf } from '../../src/core/object.js';
import { Client } from '../../src/dry-run/client.js';
import { openKubeconfig } from '../../src/dry-run/kubeconfig.js';
import { seed } from '../../src/dry-run/seed.js';
import type { Cluster } from './cluster.js';
import type { LiveObject } from './flux.js';
import { endNamespaces } from './sidebyside.js';

/** A server that is emptied between two cases. */
export class Emptied {
  /** Definitions as they are served. */
  readonly #defined = new Map<string, string>();

  private constructor(
    private readonly cluster: Cluster,
    /** What was there before anything was planted. */
    private readonly own: ReadonlySet<string>,
  ) {}

  static async of(cluster: Cluster): Promise<Emptied> {
    return new Emptied(cluster, new Set((await everything(cluster)).map(({ id }) => id)));
  }

  /** Nothing of the case before is left but the definitions that this one has too; what the dry run plants is there. */
  async fill(known: Known): Promise<void> {
    await this.#empty(known);
    const client = new Client(openKubeconfig(this.cluster.kubeconfig), {
      writes: true,
      signal: AbortSignal.timeout(60_000),
    });
    try {
      await seed(client, known);
    } finally {
      client.close();
    }
  }

  async #empty(known: Known): Promise<void> {
    const { cluster, own } = this;
    const planted = new Set(this.#defined.keys());
    for (const { id, path, object } of await everything(cluster)) {
      const isDefinition = object.kind === 'CustomResourceDefinition';
      if (own.has(id) || (isDefinition && planted.has(object.metadata.name))) continue;
      if (object.metadata.finalizers?.length > 0) {
        const patch = [{ op: 'remove', path: '/metadata/finalizers' }];
        await cluster.adminRequest('PATCH', path, patch, { type: 'application/json-patch+json' });
      }
      await cluster.adminRequest('DELETE', path);
    }
    await endNamespaces(cluster);
    const wanted = definitionsFor(known);
    const names = new Set(wanted.map(nameOf));
    for (const name of planted) if (!names.has(name)) await this.#undefine(name);
    for (const definition of wanted) {
      const text = JSON.stringify(definition);
      const name = nameOf(definition);
      // One that another release has otherwise is not changed but made anew, as a change is served some time later.
      if ((this.#defined.get(name) ?? text) !== text) await this.#undefine(name);
      this.#defined.set(name, text);
    }
  }

  /** Of a cluster that does not have these kinds, of which the dry run plants every definition that there is. */
  async without(kinds: readonly Pick<ObjectRef, 'apiVersion' | 'kind'>[], { contract }: Known): Promise<void> {
    const names = kinds.flatMap(({ apiVersion, kind }) => {
      const found = contract.schemas.definition(groupOf(apiVersion), kind);
      return found ? [`${found.plural}.${found.group}`] : [];
    });
    for (const name of new Set(names)) await this.#undefine(name);
  }

  async #undefine(name: string): Promise<void> {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    await this.cluster.adminRequest('DELETE', path);
    while ((await this.cluster.adminRequest('GET', path)).status === 200);
    this.#defined.delete(name);
  }
}

function nameOf({ metadata }: JsonObject): string {
  return String((metadata as JsonObject).name);
}

/** All objects of all kinds that can be deleted. */
async function everything(cluster: Cluster): Promise<{ id: string; path: string; object: LiveObject }[]> {
  const { body: groups } = await cluster.adminRequest('GET', '/apis');
  const roots = [
    '/api/v1',
    ...groups.groups.map((group: LiveObject) => `/apis/${group.preferredVersion.groupVersion}`),
  ];
  const lists = await Promise.all(
    roots.map(async (base) => {
      const { body } = await cluster.adminRequest('GET', base);
      const kinds = (body.resources ?? []).filter(
        ({ name, verbs }: LiveObject) =>
          !name.includes('/') && ['list', 'delete'].every((verb) => verbs.includes(verb)),
      );
      const found = await Promise.all(kinds.map((kind: LiveObject) => listed(cluster, base, kind)));
      return found.flat();
    }),
  );
  return lists.flat();
}

async function listed(cluster: Cluster, base: string, { name: plural, kind }: LiveObject) {
  const { body } = await cluster.adminRequest('GET', `${base}/${plural}`);
  return (body.items ?? []).map((object: LiveObject) => {
    const { uid, name, namespace } = object.metadata;
    const path = `${base}${namespace ? `/namespaces/${namespace}` : ''}/${plural}/${name}`;
    return { id: uid, path, object: { ...object, kind } };
  });
}
