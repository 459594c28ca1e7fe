/** The one way to open a repository, for every command and for the action: its revisions, their engines, and what is applied of them. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, defaults, readConfig, requireConfig } from '../config/config.js';
import { type Entrypoint, type Tree, UsageError } from '../core/model.js';
import { type Discovered, discover } from '../discover/discover.js';
import { Budget, type Limits } from '../engine/host/budget.js';
import type { EngineChoice } from '../engine/host/installed.js';
import { type Opened, withEngine } from '../engine/host/open.js';
import { Builder, type Progress } from '../render/render.js';
import { rules } from '../rules/index.js';
import { commitOf, mergeBases } from '../tree/git.js';
import { openCommit, openWorkTree } from '../tree/tree.js';

export type RepositoryOptions = {
  /** The repository's root. */
  directory: string;
  /** The directory that holds `dist/` and `schemas/` of this package. */
  home: string;
  paths: readonly string[];
  config?: string;
  /** What to compare with, a revision of git or a directory. */
  base?: string;
  /** In place of the work tree and the base: what somebody else has opened, and why where something is missing. */
  change?: {
    head?: Tree;
    /** The first parent of the merge, or the last commit that the change shares with the base branch: what it has is not new. */
    base?: Tree;
    /** Further last commits that both share. */
    others?: readonly Tree[];
    /** The tip of the base branch, where that is another commit: its configuration counts. */
    tip?: Tree;
    why: readonly string[];
  };
  /** The files to judge in place of the work tree, where they are not written yet. */
  head?: Tree;
  /** The work tree as it was opened before, by the same process. */
  earlier?: Tree;
  /** URLs under which the repository is known, to tell its own Flux sources from others. */
  remotes: readonly string[];
  progress?: Progress;
  /** What all engines of the run may use together. */
  limits?: Limits;
  engine?: EngineChoice;
};

export type Trees = { head: Tree; base: Tree | undefined; tip: Tree | undefined };

/** The files to judge. Throws a `UsageError` for a configuration that is not there. */
export async function openHead({ head, directory, config, change, earlier }: RepositoryOptions): Promise<Tree> {
  const tree = head ?? change?.head ?? (await openWorkTree(directory, undefined, 'head', earlier));
  requireConfig(tree, config);
  return tree;
}

/** What is looked at, what it is compared with, and where policy comes from besides. Throws as `openHead` and `openBase` do. */
export async function openTrees(options: RepositoryOptions): Promise<Trees> {
  const { directory, base, change } = options;
  const head = await openHead(options);
  const before = change?.base ?? (base === undefined ? undefined : await openBase(directory, base));
  return { head, base: before, tip: change?.tip ?? before };
}

/**
 * The files to compare with. A revision of git stands for the last commit that it shares with what is checked out: what
 * others have merged since is not this change's doing. Throws a `UsageError` for a word that is neither.
 */
async function openBase(directory: string, base: string): Promise<Tree> {
  return (await openCompared(directory, base)).base;
}

export type Compared = {
  base: Tree;
  /** Further last commits that are shared: after a criss-cross merge there are several. */
  others: Tree[];
  /** The revision itself, if that has moved on since. */
  tip?: Tree;
};

/** All that a revision of git is compared with. Throws a `UsageError` as `openBase` does. */
export async function openCompared(directory: string, base: string): Promise<Compared> {
  const commit = await commitOf(directory, base);
  if (commit) {
    const [first = commit, ...others] = (await mergeBases(directory, commit, 'HEAD')) ?? [];
    const open = (one: string) => openCommit(directory, one, 'base');
    return {
      base: await open(first),
      others: await Promise.all(others.map(open)),
      ...(first !== commit && { tip: await open(commit) }),
    };
  }
  const folder = resolve(base);
  if (existsSync(folder) && statSync(folder).isDirectory())
    return { base: await openWorkTree(folder, undefined, 'base'), others: [] };
  throw new UsageError(`--base ${base}: neither a revision that git has here, nor a directory`);
}

/** What is applied of one revision. Flux objects count only where they are rendered, so that finding them builds. */
export function entrypointsOf(
  { tree, engine }: Opened,
  config: Config,
  options: Pick<RepositoryOptions, 'paths' | 'remotes'> & { onlyPaths?: boolean },
  builder: Builder,
): Promise<Discovered> {
  return discover(tree, engine, config, { ...options, build: (entrypoint) => builder.build(entrypoint) });
}

/** For what renders and judges nothing. The engine is closed when the work is done. */
export async function withEntrypoints<Result>(
  options: RepositoryOptions,
  work: (opened: Opened, entrypoints: readonly Entrypoint[], config: Config) => Promise<Result>,
): Promise<Result> {
  const opened = withEngine(await openHead(options), options.home, new Budget(options.limits), {
    engine: options.engine,
  });
  try {
    const { config = defaults() } = await readConfig(opened.tree, rules, options.config);
    const builder = new Builder(opened.tree, opened.engine);
    const { entrypoints } = await entrypointsOf(opened, config, options, builder);
    return await work(opened, entrypoints, config);
  } finally {
    await opened.engine.close();
  }
}
