/**
 * Builds the engine: `npm run build:engine [-- --check | --native | --probe | --show-patch]`.
 *
 * The patched copies of kustomize are made first (src/engine/patch), then the WebAssembly module, all below
 * src/engine/.build. What the package ships goes to dist/engine: the module, compressed; Go's own glue of the same version;
 * and the SHA-256 of the uncompressed module, which any machine with this toolchain must get again (`--check`).
 * `--native` and `--probe` build what the tests need and print its path: the engine as a program, and a module that tries the
 * walls around it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, env, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { goLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const engine = join(root, 'src/engine');
const build = join(engine, '.build');
const dist = join(root, 'dist/engine');
const flags = new Set(argv.slice(2));

/** The Go tool follows the toolchain line of go.mod, so that the same compiler builds everywhere. */
const go = (args, more = {}) =>
  execFileSync('go', args, {
    cwd: engine,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
    env: { ...env, GOFLAGS: '', ...more },
  });

const compile = (output, folder, more) =>
  go(
    [
      'build',
      '-p=2',
      '-modfile=.build/go.mod',
      '-trimpath',
      '-buildvcs=false',
      '-tags=kustomize_disable_go_plugin_support',
      '-ldflags=-s -w -buildid=',
      '-o',
      output,
      folder,
    ],
    more,
  );

/** Our Go files below a folder, and the locked versions of the others. */
function inputs(folder = engine) {
  return readdirSync(folder)
    .filter((name) => name !== '.build' && name !== 'parity' && name !== 'suite' && !name.endsWith('_test.go'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return inputs(path);
      return /\.(go|mod|sum|txt)$/.test(name) ? [path] : [];
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

const patch = (...args) => go(['run', '-p=2', './patch', '-out', '.build', ...args]);
const patched = () =>
  once(
    'patch',
    join(build, 'go.mod'),
    [join(engine, 'go.mod'), join(engine, 'go.sum'), ...inputs(join(engine, 'patch'))],
    () => patch(),
  );

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Without Go nothing can be compared; whoever checks is told so. */
function goIsThere() {
  try {
    go(['version']);
    return true;
  } catch {
    return false;
  }
}

function main() {
  if (flags.has('--check') && !goIsThere()) {
    stdout.write('skipped: dist/engine is not compared with its source, as Go is not installed\n');
    return 0;
  }
  mkdirSync(build, { recursive: true });
  if (flags.has('--show-patch')) {
    stdout.write(patch('-show-patch'));
    return 0;
  }
  patched();
  if (flags.has('--native')) {
    const native = join(build, 'native');
    once('native', native, inputs(), () => compile(native, './cmd/native'));
    stdout.write(`${native}\n`);
    return 0;
  }

  if (flags.has('--probe')) {
    const probe = join(build, 'probe.wasm');
    once('probe', probe, inputs(), () => compile(probe, './cmd/probe', { GOOS: 'js', GOARCH: 'wasm' }));
    stdout.write(`${probe}\n`);
    return 0;
  }

  const module = join(build, 'render.wasm');
  once('wasm', module, inputs(), () => compile(module, './cmd/js', { GOOS: 'js', GOARCH: 'wasm' }));
  const bytes = readFileSync(module);
  const version = go(['env', 'GOVERSION']).toString().trim();
  const record = `${sha256(bytes)}  render.wasm\n# ${bytes.length} bytes, ${version}\n`;
  const recordFile = join(dist, 'render.sha256');
  const committed = existsSync(recordFile) ? readFileSync(recordFile, 'utf8') : '';
  if (flags.has('--check')) {
    const shipped = sha256(brotliDecompressSync(readFileSync(join(dist, 'render.wasm.br'))));
    if (committed === record && record.startsWith(shipped)) return 0;
    stderr.write(`dist/engine is not what this tree builds:\n- ${committed}+ ${record}`);
    return 1;
  }
  const packed = join(dist, 'render.wasm.br');
  if (committed === record && existsSync(packed)) return 0;

  mkdirSync(dist, { recursive: true });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: 11,
    [BROTLI_PARAM_LGWIN]: 24,
    [BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(packed, brotliCompressSync(bytes, { params }));
  const glue = join(go(['env', 'GOROOT']).toString().trim(), 'lib/wasm/wasm_exec.js');
  writeFileSync(join(dist, 'wasm_exec.js'), readFileSync(glue));
  writeFileSync(join(dist, 'licenses.txt'), goLicenses(go));
  writeFileSync(recordFile, record);
  stdout.write(`render.wasm: ${bytes.length} bytes, ${statSync(packed).size} compressed, ${version}\n`);
  return 0;
}

// Not exit(): a pipe may not have taken all of the output yet.
process.exitCode = main();
