/** The engine and its sandbox as the rest of the program uses them. */
import { EventEmitter, once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { writeChecksums } from '../../src/build/checksums.mjs';
import { UnreadableError } from '../../src/core/unreadable.js';
import { Budget } from '../../src/engine/host/budget.js';
import { EngineCalls } from '../../src/engine/host/calls.js';
import { type Buildable, cutText, Engine } from '../../src/engine/host/engine.js';
import { exchange, frameOf, noteFailures } from '../../src/engine/host/exchange.js';
import { limitMemory } from '../../src/engine/host/maximum.js';
import { startSandbox } from '../../src/engine/host/sandbox.js';
import { Stopped } from '../../src/engine/host/stopped.js';
import { adoptThread, startModule, startThread } from '../../src/engine/host/thread.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const home = `${root}dist/engine`;
const folder = createRepo({
  'kustomization.yaml': kustomization({}),
  'notes.md': 'a\n',
  'a.yaml': 'a: b\n',
  'apps/kustomization.yaml': kustomization({ resources: ['map.yaml'] }),
  'apps/map.yaml': configMap('map'),
});
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
    expect(await engine.read(['a.yaml', 'b.yaml'])).toEqual({
      ...{ ok: true, documents: [], sources: [], stopped: expect.any(Stopped) },
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

test('answers each of several questions that are asked at once', async () => {
  const own = mkdtempSync(join(tmpdir(), 'engine-'));
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(own, `${name}.yaml`), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`);
  const engine = new Engine(home, await openWorkTree(own));
  try {
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => engine.read([`${name}.yaml`])));
    expect(answers.map(({ documents }) => documents.map(({ value }) => value.metadata))).toEqual([
      [{ name: 'a' }],
      [{ name: 'b' }],
      [{ name: 'c' }],
    ]);
  } finally {
    await engine.close();
    rmSync(own, { recursive: true });
  }
});

test('what a Flux Kustomization says of a build is written where it is', async () => {
  const engine = new Engine(home, await openWorkTree(folder));
  try {
    const patches = [{ patch: '- {op: add, path: /data/c, value: d}', target: { kind: 'ConfigMap' } }];
    const answer = await engine.build(
      {
        ...{ path: 'apps', kustomization: { patches } },
        declaredAt: { file: 'flux.yaml', document: 2, path: ['spec', 'path'] },
      },
      'objects',
    );
    const written = answer.ok ? answer.sources.filter(({ inside }) => inside) : [];
    expect(written.map(({ file, within }) => [file, within])).toContainEqual(['flux.yaml', 2]);
  } finally {
    await engine.close();
  }
});

test('of a build that is refused with a whole patch in the words, the begin and the end are given', async () => {
  const patch = `hello ${'x'.repeat(20_000)}`;
  const own = createRepo({
    'kustomization.yaml': kustomization({
      resources: ['map.yaml'],
      patches: [{ patch, target: { kind: 'ConfigMap' } }],
    }),
    'map.yaml': configMap('map'),
  });
  const engine = new Engine(home, await openWorkTree(own));
  try {
    const answer = await engine.build({ path: '.', kustomization: {} }, 'objects');
    const message = answer.ok ? '' : answer.error.message;
    expect(message).toMatch(/^[^…]{4096}… \(\d+ characters left out\) …[^…]{4096}$/);
  } finally {
    await engine.close();
    removeRepo(own);
  }
});

describe('a thread that ends', () => {
  const exchanged = async (error: object) => {
    const code = `require('node:worker_threads').parentPort.on('message', () => {
      throw Object.assign(new Error('too many open files, open "x"'), ${JSON.stringify(error)});
    });`;
    const worker = new Worker(code, { eval: true });
    return exchange(worker, frameOf([]), new Budget({ seconds: 60, bytes: 2 ** 40 })).catch(
      (failure: unknown) => failure,
    );
  };

  test.each([
    ['an error of the system', { code: 'EMFILE', syscall: 'open' }],
    ['a thread that did not come to be', { code: 'ERR_WORKER_INIT_FAILED' }],
  ])('because of %s says nothing of what it was to build', async (_, error) => {
    const failure = await exchanged(error);
    expect(failure).toBeInstanceOf(UnreadableError);
    expect((failure as Error).message).toMatch(/^the engine cannot be started: too many open files/);
  });

  test.each([
    ['an error', {}],
    ['an error of Node', { code: 'ERR_OUT_OF_RANGE' }],
    ['an error that only says what was called', { syscall: 'open' }],
  ])('because of %s has crashed', async (_, error) => {
    const failure = await exchanged(error);
    expect(failure).toBeInstanceOf(Stopped);
    expect(failure).toMatchObject({ limit: false, message: expect.stringMatching(/^the engine crashed: too many/) });
  });
});

test('what has ended before it is asked is not waited for', async () => {
  const worker = new Worker('', { eval: true });
  noteFailures(worker);
  await once(worker, 'exit');
  const asked = exchange(worker, frameOf([]), new Budget({ seconds: 600, bytes: 2 ** 40 }));
  await expect(asked).rejects.toThrow('the engine ended without an answer');
});

describe('work that is done while an engine is asked', () => {
  /** Takes what it is given when `take` is called, and answers after so many milliseconds. */
  class Slow extends EventEmitter {
    take = () => {};
    constructor(private readonly after: number) {
      super();
    }
    postMessage = () => void setTimeout(() => this.emit('message', Buffer.from('an answer')), this.after);
    taken = () => new Promise<void>((resolve) => Object.assign(this, { take: resolve }));
    terminate = async () => {};
  }
  const block = (seconds: number) => {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; );
  };

  test('begins once the engine has the question, and its time is not the engine’s', async () => {
    const [budget, engine] = [new Budget({ seconds: 1, bytes: 2 ** 40 }), new Slow(1200)];
    let isDone = false;
    const answer = exchange(engine, frameOf([]), budget, () => {
      block(1.5);
      isDone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDone).toBe(false);
    engine.take();
    expect(await answer).toBe('an answer');
    expect(isDone).toBe(true);
    // 50 ms, and what a busy machine needs.
    expect(budget.left).toBeGreaterThan(0);
  });

  test('is itself at fault where it fails, not the engine', async () => {
    const [budget, engine] = [new Budget({ seconds: 60, bytes: 2 ** 40 }), new Slow(0)];
    const calls = new EngineCalls(engine, budget, { name: 'the engine of a test', work: 'the test' });
    const fault = new TypeError('a bug of a rule');
    const answer = calls.call(
      () => frameOf([]),
      () => {
        throw fault;
      },
    );
    await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))));
    engine.take();
    await expect(answer).rejects.toBe(fault);
  });

  test('is not begun where the answer is there first', async () => {
    const engine = new Slow(0);
    const work = jest.fn();
    expect(await exchange(engine, frameOf([]), new Budget({ seconds: 60, bytes: 2 ** 40 }), work)).toBe('an answer');
    engine.take();
    await new Promise((resolve) => setImmediate(resolve));
    expect(work).not.toHaveBeenCalled();
  });

  test('gives the engine no more time than it has', async () => {
    const budget = new Budget({ seconds: 0.2, bytes: 2 ** 40 });
    const [engine, begin] = [new Slow(60_000), performance.now()];
    const answer = exchange(engine, frameOf([]), budget, () => block(0.5));
    engine.take();
    await expect(answer).rejects.toThrow('the 0.2 s for the whole run are used up');
    expect(performance.now() - begin).toBeLessThan(30_000);
    expect(budget.left).toBe(0);
  });

  test('that fails ends the exchange', async () => {
    const engine = new Slow(60_000);
    const answer = exchange(engine, frameOf([]), new Budget({ seconds: 60, bytes: 2 ** 40 }), () => {
      throw new Error('a bug');
    });
    engine.take();
    await expect(answer).rejects.toThrow('a bug');
  });
});

test('a run has the time that its engines have not used yet', () => {
  const budget = new Budget({ seconds: 10, bytes: 1 });
  for (const [used, left] of [
    [4, 6],
    [5, 1],
    [2, 0],
  ] as const) {
    budget.spend(used);
    expect(budget.left).toBe(left);
  }
});

test('of a long error the begin and the end are shown', () => {
  const most = 'a'.repeat(4096) + 'b'.repeat(4096);
  expect(cutText(most)).toBe(most);
  expect(cutText(`${'a'.repeat(4096)}123${'b'.repeat(4096)}`)).toBe(
    `${'a'.repeat(4096)}… (3 characters left out) …${'b'.repeat(4096)}`,
  );
});

/** One that exports a memory of so many pages, with room for a limit; lengths and numbers take one byte, or are written out. */
const withMemory = (...initial: number[]) =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[0x05, 7 + initial.length, 0x01, 0x01, ...initial, 0x80, 0x80, 0x84, 0x80, 0x00],
    ...[0x07, 0x05, 0x01, 0x01, 0x6d, 0x02, 0x00],
  ]);

describe('a module with a limit to its memory', () => {
  type Memory = { buffer: ArrayBuffer; grow(pages: number): number };
  /** The language has it, but its types come with those of a browser. */
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: {
      Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
      Instance: new (module: object) => { exports: { m: Memory } };
    };
  };
  const memoryOf = (module: Uint8Array<ArrayBuffer>) => new wasm.Instance(new wasm.Module(module)).exports.m;

  test.each([1, 127, 128, 129, 255, 256, 300, 16_384])('may have %i pages, and no more', (pages) => {
    const module = withMemory(1);
    expect(limitMemory(module, pages)).toBe(true);
    const memory = memoryOf(module);
    expect(memory.grow(pages - 1)).toBe(1);
    expect(() => memory.grow(1)).toThrow();
  });

  test('has what it asks for', () => {
    const module = withMemory(0x80, 0x01);
    expect(limitMemory(module, 5)).toBe(true);
    const memory = memoryOf(module);
    expect(memory.buffer.byteLength).toBe(128 << 16);
    expect(() => memory.grow(1)).toThrow();
  });

  test.each([
    ['a memory', withMemory(1).subarray(0, 8)],
    ['room for a limit', Uint8Array.from([...withMemory(1).subarray(0, 8), 0x05, 0x03, 0x01, 0x00, 0x01])],
    [
      'as much room as its limit may need',
      Uint8Array.from([...withMemory(1).subarray(0, 8), 0x05, 0x04, 0x01, 0x01, 0x01, 0x05]),
    ],
    [
      'a memory to itself',
      Uint8Array.from([...withMemory(1).subarray(0, 8), 0x05, 0x05, 0x02, 0x00, 0x01, 0x00, 0x01]),
    ],
  ])('is left as it is without %s', (_, module) => {
    const before = [...module];
    expect(limitMemory(module, 5)).toBe(false);
    expect([...module]).toEqual(before);
  });

  test('are the modules that are shipped', () => {
    for (const name of ['render', 'apply', 'helm']) {
      const module = new Uint8Array(brotliDecompressSync(readFileSync(join(root, `dist/engine/${name}.wasm.br`))));
      expect(limitMemory(module, 5)).toBe(true);
    }
  });
});

test('the module that the sandbox is given is the one that runs in it', () => {
  // A module with one function that gives 7, and of Go’s runtime as much as it needs.
  const module = [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7f],
    ...[0x03, 0x02, 0x01, 0x00],
    ...[0x07, 0x05, 0x01, 0x01, 0x61, 0x00, 0x00],
    ...[0x0a, 0x06, 0x01, 0x04, 0x00, 0x41, 0x07, 0x0b],
  ];
  const runtime = `globalThis.Go = class {
    exited = false;
    run({ exports }) { __engineReady((input) => Uint8Array.from(input, (byte) => byte * exports.a())); }
  };`;
  const { call, output } = startSandbox(Uint8Array.from(module), runtime);
  expect([...call(Uint8Array.from([1, 2, 3]))]).toEqual([7, 14, 21]);
  expect(output()).toBe('');
});

test.each([false, true])(
  'a thread may not have more than its share of the memory (begun before: %p)',
  async (isBegun) => {
    const dist = mkdtempSync(join(tmpdir(), 'engine-'));
    const own = join(dist, 'engine');
    mkdirSync(own);
    cpSync(join(root, 'dist/engine/worker.js'), join(own, 'worker.js'));
    cpSync(join(root, 'dist/engine/package.json'), join(own, 'package.json'));
    writeFileSync(join(own, 'render.wasm.br'), brotliCompressSync(withMemory(1)));
    // Of Go’s runtime as much as it needs: it answers how many pages it came to have, 65 at most.
    writeFileSync(
      join(own, 'wasm_exec.js'),
      `globalThis.Go = class {
      exited = false;
      run({ exports: { m } }) {
        __engineReady(() => {
          try { for (let more = 0; more < 64; more++) m.grow(1); } catch {}
          return Uint8Array.from(String(m.buffer.byteLength >> 16), (digit) => digit.charCodeAt(0));
        });
      }
    };`,
    );
    writeChecksums(dist);
    // Three quarters of so many bytes are 5 pages and a little.
    const limits = { seconds: 60, bytes: 7 << 16 };
    if (isBegun) adoptThread(own, 'render', undefined);
    const thread = await startThread(own, 'render');
    startModule(thread, new Budget(limits), false);
    expect(await exchange(thread, frameOf([]), new Budget({ seconds: 60, bytes: 2 ** 40 }))).toBe('5');
    await thread.terminate();
    rmSync(dist, { recursive: true });
  },
);
