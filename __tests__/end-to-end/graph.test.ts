/** `graph`: the picture is the data, and the tools that draw it can read it. */

import { readFileSync } from 'node:fs';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toDot } from '../../src/graph/dot.js';
import { toMermaid } from '../../src/graph/mermaid.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { missing, readMermaid } from '../support/mermaid/mermaid.js';
import { all as releases } from '../support/releases.js';
import { amount, someOf } from '../support/sample.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

type Picture = {
  release: string;
  nodes: { name: string; kind: string; missing: boolean; touched: boolean }[];
  edges: { from: string; to: string; variants?: string[]; ignored?: true }[];
};
type Raw = {
  sources: {
    [name: string]: {
      variants: {
        [name: string]: {
          dependsOn?: string[];
          components: { [name: string]: { install?: { dependsOn?: string[] } } };
        };
      };
    };
  };
  platform: { variants: { [name: string]: { packages: { [name: string]: { variant: string } } } } };
};

const empty = createRepo({ 'README.md': 'nothing\n' });
const planted: string[] = [empty];
afterAll(() => planted.forEach(removeRepo));

function repository(files: Files): string {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
}

async function graph(directory: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runHere(['graph', directory, ...args]);
  // A slow machine says how far it is.
  expect({ status, said: stderr.replace(/^rendering .*\n/gm, '') }).toEqual({ status: 0, said: '' });
  return stdout;
}

async function picture(directory: string, ...args: string[]): Promise<Picture> {
  return JSON.parse(await graph(directory, '--format', 'json', ...args)) as Picture;
}

function catalog(release: string): Raw {
  return JSON.parse(readFileSync(`${root}schemas/cozystack/${release}/catalog.json`, 'utf8')) as Raw;
}

/** `a > b` for every arrow. */
const arrows = (edges: Picture['edges']) => edges.map(({ from, to }) => `${from} > ${to}`).sort();

/** Arrows of the data: of every variant, or of one of each source. */
function expected({ sources }: Raw, only?: (source: string) => string | undefined): string[] {
  const found = Object.entries(sources).flatMap(([source, { variants }]) =>
    Object.entries(variants).flatMap(([name, { dependsOn = [] }]) =>
      only && only(source) !== name ? [] : dependsOn.map((to) => `${source} > ${to}`),
    ),
  );
  return [...new Set(found)].sort();
}

function expectedComponents({ sources }: Raw): string[] {
  const found = new Set<string>();
  for (const [source, { variants }] of Object.entries(sources)) {
    const waits = new Map<string, string[]>();
    for (const { components } of Object.values(variants)) {
      for (const [name, { install }] of Object.entries(components)) {
        if (install) waits.set(name, [...(waits.get(name) ?? []), ...(install.dependsOn ?? [])]);
      }
    }
    for (const [name, wanted] of waits) {
      if (wanted.length === 0) found.add(`${source}.${name} > ${source}`);
      for (const one of wanted) found.add(`${source}.${name} > ${source}.${one}`);
    }
  }
  return [...found].sort();
}

let graphviz: Graphviz;
beforeAll(async () => {
  graphviz = await Graphviz.load();
});

if (missing) console.log(`skipped: what Mermaid reads, as ${missing}`);
const mermaidTest = missing ? test.skip : test;

mermaidTest('Mermaid can say no', () => {
  expect(readMermaid('flowchart RL\n  a["x"] -- b')).toMatch(/^refused/);
});

/** What Graphviz itself reads in it. */
function readDot(text: string): { nodes: string[]; arrows: string[]; red: string[] } {
  const read = JSON.parse(graphviz.layout(text, 'dot_json')) as {
    objects: { _gvid: number; name: string; color?: string }[];
    edges?: { tail: number; head: number }[];
  };
  const name = (id: number) => read.objects.find(({ _gvid }) => _gvid === id)?.name;
  return {
    nodes: read.objects.map((object) => object.name).sort(),
    arrows: (read.edges ?? []).map(({ tail, head }) => `${name(tail)} > ${name(head)}`).sort(),
    red: read.objects.filter(({ color }) => color === 'red').map((object) => object.name),
  };
}

describe.each(someOf(releases, 12))('the platform’s own catalog of %s', (release) => {
  const data = catalog(release);

  test('equals the dependency data', async () => {
    const { nodes, edges } = await picture(empty, '--release', release);
    expect(nodes.map(({ name }) => name)).toEqual(Object.keys(data.sources).sort());
    expect(nodes.filter(({ missing, touched }) => missing || touched)).toEqual([]);
    expect(arrows(edges)).toEqual(expected(data));
    for (const { from, to, variants } of edges) {
      const all = Object.entries(data.sources[from]?.variants ?? {});
      const waiting = all.filter(([, { dependsOn }]) => dependsOn?.includes(to)).map(([name]) => name);
      expect({ from, to, variants }).toEqual({ from, to, ...(waiting.length < all.length && { variants: waiting }) });
    }
  });

  test('with components', async () => {
    const { edges } = await picture(empty, '--release', release, '--components');
    expect(arrows(edges)).toEqual([...expected(data), ...expectedComponents(data)].sort());
  });

  test('--installed: the Packages of the assumed variant, nothing missing', async () => {
    const { nodes, edges } = await picture(empty, '--release', release, '--installed');
    const { packages = {} } = data.platform.variants['isp-full'] ?? {};
    expect(nodes.map(({ name }) => name)).toEqual(
      [...new Set([...Object.keys(packages), 'cozystack.cozystack-platform'])].sort(),
    );
    expect(nodes.filter(({ missing }) => missing)).toEqual([]);
    const there = (arrow: string) => arrow.startsWith('cozystack.cozystack-platform >');
    expect(arrows(edges).filter((arrow) => !there(arrow))).toEqual(
      expected(data, (source) => packages[source]?.variant),
    );
  });

  // Of each release another one.
  const place = releases.indexOf(release);
  const drawings = [[], ['--components'], ['--installed']].filter((_, index) => (index + place) % 3 < amount(1, 3));
  const rows = drawings.map((args) => [args]);
  mermaidTest.each(rows)('Mermaid reads it %p', async (args) => {
    expect(readMermaid(await graph(empty, '--release', release, '--format', 'mermaid', ...args))).toBe('flowchart-v2');
  });
  test.each(rows)('Graphviz reads it %p, and in Mermaid it has as many arrows', async (args) => {
    const drawn = await picture(empty, '--release', release, ...args);
    const read = readDot(await graph(empty, '--release', release, ...args));
    expect(read.nodes).toEqual(drawn.nodes.map(({ name }) => name).sort());
    expect(read.arrows).toEqual(arrows(drawn.edges));
    const text = await graph(empty, '--release', release, '--format', 'mermaid', ...args);
    expect(text.match(/^ {2}n\d+ -/gm)?.length).toBe(drawn.edges.length);
  });
});

const source = (name: string, dependsOn: string[], more: object = {}) => ({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'PackageSource',
  metadata: { name },
  spec: {
    sourceRef: { kind: 'GitRepository', name: 'own', namespace: 'cozy-customizer' },
    variants: [{ name: 'default', dependsOn, components: [], ...more }],
  },
});
const pack = (name: string, spec: object) => ({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'Package',
  metadata: { name },
  spec,
});
const one = (...objects: object[]): Files => ({
  'kustomization.yaml': kustomization({ resources: objects.map((_, index) => `${index}.yaml`) }),
  ...Object.fromEntries(objects.map((object, index) => [`${index}.yaml`, JSON.stringify(object)])),
});

describe('a repository', () => {
  test('what it touches is marked, what is missing is red', async () => {
    const directory = repository(
      one(
        source('own.shop', ['cozystack.postgres-operator', 'own.nothing'], {
          components: [
            { name: 'db', path: 'db', install: { namespace: 'cozy-shop' } },
            { name: 'web', path: 'web', install: { namespace: 'cozy-shop', dependsOn: ['db', 'cache'] } },
            { name: 'library', path: 'library' },
          ],
        }),
        pack('cozystack.metallb', { components: { metallb: { values: { a: 1 } } } }),
      ),
    );
    const { nodes, edges } = await picture(directory, '--components');
    expect(nodes.filter(({ touched }) => touched).map(({ name }) => name)).toEqual([
      'cozystack.metallb',
      'cozystack.metallb.metallb',
      'own.shop',
      'own.shop.db',
      'own.shop.web',
    ]);
    expect(nodes.filter(({ missing }) => missing).map(({ name }) => name)).toEqual(['own.nothing', 'own.shop.cache']);
    expect(arrows(edges.filter(({ from }) => from.startsWith('own.')))).toEqual([
      'own.shop > cozystack.postgres-operator',
      'own.shop > own.nothing',
      'own.shop.db > own.shop',
      'own.shop.web > own.shop.cache',
      'own.shop.web > own.shop.db',
    ]);
    expect(readDot(await graph(directory, '--components')).red).toEqual(['own.nothing', 'own.shop.cache']);
    const text = await graph(directory, '--format', 'mermaid', '--components');
    expect(text).toMatch(/class n\d+,n\d+ missing/);
  });

  test('--installed: a dependency that is not there is red, one that is ignored is dashed', async () => {
    const directory = repository({
      ...one(
        pack('cozystack.harbor-application', { variant: 'default', ignoreDependencies: ['cozystack.redis-operator'] }),
      ),
      '.customizer-lint.yaml': 'cluster:\n  release: v1.6.2\n  variant: default\n',
    });
    const { nodes, edges } = await picture(directory, '--installed');
    expect(edges).toContainEqual({
      from: 'cozystack.harbor-application',
      to: 'cozystack.redis-operator',
      ignored: true,
    });
    expect(nodes).toContainEqual({ name: 'cozystack.redis-operator', kind: 'package', missing: true, touched: false });
  });

  test('names that mean something to the tools stay names', async () => {
    const name = 'a"]; click n0 "x <b> %% {}';
    const directory = repository(one(source('own.odd', [name])));
    expect(readDot(await graph(directory)).nodes).toContain(name);
    const text = await graph(directory, '--format', 'mermaid');
    expect(text).not.toContain('click n0 "');
  });

  mermaidTest('and Mermaid reads them, with a dependency that is missing', async () => {
    const name = 'a"]; click n0 "x <b> %% {}';
    const directory = repository(one(source('own.odd', [name])));
    expect(readMermaid(await graph(directory, '--format', 'mermaid', '--components'))).toBe('flowchart-v2');
  });

  test('several clusters: one is to be named', async () => {
    const files = one(pack('cozystack.metallb', { components: { metallb: { values: { a: 1 } } } }));
    const inFolder = (folder: string) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`clusters/${folder}/${path}`, text]));
    const directory = repository({ ...inFolder('east'), ...inFolder('west') });
    expect(await runHere(['graph', directory])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('use --cluster with one of east, west'),
    });
    expect((await picture(directory, '--cluster', 'west')).nodes.length).toBeGreaterThan(90);
    expect(await runHere(['graph', directory, '--cluster', 'north'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the repository has no cluster "north"'),
    });
  });
});

test('arrows come by the name of where they begin, then by where they lead', async () => {
  const { edges } = await picture(empty, '--release', 'v1.6.2');
  const names = edges.map(({ from, to }) => [from, to]);
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const sorted = names.toSorted(([a = '', b = ''], [c = '', d = '']) => compare(a, c) || compare(b, d));
  expect(names).toEqual(sorted);
  expect(names.length).toBeGreaterThan(50);
});

test('what is missing is drawn as that, whether a change touches it or not', () => {
  const node = (name: string, more: object) => ({
    name,
    kind: 'package' as const,
    missing: false,
    touched: false,
    ...more,
  });
  const nodes = [
    node('a', { touched: true }),
    node('b', { missing: true, touched: true }),
    node('c', { missing: true }),
  ];
  const edges = [
    { from: 'a', to: 'c' },
    { from: 'a', to: 'a' },
  ];
  const lines = toMermaid({ release: 'v1.6.2', nodes, edges })
    .split('\n')
    .map((line) => line.trim());
  expect(lines.filter((line) => line.startsWith('class '))).toEqual(['class n0 touched', 'class n1,n2 missing']);
  expect(lines).toContain('linkStyle 0 stroke:#d1242f');
  const drawn = toDot({ release: 'v1.6.2', nodes, edges }, []).split('\n');
  expect(drawn.filter((line) => line.startsWith('  "'))).toEqual([
    '  "a" [fillcolor="lightblue" penwidth="2"]',
    '  "b" [fillcolor="lightblue" penwidth="2" color="red" fontcolor="red" style="dashed"]',
    '  "c" [color="red" fontcolor="red" style="dashed"]',
    '  "a" -> "c" [color="red"]',
    '  "a" -> "a"',
  ]);
});

test('only what is assumed and counts for the picture is noted', async () => {
  const notes = async (...args: string[]) => JSON.parse(await graph(empty, '--format', 'json', ...args)).notes;
  expect(await notes()).toEqual([expect.stringMatching(/^assumed: .*release/)]);
  expect(await notes('--release', 'v1.6.2')).toEqual([]);
});

test('the summary of a change draws what waits for a PackageSource that it touches', async () => {
  const json = (name: string, dependsOn: string[]) =>
    JSON.stringify({
      apiVersion: 'cozystack.io/v1alpha1',
      kind: 'PackageSource',
      metadata: { name },
      spec: {
        sourceRef: { kind: 'GitRepository', name: 'own', namespace: 'cozy-customizer' },
        variants: [{ name: 'default', dependsOn, components: [] }],
      },
    });
  const [base, head] = [[], ['cozystack.metallb']].map((dependsOn) =>
    repository({
      'kustomization.yaml': kustomization({ resources: ['db.json', 'web.json'] }),
      'db.json': json('own.db', dependsOn),
      'web.json': json('own.web', ['own.db']),
      '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
    }),
  ) as [string, string];
  const { stdout } = await runHere(['check', head, '--base', base, '--format', 'markdown']);
  const drawn = /```mermaid\n([^`]*)```/.exec(stdout)?.[1] ?? '';
  expect([...drawn.matchAll(/\["(.*?)"\]/g)].map(([, name]) => name)).toEqual(['own.db', 'own.web']);
  expect(drawn).toMatch(/class n0 touched$/m);
});
