/** The packages of a release on a registry of our own: npm installs the program that fits, and the command starts it. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hasGo } from '../../src/build/go.mjs';
import { packRelease } from '../../src/build/pack.mjs';
import { fileOf, here, nameOf, systems } from '../../src/build/programs.mjs';
import { root } from '../support/cli.js';
import { isLong } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const isPossible = process.platform === 'linux' && here in systems && hasGo() && isLong();
if (!isLong()) console.log('skipped: what npm installs, as it takes long; SAMPLES=5 and .ci/run run it');
const possible = isPossible ? test : test.skip;

let folder: string;
let tarballs: readonly string[];
let server: Server;
let registry: string;

/** Of each package that is packed the only version, with the fields of its package.json by which npm chooses. */
async function serve(tarballs: readonly string[]): Promise<Server> {
  const packages = new Map<string, object>();
  const contents = new Map<string, Buffer>();
  const listening = createServer(({ url = '' }, response) => {
    const content = contents.get(url);
    const found = packages.get(decodeURIComponent(url.slice(1)));
    if (content) response.end(content);
    else if (found) response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  for (const file of tarballs) {
    const text = spawnSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }).stdout;
    const manifest = JSON.parse(text) as { name: string; version: string };
    const bytes = readFileSync(file);
    const path = `/tarballs/${basename(file)}`;
    contents.set(path, bytes);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const version = { ...manifest, dist: { tarball: `${address}${path}`, integrity } };
    const { name } = manifest;
    packages.set(name, {
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: version },
    });
  }
  return listening;
}

beforeAll(async () => {
  if (!isPossible) return;
  folder = createRepo({});
  tarballs = packRelease(join(folder, 'tarballs'), [here]);
  server = await serve(tarballs);
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 600_000);
afterAll(() => {
  server?.close();
  if (folder) removeRepo(folder);
});

/** What npm installs for a system, and where. */
async function install(...more: string[]): Promise<{ packages: string[]; own: string }> {
  const own = createRepo({ 'package.json': '{}' });
  const args = ['install', '--registry', registry, '--cache', join(own, '.npm'), '--no-audit', '--no-fund', ...more];
  const child = spawn('npm', [...args, 'customizer-lint'], { cwd: own, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect({ status, said }).toEqual({ status: 0, said: '' });
  const packages = readdirSync(join(own, 'node_modules')).filter((name) => !name.startsWith('.'));
  return { packages: packages.sort(), own };
}

/** The engine that a report names, and the rest of the report. */
function check(own: string, ...more: string[]) {
  const command = join(own, 'node_modules/customizer-lint/dist/cli/index.js');
  const args = [command, 'check', join(root, '__tests__/examples/broken'), '--format', 'json', ...more];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 1) return { status, stderr };
  const { tool, ...report } = JSON.parse(stdout);
  return { engine: tool.engine, report };
}

possible(
  'npm installs the program beside it where one fits, and it renders',
  async () => {
    const { packages, own } = await install();
    expect(packages).toEqual(['customizer-lint', nameOf(here)]);
    const native = check(own);
    const wasm = check(own, '--engine', 'wasm');
    expect([native.engine, wasm.engine, check(own, '--engine=native').engine]).toEqual(['native', 'wasm', 'native']);
    expect(native.report).toEqual(wasm.report);
    // One byte more, and it is not started.
    appendFileSync(join(own, 'node_modules', nameOf(here), fileOf('render', here)), '\n');
    expect(check(own).engine).toBe('wasm');
    const refused = check(own, '--engine', 'native');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/^customizer-lint: --engine native: \S+ is not the program of this version\n$/);
    removeRepo(own);
  },
  120_000,
);

possible(
  'npm installs both tarballs without a network into an empty folder, and the program renders',
  () => {
    const own = createRepo({});
    // Nothing listens there, should npm ask.
    const offline = ['--offline', '--registry', 'http://127.0.0.1:9', '--cache', join(own, '.npm')];
    const args = ['install', ...offline, '--no-audit', '--no-fund', ...tarballs];
    const { status, stderr } = spawnSync('npm', args, { cwd: own, encoding: 'utf8', timeout: 100_000 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(check(own).engine).toBe('native');
    removeRepo(own);
  },
  120_000,
);

possible(
  'npm installs none where none fits, and the module renders',
  async () => {
    const { packages, own } = await install('--os', 'sunos', '--cpu', 'x64');
    expect(packages).toEqual(['customizer-lint']);
    expect(check(own).engine).toBe('wasm');
    expect(check(own, '--engine', 'native').stderr).toContain('is not installed');
    removeRepo(own);
  },
  120_000,
);

possible(
  'a program has its licences with it, and nothing runs when it is installed',
  async () => {
    const { own } = await install();
    const files = readdirSync(join(own, 'node_modules', nameOf(here))).sort();
    expect(files).toEqual(['LICENSE', 'README.md', 'apply', 'helm', 'licenses.txt', 'package.json', 'render']);
    const licenses = readFileSync(join(own, 'node_modules', nameOf(here), 'licenses.txt'), 'utf8');
    for (const name of [
      'github.com/landlock-lsm/go-landlock',
      'github.com/elastic/go-seccomp-bpf',
      'sigs.k8s.io/kustomize/api',
      'helm.sh/helm/v4',
    ])
      expect(licenses).toContain(`\n${name}\n`);
    for (const name of [nameOf(here), 'customizer-lint'])
      expect(JSON.parse(readFileSync(join(own, 'node_modules', name, 'package.json'), 'utf8')).scripts).toBeUndefined();
    removeRepo(own);
  },
  120_000,
);
