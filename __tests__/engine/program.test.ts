/** The engine as a program: that it answers as the module does, is locked in, and is started in no other case. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasGo } from '../../src/build/go.mjs';
import { here, packageOf, systems } from '../../src/build/programs.mjs';
import type { Entrypoint, JsonObject } from '../../src/core/model.js';
import { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import { Budget } from '../../src/engine/host/budget.js';
import { Engine } from '../../src/engine/host/engine.js';
import { exchange, frameOf } from '../../src/engine/host/exchange.js';
import { HelmEngine } from '../../src/engine/host/helm-engine.js';
import { type ModuleName, packageName, programFile, programs } from '../../src/engine/host/installed.js';
import { startProgram } from '../../src/engine/host/program.js';
import { startEngine } from '../../src/engine/host/start.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { generate } from '../bench/generate.mjs';
import { write } from '../bench/write.mjs';
import { root } from '../support/cli.js';
import { randomOf } from '../support/random.mjs';
import { repositoriesOfTests } from '../support/repositories.js';
import { amount, isLong, someOf } from '../support/sample.js';
import { treeOf } from '../support/tree-of.js';
import { definitions } from './apply/kinds.js';
import { again, recorded } from './apply/recorded.js';
import { chartCases, sourceOf } from './helm/charts.js';

const isLinux = process.platform === 'linux' && here in systems;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** `dist/engine` as npm installs it, with a program beside it of which the checksum is that of `listed`, or its own. */
function installed(
  program: string | Buffer | undefined,
  listed?: string | Buffer,
  others: Partial<Record<ModuleName, Buffer>> = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  folders.push(folder);
  const home = join(folder, 'node_modules/customizer-lint/dist/engine');
  mkdirSync(home, { recursive: true });
  symlinkSync(join(root, 'dist/checksums.sha256'), join(home, '../checksums.sha256'));
  for (const file of readdirSync(join(root, 'dist/engine')))
    if (file !== 'programs.sha256') symlinkSync(join(root, 'dist/engine', file), join(home, file));
  const lineOf = (bytes: string | Buffer, name: string) =>
    `${createHash('sha256').update(bytes).digest('hex')}  ${here}/${name}\n`;
  const more = Object.entries(others) as [ModuleName, Buffer][];
  const lines = [lineOf(listed ?? program ?? '', 'render'), ...more.map(([name, bytes]) => lineOf(bytes, name))];
  writeFileSync(join(home, 'programs.sha256'), lines.join(''));
  if (program === undefined) return home;
  const own = join(folder, 'node_modules', packageName(here));
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: packageName(here), version: '0.0.0' }));
  writeFileSync(join(own, programFile('render', here)), program);
  chmodSync(join(own, programFile('render', here)), 0o755);
  for (const [name, bytes] of more) writeFileSync(join(own, programFile(name, here)), bytes, { mode: 0o755 });
  return home;
}

/** A program that says so much and goes on to print what it has been given. */
const script = (said: object) => {
  const text = JSON.stringify(said);
  return `#!/bin/sh\necho $$ > "$0.pid"\nprintf '\\${text.length.toString(8).padStart(3, '0')}\\000\\000\\000%s' '${text}'\nexec sleep 60\n`;
};

const unlocked = script({ locked: false, why: 'there is no lock' });
const kindOf = async (home: string, choice: 'auto' | 'native' | 'wasm', budget = new Budget()) => {
  const { kind, answerer } = await startEngine(home, 'render', choice, budget);
  await answerer.terminate();
  return kind;
};

describe('which engine is started', () => {
  test('the module, where no program is installed; who asks for it is told', async () => {
    const home = installed(undefined);
    expect(await kindOf(home, 'auto')).toBe('wasm');
    await expect(kindOf(home, 'native')).rejects.toThrow(
      `--engine native: the package ${packageName(here)} is not installed`,
    );
  });

  (isLinux ? test : test.skip)('no program of other bytes than were built', async () => {
    const home = installed('#!/bin/sh\ntouch "$0.started"\n', 'other bytes');
    expect(await kindOf(home, 'auto')).toBe('wasm');
    await expect(kindOf(home, 'native')).rejects.toThrow('is not the program of this version');
    expect(existsSync(join(home, '../../..', packageName(here), `${programFile('render', here)}.started`))).toBe(false);
  });

  (isLinux ? test : test.skip)('no program that says nothing, for as long as a run may wait for it', async () => {
    const home = installed('#!/bin/sh\nexec sleep 60\n');
    const short = () => new Budget({ seconds: 4, bytes: 2 ** 29 });
    expect(await kindOf(home, 'auto', short())).toBe('wasm');
    await expect(kindOf(home, 'native', short())).rejects.toThrow('it said nothing for 1 s');
  });

  (isLinux ? test : test.skip)('no program that is not locked in, unless somebody asks for it', async () => {
    const home = installed(unlocked);
    expect(await kindOf(home, 'auto')).toBe('wasm');
    const own = join(home, '../../..', packageName(here), programFile('render', here));
    await until(() => (existsSync(`/proc/${readFileSync(`${own}.pid`, 'utf8').trim()}`) ? undefined : true));
    expect(await kindOf(home, 'native')).toBe('native');
    expect(await kindOf(home, 'wasm')).toBe('wasm');
  });

  (isLinux ? test : test.skip).each([
    ['ends', '#!/bin/sh\nexit 3\n', 'it cannot be started: it ended with 3'],
    ['is of another system', 'MZ', 'it cannot be started: '],
  ])('no program that %s', async (_, program, why) => {
    const home = installed(program);
    expect(await kindOf(home, 'auto')).toBe('wasm');
    await expect(kindOf(home, 'native')).rejects.toThrow(why);
  });
});

const isBuilt = isLinux && hasGo();
const built = isBuilt ? describe : describe.skip;

built('the program that is built', () => {
  let home = '';
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'package-'));
    folders.push(folder);
    const own = packageOf(here, folder);
    const read = (name: ModuleName) => readFileSync(join(own, programFile(name, here)));
    home = installed(read('render'), undefined, { apply: read('apply'), helm: read('helm') });
  }, 600_000);

  test('is what dist/ names, of each module', () => {
    const sums = (file: string) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes(`  ${here}/`));
    expect(sums(join(home, 'programs.sha256'))).toEqual(sums(join(root, 'dist/engine/programs.sha256')));
  });

  test.each(programs)(
    'is locked in, without our environment and our directory, as the kernel sees it: %s',
    async (name) => {
      process.env.OF_THE_HOST = 'hunter2';
      const program = await startProgram(home, name, new Budget());
      const own = (program as unknown as { child: { pid: number } }).child.pid;
      const status = readFileSync(`/proc/${own}/status`, 'utf8');
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status).toMatch(/^Seccomp:\t2$/m);
      expect(readFileSync(`/proc/${own}/environ`, 'utf8')).toBe('');
      expect(execFileSync('readlink', [`/proc/${own}/cwd`], { encoding: 'utf8' })).toBe('/\n');
      await program.terminate();
      delete process.env.OF_THE_HOST;
    },
  );

  test('answers to the byte what the module answers, of every repository of the tests', async () => {
    const repositories = repositoriesOfTests();
    const random = randomOf(1);
    let compared = 0;
    for (const folder of random.some(repositories, amount(isLong() ? 24 : 12, repositories.length))) {
      const tree = await openWorkTree(folder).catch(() => undefined);
      if (!tree) continue;
      const engines = (['native', 'wasm'] as const).map((engine) => new Engine(home, tree, new Budget(), { engine }));
      for (const file of tree.files.filter((one) => /(?:^|\/)kustomization\.ya?ml$/.test(one)).slice(0, 8)) {
        const entrypoint = { path: file.split('/').slice(0, -1).join('/') || '.', kustomization: {} } as Entrypoint;
        const [native, wasm] = await Promise.all(engines.map((engine) => engine.build(entrypoint, 'objects')));
        expect({ folder, file, answer: native }).toEqual({ folder, file, answer: wasm });
        compared += 1;
      }
      const kinds = engines.flatMap(({ kind }) => kind ?? []);
      expect(kinds).toEqual(kinds.length > 0 ? ['native', 'wasm'] : []);
      await Promise.all(engines.map((engine) => engine.close()));
    }
    expect(compared).toBeGreaterThanOrEqual(amount(4, 8));
  }, 600_000);

  test('answers as an API server what the module answers, to every sequence that a real one has answered', async () => {
    const kept = someOf(recorded(), 4, ({ sequence }) => `${sequence.seed}`);
    const answersOf = async (choice: 'native' | 'wasm') => {
      const engine = await ApplyEngine.open(home, new Budget({ seconds: 600, bytes: 2 ** 32 }), choice);
      await engine.define(definitions);
      const answers = await again(
        engine,
        kept.map(({ sequence }) => sequence),
        kept.map(({ answers }) => answers),
      );
      await engine.close();
      return { kind: engine.kind, answers };
    };
    const [native, wasm] = [await answersOf('native'), await answersOf('wasm')];
    expect([native.kind, wasm.kind]).toEqual(['native', 'wasm']);
    expect(native.answers).toEqual(wasm.answers);
  }, 600_000);

  test('renders charts to the byte as the module does', async () => {
    const answersOf = async (choice: 'native' | 'wasm') => {
      const engine = await HelmEngine.open(home, new Budget(), choice);
      const answers: unknown[] = [];
      for (const one of chartCases) {
        answers.push(await engine.load(one.name, sourceOf(one)));
        const release = { name: 'name', namespace: 'space', isUpgrade: true, revision: 2 };
        const world = { kubeVersion: 'v1.35.0', apiVersions: ['v1'], objects: [], chance: 0 };
        const values = (one.values ?? {}) as JsonObject;
        answers.push(await engine.render(one.name, { release, values, ...world }).catch((error) => String(error)));
      }
      await engine.close();
      return { kind: engine.kind, answers };
    };
    const [native, wasm] = [await answersOf('native'), await answersOf('wasm')];
    expect([native.kind, wasm.kind]).toEqual(['native', 'wasm']);
    expect(native.answers).toEqual(wasm.answers);
    expect(native.answers.length).toBeGreaterThan(30);
  }, 120_000);

  test('is ended where the time is up, and the next call starts another', async () => {
    const tree = treeOf({
      ...Object.fromEntries(generate('flat', 10_000, 1)),
      'b/kustomization.yaml': 'resources: []\n',
    });
    const engine = new Engine(home, tree, new Budget({ seconds: 0.3, bytes: 2 ** 30 }), { engine: 'native' });
    const build = { path: 'clusters/prod', kustomization: {} } as Entrypoint;
    const answer = await engine.build(build, 'objects');
    expect(answer).toMatchObject({
      ok: false,
      error: { class: 'limit', message: expect.stringContaining('--max-seconds') },
    });
    const other = new Engine(home, tree, new Budget(), { engine: 'native' });
    expect((await other.build({ path: 'b', kustomization: {} } as Entrypoint, 'objects')).files).toContain(
      'b/kustomization.yaml',
    );
    await Promise.all([engine.close(), other.close()]);
  }, 60_000);

  test.each(someOf([16, 64, 128, 192], 2))(
    'cannot have more memory than the run may: %p MiB',
    async (mebibytes) => {
      const program = await startProgram(home, 'render', new Budget({ seconds: 20, bytes: mebibytes * 2 ** 20 }));
      // As many bytes of one call as it may not hold.
      const header = Buffer.from(JSON.stringify({ op: 'load' }));
      const large = frameOf([header, Buffer.from('a.yaml'), Buffer.alloc(400 * 2 ** 20, 'a')]);
      const failed = await exchange(program, large, new Budget({ seconds: 20, bytes: 2 ** 40 })).catch(
        (error) => error,
      );
      expect(failed).toMatchObject({ limit: true, message: expect.stringContaining('--max-memory') });
      await program.terminate();
    },
    60_000,
  );

  test('ends with who started it, however that ends', async () => {
    const folder = join(home, '../..');
    for (const [from, to] of [['dist/cli'], ['schemas'], ['package.json']] as [string, string?][])
      cpSync(join(root, from), join(folder, to ?? from), { recursive: true });
    const repository = mkdtempSync(join(tmpdir(), 'repository-'));
    folders.push(repository);
    write(generate('nested', 3000, 1), repository);
    const command = [join(folder, 'dist/cli/index.js'), 'render', repository, '--engine', 'native'];
    const host = spawn(process.execPath, command, { stdio: 'ignore' });
    const isUp = () => engineOf(host.pid ?? 0);
    const own = await until(isUp);
    host.kill('SIGKILL');
    await until(() => (existsSync(`/proc/${own}`) ? undefined : true));
  }, 60_000);
});

/** The program that a process has started, by its id. */
function engineOf(parent: number): number | undefined {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const isIts = (id: string) => {
    try {
      return (
        readFileSync(`/proc/${id}/stat`, 'utf8').startsWith(`${id} (render) `) &&
        readFileSync(`/proc/${id}/status`, 'utf8').includes(`PPid:\t${parent}\n`)
      );
    } catch {
      return false; // it has ended
    }
  };
  const found = all.find(isIts);
  return found === undefined ? undefined : Number(found);
}

async function until<Value>(look: () => Value | undefined): Promise<Value> {
  for (let tries = 0; tries < 500; tries += 1) {
    const value = look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come to that');
}
