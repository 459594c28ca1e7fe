/** Two commits of a repository on a cluster that others have written to before, put together at random by a seed. */
import { randomOf } from '../bench/generate.mjs';

// biome-ignore lint/suspicious/noExplicitAny: objects are of every kind
type Manifest = any;

export type History = {
  /** What others have written before, and how. */
  seed: { manager: string; how: 'apply' | 'create'; object: Manifest }[];
  commits: [Manifest[], Manifest[]];
};

const names = ['metallb', 'cert-manager', 'ingress-application', 'monitoring-agents'];
const flux = 'kustomize.toolkit.fluxcd.io';

/** The namespace `cozy-customizer` is owned, and no other. */
export function history(number: number): History {
  const random = randomOf(number);
  const one = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const chance = (percent: number) => random(100) < percent;

  function values(depth: number): Manifest {
    const leaf = () => one([1, 2, true, 'text', ['a'], ['b', 'c'], null, {}, []]);
    return Object.fromEntries(
      ['a', 'b', 'c', 'd']
        .filter(() => chance(45))
        .map((key) => [key, depth > 0 && chance(50) ? values(depth - 1) : leaf()]),
    );
  }

  function component(): Manifest {
    return { ...(chance(20) && { enabled: chance(50) }), ...(chance(85) && { values: values(2) }) };
  }

  function packageOf(name: string, annotations: Manifest): Manifest {
    const components = Object.fromEntries(
      ['first', 'second'].filter(() => chance(70)).map((key) => [key, component()]),
    );
    const spec = { ...(chance(25) && { variant: one(['default', 'other']) }), ...(chance(85) && { components }) };
    return {
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
      metadata: { name: `cozystack.${name}`, ...(Object.keys(annotations).length > 0 && { annotations }) },
      ...(chance(92) && { spec }),
    };
  }

  function settings(): Manifest {
    return {
      ...(chance(55) && { [`${flux}/ssa`]: one(['Merge', 'Merge', 'merge', 'IfNotPresent', 'Ignore', 'Override']) }),
      ...(chance(30) && { [`${flux}/prune`]: 'disabled' }),
      ...(chance(5) && { [`${flux}/reconcile`]: 'disabled' }),
      ...(chance(6) && { [`${flux}/force`]: 'enabled' }),
    };
  }

  function source(name: string): Manifest {
    const annotations = settings();
    return {
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource' },
      metadata: { name, ...(Object.keys(annotations).length > 0 && { annotations }) },
      spec: {
        sourceRef: {
          kind: chance(94) ? 'OCIRepository' : 'HelmRepository',
          name: 'packages',
          namespace: 'cozy-system',
        },
        variants: [{ name: one(['default', 'other']), components: [{ name: 'a', path: one(['apps/a', 'apps/b']) }] }],
      },
    };
  }

  function configMap(name: string): Manifest {
    const annotations = settings();
    return {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: {
        ...{ name, namespace: chance(94) ? 'cozy-customizer' : 'kube-system' },
        ...(Object.keys(annotations).length > 0 && { annotations }),
        ...(chance(20) && { labels: { team: one(['a', 'b']) } }),
      },
      data: Object.fromEntries(['a', 'b', 'c'].filter(() => chance(60)).map((key) => [key, one(['1', '2'])])),
    };
  }

  /** Something wrong in one of twenty. */
  function slip(object: Manifest): Manifest {
    if (!chance(5) || !object.spec) return object;
    const wrong = one<Manifest>([{ unheardOf: 1 }, { variant: 5 }, { components: [] }, { variants: {} }]);
    return { ...object, spec: { ...object.spec, ...wrong } };
  }

  function commit(): Manifest[] {
    return [
      ...names.filter(() => chance(45)).map((name) => slip(packageOf(name, settings()))),
      ...(chance(30) ? [slip(source('own'))] : []),
      ...['one', 'two'].filter(() => chance(40)).map(configMap),
      ...(chance(4) ? [packageOf('nobody', {})] : []),
    ];
  }

  /** Mostly the commit before with some changes, as people commit. */
  function next(before: Manifest[]): Manifest[] {
    const fresh = commit();
    const idOf = ({ kind, metadata }: Manifest) => `${kind}/${metadata.name}`;
    const kept = before.filter(() => chance(75)).map((object) => (chance(40) ? varied(object) : object));
    return [...kept, ...fresh.filter((object) => chance(30) && !kept.some((other) => idOf(other) === idOf(object)))];
  }

  function varied(object: Manifest): Manifest {
    const again = [...commit(), ...commit(), ...commit()].find(
      ({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name,
    );
    return again ?? object;
  }

  const first = commit();
  const writers = [
    { manager: 'helm-controller', how: 'apply' as const },
    { manager: 'helm-controller', how: 'create' as const },
    { manager: 'kubectl-client-side-apply', how: 'create' as const },
    { manager: 'kubectl', how: 'apply' as const },
    { manager: 'kubectl-create', how: 'create' as const },
  ];
  return {
    seed: names
      .filter(() => chance(85))
      .map((name) => ({ ...one(writers), object: withoutNulls(packageOf(name, {})) })),
    commits: [first, next(first)],
  };
}

/** What is created by hand holds no nulls where a map belongs. */
function withoutNulls(object: Manifest): Manifest {
  return JSON.parse(JSON.stringify(object, (_, value) => (value === null ? undefined : value)));
}
