/**
 * Builds the engine: `npm run build:engine [-- --check | --native | --program | --probe | --show-patch | --upstream-diff
 * MODULE@VERSION]`.
 *
 * The patched copies of kustomize are made first (src/engine/patch) and the strategies of Kubernetes (src/engine/apply/strategies),
 * then the WebAssembly modules, all below src/engine/.build: `render`, and `apply` and `helm`, Go modules of their own. What
 * the package ships goes to dist/engine: the modules, started once (snapshot.mjs) and compressed; Go's own glue of the same version;
 * and the SHA-256 of each uncompressed module, which any machine with this toolchain must get again (`--check`). `--native` and
 * `--probe` build what the tests need and print its path: the engine as a program that reads folders, and a module that tries the
 * walls around it.
 *
 * `--program[=SYSTEM]` builds the modules as programs, as they are shipped for a system, this one by default, and prints their paths
 * (programs.mjs makes packages of them, with what `--licenses=SYSTEM` prints). None is committed: their SHA-256 is, in
 * dist/engine/programs.sha256, and the command starts no other. `--check` compares that of this system, and with `--all` those of all.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { sha256, writeChecksums } from './checksums.mjs';
import { goEnv, hasGo, programEnv } from './go.mjs';
import { goLicenses } from './licenses.mjs';
import { fileOf, here, programs, systems } from './programs.mjs';
import { snapshotOf } from './snapshot.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const engine = join(root, 'src/engine');
const apply = join(engine, 'apply');
const build = join(engine, '.build');
const dist = join(root, 'dist/engine');
const flags = new Set(argv.slice(2));

/** The Go tool follows the toolchain line of go.mod, so that the same compiler builds everywhere. */
const go = (args, more = {}, cwd = engine) =>
  execFileSync('go', args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
    env: goEnv(more),
  });

const compile = (output, folder, more) =>
  go(
    [
      'build',
      '-p=2',
      '-modfile=.build/go.mod',
      '-buildvcs=false',
      '-tags=kustomize_disable_go_plugin_support',
      '-ldflags=-s -w -buildid=',
      '-o',
      output,
      folder,
    ],
    more,
  );

/** Of a Go module of its own, in a folder of that name. */
const compileOf = (name) => (output, folder, more) =>
  go(
    [
      'build',
      '-p=2',
      `-modfile=../.build/${name}/go.mod`,
      '-buildvcs=false',
      '-ldflags=-s -w -buildid=',
      '-o',
      output,
      folder,
    ],
    more,
    join(engine, name),
  );

/** The Go files of a module below a folder, and the locked versions of the others. */
function inputs(folder = engine) {
  return readdirSync(folder)
    .filter(
      (name) =>
        !['.build', 'parity', 'suite', 'apply', 'helm', 'registry'].includes(name) && !name.endsWith('_test.go'),
    )
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return inputs(path);
      return /\.(go|mod|sum|txt|json)$/.test(name) ? [path] : [];
    });
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Runs a step unless it ran on the same inputs before and left its output. */
function once(step, output, paths, run) {
  const stamp = join(build, `${step}.stamp`);
  const hash = hashOf(paths);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  run();
  writeFileSync(stamp, hash);
}

const builds = { render: '.build', apply: '.build/apply', helm: '.build/helm' };
const patch = (of, ...args) => go(['run', '-p=2', './patch', '-of', of, '-out', builds[of], ...args]);
const patched = (of, folder) =>
  once(
    `patch-${of}`,
    join(engine, builds[of], 'go.mod'),
    [join(folder, 'go.mod'), join(folder, 'go.sum'), ...inputs(join(engine, 'patch'))],
    () => {
      mkdirSync(join(engine, builds[of]), { recursive: true });
      patch(of);
    },
  );

/** What the apply module has of k8s.io/kubernetes/pkg/registry, which no repository holds twice. */
const strategies = () =>
  once(
    'strategies',
    join(apply, 'registry/core/pod/strategy.go'),
    [join(apply, 'go.mod'), join(apply, 'go.sum'), ...inputs(join(apply, 'strategies'))],
    () => go(['run', '-p=2', './strategies', 'registry'], {}, apply),
  );

/** A module as a program, as it is shipped for a system. */
function programOf(name, system) {
  const output = join(build, 'programs', system, fileOf(name, system));
  const [GOOS, GOARCH] = systems[system];
  const [paths, compileOne] = name === 'render' ? [inputs(), compile] : [inputsOf(name), compileOf(name)];
  once(`program-${name}-${system}`, output, paths, () => {
    stderr.write(`building the module ${name} as a program for ${system}\n`);
    compileOne(output, './cmd/program', { ...programEnv, GOOS, GOARCH });
  });
  return output;
}

const programSums = join(dist, 'programs.sha256');

/** What is committed of the programs, with those of `rebuilt` as this tree builds them. */
function sumsOf(rebuilt) {
  const lines = existsSync(programSums) ? readFileSync(programSums, 'utf8').split('\n') : [];
  const known = new Map(lines.filter(Boolean).map((line) => line.split('  ').reverse()));
  const all = Object.keys(systems).flatMap((system) =>
    programs.map((name) => ({ system, name, key: `${system}/${name}` })),
  );
  for (const { system, name, key } of all)
    if (rebuilt.includes(system)) known.set(key, sha256(readFileSync(programOf(name, system))));
  return all
    .filter(({ key }) => known.has(key))
    .map(({ key }) => `${known.get(key)}  ${key}\n`)
    .join('');
}

async function main() {
  if (flags.has('--check') && !hasGo()) {
    stdout.write('skipped: dist/engine is not compared with its source, as Go is not installed\n');
    return 0;
  }
  mkdirSync(build, { recursive: true });
  if (flags.has('--show-patch')) {
    for (const of of Object.keys(builds)) stdout.write(patch(of, '-show-patch'));
    return 0;
  }
  if (flags.has('--upstream-diff')) {
    for (const of of Object.keys(builds)) stdout.write(patch(of, '-upstream-diff', argv.at(-1)));
    return 0;
  }
  patched('render', engine);
  patched('apply', apply);
  patched('helm', join(engine, 'helm'));
  strategies();
  if (flags.has('--native')) {
    const native = join(build, 'native');
    once('native', native, inputs(), () => compile(native, './cmd/native', programEnv));
    stdout.write(`${native}\n`);
    return 0;
  }

  const program = [...flags].find((flag) => flag.startsWith('--program'));
  if (program) {
    const [, system = here] = program.split('=');
    for (const name of programs) stdout.write(`${programOf(name, system)}\n`);
    return 0;
  }

  const licensed = [...flags].find((flag) => flag.startsWith('--licenses='));
  if (licensed) {
    const [GOOS, GOARCH] = systems[licensed.split('=')[1]];
    stdout.write(licenses('./cmd/program', { GOOS, GOARCH }));
    return 0;
  }

  if (flags.has('--probe')) {
    const probe = join(build, 'probe.wasm');
    once('probe', probe, inputs(), () => compile(probe, './cmd/probe', { GOOS: 'js', GOARCH: 'wasm' }));
    stdout.write(`${probe}\n`);
    return 0;
  }

  const wasm = { GOOS: 'js', GOARCH: 'wasm' };
  const modules = [];
  for (const module of [
    { name: 'render', step: 'wasm', paths: inputs(), compile: (output) => compile(output, './cmd/js', wasm) },
    ...['apply', 'helm'].map((name) => ({
      name,
      step: name,
      paths: inputsOf(name),
      compile: (output) => compileOf(name)(output, './cmd/js', wasm),
    })),
  ])
    modules.push(await built(module));
  if (flags.has('--check')) {
    const sums = sumsOf(flags.has('--all') ? Object.keys(systems) : here in systems ? [here] : []);
    const isSame = readFileSync(programSums, 'utf8') === sums;
    if (!isSame) stderr.write('dist/engine/programs.sha256 is not of what this tree builds\n');
    const isRest = [compared('wasm_exec.js', glue()), compared('licenses.txt', licenses())].every(Boolean);
    return modules.map(check).every(Boolean) && isSame && isRest ? 0 : 1;
  }
  const sums = sumsOf(Object.keys(systems));
  mkdirSync(dist, { recursive: true });
  writeFileSync(programSums, sums);
  writeChecksums(join(root, 'dist'));

  const stale = modules.filter(({ current }) => !current);
  if (stale.length === 0) return 0;
  for (const module of stale) pack(module);
  writeFileSync(join(dist, 'wasm_exec.js'), glue());
  writeFileSync(join(dist, 'licenses.txt'), licenses());
  writeChecksums(join(root, 'dist'));
  return 0;
}

/** What another module is built of. */
function inputsOf(name) {
  return [...inputs(join(engine, name)), ...inputs(join(engine, 'program')), ...inputs(join(engine, 'patch'))];
}

/** What Go’s own start needs of JavaScript. */
function glue() {
  return readFileSync(join(go(['env', 'GOROOT']).toString().trim(), 'lib/wasm/wasm_exec.js'), 'utf8');
}

/** What a module is now, and what is committed of it. */
async function built({ name, step, paths, compile }) {
  const module = join(build, `${name}.wasm`);
  once(step, module, paths, () => compile(module));
  const bytes = await snapshotOf(readFileSync(module), glue());
  const version = go(['env', 'GOVERSION']).toString().trim();
  const record = `${sha256(bytes)}  ${name}.wasm\n# ${bytes.length} bytes, ${version}\n`;
  const recordFile = join(dist, `${name}.sha256`);
  const packed = join(dist, `${name}.wasm.br`);
  const committed = existsSync(recordFile) ? readFileSync(recordFile, 'utf8') : '';
  return { name, bytes, record, recordFile, packed, committed, current: committed === record && existsSync(packed) };
}

function check({ name, record, packed, committed }) {
  const shipped = existsSync(packed) ? sumUnpacked(readFileSync(packed)) : '';
  if (shipped && committed === record && record.startsWith(shipped)) return true;
  stderr.write(`dist/engine/${name}.wasm.br is not what this tree builds:\n- ${committed}+ ${record}`);
  return false;
}

function compared(file, text) {
  const isSame = readFileSync(join(dist, file), 'utf8') === text;
  if (!isSame) stderr.write(`dist/engine/${file} is not what this tree builds\n`);
  return isSame;
}

/** Empty where it cannot be unpacked. */
function sumUnpacked(bytes) {
  try {
    return sha256(brotliDecompressSync(bytes));
  } catch {
    return '';
  }
}

function pack({ bytes, record, recordFile, packed }) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: 11,
    [BROTLI_PARAM_LGWIN]: 24,
    [BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(packed, brotliCompressSync(bytes, { params }));
  writeFileSync(recordFile, record);
  const [, , ...about] = record.split(/ +|\n# /);
  stdout.write(`${packed.slice(dist.length + 1)}: ${about.join(' ').trim()}, ${statSync(packed).size} compressed\n`);
}

/** Those of all modules, or of what is built of them for a system, each text once. */
function licenses(...what) {
  const goOf = (name) => (args, more) =>
    go(
      args.map((argument) => (argument.startsWith('-modfile=') ? `-modfile=../.build/${name}/go.mod` : argument)),
      more,
      join(engine, name),
    );
  const texts = new Set();
  const separator = /\n(?=(?:Go|[\w.-]+\.[a-z]+(?:\/[\w.~-]+)+)\n)/;
  for (const text of [go, goOf('apply'), goOf('helm')].map((tool) => goLicenses(tool, ...what)))
    for (const one of text.split(separator)) texts.add(one.trim());
  return `${[...texts].sort().join('\n\n')}\n`;
}

// Not exit(): a pipe may not have taken all of the output yet.
process.exitCode = await main();
