/**
 * Clean stays clean, of repositories that nobody wrote: overrides of what a release gives a platform, with values that its charts
 * have, beside objects of one's own, in the layouts of kustomize. With the release and the variant configured nothing is reported;
 * with nothing configured no error, and no warning but what the release or the variant decides.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test } from '@jest/globals';
import { stringify } from 'yaml';
import { loadCatalog } from '../../src/cozystack/catalog.js';
import { inFormats } from '../support/formats.js';
import { runHere } from '../support/here.js';
import { randomOf } from '../support/random.mjs';
import { all, schemas } from '../support/releases.js';
import { amount, seedOr } from '../support/sample.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

type Random = { below(n: number): number; shuffled<T>(items: T[]): T[] };
type Tree = { [key: string]: Tree | string };
type Packages = { [name: string]: { variant: string; components?: { [component: string]: { values?: Tree } } } | null };
type Variant = { packages: Packages; optional: { [name: string]: Packages }; switches: { [change: string]: Packages } };
type Source = { variants: { [variant: string]: { components: { [name: string]: { install?: object } } } } };
type Catalog = { platform: { variants: { [name: string]: Variant } }; sources: { [name: string]: Source } };
type Values = { components: { [source: string]: { [variant: string]: { [component: string]: string } } } };
type World = { release: string; variant: string; catalog: Catalog; values: Values };

const read = (...path: string[]) => JSON.parse(readFileSync(join(schemas, 'cozystack', ...path), 'utf8'));
const worlds: World[] = all.flatMap((release) => {
  const [catalog, values] = [read(release, 'catalog.json') as Catalog, read(release, 'values.json') as Values];
  const variants = Object.entries(catalog.platform.variants).filter(([, one]) => Object.keys(one.packages).length > 0);
  return variants.map(([variant]) => ({ release, variant, catalog, values }));
});

/** What a warning may be about where nobody says which release and which variant it is, each with the reason. */
const ofWorlds: { [rule: string]: string } = {
  'unknown-package': 'some releases do not have the Package',
  'unknown-component': 'some releases do not have the component',
  'unknown-value': 'the chart of another release does not have the value',
  'invalid-value': 'the chart of another release has another type',
  'chart-owned-value': 'another variant sets the value itself',
  'package-not-created-here': 'another variant does not make the Package',
};

const account = 'own-installer';
const ns = 'cozy-customizer';
const meta = (name: string) => ({ name, namespace: ns });
const rbac = 'rbac.authorization.k8s.io';

/** What an administrator has beside the overrides; several objects of a group go together. */
const own: ((n: number) => object[])[] = [
  (n) => [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta(`settings-${n}`), data: { level: 'info', 'a.b': '1' } },
  ],
  (n) => [
    {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: meta(`allow-${n}`) },
      spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{ ports: [{ port: 53, protocol: 'UDP' }] }] },
    },
  ],
  (n) => [
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: meta(`echo-${n}`) },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: `echo-${n}` } },
        template: {
          metadata: { labels: { app: `echo-${n}` } },
          spec: {
            containers: [{ name: 'echo', image: 'registry.example.net/echo:1.4.0', ports: [{ containerPort: 80 }] }],
          },
        },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: meta(`echo-${n}`) },
      spec: { selector: { app: `echo-${n}` }, ports: [{ name: 'http', port: 80, targetPort: 80, protocol: 'TCP' }] },
    },
  ],
  (n) => [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta(`${account}-${n}`) },
    {
      ...{ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: meta(`${account}-${n}`) },
      rules: [{ apiGroups: ['', 'apps'], resources: ['*'], verbs: ['*'] }],
    },
    {
      ...{ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: meta(`${account}-${n}`) },
      roleRef: { apiGroup: rbac, kind: 'Role', name: `${account}-${n}` },
      subjects: [{ kind: 'ServiceAccount', ...meta(`${account}-${n}`) }],
    },
    {
      ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', metadata: meta(`wiki-${n}`) },
      spec: { interval: '1h', url: 'https://charts.example.net/wiki' },
    },
    {
      ...{ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: meta(`wiki-${n}`) },
      spec: {
        ...{ interval: '30m', serviceAccountName: `${account}-${n}` },
        chart: { spec: { chart: 'wiki', version: '2.x', sourceRef: { kind: 'HelmRepository', name: `wiki-${n}` } } },
        values: { replicas: 2 },
      },
    },
  ],
];

const pick = <T>(items: readonly T[], random: Random): T => items[random.below(items.length)] as T;

/** Ends of the values that are of one plain type, without those that a name makes more than that. */
function endsOf(tree: Tree, path: string[] = []): { path: string[]; kind: string }[] {
  return Object.entries(tree).flatMap(([key, child]) => {
    const below = [...path, key];
    if (typeof child === 'object') return endsOf(child, below);
    const isPlain = child === 'boolean' || child === 'number';
    return isPlain && !/pass|secret|token|key/i.test(key) ? [{ path: below, kind: child }] : [];
  });
}

/** Keys at the top of the values of a component that the chart of the platform sets, or passes on, in some state of some variant. */
function takenBy({ catalog, release }: World, name: string, component: string): Set<string> {
  const table = loadCatalog(schemas, release);
  const passedOn = Object.keys(catalog.platform.variants).flatMap((variant) =>
    table
      .ownedValues(name, { variant })
      .flatMap((owned) => (owned.component === component ? owned.path.slice(0, 1) : [])),
  );
  const states = Object.values(catalog.platform.variants).flatMap(({ packages, optional, switches }) => [
    packages,
    ...Object.values(optional),
    ...Object.values(switches),
  ]);
  const set = states.flatMap((packages) => Object.keys(packages[name]?.components?.[component]?.values ?? {}));
  return new Set([...set, ...passedOn]);
}

function valuesOf(world: World, name: string, variant: string, component: string, random: Random): object | undefined {
  const file = world.values.components[name]?.[variant]?.[component];
  if (file === undefined) return undefined;
  const chart = read('charts', file) as { values: Tree; schemas?: object };
  const taken = takenBy(world, name, component);
  // What a chart has a schema for may be less free than its type.
  const ends = endsOf(chart.values).filter(
    ({ path, kind }) => !taken.has(path[0] as string) && (!chart.schemas || kind === 'boolean'),
  );
  const values: Tree = {};
  for (const { path, kind } of random.shuffled(ends).slice(0, random.below(4))) {
    let at = values;
    for (const key of path.slice(0, -1)) {
      at[key] ??= {};
      at = at[key] as Tree;
    }
    const last = path.at(-1) as string;
    at[last] = (kind === 'boolean' ? random.below(2) === 0 : 1 + random.below(9)) as unknown as string;
  }
  return Object.keys(values).length > 0 ? values : undefined;
}

function overrides(world: World, random: Random): object[] {
  const { packages } = world.catalog.platform.variants[world.variant] as Variant;
  const made = Object.entries(packages).filter(([, one]) => one !== null);
  return random
    .shuffled(made)
    .slice(0, 1 + random.below(4))
    .map(([name, one]) => {
      const variant = (one as { variant: string }).variant;
      const known = Object.entries(world.catalog.sources[name]?.variants[variant]?.components ?? {});
      const components = known.flatMap(([component, { install }]) => {
        const values = install && valuesOf(world, name, variant, component, random);
        return values ? [[component, { values }]] : [];
      });
      const annotations = {
        'kustomize.toolkit.fluxcd.io/ssa': 'Merge',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      };
      return {
        ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name, annotations } },
        spec: { components: Object.fromEntries(components) },
      };
    });
}

const written = (objects: readonly object[], random: Random): [end: string, text: string] =>
  random.below(4) === 0 && objects.length === 1
    ? ['json', `${JSON.stringify(objects[0], null, 2)}\n`]
    : ['yaml', objects.map((one) => stringify(one)).join('---\n')];

/** How the same objects are laid out. */
const layouts: ((groups: object[][], random: Random) => Files)[] = [
  function flat(groups, random) {
    const files: Files = {};
    for (const [index, group] of groups.entries()) {
      const [end, text] = written(group, random);
      files[`part-${index}.${end}`] = text;
    }
    return { ...files, 'kustomization.yaml': kustomization({ resources: Object.keys(files) }) };
  },
  function folders(groups, random) {
    const files: Files = {};
    for (const [index, group] of groups.entries()) {
      const [end, text] = written(group, random);
      files[`part-${index}/objects.${end}`] = text;
      files[`part-${index}/kustomization.yaml`] = kustomization({ resources: [`objects.${end}`] });
    }
    const names = groups.map((_, index) => `part-${index}`);
    return { ...files, 'kustomization.yaml': kustomization({ resources: names }) };
  },
  function onePerFile(groups, random) {
    const files: Files = {};
    for (const [index, object] of groups.flat().entries()) {
      const [end, text] = written([object], random);
      files[`deep/er/object-${index}.${end}`] = text;
    }
    const names = Object.keys(files).map((file) => file.replace('deep/er/', ''));
    return {
      ...files,
      'deep/er/kustomization.yaml': kustomization({ resources: names }),
      'kustomization.yaml': kustomization({ resources: ['deep/er'] }),
    };
  },
  function component(groups, random) {
    const [first = [], ...rest] = groups;
    const files = (layouts[0] as (typeof layouts)[0])(rest.length > 0 ? rest : [first], random);
    const names = Object.keys(files).filter((file) => file !== 'kustomization.yaml');
    if (rest.length === 0) return files;
    return {
      ...files,
      'more/objects.yaml': first.map((one) => stringify(one)).join('---\n'),
      'more/kustomization.yaml': stringify({
        ...{ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', resources: ['objects.yaml'] },
      }),
      'kustomization.yaml': kustomization({ resources: names, components: ['more'] }),
    };
  },
];

function repositoryOf(number: number): { world: World; files: Files } {
  const random = randomOf(seedOr(2100) * 1000 + number) as Random;
  const world = worlds[number % worlds.length] as World;
  const besides = random.shuffled([...own]).slice(0, random.below(own.length + 1));
  const groups = [...overrides(world, random).map((one) => [one]), ...besides.map((make) => make(random.below(100)))];
  return { world, files: pick(layouts, random)(random.shuffled(groups), random) };
}

type Found = { rule: string; severity: string; message: string; assumes: unknown[] };

async function findingsIn(files: Files): Promise<{ findings: Found[]; text: string }> {
  const folder = createRepo(files);
  try {
    const { stdout, stderr } = await inFormats(runHere, ['json', 'text'], ['check', folder]);
    if (stdout === '') throw new Error(stderr);
    const end = stdout.indexOf('\n}\n') + 3;
    return { findings: JSON.parse(stdout.slice(0, end)).findings, text: stdout.slice(end) };
  } finally {
    removeRepo(folder);
  }
}

const counts = { repositories: 0, unsure: 0 };
afterAll(() => {
  process.stderr.write(`generated clean: ${JSON.stringify(counts)}\n`);
});

const count = amount(20, 600);
const numbers = Array.from({ length: count }, (_, index) => index);
const batches = Array.from({ length: Math.ceil(count / 20) }, (_, index) => numbers.slice(index * 20, index * 20 + 20));

test.concurrent.each(batches.map((batch) => [batch[0], batch.at(-1), batch] as const))(
  'nothing is reported of repositories %i to %i',
  async (_, __, batch) => {
    const wrong: string[] = [];
    for (const number of batch) {
      const { world, files } = repositoryOf(number);
      const { release, variant } = world;
      const known = await findingsIn({
        ...files,
        '.customizer-lint.yaml': stringify({ cluster: { release, variant } }),
      });
      if (known.findings.length > 0) wrong.push(`repository ${number}, ${release} ${variant}\n${known.text}`);
      const unknown = await findingsIn(files);
      const isExplained = ({ rule, severity, assumes }: Found) =>
        severity === 'warning' && assumes.length > 0 && rule in ofWorlds;
      if (!unknown.findings.every(isExplained))
        wrong.push(`repository ${number}, nothing configured, made for ${release} ${variant}\n${unknown.text}`);
      counts.repositories += 1;
      counts.unsure += unknown.findings.length > 0 ? 1 : 0;
    }
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  },
  300_000,
);
