/** What waits for what, of the sources of a release and of a repository. */
import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { RenderedObject } from '../../src/core/model.js';
import { dependencyGraph, type GraphOptions } from '../../src/graph/graph.js';

const [apiVersion, none] = ['cozystack.io/v1alpha1', { installed: false, components: false }];
type Component = { name: string; install?: { dependsOn?: string[] } };
type Written = { name: string; dependsOn?: string[]; components?: Component[] };

const object = (kind: string, name: string, spec: object) =>
  ({ ref: { apiVersion, kind, name }, value: { metadata: { name }, spec } }) as unknown as RenderedObject;
const source = (name: string, ...variants: Written[]) => object('PackageSource', name, { variants });

type More = { objects?: RenderedObject[]; snapshot?: object };
/** A platform that knows nothing but "core", and of the variants "full", which makes it "a". */
function graph({ objects = [], snapshot }: More, options: Partial<GraphOptions> = {}) {
  const core = { variants: ['a', 'b'].map((name) => ({ name, dependsOn: [`${name}-only`], components: [] })) };
  const catalog = {
    names: () => ['core'],
    source: (name: string) => (name === 'core' ? core : undefined),
    platformVariant: (name: string) => (name === 'full' ? { packages: { core: { variant: 'a' } } } : undefined),
    emitted: () => 'always',
  };
  const facts = {
    get: (name: string) => ({ name, value: name === 'variant' ? 'full' : [], source: 'assumed' }),
    all: new Map(),
  };
  const cluster = { contract: { release: 'v1', catalog }, facts, snapshot, head: { objects, applied: objects } };
  const { release, nodes, edges } = dependencyGraph(cluster as unknown as Cluster, { ...none, ...options });
  return {
    release,
    all: nodes,
    nodes: nodes.map(({ name, missing, touched }) => `${name}${missing ? ' missing' : ''}${touched ? ' touched' : ''}`),
    edges: edges.map(
      ({ from, to, variants, ignored }) =>
        `${from} > ${to}${variants ? ` (${variants.join()})` : ''}${ignored ? ' ignored' : ''}`,
    ),
  };
}

describe('Packages', () => {
  test('wait for what any of their variants waits for, which is told where not all do', () => {
    const own = source('own', { name: 'x', dependsOn: ['core', 'gone'] }, { name: 'y', dependsOn: ['core'] });
    expect(graph({ objects: [own] })).toMatchObject({
      release: 'v1',
      nodes: ['a-only missing', 'b-only missing', 'core', 'gone missing', 'own touched'],
      edges: ['core > a-only (a)', 'core > b-only (b)', 'own > core', 'own > gone (x)'],
    });
  });

  test('do not wait for what they ignore', () => {
    const own = [source('own', { name: 'x', dependsOn: ['core'] })];
    const pack = object('Package', 'own', { ignoreDependencies: ['core'] });
    expect(graph({ objects: [...own, pack] }).edges).toContain('own > core ignored');
  });

  test('that a snapshot shows have a name', () => {
    const snapshot = { packageSources: ['seen'], packages: { there: {} } };
    expect(graph({ snapshot }).nodes).toEqual(['a-only missing', 'b-only missing', 'core', 'seen', 'there']);
  });

  test('are told with what they are, and that the repository has them', () => {
    const objects = [
      source('a-own', { name: 'x', dependsOn: ['z', 'cozystack.customizer'] }),
      object('Package', 'z', {}),
    ];
    const others = [object('ConfigMap', 'core', {})];
    const told = graph({ objects: [...objects, ...others] }).all.filter(({ name }) => !name.endsWith('-only'));
    expect(told).toEqual([
      { name: 'a-own', kind: 'package', missing: false, touched: true },
      { name: 'core', kind: 'package', missing: false, touched: false },
      { name: 'cozystack.customizer', kind: 'package', missing: false, touched: false },
      { name: 'z', kind: 'package', missing: true, touched: true },
    ]);
  });

  test('are sorted, and so are their arrows', () => {
    const objects = ['q', 'p'].map((name) => source(name, { name: 'x', dependsOn: ['z', 'y', 'core'] }));
    const found = graph({ objects });
    expect(found.nodes.map((node) => node.split(' ')[0])).toEqual(['a-only', 'b-only', 'core', 'p', 'q', 'y', 'z']);
    expect(found.edges.slice(2)).toEqual(['p > core', 'p > y', 'p > z', 'q > core', 'q > y', 'q > z']);
  });
});

describe('those that are installed', () => {
  const installed = (more: More) => graph(more, { installed: true });

  test('are of the variant that is written, else of that which the platform gives', () => {
    expect(installed({}).edges).toEqual(['core > a-only']);
    const b = object('Package', 'core', { variant: 'b' });
    expect(installed({ objects: [b] }).edges).toEqual(['core > b-only']);
  });

  test('are those of a snapshot, and those that the repository makes with a variant', () => {
    const objects = [
      ...['made', 'edited', 'map'].map((name) => source(name, { name: 'x' })),
      object('Package', 'made', { variant: 'x' }),
      object('Package', 'edited', {}),
      object('ConfigMap', 'map', { variant: 'x' }),
    ];
    expect(installed({ objects }).nodes).toEqual(['a-only missing', 'core', 'made touched']);
    const snapshot = { packageSources: [], packages: { core: { variant: 'b' } } };
    expect(installed({ objects, snapshot }).nodes).toEqual(['b-only missing', 'core', 'made touched']);
    expect(installed({ snapshot: { packageSources: [], packages: { unknown: {} } } }).nodes).toEqual(['unknown']);
  });

  test('are of any variant where nobody knows which', () => {
    const own = source('own', { name: 'x', dependsOn: ['core'] }, { name: 'y', dependsOn: ['core'] });
    const snapshot = { packageSources: [], packages: { own: {} } };
    expect(installed({ objects: [own], snapshot }).edges).toEqual(['own > core']);
  });
});

test('a component waits for what it waits for in each variant that has it', () => {
  const one = (dependsOn: string[]) => ({ name: 'one', install: { dependsOn } });
  const variants = [{ name: 'x', components: [one(['a'])] }, { name: 'y', components: [one([])] }, { name: 'z' }];
  expect(graph({ objects: [source('own', ...variants)] }, { components: true }).edges).toContain('own.one > own.a (x)');
  expect(graph({ objects: [source('own', ...variants)] }).edges.some((edge) => edge.includes('own.one'))).toBe(false);
});

test('components wait for their Package, or for others of it', () => {
  const components = [
    { name: 'one', install: {} },
    { name: 'two', install: { dependsOn: ['one'] } },
    { name: 'three', install: { dependsOn: ['gone', 'library'] } },
    { name: 'library' },
  ];
  const own = source('own', { name: 'x', components });
  const found = graph({ objects: [own] }, { components: true });
  expect(found.edges.filter((edge) => edge.startsWith('own'))).toEqual([
    'own.one > own',
    'own.three > own.gone',
    'own.three > own.library',
    'own.two > own.one',
  ]);
  expect(found.nodes.filter((node) => node.startsWith('own'))).toEqual([
    ...['own touched', 'own.gone missing', 'own.library missing', 'own.one touched', 'own.three touched'],
    'own.two touched',
  ]);
});
