/**
 * The two trees of a pull request: the head's own bytes, and the last commit that it shares with its base. What is checked out
 * is neither, and has no history: so the commits are looked for in `.git`, then fetched, then taken as an archive. A tree that
 * is there and cannot be read is no reason to look elsewhere: then an `UnreadableError` is thrown.
 */

import { defined } from '../core/defined.js';
import type { Revision, Tree } from '../core/model.js';
import { UnreadableError } from '../core/unreadable.js';
import { openArchive } from '../github/archive.js';
import { ApiError, type GitHub } from '../github/client.js';
import { commitOf, GitError, git, mergeBase, parentsOf } from '../tree/git.js';
import { type Repository, repositoryOf } from '../tree/repository.js';
import { openCommit, treeLimits } from '../tree/tree.js';
import { download } from './download.js';
import { fetchCommits, type RemoteOrigin, type Store } from './fetch.js';

export type ChangeOptions = {
  directory: string;
  /** Of the directory in the repository, where there is no git to ask; ends with a slash unless empty. */
  prefix: string;
  /** The pull request's own commit; without one, what is checked out is what is to be merged. */
  head: string | undefined;
  /** What the event says of the tip of the base branch, which may be old. */
  base: string;
  /** The name of the base branch, to ask for its tip. */
  branch?: string | undefined;
  /** The merge of the head into the base branch, as GitHub makes it for the event: its first parent is the tip. */
  merge?: string | undefined;
  /** Undefined without a token. */
  github: GitHub | undefined;
  /** Where commits can be fetched; undefined where nobody said. */
  origin: RemoteOrigin | undefined;
  token: string | undefined;
};

export type ChangedTrees = {
  /** Undefined where the head's own files could not be had. */
  head?: Tree;
  base?: Tree;
  /** The tip of the base branch, where that is another commit than the shared one. */
  tip?: Tree;
  /** The commit of the base: the last one that the head shares with the tip. */
  shared?: string;
  /** Why there is no base, or no head. */
  why: string[];
};

export async function openChange(options: ChangeOptions): Promise<ChangedTrees> {
  const why: string[] = [];
  const { head } = options;
  if (head === undefined) return openQueued(options, why);
  const merge = await checkedOutMerge(options, head);
  const merged = merge && (await openMerge(merge, head, options, why));
  return merged ?? openApart(options, head, why);
}

type Merge = { commit: string; parent: string };

/** The merge commit that the event is for, if it is the merge of the head into another commit. */
async function checkedOutMerge({ directory, merge }: ChangeOptions, head: string): Promise<Merge | undefined> {
  const [parent, second, ...others] = merge === undefined ? [] : await parentsOf(directory, merge);
  if (merge === undefined || parent === undefined || second !== head || others.length > 0) return undefined;
  return { commit: merge, parent };
}

/** The files of a queued merge are those of the work tree. */
async function openQueued(options: ChangeOptions, why: string[]): Promise<ChangedTrees> {
  const { base: commit } = options;
  const fetched = await fetchMissing([commit], options, why);
  try {
    const base = await openEither(commit, 'base', options, fetched, why);
    return { ...(base && { base, shared: commit }), why };
  } finally {
    fetched?.close();
  }
}

/** The merge, compared with its own first parent: what the base branch has gained before that is in both. */
async function openMerge(
  { commit, parent }: Merge,
  head: string,
  options: ChangeOptions,
  why: string[],
): Promise<ChangedTrees | undefined> {
  const fetched = await fetchMissing([commit, parent], options, why);
  try {
    const merged = await openEither(commit, 'head', options, fetched, why);
    const first = merged && (await openEither(parent, 'base', options, fetched, why));
    if (!first) return undefined;
    const base = { ...first, description: `${first.description}, as merged with ${short(head)}` };
    return { head: merged, base, shared: parent, why };
  } finally {
    fetched?.close();
  }
}

/** Without a merge: the head, compared with the last commit that it shares with the base branch. */
async function openApart(options: ChangeOptions, commit: string, why: string[]): Promise<ChangedTrees> {
  const tipCommit = await tipOf(options, commit);
  const known = await sharedCommit({ ...options, base: tipCommit }, commit, why);
  // Where nobody tells, the tip is the next best: what it has too is not the change's. Nothing of the change has a say in which it is.
  const shared = known ?? tipCommit;
  const wanted = new Set([commit, shared, tipCommit]);
  const fetched = await fetchMissing([...wanted], options, why);
  try {
    const open = (one: string, revision: Revision) => openEither(one, revision, options, fetched, why);
    const [head, found] = [await open(commit, 'head'), await open(shared, 'base')];
    const base = found && known === undefined ? { ...found, description: `${found.description}, ${instead}` } : found;
    const tip = shared === tipCommit ? undefined : await open(tipCommit, 'base');
    // Without it nothing outside of the manifests can be believed, so there is no base either.
    if (shared !== tipCommit && !tip) return { ...defined({ head }), why };
    return { ...defined({ head, base, tip }), ...(base && { shared }), why };
  } finally {
    fetched?.close();
  }
}

const instead = 'the tip of the base branch, as the last commit that the change shares with it is not known';

/**
 * The tip of the base branch as the change would be merged into it. `pull_request.base.sha` is of the last push to the branch, so
 * others may have merged since: the merge commit that the event is for knows better, and so does the branch itself.
 */
async function tipOf({ directory, base, branch, merge, github }: ChangeOptions, head: string): Promise<string> {
  const parents = merge === undefined ? [] : await parentsOf(directory, merge);
  if (parents.length === 2 && parents[1] === head && parents[0] !== undefined) return parents[0];
  if (branch === undefined || !github) return base;
  return (await tolerant(() => github.tipOf(branch, head))) ?? base;
}

/** Git knows it where it has the history; GitHub knows it always. */
async function sharedCommit(
  { directory, base, github }: ChangeOptions,
  head: string,
  why: string[],
): Promise<string | undefined> {
  const known = await mergeBase(directory, base, head);
  if (known) return known;
  if (!github) {
    why.push(
      `git does not know the last commit that ${short(head)} shares with its base, and there is no token to ask GitHub; check out with fetch-depth: 0`,
    );
    return undefined;
  }
  return tolerant(() => github.mergeBase(base, head), 'GitHub does not tell the last shared commit', why);
}

async function fetchMissing(
  commits: readonly string[],
  { directory, origin, token }: ChangeOptions,
  why: string[],
): Promise<Store | undefined> {
  const missing: string[] = [];
  for (const commit of commits) if (!(await isComplete(directory, commit))) missing.push(commit);
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
  fetched: Store | undefined,
  why: string[],
): Promise<Tree | undefined> {
  for (const store of [undefined, fetched]) {
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
