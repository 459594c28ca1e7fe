/** A build that is not made again would have given the same: held against builds of both revisions of random changes. */
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Entrypoint, Rendered, Tree } from '../../src/core/model.js';
import { Engine } from '../../src/engine/host/engine.js';
import { Builder } from '../../src/render/render.js';
import { reusable, unchanged } from '../../src/render/reuse.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { randomOf } from '../support/random.mjs';
import { amount } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';
import { generate } from './provenance/grammar/grammar.mjs';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

async function build(files: Map<string, string | Uint8Array>, paths: string[], revision: 'head' | 'base') {
  const folder = createRepo(Object.fromEntries(files));
  planted.push(folder);
  const tree = await openWorkTree(folder, undefined, revision);
  const engine = new Engine(join(root, 'dist/engine'), tree);
  const entrypoints: Entrypoint[] = paths
    .filter((path) => tree.isDirectory(path))
    .map((path) => ({ path, why: '', kustomization: {} }));
  try {
    const builder = new Builder(tree, engine);
    return { tree, rendered: await builder.all(entrypoints) };
  } finally {
    await engine.close();
  }
}

/** What matters of a result. */
const outcome = (result: Rendered | undefined) =>
  result?.ok ? result.objects.map(({ value }) => value) : result?.problem.message;

/** One of the changes that people make. */
function change(files: Map<string, string | Uint8Array>, random: ReturnType<typeof randomOf>) {
  const changed = new Map(files);
  const file: string = random.pick([...files.keys()]);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const kind = random.below(6);
  if (kind === 0) changed.set(file, `${String(files.get(file))}\n# a comment\n`);
  if (kind === 1) changed.delete(file);
  if (kind === 2) changed.set(`${folder}new.yaml`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n');
  if (kind === 3) changed.set(`${folder}kustomization.yml`, 'resources: []\n');
  if (kind === 4) changed.set('docs/readme.txt', 'nothing that is rendered\n');
  if (kind === 5) changed.set('.sourceignore', random.chance(0.5) ? `${file}\n` : 'nothing\n');
  return changed;
}

test('what is taken for unchanged is', async () => {
  const counts = { same: 0, other: 0 };
  for (let seed = 0; seed < amount(10, 14); seed++) {
    const tree = generate(seed * 31);
    const head = await build(tree.files, tree.paths, 'head');
    const base = await build(change(tree.files, randomOf(seed)), tree.paths, 'base');
    const same = unchanged(head.tree, base.tree);
    for (const result of head.rendered) {
      const before = base.rendered.find(({ entrypoint }) => entrypoint.path === result.entrypoint.path);
      if (!before) continue;
      counts[same(result) ? 'same' : 'other']++;
      if (same(result)) expect(outcome(before)).toEqual(outcome(result));
    }
  }
  // Both answers came up, so the rule says something.
  expect(counts.same).toBeGreaterThan(1);
  expect(counts.other).toBeGreaterThan(3);
});

type Sides = [before: Record<string, string>, after: Record<string, string>];
const files = {
  'apps/kustomization.yaml': 'resources: [a.yaml]',
  'apps/a.yaml': 'a',
  'bases/b/b.yaml': 'b',
  'top.yaml': 't',
};
const read = ['apps/a.yaml', 'apps/kustomization.yaml', 'bases/b/b.yaml'];

function treeOf(texts: Record<string, string>, more: Partial<Tree> = {}): Tree {
  const names = Object.keys(texts);
  const has = (path: string) => names.includes(path);
  const bytes = (path: string) => (has(path) ? Buffer.from(texts[path] ?? '') : undefined);
  return { files: names, links: [], submodules: [], has, bytes, ...more } as unknown as Tree;
}
const resultOf = (path: string, all = read) =>
  ({ ok: true, entrypoint: { path, why: '', kustomization: {} }, files: all }) as unknown as Rendered;
const { 'top.yaml': _, ...fewer } = files;

test.each<[string, Sides, string, boolean]>([
  ['nothing differs', [files, files], '.', true],
  ['a file that is read differs', [files, { ...files, 'bases/b/b.yaml': 'other' }], 'apps', false],
  ['a file that is not read differs', [files, { ...files, 'top.yaml': 'other' }], 'apps', true],
  ['a file comes in the folder', [files, { ...files, 'apps/new/x.yaml': 'x' }], 'apps', false],
  ['a file comes beside what is read', [files, { ...files, 'bases/b/new.yaml': 'x' }], 'apps', false],
  ['a file comes elsewhere', [files, { ...files, 'bases/c/new.yaml': 'x' }], 'apps', true],
  ['a file comes in a folder of a like name', [files, { ...files, 'apps2/new.yaml': 'x' }], 'apps', true],
  ['a file goes at the root', [files, fewer], 'apps', true],
  ['a file goes anywhere, and the root is built', [files, fewer], '.', false],
  ['what Flux gets is decided otherwise', [files, { ...files, 'docs/.sourceignore': 'x' }], 'apps', false],
  ['a file only ends like that', [files, { ...files, 'docs/my.sourceignore': 'x' }], 'apps', true],
])('a build is taken over or not where %s', (_, [before, after], path, expected) => {
  expect(unchanged(treeOf(after), treeOf(before))(resultOf(path))).toBe(expected);
});

test('what is refused is built again where a file comes anywhere, as it may have been looked for', () => {
  const refused = { ...resultOf('apps'), ok: false } as unknown as Rendered;
  expect(unchanged(treeOf({ ...files, 'bases/c/new.yaml': 'x' }), treeOf(files))(refused)).toBe(false);
  expect(unchanged(treeOf({ ...files, 'top.yaml': 'other' }), treeOf(files))(refused)).toBe(true);
});

test('links and submodules that differ count for every build', () => {
  const other = { ...files, 'top.yaml': 'other' };
  for (const more of [{ links: ['x'] }, { submodules: ['x'] }]) {
    expect(unchanged(treeOf(other, more), treeOf(files))(resultOf('apps'))).toBe(false);
    expect(unchanged(treeOf(other, more), treeOf(files, more))(resultOf('apps'))).toBe(true);
  }
});

test('the build of an entrypoint is found by what is built, where it is the same', () => {
  const results = [resultOf('apps'), resultOf('bases', ['bases/b/b.yaml'])];
  const find = reusable(treeOf(files), treeOf({ ...files, 'apps/a.yaml': 'other' }), results);
  expect(find({ path: 'bases', why: 'another', kustomization: {} })).toBe(results[1]);
  expect(find({ path: 'apps', why: '', kustomization: {} })).toBeUndefined();
  expect(find({ path: 'bases', why: '', kustomization: { namePrefix: 'x-' } })).toBeUndefined();
  // Origins name the document that declares it.
  const declaredAt = { file: 'flux.yaml', document: 1, path: ['spec', 'path'] };
  expect(find({ path: 'bases', why: '', kustomization: {}, declaredAt })).toBeUndefined();
});

test('a build is made again where a link or a submodule came or went, and nothing else did', () => {
  const tree = treeOf({ 'apps/a.yaml': 'a: 1\n' });
  const result = { entrypoint: { path: 'apps' }, files: ['apps/a.yaml'] } as unknown as Rendered;
  expect(unchanged(tree, tree)(result)).toBe(true);
  expect(unchanged({ ...tree, links: ['apps/link'] }, tree)(result)).toBe(false);
  expect(unchanged(tree, { ...tree, submodules: ['apps/module'] })(result)).toBe(false);
});
