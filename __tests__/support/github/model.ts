/** What the fake remembers, and how it says no. */
import type { Side } from './lines.js';

export type Level = 'none' | 'read' | 'write';
export type Permissions = { contents: Level; 'pull-requests': Level; actions: Level };
/** Somebody's key: an installation's token, or a person's. */
export type Token = {
  text: string;
  /** As REST spells it: `github-actions[bot]`. */
  login: string;
  permissions: Permissions;
  expired: boolean;
  /** Of another repository: what is private does not exist for it. */
  foreign: boolean;
};
/**
 * `write`: a job with `pull-requests: write`. `fork` and `dependabot`: all read. `no-pulls`: the job's `permissions` leave
 * pull requests out. `contents-write`: may resolve threads, too. `expired`: 401. `stranger`: a token of elsewhere.
 */
export type Profile = 'write' | 'contents-write' | 'fork' | 'dependabot' | 'no-pulls' | 'stranger' | 'expired';

export const profiles: Record<Profile, Permissions> = {
  write: { contents: 'read', 'pull-requests': 'write', actions: 'read' },
  'contents-write': { contents: 'write', 'pull-requests': 'write', actions: 'read' },
  fork: { contents: 'read', 'pull-requests': 'read', actions: 'read' },
  dependabot: { contents: 'read', 'pull-requests': 'read', actions: 'read' },
  'no-pulls': { contents: 'read', 'pull-requests': 'none', actions: 'none' },
  stranger: { contents: 'none', 'pull-requests': 'none', actions: 'none' },
  expired: { contents: 'read', 'pull-requests': 'write', actions: 'read' },
};

export type RepositoryName = { id: number; owner: string; name: string; fork: boolean };

export type Pull = {
  number: number;
  id: number;
  title: string;
  user: string;
  state: 'open' | 'closed';
  merged: boolean;
  base: { ref: string; sha: string };
  /** `gone`: its repository was deleted, which the API tells as `repo: null`. */
  head: { ref: string; sha: string; repository: RepositoryName; gone: boolean };
  createdAt: number;
  updatedAt: number;
  /** As GitHub last made it: of this head, and null for a conflict. */
  merge?: { head: string; commit: string | null };
};

/** A thread is where its comments stand: they share one place. */
export type Thread = {
  nodeId: string;
  pull: number;
  path: string;
  subject: 'line' | 'file';
  side: Side;
  line: number | null;
  startLine: number | null;
  startSide: Side | null;
  position: number | null;
  originalLine: number | null;
  originalStartLine: number | null;
  originalPosition: number | null;
  diffHunk: string;
  outdated: boolean;
  resolvedBy: string | null;
  commitId: string;
  originalCommitId: string;
  originalMergeBase: string;
};

export type Comment = {
  id: number;
  nodeId: string;
  thread: Thread;
  review: Review;
  body: string;
  user: string;
  replyTo: number | null;
  createdAt: number;
  updatedAt: number;
  minimized: string | null;
};

export type ReviewState = 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';
export type Review = {
  id: number;
  nodeId: string;
  pull: number;
  user: string;
  body: string;
  state: ReviewState;
  commitId: string;
  submittedAt: number | null;
  minimized: string | null;
};

export type Artifact = {
  id: number;
  name: string;
  zip: Buffer;
  run: { id: number; headSha: string; headBranch: string; headRepository: RepositoryName };
  expired: boolean;
  createdAt: number;
};

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };

/** An answer that is not what was asked for. */
export class Refusal extends Error {
  override name = 'Refusal';
  constructor(
    readonly status: number,
    message: string,
    readonly errors?: Json[],
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  body(): Json {
    return {
      message: this.message,
      ...(this.errors && { errors: this.errors }),
      documentation_url: 'https://docs.github.com/rest',
      status: String(this.status),
    };
  }
}

export const notFound = () => new Refusal(404, 'Not Found');
export const notAccessible = () => new Refusal(403, 'Resource not accessible by integration');
