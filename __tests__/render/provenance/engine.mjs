/** Long-lived programs that render: ours natively, and the real packages beside it. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { goEnv, hasGo } from '../../../src/build/go.mjs';
import { framed } from '../../../src/engine/smoke/frames.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const build = join(root, 'src/engine/.build');

/** The reason why nothing can be rendered natively; undefined where it can. */
export function missing() {
  if (env.CUSTOMIZER_LINT_NATIVE && env.CUSTOMIZER_LINT_REFERENCE) return undefined;
  return hasGo() ? undefined : 'Go is not installed';
}

/** The native engine, built if it is not up to date. `CUSTOMIZER_LINT_NATIVE` names another one. */
export function nativeProgram() {
  if (env.CUSTOMIZER_LINT_NATIVE) return env.CUSTOMIZER_LINT_NATIVE;
  const { status, stdout } = spawnSync(execPath, [join(root, 'src/build/engine.mjs'), '--native'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the native engine does not build');
  return stdout.trim();
}

/** The parity tests' worker, which is linked with the packages as they are released. `CUSTOMIZER_LINT_REFERENCE` names another. */
export function referenceProgram() {
  if (env.CUSTOMIZER_LINT_REFERENCE) return env.CUSTOMIZER_LINT_REFERENCE;
  const program = join(build, 'parity-worker');
  mkdirSync(build, { recursive: true });
  const args = ['test', '-c', '-p=2', '-o', program, '.'];
  const { status } = spawnSync('go', args, { cwd: join(root, 'src/engine/parity'), env: goEnv(), stdio: 'inherit' });
  if (status !== 0) throw new Error('the reference does not build');
  return program;
}

/** A program that answers every call with one message. Calls may overlap; answers come in order. */
class Process {
  #waiting = [];
  #rest = Buffer.alloc(0);

  constructor(program, args, more) {
    this.child = spawn(program, args, { stdio: 'pipe', env: { ...env, ...more } });
    this.child.stdout.on('data', (chunk) => this.#take(chunk));
    // Kustomize warns of every deprecated field; the end of it counts where the program does not live.
    let said = '';
    this.child.stderr.on('data', (chunk) => {
      said = (said + chunk).slice(-4000);
    });
    this.child.on('close', () => {
      for (const { reject } of this.#waiting) reject(new Error(`${program} ended: ${said}`));
    });
  }

  #take(chunk) {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (let message = this.message(this.#rest); message; message = this.message(this.#rest)) {
      this.#rest = this.#rest.subarray(message.length);
      this.#waiting.shift().resolve(JSON.parse(message.text));
    }
  }

  send(bytes) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.child.stdin.write(bytes);
    });
  }

  close() {
    this.child.stdin.end();
  }
}

const frame = (header, files = []) =>
  Buffer.concat([JSON.stringify(header), ...files.flat()].map((part) => framed(Buffer.from(part))));

export class NativeEngine extends Process {
  constructor(program = nativeProgram()) {
    super(program, ['-serve']);
  }

  message(bytes) {
    if (bytes.length < 4) return undefined;
    const length = 4 + bytes.readUInt32LE(0);
    return bytes.length < length ? undefined : { length, text: bytes.subarray(4, length) };
  }

  /** Takes a tree, as a map of texts by path, for the builds that follow. */
  load(files) {
    return this.send(framed(frame({ op: 'load' }, [...files])));
  }

  /** The objects that Flux would apply, or the reason why there are none. */
  async build(path, kustomization = {}) {
    const answer = await this.send(
      framed(frame({ op: 'build', path, kustomization, output: 'objects', marked: false })),
    );
    if (!answer.ok) return { ok: false, message: answer.error.message };
    const kept = answer.objects.filter(({ dropped }) => dropped === undefined);
    return { ok: true, objects: kept.map(({ value }) => value), files: answer.files };
  }

  /** Both calls are sent at once, so that renders may overlap. */
  async render(files, path, kustomization) {
    const [, built] = await Promise.all([this.load(files), this.build(path, kustomization)]);
    return built;
  }
}

/** Kustomize and Flux as they are released. It keeps a copy of every tree, so it is for short lives. */
export class Reference extends Process {
  #folder = mkdtempSync(join(tmpdir(), 'provenance-'));
  #count = 0;

  constructor(program = referenceProgram()) {
    super(program, [], { PARITY_WORKER: '1' });
  }

  message(bytes) {
    const end = bytes.indexOf(10);
    return end < 0 ? undefined : { length: end + 1, text: bytes.subarray(0, end) };
  }

  /** `{ yaml }` or `{ error }`. */
  async render(files, path, spec = {}) {
    const repository = join(this.#folder, String(this.#count++));
    for (const [name, text] of files) {
      mkdirSync(dirname(join(repository, name)), { recursive: true });
      writeFileSync(join(repository, name), text);
    }
    const verdict = await this.send(`${JSON.stringify({ repository, path, spec })}\n`);
    rmSync(repository, { recursive: true });
    return verdict;
  }

  close() {
    super.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
