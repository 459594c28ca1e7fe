/** A cluster's Packages with their real managed fields, written by those who write them, and what kubectl prints of them. */
import { join } from 'node:path';
import { definitionOf } from '../../src/cluster/crds.js';
import type { Entrypoint, ObjectRef, RenderedObject } from '../../src/core/model.js';
import { type Definition, loadSchemas } from '../../src/cozystack/schemas.js';
import type { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import type { ApplyAnswer, Operation } from '../../src/engine/host/apply-protocol.js';
import { toApplyRequest } from '../../src/flux/request.js';
import { type Reconciled, reconcile } from '../../src/simulate/reconcile.js';
import { root } from './cli.js';

// biome-ignore lint/suspicious/noExplicitAny: objects are of every kind, and a test reads what it expects to be there
export type Manifest = any;

const schemas = loadSchemas(join(root, 'schemas'), 'v1.6.2');
const type = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' };
const entrypoint: Entrypoint = { path: '.', why: 'a test', kustomization: {} };

/** How Helm writes: Apply on a cluster born with Cozystack 1.5 or later, Update before. */
export type Helm = 'Apply' | 'Update';

export function packageOf(name: string, spec: object, metadata: object = {}): Manifest {
  return { ...type, metadata: { name: `cozystack.${name}`, ...metadata }, spec };
}

/** As the platform chart emits it and Helm labels it. */
export function chartPackage(name: string, spec: object): Manifest {
  return packageOf(
    name,
    { variant: 'default', ...spec },
    {
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: {
        'helm.sh/resource-policy': 'keep',
        'meta.helm.sh/release-name': 'cozystack-platform',
        'meta.helm.sh/release-namespace': 'cozy-system',
      },
    },
  );
}

export function values(component: string, inner: object): Manifest {
  return { components: { [component]: { values: inner } } };
}

export class LiveCluster {
  private constructor(
    private readonly engine: ApplyEngine,
    readonly helm: Helm,
    private readonly charts: readonly Manifest[],
  ) {}

  static async open(): Promise<ApplyEngine> {
    const { ApplyEngine: Server } = await import('../../src/engine/host/apply-engine.js');
    const engine = await Server.open(join(root, 'dist', 'engine'));
    await engine.define([definitionOf(schemas.definition('cozystack.io', 'Package') as Definition)]);
    return engine;
  }

  /** `charts` are what the chart emits; `platform` is the platform's own Package, which kubectl makes. */
  static async of(
    engine: ApplyEngine,
    { helm, charts, platform }: { helm: Helm; charts: Manifest[]; platform?: Manifest },
  ) {
    const cluster = new LiveCluster(engine, helm, charts);
    await cluster.ask({ op: 'reset' });
    if (platform) await cluster.ask({ op: 'create', object: platform, manager: 'kubectl-client-side-apply' });
    await cluster.upgrade('install');
    return cluster;
  }

  /** Helm applies the chart: by force, or as a patch from the old manifest to the same new one, which changes nothing. */
  async upgrade(how: 'upgrade' | 'install' = 'upgrade'): Promise<void> {
    const manager = 'helm-controller';
    for (const object of this.charts) {
      if (this.helm === 'Apply') await this.ask({ op: 'apply', object, manager, force: true });
      else if (how === 'install') await this.ask({ op: 'create', object, manager });
    }
  }

  /** Flux reconciles these manifests; whatever it may not do is none of this. */
  async reconcile(...objects: Manifest[]): Promise<Reconciled> {
    return reconcile(this.engine, {
      ...{ entrypoint, inventory: [] },
      objects: objects.map((value) => ({
        ref: refOf(value),
        value: toApplyRequest({ ref: refOf(value), value: withLabels(value) } as RenderedObject, entrypoint, schemas),
      })),
      access: () => ({ allowed: true }),
    });
  }

  async ask(operation: Operation): Promise<ApplyAnswer> {
    const [answer] = await this.engine.ask([operation]);
    if (answer?.error) throw new Error(answer.error.message);
    return answer as ApplyAnswer;
  }

  async get(name: string): Promise<Manifest> {
    return (await this.ask({ op: 'get', ref: { ...type, name: `cozystack.${name}` } })).object;
  }

  /** What `kubectl get packages.cozystack.io --output json --show-managed-fields` prints. */
  async export(): Promise<string> {
    const { objects } = await this.ask({ op: 'list', ...type });
    return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  }

  /** Does what a command of a recovery does, as far as it is about Packages. True for one that makes Helm upgrade. */
  async run(command: string): Promise<void> {
    if (/^kubectl .*patch kustomizations\./.test(command)) return;
    const name = /packages\.cozystack\.io (\S+)/.exec(command)?.[1] ?? '';
    const ref = { ...type, name };
    const manager = /--field-manager=(\S+)/.exec(command)?.[1];
    const patch = /--patch '(.*)'/.exec(command)?.[1];
    const annotation = /^kubectl annotate .* --overwrite (\S+)=(\S+)$/.exec(command);
    const printed = /^printf %s '(.*)' \| kubectl apply --server-side --force-conflicts/.exec(command)?.[1];
    if (/annotate helmreleases\..*requestedAt=\$now .*forceAt=\$now/.test(command)) await this.upgrade();
    else if (patch) await this.ask({ op: 'merge', ref, manager: manager ?? 'kubectl-patch', patch: JSON.parse(patch) });
    else if (annotation) {
      const metadata = { annotations: { [String(annotation[1])]: String(annotation[2]) } };
      await this.ask({ op: 'merge', ref, manager: 'kubectl-annotate', patch: { metadata } });
    } else if (printed) await this.#apply(JSON.parse(printed), manager);
    else if (
      /^kubectl get .* --output json \| kubectl apply --server-side --force-conflicts --filename -$/.test(command)
    ) {
      const object = (await this.ask({ op: 'get', ref })).object as Manifest;
      const { managedFields, ...metadata } = object.metadata;
      await this.#apply({ ...object, metadata }, manager);
    } else throw new Error(`what does this do? ${command}`);
  }

  async #apply(object: Manifest, manager = 'kubectl'): Promise<void> {
    await this.ask({ op: 'apply', object, manager, force: true });
  }
}

function withLabels(value: Manifest): Manifest {
  const labels = {
    'kustomize.toolkit.fluxcd.io/name': 'cozystack-customizer',
    'kustomize.toolkit.fluxcd.io/namespace': 'cozy-system',
  };
  return { ...value, metadata: { ...value.metadata, labels: { ...value.metadata.labels, ...labels } } };
}

function refOf({ apiVersion, kind, metadata }: Manifest): ObjectRef {
  return { apiVersion, kind, name: metadata.name };
}
