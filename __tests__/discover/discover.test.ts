/** Which directories are found to be applied, by whom and how, told from small repositories. */
import { describe, expect, test } from '@jest/globals';
import { type Config, defaults } from '../../src/config/config.js';
import type { Entrypoint } from '../../src/core/model.js';
import type { DiscoverOptions } from '../../src/discover/discover.js';
import { union } from '../../src/discover/union.js';
import { clusterFolder } from '../../src/flux/decoy.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import '../support/here.js'; // first: it takes the place of the engines
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const { discover } = await import('../../src/discover/discover.js');
const { readDeclared } = await import('../../src/discover/declared.js');
const { Engine } = await import('../../src/engine/host/engine.js');
const { Builder } = await import('../../src/render/render.js');

type Asked = Partial<Pick<DiscoverOptions, 'paths' | 'onlyPaths' | 'remotes'>> & { config?: Partial<Config> };

async function found(files: Files, { config, ...asked }: Asked = {}): Promise<Entrypoint[]> {
  const folder = createRepo(files);
  const tree = await openWorkTree(folder);
  const engine = new Engine(`${root}dist/engine`, tree);
  try {
    const builder = new Builder(tree, engine);
    const build = (entrypoint: Entrypoint) => builder.build(entrypoint);
    const options = { paths: [], remotes: [], build, ...asked };
    return (await discover(tree, engine, { ...defaults(), ...config }, options)).entrypoints;
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

test('a file is read only where it may hold an object of Flux', async () => {
  const annotated = (key: string) => `${configMap('a')}  annotations: {${key}}\n`;
  const files = {
    'key.yaml': annotated('kustomize.toolkit.fluxcd.io/prune: disabled'),
    'quoted.yaml': annotated('"kustomize.toolkit.fluxcd.io/ssa": Merge'),
    'both.yaml': `# source.toolkit.fluxcd.io/v1\n${annotated('kustomize.toolkit.fluxcd.io/prune: disabled')}`,
    'escaped.yaml': `${annotated('kustomize.toolkit.fluxcd.io/prune: disabled')}data: {a: "\\x61"}\n`,
    'escape.yaml': `${configMap('a')}data: {a: "\\x61"}\n`,
    'flux.yaml': apply('apps', './apps'),
    'flux.json': apply('apps', './apps').replaceAll('/', '\\/'),
    'spaced.yaml': 'apiVersion: kustomize.toolkit.fluxcd.io/v1 # a: b\n',
  };
  const folder = createRepo(files);
  const tree = await openWorkTree(folder);
  const engine = new Engine(`${root}dist/engine`, tree);
  const { files: read } = await readDeclared(tree, engine);
  await engine.close();
  removeRepo(folder);
  expect(read).toEqual(['both.yaml', 'escaped.yaml', 'flux.json', 'flux.yaml', 'spaced.yaml']);
});

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
  ['all begins with counts first', { path: 'clusters/lab', appliedFrom: 'clusters/prod' }, 'prod'],
  ['is none', { declaredAt: { file: 'my/clusters/prod/a.yaml', document: 0, path: [] } }, undefined],
  ['is not clusters/ itself', { path: 'clusters' }, undefined],
])('the folder of a cluster that %s', (_, more, expected) => {
  expect(clusterFolder({ path: 'apps', why: '', kustomization: {}, ...more })).toBe(expected);
});

describe('what says where to begin', () => {
  const named = { ...below('apps'), ...below('other'), 'flux/apps.yaml': apply('apps', './apps') };
  const platform = (name: string, path: string) =>
    JSON.stringify({
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name } },
      spec: { components: { platform: { values: { customizer: { kustomization: { path } } } } } },
    });
  const shown = async (files: Files, asked?: Asked) =>
    (await found(files, asked)).map(({ path, why }) => `${path}: ${why}`);

  test('is the command line, though the repository says something else', async () => {
    expect(await shown(named, { paths: ['./other/'] })).toEqual(['other: given with --path']);
    expect(await shown(named, { paths: ['other', 'apps'] })).toEqual([
      ...['other: given with --path', 'apps: given with --path'],
    ]);
  });

  test('is nothing where only given paths count and there are none', async () => {
    expect(await shown(named, { paths: [], onlyPaths: true })).toEqual([]);
    expect(await shown(note, { paths: [], onlyPaths: true })).toEqual([]);
  });

  test('is no directory that is not there', async () => {
    await expect(found(named, { paths: ['elsewhere'] })).rejects.toThrow(
      '--path elsewhere: there is no such directory',
    );
    await expect(found(below('clusters/prod'), { paths: ['./cluster/prod'] })).rejects.toThrow(
      '--path ./cluster/prod: there is no such directory in the work tree; did you mean "clusters/prod"?',
    );
  });

  test('is the configuration, in its order', async () => {
    expect(await shown(named, { config: { entrypoints: ['other'] } })).toEqual([
      'other: listed in .customizer-lint.yaml',
    ]);
    expect(await shown(named, { config: { entrypoints: ['other'] }, paths: ['apps'] })).toEqual([
      'apps: given with --path',
    ]);
  });

  test('is the Package of the platform, if the directory is there', async () => {
    const why = 'customizer.kustomization.path of the platform Package';
    const withPackage = (path: string) => ({ ...named, 'p.yaml': platform('cozystack.cozystack-platform', path) });
    expect(await shown(withPackage('./other'))).toEqual([`other: ${why}`]);
    expect(await shown(withPackage('./elsewhere'))).toEqual([expect.stringMatching(/^apps: Flux Kustomization /)]);
  });

  test('is no other Package that only looks like it', async () => {
    const text = `# beside cozystack.cozystack-platform\n${platform('cozystack.other', './other')}`;
    expect(await shown({ ...named, 'p.yaml': text })).toEqual([expect.stringMatching(/^apps: Flux Kustomization /)]);
    const kind = platform('cozystack.cozystack-platform', './other').replace('"Package"', '"ConfigMap"');
    expect(await shown({ ...named, 'p.yaml': kind })).toEqual([expect.stringMatching(/^apps: Flux Kustomization /)]);
  });

  test('where nothing does, is the root if it is built, else each folder of clusters/', async () => {
    expect(await shown(note)).toEqual(['.: the root has a kustomization']);
    expect(await shown({ ...below('clusters/b'), ...below('clusters/a') })).toEqual([
      ...['clusters/a: a folder of clusters/', 'clusters/b: a folder of clusters/'],
    ]);
    expect(await shown(below('docs/clusters/a'))).toEqual(['.: the root, as nothing names another path']);
  });
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
});

describe('a source', () => {
  const source = (name: string, url: string) =>
    JSON.stringify({
      ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository' },
      ...{ metadata: { name, namespace: 'flux-system' }, spec: { interval: '5m', url } },
    });
  const [ours, theirs] = ['https://example.org/ours', 'https://example.org/theirs'];
  const paths = async (...args: Parameters<typeof found>) => (await found(...args)).map(({ path }) => path);

  test('that is rendered counts before one that only stands in a file', async () => {
    const files = (url: string): Files => ({
      'kustomization.yaml': kustomization({ resources: ['flux.yaml'] }),
      'flux.yaml': [apply('apps', './apps'), source('flux-system', url)].join('\n---\n'),
      'elsewhere/flux.yaml': source('flux-system', ours),
      ...below('apps'),
    });
    expect(await paths(files(theirs), { paths: ['.'], remotes: [ours] })).toEqual(['.']);
    expect(await paths(files(ours), { paths: ['.'], remotes: [ours] })).toEqual(['.', 'apps']);
  });

  test('that the build of its own cluster renders counts first, then one of another cluster, then one in a file', async () => {
    const files = (prod: string[], lab: string[], file: string): Files => ({
      ...below('clusters/prod', {
        'kustomization.yaml': kustomization({ resources: ['flux.yaml'] }),
        'flux.yaml': [apply('apps', './apps'), ...prod.map((url) => source('flux-system', url))].join('\n---\n'),
      }),
      ...below('clusters/lab', {
        'kustomization.yaml': kustomization({ resources: ['flux.yaml'] }),
        'flux.yaml': [configMap('note'), ...lab.map((url) => source('flux-system', url))].join('\n---\n'),
      }),
      'elsewhere/flux.yaml': source('flux-system', file),
      ...below('apps'),
    });
    const asked = { paths: ['clusters/prod', 'clusters/lab'], remotes: [ours] };
    const isApplied = async (...args: Parameters<typeof files>) =>
      (await paths(files(...args), asked)).includes('apps');
    expect(await isApplied([ours], [theirs], theirs)).toBe(true);
    expect(await isApplied([theirs], [ours], ours)).toBe(false);
    expect(await isApplied([], [ours], theirs)).toBe(true);
    expect(await isApplied([], [theirs], ours)).toBe(false);
    expect(await isApplied([], [], ours)).toBe(true);
    expect(await isApplied([], [], theirs)).toBe(false);
  });

  test('is not this repository because something else in the file of flux bootstrap is of it', async () => {
    const update = JSON.stringify({
      ...{ apiVersion: 'image.toolkit.fluxcd.io/v1', kind: 'ImageUpdateAutomation', metadata: { name: 'a' } },
      spec: { sourceRef: { kind: 'GitRepository', name: 'other' } },
    });
    const sync = [
      ...[apply('flux-system', './clusters/prod'), source('flux-system', ours)],
      ...[update, source('other', theirs)],
    ];
    const files = {
      'clusters/prod/flux-system/gotk-sync.yaml': sync.join('\n---\n'),
      'clusters/prod/apps.yaml': apply('apps', './apps', { sourceRef: { kind: 'GitRepository', name: 'other' } }),
      ...below('apps'),
    };
    expect(await paths(files)).toEqual(['clusters/prod']);
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
    '"apps" was applied before this change (as prod says), but nothing names it now',
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
