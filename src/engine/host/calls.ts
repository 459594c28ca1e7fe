/** Calls of an engine, one after the other: its answers come in order, and do not say to what. */
import { UnreadableError } from '../../core/unreadable.js';
import { type Budget, Share } from './budget.js';
import { type Answerer, exchange } from './exchange.js';
import { Stopped } from './stopped.js';

/** A bug of the engine or of its caller. */
type Refusal = { ok: false; error: { message: string } };

export class EngineCalls {
  #turn: Promise<unknown> = Promise.resolve();
  #ended = false;

  /** `name` and `work` are for people: `the helm engine`, `rendering a chart`. */
  constructor(
    private readonly answerer: Answerer,
    private readonly budget: Budget,
    private readonly words: { name: string; work: string },
    /** The part of the budget that one call may take. */
    private readonly part = 1,
  ) {
    answerer.on('exit', () => {
      this.#ended = true;
    });
  }

  /**
   * The answer to a frame, which is made when its turn has come. Throws for a bug, and `Stopped` when time or memory is used up.
   * `meanwhile` as `exchange` has it.
   */
  call<Response extends { ok: true }>(frame: () => Uint8Array<ArrayBuffer>, meanwhile?: () => void): Promise<Response> {
    const answer = this.#turn.then(async () => {
      const response = JSON.parse(await this.#exchange(frame(), meanwhile)) as Response | Refusal;
      if (!response.ok) throw new Error(`${this.words.name}: ${response.error.message}`);
      return response;
    });
    this.#turn = answer.catch(() => {});
    return answer;
  }

  async close(): Promise<void> {
    await this.answerer.terminate();
  }

  async #exchange(frame: Uint8Array<ArrayBuffer>, meanwhile: (() => void) | undefined): Promise<string> {
    if (this.#ended) throw new Error(`${this.words.name} has ended`);
    try {
      const budget = this.part < 1 ? new Share(this.budget, this.part) : this.budget;
      return await exchange(this.answerer, frame, budget, meanwhile);
    } catch (error) {
      void this.answerer.terminate();
      // What this thread did meanwhile is at fault, not the engine.
      if (!(error instanceof Stopped || error instanceof UnreadableError)) throw error;
      const isLimit = error instanceof Stopped && error.limit;
      throw new Stopped(`${this.words.work} stopped: ${(error as Error).message}`, isLimit);
    }
  }
}
