/** The package as npm would publish it: installed from its tarball in an empty folder, without network. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFake } from '../support/apiserver.js';
import { root } from '../support/cli.js';
import { allNodes, missing } from '../support/nodes.js';
import { isLong } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

let folder: string;
let tarball: string;
let files: string[];

const long = isLong() ? test : test.skip;

beforeAll(() => {
  folder = createRepo({ 'package.json': '{}' });
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  });
  const [{ filename, files: all }] = JSON.parse(packed.toString());
  tarball = join(folder, filename);
  files = all.map(({ path }: { path: string }) => path);
  const offline = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...offline, tarball], { cwd: folder });
}, 120_000);
afterAll(() => removeRepo(folder));

test('runs with npx, engine and worker included', () => {
  cpSync(join(root, '__tests__/examples/broken'), join(folder, 'broken'), { recursive: true });
  const { status, stdout } = spawnSync('npx', ['--offline', 'customizer-lint', 'check'], {
    cwd: join(folder, 'broken'),
  });
  expect({ status, stdout: stdout.toString() }).toEqual({
    status: 1,
    stdout: readFileSync(join(root, '__tests__/examples/broken.txt'), 'utf8'),
  });
}, 60_000);

long('prints the page of a rule without the repository', () => {
  const { status, stdout } = spawnSync('npx', ['--offline', 'customizer-lint', 'rules', 'dead-patch'], { cwd: folder });
  expect({ status, start: stdout.toString().slice(0, 13) }).toEqual({ status: 0, start: '# dead-patch\n' });
});

long(
  'puts its manual page where man looks, beside the command',
  () => {
    const prefix = join(folder, 'global');
    const offline = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', '--global', '--prefix', prefix, ...offline, tarball], { cwd: folder });
    expect(existsSync(join(prefix, 'bin/customizer-lint'))).toBe(true);
    const installed = readFileSync(join(prefix, 'share/man/man1/customizer-lint.1'), 'utf8');
    expect(installed).toBe(readFileSync(join(root, 'docs/customizer-lint.1'), 'utf8'));
  },
  60_000,
);

// While at work the Node that runs the tests is enough.
const someNodes = isLong() ? allNodes : allNodes.slice(0, 1);

(isLong() ? test : test.skip).each(someNodes)(
  'the client of the API server says nothing when it is loaded by $name',
  ({ path }) => {
    const client = join(folder, 'node_modules/customizer-lint/dist/cluster/index.js');
    const { status, stderr } = spawnSync(path, [
      '--input-type=module',
      '-e',
      `await import(${JSON.stringify(client)})`,
    ]);
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  },
);

test.each(someNodes)('checks as a user starts it, by $name', ({ path }) => {
  const command = join(folder, 'node_modules/customizer-lint/dist/cli/index.js');
  const cwd = join(root, '__tests__/examples/broken');
  const { status, stdout, stderr } = spawnSync(path, [command, 'check', '.'], { cwd, encoding: 'utf8' });
  const expected = readFileSync(join(root, '__tests__/examples/broken.txt'), 'utf8');
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: expected, stderr: '' });
});
for (const name of missing) test.skip(`is run by ${name}, which is not here: npm test fetches it`, () => {});

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
    'dist/checksums.sha256',
    'dist/cli/',
    'dist/cluster/',
    'dist/engine/',
    'dist/licenses.txt',
    'docs/customizer-lint.1',
    'package.json',
    'schemas/charts.schema.json',
    'schemas/config.schema.json',
    'schemas/cozystack/',
    'schemas/kubernetes/',
    'schemas/report.schema.json',
    'src/rules/',
  ]);
  const pages = files.filter((file) => file.startsWith('src/') && file !== 'src/rules/FACTS.md');
  expect(pages.every((file) => file.endsWith('/README.md'))).toBe(true);
});

/** What the bundles that are packed import: a file beside them, or a path below `dist` in parts. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const beside = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[\w./-]+\.m?js)["']/g)].map(
    ([, path = '']) => join(file, '..', path),
  );
  const inParts = [...text.matchAll(/["']dist["']((?:,\s*["'][\w.-]+["'])+)/g)].map(([, parts = '']) =>
    join('dist', ...[...parts.matchAll(/["']([\w.-]+)["']/g)].map(([, part = '']) => part)),
  );
  return [...beside, ...inParts].filter((path) => path.startsWith('dist/') && existsSync(join(root, path)));
}

test('holds all that the code in dist/ imports, and each chunk of it', () => {
  const seen = new Set(['dist/cli/index.js']);
  for (const path of seen) {
    if (!path.endsWith('.js')) continue;
    for (const next of importsOf(path)) seen.add(next);
  }
  const chunks = readdirSync(join(root, 'dist/cli')).filter((name) => name.endsWith('.js'));
  const cli = chunks.map((name) => `dist/cli/${name}`);
  expect([...seen]).toEqual(expect.arrayContaining([...cli, 'dist/cluster/index.js', 'dist/engine']));
  const missing = [...seen].filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)));
  expect(missing).toEqual([]);
});

(isLong() ? describe : describe.skip)('from the installed tarball', () => {
  /** While a server of this process answers. */
  const run = (args: string[]) =>
    new Promise<{ status: number | null; said: string }>((resolve) => {
      const child = spawn('npx', ['--offline', 'customizer-lint', ...args], { cwd: folder, timeout: 100_000 });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
      child.on('close', (status) => resolve({ status, said }));
    });
  const version = { to: 'GET /version', status: 200, body: { major: '1', minor: '35', gitVersion: 'v1.35.4' } };

  test('a cluster is asked for the dry run', async () => {
    const server = await startFake([version]);
    try {
      cpSync(join(root, '__tests__/examples/broken'), join(folder, 'asked'), { recursive: true });
      const { said } = await run(['check', 'asked', `--dry-run=${server.kubeconfig}`]);
      expect(said).not.toMatch(/Cannot find|ERR_MODULE_NOT_FOUND|bug of the linter/);
      expect(server.heard.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toContain('GET /version');
    } finally {
      await server.close();
    }
  });

  test('a cluster is audited', async () => {
    const server = await startFake([]);
    try {
      const { status, said } = await run(['audit', '--kubeconfig', server.kubeconfig]);
      expect(said).not.toMatch(/Cannot find|ERR_MODULE_NOT_FOUND|bug of the linter/);
      expect(status).toBe(2);
      expect(server.heard.map(({ url }) => url.split('?')[0])).toContain('/apis/cozystack.io/v1alpha1/packages');
    } finally {
      await server.close();
    }
  });

  test('envtest says what it lacks', async () => {
    const { said } = await run(['check', 'asked', '--dry-run=envtest']);
    expect(said).not.toMatch(/Cannot find module|ERR_MODULE_NOT_FOUND|bug of the linter/);
  });

  test('a snapshot is made', async () => {
    const item = {
      apiVersion: 'cozystack.io/v1alpha1',
      kind: 'Package',
      metadata: { name: 'cozystack.cozystack-platform', managedFields: [] },
      spec: { variant: 'isp-full' },
    };
    writeFileSync(join(folder, 'live.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item] }));
    const { status, said } = await run(['snapshot', 'live.json']);
    expect({ status, said: said.includes('cozystack.cozystack-platform') }).toEqual({ status: 0, said: true });
  });
});

test('the lock file tells of every package what its bytes must be, and not where they lie', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entries = Object.entries(packages).filter(([path]) => path !== '') as [string, Record<string, unknown>][];
  expect(entries.length).toBeGreaterThan(300);
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  const bare = entries.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(String(integrity)));
  expect(bare.map(([path]) => path)).toEqual([]);
});
