/**
 * The command in this process, from the source: as `runCli` without a process and without a bundle, and so a fraction of its time.
 * What a process alone can show (its exit status, closed streams, a working directory) stays with `runCli`.
 */
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

/** Threads that nobody uses, by what they were started with. The render module takes a tree in place of another. */
const idle = new Map<string, Worker[]>();
const threads: (() => Promise<number>)[] = [];
afterAll(() => Promise.all(threads.map((end) => end())));

async function startOrReuse(...[home, name, budget]: Parameters<typeof Thread.startThread>): Promise<Worker> {
  if (name !== 'render') return thread.startThread(home, name, budget);
  const key = `${home} ${budget.limits.bytes}`;
  return idle.get(key)?.pop() ?? reusable(key, await thread.startThread(home, name, budget));
}

/** A thread that is put back where it has been told to end, unless it still has something to answer. */
function reusable(key: string, worker: Worker): Worker {
  const end = worker.terminate.bind(worker);
  threads.push(end);
  const post = worker.postMessage.bind(worker);
  let waiting = 0;
  let hasEnded = false;
  worker.on('message', () => {
    waiting -= 1;
  });
  worker.on('exit', () => {
    hasEnded = true;
  });
  worker.postMessage = (...args: Parameters<typeof post>) => {
    waiting += 1;
    post(...args);
  };
  worker.terminate = () => {
    if (waiting > 0 || hasEnded) return end();
    idle.set(key, [...(idle.get(key) ?? []), worker]);
    return Promise.resolve(0);
  };
  return worker;
}
