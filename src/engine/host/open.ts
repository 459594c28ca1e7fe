/** A revision of the repository, opened: its files, and the engine that builds them. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Tree, UsageError } from '../../core/model.js';
import { commitOf, mergeBase } from '../../tree/git.js';
import { openCommit, openWorkTree } from '../../tree/tree.js';
import { Budget } from './budget.js';
import { Engine } from './engine.js';

export type Opened = { tree: Tree; engine: Engine };

/** Engines of one run share a budget. `home` is the directory that holds `dist/` of this package. */
export function withEngine(tree: Tree, home: string, budget = new Budget(), { warm = true } = {}): Opened {
  const engine = new Engine(join(home, 'dist', 'engine'), tree, budget);
  if (warm) engine.warm();
  return { tree, engine };
}

/**
 * The files to compare with. A revision of git stands for the last commit that it shares with what is checked out: what
 * others have merged since is not this change's doing. Throws a `UsageError` for a word that is neither.
 */
export async function openBase(directory: string, base: string): Promise<Tree> {
  const commit = await commitOf(directory, base);
  if (commit) return openCommit(directory, (await mergeBase(directory, commit)) ?? commit, 'base');
  const folder = resolve(base);
  if (existsSync(folder) && statSync(folder).isDirectory()) return openWorkTree(folder, undefined, 'base');
  throw new UsageError(`--base ${base}: neither a revision that git has here, nor a directory`);
}
