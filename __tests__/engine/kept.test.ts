/** An engine that is left to whoever asks next: it is whole, or it is none. */
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { Budget } from '../../src/engine/host/budget.js';
import { Engine } from '../../src/engine/host/engine.js';
import { exchange, frameOf } from '../../src/engine/host/exchange.js';
import { allowModule, keepEngine, type StartedEngine, startEngine } from '../../src/engine/host/start.js';
import { root } from '../support/cli.js';
import { treeOf } from '../support/tree-of.js';
import { configMap } from '../support/trees.js';

const home = join(root, 'dist/engine');
const started: StartedEngine[] = [];
afterEach(async () => {
  for (const { answerer } of started.splice(0)) await answerer.terminate();
});

async function start(): Promise<StartedEngine> {
  const one = await startEngine(home, 'render', 'wasm', new Budget());
  started.push(one);
  return one;
}

/** Whether it holds a tree. */
async function isLoaded(one: StartedEngine): Promise<boolean> {
  allowModule(one, new Budget(), false);
  const request = { op: 'build', path: 'a', kustomization: {}, output: 'objects' };
  const answer = await exchange(one.answerer, frameOf([Buffer.from(JSON.stringify(request))]), new Budget());
  return !answer.includes('nothing is loaded');
}

const tree = treeOf({ 'a/kustomization.yaml': 'resources: [b.yaml]\n', 'a/b.yaml': configMap('b') });
const entrypoint = { path: 'a', kustomization: {} };

test('the next one that is asked for is the one that was kept, once', async () => {
  const one = await start();
  keepEngine(home, 'render', one);
  expect((await start()).answerer).toBe(one.answerer);
  expect((await start()).answerer).not.toBe(one.answerer);
});

test('of two one is kept, and the other is ended', async () => {
  const [one, other] = [await start(), await start()];
  const ended = new Promise((resolve) => other.answerer.on('exit', resolve));
  keepEngine(home, 'render', one);
  keepEngine(home, 'render', other);
  await ended;
  expect((await start()).answerer).toBe(one.answerer);
});

test('one that has ended is not given', async () => {
  const one = await start();
  keepEngine(home, 'render', one);
  await one.answerer.terminate();
  const next = await start();
  expect(next.answerer).not.toBe(one.answerer);
  expect(await isLoaded(next)).toBe(false);
});

test.each([
  ['is kept where it is wanted', true],
  ['is ended where it is not', false],
])('what an engine is closed with %s', async (_, keep) => {
  const engine = new Engine(home, tree, new Budget(), { keep, engine: 'wasm' });
  expect(await engine.build(entrypoint, 'objects')).toMatchObject({ ok: true });
  await engine.close();
  expect(await isLoaded(await start())).toBe(keep);
});

test('one that is in the middle of an answer is ended, as it would give it to another question', async () => {
  const engine = new Engine(home, tree, new Budget(), { keep: true, engine: 'wasm' });
  await engine.load();
  const answer = engine.build(entrypoint, 'objects');
  // The question is on its way.
  await new Promise((resolve) => setImmediate(resolve));
  await engine.close();
  expect(await answer).toMatchObject({ ok: false, error: { stage: 'internal' } });
  expect(await isLoaded(await start())).toBe(false);
});
