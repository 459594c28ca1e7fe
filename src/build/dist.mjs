// Builds dist/ (all but the WebAssembly module, which `npm run build:engine` makes): one bundle for the command, one for
// the action, and the engine's thread. `--check` builds elsewhere and compares, so that dist/ is what the source builds.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isFresh, remember } from './fresh.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const ncc = join(root, 'node_modules', '@vercel', 'ncc', 'dist', 'ncc', 'cli.js');
const bundles = [
  { source: 'src/cli/cli.ts', folder: 'cli' },
  { source: 'src/action/main.ts', folder: 'action' },
  { source: 'src/dry-run/kubeconfig.ts', folder: 'cluster' },
  { source: 'src/engine/host/worker.ts', folder: 'engine', name: 'worker.js' },
];

const check = process.argv.includes('--check');
const target = check ? mkdtempSync(join(tmpdir(), 'dist-')) : dist;
const licenses = new Map();
await Promise.all(bundles.map(build));
const bundled = [...licenses].sort().map(([name, text]) => `${name}\n${text.trim()}\n`);
const linked = readFileSync(join(dist, 'engine', 'licenses.txt'), 'utf8');
writeFileSync(join(target, 'licenses.txt'), [...bundled, linked].join('\n'));
schema();
if (!check) remember();
else {
  compare();
  if (!process.exitCode && !isFresh()) fail('dist/sources.sha256 is stale');
}

/** What an editor completes the configuration from; the command itself knows it. */
function schema() {
  const text = execFileSync(process.execPath, [join(target, 'cli', 'index.js'), 'rules', '--format', 'schema'], {
    encoding: 'utf8',
  });
  const file = join(root, 'schemas', 'config.schema.json');
  if (!check) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) fail('schemas/config.schema.json is stale');
}

function fail(message) {
  console.error(`${message}: npm run build`);
  process.exitCode = 1;
}

async function build({ source, folder, name = 'index.js' }) {
  const out = mkdtempSync(join(tmpdir(), 'ncc-'));
  const options = ['--minify', '--transpile-only', '--license', 'licenses.txt', '--no-cache', '-q'];
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [ncc, 'build', join(root, source), '-o', out, ...options],
    {
      cwd: root,
    },
  );
  process.stderr.write(stderr);
  if (existsSync(join(out, 'licenses.txt'))) collectLicenses(readFileSync(join(out, 'licenses.txt'), 'utf8'));
  rmSync(join(out, 'licenses.txt'), { force: true });
  const destination = join(target, folder);
  mkdirSync(destination, { recursive: true });
  for (const old of ours(destination)) rmSync(join(destination, old));
  for (const file of readdirSync(out)) cpSync(join(out, file), join(destination, file === 'index.js' ? name : file));
  rmSync(out, { recursive: true });
}

/** ncc starts each licence with the package's name on a line of its own. */
function collectLicenses(text) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const names = new Set(Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, '')));
  names.delete('');
  let name;
  for (const line of text.split('\n')) {
    if (names.has(line)) {
      name = line;
      licenses.set(name, '');
    } else if (name) licenses.set(name, `${licenses.get(name)}${line}\n`);
  }
}

/** The files below a folder that this script makes; the others in dist/engine belong to the engine's own build. */
function ours(folder) {
  return readdirSync(folder, { recursive: true }).filter(
    (file) => /\.(js|json)$/.test(file) && !file.endsWith('wasm_exec.js'),
  );
}

function compare() {
  const files = new Set(['licenses.txt', ...ours(target), ...ours(dist)]);
  const read = (folder, file) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined;
  const differing = [...files].filter((file) => read(target, file) !== read(dist, file));
  rmSync(target, { recursive: true });
  for (const file of differing) console.error(`dist/${file} is not what the source builds: npm run build`);
  if (differing.length > 0) process.exitCode = 1;
}
