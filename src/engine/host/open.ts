/** A revision of the repository, opened: its files, and the engine that builds them. */
import { join } from 'node:path';
import { defined } from '../../core/defined.js';
import type { Tree } from '../../core/model.js';
import { Budget } from './budget.js';
import { Engine, type EngineOptions } from './engine.js';

export type Opened = { tree: Tree; engine: Engine };

/** Engines of one run share a budget. `home` is the directory that holds `dist/` of this package. */
export function withEngine(
  tree: Tree,
  home: string,
  budget = new Budget(),
  {
    warm = true,
    ...options
  }: { [Name in keyof EngineOptions]: EngineOptions[Name] | undefined } & { warm?: boolean } = {},
): Opened {
  const opened = new Engine(join(home, 'dist', 'engine'), tree, budget, defined(options));
  if (warm) opened.warm();
  return { tree, engine: opened };
}
