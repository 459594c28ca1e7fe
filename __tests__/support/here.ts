/**
 * The command in this process, from the source: as `runCli` without a process and without a bundle, and so a fraction of its time.
 * What a process alone can show (its exit status, closed streams, a working directory) stays with `runCli`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterAll, jest } from '@jest/globals';
import type { Program } from '../../src/commands/program.js';
import { apologyFor, cannot } from '../../src/edge.js';
import type * as Thread from '../../src/engine/thread.js';
import { root } from './cli.js';

export type Shown = { status: number; stdout: string; stderr: string };

const thread = await import('../../src/engine/thread.js');
jest.unstable_mockModule('../../src/engine/thread.js', () => ({ ...thread, startThread: startOrReuse }));

/** What one of several runs needs, a process cannot tell: none is stopped for its memory. */
const { Budget, ...others } = await import('../../src/engine/budget.js');
class SharedBudget extends Budget {
  override get isFull() {
    return false;
  }
}
jest.unstable_mockModule('../../src/engine/budget.js', () => ({ ...others, Budget: SharedBudget }));
const { main } = await import('../../src/commands/main.js');

export async function runHere(args: readonly string[], env: Record<string, string> = {}): Promise<Shown> {
  const shown = { status: 0, stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      shown[name] += text;
    },
  });
  const program: Program = { home: root, stdout: stream('stdout'), stderr: stream('stderr'), env };
  try {
    shown.status = await main(args, program);
  } catch (error) {
    // As cli.ts does.
    program.stderr.write(`customizer-lint: ${apologyFor(error, () => 'this is a bug of the linter')}\n`);
    shown.status = cannot;
  }
  return shown;
}

/** Engines that nobody uses, by what they have been given; the newest last. */
const idle: { key: string; host: ChildProcess }[] = [];
/** Of each of the modules. */
const mostIdle = 4;
const hosts = new Set<ChildProcess>();
afterAll(() => {
  for (const host of hosts) host.kill('SIGKILL');
});

async function startOrReuse(...[home, name]: Parameters<typeof Thread.startThread>): Promise<Worker> {
  return new SharedEngine(name, home) as unknown as Worker;
}

function startHost(home: string, name: string): ChildProcess {
  const host = fork(`${root}__tests__/support/engine-host.mjs`, [home, name], {
    serialization: 'advanced',
    execArgv: [],
  });
  hosts.add(host);
  host.once('exit', () => hosts.delete(host));
  // Nobody waits for one that has nothing to do.
  host.unref();
  host.channel?.unref();
  return host;
}

const reset = () => thread.frameOf([Buffer.from(JSON.stringify({ op: 'ask', operations: [{ op: 'reset' }] }))]);

/**
 * In the place of a thread, an engine that is put back where it is told to end, unless it still has something to answer. The
 * render module takes a tree in place of another. The apply module forgets objects, but no definitions: it serves again who
 * begins with the same ones.
 */
class SharedEngine extends EventEmitter {
  #host: ChildProcess | undefined;
  #waiting = 0;
  #isSwallowing = false;
  #canBeReused = true;

  private key: string;
  private readonly hasDefinitions: boolean;

  constructor(
    private readonly name: 'render' | 'apply',
    private readonly home: string,
  ) {
    super();
    this.key = `${name} ${home}`;
    this.hasDefinitions = name === 'apply';
  }

  postMessage(frame: Uint8Array<ArrayBuffer>) {
    const isFirst = this.#host === undefined;
    const isDefinition = this.hasDefinitions && !Buffer.from(frame.buffer, 4, 16).includes('"ask"');
    if (isFirst && isDefinition) this.key += createHash('sha256').update(frame).digest('hex');
    else if (isDefinition) this.#canBeReused = false;
    const known = isFirst ? idle.findLastIndex(({ key }) => key === this.key) : -1;
    const found = known < 0 ? undefined : idle.splice(known, 1)[0]?.host;
    this.#host ??= this.#use(found ?? startHost(this.home, this.name));
    this.#isSwallowing = found !== undefined && this.hasDefinitions;
    this.#waiting += 1;
    this.#host.channel?.ref();
    this.#host.send(this.#isSwallowing ? reset() : frame);
  }

  #use(host: ChildProcess): ChildProcess {
    host.on('message', (answer: Uint8Array) => {
      this.#waiting -= 1;
      if (this.#waiting === 0) host.channel?.unref();
      // What was defined is; that everything is forgotten is not what was asked.
      this.emit('message', this.#isSwallowing ? Buffer.from('{"ok":true}') : answer);
    });
    host.on('exit', (code) => {
      this.#canBeReused = false;
      this.emit('exit', code);
    });
    return host;
  }

  async terminate(): Promise<number> {
    const host = this.#host;
    if (!host) return 0;
    if (this.#waiting > 0 || !this.#canBeReused) host.kill('SIGKILL');
    else {
      host.removeAllListeners('message').removeAllListeners('exit');
      host.once('exit', () => hosts.delete(host));
      idle.push({ key: this.key, host });
      const alike = idle.filter(({ key }) => key.startsWith(this.name));
      const oldest = alike.length > mostIdle ? idle.indexOf(alike[0] as (typeof idle)[number]) : -1;
      if (oldest >= 0) idle.splice(oldest, 1)[0]?.host.kill('SIGKILL');
    }
    return 0;
  }
}
