/** The apply module as the rest of the program sees it: an API server that is defined, then asked, in a thread or a process of its own. */
import type { JsonObject } from '../../core/model.js';
import type { ApplyAnswer, ApplyRequest, AskResponse, DefineResponse, Operation } from './apply-protocol.js';
import { Budget, type Limits } from './budget.js';
import { EngineCalls } from './calls.js';
import { frameOf } from './exchange.js';
import type { EngineChoice } from './installed.js';
import { allowModule, type EngineKind, startEngine } from './start.js';

/** Where it is nobody's run: an hour, and all that a module can address. */
const alone: Limits = { seconds: 3600, bytes: 2 ** 32 };

export class ApplyEngine {
  private constructor(
    readonly kind: EngineKind,
    private readonly calls: EngineCalls,
  ) {}

  /**
   * Starts the module; `home` is its directory, `dist/engine`. Throws where it is not there. Several may be open at a
   * time, each with objects of its own. Where the budget is used up it is ended, with all that it holds.
   */
  static async open(home: string, budget = new Budget(alone), choice: EngineChoice = 'wasm'): Promise<ApplyEngine> {
    const started = await startEngine(home, 'apply', choice, budget);
    // Its functions are many, and each is called less often than pays for optimizing it: a third of the time for 1,000 Packages.
    allowModule(started, budget, false);
    const { kind, answerer } = started;
    return new ApplyEngine(
      kind,
      new EngineCalls(answerer, budget, { name: 'the apply engine', work: 'the simulation' }),
    );
  }

  /** CustomResourceDefinitions (v1). Throws where one cannot be served. */
  async define(definitions: JsonObject[]): Promise<void> {
    await this.#call<Answered<DefineResponse>>({ op: 'define', definitions });
  }

  /**
   * An answer for each operation. A call costs: send many operations at once. Throws only for a bug, and when time is up. `meanwhile`
   * is work of this thread, done once the engine has all of them, and not counted as time of the engine.
   */
  async ask(operations: Operation[], meanwhile?: () => void): Promise<ApplyAnswer[]> {
    if (operations.length === 0) return [];
    const response = await this.#call<Answered<AskResponse>>({ op: 'ask', operations }, meanwhile);
    return response.answers;
  }

  close(): Promise<void> {
    return this.calls.close();
  }

  #call<Response extends { ok: true }>(request: ApplyRequest, meanwhile?: () => void): Promise<Response> {
    return this.calls.call(() => encode(request), meanwhile);
  }
}

type Answered<Response> = Extract<Response, { ok: true }>;

/** One that is opened when it is first needed, or begun before. */
export class LaterEngine {
  #opened: Promise<ApplyEngine> | undefined;

  constructor(private readonly open: () => Promise<ApplyEngine>) {}

  /** Throws where it cannot be opened. */
  get(): Promise<ApplyEngine> {
    this.#opened ??= this.open();
    return this.#opened;
  }

  /** That it cannot be opened is told to whoever needs it. */
  begin(): void {
    this.get().catch(() => {});
  }

  /** What is asked for after that is opened anew. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await (await opened?.catch(() => undefined))?.close();
  }
}

/** See apply-protocol.ts for the format. */
function encode(request: ApplyRequest): Uint8Array<ArrayBuffer> {
  const chunks: Buffer[] = [Buffer.alloc(0)];
  const apart = (operation: Operation) =>
    'object' in operation ? { ...operation, object: chunks.push(bytesOf(operation.object)) - 1 } : operation;
  chunks[0] = bytesOf(request.op === 'ask' ? { ...request, operations: request.operations.map(apart) } : request);
  return frameOf(chunks);
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
