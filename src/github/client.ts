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
  /** In place of the network, for tests. */
  fetch?: (request: string, init?: RequestInit) => Promise<Response>;
};

type Call = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; route: string; parameters?: { [name: string]: unknown } };
type Answer = { data: Json; link?: string };

/** Between two writes, as GitHub's best practices ask. */
const pause = 1000;
/** More than this a job does not wait for a limit to pass. */
const patience = 60_000;
const attempts = 3;

export class GitHub {
  readonly #octokit: ReturnType<typeof getOctokit>;
  readonly #clock: Clock;
  readonly #repository: { owner: string; repo: string };
  readonly #graphqlUrl: string;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #waited = 0;

  constructor({ token, repository, apiUrl, clock = realClock, fetch }: GitHubOptions) {
    const [owner = '', repo = ''] = repository.split('/');
    this.#repository = { owner, repo };
    this.#clock = clock;
    // GitHub Enterprise Server has it beside the REST API, not below.
    this.#graphqlUrl = apiUrl.replace(/\/api\/v3\/?$/, '/api');
    const quiet = () => {};
    this.#octokit = getOctokit(token, {
      baseUrl: apiUrl,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      ...(fetch && { request: { fetch } }),
    });
  }

  async pull(number: number): Promise<Pull> {
    const { data } = await this.#call({
      method: 'GET',
      route: '/repos/{owner}/{repo}/pulls/{number}',
      parameters: { number },
    });
    return toPull(data);
  }

  /** The open pull requests of a branch, as `owner:branch`. */
  async pullsFrom(head: string): Promise<Pull[]> {
    const found = await this.#pages({
      method: 'GET',
      route: '/repos/{owner}/{repo}/pulls',
      parameters: { head, state: 'open' },
    });
    return found.map(toPull);
  }

  /** All of them, as far as GitHub lists them (3,000). */
  async files(number: number): Promise<PullFile[]> {
    const files = await this.#pages({
      method: 'GET',
      route: '/repos/{owner}/{repo}/pulls/{number}/files',
      parameters: { number },
    });
    return files.map((file) => ({
      filename: getString(file, ['filename']) ?? '',
      previous_filename: getString(file, ['previous_filename']),
      status: getString(file, ['status']) ?? '',
      changes: Number(lookUp(file, ['changes']) ?? 0),
      patch: getString(file, ['patch']),
    }));
  }

  /** The last commit that both share. */
  async mergeBase(base: string, head: string): Promise<string | undefined> {
    const { data } = await this.#call({
      method: 'GET',
      route: '/repos/{owner}/{repo}/compare/{basehead}',
      parameters: { basehead: `${base}...${head}`, per_page: 1 },
    });
    return getString(data, ['merge_base_commit', 'sha']);
  }

  /** The commit at the tip of a branch, as GitHub compares it with another. */
  async tipOf(branch: string, other: string): Promise<string | undefined> {
    const { data } = await this.#call({
      method: 'GET',
      route: '/repos/{owner}/{repo}/compare/{basehead}',
      parameters: { basehead: `${branch}...${other}`, per_page: 1 },
    });
    return commitIn(getString(data, ['base_commit', 'sha']));
  }

  /**
   * What a commit has, by its path from the root: files, links and submodules. Throws where they are more than GitHub lists
   * (100,000, 7 MB).
   */
  async listing(commit: string): Promise<Listing> {
    const { data } = await this.#call({
      method: 'GET',
      route: '/repos/{owner}/{repo}/git/trees/{tree_sha}',
      parameters: { tree_sha: commit, recursive: '1' },
    });
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
      const { data } = await this.#call({
        method: 'POST',
        route: '/graphql',
        parameters: { query: threadsQuery, variables: { ...this.#repository, number, after: after ?? null } },
      });
      const page = lookUp(data, ['repository', 'pullRequest', 'reviewThreads']);
      if (!isObject(page)) throw new ApiError('denied', 'the comments of the pull request cannot be read');
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
    await this.#write({
      method: 'POST',
      route: '/repos/{owner}/{repo}/pulls/{number}/reviews',
      parameters: {
        number,
        commit_id: review.head,
        event: 'COMMENT',
        body: review.body,
        comments: review.comments.map(({ anchor: { path, side, line, startLine }, body }) => ({
          path,
          side,
          line,
          ...(startLine !== undefined && { start_line: startLine, start_side: side }),
          body,
        })),
      },
    });
  }

  async commentOnFile(number: number, { head, path, body }: { head: string; path: string; body: string }) {
    await this.#write({
      method: 'POST',
      route: '/repos/{owner}/{repo}/pulls/{number}/comments',
      parameters: { number, commit_id: head, path, body, subject_type: 'file' },
    });
  }

  async editComment(comment: number, body: string): Promise<void> {
    await this.#write({
      method: 'PATCH',
      route: '/repos/{owner}/{repo}/pulls/comments/{comment}',
      parameters: { comment, body },
    });
  }

  /** One that is gone already is gone. */
  async deleteComment(comment: number): Promise<void> {
    await this.#write({
      method: 'DELETE',
      route: '/repos/{owner}/{repo}/pulls/comments/{comment}',
      parameters: { comment },
    });
  }

  /** Where the files of a commit can be had without the token, for a short time. */
  async archiveUrl(commit: string): Promise<string | undefined> {
    const { link } = await this.#call({
      method: 'GET',
      route: '/repos/{owner}/{repo}/tarball/{commit}',
      parameters: { commit, request: { redirect: 'manual' } },
    });
    return link;
  }

  async #pages({ method, route, parameters }: Call): Promise<Json[]> {
    const found: Json[] = [];
    for (let page = 1; ; page++) {
      const { data } = await this.#call({ method, route, parameters: { ...parameters, per_page: 100, page } });
      if (!Array.isArray(data)) throw new ApiError('unclear', `GitHub's answer to ${route} is no list`);
      found.push(...data);
      if (data.length < 100) return found;
    }
  }

  async #write(call: Call): Promise<void> {
    const wait = this.#lastWrite + pause - this.#clock.now();
    if (wait > 0) await this.#clock.sleep(wait);
    try {
      await this.#call(call);
    } finally {
      this.#lastWrite = this.#clock.now();
    }
  }

  /** Reads are tried again when something broke; a write is not, as it may have been done. Limits are waited for. */
  async #call(call: Call): Promise<Answer> {
    const isRead = call.method === 'GET' || call.route === '/graphql';
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#once(call);
      if (!('refused' in outcome)) return outcome;
      const { refused, wait } = outcome;
      const again = refused.kind === 'limited' || (refused.kind === 'unclear' && isRead);
      const delay = wait ?? 1000 * 2 ** attempt;
      if (!again || attempt >= attempts || this.#waited + delay > patience) throw refused;
      this.#waited += delay;
      await this.#clock.sleep(delay);
    }
  }

  async #once({ method, route, parameters }: Call): Promise<Answer | { refused: ApiError; wait?: number }> {
    try {
      const response = await this.#octokit.request(`${method} ${route}`, {
        ...this.#repository,
        ...parameters,
        ...(route === '/graphql' && { baseUrl: this.#graphqlUrl }),
        headers: { 'x-github-api-version': '2022-11-28' },
      });
      const data = (response.data ?? null) as Json;
      const link = response.headers.location;
      if (route !== '/graphql') return { data, ...(link && { link }) };
      if (isObject(data) && Array.isArray(data.errors)) return { refused: graphqlRefusal(data.errors) };
      return { data: (isObject(data) && data.data) || null };
    } catch (error) {
      const found = link(error);
      return found ? { data: null, link: found } : refusalOf(error, { method, now: this.#clock.now() });
    }
  }
}

/** Octokit takes a redirect that it was told not to follow for an error. */
function link(error: unknown): string | undefined {
  const { status, response } = error as { status?: number; response?: { headers?: { location?: string } } };
  return status !== undefined && status >= 300 && status < 400 ? response?.headers?.location : undefined;
}

/** Errors come as texts or as objects; a limit may be dressed as an invalid request (FACTS.md, Refusals). */
function refusalOf(
  error: unknown,
  { method, now }: { method: Call['method']; now: number },
): { refused: ApiError; wait?: number } {
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
  const limited = status === 429 || wait !== undefined || /secondary rate|submitted too quickly|"abuse"/i.test(said);
  if (limited) return { refused: new ApiError('limited', text), ...defined({ wait }) };
  // A comment that is gone is no matter of rights: it was read a moment ago.
  const isGone = status === 404 && (method === 'PATCH' || method === 'DELETE');
  if (!isGone && (status === 401 || status === 403 || status === 404)) return { refused: new ApiError('denied', text) };
  return { refused: new ApiError('invalid', text) };
}

/** Milliseconds. */
function waitOf(headers: { [name: string]: string | undefined }, now: number): number | undefined {
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(after)) return Math.max(1, after) * 1000;
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  const reset = Number(headers['x-ratelimit-reset']);
  // A limit that does not tell its end: a minute, as GitHub's best practices have it.
  return Number.isFinite(reset) ? Math.max(1000, reset * 1000 - now) : 60_000;
}

function wordsOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { message, errors } = data as { message?: unknown; errors?: unknown };
  const more = Array.isArray(errors) ? errors.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
  return [String(message ?? ''), ...more].join('; ');
}

function graphqlRefusal(errors: Json[]): ApiError {
  const first = errors[0] ?? null;
  const type = getString(first, ['type']);
  return new ApiError(type === 'RATE_LIMITED' ? 'limited' : 'denied', getString(first, ['message']) ?? 'GraphQL error');
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
  const { line } = node;
  return [
    {
      resolved: node.isResolved === true,
      path: String(node.path),
      ...(typeof line === 'number' && node.isOutdated !== true && { line }),
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
