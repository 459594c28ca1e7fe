// Builds dist/ (all but the WebAssembly module, which `npm run build:engine` makes): bundles for the command and what loads it, for
// the action, and for the engine's thread. `--check` builds elsewhere and compares, so that dist/ is what the source builds.
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import esbuild from 'esbuild';
import { bundles, command, loaders, thread } from './bundles.mjs';
import { changedFiles, filesBelow, writeChecksums } from './checksums.mjs';
import { readableDifference } from './difference.mjs';
import { isFresh, remember } from './fresh.mjs';
import { nameOf, packagesIn } from './release/npm.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const ncc = join(root, 'node_modules', '@vercel', 'ncc', 'dist', 'ncc', 'cli.js');
/** What `npm run build:engine` makes, and what is written about all of it. */
const engine = /^engine\/(?:\w+\.wasm\.br|\w+\.sha256|wasm_exec\.js|licenses\.txt)$/;
const about = ['checksums.sha256', 'sources.sha256'];

const check = process.argv.includes('--check');
// The command knows its files by the name of their folder.
const target = check ? join(mkdtempSync(join(tmpdir(), 'check-')), 'dist') : dist;
const licenses = new Map();
if (!check) for (const old of ours(dist)) rmSync(join(dist, old));
await Promise.all([...bundles.map(build), buildCommand(), ...[...loaders, thread].map(buildReadable)]);
const bundled = [...licenses].sort().map(([name, text]) => `${name}\n${text.trim()}\n`);
const linked = readFileSync(join(dist, 'engine', 'licenses.txt'), 'utf8');
writeFileSync(join(target, 'licenses.txt'), [...bundled, linked].join('\n'));
writeChecksums(target);
if (check) {
  compare();
  rmSync(dirname(target), { recursive: true });
} else {
  schema();
  remember();
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

async function build({ source, folder, name }) {
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
  for (const file of readdirSync(out)) cpSync(join(out, file), join(destination, file === 'index.js' ? name : file));
  rmSync(out, { recursive: true });
}

/** Names of files are those of their contents, but for the first. */
async function buildCommand() {
  const { source, folder, name } = command;
  const destination = join(target, folder);
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: { [name.replace(/\.js$/, '')]: join(root, source) },
    // The same for each clone, as names of files come of it.
    ...{ absWorkingDir: root, outdir: join(root, 'dist', folder), write: false, metafile: true },
    ...{
      bundle: true,
      splitting: true,
      chunkNames: '[name]-[hash]',
      platform: 'node',
      format: 'esm',
      target: 'node20',
    },
    ...{ minify: true, lineLimit: 200, legalComments: 'none', logLevel: 'warning' },
    // Packages that are not modules ask for those of Node.
    banner: {
      js: 'import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);',
    },
  });
  mkdirSync(destination, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(destination, basename(path)), contents);
  writeFileSync(join(destination, 'package.json'), '{\n  "type": "module"\n}');
  for (const path of packagesIn(metafile)) licenses.set(nameOf(path), licenseOf(path));
}

/** As ncc writes it: which one, and its text. */
function licenseOf(path) {
  const { license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, path)).find((name) => /^licen[cs]e(?:\.\w+)?$/i.test(name));
  return `${license}\n${file ? readFileSync(join(root, path, file), 'utf8') : ''}\n`;
}

/** What is run first can be read, as nothing holds it against what was built; so can the thread, which is as small. */
async function buildReadable({ source, folder, name, format = 'esm' }) {
  const outfile = join(target, folder, name);
  await esbuild.build({
    entryPoints: [join(root, source)],
    outfile,
    bundle: true,
    external: ['./loader.js'],
    platform: 'node',
    format,
    target: 'node20',
    logLevel: 'warning',
  });
  if (format === 'cjs') writeFileSync(join(target, folder, 'package.json'), '{\n  "type": "commonjs"\n}');
  if (name === 'index.js') chmodSync(outfile, 0o755);
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
  return filesBelow(folder).filter((file) => /\.(js|json)$/.test(file) && !engine.test(file));
}

/** Says of each file that is not what the source builds how it differs, in a form that can be read. */
function compare() {
  const built = new Set(['licenses.txt', ...ours(target)]);
  const kept = filesBelow(dist).filter((file) => !engine.test(file) && !about.includes(file));
  const read = (folder, file) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined;
  for (const file of new Set([...built, ...kept])) {
    const [committed, made] = [read(dist, file), read(target, file)];
    if (committed === made) continue;
    console.error(`dist/${file} is not what the source builds: npm run build`);
    console.error(readableDifference(file, committed, made));
    process.exitCode = 1;
  }
  const listed = changedFiles(dist);
  if (listed.length > 0)
    fail(`dist/checksums.sha256 is not that of ${listed.map((file) => `dist/${file}`).join(', ')}`);
  if (process.exitCode) return;
  schema();
  if (!isFresh()) fail('dist/sources.sha256 is stale');
}
