/** What is rendered again: objects that are as they were are the same ones, and what is said of all is what a fresh build says. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FieldPath, Json, Rendered } from '../../src/core/model.js';
import { beginRound } from '../../src/core/rounds.js';
import { Engine } from '../../src/engine/host/engine.js';
import { Builder } from '../../src/render/render.js';
import { root } from '../support/cli.js';
import { randomOf } from '../support/random.mjs';
import { amount } from '../support/sample.js';
import { treeOf } from '../support/tree-of.js';
import { configMap, kustomization } from '../support/trees.js';
import { generate } from './provenance/grammar/grammar.mjs';

const engines: Engine[] = [];
// As `check --watch` does.
beforeAll(beginRound);
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

async function build(files: Record<string, string>, paths: string[], earlier: readonly Rendered[] = []) {
  const tree = treeOf(files);
  const engine = new Engine(join(root, 'dist/engine'), tree);
  engines.push(engine);
  const entrypoints = paths
    .filter((path) => tree.isDirectory(path))
    .map((path) => ({ path, why: '', kustomization: {} }));
  return new Builder(tree, engine, undefined, undefined, earlier).all(entrypoints);
}

const objectsOf = (results: readonly Rendered[]) => results.flatMap((one) => (one.ok ? one.objects : []));

function* pathsOf(value: Json, path: FieldPath = []): Generator<FieldPath> {
  yield path;
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value))
    yield* pathsOf(inner as Json, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** All that an object tells. */
const told = (results: readonly Rendered[]) =>
  objectsOf(results).map(({ writers, children, removed, ...object }) => ({
    ...object,
    removed: removed(),
    fields: [...pathsOf(object.value)].map((path) => [writers(path, 'key'), writers(path, 'value'), children(path)]),
  }));

test('after any edit it tells what a fresh build tells', async () => {
  let kept = 0;
  for (let seed = 0; seed < amount(8, 60); seed += 1) {
    const random = randomOf(seed);
    const { files, paths } = generate(seed * 17 + 3);
    const texts = Object.fromEntries([...files].map(([file, text]) => [file, String(text)]));
    const before = await build(texts, paths);
    const file = random.pick(Object.keys(texts)) as string;
    const edit = random.pick(['above', 'letter', 'nothing']);
    const text = texts[file] as string;
    const edited = edit === 'above' ? `# above\n${text}` : edit === 'letter' ? text.replace(/\d/, '7') : text;
    const again = await build({ ...texts, [file]: edited }, paths, before);
    expect({ seed, told: told(again) }).toEqual({ seed, told: told(await build({ ...texts, [file]: edited }, paths)) });
    const known = new Set(objectsOf(before));
    kept += objectsOf(again).filter((object) => known.has(object)).length;
  }
  expect(kept).toBeGreaterThan(10);
});

test('one that is changed is another, with what is the same of it, and those beside it stay', async () => {
  const files = {
    'a/kustomization.yaml': kustomization({ resources: ['one.yaml', 'two.yaml', 'three.yaml'] }),
    'a/one.yaml': configMap('one'),
    'a/two.yaml': configMap('two'),
    'a/three.yaml': `# three\n${configMap('three')}`,
  };
  const before = await build(files, ['a']);
  const edited = {
    ...files,
    'a/one.yaml': configMap('one', { a: 'c' }),
    'a/three.yaml': `\n# three\n${configMap('three')}`,
  };
  const [old, now] = [objectsOf(before), objectsOf(await build(edited, ['a'], before))];
  expect(now.map((object, index) => object === old[index])).toEqual([false, true, false]);
  expect(now.map(({ value }, index) => value === old[index]?.value)).toEqual([false, true, true]);
  expect(now[0]?.value.data).toEqual({ a: 'c' });
});
