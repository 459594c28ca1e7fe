/** What a module runs as: a program where one is installed and locks itself in, else WebAssembly, which always works. */

import type { Worker } from 'node:worker_threads';
import { UsageError } from '../../core/model.js';
import type { Budget } from './budget.js';
import type { Answerer } from './exchange.js';
import { type EngineChoice, type ModuleName, NoProgram, programFor, triesProgram } from './installed.js';
import { beginProgram, type EngineProcess, keepProgram, startProgram } from './program.js';
import { adoptThread, keepThread, startModule, startThread } from './thread.js';

export type EngineKind = 'wasm' | 'native';

export type StartedEngine = { kind: EngineKind; answerer: Answerer };

/**
 * Begins what `startEngine` will be asked for, within the usual limits, while the rest of the program is still to be
 * loaded. `thread` is that of the module, where it was begun before.
 */
export function beginEngine(home: string, name: ModuleName, choice: EngineChoice, thread?: Worker): void {
  const program = programFor(home, name, choice);
  if (program === undefined) adoptThread(home, name, thread);
  else beginProgram(home, name, program);
}

/** What has answered all that it was asked is left to the next `startEngine`, which needs not start one (`check --watch`). */
export function keepEngine(home: string, name: ModuleName, { kind, answerer }: StartedEngine): void {
  if (kind === 'native') keepProgram(home, name, answerer as EngineProcess);
  else keepThread(home, name, answerer as Worker);
}

/** What a module is told before it is asked for anything; a program has all that it needs. `optimizes`: for what takes long. */
export function allowModule({ kind, answerer }: StartedEngine, budget: Budget, optimizes: boolean): void {
  if (kind === 'wasm') startModule(answerer as Worker, budget, optimizes);
}

/** Is to be told what it may have (`allowModule`). Throws a `UsageError` where the program is asked for and cannot be had. */
export async function startEngine(
  home: string,
  name: ModuleName,
  choice: EngineChoice,
  budget: Budget,
): Promise<StartedEngine> {
  if (triesProgram(choice)) {
    try {
      return { kind: 'native', answerer: await startProgram(home, name, budget, choice === 'native') };
    } catch (error) {
      if (!(error instanceof NoProgram)) throw error;
      if (choice === 'native') throw new UsageError(`--engine native: ${error.message}`);
    }
  }
  return { kind: 'wasm', answerer: await startThread(home, name) };
}
