/** What each operation of the REST API does. */
import {
  type Comment,
  type Json,
  notAccessible,
  notFound,
  type Permissions,
  type Pull,
  Refusal,
  type Review,
  type Token,
} from './model.js';
import { bodyProblem, type Problem, place, refuse, tooLong, type Wanted } from './placing.js';
import type { Addresses, Shapes } from './shapes.js';
import type { Anchor, State } from './state.js';

/** The other hosts, to which the API sends one on. */
export type Hosts = Addresses & { graphql: string; codeload: string; storage: string };
export type Call = {
  state: State;
  shapes: Shapes;
  hosts: Hosts;
  params: Record<string, string>;
  query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: a request's body, validated against the description
  body: any;
  token: Token | undefined;
  accept: string;
  /** The path that was asked for, for the links to other pages. */
  path: string;
};
export type Answer = { status: number; body?: Json; bytes?: Uint8Array; headers?: Record<string, string> };
type Operation = {
  needs?: { permission: keyof Permissions; level: 'read' | 'write' };
  run: (call: Call) => Promise<Answer> | Answer;
};

const reads = (permission: keyof Permissions, run: Operation['run']): Operation => ({
  needs: { permission, level: 'read' },
  run,
});
const writes = (run: Operation['run']): Operation => ({ needs: { permission: 'pull-requests', level: 'write' }, run });

export const operations: Record<string, Operation> = {
  'repos/get': {
    run: ({ shapes, state, params }) => ok(shapes.repository(state.forks.get(params.owner ?? '') ?? state.upstream)),
  },
  'pulls/get': reads('pull-requests', getPull),
  'pulls/list': reads('pull-requests', listPulls),
  'repos/list-pull-requests-associated-with-commit': reads('pull-requests', pullsOfCommit),
  'pulls/list-files': reads('pull-requests', listFiles),
  'pulls/list-reviews': reads('pull-requests', listReviews),
  'pulls/create-review': writes(createReview),
  'pulls/get-review': reads('pull-requests', (call) => ok(call.shapes.review(reviewOf(call)))),
  'pulls/update-review': writes(updateReview),
  'pulls/delete-pending-review': writes(deletePendingReview),
  'pulls/submit-review': writes(submitReview),
  'pulls/list-review-comments': reads('pull-requests', listComments),
  'pulls/create-review-comment': writes(createComment),
  'pulls/create-reply-for-review-comment': writes(createReply),
  'pulls/get-review-comment': reads('pull-requests', (call) => ok(call.shapes.comment(commentOf(call)))),
  'pulls/update-review-comment': writes(updateComment),
  'pulls/delete-review-comment': writes(deleteComment),
  'repos/compare-commits-with-basehead': reads('contents', compare),
  'repos/get-content': reads('contents', getContent),
  'git/get-tree': reads('contents', getTree),
  'git/get-blob': reads('contents', getBlob),
  'repos/download-tarball-archive': reads('contents', getTarball),
  'actions/list-workflow-run-artifacts': reads('actions', listArtifacts),
  'actions/download-artifact': reads('actions', getArtifact),
};

/** Refuses what the token may not do. Everybody reads what is public. */
export function authorize(state: State, token: Token | undefined, needs: Operation['needs']): void {
  if (state.options.private && (!token || token.foreign)) throw notFound();
  if (!needs) return;
  const has = token?.permissions[needs.permission] ?? 'none';
  if (needs.level === 'write') {
    if (!token) throw new Refusal(401, 'Requires authentication');
    if (has !== 'write') throw notAccessible();
  } else if (state.options.private && has === 'none') throw notAccessible();
}

function ok(body: Json, status = 200): Answer {
  return { status, body };
}

/** One page of a list, with links as GitHub makes them: by the repository's number. */
function paged(
  { query, hosts, path, state }: Call,
  all: Json[],
  wrap: (page: Json[]) => Json = (page) => page,
): Answer {
  const size = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 30)));
  const page = Math.max(1, Number(query.get('page') ?? 1));
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, rel: string) => {
    const other = new URLSearchParams(query);
    other.set('page', String(to));
    const { owner, name, id } = state.upstream;
    return `<${hosts.api}${path.replace(`/repos/${owner}/${name}`, `/repositories/${id}`)}?${other}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return {
    status: 200,
    body: wrap(all.slice((page - 1) * size, page * size)),
    ...(links.length > 0 && { headers: { link: links.join(', ') } }),
  };
}

function pullOf({ state, params }: Call): Pull {
  const pull = state.pulls.get(Number(params.pull_number));
  if (!pull) throw notFound();
  return pull;
}

function reviewOf(call: Call): Review {
  const pull = pullOf(call);
  const review = call.state.reviews.find(({ id }) => id === Number(call.params.review_id));
  if (!review || review.pull !== pull.number) throw notFound();
  return review;
}

function commentOf({ state, params }: Call): Comment {
  const comment = state.comments.get(Number(params.comment_id));
  if (!comment) throw notFound();
  return comment;
}

async function getPull(call: Call): Promise<Answer> {
  return ok(await call.shapes.fullPull(pullOf(call)));
}

function listPulls(call: Call): Answer {
  const { query, state, shapes } = call;
  const wanted = query.get('state') ?? 'open';
  const base = query.get('base');
  // Without an owner, GitHub takes no notice of `head`.
  const head = query.get('head')?.includes(':') ? query.get('head') : null;
  const found = [...state.pulls.values()].filter(
    (pull) =>
      (wanted === 'all' || pull.state === wanted) &&
      (!base || pull.base.ref === base) &&
      (!head || `${pull.head.repository.owner}:${pull.head.ref}` === head),
  );
  const newest = (query.get('direction') ?? 'desc') === 'desc';
  const sorted = newest ? found.reverse() : found;
  return paged(
    call,
    sorted.map((pull) => shapes.pull(pull)),
  );
}

/** Asked of the upstream repository it does not know the pull requests that come from forks. */
async function pullsOfCommit(call: Call): Promise<Answer> {
  const { state, shapes, params } = call;
  const asked = `${params.owner}/${params.repo}`;
  const found: Pull[] = [];
  for (const pull of state.pulls.values()) {
    const { owner, name } = pull.head.repository;
    if (`${owner}/${name}` !== asked) continue;
    const { mergeBase } = await state.view(pull);
    const commits = state.repository.commitsBetween(mergeBase, pull.head.sha);
    if (commits.includes(params.commit_sha ?? '')) found.push(pull);
  }
  return paged(
    call,
    found.map((pull) => shapes.pull(pull)),
  );
}

async function listFiles(call: Call): Promise<Answer> {
  const { state, shapes } = call;
  const pull = pullOf(call);
  const { files } = await state.view(pull);
  const shown = [...files.values()].slice(0, state.options.limits.files);
  return paged(
    call,
    shown.map((file) => shapes.file(file, pull.head.sha)),
  );
}

function listReviews(call: Call): Answer {
  const pull = pullOf(call);
  const visible = call.state.reviews.filter(
    (review) => review.pull === pull.number && (review.state !== 'PENDING' || review.user === call.token?.login),
  );
  return paged(
    call,
    visible.map((review) => call.shapes.review(review)),
  );
}

const reviewStates = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;

/** All or nothing. */
async function createReview(call: Call): Promise<Answer> {
  const { state, shapes, body, token } = call;
  const pull = pullOf(call);
  const user = token?.login ?? '';
  const wanted: Wanted[] = body?.comments ?? [];
  const view = await state.view(pull, await commitOn(call, pull, body?.commit_id, 'review'));
  const problems: Problem[] = [];
  const add = (problem: Problem | undefined) => problem && problems.push(problem);
  const said: string = body?.body ?? '';
  if (tooLong(state, said)) add('too long');
  if (body?.event === 'APPROVE' && user === 'github-actions[bot]') add('approval');
  if (!body?.event && pending(state, pull, user)) add('pending');
  if (body?.event === 'REQUEST_CHANGES' && !said) add('no words');
  if (body?.event === 'COMMENT' && !said && wanted.length === 0) add('no words');
  if (wanted.length > state.options.limits.commentsPerReview) add('too many');
  const anchors: Anchor[] = [];
  for (const comment of wanted) {
    add(bodyProblem(state, comment.body));
    const anchor = place(state, view, comment);
    if (typeof anchor === 'string') add(anchor);
    else anchors.push(anchor);
  }
  if (problems.length > 0) throw refuse(state, 'review', problems);
  const event = body?.event as keyof typeof reviewStates | undefined;
  const review = state.review(pull, user, event ? reviewStates[event] : 'PENDING', said, view.commit);
  for (const [index, anchor] of anchors.entries()) {
    await say(call, pull, view, anchor, review, String(wanted[index]?.body));
  }
  return ok(shapes.review(review));
}

function pending(state: State, pull: Pull, user: string): Review | undefined {
  return state.reviews.find(
    (review) => review.pull === pull.number && review.user === user && review.state === 'PENDING',
  );
}

/** A comment on an older commit is taken to the newest at once, and may be outdated at birth. */
async function say(
  { state }: Call,
  pull: Pull,
  view: Awaited<ReturnType<State['view']>>,
  at: Anchor | { path: string },
  review: Review,
  body: string,
): Promise<Comment> {
  const thread = state.thread(pull, view, at);
  if (view.commit !== pull.head.sha) await state.follow(thread, view, await state.view(pull));
  return state.comment(thread, review, body);
}

/** The commit that is commented on, which must be one of the pull request's. */
async function commitOn(
  { state }: Call,
  pull: Pull,
  wanted: string | undefined,
  endpoint: 'review' | 'comment',
): Promise<string> {
  if (wanted === undefined || wanted === pull.head.sha) return pull.head.sha;
  const { mergeBase } = await state.view(pull);
  const commits = state.repository.commitsBetween(mergeBase, pull.head.sha);
  if (!commits.includes(wanted)) throw refuse(state, endpoint, ['commit']);
  return wanted;
}

function updateReview(call: Call): Answer {
  const review = reviewOf(call);
  if (tooLong(call.state, call.body.body)) throw refuse(call.state, 'review', ['too long']);
  review.body = call.body.body;
  return ok(call.shapes.review(review));
}

function deletePendingReview(call: Call): Answer {
  const review = reviewOf(call);
  if (review.state !== 'PENDING')
    throw new Refusal(422, 'Unprocessable Entity', ['Can not delete a non-pending pull request review']);
  const { state } = call;
  state.reviews.splice(state.reviews.indexOf(review), 1);
  for (const comment of state.commentsOn(review.pull)) if (comment.review === review) state.forget(comment);
  return ok(call.shapes.review(review));
}

function submitReview(call: Call): Answer {
  const review = reviewOf(call);
  const event = call.body.event as keyof typeof reviewStates;
  if (review.state !== 'PENDING')
    throw new Refusal(422, 'Unprocessable Entity', ['Can not submit a review that is not pending']);
  if (event === 'APPROVE' && review.user === 'github-actions[bot]') throw refuse(call.state, 'review', ['approval']);
  review.state = reviewStates[event];
  review.submittedAt = call.state.now();
  if (call.body.body) review.body = call.body.body;
  return ok(call.shapes.review(review));
}

function listComments(call: Call): Answer {
  const { state, query, shapes } = call;
  const pull = pullOf(call);
  const since = Date.parse(query.get('since') ?? '') || 0;
  const found = state
    .commentsOn(pull.number)
    .filter((comment) => comment.review.state !== 'PENDING' && comment.updatedAt >= since);
  if (query.get('sort') === 'updated') found.sort((a, b) => a.updatedAt - b.updatedAt);
  if (query.get('direction') === 'desc' && query.has('sort')) found.reverse();
  return paged(
    call,
    found.map((comment) => shapes.comment(comment)),
  );
}

async function createComment(call: Call): Promise<Answer> {
  const { state, body, token, shapes } = call;
  const pull = pullOf(call);
  if (body.in_reply_to !== undefined) return reply(call, pull, body.in_reply_to);
  const view = await state.view(pull, await commitOn(call, pull, body.commit_id, 'comment'));
  const problems: Problem[] = [];
  const wrong = bodyProblem(state, body.body);
  if (wrong) problems.push(wrong);
  const whole = body.subject_type === 'file';
  if (!whole && body.line === undefined && body.position === undefined) {
    throw new Refusal(
      422,
      'Invalid request.\n\nNo subschema in "oneOf" matched.\n"position" wasn\'t supplied.\n"in_reply_to" wasn\'t supplied.\n"line" wasn\'t supplied.',
    );
  }
  const anchor = whole ? fileOf(view, body.path) : place(state, view, body);
  if (typeof anchor === 'string') problems.push(anchor);
  if (problems.length > 0 || typeof anchor === 'string') throw refuse(state, 'comment', problems);
  const review = state.review(pull, token?.login ?? '', 'COMMENTED', '', view.commit);
  return ok(shapes.comment(await say(call, pull, view, anchor, review, body.body)), 201);
}

function fileOf(view: Awaited<ReturnType<State['view']>>, path: string): { path: string } | Problem {
  return view.files.has(path) ? { path } : 'path';
}

function createReply(call: Call): Answer {
  return reply(call, pullOf(call), Number(call.params.comment_id));
}

/** Answers go to the first comment of a thread, whichever was named. */
function reply({ state, shapes, body, token }: Call, pull: Pull, id: number): Answer {
  const to = state.comments.get(id);
  if (!to || to.thread.pull !== pull.number) throw notFound();
  const wrong = bodyProblem(state, body.body);
  if (wrong) throw refuse(state, 'comment', [wrong]);
  const review = state.review(pull, token?.login ?? '', 'COMMENTED', '', pull.head.sha);
  return ok(shapes.comment(state.comment(to.thread, review, body.body, to.replyTo ?? to.id)), 201);
}

function updateComment(call: Call): Answer {
  const comment = commentOf(call);
  const wrong = bodyProblem(call.state, call.body.body);
  if (wrong) throw refuse(call.state, 'comment', [wrong]);
  call.state.touched(comment, call.token?.login ?? '', 'edited');
  comment.body = call.body.body;
  comment.updatedAt = call.state.now();
  return ok(call.shapes.comment(comment));
}

function deleteComment(call: Call): Answer {
  const comment = commentOf(call);
  call.state.touched(comment, call.token?.login ?? '', 'deleted');
  call.state.forget(comment);
  return { status: 204 };
}

async function compare(call: Call): Promise<Answer> {
  const { state, shapes, params, hosts, query } = call;
  const [base = '', head = ''] = (params.basehead ?? '').split('...');
  const [from, to] = [await state.commitNamed(base), await state.commitNamed(head)];
  if (!from || !to) throw notFound();
  const mergeBase = state.repository.mergeBase(from, to);
  const ahead = state.repository.commitsBetween(from, to);
  const behind = state.repository.commitsBetween(to, from);
  const files = (await state.repository.diff(mergeBase, to))
    .slice(0, 300)
    .map((file) => shapes.file(state.shown(file), to));
  const url = `${hosts.api}/repos/${params.owner}/${params.repo}/compare/${params.basehead}`;
  const page = `${hosts.server}/${params.owner}/${params.repo}/compare/${params.basehead}`;
  const first = Number(query.get('page') ?? 1) === 1;
  return ok({
    url,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: shapes.commit(from),
    merge_base_commit: shapes.commit(mergeBase),
    status: relation(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: ahead
      .slice(0, 250)
      .reverse()
      .map((sha) => shapes.commit(sha)),
    ...(first && { files }),
  });
}

function relation(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

async function commitNamed({ state }: Call, word: string | null): Promise<string> {
  const commit = await state.repository.resolve(word ?? state.options.branch);
  if (!commit) throw new Refusal(404, `No commit found for the ref ${word}`);
  return commit;
}

async function getContent(call: Call): Promise<Answer> {
  const { state, hosts, params, query, accept } = call;
  const commit = await commitNamed(call, query.get('ref'));
  const tree = await state.repository.tree(commit, true);
  const path = (params.path ?? '').replace(/^\/|\/$/g, '');
  const base = `${hosts.api}/repos/${params.owner}/${params.repo}`;
  const describe = ({ path: at, type, sha, size = 0 }: (typeof tree)[number]) => {
    const url = `${base}/contents/${at}?ref=${commit}`;
    const links = { self: url, git: null, html: null };
    const kind = type === 'tree' ? 'dir' : 'file';
    const name = at.slice(at.lastIndexOf('/') + 1);
    return {
      name,
      path: at,
      sha,
      size,
      url,
      html_url: null,
      git_url: null,
      download_url: null,
      type: kind,
      _links: links,
    };
  };
  const entry = tree.find((candidate) => candidate.path === path);
  if (entry?.type === 'tree' || path === '') {
    const inside = path === '' ? '' : `${path}/`;
    const children = tree.filter(
      (child) => child.path.startsWith(inside) && !child.path.slice(inside.length).includes('/'),
    );
    return ok(children.map(describe));
  }
  if (entry?.type !== 'blob') throw notFound();
  const bytes = await state.repository.blob(entry.sha);
  if (/\braw\b/.test(accept)) {
    return { status: 200, bytes, headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' } };
  }
  const large = bytes.length > 1024 * 1024;
  const content = large ? { content: '', encoding: 'none' } : { content: lined(bytes), encoding: 'base64' };
  if (entry.mode === '120000') return ok({ ...describe(entry), type: 'symlink', target: bytes.toString() });
  return ok({ ...describe(entry), ...content });
}

/** base64 as GitHub sends it: sixty characters a line. */
function lined(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{60}/g, '$&\n');
}

async function getTree(call: Call): Promise<Answer> {
  const { state, hosts, params, query } = call;
  const sha = params.tree_sha ?? '';
  try {
    const entries = await state.repository.tree(sha, query.has('recursive'));
    const base = `${hosts.api}/repos/${params.owner}/${params.repo}/git`;
    const tree = entries.map((entry) => ({ ...entry, url: `${base}/${entry.type}s/${entry.sha}` }));
    return ok({ sha, url: `${base}/trees/${sha}`, tree, truncated: false });
  } catch {
    throw notFound();
  }
}

async function getBlob(call: Call): Promise<Answer> {
  const { state, hosts, params, accept } = call;
  const sha = params.file_sha ?? '';
  const bytes = await state.repository.blob(sha).catch(() => {
    throw notFound();
  });
  if (/\braw\b/.test(accept)) return { status: 200, bytes, headers: { 'content-type': 'application/octet-stream' } };
  const url = `${hosts.api}/repos/${params.owner}/${params.repo}/git/blobs/${sha}`;
  return ok({ sha, node_id: `B_${sha}`, size: bytes.length, url, content: lined(bytes), encoding: 'base64' });
}

async function getTarball(call: Call): Promise<Answer> {
  const { state, hosts, params } = call;
  await commitNamed(call, params.ref ?? null);
  const key = state.options.private ? '?token=SIGNED' : '';
  const location = `${hosts.codeload}/${params.owner}/${params.repo}/legacy.tar.gz/${encodeURIComponent(params.ref ?? '')}${key}`;
  return { status: 302, headers: { location } };
}

function listArtifacts(call: Call): Answer {
  const { state, params, query, shapes } = call;
  const name = query.get('name');
  const found = state.artifacts.filter(
    (artifact) => artifact.run.id === Number(params.run_id) && (!name || artifact.name === name),
  );
  const wrap = (page: Json[]) => ({ total_count: found.length, artifacts: page });
  return paged(
    call,
    found.map((artifact) => shapes.artifact(artifact)),
    wrap,
  );
}

function getArtifact(call: Call): Answer {
  const { state, params, token, hosts } = call;
  const artifact = state.artifacts.find(({ id }) => id === Number(params.artifact_id));
  if (!artifact || params.archive_format !== 'zip') throw notFound();
  if (!token) throw new Refusal(401, 'You must have the actions scope to download artifacts.');
  if (artifact.expired) throw new Refusal(410, 'Artifact has expired');
  return { status: 302, headers: { location: `${hosts.storage}/artifacts/${artifact.id}.zip?sig=SIGNED` } };
}
