/** The package as npm would publish it: installed from its tarball in an empty folder, without network. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from './support/cli.js';
import { plant, uproot } from './support/trees.js';

let folder: string;
let files: string[];

beforeAll(() => {
  folder = plant({ 'package.json': '{}' });
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  });
  const [tarball] = JSON.parse(packed.toString());
  files = tarball.files.map(({ path }: { path: string }) => path);
  const offline = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...offline, join(folder, tarball.filename)], { cwd: folder });
}, 120_000);
afterAll(() => uproot(folder));

test('runs with npx, engine and worker included', () => {
  cpSync(join(root, '__tests__/examples/broken'), join(folder, 'broken'), { recursive: true });
  const { status, stdout } = spawnSync('npx', ['--offline', 'customizer-lint', 'check', 'broken'], { cwd: folder });
  expect({ status, stdout: stdout.toString() }).toEqual({
    status: 1,
    stdout: readFileSync(join(root, '__tests__/examples/broken.txt'), 'utf8'),
  });
}, 60_000);

test('prints the page of a rule without the repository', () => {
  const { status, stdout } = spawnSync('npx', ['--offline', 'customizer-lint', 'rules', 'dead-patch'], { cwd: folder });
  expect({ status, start: stdout.toString().slice(0, 13) }).toEqual({ status: 0, start: '# dead-patch\n' });
});

test('brings no other package along', () => {
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'customizer-lint',
  ]);
});

test('holds what it needs and nothing else', () => {
  const kinds = new Set(files.map((file) => file.replace(/^(dist\/\w+|schemas\/\w+|src\/rules)\/.*/, '$1/')));
  expect([...kinds].sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/cli/',
    'dist/cluster/',
    'dist/engine/',
    'dist/licenses.txt',
    'package.json',
    'schemas/config.schema.json',
    'schemas/cozystack/',
    'schemas/kubernetes/',
    'schemas/report.schema.json',
    'src/rules/',
  ]);
  expect(files.filter((file) => file.startsWith('src/')).every((file) => file.endsWith('/README.md'))).toBe(true);
});
