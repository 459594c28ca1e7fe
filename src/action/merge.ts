/**
 * The merge of a pull request: what becomes the tip of its base branch. Its first parent is a commit of the base branch and its
 * second one the head, so nothing of the change picks what it is compared with.
 */
import { UnreadableError } from '../core/unreadable.js';
import { ApiError, type GitHub } from '../github/client.js';
import { GitError, mergeBases, mergeCommits, parentsOf } from '../tree/git.js';
import { borrowingStore, fetchCommits, fetchRef, type RemoteOrigin, type Store } from './fetch.js';

export type MergeOptions = {
  directory: string;
  /** The number of the pull request, for its merge on GitHub. */
  number?: number | undefined;
  /** The tip of the base branch according to the event, which may be old. */
  base: string;
  /** The name of the base branch, to ask for its tip. */
  branch?: string | undefined;
  /** The commit that the event is for: of a pull request its merge, as GitHub made it then. */
  merge?: string | undefined;
  /** The base branch was changed by the event, so the merge may be that with another branch. */
  isRetargeted?: boolean;
  /** Undefined without a token. */
  github: GitHub | undefined;
  /** The repository to fetch from; undefined if the runner does not name it. */
  origin: RemoteOrigin | undefined;
  token: string | undefined;
};

export type Merge = {
  /** The head itself if it contains the tip of the base branch: then the merge has its files. */
  commit: string;
  /** The commit of the base branch that it is compared with. */
  parent: string;
  /** The repository that has the commit, unless it is the checkout. */
  store?: Store;
  /** Made here, so that GitHub does not know the commit. */
  isOurs?: true;
};

/** The head of a pull request and its base branch: their merge, and what they share. */
export class Merging {
  readonly #stores: Store[] = [];
  #history: Promise<History | undefined> | undefined;
  #compared: Promise<{ base?: string; shared?: string }> | undefined;
  #fetchedTip: Promise<string | undefined> | undefined;

  constructor(
    private readonly options: MergeOptions,
    readonly head: string,
  ) {}

  /** Removes what was fetched and made. */
  close(): void {
    for (const store of this.#stores) store.close();
  }

  /** The tip of the base branch: as GitHub or git reports it now, else undefined. */
  async tip(): Promise<string | undefined> {
    return (await this.#compare()).base ?? this.#tipOfGit();
  }

  /** The last commit that both share, as GitHub reports it. */
  async sharedOnGitHub(): Promise<string | undefined> {
    return (await this.#compare()).shared;
  }

  /** All last commits that both share; undefined if the history is not known. */
  async bases(): Promise<string[] | undefined> {
    return (await this.#historyOf())?.bases;
  }

  /** The merge with the newest commit of the base branch that can be had; undefined if there is none. */
  async find(): Promise<Merge | undefined> {
    const { merge, isRetargeted = false, base } = this.options;
    const own = await this.#mergeIn(undefined, merge);
    const tip = await this.tip();
    if (own && own.parent === tip) return own;
    if (tip === undefined && own && (!isRetargeted || own.parent === base)) return own;
    const newest = tip ?? base;
    const shared = await this.sharedOnGitHub();
    if (shared === newest) return { commit: this.head, parent: newest };
    const { merges, conflicts } = tip === undefined ? nowhere : await this.#onGitHub(tip);
    const found = merges.find(({ parent }) => parent === newest) ?? (conflicts ? undefined : await this.#make(newest));
    if (found) return found;
    for (const older of [...merges, ...(own ? [own] : [])])
      if (await this.#isBefore(older.parent, newest)) return older;
    return undefined;
  }

  /** A commit that merges the head into another commit; undefined if it is anything else. */
  async #mergeIn(store: Store | undefined, commit: string | undefined): Promise<Merge | undefined> {
    if (commit === undefined) return undefined;
    const [parent, second, ...others] = await parentsOf(store ?? this.options.directory, commit);
    if (parent === undefined || second !== this.head || others.length > 0) return undefined;
    return { commit, parent, ...(store && { store }) };
  }

  /** The merges that GitHub has: the one behind its ref, and the one that it makes when it is asked for it. */
  async #onGitHub(newest: string): Promise<{ merges: Merge[]; conflicts: boolean }> {
    const { number, github } = this.options;
    if (number === undefined) return { merges: [], conflicts: false };
    const ofRef = await this.#fetchRef(`refs/pull/${number}/merge`);
    const known = ofRef && (await this.#mergeIn(ofRef.store, ofRef.commit));
    if (known?.parent === newest) return { merges: [known], conflicts: false };
    const before = known ? [known] : [];
    const made = github && (await quietly(() => github.mergeOf(number)));
    const { commit, conflicts = false } = made ?? {};
    if (commit === undefined || commit === known?.commit) return { merges: before, conflicts };
    const store = await this.#fetch([commit]);
    const merge = store && (await this.#mergeIn(store, commit));
    return { merges: merge ? [merge, ...before] : before, conflicts };
  }

  /** The merge with the tip, made in a repository of our own. */
  async #make(tip: string): Promise<Merge | undefined> {
    const history = await this.#historyOf();
    if (!history) return undefined;
    if (history.bases.includes(tip)) return { commit: this.head, parent: tip, store: history.store };
    const commit = await mergeCommits(history.store, tip, this.head);
    return commit === undefined ? undefined : { commit, parent: tip, store: history.store, isOurs: true };
  }

  /** True if the commit is one of the base branch. */
  async #isBefore(commit: string, tip: string): Promise<boolean> {
    const { github } = this.options;
    const answer = github && (await quietly(() => github.compare(commit, tip)));
    if (answer?.shared !== undefined) return answer.shared === commit;
    const history = await this.#historyOf();
    return history !== undefined && (await mergeBases(history.store, commit, tip))?.includes(commit) === true;
  }

  #historyOf(): Promise<History | undefined> {
    this.#history ??= this.#readHistory();
    return this.#history;
  }

  /** Out of the checkout if its history is whole, else fetched. */
  async #readHistory(): Promise<History | undefined> {
    const known = await this.tip();
    const tip = known ?? this.options.base;
    const own = await borrowingStore(this.options.directory, formatOf(this.head));
    if (own) this.#stores.push(own);
    // A server that did not answer is not asked for more.
    const fetched = async () => (known === undefined ? undefined : this.#fetch([tip, this.head], { history: true }));
    for (const read of [async () => own, fetched]) {
      const store = await read();
      const bases = store && (await mergeBases(store, tip, this.head));
      if (bases) return { store, bases };
    }
    return undefined;
  }

  #compare(): Promise<{ base?: string; shared?: string }> {
    this.#compared ??= this.#askGitHub();
    return this.#compared;
  }

  async #askGitHub() {
    const { github, branch, base } = this.options;
    const answer = github && (await quietly(() => github.compare(branch ?? base, this.head)));
    return answer ?? {};
  }

  #tipOfGit(): Promise<string | undefined> {
    const { branch } = this.options;
    this.#fetchedTip ??= (async () => branch && (await this.#fetchRef(`refs/heads/${branch}`))?.commit)();
    return this.#fetchedTip;
  }

  async #fetchRef(ref: string): Promise<{ store: Store; commit: string } | undefined> {
    const { directory, origin, token } = this.options;
    const format = formatOf(this.head);
    const found = origin && (await quietly(() => fetchRef(directory, { ref, format }, origin, token)));
    if (found) this.#stores.push(found.store);
    return found;
  }

  async #fetch(commits: string[], how = { history: false }): Promise<Store | undefined> {
    const { directory, origin, token } = this.options;
    const store = origin && (await quietly(() => fetchCommits(directory, commits, origin, token, how)));
    if (store) this.#stores.push(store);
    return store;
  }
}

const nowhere = { merges: [] as Merge[], conflicts: false };

type History = { store: Store; bases: string[] };

function formatOf(commit: string): 'sha1' | 'sha256' {
  return commit.length === 64 ? 'sha256' : 'sha1';
}

/** Undefined for what git or GitHub refuses: the next way is tried. */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableError || !(error instanceof GitError || error instanceof ApiError)) throw error;
    return undefined;
  }
}
