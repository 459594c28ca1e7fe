/** What a run knows before it judges: both revisions rendered, whose configuration counts, and where facts are taken from. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { defined } from '../../src/core/defined.js';
import type { Rendered, Revision, Tree } from '../../src/core/model.js';
import { Stopped } from '../../src/engine/host/stopped.js';
import { collectTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import '../support/here.js'; // first: it takes the place of the engines
import { configMap, kustomization } from '../support/trees.js';

const { loadWorkspace } = await import('../../src/lint/load.js');
const { Engine } = await import('../../src/engine/host/engine.js');
const { EngineHost } = await import('../../src/engine/host/host.js');
const { ApplyEngine } = await import('../../src/engine/host/apply-engine.js');
type Options = Parameters<typeof loadWorkspace>[0];
type Workspace = Parameters<Parameters<typeof loadWorkspace>[1]>[0];

type Texts = Record<string, string>;
function treeOf(revision: Revision, texts: Texts): Tree {
  const { admit, file, tree } = collectTree(revision, `the ${revision} of a test`);
  for (const [path, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text);
    if (admit(path, bytes.length)) file(path, bytes);
  }
  return tree();
}

type Sides = { head: Texts; base?: Texts; tip?: Texts };
/** A change has a base even where that could not be had; files alone are no change. */
type Load = Partial<Options> & { isChange?: boolean };
function load<Result>(sides: Sides, { isChange = true, ...more }: Load, work: (one: Workspace) => Result) {
  const [head, base, tip] = [
    treeOf('head', sides.head),
    sides.base && treeOf('base', sides.base),
    sides.tip && treeOf('base', sides.tip),
  ];
  const change = { head, ...(base && { base }), ...(tip && { tip }), why: [] };
  const files = isChange ? { change } : { head };
  return loadWorkspace({ directory: '/nowhere', home: root, paths: [], remotes: [], ...files, ...more }, work);
}
const look = (sides: Sides, more: Load = {}) => load(sides, more, (one) => one);

const app = (name: string): Texts => ({
  'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
  'a.yaml': configMap(name),
});
const config = (text: string): Texts => ({ '.customizer-lint.yaml': text });
const names = (all: readonly Rendered[] = []) =>
  all.flatMap((one) => (one.ok ? one.objects.map(({ ref }) => `${one.entrypoint.path} ${ref.name}`) : ['broken']));
const flux = (name: string, path: string) =>
  JSON.stringify({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: { interval: '5m', prune: true, path, sourceRef: { kind: 'GitRepository', name: 'flux-system' } },
  });

describe('what is rendered', () => {
  test('is the head alone where there is nothing to compare with', async () => {
    const { rendered, trees, clusters, mistakes, skipped } = await look({ head: app('one') }, { isChange: false });
    expect(Object.keys(trees)).toEqual(['head']);
    expect([names(rendered.head), rendered.base]).toEqual([['. one'], undefined]);
    expect(clusters.map((one) => [one.name, one.base])).toEqual([[undefined, undefined]]);
    expect([mistakes, skipped]).toEqual([{ head: [], base: [] }, []]);
  });

  test('is both revisions of a change, each as its clusters have it', async () => {
    const change = await look({ head: app('two'), base: app('one'), tip: app('three') });
    const { rendered, clusters, trees } = change;
    expect([names(rendered.head), names(rendered.base)]).toEqual([['. two'], ['. one']]);
    expect(Object.keys(trees).sort()).toEqual(['base', 'head', 'tip']);
    expect([trees.head.text('a.yaml'), trees.base?.text('a.yaml')]).toEqual([configMap('two'), configMap('one')]);
    expect(rendered.head).toEqual(clusters[0]?.head.entrypoints);
    expect(rendered.head[0]).toBe(clusters[0]?.head.entrypoints[0]);
    expect(rendered.base?.[0]).toBe(clusters[0]?.base?.entrypoints[0]);
  });

  test('is what the base applied too, where the head still has it', async () => {
    const folders = {
      'apps/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'apps/a.yaml': configMap('a'),
    };
    const before = { ...folders, ...config('entrypoints: [apps]\n') };
    const head = { ...before, ...app('one') };
    const { rendered } = await look({ head, base: before, tip: { ...head, ...config('entrypoints: [.]\n') } });
    expect(names(rendered.head)).toEqual(['. one']);
    const { rendered: kept, mistakes } = await look({
      head: { 'flux.yaml': flux('apps', './other'), 'other/a.yaml': configMap('b'), 'apps/a.yaml': configMap('a') },
      base: { 'flux.yaml': flux('apps', './apps'), 'apps/a.yaml': configMap('a') },
    });
    expect(names(kept.head)).toEqual(['other b', 'apps a']);
    expect(mistakes.head.map(({ rule }) => rule)).toEqual(['missing-entrypoint']);
  });

  test('a folder that is named counts in the base only where it is there', async () => {
    const two = (name: string) => ({
      [`${name}/kustomization.yaml`]: kustomization({ resources: ['a.yaml'] }),
      [`${name}/a.yaml`]: configMap(name),
    });
    const sides = { head: { ...two('apps'), ...two('new') }, base: two('apps') };
    const both = await look(sides, { paths: ['apps', 'new'] });
    expect([names(both.rendered.head), names(both.rendered.base)]).toEqual([['apps apps', 'new new'], ['apps apps']]);
    const added = await look(sides, { paths: ['new'] });
    expect([names(added.rendered.head), added.rendered.base]).toEqual([['new new'], []]);
    const all = await look({ head: app('one'), base: app('one') });
    expect(names(all.rendered.base)).toEqual(['. one']);
  });

  test('is known to the clusters with the Flux objects that no build reads, of either revision', async () => {
    const files = (path: string) => ({ 'flux.yaml': flux('apps', path), 'apps/a.yaml': configMap('a') });
    const { clusters } = await look({ head: files('./apps/'), base: files('./apps') });
    const paths = [clusters[0]?.head, clusters[0]?.base].map((side) =>
      side?.unrendered.flatMap((one) =>
        one.ok ? one.objects.map(({ value, revision }) => [revision, Object(value).spec.path]) : [],
      ),
    );
    expect(paths).toEqual([[['head', './apps/']], [['base', './apps']]]);
  });
});

test('each of several clusters has the roles of its own files, in either revision', async () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f'];
  const role = (name: string) =>
    JSON.stringify({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: [] });
  const fleet = (revision: string): Texts => ({
    ...config(
      `entrypoints: [${all}]\nclusters: [${all.map((name, index) => `{name: ${name}, paths: [${name}], roles: [${`${name}.yaml, `.repeat((index % 2) + 1)}]}`).join(', ')}]\n`,
    ),
    ...Object.fromEntries(
      all.flatMap((name) => [
        [`${name}/map.yaml`, configMap(revision)],
        [`${name}.yaml`, role(`${name} ${revision}`)],
      ]),
    ),
  });
  const loaded = jest.spyOn(EngineHost.prototype, 'load');
  const { clusters } = await look({ head: fleet('head'), base: fleet('base') });
  // Once to build each, once more to read what the head says.
  expect(loaded.mock.calls.length).toBeLessThanOrEqual(4);
  loaded.mockRestore();
  const roles = clusters.map(({ name, head, base }) =>
    [head, base].map((side) => [name, ...(side?.known.roles ?? []).map(({ metadata }) => Object(metadata).name)]),
  );
  const expected = (name: string, index: number) =>
    ['head', 'base'].map((side) => [name, ...Array.from({ length: (index % 2) + 1 }, () => `${name} ${side}`)]);
  expect(roles).toEqual(all.map(expected));
});

test('roles that cannot be read within the limits end the run, as an account without them may do nothing', async () => {
  const reading = jest.spyOn(Engine.prototype, 'read').mockImplementation(async () => ({
    ...{ ok: true, documents: [], sources: [], failures: [] },
    stopped: new Stopped('the time is up', true),
  }));
  const head = { ...app('one'), ...config('cluster: {roles: [roles.yaml]}\n'), 'roles.yaml': '' };
  await expect(look({ head })).rejects.toThrow('the time is up');
  reading.mockRestore();
});

describe('the engines', () => {
  const closed = jest.spyOn(Engine.prototype, 'close');
  beforeEach(() => void closed.mockClear());
  const sides = { head: app('two'), base: app('one'), tip: app('one') };

  test('are closed before the work begins, as they hold much', async () => {
    expect(await load(sides, {}, () => closed.mock.calls.length)).toBe(3);
  });

  test('are closed where it does not come to the work', async () => {
    const head = { ...app('one'), ...config('cluster: {snapshot: nowhere}\n') };
    await expect(look({ ...sides, head })).rejects.toThrow('the snapshot nowhere is not in');
    expect(closed).toHaveBeenCalledTimes(3);
  });

  const mapped = { ...app('one'), 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' };
  test.each([
    ['to validate what only it can', { head: mapped }, 'validates', 1],
    ['not where rules can say all', { head: app('one') }, 'validates', 0],
    ['to simulate a change', { head: app('one'), base: app('two') }, 'simulates', 1],
    ['not to simulate without one', { head: mapped }, 'simulates', 0],
    ['not for what only renders', { head: mapped, base: app('two') }, undefined, 0],
  ] as const)('that of the API server is loaded beside the render %s', async (_, revisions, server, times) => {
    const opened = jest.spyOn(ApplyEngine, 'open').mockRejectedValue(new Error('it is not here'));
    await look(revisions, defined({ server }));
    expect(opened).toHaveBeenCalledTimes(times);
    opened.mockRestore();
  });
});

describe('mistakes', () => {
  test('are those of both configurations, each of its own revision', async () => {
    const { mistakes } = await look({
      head: { ...app('one'), ...config('nothing: 1\n') },
      base: { ...app('one'), ...config('nobody: 1\n') },
    });
    const told = (side: 'head' | 'base') => mistakes[side].map(({ rule, message }) => [rule, message]);
    expect(told('head')).toEqual([['invalid-config', '"nothing" is not a setting']]);
    expect(told('base')).toEqual([['invalid-config', '"nobody" is not a setting']]);
  });

  test('are those of what is applied, each of its own revision', async () => {
    /** Deeper than Flux objects are followed. */
    const deep = (count: number): Texts =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`l${index}/flux.yaml`, flux(`l${index}`, `./l${index + 1}`)]),
      );
    const files = (count: number) => ({
      ...deep(count),
      [`l${count}/a.yaml`]: configMap('a'),
      ...config('entrypoints: [l0]\n'),
    });
    const rules = async (sides: Sides) => {
      const { mistakes } = await look(sides);
      return [mistakes.head, mistakes.base].map((all) => [...new Set(all.map(({ rule }) => rule))]);
    };
    const [shallow, tooDeep] = [files(1), files(52)];
    expect(await rules({ head: tooDeep, base: shallow })).toEqual([['unbuildable-kustomization'], []]);
    expect((await rules({ head: shallow, base: tooDeep }))[1]).toEqual(['unbuildable-kustomization']);
  });
});

describe('the configuration that counts', () => {
  const from = async (sides: Sides, more: Load = {}) => {
    const { policy } = await look(sides, more);
    return [policy.from, policy.facts, policy.config.require, policy.notes.length];
  };
  const own = { ...app('one'), ...config('require: [base]\n') };

  test('is the user’s own where there is no change', async () => {
    expect(await from({ head: own }, { isChange: false })).toEqual(['head', 'head', ['base'], 0]);
  });

  test('is the change’s own, with a word, where its base could not be had', async () => {
    const { policy } = await look({ head: own });
    expect(policy.notes).toEqual([expect.stringContaining('is this change’s own')]);
    expect(await from({ head: own }, { trust: 'same-repository' })).toEqual(['head', 'head', ['base'], 1]);
  });

  test('is none of a fork’s, whether its base could be had or not', async () => {
    const ofFork: Load = { trust: 'fork' };
    expect(await from({ head: own }, { ...ofFork, isChange: false })).toEqual(['base', 'base', [], 1]);
    expect(await from({ head: own }, ofFork)).toEqual(['base', 'base', [], 1]);
    expect(await from({ head: own, base: app('one') }, ofFork)).toEqual(['base', 'base', [], 1]);
  });

  test('is the base’s, and the tip’s where that is another commit', async () => {
    expect(await from({ head: app('one'), base: own })).toEqual(['base', 'head', ['base'], 1]);
    expect(await from({ head: app('one'), base: own, tip: app('one') })).toEqual(['head', 'head', [], 0]);
    expect(await from({ head: app('one'), base: app('one'), tip: own })).toEqual(['tip', 'head', ['base'], 1]);
    const ofFork: Load = { trust: 'fork' };
    expect(await from({ head: app('one'), base: app('one'), tip: own }, ofFork)).toEqual(['tip', 'tip', ['base'], 1]);
  });

  test('is in the file that is named', async () => {
    const head = { ...app('one'), 'ci/lint.yaml': 'require: [simulation]\n', ...config('require: [base]\n') };
    expect((await look({ head }, { isChange: false, config: 'ci/lint.yaml' })).policy.config.require).toEqual([
      'simulation',
    ]);
  });
});

const snapshot = (variant: string) =>
  `taken: '2026-11-01'\npackages: {cozystack.cozystack-platform: {variant: ${variant}}}\nkinds: {}\n`;

describe('what decides how files are judged', () => {
  test('is each file that either configuration names, and each that says what is applied', async () => {
    const lab = 'clusters: [{name: lab, paths: [apps], snapshot: lab.snapshot, roles: [lab.yaml]}]\n';
    const live = (name: string) => config(`cluster: {snapshot: ${name}.snapshot, roles: [${name}.yaml]}\n${lab}`);
    const others = Object.fromEntries(
      ['head', 'base', 'lab'].map((name) => [`${name}.snapshot`, snapshot('isp-full')]),
    );
    const roles = Object.fromEntries(['head', 'base', 'lab'].map((name) => [`${name}.yaml`, configMap(name)]));
    const files = { ...others, ...roles, 'apps/a.yaml': configMap('a') };
    const { inputs } = await look({
      head: { ...files, ...live('head'), 'new.yaml': flux('apps', './apps') },
      base: { ...files, ...live('base'), 'old.yaml': flux('apps', './apps') },
    });
    expect([...inputs].sort()).toEqual([
      ...['.customizer-lint.yaml', 'base.snapshot', 'base.yaml', 'head.snapshot', 'head.yaml'],
      ...['lab.snapshot', 'lab.yaml', 'new.yaml', 'old.yaml'],
    ]);
  });

  test('is the configuration alone where it names nothing', async () => {
    const { inputs } = await look({ head: app('one') }, { isChange: false });
    expect([...inputs]).toEqual(['.customizer-lint.yaml']);
  });
});

describe('a snapshot', () => {
  const named = config('cluster: {snapshot: live.snapshot}\n');
  const side = (variant?: string, more: Texts = named): Texts => ({
    ...{ ...app('one'), ...more },
    ...(variant && { 'live.snapshot': snapshot(variant) }),
  });
  const variants = ({ clusters }: Workspace) =>
    [clusters[0]?.head, clusters[0]?.base].map((one) => one?.known.facts.get('variant').value);

  test('is each revision’s own of a change within the repository', async () => {
    const change = { head: side('isp-full'), base: side('isp-hosted') };
    expect(variants(await look(change))).toEqual(['isp-full', 'isp-hosted']);
  });

  test('that is new holds for the base too', async () => {
    expect(variants(await look({ head: side('isp-full'), base: app('one') }))).toEqual(['isp-full', 'isp-full']);
    expect(variants(await look({ head: side('isp-full'), base: side() }))).toEqual(['isp-full', 'isp-full']);
  });

  test('is the base’s for both revisions of a fork’s change, or the tip’s', async () => {
    const ofFork: Load = { trust: 'fork' };
    const [head, base, tip] = [side('isp-full'), side('isp-hosted'), side('isp-full-generic')];
    expect(variants(await look({ head, base }, ofFork))).toEqual(['isp-hosted', 'isp-hosted']);
    expect(variants(await look({ head, base, tip }, ofFork))).toEqual(['isp-full-generic', 'isp-full-generic']);
  });

  test('that only a fork’s change brings along does not count', async () => {
    const loaded = look({ head: side('isp-full'), base: side() }, { trust: 'fork' });
    await expect(loaded).rejects.toThrow('the snapshot live.snapshot is not in the base of a test');
  });
});

test('a file with roles that only the change has counts for both revisions, and for none of a fork’s', async () => {
  const named = { ...app('one'), ...config('cluster: {roles: [roles.yaml]}\n') };
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'all' },
    rules: [],
  };
  const sides = { head: { ...named, 'roles.yaml': JSON.stringify(role) }, base: named };
  const roles = async (more: Load) => {
    const { clusters } = await look(sides, more);
    return [clusters[0]?.head, clusters[0]?.base].map((one) => one?.known.roles);
  };
  expect(await roles({})).toEqual([[role], [role]]);
  expect(await roles({ trust: 'fork' })).toEqual([[], []]);
});

test('the release that is given counts for both revisions', async () => {
  const { clusters } = await look({ head: app('one'), base: app('one') }, { release: 'v1.5.4' });
  const releases = [clusters[0]?.head, clusters[0]?.base].map((one) => one?.known.facts.get('release').value);
  expect(releases).toEqual(['v1.5.4', 'v1.5.4']);
});

test('no right counts that a fork’s manifests grant, with nothing to compare them with', async () => {
  const bound = JSON.stringify({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'all' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'cozy-system', name: 'cozystack-customizer' }],
  });
  const role = JSON.stringify({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'all' } },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  });
  const resources = kustomization({ resources: ['bound.yaml', 'role.yaml'] });
  const head = { 'kustomization.yaml': resources, 'bound.yaml': bound, 'role.yaml': role };
  const access = async (more: Load) => {
    const { clusters, rendered } = await look({ head }, { isChange: false, ...more });
    const { entrypoint } = rendered.head[0] as Rendered;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name: 'a' };
    return clusters[0]?.head.known.permissions.access(entrypoint, 'patch', object).allowed;
  };
  expect(await access({})).toBe(true);
  expect(await access({ trust: 'same-repository' })).toBe(true);
  expect(await access({ trust: 'fork' })).toBe(false);
});

describe('data that a repository brings along', () => {
  /** Nobody else's data have it, whoever runs beside these tests. */
  const mark = randomUUID();
  const data = (whose: string): Texts => ({
    'contract/README': `${whose} ${mark}`,
    'contract/kubernetes/v1.35.json': '{}',
    'contract/cozystack/v1.5.4/catalog.json': '{}',
  });
  const named = config('cluster: {release: v1.6.2}\ncozystack: {data: ./contract}\n');
  function atHand(): string[] {
    const folders = readdirSync(tmpdir()).filter((name) => name.startsWith('customizer-lint-data-'));
    const texts = folders.map((folder) => readIfThere(join(tmpdir(), folder, 'README')).split(' '));
    return texts.flatMap(([whose = '', whom]) => (whom === mark ? [whose] : [])).sort();
  }
  function readIfThere(file: string): string {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      // Somebody else's, who has just removed it.
      return '';
    }
  }
  /** Whose data are at hand during the work, for the head and for the base; none is left afterwards. */
  async function whose(sides: Sides, more: Load = {}): Promise<string[]> {
    const found = await load(sides, more, atHand);
    expect(atHand()).toEqual([]);
    return found;
  }

  test('are the user’s own where there is no change', async () => {
    expect(await whose({ head: { ...app('one'), ...named, ...data('head') } }, { isChange: false })).toEqual([
      'head',
      'head',
    ]);
  });

  test('are those of the revision whose configuration counts, for both sides', async () => {
    const [head, base, tip] = ['head', 'base', 'tip'].map((one) => ({ ...app('one'), ...named, ...data(one) }));
    const sides = { head, base } as Sides;
    expect(await whose(sides)).toEqual(['base', 'base']);
    expect(await whose(sides, { trust: 'fork' })).toEqual(['base', 'base']);
    expect(await whose({ ...sides, ...(tip && { tip }) })).toEqual(['tip', 'tip']);
  });

  test('are the head’s for both sides where they come with the first configuration, though not of a fork', async () => {
    const sides = { head: { ...app('one'), ...named, ...data('head') }, base: app('one') };
    expect(await whose(sides)).toEqual(['head', 'head']);
    expect(await whose(sides, { trust: 'fork' })).toEqual([]);
    expect(await whose({ ...sides, base: { ...app('one'), ...data('base') } })).toEqual(['base', 'head']);
  });

  test('of a fork’s change do not stand in for those that its base lacks', async () => {
    const sides = { head: { ...app('one'), ...named, ...data('head') }, base: { ...app('one'), ...named } };
    expect(await whose(sides)).toEqual(['head', 'head']);
    await expect(look(sides, { trust: 'fork' })).rejects.toThrow('there is no data in ');
  });
});
