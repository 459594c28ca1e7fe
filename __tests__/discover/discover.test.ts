/** Which directories are found to be applied, by whom and how, told from small repositories. */
import { describe, expect, test } from '@jest/globals';
import { defaults } from '../../src/config/config.js';
import type { Entrypoint, JsonObject } from '../../src/core/model.js';
import { discover } from '../../src/discover/discover.js';
import { canBeThisRepository, fluxKustomization } from '../../src/discover/flux.js';
import { settingsOf } from '../../src/discover/settings.js';
import { union } from '../../src/discover/union.js';
import { Engine } from '../../src/engine/host/engine.js';
import { clusterFolder } from '../../src/flux/decoy.js';
import { Builder } from '../../src/render/render.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

async function found(files: Files): Promise<Entrypoint[]> {
  const folder = createRepo(files);
  const tree = await openWorkTree(folder);
  const engine = new Engine(`${root}dist/engine`, tree);
  try {
    const builder = new Builder(tree, engine);
    const options = { paths: [], remotes: [], build: (entrypoint: Entrypoint) => builder.build(entrypoint) };
    return (await discover(tree, engine, defaults(), options)).entrypoints;
  } finally {
    await engine.close();
    removeRepo(folder);
  }
}

const apply = (name: string, path: string, spec: object = {}) =>
  JSON.stringify({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: { interval: '5m', prune: true, path, sourceRef: { kind: 'GitRepository', name: 'flux-system' }, ...spec },
  });
const note = { 'kustomization.yaml': kustomization({ resources: ['note.yaml'] }), 'note.yaml': configMap('note') };
const below = (folder: string, files: Files = note): Files =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

describe('a Flux Kustomization', () => {
  test.each<[string, object, Partial<Entrypoint>]>([
    ['prunes where it says so', { prune: true }, {}],
    ['leaves all where it says so', { prune: false }, { prunes: false }],
    ['leaves all where it says nothing', { prune: undefined }, { prunes: false }],
    ['forces where it says so', { force: true }, { forces: true }],
    ['does not where it says not', { force: false }, {}],
    ['has all the rights without an account', {}, { account: 'flux' }],
    ['has those of its account', { serviceAccountName: 'x' }, { account: { namespace: 'flux-system', name: 'x' } }],
  ])('%s', async (_, spec, expected) => {
    const [one, ...others] = await found({ 'flux/apps.yaml': apply('apps', './apps', spec), ...below('apps') });
    const { prunes, forces, account } = one ?? {};
    expect(others).toEqual([]);
    expect({ prunes, forces, account }).toEqual({ prunes: undefined, forces: undefined, account: 'flux', ...expected });
  });
});

describe('a folder of clusters/ beside Flux objects', () => {
  const sync = { 'clusters/prod/flux-system/gotk-sync.yaml': '# nothing yet\n' };
  const paths = async (files: Files) => (await found(files)).map(({ path }) => path);

  test('is applied where it is bootstrapped, with a kustomization or without', async () => {
    const flux = { 'clusters/prod/apps.yaml': apply('apps', './apps'), ...below('apps') };
    expect(await paths({ ...flux, ...sync })).toEqual(expect.arrayContaining(['apps', 'clusters/prod']));
  });

  test('is applied where it has a kustomization', async () => {
    const flux = { 'flux/apps.yaml': apply('apps', './apps'), ...below('apps') };
    expect(await paths({ ...flux, ...below('clusters/prod') })).toEqual(expect.arrayContaining(['clusters/prod']));
    expect(await paths({ ...flux, 'clusters/prod/note.yaml': configMap('x') })).toEqual(['apps']);
  });
});

test.each<[string, Partial<Entrypoint>, string | undefined]>([
  ['it lies in', { path: 'clusters/prod/apps' }, 'prod'],
  ['it is', { path: 'clusters/prod' }, 'prod'],
  ['the file that names it lies in', { declaredAt: { file: 'clusters/prod/a.yaml', document: 0, path: [] } }, 'prod'],
  ['it is applied from', { appliedFrom: 'clusters/prod' }, 'prod'],
  ['it lies in counts first', { path: 'clusters/lab', appliedFrom: 'clusters/prod' }, 'lab'],
  ['is none', { declaredAt: { file: 'my/clusters/prod/a.yaml', document: 0, path: [] } }, undefined],
  ['is not clusters/ itself', { path: 'clusters' }, undefined],
])('the folder of a cluster that %s', (_, more, expected) => {
  expect(clusterFolder({ path: 'apps', why: '', kustomization: {}, ...more })).toBe(expected);
});

describe('what names a directory', () => {
  const paths = async (files: Files) => (await found(files)).map(({ path }) => path);
  const named = { ...below('apps'), ...below('other') };

  test('is a manifest, and no text that happens to have one in it', async () => {
    const manifest = { 'flux/other.yaml': apply('other', './other') };
    expect(await paths({ ...named, ...manifest, 'flux/apps.txt': apply('apps', './apps') })).toEqual(['other']);
    expect(await paths({ ...named, ...manifest, 'flux/apps.YAML': apply('apps', './apps') })).toEqual(
      expect.arrayContaining(['apps', 'other']),
    );
  });

  test('where nothing does, is any manifest, however its name is written', async () => {
    expect(await paths({ 'a.YAML': configMap('a') })).toEqual(['.']);
    expect(await paths({ 'a.txt': configMap('a') })).toEqual([]);
  });

  test('may be a source that is not defined here, but no chart or artifact of another kind', () => {
    const kustomization = (kind: string): JsonObject => JSON.parse(apply('a', '.', { sourceRef: { kind, name: 'a' } }));
    const source = (kind: string, url: string): JsonObject => ({
      ...{ kind, apiVersion: 'source.toolkit.fluxcd.io/v1' },
      ...{ metadata: { name: 'a', namespace: 'flux-system' }, spec: { url } },
    });
    const can = (kind: string, ...sources: JsonObject[]) => canBeThisRepository(kustomization(kind), sources, []);
    expect(can('GitRepository')).toBe(true);
    expect(can('GitRepository', source('GitRepository', 'https://git.example/a'))).toBe(true);
    expect(can('OCIRepository')).toBe(true);
    expect(can('OCIRepository', source('OCIRepository', 'oci://r.example/a'))).toBe(false);
    expect(can('Bucket')).toBe(false);
  });

  test('is no repository whose name only ends like that of this one behind an @', () => {
    const value: JsonObject = JSON.parse(apply('a', '.'));
    const source = (url: string): JsonObject => ({
      ...{ kind: 'GitRepository', apiVersion: 'source.toolkit.fluxcd.io/v1' },
      ...{ metadata: { name: 'flux-system', namespace: 'flux-system' }, spec: { url } },
    });
    const can = (url: string) => canBeThisRepository(value, [source(url)], ['https://git.example/o/r']);
    expect(can('ssh://git@git.example/o/r.git')).toBe(true);
    expect(can('https://git.example/o/fork@r')).toBe(false);
  });
});

test('a field of another type than that of the API is left out', () => {
  const spec = { targetNamespace: 'x', namePrefix: 5, nameSuffix: ['-a'] };
  expect(fluxKustomization({ metadata: { name: 'a' }, spec })).toEqual({ name: 'a', targetNamespace: 'x' });
});

test('a source of variables without a kind or a name is none', () => {
  const substituteFrom = [{ kind: 'ConfigMap' }, { name: 'a' }, {}, { kind: 'Secret', name: 'a' }];
  expect(fluxKustomization({ spec: { postBuild: { substituteFrom } } })).toEqual({
    postBuild: { substituteFrom: [{ kind: 'Secret', name: 'a' }] },
  });
});

test('of a Flux Kustomization that sends itself elsewhere, and is there as it was, both directories are applied as they were found', async () => {
  const moved = [{ op: 'replace', path: '/spec/path', value: './b' }];
  const entrypoints = await found({
    'self.yaml': apply('self', './a'),
    'a/kustomization.yaml': kustomization({
      resources: ['../self.yaml'],
      patches: [{ patch: JSON.stringify(moved), target: { kind: 'Kustomization' } }],
    }),
    ...below('b'),
  });
  expect(entrypoints.map(({ path }) => path)).toEqual(['a', 'b']);
});

test('a directory that is no longer applied in one cluster is gone, though it is in another', async () => {
  const folder = createRepo(below('apps'));
  const tree = await openWorkTree(folder);
  const of = (cluster: string): Entrypoint => ({
    ...{ path: 'apps', why: `as ${cluster} says`, kustomization: {}, account: 'flux' },
    declaredAt: { file: `clusters/${cluster}/apps.yaml`, document: 0, path: ['spec', 'path'] },
  });
  const problemsOf = (head: Entrypoint[], base: Entrypoint[]) =>
    union(head, base, tree).problems.map(({ message }) => message);
  expect(problemsOf([of('lab')], [of('lab')])).toEqual([]);
  expect(problemsOf([of('lab')], [of('lab'), of('prod')])).toEqual([
    'Before this change "apps" was applied (as prod says); now nothing names it',
  ]);
  removeRepo(folder);
});

test('a directory whose Flux object is not rendered any more is gone only where one of its name is, in the same cluster', async () => {
  const folder = createRepo({ ...below('apps'), ...below('other') });
  const tree = await openWorkTree(folder);
  const of = (name: string, path: string, cluster: string, more: Partial<Entrypoint> = {}): Entrypoint => ({
    ...{ path, why: 'as one says', kustomization: { name }, account: 'flux' },
    declaredAt: { file: `clusters/${cluster}/${path}.yaml`, document: 0, path: ['spec', 'path'] },
    ...more,
  });
  const rendered = (cluster: string) => ({ appliedFrom: `clusters/${cluster}` });
  const problemsWith = (other: Entrypoint) =>
    union([of('apps', 'apps', 'prod'), other], [of('apps', 'apps', 'prod', rendered('prod'))], tree).problems.length;
  expect(problemsWith(of('apps', 'other', 'prod', rendered('prod')))).toBe(1);
  expect(problemsWith(of('apps', 'other', 'prod'))).toBe(0);
  expect(problemsWith(of('apps', 'other', 'lab', rendered('lab')))).toBe(0);
  expect(problemsWith(of('other', 'other', 'prod', rendered('prod')))).toBe(0);
  removeRepo(folder);
});

describe('the data of a ConfigMap for variables', () => {
  const rendered = (...all: object[]) =>
    settingsOf(
      all.map((data) => ({
        cluster: 'prod',
        objects: [
          { ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' }, value: { data } },
        ] as never,
      })),
    );
  const valuesOf = (settings: ReturnType<typeof rendered>): (JsonObject | undefined)[] => [...settings.values()];

  test('is known where all that is rendered agrees', () => {
    expect(valuesOf(rendered({ a: 'b' }))).toEqual([{ a: 'b' }]);
    expect(valuesOf(rendered({ a: 'b' }, { a: 'b' }))).toEqual([{ a: 'b' }]);
    expect(valuesOf(rendered({ a: 'b' }, { a: 'c' }))).toEqual([undefined]);
    expect(valuesOf(rendered({}, {}))).toEqual([{}]);
  });

  const settings = (name: string, NAME: string) =>
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'flux-system' } },
      data: { NAME },
    });
  const from = (...names: string[]) => ({ substituteFrom: names.map((name) => ({ kind: 'ConfigMap', name })) });
  test.each([
    ['is taken of the only one', from('a'), 'envs/of-a'],
    ['is taken of the last one that has it', from('a', 'b'), 'envs/of-b'],
    ['gives way to what stands in the Kustomization', { ...from('a', 'b'), substitute: { NAME: 'own' } }, 'envs/own'],
  ])('%s', async (_, postBuild, expected) => {
    const entrypoints = await found({
      'flux/kustomization.yaml': kustomization({ resources: ['self.yaml', 'apps.yaml', 'a.yaml', 'b.yaml'] }),
      'flux/self.yaml': apply('self', './flux'),
      'flux/apps.yaml': apply('apps', './apps', { postBuild }),
      ...{ 'flux/a.yaml': settings('a', 'of-a'), 'flux/b.yaml': settings('b', 'of-b') },
      'apps/kustomization.yaml': kustomization({ resources: ['env.yaml'] }),
      'apps/env.yaml': apply('env', `./envs/\${NAME}`),
      ...Object.assign({}, ...['of-a', 'of-b', 'own'].map((name) => below(`envs/${name}`))),
    });
    expect(entrypoints.map(({ path }) => path).filter((path) => path.startsWith('envs/'))).toEqual([expected]);
  });
});
