/** What is run is what was built: a file of the package that was changed ends the command and the action with a sentence. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changedFiles, filesBelow, writeChecksums } from '../../src/build/checksums.mjs';
import { readableDifference } from '../../src/build/difference.mjs';
import { root } from '../support/cli.js';
import { isLong, someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const example = join(root, '__tests__/examples/broken');
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'changed files-'));
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(home, 'package.json'));
  symlinkSync(join(root, 'schemas'), join(home, 'schemas'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Run = { status: number | null; said: string };

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const options = { cwd: example, env: { PATH: process.env.PATH ?? '', ...env }, timeout: 100_000 };
    const child = spawn(process.execPath, args, options);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, said }));
  });
}

const command = (...args: string[]) => run([join(home, 'dist/cli/index.js'), ...args]);

/** What `work` gives while one bit of a file is another: the one in the middle, or that of the last `before` some text. */
async function whileChanged<Given>(file: string, work: () => Promise<Given>, at?: number): Promise<Given> {
  const path = join(home, 'dist', file);
  const bytes = readFileSync(path);
  const other = Buffer.from(bytes);
  const index = at ?? bytes.length >> 1;
  other[index] = (other[index] ?? 0) ^ 1;
  writeFileSync(path, other);
  try {
    return await work();
  } finally {
    writeFileSync(path, bytes);
  }
}

const sentence = (file: string) =>
  `dist/${file} is not the file that was built; install customizer-lint again, or in a clone run "git checkout -- dist" or "npm run build"`;

const first = ['index.js', 'loader.js'];
const chunks = filesBelow(join(root, 'dist/cli')).filter((file) => file.endsWith('.js') && !first.includes(file));
const loaded = [
  ...chunks.map((file) => `cli/${file}`),
  'engine/worker.js',
  'engine/package.json',
  'engine/wasm_exec.js',
  'engine/render.wasm.br',
  'engine/apply.wasm.br',
];

describe('the command', () => {
  const check = () => command('check', '.', '--simulate', '--engine', 'wasm');

  test('does its work where nothing is changed', async () => {
    expect((await check()).status).toBe(1);
  });

  test.each(someOf(loaded, 1))('ends with 2 and a sentence where a byte of %s is another', async (file) => {
    const { status, said } = await whileChanged(file, check);
    expect({ status, said }).toEqual({ status: 2, said: `customizer-lint: ${sentence(file)}\n` });
  });

  (isLong() ? test : test.skip)('does so for what is loaded for charts and for clusters alone', async () => {
    const charts = await whileChanged('engine/helm.wasm.br', () =>
      command('check', '.', '--charts', join(root, '__tests__/charts/packages'), '--engine', 'wasm'),
    );
    const config = createRepo({ config: 'apiVersion: v1\nkind: Config\n' });
    const audit = await whileChanged('cluster/index.js', () =>
      command('audit', '--kubeconfig', join(config, 'config')),
    );
    removeRepo(config);
    expect([audit.status, audit.said]).toEqual([2, `customizer-lint: ${sentence('cluster/index.js')}\n`]);
    expect([charts.status, charts.said]).toEqual([2, `customizer-lint: ${sentence('engine/helm.wasm.br')}\n`]);
  });

  test.each(first)('does so for %s, which runs before it is compared, where it still runs', async (name) => {
    const text = readFileSync(join(home, 'dist/cli', name), 'utf8');
    const inComment = text.indexOf('// src/') + 3;
    const { status, said } = await whileChanged(`cli/${name}`, check, inComment);
    expect({ status, said }).toEqual({ status: 2, said: `customizer-lint: ${sentence(`cli/${name}`)}\n` });
  });

  test('does so for the file that loads it, where Node cannot load it', async () => {
    const { length } = readFileSync(join(home, 'dist/cli/loader.js'));
    const places = Array.from({ length: 12 }, (_, index) => Math.floor((index * length) / 12));
    const ends: Run[] = [];
    for (const at of [...places, length >> 1, length - 2])
      ends.push(await whileChanged('cli/loader.js', () => command('rules'), at));
    const one = /^customizer-lint: dist\/cli[^\n]*; install customizer-lint again, [^\n]*\n$/;
    expect(ends.filter(({ status, said }) => status !== 2 || !said.startsWith('customizer-lint: '))).toEqual([]);
    // One may hit the sentence itself.
    expect(ends.filter(({ said }) => !one.test(said)).length).toBeLessThan(2);
    const unread = ends.filter(({ said }) => said.includes('dist/cli/loader.js cannot be loaded ('));
    expect(unread.length).toBeGreaterThan(2);
  });

  test('says so where Node takes its files for something else than modules', async () => {
    const at = readFileSync(join(home, 'dist/cli/package.json'), 'utf8').indexOf('module');
    const { status, said } = await whileChanged('cli/package.json', check, at);
    expect(status).toBe(2);
    expect(said).toMatch(/^customizer-lint: dist\/cli\/(?:loader\.js cannot be loaded|package\.json is not the file)/m);
  });

  test('does so where the list is gone', async () => {
    rmSync(join(home, 'dist/checksums.sha256'));
    const { status, said } = await check();
    writeChecksums(join(home, 'dist'));
    expect(status).toBe(2);
    expect(said).toMatch(/^customizer-lint: dist\/checksums\.sha256 cannot be read \(ENOENT\); install .*\n$/);
  });
});

test.each(['engine/render.wasm.br', 'engine/worker.js'])(
  'the action ends with 2 and a sentence where a byte of %s is another',
  async (file) => {
    const files = createRepo({ output: '', summary: '', 'event.json': '{}' });
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: example,
      GITHUB_OUTPUT: join(files, 'output'),
      GITHUB_STEP_SUMMARY: join(files, 'summary'),
      INPUT_COMMENT: 'false',
    };
    const { status, said } = await whileChanged(file, () => run([join(home, 'dist/action/index.js')], env));
    removeRepo(files);
    expect({ status, said: said.split('\n').filter((line) => line.includes('dist/')) }).toEqual({
      status: 2,
      said: [`::error::customizer-lint: ${sentence(file)}`],
    });
  },
);

describe('the list', () => {
  test('has all files of dist/ as they are', () => {
    expect(changedFiles(join(root, 'dist'))).toEqual([]);
  });

  test('misses none that is changed, gone or new', () => {
    const folder = createRepo({ 'a.js': 'a', 'b/c.js': 'c', 'b/d.js': 'd' });
    writeChecksums(folder);
    writeFileSync(join(folder, 'a.js'), 'A');
    rmSync(join(folder, 'b/c.js'));
    writeFileSync(join(folder, 'b/e.js'), 'e');
    expect(changedFiles(folder)).toEqual(['a.js', 'b/c.js', 'b/e.js']);
    removeRepo(folder);
  });
});

describe('what CI shows of a bundle that was changed by hand', () => {
  const built = readFileSync(join(root, 'dist/action/index.js'), 'utf8');
  const at = built.lastIndexOf('process.exitCode=');

  test('is the statement, among those around it', () => {
    const edited = `${built.slice(0, at)}fetch("https://example.org");${built.slice(at)}`;
    const shown = readableDifference('action/index.js', edited, built).split('\n');
    expect(shown.filter((line) => /^[-+]/.test(line))).toEqual(['-fetch("https://example.org");']);
    expect(shown.filter((line) => line.startsWith(' ')).length).toBe(4);
  });

  test('is the part of a long line that differs', () => {
    const line = (middle: string) => `export const a = "${'x'.repeat(5000)}${middle}${'y'.repeat(5000)}";\n`;
    const shown = readableDifference('cli/a.js', line('evil'), line('good'));
    expect(shown).toMatch(/^-….*evil.*…$/m);
    expect(shown).toMatch(/^\+….*good.*…$/m);
    expect(shown.length).toBeLessThan(600);
  });

  test('is shown where it is no JavaScript any more, or differs in white space alone', () => {
    const at = built.indexOf('return ', 1000);
    const broken = readableDifference('action/index.js', `${built.slice(0, at)}}${built.slice(at)}`, built);
    expect(broken).toMatch(/^-/m);
    const spaced = readableDifference('action/index.js', `${built.slice(0, at)} ${built.slice(at)}`, built);
    expect(spaced).toMatch(/^-.* return /m);
  });

  test('has an end', () => {
    const lines = (many: number, word: string) => Array.from({ length: many }, (_, i) => `${word}(${i});\n`).join('');
    const some = readableDifference('cli/a.js', lines(300, 'evil'), lines(300, 'good'));
    expect(some.split('\n').length).toBeLessThan(70);
    expect(some).toMatch(/\n… \d+ more lines$/);
    const all = readableDifference('cli/a.js', lines(5000, 'evil'), lines(5000, 'good'));
    expect(all).toBe('  more than 2000 lines of it differ');
  });

  test('says which file is there too many, and which too few', () => {
    expect(readableDifference('cli/a.js', undefined, 'a')).toBe('  it is not committed');
    expect(readableDifference('cli/a.js', 'a', undefined)).toBe('  the source does not build it');
  });
});
