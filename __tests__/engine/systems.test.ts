/**
 * The programs of systems that are not this one. That of linux-arm64 runs here under qemu (Debian: qemu-user), and answers as the module does; all
 * are built a second time, in another folder, and have the bytes that dist/ names. It takes minutes: FULL=1.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { hasGo } from '../../src/build/go.mjs';
import { fileOf, programs, systems } from '../../src/build/programs.mjs';
import { frameOf } from '../../src/engine/host/exchange.js';
import { framed, frames } from '../../src/engine/smoke/frames.mjs';
import { startRaw } from '../../src/engine/smoke/smoke.mjs';
import { openWorkTree } from '../../src/tree/tree.js';
import { root } from '../support/cli.js';
import { randomOf } from '../support/random.mjs';
import { repositoriesOfTests } from '../support/repositories.js';
import { isFull } from '../support/sample.js';

const qemu = 'qemu-aarch64';
const hasQemu = spawnSync(qemu, ['-version']).status === 0;
if (!isFull()) console.log('skipped: programs of other systems, as they take minutes to build; FULL=1 runs them');
if (isFull() && !hasQemu) console.log(`skipped: the program of linux-arm64, as there is no ${qemu}`);
const full = isFull() && hasGo() ? test : test.skip;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const elsewhere = new Map<string, Map<string, string>>();

/** The programs of a system, built once from a copy of the source elsewhere, by the name of the module. */
function builtElsewhere(system: string): Map<string, string> {
  const known = elsewhere.get(system) ?? buildElsewhere(system);
  elsewhere.set(system, known);
  return known;
}

function buildElsewhere(system: string): Map<string, string> {
  const copy = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  folders.push(copy);
  const isSource = (path: string) => !/\/(?:\.build|parity|suite)$/.test(path);
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true, filter: isSource });
  for (const name of ['package.json', 'node_modules', 'LICENSE']) symlinkSync(join(root, name), join(copy, name));
  const { status, stderr } = spawnSync(process.execPath, ['src/build/engine.mjs', `--program=${system}`], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const folder = join(copy, 'src/engine/.build/programs', system);
  return new Map(programs.map((name: string) => [name, join(folder, fileOf(name, system))]));
}

describe.each(Object.keys(systems))('%s', (system) => {
  full(
    'has the same bytes when it is built elsewhere',
    () => {
      const lines = [...builtElsewhere(system)].map(
        ([name, file]) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${system}/${name}`,
      );
      const committed = readFileSync(join(root, 'dist/engine/programs.sha256'), 'utf8').split('\n');
      expect(committed.filter((line) => line.includes(`  ${system}/`))).toEqual(lines);
    },
    1_800_000,
  );
});

(isFull() && hasGo() && hasQemu ? test : test.skip)(
  'the program of linux-arm64 answers to the byte what the module answers',
  async () => {
    const program = builtElsewhere('linux-arm64').get('render') as string;
    const child = spawn(qemu, [program], { env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
    const answers = frames(child.stdout);
    const next = async () => (await answers.next()).value as Buffer;
    const state = JSON.parse((await next()).toString()) as { locked: boolean };
    // The kernel's walls are for the machine's own programs.
    expect(typeof state.locked).toBe('boolean');
    const call = await startRaw();
    let compared = 0;
    for (const folder of randomOf(1).some(repositoriesOfTests(), 60)) {
      const tree = await openWorkTree(folder).catch(() => undefined);
      if (!tree) continue;
      const load = { op: 'load', refused: {}, links: [], submodules: [] };
      const files = tree.files.flatMap((file) => [Buffer.from(file), tree.bytes(file) ?? new Uint8Array()]);
      const build = { op: 'build', path: '.', kustomization: {}, output: 'objects' };
      for (const frame of [
        frameOf([Buffer.from(JSON.stringify(load)), ...files]),
        frameOf([Buffer.from(JSON.stringify(build))]),
      ]) {
        child.stdin.write(framed(frame));
        const theirs = (await next()).toString();
        expect({ folder, answer: theirs }).toEqual({ folder, answer: Buffer.from(call(frame)).toString() });
        compared += 1;
      }
    }
    child.stdin.end();
    expect(compared).toBeGreaterThan(50);
  },
  1_800_000,
);
