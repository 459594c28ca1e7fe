/** What goes over the wire besides answers: limits, and what can go wrong. */
import type { Json, Token } from './model.js';
import { Refusal } from './model.js';
import type { Answer } from './operations.js';
import type { State } from './state.js';

export type Logged = {
  /** 1 is the first request that this fake saw. */
  number: number;
  method: string;
  host: string;
  /** Without the prefix of a GitHub Enterprise Server. */
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Json | undefined;
  /** As GitHub's description names it; `graphql`, `codeload` or `storage` for the rest. */
  operation: string | undefined;
  login: string | undefined;
  at: number;
  fault?: string;
  /** 0 where the connection broke. */
  status: number;
};

export type Effect =
  /** 502 with a page, as a proxy makes it; the request was not carried out. */
  | 'bad-gateway'
  | 'server-error'
  | 'unavailable'
  /** 403 with `retry-after`. */
  | 'secondary-limit'
  /** 429 with `retry-after`. */
  | 'too-many-requests'
  /** 403 with `x-ratelimit-remaining: 0`. */
  | 'rate-limit'
  /** 422 that are the secondary limit in disguise. */
  | 'too-quickly'
  | 'abuse'
  | 'invalid-threads'
  /** 422 `Line could not be resolved`, whatever was asked. */
  | 'unresolved'
  /** 422 `lock prevents review`: a locked conversation, for a token that cannot push. */
  | 'locked'
  /** 403 of an archived repository, which takes no write. */
  | 'archived'
  /** The connection breaks, before or after the request is carried out. */
  | 'reset'
  | 'lost-reset'
  /** No answer ever comes, be the request carried out or not. */
  | 'hang'
  | 'lost-hang'
  /** GraphQL answers as it did the last time, whatever has been written since; the first time, that there is nothing yet. */
  | 'stale'
  /** The request is carried out, and 502 is the answer. */
  | 'lost'
  /** The request is carried out, and the answer ends in the middle. */
  | 'truncated'
  | { slow: number }
  /** Something happens just before the request is answered: a push, say. */
  | { before: () => unknown }
  | { status: number; body?: Json; text?: string; headers?: Record<string, string> };

export type Fault = {
  /** The how many-th of the requests that match, from now on; by default the next. */
  at?: number;
  /** How many of them, one after the other. */
  times?: number;
  method?: string;
  /** Of the operation, as GitHub's description names it, or `graphql`, `codeload`, `storage`. */
  operation?: string;
  path?: RegExp;
  /** Of its body, as JSON. */
  body?: RegExp;
  effect: Effect;
};

export class Faults {
  private readonly armed: (Fault & { seen: number })[] = [];

  add(fault: Fault): void {
    this.armed.push({ ...fault, seen: 0 });
  }

  clear(): void {
    this.armed.length = 0;
  }

  /** The faults that this request meets. */
  meet(request: Pick<Logged, 'method' | 'path' | 'operation' | 'body'>): Effect[] {
    const met: Effect[] = [];
    for (const fault of [...this.armed]) {
      if (fault.method && fault.method !== request.method) continue;
      if (fault.operation && fault.operation !== request.operation) continue;
      if (fault.path && !fault.path.test(request.path)) continue;
      if (fault.body && !fault.body.test(JSON.stringify(request.body ?? null))) continue;
      fault.seen++;
      const first = fault.at ?? 1;
      const last = first + (fault.times ?? 1) - 1;
      if (fault.seen >= first) met.push(fault.effect);
      if (fault.seen >= last) this.armed.splice(this.armed.indexOf(fault), 1);
    }
    return met;
  }
}

const page =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';
const secondary =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.';

export function badGateway(): Answer {
  return { status: 502, bytes: Buffer.from(page), headers: { 'content-type': 'text/html' } };
}

/** The answer that takes the place of the true one, where the effect is one. */
export function instead(effect: Effect): Answer | undefined {
  if (typeof effect === 'object') {
    if (!('status' in effect)) return undefined;
    const { status, body, text, headers } = effect;
    return {
      status,
      ...(body !== undefined && { body }),
      ...(text !== undefined && { bytes: Buffer.from(text) }),
      ...(headers && { headers }),
    };
  }
  const refused = (status: number, message: string, errors?: Json[], headers?: Record<string, string>) =>
    answerOf(new Refusal(status, message, errors, headers));
  switch (effect) {
    case 'bad-gateway':
      return badGateway();
    case 'server-error':
      return refused(500, 'Server Error');
    case 'unavailable':
      return refused(503, 'Service Unavailable');
    case 'secondary-limit':
      return refused(403, secondary, undefined, { 'retry-after': '60' });
    case 'too-many-requests':
      return refused(429, secondary, undefined, { 'retry-after': '60' });
    case 'rate-limit':
      return refused(403, 'API rate limit exceeded for installation ID 1.', undefined, {
        'x-ratelimit-remaining': '0',
      });
    case 'too-quickly':
      return refused(422, 'Validation Failed', [
        { resource: 'PullRequestReview', code: 'unprocessable', field: 'data', message: 'was submitted too quickly' },
      ]);
    case 'abuse':
      return refused(422, 'Validation Failed', [
        { resource: 'PullRequestReviewComment', code: 'abuse', field: 'data' },
      ]);
    case 'invalid-threads':
      return refused(422, 'Unprocessable Entity', ['Review comments is invalid and Review threads is invalid']);
    case 'unresolved':
      return refused(422, 'Unprocessable Entity', ['Line could not be resolved']);
    case 'locked':
      return refused(422, 'Unprocessable Entity', ['lock prevents review']);
    case 'archived':
      return refused(403, 'Repository was archived so is read-only.');
    default:
      return undefined;
  }
}

export function answerOf(refusal: Refusal): Answer {
  return { status: refusal.status, body: refusal.body(), headers: refusal.headers };
}

const minute = 60_000;
const hour = 60 * minute;

/** Counts requests by the clock that was given. */
export class Limiter {
  private readonly requests: { at: number; points: number; content: boolean }[] = [];
  private start: number;

  constructor(private readonly state: State) {
    this.start = state.now();
  }

  /** Refuses what is too much. `content`: the request creates something that others are told of. */
  take(method: string, graphql: boolean, content: boolean): Refusal | undefined {
    const { limits, enterprise } = this.state.options;
    const now = this.state.now();
    if (now - this.start >= hour) this.start = now - ((now - this.start) % hour);
    const points = method === 'GET' || (graphql && !content) ? 1 : 5;
    this.requests.push({ at: now, points, content });
    if (enterprise) return undefined;
    if (this.used() > limits.requestsPerHour) {
      return new Refusal(403, 'API rate limit exceeded for installation ID 1.', undefined, this.headers());
    }
    const spent = this.since(minute).reduce((sum, request) => sum + request.points, 0);
    const created = (span: number) => this.since(span).filter((request) => request.content).length;
    const much = content && (created(minute) > limits.contentPerMinute || created(hour) > limits.contentPerHour);
    return spent > limits.pointsPerMinute || much
      ? new Refusal(403, secondary, undefined, { 'retry-after': '60' })
      : undefined;
  }

  /** The most content-creating requests that were seen in one minute. */
  busiestMinute(): number {
    const times = this.requests.filter((request) => request.content).map((request) => request.at);
    return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minute).length));
  }

  headers(): Record<string, string> {
    const { limits, enterprise } = this.state.options;
    if (enterprise) return {};
    return {
      'x-ratelimit-limit': String(limits.requestsPerHour),
      'x-ratelimit-remaining': String(Math.max(0, limits.requestsPerHour - this.used())),
      'x-ratelimit-reset': String(Math.ceil((this.start + hour) / 1000)),
      'x-ratelimit-used': String(this.used()),
      'x-ratelimit-resource': 'core',
    };
  }

  private used(): number {
    return this.requests.filter((request) => request.at >= this.start).length;
  }

  private since(span: number) {
    return this.requests.filter((request) => request.at > this.state.now() - span);
  }
}

/** Who a request is from; undefined without a token. */
export function tokenOf(state: State, authorization: string | null): Token | undefined {
  if (!authorization) return undefined;
  const [, text = ''] = /^(?:token|bearer)\s+(.+)$/i.exec(authorization) ?? [];
  const token = state.tokens.get(text);
  if (!token || token.expired) throw new Refusal(401, 'Bad credentials');
  return token;
}
