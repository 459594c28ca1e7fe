/** The thread or process of the render module, which engines of one run may share: it holds one tree at a time. */
import type { Budget } from './budget.js';
import { exchange } from './exchange.js';
import type { EngineChoice } from './installed.js';
import { allowModule, type EngineKind, keepEngine, type StartedEngine, startEngine } from './start.js';
import { Stopped } from './stopped.js';

export type HostOptions = {
  engine?: EngineChoice;
  /** What is closed is left to the next one that is opened. */
  keep?: boolean;
};

export class EngineHost {
  #started: Promise<StartedEngine> | undefined;
  #kind: EngineKind | undefined;
  /** Whose tree is loaded. */
  #holder: object | undefined;
  /** Whether something is not answered yet. */
  #isAsked = false;
  #turn: Promise<unknown> = Promise.resolve();

  /** `home` is the directory of the module, `dist/engine`. Nothing is started before the first turn. */
  constructor(
    private readonly home: string,
    private readonly budget: Budget,
    private readonly options: HostOptions = {},
  ) {}

  /** Starts it early, while the caller still has other work to do; the module too where it is known to have much. */
  warm(isMuch: boolean): void {
    this.#started ??= this.#start();
    const warmed = this.#started.then((started) => isMuch && allowModule(started, this.budget, true));
    warmed.catch(() => {}); // reported by the first call
  }

  /** Which one it is; known once it was asked for something. */
  get kind(): EngineKind | undefined {
    return this.#kind;
  }

  holds(holder: object): boolean {
    return this.#holder === holder;
  }

  /** Answers come in order, and do not say to what: what is asked for belongs in a turn, with the tree that it is about. */
  inTurn<Made>(work: () => Promise<Made>): Promise<Made> {
    const made = this.#turn.then(work);
    this.#turn = made.catch(() => {});
    return made;
  }

  /** In a turn. `isMuch`: it will pay for V8 to optimize the module. */
  async load<Response>(holder: object, frame: Uint8Array<ArrayBuffer>, isMuch: boolean): Promise<Response> {
    this.#holder = undefined;
    const response = await this.#exchange<Response>(frame, { isMuch });
    this.#holder = holder;
    return response;
  }

  /** In a turn, once a tree is loaded. */
  ask<Response>(frame: Uint8Array<ArrayBuffer>, meanwhile?: () => void): Promise<Response> {
    return this.#exchange(frame, { isMuch: false, meanwhile });
  }

  async #exchange<Response>(
    frame: Uint8Array<ArrayBuffer>,
    { isMuch, meanwhile }: { isMuch: boolean; meanwhile?: (() => void) | undefined },
  ): Promise<Response> {
    // Nothing is started for what could not be asked any more.
    if (this.budget.left === 0) throw new Stopped(this.budget.timeIsUp, true);
    this.#started ??= this.#start();
    const started = await this.#started;
    allowModule(started, this.budget, isMuch);
    this.#isAsked = true;
    try {
      const answer = JSON.parse(await exchange(started.answerer, frame, this.budget, meanwhile)) as Response;
      this.#isAsked = false;
      return answer;
    } catch (error) {
      await this.close();
      this.#isAsked = false;
      throw error;
    }
  }

  async close(): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    this.#holder = undefined;
    // What is in the middle of an answer would give it to the next one.
    const isKept = this.options.keep === true && !this.#isAsked;
    const end = (one: StartedEngine) => (isKept ? keepEngine(this.home, 'render', one) : one.answerer.terminate());
    await started?.then(end).catch(() => {});
  }

  async #start(): Promise<StartedEngine> {
    const started = await startEngine(this.home, 'render', this.options.engine ?? 'auto', this.budget);
    this.#kind = started.kind;
    return started;
  }
}
