/**
 * A module as a program of this system (src/engine/program), from a package of its own that npm installs where it fits. It is started only where its bytes are those that the build names, gets no environment and no directory of ours, and locks itself
 * in before it reads: then it can do no more than the module can (docs/trust.md).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash, webcrypto } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join, parse } from 'node:path';
import { type Budget, defaultLimits, type Limits } from './budget.js';
import { frameOf, noteFailures } from './exchange.js';
import { findProgram, type ModuleName, NoProgram, system } from './installed.js';

/** Throws `NoProgram` where the SHA-256 is not that of what was built with this version. */
function check(home: string, name: ModuleName, file: string, sum: string): void {
  const sums = readFileSync(join(home, 'programs.sha256'), 'utf8').split('\n');
  if (!sums.includes(`${sum}  ${system}/${name}`)) throw new NoProgram(`${file} is not the program of this version`);
}

/** The SHA-256 of a file, in another thread. */
async function sumElsewhere(file: string): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', await readFile(file))).toString('hex');
}

/** In pieces, as most of the time would go to memory for the whole. */
function sumOf(file: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceBytes);
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const length = readSync(descriptor, piece);
      if (length === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

const pieceBytes = 1 << 18;

const begun = new Map<string, Promise<EngineProcess>>();

/** Begins what `startProgram` will be asked for. */
export function beginProgram(home: string, name: ModuleName, file: string): void {
  if (begun.has(join(home, name))) return;
  // It is on its way when this returns, so that it starts while the rest of the command is loaded, which leaves no time for promises.
  const one = (async () => {
    check(home, name, file, sumOf(file));
    return start(file, defaultLimits);
  })();
  // It is told to who asks for it.
  one.catch(() => {});
  begun.set(join(home, name), one);
}

/** Leaves one that has done its work to who asks next. There is one of a kind: where another one waits already, this one is ended. */
export function keepProgram(home: string, name: ModuleName, program: EngineProcess): void {
  const key = join(home, name);
  if (begun.has(key) || !program.isUp || program.memory() > keptBytes) void program.terminate();
  else begun.set(key, Promise.resolve(program));
}

/** A program that has grown to more than most need gives its memory back by being started anew. */
const keptBytes = 256 << 20;

/**
 * Throws `NoProgram` where there is none, where it is another, or, unless `unlocked`, where the system does not let it lock itself in.
 * It does not keep the process alive.
 */
export async function startProgram(
  home: string,
  name: ModuleName,
  { limits }: Budget,
  unlocked = false,
): Promise<EngineProcess> {
  const waiting = begun.get(join(home, name));
  begun.delete(join(home, name));
  const early = await waiting;
  // It may have waited for long (`check --watch`).
  const program = early?.isUp ? early : await checkAndStart(home, name, limits);
  if (program.why === undefined || unlocked) return program;
  await program.terminate();
  throw new NoProgram(`it is not locked in: ${program.why}`);
}

async function checkAndStart(home: string, name: ModuleName, limits: Limits): Promise<EngineProcess> {
  const file = findProgram(home, name);
  check(home, name, file, await sumElsewhere(file));
  return start(file, limits);
}

async function start(file: string, limits: Limits): Promise<EngineProcess> {
  const child = spawn(file, ['-memory', String(limits.bytes)], {
    env: {},
    cwd: parse(file).root,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const program = new EngineProcess(child);
  await program.ready(Math.min(patience, limits.seconds * shareOfRun));
  return program;
}

/** Of what it prints before it dies, as much as tells why. */
const maxLastWords = 8192;
/** Seconds for its first words, which take a hundredth of one; no more than so much of what the run may take, as the module comes next. */
const patience = 10;
const shareOfRun = 1 / 4;
const pageBytes = 4096;

/** As an answerer is: `message` with each answer, `error` where it cannot be started or dies, `exit`. */
export class EngineProcess extends EventEmitter {
  /** Why it is not locked in; undefined where it is. */
  why: string | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #lastWords = '';
  #taken: Promise<void> = Promise.resolve();

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    super();
    noteFailures(this);
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref?.();
    child.stdin.on('error', () => {}); // it has ended, which is told
    child.stderr.on('data', (text) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(0, maxLastWords);
    });
    child.stdout.on('data', (bytes: Buffer) => this.#read(bytes));
    child.on('error', (error) => this.emit('error', error));
    child.on('close', (code, signal) => {
      if (this.#lastWords !== '') this.emit('error', new Error(this.#lastWords));
      this.emit('exit', code ?? signal);
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
  }

  /** Once it has said whether it is locked in. Rejects with `NoProgram` where it cannot be started, or says nothing. */
  async ready(seconds: number): Promise<void> {
    // What keeps nothing alive would end the process here.
    this.child.ref();
    const ended = new Promise<never>((_, reject) => {
      this.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    const silent = AbortSignal.timeout(seconds * 1000);
    try {
      const [first] = await Promise.race([once(this, 'message', { signal: silent }), ended]);
      const said = JSON.parse(Buffer.from(first).toString('utf8')) as { locked: boolean; why?: string };
      this.why = said.locked ? undefined : (said.why ?? '');
    } catch (error) {
      await this.terminate();
      const why = silent.aborted ? `it said nothing for ${seconds} s` : (error as Error).message;
      throw new NoProgram(`it cannot be started: ${why}`);
    }
    this.child.unref();
  }

  get isUp(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  postMessage(frame: Uint8Array<ArrayBuffer>): void {
    this.#taken = new Promise((resolve) => {
      this.child.stdin.write(frameOf([frame]), () => resolve());
    });
  }

  taken(): Promise<void> {
    return this.#taken;
  }

  async terminate(): Promise<void> {
    this.child.kill('SIGKILL');
  }

  /** Resident bytes; 0 where the system does not say. */
  memory(): number {
    if (platform() !== 'linux') return 0;
    try {
      const [, resident] = readFileSync(`/proc/${this.child.pid}/statm`, 'utf8').split(' ');
      return Number(resident) * pageBytes;
    } catch {
      return 0; // it has ended
    }
  }

  #read(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    for (;;) {
      const head = this.#length < 4 ? undefined : this.#front(4).readUInt32LE(0);
      if (head === undefined || this.#length < 4 + head) return;
      const all = this.#front(4 + head);
      this.#chunks = [all.subarray(4 + head)];
      this.#length -= 4 + head;
      this.emit('message', new Uint8Array(all.buffer, all.byteOffset + 4, head));
    }
  }

  /** The first chunk, with at least so many bytes in it. */
  #front(length: number): Buffer {
    if ((this.#chunks[0]?.length ?? 0) < length) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] as Buffer;
  }
}
