/** The reviewer against the fake GitHub: which comments are there after each run. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Finding, Json, Severity } from '../../src/core/model.js';
import { GitHub } from '../../src/github/client.js';
import { farewellText } from '../../src/review/comment.js';
import { readPatch } from '../../src/review/diff.js';
import { type Review, review } from '../../src/review/review.js';
import { FakeGitHub, type Wishes } from '../support/github/fake.js';
import { runWith } from './run.js';

const clock = { time: Date.parse('2026-01-01T00:00:00Z') };
let fake: FakeGitHub;

async function start(wishes: Wishes = {}) {
  fake = await FakeGitHub.create({ files: { 'a.yaml': lines(1, 40) }, ...wishes, now: () => clock.time });
}
beforeEach(() => start());
afterEach(() => {
  expect({ violations: fake.violations, foreign: fake.foreignActs, leaks: fake.leaks }).toEqual({
    violations: [],
    foreign: [],
    leaks: [],
  });
  fake.close();
});

function lines(from: number, to: number, changes: Record<number, string> = {}): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers.map((number) => `${changes[number] ?? `line ${number}`}\n`).join('');
}

type Problem = {
  name: string;
  file?: string;
  line: number;
  severity?: Severity;
  isNew?: boolean;
  side?: 'head' | 'base';
  related?: Finding['related'];
};

/** A problem's name is its identity. */
function finding(problem: Problem): Finding {
  const { name, file = 'a.yaml', line, severity = 'error', isNew = true, side = 'head', related = [] } = problem;
  return {
    rule: name.split(' ')[0] as string,
    severity,
    message: `this is ${name}`,
    at: { revision: side, file, range: { start: { line, column: 1 }, end: { line, column: 5 } } },
    precision: 'exact',
    field: ['a', name],
    related,
    entrypoints: [],
    fingerprint: Buffer.from(name).toString('hex').padEnd(32, '0'),
    isNew,
    assumes: [],
  };
}

function reviewed(
  number: number,
  problems: Problem[],
  { token = fake.token('write'), comments = 20, url = (rule: string): string => `https://example.org/${rule}` } = {},
): Promise<Review> {
  const github = new GitHub({
    token,
    repository: 'acme/platform',
    apiUrl: fake.apiUrl,
    fetch: fake.fetch as never,
    clock: {
      now: () => clock.time,
      sleep: async (milliseconds) => {
        clock.time += milliseconds;
      },
    },
  });
  return review(runWith(problems.map(finding)), github, {
    instance: '',
    pull: { number, head: fake.pull(number).head.sha },
    limits: { comments, files: 10, notices: true },
    url,
    suggestion: () => undefined,
  });
}

/** The first words of every comment that is there, with its line. */
function said(number: number): string[] {
  return fake
    .comments(number)
    .map(({ body, thread }) => `${thread.path}:${thread.line ?? '-'} ${wordsOf(body)}`)
    .sort();
}

function wordsOf(body: string): string {
  const [, kind, what] = /^> \[!(\w+)\]\n> \*\*(.+)\*\*$/m.exec(body) ?? [];
  return kind
    ? `${{ CAUTION: 'error', WARNING: 'warning', NOTE: 'notice' }[kind]}: ${what}`
    : (body.split('\n')[0] as string);
}

async function opened(changes: Record<number, string>, more: Record<string, string> = {}): Promise<number> {
  return fake.open({ changes: { 'a.yaml': lines(1, 40, changes), ...more } });
}

const writes = () => fake.log.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/graphql'));

describe('a pull request', () => {
  test('new findings on its lines become one review, others in its files a comment on the file', async () => {
    const number = await opened({ 10: 'ten' });
    const { shown, notes } = await reviewed(number, [
      { name: 'on-line', line: 10 },
      { name: 'in-hunk', line: 12, severity: 'warning' },
      { name: 'far', line: 30 },
      { name: 'old', line: 10, isNew: false },
      { name: 'elsewhere', line: 1, file: 'b.yaml' },
    ]);
    expect(said(number)).toEqual([
      'a.yaml:- error: This is far',
      'a.yaml:10 error: This is on-line',
      'a.yaml:12 warning: This is in-hunk',
    ]);
    expect(fake.reviews(number).map(({ state }) => state)).toEqual(['COMMENTED', 'COMMENTED']);
    expect(shown.size).toBe(3);
    expect(notes).toEqual(['comments: 3 posted']);
  });

  test('nothing is posted when nothing is new, and nothing at all without findings', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, []);
    expect(writes()).toEqual([]);
    await reviewed(number, [{ name: 'x', line: 10 }]);
    const before = writes().length;
    expect((await reviewed(number, [{ name: 'x', line: 10 }])).shown.size).toBe(1);
    expect(writes().length).toBe(before);
  });

  test('a comment follows its line, is replaced when its line is written anew, and goes when the finding does', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    await fake.push(number, { 'a.yaml': `first\n${lines(1, 40, { 10: 'ten' })}` });
    await reviewed(number, [{ name: 'x', line: 11 }]);
    expect(said(number)).toEqual(['a.yaml:11 error: This is x']);
    expect(fake.comments(number).length).toBe(1);
    await fake.push(number, { 'a.yaml': `first\n${lines(1, 40, { 10: 'TEN' })}` });
    expect((await reviewed(number, [{ name: 'x', line: 11 }])).notes).toEqual(['comments: 1 posted, 1 removed']);
    expect(said(number)).toEqual(['a.yaml:11 error: This is x']);
    await fake.push(number, { 'a.yaml': lines(1, 40, { 10: 'fine' }) });
    await reviewed(number, []);
    expect(said(number)).toEqual([]);
  });

  test('words that change are edited in place', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    await reviewed(number, [{ name: 'x', line: 10, severity: 'warning' }]);
    expect(said(number)).toEqual(['a.yaml:10 warning: This is x']);
    expect(writes().map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });

  test('one new comment on a line is posted beside one on a file, and beside one whose words change', async () => {
    const number = await opened({ 10: 'ten', 20: 'twenty' });
    await reviewed(number, [
      { name: 'x', line: 10 },
      { name: 'far', line: 30 },
    ]);
    expect(said(number)).toEqual(['a.yaml:- error: This is far', 'a.yaml:10 error: This is x']);
    const { notes } = await reviewed(number, [
      { name: 'x', line: 10, severity: 'warning' },
      { name: 'far', line: 30 },
      { name: 'y', line: 20 },
    ]);
    expect(notes).toEqual(['comments: 1 posted, 1 edited']);
    expect(said(number)).toEqual([
      'a.yaml:- error: This is far',
      'a.yaml:10 warning: This is x',
      'a.yaml:20 error: This is y',
    ]);
  });

  test('what people have answered to stays, and is told once when it is fixed', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    fake.reply(fake.comments(number)[0]?.id as number, 'alice', 'why?');
    await reviewed(number, []);
    const [own] = fake.comments(number);
    expect(own?.body).toMatch(/^\*\*No longer reported at [0-9a-f]{12}\.\*\* It was:\n\n> \*\*This is x\*\*/);
    const before = writes().length;
    await fake.push(number, { 'b.yaml': 'b\n' });
    await reviewed(number, []);
    expect(writes().length).toBe(before);
    await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(said(number)[0]).toBe('a.yaml:10 error: This is x');
  });

  test('a thread that a person resolved is left alone', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    fake.resolve(fake.threads(number)[0]?.nodeId as string, 'alice');
    const before = writes().length;
    await reviewed(number, [{ name: 'x', line: 10 }]);
    await reviewed(number, []);
    await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(writes().length).toBe(before);
  });

  test('a marker that a person has copied means nothing', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    const body = fake.comments(number)[0]?.body as string;
    fake.delete(fake.comments(number)[0]?.id as number);
    await fake.comment(number, 'mallory', { path: 'a.yaml', line: 10 }, body);
    await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(fake.comments(number).length).toBe(2);
    await reviewed(number, []);
    expect(fake.comments(number).map(({ user }) => user)).toEqual(['mallory']);
  });

  test('the worst first, spread over files, and no more than the limit; advice once for a rule', async () => {
    const number = await opened({ 5: '5', 10: '10', 15: '15' }, { 'b.yaml': lines(1, 5) });
    const problems: Problem[] = [
      { name: 'w', line: 5, severity: 'warning' },
      { name: 'e1', line: 5 },
      { name: 'e2', line: 10 },
      { name: 'e3', line: 1, file: 'b.yaml' },
      { name: 'advice one', line: 10, severity: 'notice' },
      { name: 'advice two', line: 15, severity: 'notice' },
    ];
    await reviewed(number, problems, { comments: 2 });
    expect(said(number)).toEqual(['a.yaml:5 error: This is e1', 'b.yaml:1 error: This is e3']);
    await reviewed(number, problems, { comments: 20 });
    expect(said(number).filter((text) => text.includes('advice'))).toEqual(['a.yaml:10 notice: This is advice one']);
  });

  test('what is there already counts as its file’s turn', async () => {
    const number = await opened({ 5: '5', 10: '10', 15: '15' }, { 'b.yaml': lines(1, 5) });
    const old: Problem[] = [
      { name: 'a1', line: 5 },
      { name: 'a2', line: 10 },
    ];
    const added: Problem[] = [
      { name: 'a3', line: 15 },
      { name: 'b1', line: 1, file: 'b.yaml' },
    ];
    await reviewed(number, old, { comments: 3 });
    await reviewed(number, [...old, ...added], { comments: 3 });
    expect(said(number).map((text) => text.split(' ')[0])).toEqual(['a.yaml:10', 'a.yaml:5', 'b.yaml:1']);
  });

  test('an own GitHub Enterprise Server is asked at its own addresses', async () => {
    fake.close();
    await start({ enterprise: true });
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(said(number)).toEqual(['a.yaml:10 error: This is x']);
  });

  test('a line that is taken away is commented on its own side', async () => {
    const number = await fake.open({ changes: { 'a.yaml': lines(2, 40) } });
    await reviewed(number, [{ name: 'gone', line: 1, side: 'base' }]);
    expect(fake.comments(number).map(({ thread }) => [thread.side, thread.line])).toEqual([['LEFT', 1]]);
  });

  test('what was there before at a line that stays is said of the file: on both sides it is the same line', async () => {
    const number = await fake.open({ changes: { 'a.yaml': lines(2, 40) } });
    await reviewed(number, [{ name: 'context', line: 2, side: 'base' }]);
    expect(said(number)).toEqual(['a.yaml:- error: This is context']);
  });

  test('of a related place only that it was there before is said', async () => {
    const number = await opened({ 10: 'ten' });
    const at = (revision: 'head' | 'base', line: number) => ({
      revision,
      file: 'a.yaml',
      range: { start: { line, column: 1 }, end: { line, column: 2 } },
    });
    const related = [
      { message: 'it is now here', at: at('head', 20) },
      { message: 'it was there', at: at('base', 30) },
    ];
    await reviewed(number, [{ name: 'x', line: 10, related }]);
    expect(fake.comments(number)[0]?.body).toContain(
      '- `a.yaml:20`: it is now here\n- `a.yaml:30` (before this change): it was there\n',
    );
  });

  test.each([0, 400, 999, 1000, 2500])('between two writes is a second, of which reading took %i ms', async (took) => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/create-review', effect: 'unresolved' });
    fake.fault({
      operation: 'pulls/list-files',
      at: 2,
      effect: {
        before: () => {
          clock.time += took;
        },
      },
    });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    const [first, second] = writes().map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBe(Math.max(1000, took));
  });
});

describe('what goes wrong', () => {
  test('a token that may not write: nothing is lost, and why is said once', async () => {
    const number = await opened({ 10: 'ten' });
    const { shown, notes } = await reviewed(number, [{ name: 'x', line: 10 }], { token: fake.token('dependabot') });
    expect(shown.size).toBe(0);
    expect(notes).toEqual([expect.stringContaining('Resource not accessible by integration')]);
  });

  test('what a write that broke on the way has done is looked for only after five seconds', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/create-review', effect: 'bad-gateway' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    const broken = fake.log.findIndex(({ operation }) => operation === 'pulls/create-review');
    const [write, read] = fake.log.slice(broken);
    expect([read?.operation, (read?.at ?? 0) - (write?.at ?? 0)]).toEqual(['pulls/list-files', 5000]);
  });

  test('an answer that is lost after the review was made: not made twice', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/create-review', effect: 'lost' });
    const { shown } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(said(number)).toEqual(['a.yaml:10 error: This is x']);
    expect(shown.size).toBe(1);
  });

  test('a limit that does not end soon is let be, and nothing is asked a second time', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/create-review', effect: 'rate-limit' });
    const { notes, shown } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect([said(number), shown.size, writes().length]).toEqual([[], 0, 1]);
    expect(notes).toEqual([expect.stringMatching(/^GitHub did not take it all: 403 API rate limit/)]);
  });

  test.each(['unresolved', 'bad-gateway', 'secondary-limit', 'too-quickly', 'reset'] as const)(
    'a review that fails once (%s) is made in the end',
    async (effect) => {
      const number = await opened({ 10: 'ten' });
      fake.fault({ operation: 'pulls/create-review', effect });
      await reviewed(number, [{ name: 'x', line: 10 }]);
      expect(said(number)).toEqual(['a.yaml:10 error: This is x']);
    },
  );

  test('a finding that is back is not shown by a comment that still says it is gone', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    fake.reply(fake.comments(number)[0]?.id as number, 'alice', 'why?');
    await reviewed(number, []);
    fake.fault({ method: 'PATCH', times: 2, effect: 'bad-gateway' });
    expect((await reviewed(number, [{ name: 'x', line: 10 }])).shown.size).toBe(0);
    expect((await reviewed(number, [{ name: 'x', line: 10 }])).shown.size).toBe(1);
  });

  test('of a comment that is there twice, the one on the right line stays', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    await fake.push(number, { 'a.yaml': lines(1, 40, { 10: 'TEN' }) });
    fake.fault({ method: 'DELETE', times: 2, effect: 'bad-gateway' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    const right = fake.comments(number).find(({ thread }) => thread.line === 10);
    await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(fake.comments(number)).toEqual([right]);
  });

  test('a comment stays where the one in its place is not taken', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    await fake.push(number, { 'a.yaml': lines(1, 40, { 10: 'TEN' }) });
    const before = fake.comments(number);
    fake.fault({ operation: 'pulls/create-review', times: 2, effect: 'unresolved' });
    const { shown, notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(fake.comments(number)).toEqual(before);
    // GitHub folds it away, as its line has changed: so it is said elsewhere too.
    expect([shown.size, notes]).toEqual([0, [expect.stringMatching(/^GitHub did not take it all: 422 /)]]);
  });

  test('a limit that does not tell its end is waited for a minute', async () => {
    const number = await opened({ 10: 'ten' });
    const before = clock.time;
    const body = { message: 'API rate limit exceeded' };
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' };
    fake.fault({ operation: 'pulls/create-review', effect: { status: 403, body, headers } });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(said(number)).toEqual(['a.yaml:10 error: This is x']);
    expect(clock.time - before).toBe(60_000);
  });

  test('a limit that does not pass: no other write is tried, and why is said once', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, [{ name: 'fixed', line: 10 }]);
    const before = writes().length;
    fake.fault({ operation: 'pulls/create-review', times: 100, effect: 'secondary-limit' });
    const { shown, notes } = await reviewed(number, [
      { name: 'x', line: 10 },
      { name: 'far', line: 30 },
    ]);
    expect(
      new Set(
        writes()
          .slice(before)
          .map(({ operation }) => operation),
      ),
    ).toEqual(new Set(['pulls/create-review']));
    expect(said(number)).toEqual(['a.yaml:10 error: This is fixed']);
    expect([shown.size, notes]).toEqual([0, [expect.stringMatching(/^GitHub did not take it all: 403 /)]]);
  });

  test('a head that moves while it is read: nothing is posted', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'graphql', effect: { before: () => fake.push(number, { 'c.yaml': 'c\n' }) } });
    const { notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(said(number)).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('has moved on')]);
  });

  test('a read that breaks is tried again after two seconds, and then after four', async () => {
    const number = await opened({ 10: 'ten' });
    const before = clock.time;
    fake.fault({ operation: 'pulls/list-files', times: 2, effect: 'bad-gateway' });
    await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(said(number)).toEqual(['a.yaml:10 error: This is x']);
    expect(clock.time - before).toBe(6000);
  });

  test('a pull request that breaks whenever it is read: why is said once', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/list-files', times: 100, effect: 'bad-gateway' });
    const { shown, notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(shown.size).toBe(0);
    expect(notes).toEqual([expect.stringMatching(/^the pull request could not be read: 502 /)]);
    // Three times in each of two rounds.
    expect(fake.log.filter(({ operation }) => operation === 'pulls/list-files').length).toBe(6);
  });

  test('a pull request that the token may not read: why is said once, and it is not asked for again', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/list-files', times: 100, effect: { status: 404, body: { message: 'Not Found' } } });
    const { notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(notes).toEqual(['the pull request could not be read: 404 Not Found']);
    expect(fake.log.filter(({ operation }) => operation === 'pulls/list-files').length).toBe(1);
  });

  test.each<[string, Json, string]>([
    [
      'no pull request',
      { data: { repository: { pullRequest: null } } },
      'the comments of the pull request cannot be read',
    ],
    ['nothing', null, 'the comments of the pull request cannot be read'],
    ['an error', { errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible' }] }, 'Resource not accessible'],
    ['an error without words', { errors: [{ type: 'FORBIDDEN' }] }, 'GraphQL error'],
    ['no error in its list', { errors: [] }, 'GraphQL error'],
  ])('comments that are answered with %s: nothing is posted, and why is said once', async (_, body, why) => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'graphql', times: 100, effect: { status: 200, body } });
    const { shown, notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(notes).toEqual([`the pull request could not be read: ${why}`]);
    expect([shown.size, said(number)]).toEqual([0, []]);
  });

  test('a token that may not write is not tried on the next comment', async () => {
    const number = await opened({ 10: 'ten' });
    const problems = [
      { name: 'x', line: 10 },
      { name: 'far', line: 30 },
    ];
    await reviewed(number, problems, { token: fake.token('dependabot') });
    expect(writes().map(({ operation }) => operation)).toEqual(['pulls/create-review']);
  });

  test.each<['locked' | 'archived', RegExp]>([
    ['locked', /^GitHub did not take it all: 422 .*lock prevents review$/],
    ['archived', /^GitHub did not take it all: 403 Repository was archived/],
  ])(
    'a pull request that is %s gets one request to write, and comments once it is open again',
    async (effect, note) => {
      const number = await opened({ 10: 'ten', 20: 'twenty', 30: 'thirty' });
      const problems = [10, 20, 30, 35].map((line) => ({ name: `at ${line}`, line }));
      fake.fault({ method: 'POST', path: /\/pulls\//, times: 50, effect });
      const { shown, notes } = await reviewed(number, problems);
      expect(writes().map(({ operation }) => operation)).toEqual(['pulls/create-review']);
      // What is shown nowhere becomes an annotation.
      expect([shown.size, notes]).toEqual([0, [expect.stringMatching(note)]]);
      fake.clearFaults();
      expect((await reviewed(number, problems)).shown.size).toBe(4);
    },
  );

  test('one comment that is not taken does not keep the next', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/create-review', times: 2, effect: 'unresolved' });
    const { shown, notes } = await reviewed(number, [
      { name: 'x', line: 10 },
      { name: 'far', line: 30 },
    ]);
    // Where its line is refused again, it stands on the file.
    expect(said(number)).toEqual(['a.yaml:- error: This is far', 'a.yaml:- error: This is x']);
    expect([shown.size, notes]).toEqual([
      2,
      ['comments: 2 posted', expect.stringMatching(/^GitHub did not take it all: 422 /)],
    ]);
  });

  test('of two lines the one that is to blame is known at once, and nothing is looked at again', async () => {
    const number = await opened({ 10: 'ten', 20: 'twenty' });
    // Both of them, and then the last of the file alone.
    fake.fault({ operation: 'pulls/create-review', times: 2, effect: 'unresolved' });
    const problems = [
      { name: 'x', line: 10 },
      { name: 'y', line: 20 },
    ];
    const { shown } = await reviewed(number, problems);
    expect([said(number), shown.size]).toEqual([['a.yaml:- error: This is y', 'a.yaml:10 error: This is x'], 2]);
    expect(fake.log.filter(({ operation }) => operation === 'pulls/list-files')).toHaveLength(1);
  });

  test('what was posted and taken away before the second look is not shown', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/create-review', times: 2, effect: 'unresolved' });
    fake.fault({ operation: 'pulls/create-review-comment', at: 2, times: 2, effect: 'unresolved' });
    const before = () => {
      for (const { id } of fake.comments(number)) fake.delete(id);
    };
    fake.fault({ operation: 'graphql', at: 2, effect: { before } });
    const { shown } = await reviewed(number, [
      { name: 'x', line: 10 },
      { name: 'far', line: 30 },
    ]);
    expect([said(number), shown.size]).toEqual([[], 0]);
  });

  test('a pull request whose head has moved before: nothing is written, and that is said', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/get', effect: { before: () => fake.push(number, { 'c.yaml': 'c\n' }) } });
    const { notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(notes).toEqual(['the pull request has moved on while this ran, so nothing more was posted']);
    expect(writes()).toEqual([]);
  });

  test('a pull request that is closed gets no comment', async () => {
    const number = await opened({ 10: 'ten' });
    fake.setState(number, 'closed');
    const { notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect([notes, said(number)]).toEqual([[expect.stringContaining('has moved on')], []]);
  });

  test('a pull request that cannot be read has not moved on', async () => {
    const number = await opened({ 10: 'ten' });
    fake.fault({ operation: 'pulls/get', effect: { status: 404, body: { message: 'Not Found' } } });
    const { notes } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(notes).toEqual(['the pull request could not be read: 404 Not Found']);
  });

  test('a pull request on which there is nothing to do is read, and no more', async () => {
    const number = await opened({ 10: 'ten' });
    await reviewed(number, []);
    expect(fake.log.map(({ operation }) => operation)).toEqual(['pulls/list-files', 'graphql']);
  });

  test('two runs of one commit at the same time leave one comment, whichever of them is last', async () => {
    const number = await opened({ 10: 'ten' });
    // The other run posts after this one has looked, and before it posts.
    const before = () => reviewed(number, [{ name: 'x', line: 10 }]);
    fake.fault({ operation: 'pulls/create-review', effect: { before } });
    const { shown } = await reviewed(number, [{ name: 'x', line: 10 }]);
    expect(said(number)).toEqual(['a.yaml:10 error: This is x']);
    expect(shown.size).toBe(1);
  });

  test('a mistake of our own is not taken for one of GitHub', async () => {
    const number = await opened({ 10: 'ten' });
    const url = () => {
      throw new RangeError('ours');
    };
    await expect(reviewed(number, [{ name: 'x', line: 10 }], { url })).rejects.toThrow('ours');
  });

  test('a comment that somebody else takes away first does not keep the others', async () => {
    const number = await opened({ 10: 'ten', 20: 'twenty' });
    await reviewed(number, [
      { name: 'x', line: 10 },
      { name: 'y', line: 20 },
    ]);
    const [first] = fake.comments(number);
    fake.fault({ method: 'DELETE', effect: { before: () => fake.delete(first?.id as number) } });
    const { notes } = await reviewed(number, []);
    expect(said(number)).toEqual([]);
    expect(notes).toEqual(['comments: 1 removed']);
  });
});

test('what a hunk does not count is none of it, whatever it looks like', () => {
  const { lines, changed } = readPatch('@@ -1 +1,2 @@ key: @@ -7 +7 @@\n-a\n+b\n+c\n+@@ -20 +20 @@\n+d');
  expect([[...lines.RIGHT.keys()], [...changed.LEFT]]).toEqual([[1, 2], [1]]);
});

test.each(['```suggestions\nkeep: this\n```', '> ```suggestion\n> keep: this\n> ```'])(
  'of a comment that people have edited, the suggestion goes and their own code stays: %j',
  (own) => {
    const text = `error: This is x\n\n${own}\n\n\`\`\`suggestion\ntake: that\n\`\`\`\n\n<sub>\`x\`</sub>`;
    expect(farewellText(text, 'c'.repeat(40))).toBe(
      `**No longer reported at cccccccccccc.** It was:\n\nerror: This is x\n\n${own}\n\n<sub>\`x\`</sub>`,
    );
  },
);
