/** What is asked of GitHub, how its answers are read, and when it is asked again. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import type { Json } from '../../src/core/model.js';
import { ApiError, GitHub } from '../../src/github/client.js';

type Reply = { status?: number; body?: Json; text?: string; headers?: Record<string, string> } | Error;
type Asked = { method: string; url: string; headers: Record<string, string>; body: Json | undefined };

const api = 'https://api.github.com';
const repo = `${api}/repos/acme/platform`;
const json = { 'content-type': 'application/json; charset=utf-8' };

/**
 * A GitHub that gives these answers, one after the other, and the last one again and again, or none at all; time passes only by waiting. Redirects are
 * followed unless one asks for them, as fetch does it.
 */
function answering(...replies: Reply[]) {
  const asked: Asked[] = [];
  const waited: number[] = [];
  const clock = { time: 1_000_000 };
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers = {}, body, redirect } = init;
    const sent = typeof body === 'string' ? (JSON.parse(body) as Json) : undefined;
    asked.push({ method, url, headers: headers as Record<string, string>, body: sent });
    const reply = replies[Math.min(asked.length, replies.length) - 1];
    if (!reply) return undefined as unknown as Response;
    if (reply instanceof Error) throw reply;
    const { status = 200, text, headers: more } = reply;
    const content = text ?? ('body' in reply ? JSON.stringify(reply.body) : null);
    const response = new Response(content, { status, headers: { ...(text === undefined && json), ...more } });
    const location = response.headers.get('location');
    if (status >= 300 && status < 400 && location && redirect !== 'manual') return fetch(location, { headers });
    return Object.defineProperty(response, 'url', { value: url });
  };
  const sleep = async (milliseconds: number) => {
    waited.push(milliseconds);
    clock.time += milliseconds;
  };
  const options = {
    token: 'ghs_x',
    repository: 'acme/platform',
    apiUrl: api,
    fetch,
    clock: { now: () => clock.time, sleep },
  };
  return { github: new GitHub(options), asked, waited, clock };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error(`no refusal: ${String(error)}`);
  return `${error.kind}: ${error.message}`;
}

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];

describe('a pull request', () => {
  const pull = { number: 7, head: { sha: first }, base: { sha: second }, state: 'open' };

  test('is asked for by its number, with the token and the version of the API', async () => {
    const { github, asked } = answering({ body: pull });
    expect(await github.pull(7)).toEqual({ number: 7, head: first, base: second, open: true });
    expect(asked).toMatchObject([{ method: 'GET', url: `${repo}/pulls/7` }]);
    expect(asked[0]?.headers).toMatchObject({ authorization: 'token ghs_x', 'x-github-api-version': '2022-11-28' });
  });

  test('that is closed is not open, and what GitHub leaves out is empty', async () => {
    const { github } = answering({ body: { number: 7, state: 'closed' } });
    expect(await github.pull(7)).toEqual({ number: 7, head: '', base: '', open: false });
  });

  test('is found by its branch, on however many pages', async () => {
    const next = { link: `<${repo}/pulls?page=2>; rel="next"` };
    const { github, asked } = answering({ body: [pull], headers: next }, { body: [{ ...pull, number: 8 }] });
    const found = await github.pullsFrom('someone:topic');
    expect(found.map(({ number }) => number)).toEqual([7, 8]);
    const { searchParams, pathname } = new URL(asked[0]?.url ?? '');
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/repos/acme/platform/pulls',
      { head: 'someone:topic', state: 'open', per_page: '100' },
    ]);
  });

  test('of an own server is asked for there', async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return new Response(JSON.stringify(pull), { headers: json });
    };
    const apiUrl = 'https://git.example.org/api/v3';
    await new GitHub({ token: 'x', repository: 'acme/platform', apiUrl, fetch }).pull(7);
    expect(asked).toEqual([`${apiUrl}/repos/acme/platform/pulls/7`]);
  });
});

describe('the files of a pull request', () => {
  test('are all that GitHub lists, on however many pages', async () => {
    const file = { filename: 'b.yaml', previous_filename: 'a.yaml', status: 'renamed', changes: 2, patch: '@@' };
    const next = { link: `<${repo}/pulls/7/files?page=2>; rel="next"` };
    const { github, asked } = answering({ body: [file], headers: next }, { body: [{ ...file, filename: 'c.yaml' }] });
    expect(await github.files(7)).toEqual([file, { ...file, filename: 'c.yaml' }]);
    expect(asked.map(({ url }) => url)).toEqual([`${repo}/pulls/7/files?per_page=100`, `${repo}/pulls/7/files?page=2`]);
  });

  test('are read though GitHub leaves something out', async () => {
    const { github } = answering({ body: [{}] });
    expect(await github.files(7)).toStrictEqual([
      { filename: '', previous_filename: undefined, status: '', changes: 0, patch: undefined },
    ]);
  });

  test('that are no list are unclear', async () => {
    const { github } = answering({ body: { message: 'hello' } });
    expect(await refusal(github.files(7))).toBe(
      `unclear: GitHub's answer to ${repo}/pulls/7/files?per_page=100 is no list`,
    );
  });
});

describe('two commits', () => {
  const compared = { merge_base_commit: { sha: first }, base_commit: { sha: second } };

  test('are compared for the tip of a branch and the commit that both share', async () => {
    const { github, asked } = answering({ body: compared });
    expect(await github.compare('main', second)).toEqual({ base: second, shared: first });
    expect(asked.map(({ url }) => url)).toEqual([`${repo}/compare/main...${second}?per_page=1`]);
  });

  test('have neither if GitHub reports none, or something else than a commit', async () => {
    expect(await answering({ body: {} }).github.compare('a', 'b')).toEqual({});
    const hostile = { base_commit: { sha: '--upload-pack=x' }, merge_base_commit: { sha: 'main' } };
    expect(await answering({ body: hostile }).github.compare('a', 'b')).toEqual({});
  });
});

describe('the merge of a pull request', () => {
  const pull = (mergeable: boolean | null, merge_commit_sha: string | null) => ({
    body: { mergeable, merge_commit_sha },
  });

  test.each<[string, ReturnType<typeof pull>, object]>([
    ['is the commit that GitHub names', pull(true, first), { commit: first, conflicts: false }],
    ['does not exist if there are conflicts, whatever was merged before', pull(false, first), { conflicts: true }],
    ['is not anything but a commit', pull(true, '--upload-pack=x'), { conflicts: false }],
  ])('%s', async (_, answer, expected) => {
    const { github, asked } = answering(answer);
    expect(await github.mergeOf(7)).toEqual(expected);
    expect(asked.map(({ url }) => url)).toEqual([`${repo}/pulls/7`]);
  });

  test('is asked for again while GitHub makes it', async () => {
    const { github, asked } = answering(pull(null, null), pull(null, second), pull(true, first));
    expect(await github.mergeOf(7)).toEqual({ commit: first, conflicts: false });
    expect(asked).toHaveLength(3);
  });

  test('is given up after 30 seconds', async () => {
    const { github, asked, waited } = answering(...Array.from({ length: 20 }, () => pull(null, second)));
    expect(await github.mergeOf(7)).toEqual({ conflicts: false });
    expect([asked.length, waited.reduce((sum, one) => sum + one, 0)]).toEqual([11, 30_000]);
  });
});

describe('what a commit has', () => {
  const tree = [
    { path: 'a', type: 'tree', sha: 'd' },
    { path: 'a/b.yaml', type: 'blob', sha: first },
    { path: 'module', type: 'commit', sha: second },
  ];

  test('is all but its folders, and a submodule is told apart', async () => {
    const { github, asked } = answering({ body: { tree, truncated: false } });
    expect([...(await github.listing(first))]).toEqual([
      ['a/b.yaml', { object: first, isSubmodule: false }],
      ['module', { object: second, isSubmodule: true }],
    ]);
    expect(asked.map(({ url }) => url)).toEqual([`${repo}/git/trees/${first}?recursive=1`]);
  });

  test('is read though GitHub leaves something out', async () => {
    const { github } = answering({ body: { tree: [{}], truncated: false } });
    expect([...(await github.listing(first))]).toEqual([['', { object: '', isSubmodule: false }]]);
  });

  test.each<[string, Json]>([
    ['is cut short', { tree, truncated: true }],
    ['may be cut short', { tree }],
    ['is no list', { tree: 'x', truncated: false }],
  ])('is not known where it %s', async (_, body) => {
    const work = answering({ body }).github.listing(first);
    expect(await refusal(work)).toBe('unclear: GitHub does not list all files of the commit');
  });

  test('can be fetched at an address of its own, to which the token is not sent', async () => {
    const location = 'https://codeload.github.com/x';
    const { github, asked } = answering({ status: 302, headers: { location } }, { text: 'the files' });
    expect(await github.archiveUrl(first)).toBe(location);
    expect(asked.map(({ url }) => url)).toEqual([`${repo}/tarball/${first}`]);
  });

  test('has no such address where GitHub names none, or refuses to', async () => {
    expect(await answering({ status: 302 }).github.archiveUrl(first)).toBeUndefined();
    const refused = { status: 400, body: { message: 'no' }, headers: { location: 'https://x' } };
    expect(await refusal(answering(refused).github.archiveUrl(first))).toBe('invalid: 400 no');
  });
});

describe('the conversations of a pull request', () => {
  const comment = { fullDatabaseId: '12', body: 'words', viewerDidAuthor: true };
  const node = (more: object = {}, comments: Json = { totalCount: 3, nodes: [comment] }) => ({
    ...{ isResolved: false, isOutdated: false, path: 'a.yaml', line: 4, diffSide: 'RIGHT', subjectType: 'LINE' },
    comments,
    ...more,
  });
  const page = (nodes: Json, pageInfo: Json = { hasNextPage: false, endCursor: null }): Reply => ({
    body: { data: { repository: { pullRequest: { reviewThreads: { nodes, pageInfo } } } } },
  });
  const thread = {
    ...{ resolved: false, path: 'a.yaml', line: 4, side: 'RIGHT', wholeFile: false, replies: 2 },
    comment: { id: 12, body: 'words', mine: true },
  };
  const unreadable = 'the comments of the pull request cannot be read';
  const read = async (one: Json) => (await answering(page([one])).github.threads(7))[0];

  test('are asked for page by page', async () => {
    const more = { hasNextPage: true, endCursor: 'c1' };
    const { github, asked } = answering(page([node()], more), page([node({ path: 'b.yaml' })]));
    expect(await github.threads(7)).toStrictEqual([thread, { ...thread, path: 'b.yaml' }]);
    const variables = { owner: 'acme', repo: 'platform', number: 7 };
    expect(asked).toMatchObject([
      { method: 'POST', url: `${api}/graphql`, body: { variables: { ...variables, after: null } } },
      { method: 'POST', url: `${api}/graphql`, body: { variables: { ...variables, after: 'c1' } } },
    ]);
  });

  test('end where GitHub says so, though it names where the last page ends', async () => {
    const { github, asked } = answering(page([node()], { hasNextPage: false, endCursor: 'c1' }));
    expect((await github.threads(7)).length).toBe(1);
    expect(asked.length).toBe(1);
  });

  test.each<[string, object, object]>([
    ['resolved', { isResolved: true }, { resolved: true }],
    ['on what was taken away', { diffSide: 'LEFT' }, { side: 'LEFT' }],
    ['on a whole file', { subjectType: 'FILE', line: null }, { wholeFile: true, line: undefined }],
    ['outdated', { isOutdated: true }, { line: undefined }],
  ])('may be %s', async (_, more, expected) => {
    expect(await read(node(more) as Json)).toEqual({ ...thread, ...expected });
  });

  test('may be begun by somebody else, and without an answer', async () => {
    const other = { ...comment, viewerDidAuthor: false };
    expect(await read(node({}, { totalCount: 1, nodes: [other] }) as Json)).toEqual({
      ...{ ...thread, replies: 0 },
      comment: { ...thread.comment, mine: false },
    });
    expect(await read(node({}, { nodes: [comment] }) as Json)).toEqual({ ...thread, replies: 0 });
  });

  test.each<[string, Json]>([
    ['has no comment', node({}, { totalCount: 0, nodes: [] })],
    ['has a comment that the token may not see', node({}, { totalCount: 1, nodes: [null] })],
    ['has no list of them', node({}, null)],
    ['may not be seen', null],
  ])('are passed over where one %s', async (_, one) => {
    expect(await answering(page([one, node() as Json])).github.threads(7)).toEqual([thread]);
  });

  test('may be none', async () => {
    expect(await answering(page(null)).github.threads(7)).toEqual([]);
  });

  test('of an own server are asked for there, and again where something broke', async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      const { body } = page([node()]) as { body: Json };
      return asked.length === 1
        ? new Response('bad', { status: 502 })
        : new Response(JSON.stringify(body), { headers: json });
    };
    const clock = { now: () => 0, sleep: async () => {} };
    const apiUrl = 'https://git.example.org/api/v3';
    const github = new GitHub({ token: 'x', repository: 'acme/platform', apiUrl, fetch, clock });
    expect(await github.threads(7)).toEqual([thread]);
    expect(asked).toEqual(['https://git.example.org/api/graphql', 'https://git.example.org/api/graphql']);
  });

  test.each<[string, Reply, string]>([
    ['are left out', { body: {} }, unreadable],
    ['are null', { body: null }, unreadable],
    ['are not there', { body: { data: { repository: null } } }, unreadable],
    ['come as a page of a proxy', { text: '<html>' }, unreadable],
    ['are refused', { body: { errors: [{ type: 'FORBIDDEN', message: 'not you' }] } }, 'not you'],
    ['are not found', { body: { errors: [{ type: 'NOT_FOUND', message: 'no such' }] } }, 'no such'],
    ['need more rights', { body: { errors: [{ type: 'INSUFFICIENT_SCOPES', message: 'no scope' }] } }, 'no scope'],
  ])('are denied where they %s, and not asked for again', async (_, reply, why) => {
    const { github, asked } = answering(reply);
    expect(await refusal(github.threads(7))).toBe(`denied: ${why}`);
    expect(asked.length).toBe(1);
  });

  test.each<[string, Json]>([
    ['without a type', [{ message: 'Something went wrong while executing your query.' }]],
    ['of a type that nobody knows', [{ type: 'INTERNAL', message: 'oops' }]],
    ['without words', []],
  ])('are asked for again after an error %s, which may pass', async (_, errors) => {
    const { github, waited } = answering({ body: { data: null, errors } }, page([node()]));
    expect(await github.threads(7)).toEqual([thread]);
    expect(waited).toEqual([2000]);
    expect(await refusal(answering({ body: { errors } }).github.threads(7))).toMatch(/^unclear: /);
  });

  test('are asked for with a query and its variables alone', async () => {
    const { github, asked } = answering(page([node()]));
    await github.threads(7);
    const body = asked[0]?.body as { [key: string]: Json };
    expect(Object.keys(body).sort()).toEqual(['query', 'variables']);
  });

  test('are asked for again where there were too many questions', async () => {
    const limited = { body: { errors: [{ type: 'RATE_LIMITED', message: 'too many' }] } };
    const { github, waited } = answering(limited, page([node()]));
    expect(await github.threads(7)).toEqual([thread]);
    expect(waited).toEqual([2000]);
    expect(await refusal(answering(limited).github.threads(7))).toBe('limited: too many');
  });

  test('are asked for again where something broke, as nothing is written by that', async () => {
    const { github, waited } = answering({ status: 502, text: 'bad' }, page([node()]));
    expect(await github.threads(7)).toEqual([thread]);
    expect(waited).toEqual([2000]);
  });
});

describe('a write', () => {
  test('of a review holds all comments, with the first line where there are several', async () => {
    const { github, asked } = answering({ body: {} });
    const anchor = { kind: 'line', path: 'a.yaml', side: 'RIGHT', line: 4 } as const;
    const comments = [
      { anchor, body: 'one' },
      { anchor: { ...anchor, startLine: 2 }, body: 'two' },
    ];
    await github.createReview(7, { head: first, body: 'two comments', comments });
    const place = { path: 'a.yaml', side: 'RIGHT', line: 4 };
    expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      [
        'POST',
        `${repo}/pulls/7/reviews`,
        {
          ...{ commit_id: first, event: 'COMMENT', body: 'two comments' },
          comments: [
            { ...place, body: 'one' },
            { ...place, start_line: 2, start_side: 'RIGHT', body: 'two' },
          ],
        },
      ],
    ]);
  });

  test('of a comment on a file, of new words, and of a comment that goes', async () => {
    const { github, asked } = answering({ body: {} }, { body: {} }, { status: 204 });
    await github.commentOnFile(7, { head: first, path: 'a.yaml', body: 'words' });
    await github.editComment(12, 'other words');
    await github.deleteComment(12);
    const comment = { commit_id: first, path: 'a.yaml', body: 'words', subject_type: 'file' };
    expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', `${repo}/pulls/7/comments`, comment],
      ['PATCH', `${repo}/pulls/comments/12`, { body: 'other words' }],
      ['DELETE', `${repo}/pulls/comments/12`, undefined],
    ]);
  });

  test('comes a second after the one before, and the first at once', async () => {
    const { github, waited, clock } = answering({ body: {} });
    await github.editComment(1, 'a');
    expect(waited).toEqual([]);
    clock.time += 400;
    await github.editComment(2, 'b');
    clock.time += 1000;
    await github.editComment(3, 'c');
    clock.time += 999;
    await github.editComment(4, 'd');
    expect(waited).toEqual([600, 1]);
  });

  test('comes a second after the one before by the clock of the machine, too', async () => {
    jest.useFakeTimers();
    try {
      const asked: string[] = [];
      const fetch = async (url: string) => {
        asked.push(url);
        return new Response('{}', { headers: json });
      };
      const github = new GitHub({ token: 'x', repository: 'acme/platform', apiUrl: api, fetch });
      const done = github.editComment(1, 'a').then(() => github.editComment(2, 'b'));
      await jest.advanceTimersByTimeAsync(999);
      expect(asked).toEqual([`${repo}/pulls/comments/1`]);
      await jest.advanceTimersByTimeAsync(1);
      await done;
      expect(asked).toEqual([`${repo}/pulls/comments/1`, `${repo}/pulls/comments/2`]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('is done where the status is good, whatever comes with it', async () => {
    const { github, asked } = answering({ status: 200, text: '' });
    await github.deleteComment(12);
    expect(asked.length).toBe(1);
  });

  test('comes a second after one that was refused', async () => {
    const { github, waited } = answering({ status: 422, body: { message: 'no' } }, { body: {} });
    await refusal(github.editComment(1, 'a'));
    await github.editComment(2, 'b');
    expect(waited).toEqual([1000]);
  });

  test.each<[string, Reply]>([
    ['a server that breaks', { status: 500, body: { message: 'oops' } }],
    ['a connection that breaks', new TypeError('fetch failed')],
  ])('is not tried again after %s, as it may have been done', async (_, reply) => {
    const { github, asked } = answering(reply);
    expect(await refusal(github.editComment(1, 'a'))).toMatch(/^unclear: (?:500 oops|.*fetch failed)$/);
    expect(asked.length).toBe(1);
  });

  test('is tried again after a limit', async () => {
    const { github, asked, waited } = answering({ status: 429, body: { message: 'slow down' } }, { body: {} });
    await github.editComment(1, 'a');
    expect([asked.length, waited]).toEqual([2, [60_000]]);
  });
});

describe('a refusal', () => {
  const pull = (reply: Reply) => refusal(answering(reply).github.pull(7));
  const edit = (reply: Reply) => refusal(answering(reply).github.editComment(1, 'a'));

  test.each([
    [401, 'denied'],
    [403, 'denied'],
    [404, 'denied'],
    [400, 'invalid'],
    [409, 'invalid'],
    [410, 'invalid'],
    [422, 'invalid'],
    [499, 'invalid'],
    [500, 'unclear'],
    [503, 'unclear'],
  ])('with %i is %s', async (status, kind) => {
    expect(await pull({ status, body: { message: 'Sorry' } })).toBe(`${kind}: ${status} Sorry`);
  });

  test('with 404 of a comment that is there no more is no matter of rights, and of anything else it is', async () => {
    const gone = { status: 404, body: { message: 'Not Found' } };
    const { github } = answering(gone);
    expect(await refusal(github.editComment(1, 'a'))).toBe('invalid: 404 Not Found');
    expect(await refusal(github.deleteComment(1))).toBe('invalid: 404 Not Found');
    expect(await refusal(github.commentOnFile(7, { head: first, path: 'a', body: 'b' }))).toBe('denied: 404 Not Found');
    expect(await edit({ status: 403, body: { message: 'No' } })).toBe('denied: 403 No');
  });

  test.each<[string, Json]>([
    ['Line could not be resolved', { message: 'Unprocessable', errors: ['Line could not be resolved'] }],
    ['{"code":"custom"}', { message: 'Unprocessable', errors: [{ code: 'custom' }] }],
    ['a; b', { message: 'Unprocessable', errors: ['a', 'b'] }],
  ])('says what is wrong: %s', async (words, body) => {
    expect(await pull({ status: 422, body })).toBe(`invalid: 422 Unprocessable; ${words}`);
  });

  test('says what it can where there are no words, and no more than 300 characters', async () => {
    expect(await pull({ status: 422, body: { errors: ['a'] } })).toBe('invalid: 422 ; a');
    expect(await pull({ status: 422, body: { errors: 'a' } })).toBe('invalid: 422');
    expect(await pull({ status: 422, body: { message: 'x'.repeat(400) } })).toBe(`invalid: 422 ${'x'.repeat(296)}`);
    expect(await pull({ status: 422, body: null })).toMatch(/^invalid: 422 .*null/);
    expect(await pull({ status: 422, text: 'plain words' })).toBe('invalid: 422 plain words');
  });

  test('without a status is unclear, and says what is known', async () => {
    const { github } = answering();
    expect(await refusal(github.pull(7))).toMatch(/^unclear: Cannot read properties of undefined/);
  });

  test.each([429, 403, 422])('with %i and a time to wait is a limit', async (status) => {
    const { github, waited } = answering({ status, body: { message: 'wait' }, headers: { 'retry-after': '7' } });
    expect(await refusal(github.pull(7))).toBe(`limited: ${status} wait`);
    expect(waited).toEqual([7000, 7000]);
  });

  test.each<[number, Json]>([
    [429, { message: 'wait' }],
    [403, { message: 'You have exceeded a secondary rate limit.' }],
    [403, { message: 'SECONDARY RATE limit' }],
  ])('with %i is a limit that passes after a minute, and is tried once more: %j', async (status, body) => {
    const { github, waited } = answering({ status, body });
    expect(await refusal(github.pull(7))).toMatch(/^limited: /);
    expect(waited).toEqual([60_000]);
  });

  test('of a locked conversation is one of rights, however it is written', async () => {
    const body = { message: 'Unprocessable Entity', errors: ['Conversation is locked'] };
    expect(await pull({ status: 422, body })).toMatch(/^denied: 422 .*locked/);
    expect(await pull({ status: 422, body: { message: 'Locked conversation' } })).toMatch(/^denied: 422 Locked/);
    const prevented = { message: 'Unprocessable Entity', errors: ['lock prevents review'] };
    expect(await pull({ status: 422, body: prevented })).toMatch(/^denied: 422 .*lock prevents review/);
    expect(await pull({ status: 422, body: { message: 'Repository was archived' } })).toMatch(/^denied: /);
    expect(await pull({ status: 422, body: { message: 'lock.yaml' } })).toMatch(/^invalid: /);
    expect(await pull({ status: 422, body: { message: 'a block' } })).toMatch(/^invalid: /);
  });

  test.each<[number, Json]>([
    [422, { message: 'Validation Failed', errors: ['was submitted too quickly'] }],
    [422, { message: 'Validation Failed', errors: ['was Submitted Too Quickly'] }],
    [422, { message: 'Validation Failed', errors: [{ resource: 'PullRequestReview', code: 'abuse' }] }],
  ])('with %i is a limit by its words: %j', async (status, body) => {
    const { github, waited } = answering({ status, body });
    expect(await refusal(github.pull(7))).toMatch(/^limited: /);
    expect(waited).toEqual([2000, 4000]);
  });

  test('by a word that only looks like a limit is none', async () => {
    expect(await pull({ status: 422, body: { message: 'abuse' } })).toBe('limited: 422 abuse');
    expect(await pull({ status: 422, body: { message: 'see abuse.yaml' } })).toBe('invalid: 422 see abuse.yaml');
  });
});

describe('a server that does not answer', () => {
  /** It takes requests, and says nothing. */
  const silent = (timeout: number) => {
    let asked = 0;
    const fetch = (_: string, init?: RequestInit) => {
      asked += 1;
      return new Promise<Response>((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    };
    const clock = { now: () => 0, sleep: async () => {} };
    const github = new GitHub({ token: 'x', repository: 'acme/platform', apiUrl: api, fetch, clock, timeout });
    return { github, asked: () => asked };
  };

  test('is waited for so long, asked once more, and then let be, whatever else there is to ask', async () => {
    const { github, asked } = silent(20);
    expect(await refusal(github.pull(7))).toBe('denied: GitHub does not answer');
    expect(await refusal(github.threads(7))).toBe('denied: GitHub does not answer');
    expect(asked()).toBe(2);
  });

  test('that answers in between is not given up', async () => {
    let asked = 0;
    const fetch = (_: string, init?: RequestInit) => {
      asked += 1;
      if (asked % 2 === 0) return Promise.resolve(new Response('{"number":7}', { headers: json }));
      return new Promise<Response>((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    };
    const clock = { now: () => 0, sleep: async () => {} };
    const github = new GitHub({ token: 'x', repository: 'acme/platform', apiUrl: api, fetch, clock, timeout: 20 });
    for (let round = 0; round < 3; round++) expect((await github.pull(7)).number).toBe(7);
  });

  test('all requests together take three minutes at most', async () => {
    const { github, clock, asked } = answering({ body: { number: 7 } });
    await github.pull(7);
    clock.time += 180_000;
    expect(await refusal(github.pull(7))).toBe('limited: all requests together took 180 s');
    expect(asked.length).toBe(1);
  });
});

test('no more files are asked for than GitHub lists', async () => {
  const files = Array.from({ length: 100 }, (_, index) => ({ filename: `${index}` }));
  const next = { link: `<${repo}/pulls/7/files?page=2>; rel="next"` };
  const { github, asked } = answering({ body: files, headers: next });
  expect(await github.files(7)).toHaveLength(3000);
  expect(asked.length).toBe(30);
});

describe('asking again', () => {
  const limit = (headers: Record<string, string>): Reply => ({ status: 403, body: { message: 'limit' }, headers });
  const good: Reply = { body: { number: 7 } };
  const slept = async (reply: Reply) => {
    const { github, waited } = answering(reply, good);
    await github.pull(7);
    return waited;
  };

  test.each<[string, Record<string, string>, number]>([
    ['as long as GitHub says', { 'retry-after': '30' }, 30_000],
    ['a second at least', { 'retry-after': '0' }, 1000],
    ['until the limit ends', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1030' }, 30_000],
    ['a second, where it has ended', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '900' }, 1000],
    ['a minute, where nobody knows', { 'x-ratelimit-remaining': '0' }, 60_000],
    ['a minute, where no number is said', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, 60_000],
    ['as the limit says, where no number is', { 'retry-after': 'soon', 'x-ratelimit-remaining': '0' }, 60_000],
    ['as told first, though the limit ends later', { 'retry-after': '5', 'x-ratelimit-remaining': '0' }, 5000],
  ])('comes after %s', async (_, headers, milliseconds) => {
    expect(await slept(limit(headers))).toEqual([milliseconds]);
  });

  test('does not come where there are requests left, and no word of a limit', async () => {
    const headers = { 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': '1030' };
    const { github, waited } = answering(limit(headers), good);
    expect(await refusal(github.pull(7))).toBe('denied: 403 limit');
    expect(waited).toEqual([]);
  });

  test('does not come where a minute would not do', async () => {
    const { github, waited } = answering(limit({ 'retry-after': '61' }), good);
    expect(await refusal(github.pull(7))).toBe('limited: 403 limit');
    expect(waited).toEqual([]);
  });

  test('comes no later than a minute in all, whatever was asked', async () => {
    const { github, waited } = answering(
      limit({ 'retry-after': '40' }),
      good,
      limit({ 'retry-after': '20' }),
      good,
      limit({ 'retry-after': '1' }),
    );
    await github.pull(7);
    await github.pull(7);
    expect(await refusal(github.pull(7))).toBe('limited: 403 limit');
    expect(waited).toEqual([40_000, 20_000]);
  });

  test.each<[string, Reply]>([
    ['that breaks', { status: 502, text: '<html>' }],
    ['whose connection breaks', new TypeError('fetch failed')],
    ['that comes as a page of a proxy', { status: 200, text: '<html>' }],
    ['that is empty', { status: 200, body: null }],
  ])('comes twice for a read %s', async (_, reply) => {
    const { github, asked, waited } = answering(reply);
    expect(await refusal(github.pull(7))).toMatch(/^unclear: /);
    expect([asked.length, waited]).toEqual([3, [2000, 4000]]);
    expect(await slept(reply)).toEqual([2000]);
  });

  test('does not come for what GitHub does not take', async () => {
    const { github, asked } = answering({ status: 422, body: { message: 'no' } });
    await refusal(github.pull(7));
    expect(asked.length).toBe(1);
  });
});

test('a proxy that the environment names is used', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { GITHUB_API_URL: before } = process.env;
  try {
    process.env.GITHUB_API_URL = 'http://api.example.test';
    process.env.http_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    jest.resetModules();
    const client = await import('../../src/github/client.js');
    const clock = { now: () => 0, sleep: async () => {} };
    const options = { token: 'x', repository: 'acme/platform', apiUrl: 'http://api.example.test', clock };
    await expect(new client.GitHub(options).pull(7)).rejects.toThrow();
    expect(new Set(asked)).toEqual(new Set(['api.example.test:80']));
  } finally {
    if (before === undefined) delete process.env.GITHUB_API_URL;
    else process.env.GITHUB_API_URL = before;
    delete process.env.http_proxy;
    proxy.close();
  }
});
