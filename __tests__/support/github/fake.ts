/**
 * A GitHub for tests: one repository with real commits, its pull requests, and what is said on them.
 *
 * It answers WHATWG requests (`handle`, `fetch`) or listens on the loopback interface (`listen`). Every request and every
 * answer is held against GitHub's own description; `violations` must stay empty.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationOf, requestProblems, responseProblems } from './contract.js';
import { answer as answerGraphql } from './graphql.js';
import type { Comment, Json, Profile, Pull, RepositoryName, Review, Thread } from './model.js';
import { notFound, Refusal } from './model.js';
import { type Answer, authorize, type Hosts, operations } from './operations.js';
import type { Changes } from './repository.js';
import { Shapes } from './shapes.js';
import { type Anchor, defaults, type Limits, type Options, State } from './state.js';
import {
  answerOf,
  badGateway,
  type Effect,
  type Fault,
  Faults,
  instead,
  Limiter,
  type Logged,
  tokenOf,
} from './traffic.js';
import { zip } from './zip.js';

export type { Side } from './lines.js';
export type { Comment, Profile, Pull, Review, Thread } from './model.js';
export type { Change, Changes } from './repository.js';
export type { Limits, Options } from './state.js';
export type { Effect, Fault, Logged } from './traffic.js';

export type Wishes = Partial<Omit<Options, 'limits'>> & { limits?: Partial<Limits> };
export type Opening = {
  changes: Changes;
  /** By default from a branch of the repository itself. */
  fork?: string;
  user?: string;
  branch?: string;
  /** The branch that it is to be merged into. */
  base?: string;
  title?: string;
};
export type Listening = Hosts & { close: () => Promise<void> };

export class FakeGitHub {
  /** What broke GitHub's description of its API: requests, and answers of this fake. */
  readonly violations: string[] = [];
  readonly log: Logged[] = [];
  /** Requests to another host than the API's that carried the token. */
  readonly leaks: Logged[] = [];
  private readonly faults = new Faults();
  /** By question, what GraphQL has answered. */
  private readonly told = new Map<string, Json>();
  private readonly limiter: Limiter;
  private hosts: Hosts;
  private lastNumber = 0;

  private constructor(readonly state: State) {
    this.limiter = new Limiter(state);
    this.hosts = state.options.enterprise ? enterprise : cloud;
  }

  static async create({ limits, ...wishes }: Wishes = {}): Promise<FakeGitHub> {
    const options = { now: Date.now, ...defaults, ...wishes, limits: { ...defaults.limits, ...limits } };
    return new FakeGitHub(await State.create(options));
  }

  /** Takes the repository away. */
  close(): void {
    this.state.repository.remove();
  }

  // --- What there is

  /** The bare repository: branches in refs/heads, pull requests in refs/pull/N/head. */
  get gitDirectory(): string {
    return this.state.repository.path;
  }

  get apiUrl(): string {
    return this.hosts.api;
  }

  get graphqlUrl(): string {
    return this.hosts.graphql;
  }

  get serverUrl(): string {
    return this.hosts.server;
  }

  pull(number: number): Pull {
    return this.state.pull(number);
  }

  /** All comments of a pull request that are there now, oldest first. */
  comments(number: number): Comment[] {
    return this.state.commentsOn(number);
  }

  threads(number: number): Thread[] {
    return this.state.threads.filter((thread) => thread.pull === number);
  }

  reviews(number: number): Review[] {
    return this.state.reviews.filter((review) => review.pull === number);
  }

  /** Edits and deletions by a token of what somebody else wrote. */
  get foreignActs() {
    return this.state.foreignActs;
  }

  /** The most content-creating requests within one minute of the given clock. */
  get busiestMinute(): number {
    return this.limiter.busiestMinute();
  }

  /** A token with what such a job may do. */
  token(profile: Profile, login?: string): string {
    return this.state.token(profile, login);
  }

  /** The payload of a `pull_request` event for the pull request as it is now. */
  async event(number: number, action = 'synchronize'): Promise<Json> {
    const shapes = new Shapes(this.state, this.hosts);
    const repository = shapes.repository(this.state.upstream);
    return { action, number, pull_request: await shapes.fullPull(this.pull(number)), repository };
  }

  // --- What people do

  /** Opens a pull request. */
  async open(opening: Opening): Promise<number> {
    const { changes, fork, user = fork ?? 'alice', base = this.state.options.branch, title = 'A change' } = opening;
    const number = ++this.lastNumber;
    const branch = opening.branch ?? `change-${number}`;
    const tip = this.state.branchHead(base);
    const repository = fork ? this.fork(fork) : this.state.upstream;
    const sha = await this.state.commit([tip], changes, refsOf(number, repository, branch));
    const at = this.state.now();
    this.state.pulls.set(number, {
      number,
      id: this.state.id(),
      title,
      user,
      state: 'open',
      merged: false,
      base: { ref: base, sha: tip },
      head: { ref: branch, sha, repository, gone: false },
      createdAt: at,
      updatedAt: at,
    });
    return number;
  }

  private fork(owner: string): RepositoryName {
    const known = this.state.forks.get(owner);
    const fork = known ?? { id: 200 + this.state.forks.size, owner, name: this.state.options.name, fork: true };
    this.state.forks.set(owner, fork);
    return fork;
  }

  /** A commit upon the head. Gives the new head. */
  push(number: number, changes: Changes): Promise<string> {
    const pull = this.pull(number);
    return this.moveHead(pull, false, () => this.state.commit([pull.head.sha], changes, headRefs(pull)));
  }

  /** Takes the pull request's commits away; its changes are now these, on the commit that it was made from. */
  forcePush(number: number, changes: Changes): Promise<string> {
    const pull = this.pull(number);
    return this.moveHead(pull, true, async () => {
      const { mergeBase } = await this.state.view(pull);
      return this.state.commit([mergeBase], changes, headRefs(pull));
    });
  }

  rename(number: number, from: string, to: string): Promise<string> {
    return this.push(number, { [to]: { from } });
  }

  /** The pull request's changes as one commit upon the newest base; null where they conflict, and nothing happens. */
  async rebase(number: number): Promise<string | null> {
    const pull = this.pull(number);
    return this.mergeInto(pull, true, (base) => [base]);
  }

  /** The button "Update branch": the base is merged into the head. */
  async updateBranch(number: number): Promise<string | null> {
    const pull = this.pull(number);
    return this.mergeInto(pull, false, (base) => [pull.head.sha, base]);
  }

  /** Somebody else's commit lands on the base branch. */
  async mergeBaseForward(changes: Changes, branch = this.state.options.branch): Promise<string> {
    const concerned = [...this.state.pulls.values()].filter(
      (pull) => pull.base.ref === branch && pull.state === 'open',
    );
    const before = await Promise.all(concerned.map((pull) => this.state.view(pull)));
    const sha = await this.state.commit([this.state.branchHead(branch)], changes, [`refs/heads/${branch}`]);
    for (const [index, pull] of concerned.entries()) {
      const view = before[index];
      if (view) await this.state.reanchor(pull, view, false);
    }
    return sha;
  }

  async createBranch(name: string, from = this.state.options.branch): Promise<void> {
    await this.state.point(`refs/heads/${name}`, this.state.branchHead(from));
  }

  setState(number: number, state: 'open' | 'closed'): void {
    this.pull(number).state = state;
  }

  /** The fork is gone: the API tells `repo: null`. */
  deleteFork(number: number): void {
    this.pull(number).head.gone = true;
  }

  /** Makes what `refs/pull/N/merge` points at and gives it; null where there is a conflict. */
  async mergeCommit(number: number): Promise<string | null> {
    const pull = this.pull(number);
    const { repository } = this.state;
    const base = this.state.branchHead(pull.base.ref);
    const tree = await repository.merged(base, pull.head.sha);
    const refs = [`refs/pull/${number}/merge`];
    const commit = tree ? await this.state.commit([base, pull.head.sha], {}, refs, tree) : null;
    pull.merge = { head: pull.head.sha, commit };
    return commit;
  }

  private async mergeInto(pull: Pull, forced: boolean, parents: (base: string) => string[]): Promise<string | null> {
    const { repository } = this.state;
    const base = this.state.branchHead(pull.base.ref);
    const tree = await repository.merged(base, pull.head.sha);
    if (!tree) return null;
    return this.moveHead(pull, forced, () => this.state.commit(parents(base), {}, headRefs(pull), tree));
  }

  private async moveHead(pull: Pull, forced: boolean, move: () => Promise<string>): Promise<string> {
    const before = await this.state.view(pull);
    pull.head.sha = await move();
    pull.base.sha = this.state.branchHead(pull.base.ref);
    pull.updatedAt = this.state.now();
    await this.state.reanchor(pull, before, forced);
    return pull.head.sha;
  }

  /** Somebody comments on a line, or on a file. */
  async comment(
    number: number,
    user: string,
    at: { path: string; line?: number; side?: 'LEFT' | 'RIGHT' },
    body: string,
  ) {
    const pull = this.pull(number);
    const view = await this.state.view(pull);
    const { path, line, side = 'RIGHT' } = at;
    const place: Anchor | { path: string } =
      line === undefined ? { path } : { path, line, side, startLine: null, startSide: null };
    const review = this.state.review(pull, user, 'COMMENTED', '', pull.head.sha);
    return this.state.comment(this.state.thread(pull, view, place), review, body);
  }

  reply(commentId: number, user: string, body: string): Comment {
    const to = this.known(commentId);
    const pull = this.pull(to.thread.pull);
    const review = this.state.review(pull, user, 'COMMENTED', '', pull.head.sha);
    return this.state.comment(to.thread, review, body, to.replyTo ?? to.id);
  }

  edit(commentId: number, body: string): void {
    const comment = this.known(commentId);
    comment.body = body;
    comment.updatedAt = this.state.now();
  }

  /** A person with the right to do so takes a comment away. */
  delete(commentId: number): void {
    this.state.forget(this.known(commentId));
  }

  resolve(threadId: string, user: string): void {
    this.threadOf(threadId).resolvedBy = user;
  }

  unresolve(threadId: string): void {
    this.threadOf(threadId).resolvedBy = null;
  }

  private known(id: number): Comment {
    const comment = this.state.comments.get(id);
    if (!comment) throw new Error(`there is no comment ${id}`);
    return comment;
  }

  private threadOf(id: string): Thread {
    const thread = this.state.threads.find((candidate) => candidate.nodeId === id);
    if (!thread) throw new Error(`there is no thread ${id}`);
    return thread;
  }

  /** What a workflow run uploaded. Gives the artifact's id. */
  artifact(name: string, files: Record<string, string | Uint8Array>, run: { id: number; pull: number }): number {
    const { head } = this.pull(run.pull);
    const id = this.state.id();
    const made = { id: run.id, headSha: head.sha, headBranch: head.ref, headRepository: head.repository };
    this.state.artifacts.push({ id, name, zip: zip(files), run: made, expired: false, createdAt: this.state.now() });
    return id;
  }

  /** The payload of a `workflow_run` event; of a fork, GitHub does not tell the pull request. */
  workflowRunEvent(number: number, id: number): Json {
    const shapes = new Shapes(this.state, this.hosts);
    const { head } = this.pull(number);
    const pulls = head.repository.fork ? [] : [{ number, head: { sha: head.sha, ref: head.ref } }];
    return {
      action: 'completed',
      workflow_run: {
        id,
        name: 'lint',
        event: 'pull_request',
        status: 'completed',
        conclusion: 'success',
        head_branch: head.ref,
        head_sha: head.sha,
        head_repository: shapes.repository(head.repository),
        pull_requests: pulls,
      },
      repository: shapes.repository(this.state.upstream),
    };
  }

  /** Makes something go wrong. */
  fault(fault: Fault): void {
    this.faults.add(fault);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  // --- What it answers

  /** As the global fetch: follows redirects, and keeps the token from other hosts. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input as Request, init);
    const response = await this.handle(request);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || !location) return response;
    if (request.redirect === 'error') throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
    if (request.redirect === 'manual') return response;
    const to = new URL(location, request.url);
    const headers = new Headers(request.headers);
    if (to.origin !== new URL(request.url).origin) headers.delete('authorization');
    return this.fetch(to, { headers, signal: request.signal });
  };

  /** Does not follow redirects. Rejects where the connection breaks. */
  async handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const text = await request.text();
    const entry = this.note(request, url, text);
    const effects = this.faults.meet(entry);
    if (effects.length > 0)
      entry.fault = effects.map((effect) => (typeof effect === 'string' ? effect : Object.keys(effect)[0])).join(', ');
    for (const effect of effects) await suffer(effect, request.signal);
    const reset = (effect: Effect) => effects.includes(effect);
    if (reset('reset')) throw broken();
    const replaced = effects.map(instead).find((answer) => answer !== undefined);
    const stale = reset('stale') ? this.lastGraphql(entry) : undefined;
    let answer = replaced ?? stale ?? (await this.answer(entry, request, text));
    if (reset('lost-hang')) await silence(request.signal);
    if (reset('lost-reset')) throw broken();
    if (reset('lost')) answer = badGateway();
    entry.status = answer.status;
    const { bytes, type } = payload(answer);
    const headers = {
      ...type,
      ...this.limiter.headers(),
      ...(this.state.options.enterprise && { 'x-github-enterprise-version': '3.19.0' }),
      ...answer.headers,
    };
    const cut = reset('truncated') ? bytes?.subarray(0, Math.floor(bytes.length / 2)) : bytes;
    return new Response(cut ? new Uint8Array(cut) : null, { status: answer.status, headers });
  }

  /** What GraphQL said the last time of what is asked now. */
  private lastGraphql({ operation, body }: Logged): Answer | undefined {
    if (operation !== 'graphql') return undefined;
    const nothing = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
    const empty = { data: { repository: { pullRequest: { reviewThreads: nothing } } } };
    return { status: 200, body: this.told.get(JSON.stringify(body)) ?? empty };
  }

  private note(request: Request, url: URL, text: string): Logged {
    const prefix = new URL(this.hosts.api).pathname.replace(/\/$/, '');
    const onApi = url.origin === new URL(this.hosts.api).origin;
    const graphql = url.origin + url.pathname === this.hosts.graphql;
    const path =
      onApi && !graphql
        ? url.pathname
            .slice(prefix.length)
            .replace(/^\/repositories\/101(?=\/|$)/, `/repos/${this.state.options.owner}/${this.state.options.name}`)
        : url.pathname;
    const operation = graphql ? 'graphql' : onApi ? operationOf(request.method, path)?.route.id : this.otherHost(url);
    const login = this.state.tokens.get(request.headers.get('authorization')?.replace(/^\S+\s+/, '') ?? '')?.login;
    const entry: Logged = {
      number: this.log.length + 1,
      method: request.method,
      host: url.host,
      path,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(request.headers),
      body: parsed(text),
      operation,
      login,
      at: this.state.now(),
      status: 0,
    };
    this.log.push(entry);
    if (!onApi && request.headers.has('authorization')) this.leaks.push(entry);
    return entry;
  }

  private otherHost(url: URL): string | undefined {
    if (url.href.startsWith(`${this.hosts.codeload}/`)) return 'codeload';
    return url.href.startsWith(`${this.hosts.storage}/`) ? 'storage' : undefined;
  }

  private async answer(entry: Logged, request: Request, text: string): Promise<Answer> {
    try {
      if (entry.operation === 'codeload') return await this.codeload(entry);
      if (entry.operation === 'storage') return this.storage(entry);
      if (entry.operation === 'graphql') return await this.graphql(entry, request, text);
      return await this.rest(entry, request, text);
    } catch (error) {
      if (error instanceof Refusal) return answerOf(error);
      this.violations.push(`the fake broke: ${error instanceof Error ? error.stack : error}`);
      throw error;
    }
  }

  private async rest(entry: Logged, request: Request, text: string): Promise<Answer> {
    const { method, path } = entry;
    const matched = operationOf(method, path);
    const query = new URL(request.url).searchParams;
    const token = tokenOf(this.state, request.headers.get('authorization'));
    const limited = this.limiter.take(method, false, method !== 'GET' && method !== 'DELETE');
    if (limited) throw limited;
    const version = request.headers.get('x-github-api-version') ?? versions[0];
    if (!versions.includes(version)) throw new Refusal(400, `API version ${version} is not supported`);
    if (!matched) {
      this.violations.push(`${method} ${path} is no operation that the fake knows`);
      throw notFound();
    }
    if (text !== '' && entry.body === undefined) throw new Refusal(400, 'Problems parsing JSON');
    const wrong = requestProblems(matched, query, entry.body);
    this.violations.push(...wrong);
    const answer = await this.run(matched, wrong, query, entry, request, token);
    if (answer.bytes) return answer;
    this.violations.push(...responseProblems(matched, answer.status, answer.body));
    if (version === versions[0] || answer.body === undefined) return answer;
    return { ...answer, body: withoutDropped(answer.body) };
  }

  private async run(
    { route, params }: NonNullable<ReturnType<typeof operationOf>>,
    wrong: string[],
    query: URLSearchParams,
    entry: Logged,
    request: Request,
    token: ReturnType<typeof tokenOf>,
  ): Promise<Answer> {
    try {
      const operation = operations[route.id];
      if (!operation) throw notFound();
      const { owner, name } = this.state.upstream;
      const fork = this.state.forks.get(params.owner ?? '');
      const here = params.owner === owner && params.repo === name;
      if (!here && fork?.name !== params.repo) throw notFound();
      authorize(this.state, token, operation.needs);
      if (wrong.length > 0) throw new Refusal(422, `Invalid request.\n\n${wrong.join('\n')}`);
      return await operation.run({
        state: this.state,
        shapes: new Shapes(this.state, this.hosts),
        hosts: this.hosts,
        params,
        query,
        body: entry.body,
        token,
        accept: request.headers.get('accept') ?? '',
        path: entry.path,
      });
    } catch (error) {
      if (error instanceof Refusal) return answerOf(error);
      throw error;
    }
  }

  private async graphql(entry: Logged, request: Request, text: string): Promise<Answer> {
    const token = tokenOf(this.state, request.headers.get('authorization'));
    if (!token) throw new Refusal(401, 'This endpoint requires you to be authenticated.');
    const body = parsed(text);
    if (entry.method !== 'POST' || typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new Refusal(400, 'Problems parsing JSON');
    }
    const query = String(body.query ?? '');
    const limited = this.limiter.take('POST', true, /^\s*mutation\b/.test(query));
    if (limited) throw limited;
    const variables = body.variables as Record<string, unknown> | undefined;
    const result = await answerGraphql(this.state, token, { query, ...(variables && { variables }) });
    this.violations.push(...result.violations.map((violation) => `graphql: ${violation}`));
    this.told.set(JSON.stringify(body), result.body);
    return { status: 200, body: result.body };
  }

  /** Where a tarball is fetched from: another host, which has no business with the token. */
  private async codeload({ path, query }: Logged): Promise<Answer> {
    const [, owner, name, ref] = /\/([^/]+)\/([^/]+)\/legacy\.tar\.gz\/(.+)$/.exec(path) ?? [];
    const commit = await this.state.repository.resolve(decodeURIComponent(ref ?? ''));
    if (!commit || (this.state.options.private && query.token !== 'SIGNED')) throw notFound();
    const bytes = await this.state.repository.archive(commit, `${owner}-${name}-${commit.slice(0, 7)}`);
    return { status: 200, bytes, headers: { 'content-type': 'application/x-gzip' } };
  }

  private storage({ path, query }: Logged): Answer {
    const artifact = this.state.artifacts.find(({ id }) => path.endsWith(`/artifacts/${id}.zip`));
    if (!artifact || query.sig !== 'SIGNED') throw notFound();
    return { status: 200, bytes: artifact.zip, headers: { 'content-type': 'application/zip' } };
  }

  /** Listens on the loopback interface: the API on one port, the hosts that it redirects to on another. */
  async listen(): Promise<Listening> {
    const [api, other] = [await this.start(), await this.start()];
    const before = this.hosts;
    const [apiOrigin, otherOrigin] = [originOf(api), originOf(other)];
    const prefix = this.state.options.enterprise ? '/api' : '';
    this.hosts = {
      api: this.state.options.enterprise ? `${apiOrigin}/api/v3` : apiOrigin,
      graphql: `${apiOrigin}${prefix}/graphql`,
      server: apiOrigin,
      codeload: `${otherOrigin}/codeload`,
      storage: `${otherOrigin}/storage`,
    };
    const close = async () => {
      this.hosts = before;
      await Promise.all([stop(api), stop(other)]);
    };
    return { ...this.hosts, close };
  }

  private start(): Promise<Server> {
    const server = createServer((incoming, outgoing) => {
      this.serve(incoming, outgoing).catch(() => incoming.socket.destroy());
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    if (!headers.has('user-agent')) {
      outgoing
        .writeHead(403)
        .end('Request forbidden by administrative rules. Please make sure your request has a User-Agent header');
      return;
    }
    const method = incoming.method ?? 'GET';
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const url = `http://${incoming.headers.host}${incoming.url}`;
    const response = await this.handle(
      new Request(url, { method, headers, ...(hasBody && { body: Buffer.concat(chunks) }) }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  }
}

/** The one that counts without a header, and the one that drops fields of pull requests. */
const versions: [string, string] = ['2022-11-28', '2026-03-10'];
const dropped = ['merge_commit_sha', 'assignee'];

function withoutDropped(body: Json): Json {
  if (Array.isArray(body)) return body.map(withoutDropped);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.includes(name)));
}

const cloud: Hosts = {
  api: 'https://api.github.com',
  graphql: 'https://api.github.com/graphql',
  server: 'https://github.com',
  codeload: 'https://codeload.github.com',
  storage: 'https://artifacts.example.org',
};
const enterprise: Hosts = {
  api: 'https://github.example.org/api/v3',
  graphql: 'https://github.example.org/api/graphql',
  server: 'https://github.example.org',
  codeload: 'https://codeload.github.example.org',
  storage: 'https://artifacts.example.org',
};

function refsOf(number: number, repository: RepositoryName, branch: string): string[] {
  const own = repository.fork ? `refs/forks/${repository.owner}/heads/${branch}` : `refs/heads/${branch}`;
  return [`refs/pull/${number}/head`, own];
}

function headRefs(pull: Pull): string[] {
  return refsOf(pull.number, pull.head.repository, pull.head.ref);
}

/** Until whoever asks has had enough. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

async function suffer(effect: Effect, signal: AbortSignal): Promise<void> {
  if (effect === 'hang') await silence(signal);
  if (typeof effect !== 'object') return;
  if ('before' in effect) await effect.before();
  if (!('slow' in effect)) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, effect.slow);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** As the global fetch fails. */
function broken(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

function payload(answer: Answer): { bytes?: Uint8Array; type: Record<string, string> } {
  if (answer.bytes) return { bytes: answer.bytes, type: {} };
  if (answer.body === undefined) return { type: {} };
  return {
    bytes: Buffer.from(JSON.stringify(answer.body)),
    type: { 'content-type': 'application/json; charset=utf-8' },
  };
}

function parsed(text: string): Json | undefined {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
