/**
 * The two trees of a pull request: its merge and the first parent of that; without a merge, its head and the last commits that it shares
 * with its base. Most of them are not checked out: so the commits are looked for in `.git`, then fetched, then taken as an archive. A
 * tree that exists and cannot be read is no reason to look elsewhere: then an `UnreadableError` is thrown.
 */

import { defined } from '../core/defined.js';
import type { Revision, Tree } from '../core/model.js';
import { UnreadableError } from '../core/unreadable.js';
import { openArchive } from '../github/archive.js';
import { ApiError } from '../github/client.js';
import { commitOf, GitError, git, mergeBase } from '../tree/git.js';
import { type Repository, repositoryOf } from '../tree/repository.js';
import { openCommit, treeLimits } from '../tree/tree.js';
import { download } from './download.js';
import { fetchCommits, type Store } from './fetch.js';
import { type Merge, type MergeOptions, Merging } from './merge.js';

export type ChangeOptions = MergeOptions & {
  /** Of the directory in the repository, where there is no git to ask; ends with a slash unless empty. */
  prefix: string;
  /** The pull request's own commit; without one, what is checked out is what is to be merged. */
  head: string | undefined;
};

export type ChangedTrees = {
  /** The files to judge: those of the merge, else of the head. Undefined if they could not be read. */
  head?: Tree;
  base?: Tree;
  /** Further last commits that the head shares with the base branch, if there is no merge. */
  others?: Tree[];
  /** The tip of the base branch, if there is no merge and it is another commit than the shared one. */
  tip?: Tree;
  /** The commit of `base`. */
  shared?: string;
  /** The commit of `head`, if that is a merge that GitHub has. */
  merge?: string;
  /** The files that a pull request shows, if they are not those of `head` and `base`: its own and those of the last shared commit. */
  shown?: { head?: Tree; base?: Tree };
  /** Why there is no base, or no head. */
  why: string[];
};

export async function openChange(options: ChangeOptions): Promise<ChangedTrees> {
  const why: string[] = [];
  const { head } = options;
  if (head === undefined) return openQueued(options, why);
  const merging = new Merging(options, head);
  try {
    const merge = await merging.find();
    const merged = merge && (await openMerge(merge, merging, options, why));
    return merged ?? (await openApart(merging, options, why));
  } finally {
    merging.close();
  }
}

/** The files of a queued merge are those of the work tree. */
async function openQueued(options: ChangeOptions, why: string[]): Promise<ChangedTrees> {
  const { base: commit } = options;
  const [base] = await openAll([[commit, 'base']], [], options, why);
  return { ...(base && { base, shared: commit }), why };
}

/** The merge, compared with its own first parent: what the base branch has gained before that is in both. */
async function openMerge(
  { commit, parent, store, isOurs }: Merge,
  merging: Merging,
  options: ChangeOptions,
  why: string[],
): Promise<ChangedTrees | undefined> {
  const { head } = merging;
  const tip = await merging.tip();
  const before = await lastShared(merging, options, parent);
  const isSame = commit === head || before === parent;
  const [merged, first, own, shared] = await openAll(
    [
      [commit, 'head'],
      [parent, 'base'],
      ...(isSame ? [] : ([[head, 'head'], ...(before ? ([[before, 'base']] as const) : [])] as const)),
    ],
    store ? [store] : [],
    options,
    why,
  );
  // The same two commits would be looked for again.
  if (commit === head && !(merged && first)) return { ...defined({ head: merged }), why };
  if (!merged || !first) return undefined;
  // No sign follows a commit, as Markdown would take it for a part of the name.
  const ofMerge = isOurs
    ? `with which the head ${short(head)} was merged here`
    : `as the first parent of the merge ${short(commit)} of the head ${short(head)}`;
  const judged = commit === head ? `that the head ${short(head)} contains` : ofMerge;
  const newer = tip === undefined || tip === parent ? '' : ` while the base branch has moved on to ${short(tip)}`;
  return {
    head: merged,
    base: { ...first, description: `${first.description} ${judged}${newer}` },
    shared: parent,
    ...(commit !== head && !isOurs && { merge: commit }),
    ...(!isSame && { shown: defined({ head: own, base: shared }) }),
    why,
  };
}

/** Without a merge: the head, compared with the last commits that it shares with the base branch. */
async function openApart(merging: Merging, options: ChangeOptions, why: string[]): Promise<ChangedTrees> {
  const { head: commit } = merging;
  const tipCommit = (await merging.tip()) ?? options.base;
  const known = await sharedCommits(merging, options, tipCommit, why);
  // Nothing of the change has a say in the tip, so that it is the next best.
  const [shared = tipCommit, ...more] = known;
  const isOther = shared !== tipCommit;
  const [head, found, ...rest] = await openAll(
    [[commit, 'head'], ...[shared, ...(isOther ? [tipCommit] : []), ...more].map((one) => [one, 'base'] as const)],
    [],
    options,
    why,
  );
  // Without them nothing outside of the manifests can be believed, so there is no base either.
  if (!found || rest.some((one) => !one)) return { ...defined({ head }), why };
  const [tip, ...others] = [...(isOther ? [] : [undefined]), ...rest];
  const judged = `without a merge: the head ${short(commit)} is judged`;
  const words = [found.description, ...(known.length === 0 ? [instead] : []), judged].join(', ');
  return {
    ...defined({ head, tip }),
    base: { ...found, description: words },
    ...(others.length > 0 && { others: others.filter((one) => one !== undefined) }),
    shared,
    why,
  };
}

const instead = 'the tip of the base branch, as the last commit that the change shares with it is not known';

/** The last commit that the head shares with the first parent of its merge: what a pull request shows is compared with it. */
async function lastShared(merging: Merging, { directory }: ChangeOptions, parent: string): Promise<string | undefined> {
  const ofGitHub = (await merging.tip()) === parent ? await merging.sharedOnGitHub() : undefined;
  return ofGitHub ?? mergeBase(directory, parent, merging.head);
}

/** Git knows all of them if it has the history; GitHub knows one; none if neither does. */
async function sharedCommits(
  merging: Merging,
  { directory, github }: ChangeOptions,
  tip: string,
  why: string[],
): Promise<string[]> {
  const all = await merging.bases();
  if (all) return all;
  const one = (await merging.sharedOnGitHub()) ?? (await mergeBase(directory, tip, merging.head));
  if (one !== undefined) return [one];
  why.push(
    github
      ? 'GitHub does not report the last shared commit'
      : `git does not know the last commit that ${short(merging.head)} shares with its base, and there is no token to ask GitHub; check out with fetch-depth: 0`,
  );
  return [];
}

/** The trees of commits, in their order; undefined for each that cannot be read. What is in no repository at hand is fetched at once. */
async function openAll(
  wanted: readonly (readonly [commit: string, revision: Revision])[],
  stores: readonly Store[],
  options: ChangeOptions,
  why: string[],
): Promise<(Tree | undefined)[]> {
  const commits = [...new Set(wanted.map(([commit]) => commit))];
  const fetched = await fetchMissing(commits, stores, options, why);
  try {
    const trees: (Tree | undefined)[] = [];
    for (const [commit, revision] of wanted)
      trees.push(await openEither(commit, revision, options, fetched ? [...stores, fetched] : stores, why));
    return trees;
  } finally {
    fetched?.close();
  }
}

async function fetchMissing(
  commits: readonly string[],
  stores: readonly Store[],
  { directory, origin, token }: ChangeOptions,
  why: string[],
): Promise<Store | undefined> {
  const missing: string[] = [];
  for (const commit of commits) if (!(await isAnywhere([directory, ...stores], commit))) missing.push(commit);
  if (missing.length === 0) return undefined;
  try {
    if (!origin) throw new GitError('GITHUB_REPOSITORY does not say from where');
    return await fetchCommits(directory, missing, origin, token);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    why.push(
      `git cannot fetch ${missing.map(short).join(' and ')}: ${error.message.split('\n')[0]} (fetch-depth: 0 in the checkout helps)`,
    );
    return undefined;
  }
}

async function openEither(
  commit: string,
  revision: Revision,
  { directory, prefix, github }: ChangeOptions,
  stores: readonly Store[],
  why: string[],
): Promise<Tree | undefined> {
  for (const store of [undefined, ...stores]) {
    if (!(await isComplete(store ?? directory, commit))) continue;
    // Even then it may lack some files, as a clone with a filter does.
    const where = store && { ...store, prefix: repositoryOf(directory)?.prefix ?? prefix };
    const local = await tolerant(() => openCommit(directory, commit, revision, treeLimits, where));
    if (local) return local;
  }
  if (!github) return undefined;
  return tolerant(
    async () => {
      const url = await github.archiveUrl(commit);
      if (url === undefined) throw new ApiError('unclear', 'GitHub names no address for the archive');
      const archive = await download(url, treeLimits.totalBytes);
      const listed = await github.listing(commit);
      return openArchive(archive, { description: `commit ${short(commit)}`, revision, prefix, listed });
    },
    `the archive of ${short(commit)} cannot be had`,
    why,
  );
}

async function isAnywhere(places: readonly (string | Repository)[], commit: string): Promise<boolean> {
  for (const place of places) if (await isComplete(place, commit)) return true;
  return false;
}

/** A commit may be known by name alone, as the parents of a shallow one are. */
async function isComplete(where: string | Repository, commit: string): Promise<boolean> {
  if ((await commitOf(where, commit)) === undefined) return false;
  try {
    await git(where, ['ls-tree', '-r', '-t', '--object-only', `${commit}^{tree}`]);
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** The check goes on without; that it did not run is said. */
async function tolerant<Result>(
  work: () => Promise<Result>,
  what = '',
  why: string[] = [],
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    why.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
