/** The fake itself: it must refuse what GitHub refuses, or the tests that lean on it say nothing. */
import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { someOf } from '../sample.js';
import { type Effect, FakeGitHub, type Profile, type Wishes } from './fake.js';
import { patchLines } from './lines.js';
import { operations } from './operations.js';

const made: FakeGitHub[] = [];
afterEach(() => {
  for (const fake of made.splice(0)) fake.close();
});

const base = `${Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n')}\n`;
/** Two hunks: lines 7 to 13 and 37 to 43. */
const changed = base.replace('line 10\n', 'line ten\n').replace('line 40\n', 'line forty\n');

async function github(wishes: Wishes = {}): Promise<FakeGitHub> {
  const fake = await FakeGitHub.create({ files: { 'a.yaml': base, 'b.yaml': 'b: 1\n' }, ...wishes });
  made.push(fake);
  return fake;
}

/** With one pull request that changes a.yaml, adds c.yaml, and moves b.yaml. */
async function withPull(wishes: Wishes = {}, fork?: string): Promise<{ fake: FakeGitHub; n: number }> {
  const fake = await github(wishes);
  const changes = { 'a.yaml': changed, 'c.yaml': 'c: 1\n', 'd.yaml': { from: 'b.yaml' } };
  return { fake, n: await fake.open({ changes, ...(fork && { fork }) }) };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
type Anything = any;
type Said = { status: number; body: Anything; headers: Headers };

function client(fake: FakeGitHub, token: string | undefined = fake.token('write'), fetch = fake.fetch) {
  return async (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Said> => {
    const url = path.startsWith('http') ? path : `${fake.apiUrl}/repos/acme/platform${path}`;
    const response = await fetch(url, {
      method,
      headers: { ...(token && { authorization: `token ${token}` }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };
}

const review = (comments: object[], more: object = {}) => ({ event: 'COMMENT', body: '', comments, ...more });
const ten = { path: 'a.yaml', line: 10, side: 'RIGHT', body: 'ten' };

describe('files', () => {
  test('are what git says of the merge base and the head', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    await fake.mergeBaseForward({ 'z.yaml': 'z\n', 'a.yaml': `zero\n${base}` });
    const { body } = await ask('GET', `/pulls/${n}/files`);
    const seen = body.map((file: Anything) => [
      file.filename,
      file.status,
      file.previous_filename,
      file.additions,
      file.changes,
    ]);
    expect(seen).toEqual([
      ['a.yaml', 'modified', undefined, 2, 4],
      ['c.yaml', 'added', undefined, 1, 1],
      ['d.yaml', 'renamed', 'b.yaml', 0, 0],
    ]);
    expect(body[1]).toMatchObject({ patch: '@@ -0,0 +1 @@\n+c: 1' });
    expect(body[1].sha).toBe(execFileSync('git', ['hash-object', '--stdin'], { input: 'c: 1\n' }).toString().trim());
    expect(body[2]).not.toHaveProperty('patch');
    const pull = await ask('GET', `/pulls/${n}`);
    expect(pull.body).toMatchObject({
      changed_files: 3,
      additions: 3,
      deletions: 2,
      commits: 1,
      head: { sha: fake.pull(n).head.sha },
    });
    expect(fake.violations).toEqual([]);
  });

  test('without a patch: binary, larger than the limit, only a mode', async () => {
    const fake = await github({ limits: { patchLines: 10 } });
    const n = await fake.open({
      changes: {
        'binary.bin': new Uint8Array([0, 1, 2]),
        'large.yaml': base,
        'b.yaml': { executable: 'b: 1\n' },
        'odd "name"\n.yaml': 'x',
        'gone.yaml': { link: 'b.yaml' },
      },
    });
    await fake.push(n, { 'a.yaml': null });
    const { body } = await client(fake)('GET', `/pulls/${n}/files`);
    expect(body.map((file: Anything) => [file.filename, file.status, file.changes, file.patch?.slice(0, 8)])).toEqual(
      [
        ['a.yaml', 'removed', 60, undefined],
        ['b.yaml', 'changed', 0, undefined],
        ['binary.bin', 'added', 0, undefined],
        ['gone.yaml', 'added', 1, '@@ -0,0 '],
        ['large.yaml', 'renamed', 0, undefined],
        ['odd "name"\n.yaml', 'added', 1, '@@ -0,0 '],
      ].filter(([name]) => name !== 'a.yaml'),
    );
  });

  test('come a hundred at a time, with links, and three thousand at most', async () => {
    const fake = await github({ limits: { files: 205 } });
    const many = Object.fromEntries(
      Array.from({ length: 230 }, (_, index) => [`f/${String(index).padStart(4, '0')}`, `${index}\n`]),
    );
    const n = await fake.open({ changes: many });
    const ask = client(fake);
    expect((await ask('GET', `/pulls/${n}/files`)).body).toHaveLength(30);
    const sizes: number[] = [];
    let next: string | undefined = `/pulls/${n}/files?per_page=100`;
    while (next) {
      const page = await ask('GET', next);
      sizes.push(page.body.length);
      next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(sizes).toEqual([100, 100, 5]);
    expect((await ask('GET', `/pulls/${n}/files?per_page=100&page=2`)).headers.get('link')).toBe(
      [
        ['1', 'prev'],
        ['3', 'next'],
        ['3', 'last'],
        ['1', 'first'],
      ]
        .map(
          ([page, rel]) =>
            `<https://api.github.com/repositories/101/pulls/1/files?per_page=100&page=${page}>; rel="${rel}"`,
        )
        .join(', '),
    );
    expect((await ask('GET', `/pulls/${n}`)).body.changed_files).toBe(230);
    expect(fake.violations).toEqual([]);
  });
});

describe('a review', () => {
  test('with lines on both sides, ranges and positions', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    const answer = await ask('POST', `/pulls/${n}/reviews`, {
      ...review([
        ten,
        { path: 'a.yaml', line: 10, side: 'LEFT', body: 'gone' },
        { path: 'a.yaml', start_line: 8, start_side: 'RIGHT', line: 10, side: 'RIGHT', body: 'range' },
        { path: 'a.yaml', start_line: 10, start_side: 'LEFT', line: 10, side: 'RIGHT', body: 'from old to new' },
        { path: 'c.yaml', position: 1, body: 'position' },
      ]),
      commit_id: fake.pull(n).head.sha,
    });
    expect([answer.status, answer.body.state]).toEqual([200, 'COMMENTED']);
    const { body } = await ask('GET', `/pulls/${n}/comments`);
    expect(body.map((one: Anything) => [one.side, one.start_line, one.line, one.position, one.user.login])).toEqual([
      ['RIGHT', null, 10, 5, 'github-actions[bot]'],
      ['LEFT', null, 10, 4, 'github-actions[bot]'],
      ['RIGHT', 8, 10, 5, 'github-actions[bot]'],
      ['RIGHT', 10, 10, 5, 'github-actions[bot]'],
      ['RIGHT', null, 1, 1, 'github-actions[bot]'],
    ]);
    expect(body[0].diff_hunk).toBe('@@ -7,7 +7,7 @@ line 6\n line 7\n line 8\n line 9\n-line 10\n+line ten');
    expect((await ask('GET', `/pulls/${n}/reviews`)).body).toHaveLength(1);
    expect(fake.violations).toEqual([]);
  });

  const line = 'Line could not be resolved';
  const path = 'Path could not be resolved';
  const hunk = 'Pull request review thread start line must be part of the same hunk as the line.';
  const order = 'Pull request review thread start line must precede the end line.';
  const refused: [what: string, body: object, ...errors: string[]][] = [
    ['a line in no hunk', review([{ ...ten, line: 20 }]), line],
    ['line 0', review([{ ...ten, line: 0 }]), line],
    ['a file that is not in the pull request', review([{ ...ten, path: 'z.yaml' }]), path],
    ['the old name of a moved file', review([{ ...ten, path: 'b.yaml' }]), path],
    ['a moved file without changes', review([{ path: 'd.yaml', line: 1, body: 'x' }]), line],
    ['an added line on the left', review([{ path: 'c.yaml', line: 1, side: 'LEFT', body: 'x' }]), line],
    ['the side in small letters', review([{ ...ten, side: 'right' }]), 'Side is invalid'],
    ['a range of one line', review([{ ...ten, start_line: 10 }]), order],
    ['a range upside down', review([{ ...ten, start_line: 12 }]), order],
    ['a range over two hunks', review([{ ...ten, start_line: 9, line: 40 }]), hunk],
    ['a range from outside', review([{ ...ten, start_line: 2 }]), hunk],
    [
      'neither line nor position',
      review([{ path: 'a.yaml', body: 'x' }]),
      "Pull request review thread position is invalid and Pull request review thread diff hunk can't be blank",
    ],
    ['a comment without words', review([{ ...ten, body: ' ' }]), "Body can't be blank"],
    [
      'a comment that is too long',
      review([{ ...ten, body: 'x'.repeat(65_537) }]),
      'Body is too long (maximum is 65536 characters)',
    ],
    [
      'a summary that is too long',
      review([ten], { body: 'x'.repeat(65_537) }),
      'Body is too long (maximum is 65536 characters)',
    ],
    ['more comments than a hundred', review(Array(101).fill(ten)), 'Comments is too long (maximum is 100)'],
    ['a comment with nothing in it', review([]), "Body can't be blank"],
    ['a demand without words', review([ten], { event: 'REQUEST_CHANGES' }), "Body can't be blank"],
    [
      'approval by a workflow',
      review([], { event: 'APPROVE' }),
      'GitHub Actions is not permitted to approve pull requests.',
    ],
    [
      'two that are wrong, which it does not name',
      review([ten, { ...ten, line: 20 }, { ...ten, path: 'z.yaml' }]),
      line,
      path,
    ],
  ];
  test.each(refused)('refuses %s, and then creates nothing', async (_, body, ...errors) => {
    const { fake, n } = await withPull();
    const answer = await client(fake)('POST', `/pulls/${n}/reviews`, body);
    expect([answer.status, answer.body.message, answer.body.errors]).toEqual([422, 'Unprocessable Entity', errors]);
    expect([fake.reviews(n), fake.comments(n), fake.violations]).toEqual([[], [], []]);
  });

  test('is refused with objects, too', async () => {
    const { fake, n } = await withPull({ errors: 'objects' });
    const answer = await client(fake)('POST', `/pulls/${n}/reviews`, review([{ ...ten, line: 20 }]));
    const field = 'pull_request_review_thread.line';
    const error = { resource: 'PullRequestReview', code: 'custom', field, message: 'could not be resolved' };
    expect(answer.body).toMatchObject({ message: 'Validation Failed', errors: [error] });
    expect(fake.violations).toEqual([]);
  });

  test('is refused in the words of years ago', async () => {
    const { fake, n } = await withPull({ wording: 'old' });
    const ask = client(fake);
    const { body } = await ask('POST', `/pulls/${n}/reviews`, review([{ ...ten, line: 20 }]));
    expect(body.errors).toEqual([
      "Pull request review thread line must be part of the diff, Pull request review thread start line must be part of the same hunk as the line., and Pull request review thread diff hunk can't be blank",
    ]);
    const other = await ask('POST', `/pulls/${n}/reviews`, review([{ ...ten, path: 'z.yaml' }]));
    expect(other.body.errors[0]).toMatch(/^Pull request review thread path is invalid and/);
  });

  test('counts characters, not units', async () => {
    const { fake, n } = await withPull();
    expect(
      (await client(fake)('POST', `/pulls/${n}/reviews`, review([{ ...ten, body: '😀'.repeat(65_536) }]))).status,
    ).toBe(200);
  });

  test('of another commit', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    const first = fake.pull(n).head.sha;
    await fake.push(n, { 'a.yaml': changed.replace('line 9\n', 'line nine\n') });
    expect((await ask('POST', `/pulls/${n}/reviews`, review([ten], { commit_id: first }))).status).toBe(200);
    expect(fake.comments(n)[0]?.thread).toMatchObject({ line: 10, originalCommitId: first });
    const older = await ask(
      'POST',
      `/pulls/${n}/reviews`,
      review([{ ...ten, side: 'LEFT', line: 9 }], { commit_id: first }),
    );
    expect(older.status).toBe(200);
    await fake.forcePush(n, { 'a.yaml': changed });
    const lost = await ask('POST', `/pulls/${n}/reviews`, review([ten], { commit_id: first }));
    expect(lost.status).toBe(422);
    const unknown = await ask('POST', `/pulls/${n}/reviews`, review([ten], { commit_id: '0'.repeat(40) }));
    expect([unknown.status, unknown.body.errors]).toEqual([422, ['The commitOID is not part of the pull request']]);
  });

  test('that waits is seen by its author only, and there is one', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    const other = client(fake, fake.token('write', 'carol'));
    const waiting = await ask('POST', `/pulls/${n}/reviews`, { comments: [ten] });
    expect([waiting.body.state, waiting.body.submitted_at]).toEqual(['PENDING', undefined]);
    const second = await ask('POST', `/pulls/${n}/reviews`, { comments: [ten] });
    expect(second.body.errors).toEqual(['User can only have one pending review per pull request']);
    expect((await other('GET', `/pulls/${n}/reviews`)).body).toEqual([]);
    expect((await ask('GET', `/pulls/${n}/reviews`)).body).toHaveLength(1);
    expect((await ask('GET', `/pulls/${n}/comments`)).body).toEqual([]);
    const submitted = await ask('POST', `/pulls/${n}/reviews/${waiting.body.id}/events`, {
      event: 'COMMENT',
      body: 'Done',
    });
    expect(submitted.body).toMatchObject({ state: 'COMMENTED', body: 'Done' });
    expect((await other('GET', `/pulls/${n}/comments`)).body).toHaveLength(1);
    expect((await ask('DELETE', `/pulls/${n}/reviews/${waiting.body.id}`)).status).toBe(422);
    expect((await ask('PUT', `/pulls/${n}/reviews/${waiting.body.id}`, { body: 'Edited' })).body.body).toBe('Edited');
    expect(fake.violations).toEqual([]);
  });
});

describe('a single comment', () => {
  test('on a line and on a file; edited and deleted', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    const commit_id = fake.pull(n).head.sha;
    const onLine = await ask('POST', `/pulls/${n}/comments`, { ...ten, commit_id });
    const onFile = await ask('POST', `/pulls/${n}/comments`, {
      path: 'd.yaml',
      body: 'moved',
      commit_id,
      subject_type: 'file',
    });
    expect([onLine.status, onLine.body.line, onFile.status, onFile.body.line]).toEqual([201, 10, 201, null]);
    expect([onFile.body.subject_type, fake.reviews(n).length]).toEqual(['file', 2]);
    expect((await ask('PATCH', `/pulls/comments/${onLine.body.id}`, { body: 'eleven' })).body.body).toBe('eleven');
    const answer = await ask('POST', `/pulls/${n}/comments/${onLine.body.id}/replies`, { body: 'why?' });
    expect([answer.status, answer.body.in_reply_to_id]).toEqual([201, onLine.body.id]);
    expect((await ask('DELETE', `/pulls/comments/${onFile.body.id}`)).status).toBe(204);
    expect((await ask('DELETE', `/pulls/comments/${onFile.body.id}`)).status).toBe(404);
    expect((await ask('GET', `/pulls/comments/${onLine.body.id}`)).body.body).toBe('eleven');
    expect([fake.threads(n).length, fake.reviews(n).length]).toEqual([1, 3]);
    expect([fake.violations, fake.foreignActs]).toEqual([[], []]);
  });

  test.each([
    [
      'a line in no hunk',
      { ...ten, line: 20 },
      { field: 'pull_request_review_thread.line', message: 'could not be resolved' },
    ],
    [
      'a file that is not there',
      { ...ten, path: 'z', subject_type: 'file' },
      { field: 'pull_request_review_thread.path' },
    ],
    [
      'an unknown commit',
      { ...ten, commit_id: '0'.repeat(40) },
      { field: 'commit_id', message: 'commit_id is not part of the pull request' },
    ],
  ])('refuses %s', async (_, body, error) => {
    const { fake, n } = await withPull();
    const answer = await client(fake)('POST', `/pulls/${n}/comments`, { commit_id: fake.pull(n).head.sha, ...body });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Validation Failed', errors: [{ code: 'custom', ...error }] },
    });
    expect([fake.comments(n), fake.violations]).toEqual([[], []]);
  });

  test('that somebody else wrote: GitHub lets the token, the fake tells', async () => {
    const { fake, n } = await withPull();
    const foreign = await fake.comment(n, 'carol', { path: 'a.yaml', line: 10 }, '<!-- our marker -->');
    await client(fake)('PATCH', `/pulls/comments/${foreign.id}`, { body: 'mine now' });
    expect(fake.foreignActs).toEqual([{ id: foreign.id, user: 'carol', by: 'github-actions[bot]', act: 'edited' }]);
  });
});

describe('after a push', () => {
  async function commented(wishes: Wishes = {}) {
    const { fake, n } = await withPull(wishes);
    const ask = client(fake);
    await ask(
      'POST',
      `/pulls/${n}/reviews`,
      review([
        ten,
        { ...ten, side: 'LEFT' },
        { ...ten, start_line: 8 },
        { ...ten, line: 40 },
        { path: 'c.yaml', line: 1, body: 'c' },
      ]),
    );
    const lines = async () =>
      (await ask('GET', `/pulls/${n}/comments`)).body.map((one: Anything) => [
        one.start_line,
        one.line,
        one.original_line,
      ]);
    return { fake, n, ask, lines };
  }

  test('a comment moves with its line', async () => {
    const { fake, n, lines } = await commented();
    await fake.push(n, { 'a.yaml': `new\n${changed}` });
    expect(await lines()).toEqual([
      [null, 11, 10],
      [null, 10, 10],
      [9, 11, 10],
      [null, 41, 40],
      [null, 1, 1],
    ]);
    expect(fake.threads(n).every((thread) => !thread.outdated && thread.commitId === fake.pull(n).head.sha)).toBe(true);
    expect(fake.violations).toEqual([]);
  });

  test('it is outdated where its line changed, left the diff, or the file did', async () => {
    const { fake, n, lines } = await commented();
    const first = fake.pull(n).head.sha;
    await fake.push(n, {
      'a.yaml': changed.replace('line ten\n', 'line 10!\n').replace('line forty\n', 'line 40\n'),
      'c.yaml': null,
    });
    expect(await lines()).toEqual([
      [null, null, 10],
      [null, 10, 10],
      [null, null, 10],
      [null, null, 40],
      [null, null, 1],
    ]);
    expect(fake.threads(n).map((thread) => [thread.outdated, thread.commitId === first])).toEqual([
      [true, true],
      [false, false],
      [true, true],
      [true, true],
      [true, true],
    ]);
    expect(fake.violations).toEqual([]);
  });

  test.each([
    [false, null],
    [true, 10],
  ])('an outdated comment finds its line again: %p', async (outdatedReturns, line) => {
    const { fake, n, lines } = await commented({ outdatedReturns });
    await fake.push(n, { 'a.yaml': base });
    expect((await lines())[0]).toEqual([null, null, 10]);
    await fake.push(n, { 'a.yaml': changed });
    expect((await lines())[0]).toEqual([null, line, 10]);
  });

  test('by force, all comments name the new head, and reviews as one likes', async () => {
    for (const reviewsFollow of [false, true]) {
      const { fake, n } = await commented({ reviewsFollow });
      const first = fake.pull(n).head.sha;
      await fake.forcePush(n, { 'a.yaml': base.replace('line 10\n', 'other\n') });
      const { sha } = fake.pull(n).head;
      expect(fake.threads(n).every((thread) => thread.commitId === sha && thread.originalCommitId === first)).toBe(
        true,
      );
      expect(fake.reviews(n)[0]?.commitId).toBe(reviewsFollow ? sha : first);
    }
  });

  test('a base that moves on moves nothing until the branch takes it in', async () => {
    const { fake, n, lines } = await commented();
    await fake.mergeBaseForward({ 'a.yaml': `base\n${base}` });
    expect((await lines())[1]).toEqual([null, 10, 10]);
    expect(await fake.updateBranch(n)).toMatch(/^[0-9a-f]{40}$/);
    expect((await lines()).slice(0, 2)).toEqual([
      [null, 11, 10],
      [null, 11, 10],
    ]);
    await fake.mergeBaseForward({ 'a.yaml': `more\nbase\n${base}` });
    expect(await fake.rebase(n)).toMatch(/^[0-9a-f]{40}$/);
    expect((await lines())[0]).toEqual([null, 12, 10]);
    await fake.mergeBaseForward({ 'a.yaml': 'all new\n' });
    expect([await fake.rebase(n), await fake.mergeCommit(n)]).toEqual([null, null]);
  });

  test('a range is outdated when its hunk falls apart', async () => {
    const fake = await github();
    const lines = (...numbers: number[]) =>
      numbers.reduce((text, at) => text.replace(`line ${at}\n`, `new ${at}\n`), base);
    const n = await fake.open({ changes: { 'a.yaml': lines(10, 15, 20) } });
    await client(fake)(
      'POST',
      `/pulls/${n}/reviews`,
      review([
        { ...ten, start_line: 9, line: 21 },
        { ...ten, start_line: 9 },
      ]),
    );
    await fake.push(n, { 'a.yaml': lines(10, 20).replace('line 1\n', '') });
    expect(fake.threads(n).map((thread) => [thread.startLine, thread.line])).toEqual([
      [null, null],
      [8, 9],
    ]);
  });

  test('a comment on a file stays as long as the file is in the pull request', async () => {
    const { fake, n } = await withPull();
    const comment = await fake.comment(n, 'carol', { path: 'a.yaml' }, 'whole');
    await fake.push(n, { 'a.yaml': `new\n${changed}` });
    expect(comment.thread.outdated).toBe(false);
    await fake.push(n, { 'a.yaml': base });
    expect([comment.thread.outdated, comment.thread.position]).toEqual([true, null]);
  });
});

describe('a token', () => {
  // public: read pull, read contents, write; private: the same
  const outcomes: [Profile | undefined, ...number[]][] = [
    ['write', 200, 200, 200, 200, 200, 200],
    ['fork', 200, 200, 403, 200, 200, 403],
    ['dependabot', 200, 200, 403, 200, 200, 403],
    ['no-pulls', 200, 200, 403, 403, 200, 403],
    ['stranger', 200, 200, 403, 404, 404, 404],
    ['expired', 401, 401, 401, 401, 401, 401],
    [undefined, 200, 200, 401, 404, 404, 404],
  ];
  test.each(outcomes)('%s', async (profile, ...statuses) => {
    const seen: number[] = [];
    for (const secret of [false, true]) {
      const { fake, n } = await withPull({ private: secret });
      const ask = client(fake, profile ? fake.token(profile) : '');
      seen.push((await ask('GET', `/pulls/${n}/comments`)).status);
      seen.push((await ask('GET', '/contents/a.yaml')).status);
      const { status, body } = await ask('POST', `/pulls/${n}/reviews`, review([ten]));
      seen.push(status);
      if (status === 403) expect(body.message).toBe('Resource not accessible by integration');
      expect(fake.violations).toEqual([]);
    }
    expect(seen).toEqual(statuses);
  });
});

describe('GraphQL', () => {
  const threads = `query($n: Int!, $first: Int!, $after: String) {
    viewer { login }
    repository(owner: "acme", name: "platform") {
      pullRequest(number: $n) {
        headRefOid
        reviewThreads(first: $first, after: $after) {
          pageInfo { hasNextPage endCursor }
          nodes {
            id isResolved isOutdated path line originalLine diffSide subjectType viewerCanResolve
            comments(first: 50) {
              totalCount pageInfo { hasNextPage endCursor }
              nodes { id databaseId fullDatabaseId body author { login } viewerDidAuthor createdAt path line outdated }
            }
          }
        }
      }
    }
  }`;

  function graphql(fake: FakeGitHub, token = fake.token('write')) {
    const ask = client(fake, token);
    return async (query: string, variables: object = {}) =>
      (await ask('POST', fake.graphqlUrl, { query, variables })).body;
  }

  test('threads, page by page', async () => {
    const { fake, n } = await withPull();
    await client(fake)('POST', `/pulls/${n}/reviews`, review([ten, { ...ten, line: 40 }]));
    const [first, second] = fake.comments(n);
    fake.reply(first?.id ?? 0, 'carol', 'why?');
    fake.resolve(second?.thread.nodeId ?? '', 'carol');
    const ask = graphql(fake);
    const page = await ask(threads, { n, first: 1 });
    expect(page.data.viewer.login).toBe('github-actions[bot]');
    const { nodes, pageInfo } = page.data.repository.pullRequest.reviewThreads;
    expect(nodes).toMatchObject([
      { path: 'a.yaml', line: 10, diffSide: 'RIGHT', subjectType: 'LINE', isResolved: false, viewerCanResolve: false },
    ]);
    expect(nodes[0].comments).toMatchObject({
      totalCount: 2,
      nodes: [
        {
          body: 'ten',
          databaseId: null,
          fullDatabaseId: String(first?.id),
          author: { login: 'github-actions' },
          viewerDidAuthor: true,
        },
        { body: 'why?', author: { login: 'carol' }, viewerDidAuthor: false },
      ],
    });
    expect(pageInfo.hasNextPage).toBe(true);
    const rest = await ask(threads, { n, first: 1, after: pageInfo.endCursor });
    expect(rest.data.repository.pullRequest.reviewThreads).toMatchObject({
      nodes: [{ isResolved: true }],
      pageInfo: { hasNextPage: false },
    });
    expect(fake.violations).toEqual([]);
  });

  test('is held against the schema', async () => {
    const { fake, n } = await withPull();
    const ask = graphql(fake);
    expect((await ask('{ viewer { nickname } }')).errors[0].message).toMatch(/Cannot query field "nickname"/);
    expect(
      (await ask('mutation { minimizeComment(input: {subjectId: "x", classifier: OLD}) { clientMutationId } }')).errors,
    ).toHaveLength(1);
    expect((await ask('{ viewer {')).errors[0].message).toMatch(/Syntax Error/);
    expect(fake.violations).toHaveLength(3);
    const unknown = await ask(`{ repository(owner: "acme", name: "platform") { stargazerCount } }`);
    expect([unknown.errors.length, fake.violations[3]]).toEqual([
      1,
      'graphql: the fake does not know Repository.stargazerCount',
    ]);
    const wrong = await ask(threads, { n: 'x', first: 1 });
    expect(wrong.errors[0].message).toMatch(/Int cannot represent/);
    const many = await ask(threads, { n, first: 101 });
    expect(many.errors[0]).toMatchObject({ type: 'EXCESSIVE_PAGINATION' });
  });

  test.each<[Profile, string | undefined, string | undefined]>([
    ['write', 'FORBIDDEN', undefined],
    ['contents-write', undefined, undefined],
    ['fork', 'FORBIDDEN', 'FORBIDDEN'],
  ])('resolving and minimising as %s', async (profile, resolving, minimising) => {
    const { fake, n } = await withPull();
    const { thread, nodeId } = await fake.comment(n, 'carol', { path: 'a.yaml', line: 10 }, 'x');
    const ask = graphql(fake, fake.token(profile));
    const resolved = await ask(
      'mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }',
      { id: thread.nodeId },
    );
    expect([resolved.errors?.[0].type, thread.resolvedBy]).toEqual([
      resolving,
      resolving ? null : 'github-actions[bot]',
    ]);
    if (resolving) {
      expect(resolved).toMatchObject({
        data: { resolveReviewThread: null },
        errors: [{ path: ['resolveReviewThread'], message: 'Resource not accessible by integration' }],
      });
    }
    const minimised = await ask(
      'mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { minimizedComment { isMinimized minimizedReason } } }',
      { id: nodeId },
    );
    expect(minimised.errors?.[0].type).toBe(minimising);
    if (!minimising)
      expect(minimised.data.minimizeComment.minimizedComment).toEqual({
        isMinimized: true,
        minimizedReason: 'outdated',
      });
    expect(fake.violations).toEqual([]);
  });

  test('says what is hidden', async () => {
    const { fake, n } = await withPull({ private: true });
    const strange = await graphql(fake, fake.token('stranger'))(threads, { n, first: 1 });
    expect(strange.errors[0]).toMatchObject({
      type: 'NOT_FOUND',
      message: "Could not resolve to a Repository with the name 'acme/platform'.",
    });
    const blind = await graphql(fake, fake.token('no-pulls'))(threads, { n, first: 1 });
    expect(blind.errors[0]).toMatchObject({ type: 'FORBIDDEN', path: ['repository', 'pullRequest'] });
    expect((await graphql(fake, fake.token('expired'))(threads, { n, first: 1 })).message).toBe('Bad credentials');
  });
});

describe('the rest', () => {
  test('compare, contents, trees, blobs, pull requests of a commit', async () => {
    const { fake, n } = await withPull({}, 'mallory');
    const ask = client(fake);
    const first = fake.pull(n).base.sha;
    const { sha } = fake.pull(n).head;
    await fake.mergeBaseForward({ 'z.yaml': 'z\n' });
    const compared = await ask('GET', `/compare/main...${sha}`);
    expect(compared.body).toMatchObject({
      merge_base_commit: { sha: first },
      status: 'diverged',
      ahead_by: 1,
      behind_by: 1,
    });
    expect(compared.body.files).toHaveLength(3);
    expect((await ask('GET', `/compare/main...mallory:change-1`)).body.ahead_by).toBe(1);
    const raw = await ask('GET', `/contents/a.yaml?ref=${sha}`, undefined, {
      accept: 'application/vnd.github.raw+json',
    });
    expect(raw.body).toBe(changed);
    const encoded = await ask('GET', `/contents/c.yaml?ref=refs/pull/${n}/head`);
    expect(Buffer.from(encoded.body.content, 'base64').toString()).toBe('c: 1\n');
    expect((await ask('GET', `/contents/c.yaml`)).status).toBe(404);
    expect((await ask('GET', '/contents/?ref=main')).body.map((file: Anything) => file.name)).toEqual([
      'a.yaml',
      'b.yaml',
      'z.yaml',
    ]);
    const tree = await ask('GET', `/git/trees/${sha}?recursive=1`);
    expect(tree.body.tree.map((entry: Anything) => entry.path)).toEqual(['a.yaml', 'c.yaml', 'd.yaml']);
    expect((await ask('GET', `/git/blobs/${tree.body.tree[1].sha}`)).body).toMatchObject({
      size: 5,
      encoding: 'base64',
    });
    expect((await ask('GET', `/commits/${sha}/pulls`)).body).toEqual([]);
    expect((await ask('GET', `${fake.apiUrl}/repos/mallory/platform/commits/${sha}/pulls`)).body[0].number).toBe(n);
    expect(
      (await ask('GET', '/pulls?head=mallory:change-1&state=open')).body.map((pull: Anything) => pull.head.sha),
    ).toEqual([sha]);
    expect((await ask('GET', '/pulls?head=alice:change-1')).body).toEqual([]);
    expect((await ask('GET', `${fake.apiUrl}/repos/mallory/platform`)).body).toMatchObject({
      fork: true,
      full_name: 'mallory/platform',
    });
    fake.deleteFork(n);
    expect((await ask('GET', `/pulls/${n}`)).body.head.repo).toBeNull();
    expect(fake.violations).toEqual([]);
  });

  test('a tarball and an artifact come from other hosts, which must not see the token', async () => {
    const { fake, n } = await withPull({ private: true }, 'mallory');
    const id = fake.artifact('findings', { 'findings.json': '[]' }, { id: 77, pull: n });
    const headers = { authorization: `Bearer ${fake.token('write')}` };
    const url = `${fake.apiUrl}/repos/acme/platform`;
    const moved = await fake.handle(new Request(`${url}/tarball/${fake.pull(n).head.sha}`, { headers }));
    expect([moved.status, new URL(moved.headers.get('location') ?? '').host]).toEqual([302, 'codeload.github.com']);
    const tarball = await fake.fetch(`${url}/tarball/${fake.pull(n).head.sha}`, { headers });
    expect(gunzipSync(Buffer.from(await tarball.arrayBuffer())).toString()).toContain('line forty');
    const list = await client(fake)('GET', '/actions/runs/77/artifacts?name=findings');
    expect(list.body).toMatchObject({
      total_count: 1,
      artifacts: [{ id, name: 'findings', workflow_run: { head_sha: fake.pull(n).head.sha } }],
    });
    const archive = await fake.fetch(`${url}/actions/artifacts/${id}/zip`, { headers });
    expect(Buffer.from(await archive.arrayBuffer()).toString('latin1')).toMatch(/^PK.*findings\.json\[\].*PK/s);
    expect(fake.leaks).toEqual([]);
    await fake.fetch(moved.headers.get('location') ?? '', { headers });
    expect(fake.leaks).toHaveLength(1);
    expect(fake.violations).toEqual([]);
  });

  test('what breaks the description is noticed: of requests, and of answers', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    const notices = async (method: string, path: string, body?: unknown) => {
      fake.violations.length = 0;
      await ask(method, path, body);
      return [...fake.violations];
    };
    expect(await notices('POST', `/pulls/${n}/reviews`, review([{ ...ten, subject_type: 'line' }]))).toEqual([
      'pulls/create-review: body/comments/0 must NOT have additional properties (subject_type)',
    ]);
    expect(await notices('POST', `/pulls/${n}/reviews`, review([{ ...ten, line: '10' }]))).toEqual([
      'pulls/create-review: body/comments/0/line must be integer',
    ]);
    expect(await notices('POST', `/pulls/${n}/reviews`, { event: 'SHOUT' })).toHaveLength(1);
    expect(await notices('GET', `/pulls/${n}/files?perpage=100`)).toEqual([
      'pulls/list-files: parameter perpage is not declared',
    ]);
    expect(await notices('GET', '/stargazers')).toEqual([
      'GET /repos/acme/platform/stargazers is no operation that the fake knows',
    ]);
    const honest = operations['pulls/get'];
    operations['pulls/get'] = {
      run: async (call) => ({
        status: 200,
        body: { ...((await honest?.run(call))?.body as object), additions: undefined },
      }),
    };
    expect(await notices('GET', `/pulls/${n}`)).toEqual(["pulls/get: 200 must have required property 'additions'"]);
    if (honest) operations['pulls/get'] = honest;
    expect(await notices('GET', `/pulls/${n}`)).toEqual([]);
  });

  test('the newer version of the API leaves fields out', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    const version = (name: string) => ask('GET', `/pulls/${n}`, undefined, { 'x-github-api-version': name });
    expect((await version('2022-11-28')).body).toHaveProperty('merge_commit_sha');
    expect((await version('2026-03-10')).body).not.toHaveProperty('merge_commit_sha');
    expect((await version('2020-01-01')).status).toBe(400);
  });
});

describe('trouble', () => {
  const outcomes: [Effect, number][] = [
    ['bad-gateway', 502],
    ['server-error', 500],
    ['unavailable', 503],
    ['secondary-limit', 403],
    ['too-many-requests', 429],
    ['rate-limit', 403],
    ['too-quickly', 422],
    ['abuse', 422],
    ['invalid-threads', 422],
    ['unresolved', 422],
    ['locked', 422],
    ['archived', 403],
    [{ status: 418, body: { message: 'no' } }, 418],
  ];
  test.each(outcomes)('%p, once, and nothing was done', async (effect, status) => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    fake.fault({ operation: 'pulls/create-review', effect });
    expect((await ask('GET', `/pulls/${n}`)).status).toBe(200);
    expect((await ask('POST', `/pulls/${n}/reviews`, review([ten]))).status).toBe(status);
    expect(fake.comments(n)).toEqual([]);
    expect((await ask('POST', `/pulls/${n}/reviews`, review([ten]))).status).toBe(200);
    expect(fake.log.map((entry) => [entry.operation, entry.status])).toEqual([
      ['pulls/get', 200],
      ['pulls/create-review', status],
      ['pulls/create-review', 200],
    ]);
  });

  test('an answer that is lost after the work was done', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    fake.fault({ method: 'POST', effect: 'lost' });
    expect((await ask('POST', `/pulls/${n}/reviews`, review([ten]))).status).toBe(502);
    fake.fault({ method: 'POST', effect: 'lost-reset' });
    await expect(ask('POST', `/pulls/${n}/reviews`, review([ten]))).rejects.toThrow('fetch failed');
    fake.fault({ method: 'POST', effect: 'reset' });
    await expect(ask('POST', `/pulls/${n}/reviews`, review([ten]))).rejects.toThrow('fetch failed');
    expect(fake.comments(n)).toHaveLength(2);
    fake.fault({ effect: 'truncated' });
    await expect(ask('GET', `/pulls/${n}`)).rejects.toThrow(SyntaxError);
  });

  test('a push just before the second answer, a slow one, several in a row', async () => {
    const { fake, n } = await withPull();
    const ask = client(fake);
    fake.fault({ at: 2, path: /\/pulls\/1$/, effect: { before: () => fake.push(n, { 'e.yaml': 'e\n' }) } });
    const heads = [await ask('GET', `/pulls/${n}`), await ask('GET', `/pulls/${n}`)].map(({ body }) => body.head.sha);
    expect(heads[1]).toBe(fake.pull(n).head.sha);
    expect(heads[0]).not.toBe(heads[1]);
    fake.fault({ effect: { slow: 60_000 } });
    const headers = { authorization: `token ${fake.token('write')}` };
    const waiting = fake.fetch(`${fake.apiUrl}/repos/acme/platform`, { headers, signal: AbortSignal.timeout(20) });
    await expect(waiting).rejects.toThrow(/timeout|aborted/);
    fake.fault({ times: 2, effect: 'server-error' });
    const statuses = [await ask('GET', ''), await ask('GET', ''), await ask('GET', '')].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test('limits by the given clock', async () => {
    let clock = Date.parse('2026-01-01T00:00:00Z');
    const limits = { contentPerMinute: 2, requestsPerHour: 6 };
    const { fake, n } = await withPull({ now: () => clock, limits });
    const ask = client(fake);
    const post = async () => (await ask('POST', `/pulls/${n}/reviews`, review([ten]))).status;
    expect([await post(), await post(), await post()]).toEqual([200, 200, 403]);
    expect(fake.busiestMinute).toBe(3);
    clock += 61_000;
    const later = await ask('POST', `/pulls/${n}/reviews`, review([ten]));
    expect([later.status, later.headers.get('x-ratelimit-remaining'), fake.comments(n)[2]?.createdAt]).toEqual([
      200,
      '2',
      clock,
    ]);
    expect([(await ask('GET', '')).status, (await ask('GET', '')).status, (await ask('GET', '')).status]).toEqual([
      200, 200, 403,
    ]);
    clock += 3_600_000;
    expect((await ask('GET', '')).status).toBe(200);
  });
});

describe.each([false, true])('over HTTP, enterprise: %p', (enterprise) => {
  test('API, GraphQL, a redirect to another origin, a broken connection', async () => {
    const { fake, n } = await withPull({ enterprise });
    const server = await fake.listen();
    try {
      expect([new URL(server.api).pathname, new URL(server.graphql).pathname]).toEqual(
        enterprise ? ['/api/v3', '/api/graphql'] : ['/', '/graphql'],
      );
      const ask = client(fake, fake.token('write'), fetch);
      const files = await ask('GET', `/pulls/${n}/files?per_page=1`);
      expect(files.headers.get('link')).toContain(
        `<${server.api}/repositories/101/pulls/1/files?per_page=1&page=2>; rel="next"`,
      );
      expect((await ask('POST', `/pulls/${n}/reviews`, review([ten]))).status).toBe(200);
      expect((await ask('POST', server.graphql, { query: '{ viewer { login } }' })).body.data.viewer.login).toBe(
        'github-actions[bot]',
      );
      const { status } = await fetch(`${server.api}/repos/acme/platform/tarball/main`, {
        headers: { authorization: `token ${fake.token('write')}` },
      });
      expect(status).toBe(200);
      fake.fault({ effect: 'reset' });
      await expect(ask('GET', `/pulls/${n}`)).rejects.toThrow('fetch failed');
      fake.fault({ effect: 'bad-gateway' });
      expect((await ask('GET', `/pulls/${n}`)).body).toContain('<h1>502 Bad Gateway</h1>');
      expect([fake.leaks, fake.violations]).toEqual([[], []]);
      expect(fake.log.map((entry) => entry.operation)).toContain('codeload');
    } finally {
      await server.close();
    }
  });
});

test('the repository can be cloned, with the merge that a workflow checks out', async () => {
  const { fake, n } = await withPull();
  const merge = await fake.mergeCommit(n);
  const refs = execFileSync('git', ['ls-remote', fake.gitDirectory]).toString();
  for (const line of [
    `${fake.pull(n).head.sha}\trefs/pull/1/head`,
    `${merge}\trefs/pull/1/merge`,
    `${fake.pull(n).base.sha}\trefs/heads/main`,
  ]) {
    expect(refs).toContain(line);
  }
});

/** The same numbers every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.each(someOf([1, 2, 3, 4, 5], 6))(
  'history %p: git agrees, and a comment that has a line is on its line',
  async (seed) => {
    const pick = numbers(seed);
    const fake = await github();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: fake.gitDirectory }).toString().trim();
    const n = await fake.open({ changes: { 'a.yaml': changed } });
    const said = new Map<number, string>();
    const alive = new Set<number>();
    let moved = 0;
    for (let step = 0; step < 30; step++) {
      const lines = git('show', `${fake.pull(n).head.sha}:a.yaml`).split('\n');
      const edited = () => {
        lines.splice(
          pick(lines.length),
          pick(3),
          ...Array.from({ length: pick(3) }, () => `new ${seed}.${step}.${pick(1000)}`),
        );
        return { 'a.yaml': `${lines.join('\n')}\n` };
      };
      const acts = [
        () => fake.push(n, edited()),
        () => fake.push(n, edited()),
        () => fake.forcePush(n, edited()),
        () =>
          fake.mergeBaseForward({ 'a.yaml': `base ${step}\n${git('show', 'main:a.yaml')}\n`, 'z.yaml': `${step}\n` }),
        () => fake.rebase(n),
        () => fake.updateBranch(n),
      ];
      await acts[pick(acts.length)]?.();
      const { sha } = fake.pull(n).head;
      const mergeBase = git('merge-base', 'main', sha);
      const { body } = await client(fake)('GET', `/compare/main...${sha}`);
      expect(body.merge_base_commit.sha).toBe(mergeBase);
      const count = Number(git('rev-list', '--count', `${mergeBase}..${sha}`));
      expect((await client(fake)('GET', `/pulls/${n}`)).body.commits).toBe(count);
      const patch = (await client(fake)('GET', `/pulls/${n}/files`)).body[0]?.patch ?? '';
      const whole = git('diff', `main...${sha}`, '--', 'a.yaml');
      expect(patch).toBe(whole.slice(whole.indexOf('@@ ')));
      // No two lines are alike: a comment is where its line is, as long as the patch shows that.
      const now = git('show', `${sha}:a.yaml`).split('\n');
      const shown = patchLines(patch);
      for (const { id, thread } of fake.comments(n)) {
        if (!alive.has(id)) continue;
        const line = now.indexOf(said.get(id) ?? '') + 1;
        const expected = line > 0 && shown.find('RIGHT', line) ? line : null;
        expect([id, thread.line]).toEqual([id, expected]);
        if (expected === null) alive.delete(id);
        else moved += Number(expected !== thread.originalLine);
      }
      const places = now.map((_, index) => index + 1).filter((line) => shown.find('RIGHT', line));
      const line = places[pick(places.length)];
      if (line === undefined) continue;
      const { id } = await fake.comment(n, 'carol', { path: 'a.yaml', line }, 'here');
      said.set(id, now[line - 1] ?? '');
      alive.add(id);
    }
    expect(git('fsck', '--strict', '--no-dangling')).toBe('');
    expect([said.size > 5, alive.size < said.size, moved > 0]).toEqual([true, true, true]);
    expect(fake.violations).toEqual([]);
  },
);
