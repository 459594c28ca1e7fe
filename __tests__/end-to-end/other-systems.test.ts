/**
 * What other systems make of a repository, on this one: paths with backslashes, line ends of Windows, a file system that takes `A` and `a`
 * for one name, and paths that are longer than Windows once took. `node:path` and `node:fs` are those of the other system, and nothing is
 * in a git repository, as git is this system's. On the systems themselves `npm run test:systems` runs (.github/workflows/check.yaml).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { someOf } from '../support/sample.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const path = await import('node:path');
const fs = await import('node:fs');
const system = { windows: false, caseless: false };
afterEach(() => {
  Object.assign(system, { windows: false, caseless: false });
});

const { platform } = process;
Object.defineProperty(process, 'platform', { get: () => (system.windows ? 'win32' : platform) });

/** As the system has it, from how it has been written. */
function onDisk(written: unknown): unknown {
  if (typeof written !== 'string') return written;
  const slashes = system.windows ? written.replaceAll('\\', '/') : written;
  return system.caseless && !fs.existsSync(slashes) ? inAnyCase(slashes) : slashes;
}

function inAnyCase(written: string): string {
  return written.split('/').reduce((folder, name) => {
    const plain = `${folder}/${name}`;
    if (fs.existsSync(plain) || !fs.existsSync(folder || '/')) return plain;
    const found = fs.readdirSync(folder || '/').find((one) => one.toLowerCase() === name.toLowerCase());
    return found ? `${folder}/${found}` : plain;
  });
}

const backslashed = (text: string) => (system.windows ? text.replaceAll('/', '\\') : text);

type Call = (...args: unknown[]) => unknown;
const onSystem = Object.fromEntries(
  Object.entries(fs).map(([name, one]) => {
    if (typeof one !== 'function' || !/Sync$/.test(name)) return [name, one];
    const call: Call = (...args) => (one as Call)(...args.map(onDisk));
    return [name, name === 'realpathSync' ? (...args: unknown[]) => backslashed(call(...args) as string) : call];
  }),
);
jest.unstable_mockModule('node:fs', () => ({ ...onSystem, default: onSystem }));
const onSystemPath = Object.fromEntries(
  Object.entries(path.posix).map(([name, one]) => {
    if (typeof one !== 'function') return [name, one];
    const call: Call = (...args) =>
      ((system.windows ? path.win32 : path.posix) as unknown as { [name: string]: Call })[name]?.(...args);
    return [name, call];
  }),
);
const systemPath = { ...onSystemPath, posix: path.posix, win32: path.win32 };
jest.unstable_mockModule('node:path', () => ({ ...systemPath, default: systemPath }));
const processes = await import('node:child_process');
/** The engine of tests is a process of this system. */
const fork = (module: string, args: string[], options: object) =>
  processes.fork(
    module,
    args.map((arg) => onDisk(arg) as string),
    options,
  );
jest.unstable_mockModule('node:child_process', () => ({ ...processes, fork }));
const { runHere } = await import('../support/here.js');

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));
const repository = (files: Files) => {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
};

/** Of a folder in no repository, so that nobody asks git. */
function copyOf(fixture: string, change: (text: string) => string = (text) => text): string {
  const from = join(root, '__tests__', fixture);
  const entries = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file.slice(from.length + 1), change(readFileSync(file, 'utf8'))];
  });
  return repository(Object.fromEntries(files));
}

type Found = {
  rule: string;
  file: string;
  line: number;
  column: number;
  endColumn: number;
  message: string;
  entrypoints: string[];
};

async function findings(args: string[]): Promise<{ status: number; found: Found[]; stderr: string }> {
  const { status, stdout, stderr } = await runHere(['check', ...args, '--format', 'json']);
  // Without a report nothing was looked at.
  const { findings: all } = (status === 2 ? { findings: [] } : JSON.parse(stdout)) as { findings: Found[] };
  const found = all.map(({ rule, file, line, column, endColumn, message, entrypoints }) => ({
    ...{ rule, file, line, column, endColumn, message, entrypoints },
  }));
  return { status, found, stderr };
}

const bad = readdirSync(join(root, '__tests__/rules'))
  .map((id) => `rules/${id}/bad`)
  .filter(
    (folder) => existsSync(join(root, '__tests__', folder)) && !existsSync(join(root, '__tests__', `${folder}.base`)),
  );

describe('on Windows', () => {
  test.each(['examples/broken', ...someOf(bad, 6)])('%s has the findings that it has here', async (fixture) => {
    const folder = copyOf(fixture);
    const here = await findings([folder]);
    system.windows = true;
    const there = await findings([folder.replaceAll('/', '\\')]);
    expect(there).toEqual(here);
    if (fixture === 'examples/broken') expect(here.found.length).toBeGreaterThan(0);
  });

  test.each(['examples/broken', ...someOf(bad, 6)])('%s has them with the line ends of Windows', async (fixture) => {
    const here = await findings([copyOf(fixture)]);
    const there = await findings([copyOf(fixture, (text) => text.replace(/\r?\n/g, '\r\n'))]);
    expect(there).toEqual(here);
  });

  test('the windows of this test are some: a path is read with backslashes, and printed with slashes', async () => {
    const folder = repository({ 'clusters/prod/kustomization.yaml': kustomization({ resources: ['gone.yaml'] }) });
    system.windows = true;
    const { found } = await findings([folder.replaceAll('/', '\\')]);
    expect(found.map(({ file }) => file)).toEqual(['clusters/prod/kustomization.yaml']);
    const named = await findings([folder.replaceAll('/', '\\'), '--path', 'clusters\\prod']);
    expect(named.found.map(({ entrypoints }) => entrypoints)).toEqual([['clusters/prod']]);
    system.windows = false;
    expect((await findings([folder.replaceAll('/', '\\')])).status).toBe(2);
  });
});

describe('where two names that differ by case are one', () => {
  const files = (resource: string): Files => ({
    'apps/kustomization.yaml': kustomization({ resources: [resource] }),
    'apps/Portal.yaml': configMap('portal'),
  });

  test('a name that only such a system finds is reported all the same: Flux reads on Linux', async () => {
    const folder = repository(files('portal.yaml'));
    const here = await findings([folder, '--path', 'apps']);
    system.caseless = true;
    expect(fs.existsSync(join(folder, 'apps/portal.yaml'))).toBe(false);
    expect((onSystem as { existsSync: Call }).existsSync(join(folder, 'apps/portal.yaml'))).toBe(true);
    expect(await findings([folder, '--path', 'apps'])).toEqual(here);
    expect(here.found.map(({ rule, file }) => `${rule} ${file}`)).toEqual([
      'unbuildable-kustomization apps/kustomization.yaml',
    ]);
  });

  test('a name that is right is right there too', async () => {
    system.caseless = true;
    expect(await findings([repository(files('Portal.yaml')), '--path', 'apps'])).toMatchObject({
      status: 0,
      found: [],
    });
  });
});

describe('a path that is longer than 260 characters', () => {
  const deep = Array.from({ length: 8 }, (_, index) => `${index}-${'a'.repeat(60)}`).join('/');
  const files = { [`${deep}/kustomization.yaml`]: kustomization({ resources: ['a.yaml', 'b.yaml'] }) };

  test.each([false, true])('is read and named (Windows: %s)', async (windows) => {
    const folder = repository({ ...files, [`${deep}/a.yaml`]: configMap('a'), [`${deep}/b.yaml`]: configMap('a') });
    system.windows = windows;
    const { found } = await findings([windows ? folder.replaceAll('/', '\\') : folder]);
    expect(found.map(({ rule, file }) => `${rule} ${file}`)).toEqual([`duplicate-object ${deep}/b.yaml`]);
  });
});
