/** A frame out, an answer in, within the budget: with a module in a thread (thread.ts), or with a program (program.ts). */
import { reasonOf, UnreadableError } from '../../core/unreadable.js';
import type { Budget } from './budget.js';
import { Stopped } from './stopped.js';

// biome-ignore lint/suspicious/noExplicitAny: as Node types what listens
type Listener = (...values: any[]) => void;

/** What answers frames, one at a time and in order: a `Worker`, or what behaves like one. */
export type Answerer = {
  postMessage(frame: Uint8Array<ArrayBuffer>, transfer: ArrayBuffer[]): void;
  /** Resolves once it has all that was posted; without it, it has it at once. */
  taken?(): Promise<void>;
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
  terminate(): Promise<unknown>;
  /** Bytes of memory that are not this process's own. */
  memory?(): number;
};

/** As V8 says it, and Go's runtime in two ways. */
const noMemory = /out of memory|cannot allocate memory/;

/** What ended one. */
const failures = new WeakMap<Answerer, Error>();
const ended = new WeakSet<Answerer>();

/** What ends it between two calls is told to the next one. */
export function noteFailures(answerer: Answerer): void {
  answerer.on('error', (error: Error) => failures.set(answerer, error));
  answerer.on('exit', () => ended.add(answerer));
}

/** Whether it can be asked nothing more. */
export function isOver(answerer: Answerer): boolean {
  return failures.has(answerer) || ended.has(answerer);
}

/** An engine that the system does not let start (too few file descriptors) says nothing of what it was to build. */
function failureOf(error: Error): Error {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isSystems = code === 'ERR_WORKER_INIT_FAILED' || (typeof code === 'string' && typeof syscall === 'string');
  if (isSystems) return new UnreadableError(`the engine cannot be started: ${reasonOf(error)}`);
  return new Stopped(`the engine crashed: ${error.message}`, false);
}

/**
 * One frame out, one answer in. Rejects with `Stopped` where the engine ends, or the budget does first, of which the time is
 * taken. The frame is the engine's then; the engine goes on in any case. `meanwhile` is done by this thread once the engine has the
 * frame, if it has not answered by then: its time is not the engine's.
 */
export function exchange(
  answerer: Answerer,
  frame: Uint8Array<ArrayBuffer>,
  budget: Budget,
  meanwhile?: () => void,
): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const begin = performance.now();
    let [elsewhere, isDone] = [0, false];
    const spent = () => (performance.now() - begin) / 1000 - elsewhere;
    const late = () => {
      const left = budget.left - spent();
      if (left <= 0) done(new Stopped(budget.timeIsUp, true));
      else deadline = setTimeout(late, Math.ceil(left * 1000));
    };
    let deadline = setTimeout(late, budget.left * 1000);
    const measured = () => {
      if (budget.isFull(answerer.memory?.())) done(new Stopped(budget.memoryIsUp, true));
    };
    const memory = setInterval(measured, 20);
    const failed = (error: Error) =>
      done(noMemory.test(error.message) ? new Stopped(budget.memoryIsUp, true) : failureOf(error));
    const gone = () => done(new Stopped('the engine ended without an answer', false));
    const done = (result: Uint8Array | Error) => {
      isDone = true;
      budget.spend(spent());
      clearTimeout(deadline);
      clearInterval(memory);
      answerer.off('message', done);
      answerer.off('error', failed);
      answerer.off('exit', gone);
      if (result instanceof Error) reject(result);
      else resolve(Buffer.from(result.buffer, result.byteOffset, result.byteLength).toString('utf8'));
    };
    const besides = () => {
      if (isDone) return;
      const before = spent();
      meanwhile?.();
      elsewhere = spent() - before;
      measured();
    };
    const failure = failures.get(answerer);
    if (failure) return failed(failure);
    if (ended.has(answerer)) return gone();
    answerer.on('message', done);
    answerer.on('error', failed);
    answerer.on('exit', gone);
    answerer.postMessage(frame, [frame.buffer]);
    if (meanwhile) void (answerer.taken?.() ?? Promise.resolve()).then(besides).catch(done);
  });
}

/** Chunks as an engine reads them: each behind its length, a little-endian uint32. */
export function frameOf(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(new ArrayBuffer(chunks.reduce((size, chunk) => size + 4 + chunk.length, 0)));
  const view = new DataView(frame.buffer);
  let offset = 0;
  for (const chunk of chunks) {
    view.setUint32(offset, chunk.length, true);
    frame.set(chunk, offset + 4);
    offset += 4 + chunk.length;
  }
  return frame;
}
