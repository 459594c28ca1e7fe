/** Everything that the fake remembers: the repository, its pull requests, and what was said on them. */
import { type PatchLines, patchLines, type Side } from './lines.js';
import type { Artifact, Comment, Profile, Pull, RepositoryName, Review, ReviewState, Thread, Token } from './model.js';
import { profiles } from './model.js';
import { type Changes, type DiffFile, Repository } from './repository.js';

export type Limits = {
  /** Files that the list of a pull request's files holds at most. */
  files: number;
  /** Of one file: with more of either, its patch is left out. */
  patchLines: number;
  patchBytes: number;
  /** Characters of a comment or of a review. */
  body: number;
  commentsPerReview: number;
  requestsPerHour: number;
  /** Content-creating requests (POST). */
  contentPerMinute: number;
  contentPerHour: number;
  /** A GET is one point, a write five. */
  pointsPerMinute: number;
};

export type Options = {
  owner: string;
  name: string;
  private: boolean;
  branch: string;
  /** The first commit of the default branch. */
  files: Changes;
  /** GitHub Enterprise Server: /api/v3 and /api/graphql, no rate limits. */
  enterprise: boolean;
  /** How a line outside of the diff is refused: years ago, or now. */
  wording: 'old' | 'new';
  /** Whether `errors` of a 422 are words or objects; by default as each endpoint was seen to answer. */
  errors: 'words' | 'objects' | undefined;
  /** Milliseconds. */
  now: () => number;
  limits: Limits;
  /** Whether a review's `commit_id` moves with a force push; there are reports of both. */
  reviewsFollow: boolean;
  /** Whether an outdated comment finds its line again when the line comes back. */
  outdatedReturns: boolean;
  /** What a comment on a file has as its `line`. */
  fileCommentLine: number | null;
};

export const defaults: Omit<Options, 'now'> = {
  owner: 'acme',
  name: 'platform',
  private: false,
  branch: 'main',
  files: { 'README.md': '# Platform\n' },
  enterprise: false,
  wording: 'new',
  errors: undefined,
  limits: {
    files: 3000,
    patchLines: 20_000,
    patchBytes: 500_000,
    body: 65_536,
    commentsPerReview: 100,
    requestsPerHour: 1000,
    contentPerMinute: 80,
    contentPerHour: 500,
    pointsPerMinute: 900,
  },
  reviewsFollow: false,
  outdatedReturns: false,
  fileCommentLine: null,
};

/** A pull request's changes as GitHub shows them for one commit: three dots. */
export type View = { commit: string; mergeBase: string; files: Map<string, DiffFile> };
export type Anchor = { path: string; side: Side; line: number; startSide: Side | null; startLine: number | null };

export class State {
  readonly pulls = new Map<number, Pull>();
  readonly threads: Thread[] = [];
  readonly comments = new Map<number, Comment>();
  readonly reviews: Review[] = [];
  readonly foreignActs: { id: number; user: string; by: string; act: 'edited' | 'deleted' }[] = [];
  readonly artifacts: Artifact[] = [];
  readonly tokens = new Map<string, Token>();
  readonly forks = new Map<string, RepositoryName>();
  readonly upstream: RepositoryName;
  private readonly branches = new Map<string, string>();
  private readonly lines = new Map<string, PatchLines>();
  // Beyond 2^31, as on github.com: such an id does not fit into GraphQL's `databaseId`.
  private last = 3_000_000_000;

  constructor(
    readonly options: Options,
    readonly repository: Repository,
  ) {
    this.upstream = { id: 101, owner: options.owner, name: options.name, fork: false };
  }

  static async create(options: Options): Promise<State> {
    const state = new State(options, await Repository.create(options.branch));
    await state.commit([], options.files, [`refs/heads/${options.branch}`]);
    return state;
  }

  now(): number {
    return this.options.now();
  }

  id(): number {
    return ++this.last;
  }

  token(profile: Profile, login = 'github-actions[bot]'): string {
    const text = `token-${profile}-${login.replace(/\W/g, '')}`;
    const expired = profile === 'expired';
    this.tokens.set(text, { text, login, permissions: profiles[profile], expired, foreign: profile === 'stranger' });
    return text;
  }

  async commit(parents: string[], changes: Changes, refs: string[], tree?: string): Promise<string> {
    const sha = await this.repository.commit({ parents, changes, refs, at: this.now(), ...(tree && { tree }) });
    this.moved(refs, sha);
    return sha;
  }

  async point(ref: string, sha: string): Promise<void> {
    await this.repository.point(ref, sha);
    this.moved([ref], sha);
  }

  private moved(refs: string[], sha: string): void {
    for (const ref of refs) if (ref.startsWith('refs/heads/')) this.branches.set(ref.slice('refs/heads/'.length), sha);
  }

  branchHead(branch: string): string {
    const sha = this.branches.get(branch);
    if (!sha) throw new Error(`there is no branch ${branch}`);
    return sha;
  }

  /** The commit that a branch, `OWNER:BRANCH`, a ref or a SHA stands for. */
  async commitNamed(word: string): Promise<string | undefined> {
    const [, owner, branch] = /^([^:]+):(.+)$/.exec(word) ?? [];
    if (!owner || !branch) return this.repository.resolve(word);
    const own = owner === this.options.owner;
    return this.repository.resolve(own ? `refs/heads/${branch}` : `refs/forks/${owner}/heads/${branch}`);
  }

  pull(number: number): Pull {
    const pull = this.pulls.get(number);
    if (!pull) throw new Error(`there is no pull request ${number}`);
    return pull;
  }

  /** What the pull request changes, with the patches that GitHub would show. */
  async view(pull: Pull, commit = pull.head.sha): Promise<View> {
    // A merged pull request shows what it was merged with.
    const base = pull.state === 'open' ? this.branchHead(pull.base.ref) : pull.base.sha;
    const mergeBase = this.repository.mergeBase(base, commit);
    const files = await this.repository.diff(mergeBase, commit);
    return { commit, mergeBase, files: new Map(files.map((file) => [file.path, this.shown(file)])) };
  }

  /** The file without its patch where that is too large. */
  shown(file: DiffFile): DiffFile {
    const { patchLines: lines, patchBytes: bytes } = this.options.limits;
    if (!file.patch) return file;
    if (file.additions + file.deletions <= lines && Buffer.byteLength(file.patch) <= bytes) return file;
    const { patch: _, ...rest } = file;
    return rest;
  }

  linesOf(file: DiffFile | undefined): PatchLines {
    const patch = file?.patch ?? '';
    const known = this.lines.get(patch) ?? patchLines(patch);
    this.lines.set(patch, known);
    return known;
  }

  /** A thread of its own for a new comment. `view` is of the commit that the comment is made on. */
  thread(pull: Pull, view: View, place: Anchor | { path: string }): Thread {
    const anchor = 'line' in place ? place : undefined;
    const lines = this.linesOf(view.files.get(place.path));
    const position = anchor ? (lines.find(anchor.side, anchor.line)?.position ?? null) : 1;
    const thread: Thread = {
      nodeId: `PRRT_${this.id()}`,
      pull: pull.number,
      path: place.path,
      subject: anchor ? 'line' : 'file',
      side: anchor?.side ?? 'RIGHT',
      line: anchor?.line ?? this.options.fileCommentLine,
      startLine: anchor?.startLine ?? null,
      startSide: anchor?.startSide ?? null,
      position,
      originalLine: anchor?.line ?? this.options.fileCommentLine,
      originalStartLine: anchor?.startLine ?? null,
      originalPosition: position,
      diffHunk: anchor && position !== null ? lines.excerpt(position) : '',
      outdated: false,
      resolvedBy: null,
      commitId: view.commit,
      originalCommitId: view.commit,
      originalMergeBase: view.mergeBase,
    };
    this.threads.push(thread);
    return thread;
  }

  review(pull: Pull, user: string, state: ReviewState, body: string, commitId: string): Review {
    const id = this.id();
    const submittedAt = state === 'PENDING' ? null : this.now();
    const said = { user, body, state, commitId, submittedAt, minimized: null };
    const review: Review = { id, nodeId: `PRR_${id}`, pull: pull.number, ...said };
    this.reviews.push(review);
    return review;
  }

  comment(thread: Thread, review: Review, body: string, replyTo: number | null = null): Comment {
    const id = this.id();
    const at = this.now();
    const said = { body, user: review.user, replyTo, createdAt: at, updatedAt: at, minimized: null };
    const comment: Comment = { id, nodeId: `PRRC_${id}`, thread, review, ...said };
    this.comments.set(id, comment);
    return comment;
  }

  /** GitHub lets a token with the permission edit and delete what others wrote; whoever tests a client wants to know. */
  touched(comment: Comment, by: string, act: 'edited' | 'deleted'): void {
    if (comment.user !== by) this.foreignActs.push({ id: comment.id, user: comment.user, by, act });
  }

  /** A thread lives as long as it holds a comment. */
  forget(comment: Comment): void {
    this.comments.delete(comment.id);
    if (this.commentsOf(comment.thread).length > 0) return;
    this.threads.splice(this.threads.indexOf(comment.thread), 1);
  }

  commentsOf(thread: Thread): Comment[] {
    return [...this.comments.values()].filter((comment) => comment.thread === thread);
  }

  commentsOn(pull: number): Comment[] {
    return [...this.comments.values()].filter((comment) => comment.thread.pull === pull);
  }

  /** Finds the lines of the comments again after the pull request's head or its base moved. */
  async reanchor(pull: Pull, before: View, forced: boolean): Promise<void> {
    const after = await this.view(pull);
    for (const thread of this.threads) {
      if (thread.pull !== pull.number) continue;
      await this.follow(thread, before, after);
      // Of an outdated comment a push leaves `commit_id` alone; a force push was seen to move it.
      if (!thread.outdated || forced) thread.commitId = after.commit;
    }
    if (forced && this.options.reviewsFollow) {
      for (const review of this.reviews) if (review.pull === pull.number) review.commitId = after.commit;
    }
  }

  async follow(thread: Thread, before: View, after: View): Promise<void> {
    if (thread.subject === 'file') {
      thread.outdated = !after.files.has(thread.path);
      thread.position = thread.outdated ? null : 1;
      return;
    }
    const original = this.options.outdatedReturns;
    const line = original ? thread.originalLine : thread.line;
    const startLine = original ? thread.originalStartLine : thread.startLine;
    const sides = original
      ? { RIGHT: thread.originalCommitId, LEFT: thread.originalMergeBase }
      : { RIGHT: before.commit, LEFT: before.mergeBase };
    const file = after.files.get(thread.path);
    const lines = this.linesOf(file);
    const find = async (side: Side, from: number | null) => {
      if (from === null || !file) return undefined;
      const map = await this.repository.lineMap(sides[side], side === 'RIGHT' ? after.commit : after.mergeBase);
      const path = side === 'LEFT' ? (file.previous ?? file.path) : file.path;
      const to = map(path, from);
      const place = to === null ? undefined : lines.find(side, to);
      return to !== null && place ? { line: to, ...place } : undefined;
    };
    const end = await find(thread.side, line);
    const start = startLine === null ? end : await find(thread.startSide ?? thread.side, startLine);
    if (!end || !start || start.hunk !== end.hunk) {
      Object.assign(thread, { outdated: true, line: null, startLine: null, position: null });
      return;
    }
    thread.outdated = false;
    thread.line = end.line;
    thread.startLine = startLine === null ? null : start.line;
    thread.position = end.position;
  }
}
