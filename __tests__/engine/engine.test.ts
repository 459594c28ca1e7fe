/** The engine and its sandbox as the rest of the program uses them. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { Budget } from '../../src/engine/host/budget.js';
import { type Buildable, Engine } from '../../src/engine/host/engine.js';
import { startSandbox } from '../../src/engine/host/sandbox.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { createRepo, kustomization, removeRepo } from '../support/trees.js';

const home = `${root}dist/engine`;
const folder = createRepo({ 'kustomization.yaml': kustomization({}), 'notes.md': 'a\n', 'a.yaml': 'a: b\n' });
afterAll(() => removeRepo(folder));

describe('a run whose time is used up', () => {
  const why = 'the 0 s for the whole run are used up (--max-seconds)';
  const stopped = async () => new Engine(home, await openWorkTree(folder), new Budget({ seconds: 0, bytes: 1 << 30 }));

  test('builds nothing, and says that it is a limit', async () => {
    const engine = await stopped();
    expect(await engine.build({ path: '.', kustomization: {} }, 'objects')).toEqual({
      ok: false,
      error: { message: why, stage: 'limit', class: 'limit' },
      files: [],
    });
  });

  test('reads nothing, and says so of every file', async () => {
    const engine = await stopped();
    expect(await engine.read(['a.yaml', 'b.yaml'])).toMatchObject({
      documents: [],
      failures: [
        { file: 'a.yaml', message: why },
        { file: 'b.yaml', message: why },
      ],
    });
  });
});

test('an engine that is not there is no answer to a build', async () => {
  const engine = new Engine(folder, await openWorkTree(folder));
  await expect(engine.build({ path: '.', kustomization: {} }, 'objects')).rejects.toThrow(/ENOENT/);
  await engine.close();
});

test('what an artifact does not hold is known by its own spec.ignore', async () => {
  const engine = new Engine(home, await openWorkTree(folder));
  try {
    const without: Buildable = { path: '.', kustomization: {} };
    const ignoring = { ...without, ignore: 'notes.md\n' };
    for (const entrypoint of [without, ignoring]) await engine.build(entrypoint, 'objects');
    expect(engine.lostOf(without)).toEqual([]);
    expect(engine.lostOf(ignoring)).toMatchObject([{ path: 'notes.md', because: 'ignored' }]);
  } finally {
    await engine.close();
  }
});

test('the module that the sandbox is given is the one that runs in it', () => {
  // A module with one function that gives 7, and of Go’s runtime as much as it needs.
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const sections = [
    ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7f],
    ...[0x03, 0x02, 0x01, 0x00],
    ...[0x07, 0x05, 0x01, 0x01, 0x61, 0x00, 0x00],
    ...[0x0a, 0x06, 0x01, 0x04, 0x00, 0x41, 0x07, 0x0b],
  ];
  const runtime = `globalThis.Go = class {
    exited = false;
    run({ exports }) { __engineReady((input) => Uint8Array.from(input, (byte) => byte * exports.a())); }
  };`;
  const { call, output } = startSandbox(Uint8Array.from([...header, ...sections]), runtime);
  expect([...call(Uint8Array.from([1, 2, 3]))]).toEqual([7, 14, 21]);
  expect(output()).toBe('');
});
