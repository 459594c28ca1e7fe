/** The apply module as the rest of the program sees it: an API server that is defined, then asked, and lives in a thread of its own. */
import type { Worker } from 'node:worker_threads';
import type { JsonObject } from '../model.js';
import type { Answer, ApplyRequest, AskResponse, DefineResponse, Operation } from './apply-protocol.js';
import { baselineOnly, startThread } from './thread.js';

/** `seconds` for one call, after which the thread is ended, with all that it holds. */
export type ApplyLimits = { seconds: number };

export class ApplyEngine {
  /** Calls are sent one after the other: the thread answers in order, and an answer does not say to what. */
  #turn: Promise<unknown> = Promise.resolve();
  #ended = false;

  private constructor(
    private readonly worker: Worker,
    private readonly limits: ApplyLimits,
  ) {
    worker.on('exit', () => {
      this.#ended = true;
    });
  }

  /**
   * Unpacks and starts the module; `home` is its directory, `dist/engine`. Throws where it is not there. Several may be open at a
   * time, each with objects of its own.
   */
  static async open(home: string, limits: ApplyLimits = { seconds: 60 }): Promise<ApplyEngine> {
    // Its functions are many, and each is called less often than pays for optimizing it: a third of the time for 1,000 Packages.
    baselineOnly();
    return new ApplyEngine(await startThread(home, 'apply'), limits);
  }

  /** CustomResourceDefinitions (v1). Throws where one cannot be served. */
  async define(definitions: JsonObject[]): Promise<void> {
    await this.#call<DefineResponse>({ op: 'define', definitions });
  }

  /** An answer for each operation. A call costs: send many operations at once. Throws only for a bug, and when time is up. */
  async ask(operations: Operation[]): Promise<Answer[]> {
    const response = await this.#call<AskResponse>({ op: 'ask', operations });
    return response.answers;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  #call<Response extends { ok: boolean }>(request: ApplyRequest): Promise<Extract<Response, { ok: true }>> {
    const answer = this.#turn.then(async () => {
      const response = JSON.parse(await this.#exchange(encode(request))) as {
        ok: boolean;
        error?: { message: string };
      };
      if (!response.ok) throw new Error(`the apply engine: ${response.error?.message}`);
      return response as Extract<Response, { ok: true }>;
    });
    this.#turn = answer.catch(() => {});
    return answer;
  }

  #exchange(frame: Uint8Array<ArrayBuffer>): Promise<string> {
    const { worker } = this;
    if (this.#ended) return Promise.reject(new Error('the apply engine has ended'));
    return new Promise<string>((resolve, reject) => {
      const late = () => {
        done(new Error(`the apply engine took longer than ${this.limits.seconds} s`));
        void worker.terminate();
      };
      const deadline = setTimeout(late, this.limits.seconds * 1000);
      const failed = (error: Error) => done(new Error(`the apply engine crashed: ${error.message}`));
      const ended = () => done(new Error('the apply engine ended without an answer'));
      const done = (result: Uint8Array | Error) => {
        clearTimeout(deadline);
        worker.off('message', done).off('error', failed).off('exit', ended);
        if (result instanceof Error) reject(result);
        else resolve(Buffer.from(result.buffer, result.byteOffset, result.byteLength).toString('utf8'));
      };
      worker.on('message', done).on('error', failed).on('exit', ended);
      worker.postMessage(frame, [frame.buffer]);
    });
  }
}

/** See apply-protocol.ts for the format. */
function encode(request: ApplyRequest): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(JSON.stringify(request));
  const frame = new Uint8Array(new ArrayBuffer(4 + text.length));
  new DataView(frame.buffer).setUint32(0, text.length, true);
  frame.set(text, 4);
  return frame;
}
