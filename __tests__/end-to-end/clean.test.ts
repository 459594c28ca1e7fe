/**
 * Clean stays clean. `clean/<name>/` is a customizer repository as an administrator writes it, correct in all that it does;
 * `<name>.base/` is the commit before, where the change is the point. Nothing may be reported of any of them. And what the
 * platform chart itself writes into its Packages is found at fault by one rule alone: that it is the chart's.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { root } from '../support/cli.js';
import { cloneOf } from '../support/clones.js';
import { inFormats } from '../support/formats.js';
import { runHere } from '../support/here.js';
import { someOf } from '../support/sample.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

type Found = { rule: string; entrypoints: string[] };
type Report = { findings: Found[]; entrypoints: { path: string; objects: number; rendered: boolean }[] };

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

async function check(folder: string, ...more: string[]) {
  const { status, stdout, stderr } = await inFormats(runHere, ['json', 'text'], ['check', folder, ...more]);
  expect(stderr.replace(/^rendering .*\n/gm, '')).toBe('');
  const end = stdout.indexOf('\n}\n') + 3;
  return { status, report: JSON.parse(stdout.slice(0, end)) as Report, text: stdout.slice(end) };
}

const clean = join(root, '__tests__', 'clean');
const names = readdirSync(clean).filter((name) => !name.endsWith('.base'));

function cloned(name: string) {
  const made = cloneOf(join(clean, name));
  planted.push(made.folder);
  return made;
}

const ownRights = {
  rule: 'privileged-release',
  reason: 'a release with the rights of helm-controller is worth knowing',
};

/** What is worth saying of a repository though it is right, with the reason. */
const worthSaying: { [name: string]: { rule: string; reason: string }[] } = {
  generators: [{ rule: 'plain-secret', reason: 'a password in git is one wherever it stands' }],
  'values-from-generator': [ownRights, { rule: 'plain-secret', reason: 'the same, from a file' }],
  'no-kustomization': [
    {
      rule: 'missing-kustomization',
      reason: 'any other YAML file that comes to the root, for whatever tool, stops all of it',
    },
  ],
  ...Object.fromEntries(
    [
      ...['an-operator-with-its-own-rights', 'bumping-a-chart', 'excused-in-place', 'sops-in-a-stage'],
      ...['stages-patched-per-cluster', 'variables'],
    ].map((name) => [name, [ownRights]]),
  ),
};

describe('nothing is reported of', () => {
  test.concurrent.each(names)('%s', async (name) => {
    const { folder, more } = cloned(name);
    const { status, report, text } = await check(folder, ...more);
    const expected = (worthSaying[name] ?? []).map(({ rule }) => rule);
    const unexpected = report.findings.filter(({ rule }) => !expected.includes(rule));
    expect(unexpected.length > 0 ? text : '').toBe('');
    expect(report.findings.map(({ rule }) => rule).sort()).toEqual([...expected].sort());
    expect(status).toBe(0);
    expect(report.entrypoints.filter(({ rendered, objects }) => !rendered || objects === 0)).toEqual([]);
  });

  test('as many as were promised', () => {
    expect(names.length).toBeGreaterThanOrEqual(36);
  });
});

type Values = { [component: string]: { values?: object } };
type Packages = { [name: string]: { variant: string; components?: Values } | null };
type Catalog = {
  platform: {
    variants: {
      [variant: string]: {
        packages: Packages;
        optional: { [listed: string]: Packages };
        switches: { [change: string]: Packages };
      };
    };
  };
  sources: {
    [name: string]: { variants: { [variant: string]: { components: { [name: string]: { install?: object } } } } };
  };
};

const data = join(root, 'schemas', 'cozystack');
const releases = readdirSync(data).filter((name) => existsSync(join(data, name, 'catalog.json')));
const variants = releases.flatMap((release) => {
  const catalog = JSON.parse(readFileSync(join(data, release, 'catalog.json'), 'utf8')) as Catalog;
  return Object.keys(catalog.platform.variants).map((variant) => ({ release, variant, catalog }));
});

type State = { name: string; packages: Packages; platformValues: object; optionalPackages: string[] };

/** The states in which the chart was rendered: as it is, with every optional Package, with one value changed. */
function statesOf({ platform }: Catalog, variant: string): State[] {
  const { packages, optional, switches } = platform.variants[variant] as Catalog['platform']['variants'][string];
  const changed = (by: Packages): Packages => ({ ...packages, ...by });
  return [
    { name: 'as it is', packages, platformValues: {}, optionalPackages: [] },
    {
      name: 'with all that is optional',
      packages: changed(Object.assign({}, ...Object.values(optional))),
      platformValues: {},
      optionalPackages: Object.keys(optional),
    },
    ...Object.entries(switches).map(([change, by]) => ({ name: change, packages: changed(by), ...settings(change) })),
  ];
}

/** `a.b=1,bundles.enabledPackages=["x"]` as what it stands for. */
function settings(change: string): Pick<State, 'platformValues' | 'optionalPackages'> {
  const [one = '', listed = '[]'] = change.split(',bundles.enabledPackages=');
  const [path = '', value = ''] = one.split('=');
  const keys = path.split('.').reverse();
  const platformValues = keys.reduce<unknown>((inner, key) => ({ [key]: inner }), JSON.parse(value)) as object;
  return { platformValues, optionalPackages: JSON.parse(listed) };
}

/** What the chart gives a Package, as somebody would copy it into an override; other components get no value. */
function override(name: string, { variant, components = {} }: NonNullable<Packages[string]>, catalog: Catalog): string {
  const known = Object.entries(catalog.sources[name]?.variants[variant]?.components ?? {});
  const installed = known.filter(([, { install }]) => install).map(([component]) => [component, { values: {} }]);
  const annotations = {
    'kustomize.toolkit.fluxcd.io/ssa': 'Merge',
    'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  };
  return stringify({
    apiVersion: 'cozystack.io/v1alpha1',
    kind: 'Package',
    metadata: { name, annotations },
    spec: { components: { ...Object.fromEntries(installed), ...components } },
  });
}

/** A repository with one folder for each state. */
function repositoryOf(states: State[], release: string, variant: string, catalog: Catalog): Files {
  const files: Files = {
    '.customizer-lint.yaml': stringify({
      entrypoints: states.map((_, index) => `${index}`),
      clusters: states.map(({ name, platformValues, optionalPackages }, index) => ({
        ...{ name, paths: [`${index}`], release, variant, platformValues, optionalPackages },
      })),
    }),
  };
  for (const [index, { packages }] of states.entries()) {
    const made = Object.entries(packages).filter((entry) => entry[1] !== null);
    files[`${index}/kustomization.yaml`] = kustomization({ resources: made.map(([name]) => `${name}.yaml`) });
    for (const [name, one] of made)
      files[`${index}/${name}.yaml`] = override(name, one as NonNullable<typeof one>, catalog);
  }
  return files;
}

/** Another value of the same type, at every end; a list is one value. */
function altered(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}0`;
  if (Array.isArray(value)) return [...value, ...value.slice(-1).map(altered)];
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, altered(inner)]));
}

const others: State['name'] = 'with other values';

function alter(state: State): State {
  const packages = Object.entries(state.packages).map(([name, one]) => {
    const components = Object.entries(one?.components ?? {}).map(([component, { values }]) => [
      component,
      { values: altered(values ?? {}) },
    ]);
    return [name, one && { ...one, components: Object.fromEntries(components) }];
  });
  return { ...state, name: others, packages: Object.fromEntries(packages) };
}

describe('what the platform chart gives its Packages', () => {
  const some = someOf(variants, 6, ({ release, variant }) => `${release} ${variant}`);

  test.concurrent.each(some)('$release $variant', async ({ release, variant, catalog }) => {
    const states = statesOf(catalog, variant).filter(({ packages }) => Object.values(packages).some(Boolean));
    const plain = states.find(({ name }) => name === 'as it is');
    const all = [...states, ...(plain ? [alter(plain)] : [])];
    const folder = createRepo(repositoryOf(all, release, variant, catalog));
    planted.push(folder);
    const { report, text } = await check(folder);
    const rendered = report.entrypoints.filter((one) => one.rendered && one.objects > 0);
    expect(rendered).toHaveLength(all.length);
    // The same value is the chart's as well as the repository's; another one is reported for what it is.
    const unexpected = report.findings.filter(
      ({ rule, entrypoints }) => rule !== 'chart-owned-value' || entrypoints.some((one) => one !== `${states.length}`),
    );
    if (unexpected.length > 0) throw new Error(text);
    const owned = Object.values(plain?.packages ?? {}).some((one) => one?.components);
    expect(report.findings.length > 0).toBe(owned);
  });
});
