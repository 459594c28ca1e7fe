/**
 * GitHub's API as the reviewer needs it: a handful of calls, one after the other, patient where GitHub asks for patience
 * (FACTS.md). What it refuses comes out as one `ApiError` that says what is to be done about it.
 */

import { getOctokit } from '@actions/github';
import { defined } from '../core/defined.js';
import type { Json, JsonObject } from '../core/model.js';
import { getString, isObject, lookUp } from '../core/object.js';
import { commitIn } from '../tree/git.js';
import type { Listing } from './archive.js';
import type { Anchor, PullFile, Thread } from './types.js';

export type Clock = { now(): number; sleep(milliseconds: number): Promise<void> };

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * `denied`: the token may not; `invalid`: GitHub does not take what was sent; `limited`: too much at once, even after waiting;
 * `unclear`: it broke on the way, so a write may have been done or not.
 */
export type ApiRefusal = 'denied' | 'invalid' | 'limited' | 'unclear';

export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly kind: ApiRefusal,
    message: string,
  ) {
    super(message);
  }
}

export type Pull = { number: number; head: string; base: string; open: boolean };

export type GitHubOptions = {
  token: string;
  /** `owner/name` */
  repository: string;
  /** As GITHUB_API_URL: `https://api.github.com`, or `https://HOST/api/v3` of an own server. */
  apiUrl: string;
  clock?: Clock;
  /** Milliseconds that one request may take; 15,000 unless given. */
  timeout?: number;
  /** In place of the network, for tests. */
  fetch?: (request: string, init?: RequestInit) => Promise<Response>;
};

type Octokit = ReturnType<typeof getOctokit>;
/** What octokit is about to send. */
type Sent = { method: string; url: string; headers: { [name: string]: unknown }; request?: object };
type Answer = Awaited<ReturnType<Octokit['request']>>;
type Refused = { refused: ApiError; wait?: number };

/** Between two writes, as GitHub's best practices ask. */
const pause = 1000;
/** More than this a job does not wait for a limit to pass. */
const patience = 60_000;
const attempts = 3;
/** For one request, from its first byte to the last of its answer. */
const requestTimeout = 15_000;
/** For all requests of a run, waits and pauses included: a job is not to be held up by what it shows beside its verdict. */
const budget = 180_000;
/** A server that has not answered so often, one time after the other, is not asked again. */
const mostSilences = 2;
/** Before what may have been written is looked for: what GraphQL tells may lag behind (FACTS.md). */
const settling = 5_000;
/** For the merge of a pull request, in all and between two requests. */
const mergePatience = 30_000;
const mergeStep = 3_000;
/** GitHub lists no more files of a pull request (FACTS.md, Limits). */
export const maxFiles = 3000;

const unreadableComments = 'the comments of the pull request cannot be read';

export class GitHub {
  readonly #octokit: Octokit;
  readonly #clock: Clock;
  readonly #repository: { owner: string; repo: string };
  #lastWrite = Number.NEGATIVE_INFINITY;
  readonly #timeout: number;
  #waited = 0;
  #silences = 0;
  #begin: number | undefined;

  constructor({ token, repository, apiUrl, clock = realClock, timeout = requestTimeout, fetch }: GitHubOptions) {
    this.#timeout = timeout;
    const [owner = '', repo = ''] = repository.split('/');
    this.#repository = { owner, repo };
    this.#clock = clock;
    const quiet = () => {};
    this.#octokit = getOctokit(token, {
      baseUrl: apiUrl,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      ...(fetch && { request: { fetch } }),
    });
    this.#octokit.hook.wrap('request', (request, sent) => this.#patiently(async () => request(sent), sent));
  }

  async pull(number: number): Promise<Pull> {
    const { data } = await this.#octokit.rest.pulls.get({ ...this.#repository, pull_number: number });
    return toPull(toJson(data));
  }

  /** The open pull requests of a branch, as `owner:branch`. */
  async pullsFrom(head: string): Promise<Pull[]> {
    const { pulls } = this.#octokit.rest;
    const asked = { ...this.#repository, head, state: 'open' as const, per_page: 100 };
    return (await this.#octokit.paginate(pulls.list, asked, listIn)).map(toPull);
  }

  /** Lets pass what a write that broke on the way may take to be seen. */
  async settle(): Promise<void> {
    await this.#clock.sleep(settling);
  }

  /** All of them, as far as GitHub lists them (3,000). */
  async files(number: number): Promise<PullFile[]> {
    const { pulls } = this.#octokit.rest;
    const asked = { ...this.#repository, pull_number: number, per_page: 100 };
    let count = 0;
    const files = await this.#octokit.paginate(pulls.listFiles, asked, (answer, done) => {
      const page = listIn(answer);
      count += page.length;
      if (count >= maxFiles) done();
      return page;
    });
    return files.map((file) => ({
      filename: getString(file, ['filename']) ?? '',
      previous_filename: getString(file, ['previous_filename']),
      status: getString(file, ['status']) ?? '',
      changes: Number(lookUp(file, ['changes']) ?? 0),
      patch: getString(file, ['patch']),
    }));
  }

  /** The commit that a branch, or the name of a commit, stands for, and the last one that it shares with another. */
  async compare(base: string, head: string): Promise<{ base?: string; shared?: string }> {
    const { repos } = this.#octokit.rest;
    const asked = { ...this.#repository, basehead: `${base}...${head}`, per_page: 1 };
    const data = toJson((await repos.compareCommitsWithBasehead(asked)).data);
    const commit = (name: string) => commitIn(getString(data, [name, 'sha']));
    return defined({ base: commit('base_commit'), shared: commit('merge_base_commit') });
  }

  /**
   * The commit that merges a pull request into its base, as GitHub makes it when it is asked for; asked again until it is done, for
   * 30 s at most. `conflicts`: there cannot be one.
   */
  async mergeOf(number: number): Promise<{ commit?: string; conflicts: boolean }> {
    for (let waited = 0; ; waited += mergeStep) {
      const { data } = await this.#octokit.rest.pulls.get({ ...this.#repository, pull_number: number });
      const mergeable = lookUp(toJson(data), ['mergeable']);
      const commit = commitIn(getString(toJson(data), ['merge_commit_sha']));
      if (typeof mergeable === 'boolean') return { conflicts: !mergeable, ...(mergeable && defined({ commit })) };
      if (waited >= mergePatience) return { conflicts: false };
      await this.#clock.sleep(mergeStep);
    }
  }

  /**
   * What a commit has, by its path from the root: files, links and submodules. Throws where they are more than GitHub lists
   * (100,000, 7 MB).
   */
  async listing(commit: string): Promise<Listing> {
    const { git } = this.#octokit.rest;
    const data = toJson((await git.getTree({ ...this.#repository, tree_sha: commit, recursive: '1' })).data);
    const entries = lookUp(data, ['tree']);
    if (!Array.isArray(entries) || lookUp(data, ['truncated']) !== false)
      throw new ApiError('unclear', 'GitHub does not list all files of the commit');
    const below = entries.filter((entry) => getString(entry, ['type']) !== 'tree');
    return new Map(
      below.map((entry) => [
        getString(entry, ['path']) ?? '',
        { object: getString(entry, ['sha']) ?? '', isSubmodule: getString(entry, ['type']) === 'commit' },
      ]),
    );
  }

  /** All conversations on lines and files of the pull request. */
  async threads(number: number): Promise<Thread[]> {
    const threads: Thread[] = [];
    let after: string | undefined;
    do {
      const variables = { ...this.#repository, number, after: after ?? null };
      const data = toJson(await this.#octokit.graphql(threadsQuery, variables));
      const page = lookUp(data, ['repository', 'pullRequest', 'reviewThreads']);
      if (!isObject(page)) throw new ApiError('denied', unreadableComments);
      const nodes = Array.isArray(page.nodes) ? page.nodes : [];
      threads.push(...nodes.flatMap(toThread));
      after =
        lookUp(page, ['pageInfo', 'hasNextPage']) === true ? getString(page, ['pageInfo', 'endCursor']) : undefined;
    } while (after !== undefined);
    return threads;
  }

  /** All comments, or none: GitHub takes a review as a whole. */
  async createReview(
    number: number,
    review: { head: string; body: string; comments: { anchor: Extract<Anchor, { kind: 'line' }>; body: string }[] },
  ): Promise<void> {
    const comments = review.comments.map(({ anchor: { path, side, line, startLine }, body }) => ({
      path,
      side,
      line,
      ...(startLine !== undefined && { start_line: startLine, start_side: side }),
      body,
    }));
    await this.#write(({ pulls }) =>
      pulls.createReview({
        ...this.#repository,
        pull_number: number,
        commit_id: review.head,
        event: 'COMMENT',
        body: review.body,
        comments,
      }),
    );
  }

  async commentOnFile(number: number, { head, path, body }: { head: string; path: string; body: string }) {
    const comment = { commit_id: head, path, body, subject_type: 'file' as const };
    await this.#write(({ pulls }) =>
      pulls.createReviewComment({ ...this.#repository, pull_number: number, ...comment }),
    );
  }

  async editComment(comment: number, body: string): Promise<void> {
    await this.#write(({ pulls }) => pulls.updateReviewComment({ ...this.#repository, comment_id: comment, body }));
  }

  /** One that is gone already is gone. */
  async deleteComment(comment: number): Promise<void> {
    await this.#write(({ pulls }) => pulls.deleteReviewComment({ ...this.#repository, comment_id: comment }));
  }

  /** Where the files of a commit can be had without the token, for a short time. */
  async archiveUrl(commit: string): Promise<string | undefined> {
    const { repos } = this.#octokit.rest;
    const asked = { ...this.#repository, ref: commit, request: { redirect: 'manual' as const } };
    return (await repos.downloadTarballArchive(asked)).headers.location;
  }

  async #write(send: (rest: Octokit['rest']) => Promise<unknown>): Promise<void> {
    const wait = this.#lastWrite + pause - this.#clock.now();
    if (wait > 0) await this.#clock.sleep(wait);
    try {
      await send(this.#octokit.rest);
    } finally {
      this.#lastWrite = this.#clock.now();
    }
  }

  /** Reads are tried again when something broke; a write is not, as it may have been done. Limits are waited for. */
  async #patiently(request: () => Promise<Answer>, sent: Sent): Promise<Answer> {
    sent.headers['x-github-api-version'] = '2022-11-28';
    const isRead = sent.method === 'GET' || isGraphql(sent);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#once(request, sent);
      if (!('refused' in outcome)) return outcome;
      const { refused, wait } = outcome;
      const again = refused.kind === 'limited' || (refused.kind === 'unclear' && isRead);
      const delay = wait ?? 1000 * 2 ** attempt;
      if (!again || attempt >= attempts || this.#waited + delay > patience || delay > this.#left()) throw refused;
      this.#waited += delay;
      await this.#clock.sleep(delay);
    }
  }

  /** Milliseconds of the budget. */
  #left(): number {
    this.#begin ??= this.#clock.now();
    return this.#begin + budget - this.#clock.now();
  }

  async #once(request: () => Promise<Answer>, sent: Sent): Promise<Answer | Refused> {
    const left = this.#left();
    if (left <= 0)
      return { refused: new ApiError('limited', `all requests together took ${budget / 1000} s`), wait: left };
    if (this.#silences >= mostSilences) return { refused: new ApiError('denied', 'GitHub does not answer') };
    const signal = AbortSignal.timeout(Math.min(this.#timeout, left));
    sent.request = { ...sent.request, signal };
    try {
      const answer = await request();
      this.#silences = 0;
      const refused = graphqlRefusal(sent, toJson(answer.data)) ?? noJson(sent, answer);
      return refused ? { refused } : answer;
    } catch (error) {
      if (signal.aborted) {
        this.#silences += 1;
        return { refused: new ApiError('unclear', `no answer within ${this.#timeout / 1000} s`) };
      }
      this.#silences = 0;
      return refusalOf(error, { method: sent.method, now: this.#clock.now() });
    }
  }
}

function isGraphql({ url }: Sent): boolean {
  return url.endsWith('/graphql');
}

/** What came, whatever its type says: a proxy may have answered. */
function toJson(data: unknown): Json {
  return (data ?? null) as Json;
}

function listIn({ data, url }: { data: unknown; url: string }): Json[] {
  if (!Array.isArray(data)) throw new ApiError('unclear', `GitHub's answer to ${url} is no list`);
  return data;
}

/** Errors come as texts or as objects; a limit may be dressed as an invalid request (FACTS.md, Refusals). */
function refusalOf(error: unknown, { method, now }: { method: string; now: number }): Refused {
  const { status, message, response } = error as {
    status?: number;
    message?: string;
    response?: { data?: unknown; headers?: { [name: string]: string | undefined } };
  };
  const said = typeof response?.data === 'object' ? JSON.stringify(response.data) : '';
  const text = `${status ?? ''} ${wordsOf(response?.data) ?? message ?? String(error)}`.trim().slice(0, 300);
  const headers = response?.headers ?? {};
  const wait = waitOf(headers, now);
  if (status === undefined || status >= 500) return { refused: new ApiError('unclear', text) };
  const isTooQuick = /submitted too quickly|"abuse"/i.test(said);
  const isLimit = status === 429 || /secondary rate/i.test(said);
  // A secondary limit that does not say how long: a minute, as GitHub's best practices have it.
  const until = wait ?? (isLimit ? 60_000 : undefined);
  if (until !== undefined || isTooQuick) return { refused: new ApiError('limited', text), ...defined({ wait: until }) };
  if (status === 422 && takesNoWrite.test(said)) return { refused: new ApiError('denied', text) };
  // A comment that is gone is no matter of rights: it was read a moment ago.
  const isGone = status === 404 && (method === 'PATCH' || method === 'DELETE');
  if (!isGone && (status === 401 || status === 403 || status === 404)) return { refused: new ApiError('denied', text) };
  return { refused: new ApiError('invalid', text) };
}

/** A locked conversation or an archived repository, which refuses every further write as well (FACTS.md, Refusals). */
const takesNoWrite = /\block prevents\b|\blocked\b|\bwas archived\b/i;

/** Milliseconds. */
function waitOf(headers: { [name: string]: string | undefined }, now: number): number | undefined {
  const after = Number(headers['retry-after']);
  if (Number.isFinite(after)) return Math.max(1, after) * 1000;
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  const reset = Number(headers['x-ratelimit-reset']);
  // A limit that does not tell its end.
  return Number.isFinite(reset) ? Math.max(1000, reset * 1000 - now) : 60_000;
}

function wordsOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { message, errors } = data as { message?: unknown; errors?: unknown };
  const more = Array.isArray(errors) ? errors.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
  return [String(message ?? ''), ...more].join('; ');
}

/** What the type of an error means; one without a type is a failure of the server, which may pass (FACTS.md, Refusals). */
const graphqlKinds: { readonly [type: string]: ApiRefusal } = {
  RATE_LIMITED: 'limited',
  FORBIDDEN: 'denied',
  NOT_FOUND: 'denied',
  INSUFFICIENT_SCOPES: 'denied',
};

/** GraphQL says with status 200 what it refuses. */
function graphqlRefusal(sent: Sent, data: Json): ApiError | undefined {
  if (!isGraphql(sent)) return undefined;
  if (!isObject(data)) return new ApiError('denied', unreadableComments);
  if (!Array.isArray(data.errors)) return undefined;
  const first = data.errors[0] ?? null;
  const kind = graphqlKinds[getString(first, ['type']) ?? ''] ?? 'unclear';
  return new ApiError(kind, getString(first, ['message']) ?? 'GraphQL error');
}

/** Octokit takes what cannot be parsed for a text, and does not expect it where it puts pages together. */
function noJson({ method, url }: Sent, { status, data }: Answer): ApiError | undefined {
  const isJson = method !== 'GET' || status !== 200 || (typeof data === 'object' && data !== null);
  return isJson ? undefined : new ApiError('unclear', `GitHub's answer to ${url} is no JSON`);
}

function toPull(data: Json): Pull {
  return {
    number: Number(lookUp(data, ['number'])),
    head: getString(data, ['head', 'sha']) ?? '',
    base: getString(data, ['base', 'sha']) ?? '',
    open: getString(data, ['state']) === 'open',
  };
}

const threadsQuery = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          isResolved
          isOutdated
          path
          line
          startLine
          diffSide
          subjectType
          comments(first: 1) { totalCount nodes { fullDatabaseId body viewerDidAuthor } }
        }
      }
    }
  }
}`;

/** Without a first comment there is nothing to know it by. */
function toThread(node: Json): Thread[] {
  const comments = lookUp(node, ['comments', 'nodes']);
  const first = Array.isArray(comments) ? comments[0] : undefined;
  if (!isObject(node) || !isObject(first as Json)) return [];
  const comment = first as JsonObject;
  const { line, startLine } = node;
  const isRange = typeof startLine === 'number' && startLine !== line;
  return [
    {
      resolved: node.isResolved === true,
      path: String(node.path),
      ...(typeof line === 'number' && node.isOutdated !== true && { line, ...(isRange && { startLine }) }),
      side: node.diffSide === 'LEFT' ? 'LEFT' : 'RIGHT',
      wholeFile: node.subjectType === 'FILE',
      replies: Number(lookUp(node, ['comments', 'totalCount']) ?? 1) - 1,
      comment: {
        id: Number(comment.fullDatabaseId),
        body: String(comment.body),
        mine: comment.viewerDidAuthor === true,
      },
    },
  ];
}
