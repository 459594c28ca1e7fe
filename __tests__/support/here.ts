/**
 * The command in this process, from the source: as `runCli` without a process and without a bundle, and so a fraction of its time.
 * What a process alone can show (its exit status, closed streams, a working directory) stays with `runCli`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterAll, jest } from '@jest/globals';
import type { Program } from '../../src/cli/program.js';
import type { ApplyEngine as Server } from '../../src/engine/host/apply-engine.js';
import { type ModuleName, NoProgram } from '../../src/engine/host/installed.js';
import type * as Thread from '../../src/engine/host/thread.js';
import type { Allowed } from '../../src/engine/host/worker.js';
import { cannot, formatFatal } from '../../src/lint/process.js';
import { root } from './cli.js';

export type Shown = { status: number; stdout: string; stderr: string };

const thread = await import('../../src/engine/host/thread.js');
let isReplaced = false;
jest.unstable_mockModule('../../src/engine/host/thread.js', () => {
  isReplaced = true;
  return { ...thread, startThread: startOrReuse };
});

// A program that `npm test` has installed is for the suites that start processes.
const program = await import('../../src/engine/host/program.js');
const startProgram = async () => {
  throw new NoProgram('the engines of these tests are shared');
};
jest.unstable_mockModule('../../src/engine/host/program.js', () => ({ ...program, startProgram }));

/** What one of several runs needs, a process cannot tell: none is stopped for its memory. */
const { Budget, ...others } = await import('../../src/engine/host/budget.js');
class SharedBudget extends Budget {
  override isFull() {
    return false;
  }
}
jest.unstable_mockModule('../../src/engine/host/budget.js', () => ({ ...others, Budget: SharedBudget }));
const { Builder } = await import('../../src/render/render.js');
const { ApplyEngine } = await import('../../src/engine/host/apply-engine.js');
const { main } = await import('../../src/cli/main.js');
if (!isReplaced) throw new Error('engines are loaded before those of here.ts: `await import` what uses them, after it');

// What is rendered is shared by clusters, rules and stages: whoever writes into it fails here.
const build = Builder.prototype.build;
Builder.prototype.build = async function (entrypoint) {
  const outcome = await build.call(this, entrypoint);
  if (outcome.ok)
    for (const { ref, value, source } of outcome.objects) for (const part of [ref, value, source]) freeze(part);
  return outcome;
};

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const one of Object.values(value)) freeze(one);
}

/** `cwd` is that of this whole process for the time: nothing else may run beside it. `isTTY`: the output is a terminal, of `columns`. */
export async function runHere(
  args: readonly string[],
  {
    cwd,
    isTTY = false,
    columns,
    env = {},
  }: { cwd?: string; isTTY?: boolean; columns?: number; env?: Record<string, string> } = {},
): Promise<Shown> {
  const shown = { status: 0, stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY: isTTY && name === 'stdout',
    columns,
    write: (text: string) => {
      shown[name] += text;
    },
  });
  const program: Program = { home: root, stdout: stream('stdout'), stderr: stream('stderr'), env };
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  try {
    shown.status = await main(args, program);
  } catch (error) {
    // As cli.ts does.
    program.stderr.write(`customizer-lint: ${formatFatal(error, () => 'this is a bug of the linter')}\n`);
    shown.status = cannot;
  } finally {
    if (cwd !== undefined) process.chdir(before);
  }
  return shown;
}

/** Hosts of the render module that nobody uses, by the directory of the modules; the newest last. */
const idle: { key: string; host: ChildProcess }[] = [];
const maxIdle = 4;
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

/** In the place of a thread, an engine that is put back where it is told to end, unless it still has something to answer. */
class SharedEngine extends EventEmitter {
  #host: ChildProcess | undefined;
  #waiting = 0;
  #hasExited = false;
  private readonly key: string;

  constructor(
    private readonly name: ModuleName,
    private readonly home: string,
  ) {
    super();
    this.key = `${name} ${home}`;
  }

  get canBeReused() {
    return this.#waiting === 0 && !this.#hasExited;
  }

  postMessage(frame: Uint8Array<ArrayBuffer> | Allowed) {
    // The host has let its module have all.
    if (!(frame instanceof Uint8Array)) return;
    this.#host ??= this.#use(this.#found() ?? startHost(this.home, this.name));
    this.#waiting += 1;
    this.#host.channel?.ref();
    this.#host.send(frame);
  }

  #found(): ChildProcess | undefined {
    const index = idle.findLastIndex(({ key }) => key === this.key);
    return index < 0 ? undefined : idle.splice(index, 1)[0]?.host;
  }

  #use(host: ChildProcess): ChildProcess {
    host.on('message', (answer: Uint8Array) => {
      this.#waiting -= 1;
      if (this.#waiting === 0) host.channel?.unref();
      this.emit('message', answer);
    });
    host.on('exit', (code) => {
      this.#hasExited = true;
      this.emit('exit', code);
    });
    return host;
  }

  async terminate(): Promise<number> {
    const host = this.#host;
    if (!host) return 0;
    // The render module takes a tree in place of another; what the apply module was told it keeps (see below).
    if (!this.canBeReused || this.name === 'apply') host.kill('SIGKILL');
    else {
      host.removeAllListeners('message').removeAllListeners('exit');
      host.once('exit', () => hosts.delete(host));
      idle.push({ key: this.key, host });
      if (idle.length > maxIdle) idle.shift()?.host.kill('SIGKILL');
    }
    return 0;
  }
}

/**
 * An API server that is no longer asked serves the next run as it serves the next cluster of a fleet: what it was told of others is
 * known to the product (simulate/seed.ts).
 */
const servers: { home: string; server: Server }[] = [];
const open = ApplyEngine.open.bind(ApplyEngine);
ApplyEngine.open = async (home, budget) => {
  if (!budget) return open(home);
  const index = servers.findLastIndex((one) => one.home === home);
  const found = index < 0 ? undefined : servers.splice(index, 1)[0]?.server;
  if (found) {
    Object.assign(callsOf(found), { budget });
    return found;
  }
  const server = await open(home, budget);
  const { answerer } = callsOf(server);
  server.close = async () => {
    if (!answerer.canBeReused) await answerer.terminate();
    else servers.push({ home, server });
  };
  return server;
};

function callsOf(server: Server): { answerer: SharedEngine } {
  return (server as unknown as { calls: { answerer: SharedEngine } }).calls;
}
