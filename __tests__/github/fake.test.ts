/** The fake itself: it must refuse what GitHub refuses, or the tests that lean on it say nothing. */
import { afterEach, expect, test } from '@jest/globals';
import { FakeGitHub, type Wishes } from '../support/github/fake.js';

const made: FakeGitHub[] = [];
afterEach(() => {
  for (const fake of made.splice(0)) fake.close();
});

const text = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`).join('\n');
const long = `${text(1, 60)}\n`;

async function github(wishes: Wishes = {}): Promise<FakeGitHub> {
  const fake = await FakeGitHub.create({ files: { 'a.yaml': long, 'b.yaml': 'b: 1\n' }, ...wishes });
  made.push(fake);
  return fake;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
type Said = { status: number; body: any; headers: Headers };

function client(fake: FakeGitHub, token = fake.token('write')) {
  return async (method: string, path: string, body?: unknown): Promise<Said> => {
    const url = path.startsWith('http') ? path : `${fake.apiUrl}/repos/acme/platform${path}`;
    const headers = { authorization: `token ${token}` };
    const response = await fake.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const said = await response.text();
    return { status: response.status, headers: response.headers, body: said && JSON.parse(said) };
  };
}

const changed = long.replace('line 10\n', 'line ten\n').replace('line 40\n', 'line forty\n');

test('a pull request, its files, a review, its comments', async () => {
  const fake = await github();
  const ask = client(fake);
  const n = await fake.open({ changes: { 'a.yaml': changed, 'c.yaml': 'c: 1\n', 'd.yaml': { from: 'b.yaml' } } });
  const pull = await ask('GET', `/pulls/${n}`);
  expect([pull.status, pull.body.changed_files, pull.body.head.sha]).toEqual([200, 3, fake.pull(n).head.sha]);
  const files = await ask('GET', `/pulls/${n}/files`);
  const shown = files.body.map((f: Said['body']) => [
    f.filename,
    f.status,
    f.previous_filename,
    f.additions,
    f.patch?.split('\n')[0],
  ]);
  expect(shown).toEqual([
    ['a.yaml', 'modified', undefined, 2, '@@ -7,7 +7,7 @@ line 6'],
    ['c.yaml', 'added', undefined, 1, '@@ -0,0 +1 @@'],
    ['d.yaml', 'renamed', 'b.yaml', 0, undefined],
  ]);
  const review = await ask('POST', `/pulls/${n}/reviews`, {
    commit_id: fake.pull(n).head.sha,
    event: 'COMMENT',
    body: '',
    comments: [{ path: 'a.yaml', line: 10, side: 'RIGHT', body: 'ten' }],
  });
  expect(review).toMatchObject({ status: 200 });
  const comments = await ask('GET', `/pulls/${n}/comments`);
  expect(comments.body[0]).toMatchObject({ line: 10 });
  const answer = await ask('POST', fake.graphqlUrl, {
    query:
      'query($n: Int!) { viewer { login } repository(owner: "acme", name: "platform") { pullRequest(number: $n) { headRefOid reviewThreads(first: 100) { pageInfo { hasNextPage endCursor } nodes { id isResolved isOutdated path line originalLine diffSide subjectType viewerCanResolve comments(first: 50) { totalCount nodes { id databaseId fullDatabaseId body author { login } viewerDidAuthor createdAt path line outdated } } } } } } }',
    variables: { n },
  });
  await fake.push(n, { 'a.yaml': `new\n${changed}` });
  expect(fake.threads(n)[0]).toMatchObject({ line: 11, originalLine: 10, outdated: false });
  expect(fake.violations).toEqual([]);
});
