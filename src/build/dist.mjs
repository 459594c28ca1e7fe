// Builds dist/ (all but the WebAssembly module, which `npm run build:engine` makes): one bundle for the command, one for
// the action, and the engine's thread. `--check` builds elsewhere and compares, so that dist/ is what the source builds.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ncc = join(root, 'node_modules', '@vercel', 'ncc', 'dist', 'ncc', 'cli.js');
const bundles = [
  { source: 'src/cli.ts', folder: 'cli' },
  { source: 'src/main.ts', folder: 'action' },
  { source: 'src/engine/worker.ts', folder: 'engine', name: 'worker.js' },
];

const check = process.argv.includes('--check');
const target = check ? mkdtempSync(join(tmpdir(), 'dist-')) : join(root, 'dist');
const licenses = new Map();
for (const bundle of bundles) build(bundle);
writeFileSync(
  join(target, 'licenses.txt'),
  [...licenses]
    .sort()
    .map(([name, text]) => `${name}\n${text}\n`)
    .join('\n'),
);
if (check) compare();

function build({ source, folder, name = 'index.js' }) {
  if (!existsSync(join(root, source))) return;
  const out = mkdtempSync(join(tmpdir(), 'ncc-'));
  execFileSync(
    process.execPath,
    [
      ncc,
      'build',
      join(root, source),
      '-o',
      out,
      '--minify',
      '--transpile-only',
      '--license',
      'licenses.txt',
      '--no-cache',
      '-q',
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (existsSync(join(out, 'licenses.txt'))) collectLicenses(readFileSync(join(out, 'licenses.txt'), 'utf8'));
  rmSync(join(out, 'licenses.txt'), { force: true });
  const destination = join(target, folder);
  mkdirSync(destination, { recursive: true });
  for (const old of readdirSync(destination))
    if (/\.(js|json)$/.test(old) && old !== 'wasm_exec.js') rmSync(join(destination, old));
  for (const file of readdirSync(out)) cpSync(join(out, file), join(destination, file === 'index.js' ? name : file));
  rmSync(out, { recursive: true });
}

/** ncc separates packages by an empty line behind each text, and starts each with the package's name. */
function collectLicenses(text) {
  const names = new Set(
    Object.keys(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages).map((path) =>
      path.replace(/^.*node_modules\//, ''),
    ),
  );
  let name;
  for (const line of text.split('\n')) {
    if (names.has(line)) {
      name = line;
      licenses.set(name, '');
    } else if (name) licenses.set(name, `${licenses.get(name)}${line}\n`);
  }
}

function compare() {
  const differing = [
    'licenses.txt',
    ...bundles.flatMap(({ folder }) => readdirSync(join(target, folder)).map((file) => join(folder, file))),
  ].filter(
    (file) =>
      !existsSync(join(root, 'dist', file)) ||
      !readFileSync(join(target, file)).equals(readFileSync(join(root, 'dist', file))),
  );
  rmSync(target, { recursive: true });
  for (const file of differing) console.error(`dist/${file} is not what the source builds: npm run build`);
  if (differing.length > 0) process.exitCode = 1;
  void dirname;
}
