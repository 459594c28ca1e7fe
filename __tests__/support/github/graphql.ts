/** GitHub's GraphQL schema, executed for real on what the fake remembers. */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  defaultFieldResolver,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import { root } from '../cli.js';
import type { Comment, Json, Pull, Review, Thread, Token } from './model.js';
import { iso } from './shapes.js';
import type { State } from './state.js';

let built: GraphQLSchema | undefined;

/** GitHub's schema; reading it takes a third of a second, so it is read when it is first needed. */
export function schema(): GraphQLSchema {
  built ??= buildSchema(readFileSync(`${root}node_modules/@octokit/graphql-schema/schema.graphql`, 'utf8'), {
    assumeValid: true,
  });
  return built;
}

export type GraphqlRequest = { query: string; variables?: Record<string, unknown>; operationName?: string };
export type GraphqlAnswer = { body: Json; violations: string[] };
type Context = { state: State; token: Token; violations: string[] };
type Page = { first?: number | null; after?: string | null; last?: number | null; before?: string | null };

export async function answer(state: State, token: Token, request: GraphqlRequest): Promise<GraphqlAnswer> {
  const document = parsed(request.query);
  if ('problem' in document)
    return { body: { errors: [{ message: document.problem }] }, violations: [document.problem] };
  const errors = validate(schema(), document.document);
  if (errors.length > 0) {
    const messages = errors.map((error) => error.message);
    return { body: { errors: messages.map((message) => ({ message })) }, violations: messages };
  }
  const context: Context = { state, token, violations: [] };
  const result = await execute({
    schema: schema(),
    document: document.document,
    rootValue: queries(context),
    contextValue: context,
    variableValues: request.variables,
    operationName: request.operationName,
    fieldResolver: resolve,
  });
  const told = result.errors?.map((error) => ({
    ...(typeof error.extensions.type === 'string' && { type: error.extensions.type }),
    ...(error.path && { path: [...error.path] }),
    locations: (error.locations ?? []).map(({ line, column }) => ({ line, column })),
    message: error.message,
  }));
  const data = JSON.parse(JSON.stringify(result.data ?? null));
  return { body: { data, ...(told && { errors: told }) }, violations: context.violations };
}

function parsed(text: string): { document: DocumentNode } | { problem: string } {
  try {
    return { document: parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A field that the fake knows nothing of must not look like one that is empty. */
const resolve: GraphQLFieldResolver<unknown, Context> = (source, args, context, info) => {
  const known = typeof source === 'object' && source !== null && info.fieldName in source;
  if (known) return defaultFieldResolver(source, args, context, info);
  const message = `the fake does not know ${info.parentType.name}.${info.fieldName}`;
  context.violations.push(message);
  throw new GraphQLError(message);
};

function refusal(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

const forbidden = () => refusal('FORBIDDEN', 'Resource not accessible by integration');
const noNode = (id: string) => refusal('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);

function connection<Item>({ first, after, last }: Page, items: Item[], name: string, shape: (item: Item) => unknown) {
  const size = first ?? last;
  if (typeof size !== 'number') {
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    throw refusal('MISSING_PAGINATION_BOUNDARIES', message);
  }
  if (size > 100 || size < 0) {
    const message = `Requesting ${size} records on the \`${name}\` connection exceeds the \`first\` limit of 100 records.`;
    throw refusal('EXCESSIVE_PAGINATION', message);
  }
  const start = first === null || first === undefined ? Math.max(0, items.length - size) : positionOf(after);
  const page = items.slice(start, start + size);
  return {
    totalCount: items.length,
    nodes: page.map(shape),
    edges: page.map((item, index) => ({ cursor: cursor(start + index + 1), node: shape(item) })),
    pageInfo: {
      hasNextPage: start + page.length < items.length,
      hasPreviousPage: start > 0,
      startCursor: page.length > 0 ? cursor(start + 1) : null,
      endCursor: page.length > 0 ? cursor(start + page.length) : null,
    },
  };
}

const cursor = (position: number) => Buffer.from(`cursor:${position}`).toString('base64');

function positionOf(after: string | null | undefined): number {
  if (!after) return 0;
  const [, position] = /^cursor:(\d+)$/.exec(Buffer.from(after, 'base64').toString()) ?? [];
  if (!position) throw refusal('INVALID_CURSOR_ARGUMENTS', `\`${after}\` does not appear to be a valid cursor.`);
  return Number(position);
}

/** Without the suffix that REST gives to apps. */
function actor(login: string) {
  const bot = login.endsWith('[bot]');
  return {
    __typename: bot ? 'Bot' : 'User',
    login: login.replace(/\[bot\]$/, ''),
    id: `U_${Buffer.from(login).toString('hex')}`,
  };
}

function queries(context: Context) {
  const { state, token } = context;
  return {
    // An app's own login keeps its suffix here, and only here.
    viewer: { __typename: 'User', login: token.login, id: actor(token.login).id },
    rateLimit: { limit: 1000, cost: 1, remaining: 999, used: 1, resetAt: iso(state.now() + 3_600_000) },
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const { options } = state;
      const hidden = options.private && token.foreign;
      if (hidden || owner !== options.owner || name !== options.name) {
        throw refusal('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      }
      return repository(context);
    },
    node: ({ id }: { id: string }) => node(context, id),
    resolveReviewThread: ({ input }: Input<{ threadId: string }>) => settle(context, input, token.login),
    unresolveReviewThread: ({ input }: Input<{ threadId: string }>) => settle(context, input, null),
    minimizeComment: ({ input }: Input<{ subjectId: string; classifier: string }>) => minimize(context, input),
    deletePullRequestReviewComment: ({ input }: Input<{ id: string }>) => remove(context, input),
    updatePullRequestReviewComment: ({ input }: Input<{ pullRequestReviewCommentId: string; body: string }>) =>
      update(context, input),
  };
}

type Input<Fields> = { input: Fields & { clientMutationId?: string } };

function repository(context: Context) {
  const { state } = context;
  return {
    __typename: 'Repository',
    id: `R_${state.upstream.id}`,
    databaseId: state.upstream.id,
    name: state.options.name,
    nameWithOwner: `${state.options.owner}/${state.options.name}`,
    isPrivate: state.options.private,
    owner: actor(state.options.owner),
    pullRequest: ({ number }: { number: number }) => {
      mayRead(context);
      const found = state.pulls.get(number);
      if (found) return pull(context, found);
      throw refusal('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
    },
  };
}

function mayRead({ state, token }: Context): void {
  if (state.options.private && token.permissions['pull-requests'] === 'none') throw forbidden();
}

function mayWrite({ token }: Context): void {
  if (token.permissions['pull-requests'] !== 'write') throw forbidden();
}

function pull(context: Context, of: Pull): object {
  const { state } = context;
  const threads = () => state.threads.filter((one) => one.pull === of.number && visible(context, one).length > 0);
  const reviews = () => state.reviews.filter((one) => one.pull === of.number && shown(context, one));
  return {
    __typename: 'PullRequest',
    id: `PR_${of.id}`,
    number: of.number,
    title: of.title,
    state: of.merged ? 'MERGED' : of.state.toUpperCase(),
    merged: of.merged,
    author: actor(of.user),
    headRefName: of.head.ref,
    headRefOid: of.head.sha,
    baseRefName: of.base.ref,
    baseRefOid: of.base.sha,
    isCrossRepository: of.head.repository.fork,
    reviewThreads: (page: Page) => connection(page, threads(), 'reviewThreads', (one) => thread(context, one)),
    reviews: (page: Page) => connection(page, reviews(), 'reviews', (one) => review(context, one)),
  };
}

function shown({ token }: Context, { state, user }: Review): boolean {
  return state !== 'PENDING' || user === token.login;
}

function visible(context: Context, of: Thread): Comment[] {
  return context.state.commentsOf(of).filter((one) => shown(context, one.review));
}

function thread(context: Context, of: Thread): object {
  const { state, token } = context;
  const may = token.permissions['pull-requests'] === 'write' && token.permissions.contents === 'write';
  return {
    __typename: 'PullRequestReviewThread',
    id: of.nodeId,
    isResolved: of.resolvedBy !== null,
    resolvedBy: of.resolvedBy === null ? null : actor(of.resolvedBy),
    isOutdated: of.outdated,
    isCollapsed: of.resolvedBy !== null || of.outdated,
    path: of.path,
    line: of.line,
    startLine: of.startLine,
    originalLine: of.originalLine,
    originalStartLine: of.originalStartLine,
    diffSide: of.side,
    startDiffSide: of.startSide,
    subjectType: of.subject.toUpperCase(),
    viewerCanResolve: may && of.resolvedBy === null,
    viewerCanUnresolve: may && of.resolvedBy !== null,
    viewerCanReply: token.permissions['pull-requests'] === 'write',
    pullRequest: () => pull(context, state.pull(of.pull)),
    comments: (page: Page) => connection(page, visible(context, of), 'comments', (one) => comment(context, one)),
  };
}

function comment(context: Context, of: Comment): object {
  const { state, token } = context;
  const original = of.replyTo === null ? undefined : state.comments.get(of.replyTo);
  const may = token.permissions['pull-requests'] === 'write';
  return {
    __typename: 'PullRequestReviewComment',
    id: of.nodeId,
    // An Int holds 32 bits.
    databaseId: of.id < 2 ** 31 ? of.id : null,
    fullDatabaseId: String(of.id),
    body: of.body,
    author: actor(of.user),
    authorAssociation: 'NONE',
    viewerDidAuthor: of.user === token.login,
    viewerCanDelete: may,
    viewerCanUpdate: may,
    viewerCanMinimize: may,
    createdAt: iso(of.createdAt),
    updatedAt: iso(of.updatedAt),
    path: of.thread.path,
    line: of.thread.line,
    startLine: of.thread.startLine,
    originalLine: of.thread.originalLine,
    originalStartLine: of.thread.originalStartLine,
    outdated: of.thread.outdated,
    subjectType: of.thread.subject.toUpperCase(),
    diffHunk: of.thread.diffHunk,
    isMinimized: of.minimized !== null,
    minimizedReason: of.minimized?.toLowerCase().replace('_', '-') ?? null,
    state: of.review.state === 'PENDING' ? 'PENDING' : 'SUBMITTED',
    replyTo: original ? () => comment(context, original) : null,
    commit: { oid: of.thread.commitId },
    originalCommit: { oid: of.thread.originalCommitId },
    pullRequestReview: () => review(context, of.review),
    pullRequest: () => pull(context, state.pull(of.thread.pull)),
  };
}

function review(context: Context, of: Review): object {
  const { state, token } = context;
  const comments = () => [...state.comments.values()].filter((one) => one.review === of);
  return {
    __typename: 'PullRequestReview',
    id: of.nodeId,
    databaseId: of.id < 2 ** 31 ? of.id : null,
    fullDatabaseId: String(of.id),
    body: of.body,
    state: of.state,
    author: actor(of.user),
    viewerDidAuthor: of.user === token.login,
    submittedAt: of.submittedAt === null ? null : iso(of.submittedAt),
    isMinimized: of.minimized !== null,
    minimizedReason: of.minimized?.toLowerCase() ?? null,
    viewerCanMinimize: token.permissions['pull-requests'] === 'write',
    commit: { oid: of.commitId },
    pullRequest: () => pull(context, state.pull(of.pull)),
    comments: (page: Page) => connection(page, comments(), 'comments', (one) => comment(context, one)),
  };
}

function node(context: Context, id: string): object {
  mayRead(context);
  const { state } = context;
  const ofThread = state.threads.find((one) => one.nodeId === id);
  if (ofThread) return thread(context, ofThread);
  const ofComment = [...state.comments.values()].find((one) => one.nodeId === id);
  if (ofComment) return comment(context, ofComment);
  const ofReview = state.reviews.find((one) => one.nodeId === id);
  if (ofReview) return review(context, ofReview);
  const ofPull = [...state.pulls.values()].find((one) => `PR_${one.id}` === id);
  if (ofPull) return pull(context, ofPull);
  throw noNode(id);
}

/** Takes `contents: write`, whatever the documentation says of pull requests. */
function settle(context: Context, input: { threadId: string; clientMutationId?: string }, by: string | null) {
  mayWrite(context);
  const found = context.state.threads.find((one) => one.nodeId === input.threadId);
  if (!found) throw noNode(input.threadId);
  if (context.token.permissions.contents !== 'write') throw forbidden();
  found.resolvedBy = by;
  return { clientMutationId: input.clientMutationId ?? null, thread: thread(context, found) };
}

function minimize(context: Context, input: { subjectId: string; classifier: string; clientMutationId?: string }) {
  mayWrite(context);
  const { state } = context;
  const ofComment = [...state.comments.values()].find((one) => one.nodeId === input.subjectId);
  const ofReview = state.reviews.find((one) => one.nodeId === input.subjectId);
  const found = ofComment ?? ofReview;
  if (!found) throw noNode(input.subjectId);
  found.minimized = input.classifier;
  const minimizedComment = ofComment ? comment(context, ofComment) : ofReview ? review(context, ofReview) : null;
  return { clientMutationId: input.clientMutationId ?? null, minimizedComment };
}

function ownNode({ state }: Context, id: string): Comment {
  const found = [...state.comments.values()].find((one) => one.nodeId === id);
  if (!found) throw noNode(id);
  return found;
}

function remove(context: Context, input: { id: string; clientMutationId?: string }) {
  mayWrite(context);
  const found = ownNode(context, input.id);
  context.state.touched(found, context.token.login, 'deleted');
  context.state.forget(found);
  const clientMutationId = input.clientMutationId ?? null;
  return { clientMutationId, pullRequestReview: () => review(context, found.review) };
}

function update(
  context: Context,
  input: { pullRequestReviewCommentId: string; body: string; clientMutationId?: string },
) {
  mayWrite(context);
  const found = ownNode(context, input.pullRequestReviewCommentId);
  context.state.touched(found, context.token.login, 'edited');
  found.body = input.body;
  found.updatedAt = context.state.now();
  return { clientMutationId: input.clientMutationId ?? null, pullRequestReviewComment: comment(context, found) };
}
