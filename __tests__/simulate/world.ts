/** A cluster in which the simulation reconciles, and objects for it. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { definitionOf } from '../../src/cluster/crds.js';
import type { Entrypoint, ObjectRef, RenderedObject } from '../../src/core/model.js';
import { groupOf } from '../../src/core/object.js';
import { allows, grantsOf, loadRbac } from '../../src/cozystack/rbac.js';
import { type Definition, loadSchemas } from '../../src/cozystack/schemas.js';
import { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import type { Operation } from '../../src/engine/host/apply-protocol.js';
import { toApplyRequest, withScope } from '../../src/flux/request.js';
import { type Reconciled, reconcile } from '../../src/simulate/reconcile.js';
import { root } from '../support/cli.js';
import { schemas as data, newest } from '../support/releases.js';

// biome-ignore lint/suspicious/noExplicitAny: objects are of every kind, and a test reads what it expects to be there
export type Manifest = any;

const schemas = loadSchemas(data, newest);
const rbac = loadRbac(data);
export const flux = 'kustomize.toolkit.fluxcd.io';
export const merge = { [`${flux}/ssa`]: 'Merge' };
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
export let engine: ApplyEngine;

beforeAll(async () => {
  engine = await ApplyEngine.open(join(root, 'dist', 'engine'));
  const kinds = [
    ...['Package', 'PackageSource'].map((kind) => `cozystack.io/${kind}`),
    'source.toolkit.fluxcd.io/GitRepository',
  ].map((key) => schemas.definition(...(key.split('/') as [string, string])) as Definition);
  await engine.define(kinds.map(definitionOf));
});

afterAll(() => engine?.close());

export function packageOf(spec: object | undefined, annotations: object = {}, labels: object = {}): Manifest {
  const metadata = { name: 'cozystack.x', annotations, labels };
  return { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata, ...(spec && { spec }) };
}

export const values = (inner: unknown) => ({ components: { c: { values: inner } } });

export function source(variants: object[], more: object = {}): Manifest {
  return {
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource', metadata: { name: 'own', ...more } },
    spec: { sourceRef: { kind: 'OCIRepository', name: 'packages', namespace: 'cozy-system' }, variants },
  };
}

export function configMap(name: string, namespace = 'cozy-customizer'): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { a: 'b' } };
}

function refOf({ apiVersion, kind, metadata }: Manifest): ObjectRef {
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace && { namespace }) };
}

export const applied = (manager: string, object: Manifest): Operation => ({
  op: 'apply',
  object,
  manager,
  force: true,
});
export const created = (manager: string, object: Manifest): Operation => ({ op: 'create', object, manager });

/** `all`: whether it may do everything; `unseen` is the name of what it may not read even so. */
type Options = { all?: boolean; name?: string; unseen?: string };

const missing = { verb: 'get', group: '', resource: 'namespaces', name: '' };

/** A cluster with a Flux Kustomization on it, which keeps its inventory. */
export class World {
  #inventory: ObjectRef[] = [];

  constructor(private readonly options: Options = {}) {}

  static async of(...seed: Operation[]): Promise<World> {
    const answers = await engine.ask([{ op: 'reset' }, ...seed]);
    expect(answers.filter(({ error }) => error).map(({ error }) => error?.message)).toEqual([]);
    return new World();
  }

  /** The same cluster with another Flux Kustomization, or one with other rights. */
  other(options: Options): World {
    return new World(options);
  }

  async reconcile(...objects: Manifest[]): Promise<Reconciled> {
    const { all = false, name, unseen } = this.options;
    const grants = grantsOf(rbac, { ownedNamespaces: ['cozy-customizer'] });
    const kustomization = name === undefined ? {} : { name, namespace: 'cozy-system' };
    const entrypoint: Entrypoint = { path: '.', why: 'a test', kustomization };
    const done = await reconcile(engine, {
      ...{ entrypoint, inventory: this.#inventory },
      objects: objects.map((value) => {
        const ref = withScope(refOf(value), schemas);
        return { ref, value: toApplyRequest({ ref, value } as RenderedObject, entrypoint, schemas) };
      }),
      access(verb, { apiVersion, kind, namespace, name }) {
        if (verb === 'get' && name === unseen) return { allowed: false, refusal: 'it may not be read', missing };
        const found = schemas.find(apiVersion, kind);
        if (all || !found.known) return { allowed: true };
        const about = { verb, group: groupOf(apiVersion), resource: found.plural, name };
        const verdict = allows(grants, { ...about, ...(namespace && { namespace }) });
        return verdict.allowed ? { allowed: true } : { ...verdict, allowed: false };
      },
    });
    this.#inventory = done.inventory;
    return done;
  }

  get inventory(): readonly ObjectRef[] {
    return this.#inventory;
  }
}

export async function live(object: Manifest = packageOf(undefined)): Promise<Manifest> {
  const [answer] = await engine.ask([{ op: 'get', ref: refOf(object) }]);
  return answer?.object;
}

export async function kubectlPatch(patch: Manifest, object: Manifest = packageOf(undefined)): Promise<void> {
  await engine.ask([{ op: 'merge', ref: refOf(object), manager: 'kubectl-patch', patch }]);
}
