/**
 * Overrides of values by the hundred, made from what the charts of a release have: mistakes of which the right path is known are
 * told with it, and what is right raises nothing. A fixed sample, the same every time; with FULL all there is of it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { stringify } from 'yaml';
import { type KnownKeys, misplaced } from '../../src/cozystack/misplaced.js';
import { partsOf } from '../../src/cozystack/values.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { all as releases } from '../support/releases.js';
import { amount, someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

type Tree = { [key: string]: Tree | string };
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Chart = {
  source: string;
  component: string;
  variant: string;
  values: Tree;
  subcharts: string[][];
  schemas: { [path: string]: Json };
};
type Override = { chart: Chart; what: string; values: Json; wrong?: string[]; right?: string[] };
type Finding = { rule: string; message: string; help?: string; file: string; field: (string | number)[] };

const data = join(root, 'schemas', 'cozystack');
const own = 'cozystack.cozystack-platform';
const wanted = Math.max(100, amount(50, 3000));
jest.setTimeout(900_000);

function chartsOf(release: string): Chart[] {
  const { components } = JSON.parse(readFileSync(join(data, release, 'values.json'), 'utf8'));
  return Object.entries<Record<string, Record<string, string>>>(components)
    .filter(([source]) => source !== own)
    .flatMap(([source, variants]) =>
      Object.entries(variants).flatMap(([variant, files]) =>
        Object.entries(files).map(([component, file]) => {
          const { values, subcharts = [], schemas = {} } = JSON.parse(readFileSync(join(data, 'charts', file), 'utf8'));
          return { source, variant, component, values, subcharts, schemas };
        }),
      ),
    );
}

const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
const compiled = new Map<Json, (value: unknown) => boolean>();

/** Whether the schemas of the chart, as another library reads them, refuse what is written; the chart's own values are there. */
function isRefused({ chart, values }: Pick<Override, 'chart' | 'values'>): boolean {
  return Object.entries(chart.schemas).some(([name, schema]) => {
    const below = name
      .split('/')
      .reduce<Json | undefined>((node, key) => (node as { [key: string]: Json })?.[key], values);
    if (below === undefined || below === null) return false;
    if (!compiled.has(schema)) compiled.set(schema, ajv.compile(lax(schema) as object));
    return !compiled.get(schema)?.(withoutNulls(below));
  });
}

/** Nothing is missing but where a list brings its own items. */
function lax(schema: Json, inList = false): Json {
  if (Array.isArray(schema)) return schema.map((child) => lax(child, inList));
  if (schema === null || typeof schema !== 'object') return schema;
  // A property may have that name, too.
  const kept = Object.entries(schema).filter(([key, child]) => inList || !(key === 'required' && Array.isArray(child)));
  return Object.fromEntries(kept.map(([key, child]) => [key, lax(child, inList || key === 'items')]));
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutNulls(child)]));
}

/** mulberry32 */
function dice(seed: number) {
  let state = seed;
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (end: number) => Math.floor(roll() * end),
    one: <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T,
  };
}
type Dice = ReturnType<typeof dice>;

function places(tree: Tree, path: string[] = []): { path: string[]; node: Tree | string }[] {
  return Object.entries(tree).flatMap(([key, node]) => {
    const here = { path: [...path, key], node };
    return typeof node === 'object' ? [here, ...places(node, here.path)] : [here];
  });
}

function at(tree: Tree, path: readonly string[]): Tree | string | undefined {
  let node: Tree | string | undefined = tree;
  for (const key of path) node = typeof node === 'object' && Object.hasOwn(node, key) ? node[key] : undefined;
  return node;
}

/** What a person may write where such a default is; of a map, a part of it. */
function plausible(node: Tree | string, roll: Dice): Json {
  if (typeof node === 'object') {
    const keys = Object.keys(node);
    const kept = keys.filter(() => roll.below(3) === 0);
    return Object.fromEntries(
      (kept.length > 0 ? kept : keys.slice(0, 1)).map((key) => [key, plausible(node[key] as Tree | string, roll)]),
    );
  }
  switch (node) {
    case 'text':
      return 'another';
    case 'number':
      return 7;
    case 'boolean':
      return roll.below(2) === 0;
    case 'list':
    case 'empty list':
      return [];
    case 'empty map':
      return {};
  }
  return null;
}

function nested(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

/** One slip of a finger. */
function slip(word: string, roll: Dice): string {
  const index = 1 + roll.below(word.length - 2);
  const [before, here, after] = [word.slice(0, index), word.slice(index, index + 1), word.slice(index + 1)];
  switch (roll.below(4)) {
    case 0:
      return before + after;
    case 1:
      return before + here + here + after;
    case 2:
      return before + after.slice(0, 1) + here + after.slice(1);
  }
  return before + roll.one([...'aeinorst']) + after;
}

const mistakes: Record<string, (chart: Chart, roll: Dice) => Override | undefined> = {
  typo(chart, roll) {
    const { path, node } = roll.one(places(chart.values));
    const index = roll.below(path.length);
    const word = path[index] as string;
    if (word.length < 4) return undefined;
    const wrong = [...path.slice(0, index), slip(word, roll)];
    if (at(chart.values, wrong) !== undefined) return undefined;
    const values = nested([...wrong, ...path.slice(index + 1)], plausible(node, roll));
    return { chart, what: 'typo', values, wrong, right: path.slice(0, index + 1) };
  },
  level(chart, roll) {
    const { path, node } = roll.one(places(chart.values));
    const dropped = path.length < 2 ? -1 : roll.below(path.length - 1);
    const isSubchart = chart.subcharts.some((one) => one.join('/') === path.slice(0, dropped + 1).join('/'));
    if (dropped < 0 || isSubchart) return undefined;
    const wrong = [...path.slice(0, dropped), path[dropped + 1] as string];
    if (at(chart.values, wrong) !== undefined) return undefined;
    const values = nested([...wrong, ...path.slice(dropped + 2)], plausible(node, roll));
    return { chart, what: 'level', values, wrong, right: path.slice(0, dropped + 2) };
  },
  subchart(chart, roll) {
    const subcharts = chart.subcharts.filter(({ length }) => length === 1);
    if (subcharts.length === 0) return undefined;
    const [name] = roll.one(subcharts) as [string];
    const below = at(chart.values, [name]);
    if (typeof below !== 'object' || Object.keys(below).length === 0) return undefined;
    const { path, node } = roll.one(places(below));
    const wrong = path.slice(0, 1);
    if (at(chart.values, wrong) !== undefined || wrong[0] === 'global') return undefined;
    return { chart, what: 'subchart', values: nested(path, plausible(node, roll)), wrong, right: [name, ...wrong] };
  },
  list(chart, roll) {
    const maps = places(chart.values).filter(({ node }) => typeof node === 'object');
    if (maps.length === 0) return undefined;
    const { path } = roll.one(maps);
    return { chart, what: 'list', values: nested(path, [{ name: 'x' }]), wrong: path };
  },
};

const rights: Record<string, (chart: Chart, roll: Dice) => Override | undefined> = {
  declared(chart, roll) {
    const { path, node } = roll.one(places(chart.values));
    return { chart, what: 'declared', values: nested(path, plausible(node, roll)) };
  },
  free(chart, roll) {
    const maps = places(chart.values).filter(({ node }) => node === 'empty map' || node === 'any');
    if (maps.length === 0) return undefined;
    const { path, node } = roll.one(maps);
    const content: Json = { enabel: true, 'example.org/team': 'a', deeper: { replicaCount: 1 } };
    return {
      chart,
      what: 'free-form',
      values: nested(path, node === 'any' ? roll.one([content, 'x', 5, ['x']]) : content),
    };
  },
};

/** As many of each sort, no two the same. */
function draw(charts: Chart[], sorts: typeof mistakes, count: number, seed: number): Override[] {
  const roll = dice(seed);
  const found = new Map<string, Override>();
  const makers = Object.values(sorts);
  for (let attempt = 0; found.size < count && attempt < count * 40; attempt++) {
    const override = makers[attempt % makers.length]?.(roll.one(charts), roll);
    if (override && (override.wrong || !isRefused(override)))
      found.set(JSON.stringify([override.chart.source, override.chart.component, override.values]), override);
  }
  return [...found.values()];
}

/** In portions that a run does not take long for. */
async function judge(
  release: string,
  overrides: Override[],
  rules = ['unknown-value', 'invalid-value'],
): Promise<Map<Override, Finding[]>> {
  const judged = new Map<Override, Finding[]>();
  for (let start = 0; start < overrides.length; start += 1000)
    for (const entry of await judgeSome(release, overrides.slice(start, start + 1000), rules)) judged.set(...entry);
  return judged;
}

/** One Package is in a directory once, so they are dealt out to several. */
async function judgeSome(release: string, overrides: Override[], rules: string[]): Promise<Map<Override, Finding[]>> {
  const files: Record<string, string> = {
    '.customizer-lint.yaml': stringify({ cluster: { release, variant: 'isp-full' } }),
  };
  const dealt = new Map<string, Override>();
  const resources = new Map<string, string[]>();
  for (const override of overrides) {
    const { source, component, variant } = override.chart;
    let round = 0;
    while (dealt.has(`d${round}/${source}.yaml`)) round++;
    const name = `d${round}/${source}.yaml`;
    dealt.set(name, override);
    resources.set(`d${round}`, [...(resources.get(`d${round}`) ?? []), `${source}.yaml`]);
    files[name] = stringify({
      apiVersion: 'cozystack.io/v1alpha1',
      kind: 'Package',
      metadata: { name: source },
      spec: { variant, components: { [component]: { values: override.values } } },
    });
  }
  for (const [folder, names] of resources) {
    const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: names };
    files[`${folder}/kustomization.yaml`] = stringify(kustomization);
  }
  const repository = createRepo(files);
  try {
    const paths = [...resources.keys()].flatMap((folder) => ['--path', folder]);
    const { stdout, stderr } = await runHere(['check', repository, '--format', 'json', ...paths]);
    expect(stderr.replace(/^rendering .*\n/gm, '')).toBe('');
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const judged = new Map<Override, Finding[]>(overrides.map((override) => [override, []]));
    for (const finding of findings) {
      const override = dealt.get(finding.file);
      if (override && rules.includes(finding.rule)) judged.get(override)?.push(finding);
    }
    return judged;
  } finally {
    removeRepo(repository);
  }
}

const spelt = (path: readonly string[]) =>
  path
    .map((key, index) => (/^[\w-]+$/.test(key) ? (index > 0 ? `.${key}` : key) : `[${JSON.stringify(key)}]`))
    .join('');

/** The place of the mistake is reported, and the first that is suggested is the right one. */
function isTold({ wrong = [], right }: Override, findings: Finding[]): boolean {
  const there = findings.filter(({ field }) => field.slice(4).join('\n').startsWith(wrong.join('\n')));
  if (!right) return there.length > 0;
  const meant = /^(did you mean|remove the level "[^"]*" and set) (.*?)(\?|,| or | and |$)/;
  return there.some(({ help = '' }) => meant.exec(help)?.[2] === spelt(right));
}

/** What is known of words where one key, in one chart, is not known; a chart is named by its source and component. */
function wordsWithout(charts: Chart[]) {
  const occurrences = new Map<string, Set<string>>();
  const pairs = new Map<string, Set<string>>();
  const parts = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, value: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(value));
  for (const { component, values } of charts)
    for (const { path } of places(values)) {
      const [key, parent] = [path.at(-1) as string, path.at(-2)];
      add(occurrences, key, `${component} ${path.join('.')}`);
      if (parent !== undefined) add(pairs, `${parent}\n${key}`, `${component} ${path.join('.')}`);
      for (const part of partsOf(key)) add(parts, part, key);
    }
  return (hidden: string): Pick<KnownKeys, 'isWord' | 'isPair' | 'frequency'> => {
    const others = (map: Map<string, Set<string>>, key: string) =>
      [...(map.get(key) ?? [])].filter((other) => other !== hidden);
    return {
      isWord: (key) =>
        others(occurrences, key).length > 0 ||
        partsOf(key).every((part) => [...(parts.get(part) ?? [])].some((other) => other !== key)),
      isPair: (parent, key) => others(pairs, `${parent}\n${key}`).length > 0,
      frequency: (key) => new Set(others(occurrences, key).map((other) => other.split(' ')[0])).size,
    };
  };
}

function withoutKey(tree: Tree, [key = '', ...below]: readonly string[]): Tree {
  const { [key]: child, ...others } = tree;
  return below.length === 0 ? others : { ...others, [key]: withoutKey(child as Tree, below) };
}

describe.each(someOf(releases, 12))('%s', (release) => {
  const charts = existsSync(join(data, release, 'values.json')) ? chartsOf(release) : [];

  test('mistakes are told, with the right place', async () => {
    const overrides = draw(charts, mistakes, wanted, 1);
    const judged = await judge(release, overrides);
    const lines = Object.keys(mistakes).map((what) => {
      const ofIt = overrides.filter((override) => override.what === what);
      const told = ofIt.filter((override) => isTold(override, judged.get(override) ?? []));
      return `${what} ${told.length} of ${ofIt.length}`;
    });
    const told = overrides.filter((override) => isTold(override, judged.get(override) ?? []));
    console.info(`${release}: told ${told.length} of ${overrides.length} mistakes: ${lines.join(', ')}`);
    if (process.env.SHOW)
      for (const override of overrides.filter((one) => !told.includes(one))) {
        const said = (judged.get(override) ?? []).map(({ message, help }) => `${message} | ${help}`);
        console.info(
          override.what,
          override.chart.source,
          spelt(override.wrong ?? []),
          '->',
          spelt(override.right ?? []),
          said,
        );
      }
    expect(told.length / overrides.length).toBeGreaterThanOrEqual(0.9);
  });

  test('what is right raises nothing', async () => {
    const overrides = draw(charts, rights, wanted, 2);
    const judged = await judge(release, overrides);
    const raised = overrides.flatMap((override) =>
      (judged.get(override) ?? []).map(({ rule, message }) => `${override.what} ${rule}: ${message}`),
    );
    console.info(
      `${release}: ${overrides.length - raised.length} of ${overrides.length} right overrides raise nothing`,
    );
    expect(raised).toEqual([]);
  });

  // No checkout with templates is at hand, so a key that is declared is taken for one that is not: the worst case, as what
  // charts do not declare is seldom what they declare everywhere.
  test('a key that only templates read is left alone in most cases', () => {
    const roll = dice(3);
    const known = wordsWithout(charts);
    let [tried, raised] = [0, 0];
    for (let attempt = 0; attempt < wanted * 2; attempt++) {
      const chart = roll.one(charts);
      const { path, node } = roll.one(places(chart.values));
      if (chart.subcharts.some((one) => one.join('/') === path.join('/'))) continue;
      const hidden = withoutKey(chart.values, path) as KnownKeys['chart']['values'];
      const { subcharts } = chart;
      const found = misplaced(nested(path, plausible(node, roll)) as { [key: string]: Json }, {
        chart: { values: hidden, subcharts, optional: [], open: [], schemas: [], mentioned: [] },
        names: [chart.component],
        ...known(`${chart.component} ${path.join('.')}`),
      });
      tried++;
      if (found.length > 0) raised++;
    }
    console.info(`${release}: ${raised} of ${tried} keys would be doubted if the chart did not declare them`);
    expect(raised / tried).toBeLessThan(0.08);
  });

  test('what a schema refuses is what another library refuses', async () => {
    const roll = dice(4);
    const overrides = new Map<string, Override>();
    const checked = charts.filter(({ schemas }) => Object.keys(schemas).length > 0);
    for (let attempt = 0; overrides.size < wanted / 2 && attempt < wanted * 10; attempt++) {
      const chart = roll.one(checked);
      const { path } = roll.one(places(chart.values));
      if (!Object.keys(chart.schemas).some((name) => name === '' || path.join('/').startsWith(`${name}/`))) continue;
      // Of what is no map in place of a sub-chart Helm says something else.
      if (chart.subcharts.some((one) => one.join('/') === path.join('/'))) continue;
      const value = roll.one<Json>(['x', '7', 7, -1, 1.5, true, ['x'], [1], [{ a: 1 }], { unheardOf: 1 }, {}, []]);
      const override = { chart, what: 'any', values: nested(path, value) };
      overrides.set(JSON.stringify([chart.source, chart.component, override.values]), override);
    }
    const judged = await judge(release, [...overrides.values()], ['invalid-value', 'chart-owned-value']);
    const refused = (findings: Finding[]) =>
      findings.some(({ message }) => / refuses(,| the release)|\(schema of /.test(message));
    // That the platform chart loses a value of its own is said instead.
    const differing = [...judged].filter(
      ([override, findings]) =>
        refused(findings) !== isRefused(override) && !findings.some(({ rule }) => rule === 'chart-owned-value'),
    );
    const both = [...judged].filter(([override]) => isRefused(override)).length;
    console.info(`${release}: ${both} of ${judged.size} values are refused by both, ${differing.length} by one`);
    expect(differing.map(([{ values }, findings]) => [JSON.stringify(values), findings[0]?.message])).toEqual([]);
  });
});

test('no key is doubted in a map whose keys are of somebody’s choice, at whatever level', () => {
  const values = {
    moduleConfig: { content: 'text' },
    other: { content: 'text', labels: { content: 'text' } },
  } as const;
  const wrong = { conent: 'x' };
  const found = misplaced(
    { moduleConfig: wrong, other: { ...wrong, labels: wrong } },
    {
      chart: { values, subcharts: [], optional: [], open: [], schemas: [], mentioned: [] },
      names: ['chart'],
      isWord: () => false,
      isPair: () => false,
      frequency: () => 0,
    },
  );
  expect(found).toEqual([{ path: ['other', 'conent'], meant: [['other', 'content']] }]);
});
