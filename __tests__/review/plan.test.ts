/** The plan of a review by itself, on pull requests that are written here: where comments are put, and which of them. */
import { describe, expect, test } from '@jest/globals';
import type { Finding, Revision, Run } from '../../src/core/model.js';
import type { Suggestion } from '../../src/fix/suggestion.js';
import type { Thread } from '../../src/github/types.js';
import { commentText, farewellText, movedText } from '../../src/review/comment.js';
import { type ReviewableDiff, readDiff } from '../../src/review/diff.js';
import { markerId, memberOf, withMarker } from '../../src/review/marker.js';
import { type Plan, type Post, planReview, type ReviewLimits } from '../../src/review/plan.js';
import { alone } from './topics.js';

const instance = '';
const texts: Record<string, string> = {
  'a.yaml': 'a: 1\nb: 2\nc: 3\nd: 4\n',
  'b.yaml': 'w: 1\nx: 2\ny: 3\nz: 4\n',
};

/** In both files the second line is new in place of another. */
const diff = readDiff(
  Object.entries(texts).map(([filename, text]) => {
    const [first, second, ...rest] = text.trimEnd().split('\n');
    const lines = [` ${first}`, '-before', `+${second}`, ...rest.map((line) => ` ${line}`)];
    return { filename, status: 'modified', changes: 2, patch: `@@ -1,4 +1,4 @@\n${lines.join('\n')}` };
  }),
);

/** The name is the identity. */
function found(name: string, line: number, revision: Revision = 'head'): Finding {
  return {
    rule: 'schema-violation',
    severity: 'error',
    message: `this is ${name}`,
    at: { revision, file: 'a.yaml', range: { start: { line, column: 1 }, end: { line, column: 2 } } },
    precision: 'exact',
    field: [],
    related: [],
    entrypoints: [],
    fingerprint: name,
    isNew: true,
    assumes: [],
  };
}

type Situation = {
  findings: Finding[];
  pull?: ReviewableDiff;
  threads?: Thread[];
  limits?: ReviewLimits;
  suggestion?: Suggestion;
};
function planned(situation: Situation): Plan {
  const { findings, pull = diff, threads = [], limits = { comments: 20, files: 10 }, suggestion } = situation;
  const run: Run = {
    ...{ findings, ignored: [], policy: [], entrypoints: [], facts: [], worlds: [], stages: [], notChecked: [] },
    sources: { text: (_, file) => texts[file], has: (_, file) => file in texts, secrets: () => ({}) },
    tool: { name: 'customizer-lint', version: '0.1.0' },
  };
  const options = { url: () => undefined, suggestion: () => suggestion };
  return planReview({
    ...{ instance, findings, diff: pull, threads, limits },
    suggested: options.suggestion,
    words: (one, anchor, taken) => commentText(run, one, anchor, options, taken),
    farewell: (text) => farewellText(text, 'c'.repeat(40)),
    moved: movedText,
    link: (comment) => `https://pull#${comment}`,
  });
}

/** A comment of ours on a line of a.yaml. */
function thread(name: string, line: number, more: Partial<Thread> = {}): Thread {
  return {
    ...{ resolved: false, path: 'a.yaml', line, side: 'RIGHT', wholeFile: false, replies: 0 },
    comment: { id: 7, body: bodyOf(name, 'words'), mine: true },
    ...more,
  };
}

/** Of a comment on the finding of that name. */
function bodyOf(name: string, text: string, job = instance): string {
  return withMarker(job, { id: markerId(job, name), text, members: [memberOf(found(name, 1))] });
}

const places = ({ lines, files }: Plan) =>
  [...lines, ...files].map(({ topic: { findings }, anchor }) => [findings[0].message, anchor]);
const onLine = (line: number) => ({ kind: 'line', path: 'a.yaml', side: 'RIGHT', line });

test('a suggestion for the file of the finding is put on the lines that it replaces', () => {
  const suggestion = { file: 'a.yaml', startLine: 3, endLine: 4, replacement: ['c: new'] };
  const plan = planned({ findings: [found('x', 2)], suggestion });
  expect(places(plan)).toEqual([['this is x', { ...onLine(4), startLine: 3 }]]);
  expect(plan.lines[0]?.text).toContain('```suggestion\nc: new\n```');
});

test('a suggestion for another file is not put on lines of this one', () => {
  const suggestion = { file: 'b.yaml', startLine: 3, endLine: 4, replacement: ['y: new'] };
  const plan = planned({ findings: [found('x', 2)], suggestion });
  expect(places(plan)).toEqual([['this is x', onLine(2)]]);
  expect(plan.lines[0]?.text).not.toContain('y: new');
});

test('a suggestion for the same line of another file is not put on this one', () => {
  const suggestion = { file: 'b.yaml', startLine: 2, endLine: 2, replacement: ['x: new'] };
  const plan = planned({ findings: [found('x', 2)], suggestion });
  expect(plan.lines[0]?.text).not.toContain('x: new');
});

test('a comment on a line that was taken away does not stand on the new line of the same number', () => {
  const left = thread('x', 2, { side: 'LEFT' });
  const plan = planned({ findings: [found('x', 2)], threads: [left] });
  expect(places(plan)).toEqual([['this is x', onLine(2)]]);
  expect(plan.remove).toEqual([{ comment: left.comment.id, insteadOf: plan.lines[0] }]);
  const stays = planned({ findings: [found('x', 2, 'base')], threads: [left] });
  expect([places(stays), stays.remove]).toEqual([[], []]);
});

test.each([
  ['that is resolved leaves', true, ['this is y']],
  ['that is open uses up', false, []],
])('a thread %s the room of another comment', (_, resolved, posted) => {
  const limits = { comments: 1, files: 1 };
  const plan = planned({ findings: [found('x', 2), found('y', 3)], threads: [thread('x', 2, { resolved })], limits });
  expect(plan.lines.map(({ topic }) => topic.findings[0].message)).toEqual(posted);
  expect(plan.kept.map(({ message }) => message)).toEqual(['this is x']);
});

test('advice is said beside an error of its rule that has a comment already, and once', () => {
  const advice = (name: string, line: number): Finding => ({ ...found(name, line), severity: 'notice' });
  const findings = [found('x', 2), advice('y', 3), advice('z', 4)];
  const limits = { comments: 20, files: 10, notices: true };
  const saidBeside = (threads: Thread[]) => posted(planned({ findings, threads, limits }));
  expect(saidBeside([thread('x', 2)])).toEqual(['y']);
  expect(saidBeside([thread('z', 4)])).toEqual(['x']);
});

const names = (findings: readonly Finding[]) => findings.map(({ message }) => message.replace('this is ', ''));
const posted = ({ lines, files }: Plan) => names([...lines, ...files].map(({ topic }) => topic.findings[0]));
const onFile = { kind: 'file', path: 'a.yaml' };
/** What the comment says on its line, and where it does not stand there. */
const head = (name: string) => `> [!CAUTION]\n> **This is ${name}**`;
const small = '<sub>error · `schema-violation`</sub>';
const words = (name: string) => `${head(name)}\n\n${small}`;
const wordsOf = (name: string, line: number) => `${head(name)}\n\nAt \`a.yaml:${line}\`\n\n${small}`;

/** A thread whose first comment is ours, with that number and that text. */
function saying(text: string, name: string, line: number, more: Partial<Thread> = {}, comment = 7): Thread {
  return { ...thread(name, line, more), comment: { id: comment, body: bodyOf(name, text), mine: true } };
}
const saidOf = (name: string, line: number) => ({
  ...{ topic: alone(found(name, line)), id: markerId('', name), named: [found(name, line)] },
});
const nothing = { lines: [], files: [], edit: [], remove: [], left: 0 };

describe('where a comment stands', () => {
  test.each<[string, Finding, object]>([
    ['a line that the diff shows', found('x', 4), onLine(4)],
    ['a line that it does not show', found('x', 9), onFile],
    ['no more than its file', { ...found('x', 2), precision: 'file' }, onFile],
    ['a line that was taken away', found('x', 2, 'base'), { ...onLine(2), side: 'LEFT' }],
    ['a line of the base that is still there', found('x', 3, 'base'), onFile],
    ['the nearest parent that is written', { ...found('x', 3), precision: 'parent' }, onLine(3)],
  ])('of a finding on %s', (_, finding, anchor) => {
    expect(places(planned({ findings: [finding] }))).toEqual([['this is x', anchor]]);
  });

  test('a comment on a file says which line it is about', () => {
    const { lines, files } = planned({ findings: [found('x', 9), found('y', 2)] });
    expect(files).toEqual([{ ...saidOf('x', 9), anchor: onFile, text: wordsOf('x', 9) }]);
    expect(lines).toEqual([{ ...saidOf('y', 2), anchor: onLine(2), text: words('y') }]);
  });

  test('a finding in a file that is not in the pull request has none', () => {
    const elsewhere = { ...found('x', 1), at: { ...found('x', 1).at, file: 'c.yaml' } };
    expect(posted(planned({ findings: [elsewhere, found('y', 2)] }))).toEqual(['y']);
  });

  test('a finding on what a renamed file was stands in the file of the new name', () => {
    const pull = readDiff([
      {
        filename: 'new.yaml',
        previous_filename: 'a.yaml',
        status: 'renamed',
        changes: 1,
        patch: '@@ -2,1 +1,0 @@\n-b',
      },
    ]);
    expect(places(planned({ pull, findings: [found('x', 2, 'base')] }))).toEqual([
      ['this is x', { kind: 'line', path: 'new.yaml', side: 'LEFT', line: 2 }],
    ]);
  });

  const two = '@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -9,2 +9,2 @@\n i\n-j\n+J';
  const pull = readDiff([{ filename: 'a.yaml', status: 'modified', changes: 2, patch: two }]);
  test.each([
    ['on one line, on that line', 9, 9, onLine(9)],
    ['on several, on all of them', 9, 10, { ...onLine(10), startLine: 9 }],
    ['across two hunks, on the line of the finding', 2, 9, onLine(1)],
    ['that ends outside, on the line of the finding', 10, 11, onLine(1)],
    ['that begins outside, on the line of the finding', 8, 9, onLine(1)],
    ['wholly outside, on the line of the finding', 4, 5, onLine(1)],
  ])('of a suggestion %s', (_, startLine, endLine, anchor) => {
    const suggestion = { file: 'a.yaml', startLine, endLine, replacement: ['x'] };
    expect(places(planned({ pull, findings: [found('x', 1)], suggestion }))).toEqual([['this is x', anchor]]);
  });

  test('of a finding on what was taken away is not where its suggestion would be', () => {
    const suggestion = { file: 'a.yaml', startLine: 3, endLine: 3, replacement: ['c: new'] };
    expect(places(planned({ findings: [found('x', 2, 'base')], suggestion }))).toEqual([
      ['this is x', { ...onLine(2), side: 'LEFT' }],
    ]);
  });
});

describe('which findings have a comment', () => {
  test('those that are new, and all where there is nothing to compare with', () => {
    const { isNew: _, ...unknown } = found('y', 3);
    const findings = [{ ...found('x', 2), isNew: false }, unknown, found('z', 4)];
    expect(posted(planned({ findings }))).toEqual(['z', 'y']);
  });

  test('a comment goes where its finding is not new any more', () => {
    const plan = planned({ findings: [{ ...found('x', 2), isNew: false }], threads: [thread('x', 2)] });
    expect(plan).toEqual({ ...nothing, remove: [{ comment: 7 }], kept: [] });
  });

  test.each([
    [1, ['b']],
    [2, ['a', 'b']],
    [3, ['c', 'a', 'b']],
  ])('the worst first, of equals each file in turn, up to the limit of %i', (comments, expected) => {
    const warning: Finding = { ...found('a', 2), severity: 'warning' };
    const later: Finding = { ...found('c', 3), severity: 'warning' };
    const limits = { comments, files: 10 };
    const plan = planned({ findings: [later, warning, found('b', 9)].reverse(), limits });
    expect(posted(plan)).toEqual(expected);
  });

  test('each file has its turn, in the order in which they are found', () => {
    const other = (name: string, line: number) => ({
      ...found(name, line),
      at: { ...found(name, line).at, file: 'b.yaml' },
    });
    const findings = [found('a1', 1), found('a2', 2), found('a3', 3), other('b1', 1), other('b2', 2), other('b3', 3)];
    const chosen = (comments: number) => posted(planned({ findings, limits: { comments, files: 10 } })).sort();
    expect([1, 2, 3, 4, 5].map(chosen)).toEqual([
      ['a1'],
      ['a1', 'b1'],
      ['a1', 'a2', 'b1'],
      ['a1', 'a2', 'b1', 'b2'],
      ['a1', 'a2', 'a3', 'b1', 'b2'],
    ]);
  });

  test('on files fewer than on lines, and what is over leaves room for lines', () => {
    const findings = [found('f1', 9), found('f2', 9), found('f3', 9), found('l1', 1), found('l2', 2), found('l3', 3)];
    const plan = (comments: number) => planned({ findings, limits: { comments, files: 2 } });
    expect(posted(plan(20))).toEqual(['l3', 'l2', 'l1', 'f1', 'f2']);
    expect(posted(plan(4))).toEqual(['l2', 'l1', 'f1', 'f2']);
    expect(posted(planned({ findings, limits: { comments: 20, files: 0 } }))).toEqual(['l3', 'l2', 'l1']);
    const reversed = planned({ findings: findings.toReversed(), limits: { comments: 20, files: 2 } });
    expect(posted(reversed)).toEqual(['l3', 'l2', 'l1', 'f3', 'f2']);
  });

  test.each<[string, Partial<Thread>, string[]]>([
    ['on a file, which uses up the room of one', { wholeFile: true, line: undefined }, ['l1', 'f1']],
    ['on a line, which does not', {}, ['l1', 'f1', 'f2']],
    ['that is settled, which does not', { wholeFile: true, line: undefined, resolved: true }, ['l1', 'f1', 'f2']],
  ])('beside a comment %s', (_, more, expected) => {
    const known = more.wholeFile ? { ...found('x', 2), precision: 'file' as const } : found('x', 2);
    const findings = [known, found('f1', 9), found('f2', 9), found('l1', 1)];
    const limits = { comments: 20, files: 2 };
    expect(posted(planned({ findings, limits, threads: [thread('x', 2, more)] }))).toEqual(expected);
  });

  test('beside those that are there, which count once each', () => {
    const findings = [found('x', 1), found('y', 2), found('z', 3), found('w', 4)];
    const threads = [thread('x', 1), thread('y', 2)];
    expect(posted(planned({ findings, threads, limits: { comments: 3, files: 1 } }))).toEqual(['z']);
    expect(posted(planned({ findings, threads, limits: { comments: 2, files: 1 } }))).toEqual([]);
  });

  test('advice only on a line, and once for a rule', () => {
    const advice = (name: string, line: number, rule = 'r'): Finding => ({
      ...found(name, line),
      severity: 'notice',
      rule,
    });
    const findings = [advice('far', 9), advice('x', 1), advice('y', 2), advice('z', 3, 'other')];
    expect(posted(planned({ findings }))).toEqual([]);
    const limits = { comments: 20, files: 10, notices: true };
    expect(posted(planned({ findings, limits }))).toEqual(['z', 'x']);
  });

  test('the last line of a file first, and one file after the other', () => {
    const other = (name: string, line: number) => ({
      ...found(name, line),
      at: { ...found(name, line).at, file: 'b.yaml' },
    });
    const findings = [other('b1', 1), found('a2', 2), other('b3', 3), found('a4', 4), found('a1', 1), other('b2', 2)];
    expect(posted(planned({ findings }))).toEqual(['a4', 'a2', 'a1', 'b3', 'b2', 'b1']);
  });
});

describe('a comment that is there', () => {
  test('is left as it is where it says what is found', () => {
    const plan = planned({ findings: [found('x', 2)], threads: [saying(words('x'), 'x', 2)] });
    expect(plan).toEqual({ ...nothing, kept: [found('x', 2)] });
  });

  test('is edited where it says something else', () => {
    const plan = planned({ findings: [found('x', 2)], threads: [thread('x', 2)] });
    const edit = [{ comment: 7, id: markerId('', 'x'), text: words('x'), named: [found('x', 2)], added: '' }];
    expect(plan).toEqual({ ...nothing, edit, kept: [found('x', 2)] });
  });

  test('that says that its finding is gone says it again when that is back, and only then', () => {
    const gone = farewellText(words('x'), 'c'.repeat(40));
    const plan = planned({ findings: [found('x', 2)], threads: [saying(gone, 'x', 2, { replies: 1 })] });
    const edit = [{ comment: 7, id: markerId('', 'x'), text: words('x'), named: [found('x', 2)], added: '' }];
    expect(plan).toEqual({ ...nothing, edit, kept: [] });
  });

  test('that nobody has answered to is replaced where it does not stand on the line any more', () => {
    const plan = planned({ findings: [found('x', 3)], threads: [saying(words('x'), 'x', 2)] });
    expect(places(plan)).toEqual([['this is x', onLine(3)]]);
    expect([plan.remove, plan.edit]).toEqual([[{ comment: 7, insteadOf: plan.lines[0] }], []]);
  });

  test.each<[string, Partial<Thread>]>([
    ['on another line', {}],
    ['on another file', { path: 'b.yaml', line: 3 }],
    ['on the whole file', { wholeFile: true, line: undefined }],
  ])('%s stays where people have answered to it, and says which line it is about', (_, more) => {
    const threads = [saying(words('x'), 'x', 2, { replies: 1, ...more })];
    const plan = planned({ findings: [found('x', 3)], threads });
    const edit = [{ comment: 7, id: markerId('', 'x'), text: wordsOf('x', 3), named: [found('x', 3)], added: '' }];
    expect(plan).toEqual({ ...nothing, edit, kept: [found('x', 3)] });
  });

  test('on a line that is outdated is left to those who have answered, and the finding is said anew', () => {
    const old = saying(words('x'), 'x', 2, { replies: 1, line: undefined });
    const plan = planned({ findings: [found('x', 3)], threads: [old] });
    expect(places(plan)).toEqual([['this is x', onLine(3)]]);
    expect(plan.lines[0]?.text).toBe(`${words('x')}\n\n<sub>[What was said so far](https://pull#7)</sub>`);
    expect(plan.edit).toEqual([
      expect.objectContaining({ comment: 7, id: markerId('', 'left x'), added: '', insteadOf: plan.lines[0] }),
    ]);
    expect(plan.edit[0]?.text).toMatch(/^\*\*Reported anew in a newer comment\.\*\* It was:/);
    // The next run finds both, and leaves them.
    const text = plan.lines[0]?.text ?? '';
    const { id = '', text: leftText = '' } = plan.edit[0] ?? {};
    const left = { ...old, comment: { ...old.comment, body: withMarker('', { id, text: leftText }) } };
    const threads = [left, saying(text, 'x', 3, {}, 8)];
    expect(planned({ findings: [found('x', 3)], threads })).toEqual({ ...nothing, kept: [found('x', 3)] });
    // When the finding is gone both say so, or go.
    const gone = planned({ findings: [], threads });
    expect(gone.remove).toEqual([{ comment: 8 }]);
    expect(gone.edit.map(({ comment, text }) => [comment, text])).toEqual([
      [7, `**No longer reported at cccccccccccc.** It was:\n\n${words('x').replace('> [!CAUTION]\n', '')}`],
    ]);
  });

  test('that a person has written below of is kept by its words, whatever becomes of the finding', () => {
    const own = saying(words('x'), 'x', 2);
    const added = { ...own, comment: { ...own.comment, body: `${own.comment.body}\n\nWe know.` } };
    expect(planned({ findings: [found('x', 2)], threads: [added] })).toEqual({
      ...nothing,
      kept: [found('x', 2)],
    });
    const { edit, remove } = planned({ findings: [], threads: [added] });
    expect(remove).toEqual([]);
    expect(edit).toEqual([expect.objectContaining({ comment: 7, added: 'We know.' })]);
  });

  test('on the last of several lines is replaced where its suggestion has fewer now', () => {
    const suggestion = { file: 'a.yaml', startLine: 3, endLine: 4, replacement: ['c: new'] };
    const stands = planned({ findings: [found('x', 2)], threads: [thread('x', 4, { startLine: 3 })], suggestion });
    expect(places(stands)).toEqual([]);
    for (const startLine of [undefined, 2]) {
      const stale = planned({ findings: [found('x', 2)], threads: [thread('x', 4, { startLine })], suggestion });
      expect(places(stale)).toEqual([['this is x', { ...onLine(4), startLine: 3 }]]);
      expect(stale.remove).toEqual([{ comment: 7, insteadOf: stale.lines[0] }]);
    }
  });

  test.each<[string, Partial<Thread>]>([
    ['on the whole file', { wholeFile: true, line: undefined }],
    ['on the whole file, for which GitHub names its line', { wholeFile: true, line: 3 }],
    ['of the same number in another file', { path: 'b.yaml', line: 3 }],
  ])('%s is replaced by one on the line', (_, more) => {
    const plan = planned({ findings: [found('x', 3)], threads: [saying(words('x'), 'x', 2, more)] });
    expect([places(plan), plan.remove]).toEqual([
      [['this is x', onLine(3)]],
      [{ comment: 7, insteadOf: plan.lines[0] }],
    ]);
  });

  test.each<[string, Partial<Thread>]>([
    ['a file is what is wanted for a finding outside the diff', { wholeFile: true, line: undefined }],
    ['a line stays though there can be none on its line now', {}],
  ])('on %s', (_, more) => {
    const plan = planned({ findings: [found('x', 9)], threads: [saying(wordsOf('x', 9), 'x', 2, more)] });
    expect(plan).toEqual({ ...nothing, kept: [found('x', 9)] });
  });

  test('stays where its file has left the pull request, and says which line it is about', () => {
    const elsewhere = { ...found('x', 3), at: { ...found('x', 3).at, file: 'c.yaml' } };
    const plan = planned({ findings: [elsewhere], threads: [saying(words('x'), 'x', 3, { path: 'c.yaml' })] });
    expect(plan.edit.map(({ text }) => text)).toEqual([wordsOf('x', 3).replace('a.yaml', 'c.yaml')]);
    expect([plan.remove, plan.lines, plan.files]).toEqual([[], [], []]);
  });
});

describe('a comment that people have settled', () => {
  const settled = (text: string, more: Partial<Thread> = {}) => saying(text, 'x', 2, { resolved: true, ...more });

  test('is not said again while it is what it was, wherever its line goes', () => {
    expect(planned({ findings: [found('x', 3)], threads: [settled('words')] })).toEqual({
      ...nothing,
      kept: [found('x', 3)],
    });
  });

  test.each<[string, Partial<Finding>]>([
    ['other words', { message: 'this is x and more' }],
    ['another severity', { severity: 'warning' }],
  ])('is said anew with %s, and led to', (_, change) => {
    const plan = planned({ findings: [{ ...found('x', 2), ...change }], threads: [settled(words('x'))] });
    expect(places(plan)).toHaveLength(1);
    expect(plan.lines[0]?.text).toContain('[What was said so far](https://pull#7)');
    expect([plan.kept, plan.edit, plan.remove]).toEqual([[], [], []]);
  });

  test('after its finding was gone is said anew when that is back', () => {
    const gone = farewellText(words('x'), 'c'.repeat(40));
    const threads = [settled(gone, { replies: 1 })];
    const plan = planned({ findings: [found('x', 2)], threads });
    expect(places(plan)).toEqual([['this is x', onLine(2)]]);
    expect(plan.lines[0]?.text).toContain('[What was said so far](https://pull#7)');
    // The next run finds both, and leaves them; the link stays when the words change.
    const again = saying(plan.lines[0]?.text ?? '', 'x', 2, {}, 8);
    expect(planned({ findings: [found('x', 2)], threads: [...threads, again] })).toEqual({
      ...nothing,
      kept: [found('x', 2)],
    });
    const other = planned({ findings: [{ ...found('x', 2), message: 'this is y' }], threads: [...threads, again] });
    expect(other.edit.map(({ comment, text }) => [comment, text])).toEqual([
      [8, `${words('y')}\n\n<sub>[What was said so far](https://pull#7)</sub>`],
    ]);
  });
});

describe('a comment that a person has changed', () => {
  const own = saying(words('x'), 'x', 2);
  const changed = { ...own, comment: { ...own.comment, body: own.comment.body.replace('This is x', 'Well known') } };

  test('is not written over, and what is new is not said to be there', () => {
    expect(planned({ findings: [found('x', 2)], threads: [changed] })).toEqual({ ...nothing, kept: [found('x', 2)] });
    const other = { ...found('x', 2), message: 'this is y' };
    expect(planned({ findings: [other], threads: [changed] })).toEqual({ ...nothing, kept: [] });
  });

  test('stays when its finding is gone, with these words', () => {
    const { edit, remove } = planned({ findings: [], threads: [changed] });
    expect(remove).toEqual([]);
    expect(edit.map(({ text }) => text)).toEqual([expect.stringContaining('Well known')]);
    // It is theirs for good, and where the finding comes back, that is said elsewhere.
    const [{ id, text, hash } = { id: '', text: '', hash: '' }] = edit;
    const after = {
      ...changed,
      comment: { ...changed.comment, body: withMarker('', { id, text, hash: String(hash) }) },
    };
    expect(planned({ findings: [], threads: [after] })).toEqual({ ...nothing, kept: [] });
    const back = planned({ findings: [found('x', 2)], threads: [after] });
    expect(places(back)).toEqual([['this is x', onLine(2)]]);
    expect([back.remove, back.edit.map(({ text }) => text)]).toEqual([[], [expect.stringContaining('Well known')]]);
  });

  test('is the one of two that stays', () => {
    const older = saying(words('x'), 'x', 2, {}, 1);
    const added = { ...own, comment: { ...own.comment, body: `${own.comment.body}\n\nWe know.` } };
    for (const one of [changed, added])
      expect(planned({ findings: [found('x', 2)], threads: [older, one] }).remove).toEqual([{ comment: 1 }]);
  });

  test('leaves the room to what was added to it', () => {
    const long = { ...own, comment: { ...own.comment, body: `${own.comment.body}\n\n${'word '.repeat(10_000)}` } };
    const findings = [
      {
        ...found('x', 2),
        message: 'this is y',
        help: 'h '.repeat(400),
        related: Array.from({ length: 8 }, (_, index) => ({
          message: `r${index} ${'w '.repeat(480)}`,
          at: found('x', 3).at,
        })),
      },
    ];
    const [edit] = planned({ findings, threads: [long] }).edit;
    expect((edit?.text.length ?? 0) + (edit?.added.length ?? 0)).toBeLessThan(65_000);
  });
});

describe('a comment whose finding is gone', () => {
  const plan = (one: Thread) => planned({ findings: [], threads: [one] });
  test('goes', () => {
    expect(plan(thread('x', 2))).toEqual({ ...nothing, remove: [{ comment: 7 }], kept: [] });
  });

  test.each([1, 2])('stays with %i answers, and says that it is gone', (replies) => {
    const { edit, remove } = plan(saying(words('x'), 'x', 2, { replies }));
    expect(remove).toEqual([]);
    // What is over is not marked in red.
    const goneWords = `**No longer reported at cccccccccccc.** It was:\n\n${words('x').replace('> [!CAUTION]\n', '')}`;
    expect(edit).toEqual([{ comment: 7, id: markerId('', 'x'), text: goneWords, named: [], added: '' }]);
  });

  test('that says so already, though at another commit, is left as it is', () => {
    const gone = farewellText(words('x'), 'd'.repeat(40));
    expect(plan(saying(gone, 'x', 2, { replies: 1 }))).toEqual({ ...nothing, kept: [] });
  });

  test.each([0, 1])('is left as it is where it is resolved, with %i answers', (replies) => {
    expect(plan(thread('x', 2, { resolved: true, replies }))).toEqual({ ...nothing, kept: [] });
  });

  test.each([
    ['somebody else', { ...thread('x', 2), comment: { ...thread('x', 2).comment, mine: false } }],
    ['us, with no marker', { ...thread('x', 2), comment: { id: 7, body: 'words', mine: true } }],
    ['another job', { ...thread('x', 2), comment: { id: 7, body: bodyOf('x', 'w', 'b'), mine: true } }],
  ])('is none of these where it was written by %s', (_, one) => {
    expect(plan(one)).toEqual({ ...nothing, kept: [] });
  });
});

describe('of two comments on the same finding', () => {
  const first = (more: Partial<Thread>) => saying(words('x'), 'x', 2, more, 1);
  const second = (more: Partial<Thread>) => saying(words('x'), 'x', 2, more, 2);
  test.each<[string, Partial<Thread>, Partial<Thread>, number[]]>([
    ['the older one stays', {}, {}, [2]],
    ['that on the line stays', { line: 4 }, {}, [1]],
    ['that which people have answered to stays, though it is on another line', {}, { line: 4, replies: 1 }, [1]],
    ['the older one stays, however many answers the other has', { replies: 1 }, { replies: 2 }, []],
    ['that which is settled stays, though the other has answers', { replies: 1 }, { resolved: true }, []],
    ['that which is settled stays, and the other goes', {}, { resolved: true, line: 4 }, [1]],
    ['neither goes that is settled', { resolved: true }, { resolved: true }, []],
  ])('%s', (_, one, other, gone) => {
    for (const threads of [
      [first(one), second(other)],
      [second(other), first(one)],
    ])
      expect(planned({ findings: [found('x', 2)], threads }).remove).toEqual(gone.map((comment) => ({ comment })));
  });

  test('that on the file stays where there can be none on the line', () => {
    const threads = [first({ line: 4 }), second({ wholeFile: true, line: undefined })];
    expect(planned({ findings: [found('x', 9)], threads }).remove).toEqual([{ comment: 1 }]);
  });

  test('one goes, and the other as well where the finding is gone', () => {
    const { remove } = planned({ findings: [], threads: [first({}), second({})] });
    expect(remove).toEqual([{ comment: 2 }, { comment: 1 }]);
  });
});

describe('findings that say the same of several names', () => {
  const bodyOfPost = ({ id, text, named }: Post) => withMarker(instance, { id, text, members: named.map(memberOf) });
  const ownBody = (one: Finding) => {
    const [post] = planned({ findings: [one] }).lines as [Post];
    return bodyOfPost(post);
  };
  const alike = (count: number, from = 1): Finding[] =>
    Array.from({ length: count }, (_, index) => ({
      ...found(`f${index}`, from + (index % 4)),
      message: `there is no "name${index}"`,
      help: 'take it out',
    }));
  const unsaid = ({ lines, files }: Plan) => [...lines, ...files].length;

  test.each([
    [3, 3],
    [4, 1],
    [45, 1],
  ])('%i of them get %i comments', (count, comments) => {
    expect(unsaid(planned({ findings: alike(count) }))).toBe(comments);
  });

  test('with a suggestion they get one each, up to ten', () => {
    const suggestion = { file: 'a.yaml', startLine: 1, endLine: 1, replacement: ['a: new'] };
    expect([10, 11].map((count) => unsaid(planned({ findings: alike(count), suggestion })))).toEqual([10, 1]);
  });

  test('stand on the line of the first that has one, and list the others with their names', () => {
    const [far, ...near] = alike(5);
    const away = { ...(far as Finding), at: { ...(far as Finding).at, file: 'elsewhere.yaml' } };
    const { lines } = planned({ findings: [away, ...near] });
    expect(lines.map(({ anchor }) => anchor)).toEqual([onLine(2)]);
    expect(lines[0]?.text).toContain('> **There is no `name1`**');
    expect(lines[0]?.text).toContain('The same of 4 others:\n\n- `elsewhere.yaml:1` `name0`\n- `a.yaml:3` `name2`\n');
  });

  test('stay where they are when some are fixed, and bring no other comment', () => {
    const { lines } = planned({ findings: alike(45) });
    const post = lines[0] as Post;
    const body = bodyOfPost(post);
    const old = { ...thread('x', 1), comment: { id: 7, body, mine: true } };
    const rest = alike(45).slice(10);
    const plan = planned({ findings: rest, threads: [old] });
    expect([plan.lines, plan.files, plan.remove]).toEqual([[], [], []]);
    expect(plan.edit.map(({ comment }) => comment)).toEqual([7]);
    expect(plan.kept).toHaveLength(35);
  });

  test('that people have settled are settled as they were listed, whatever is fixed; what comes later has a comment', () => {
    const [post] = planned({ findings: alike(5) }).lines as [Post];
    const old = { ...thread('x', 1), resolved: true, comment: { id: 7, body: bodyOfPost(post), mine: true } };
    expect(planned({ findings: alike(5), threads: [old] })).toEqual({ ...nothing, kept: alike(5) });
    expect(planned({ findings: alike(5).slice(1, 3), threads: [old] }).kept).toHaveLength(2);
    const later = planned({ findings: alike(7), threads: [old] });
    expect(later.kept).toEqual(alike(5));
    expect(posted(later)).toEqual(['there is no "name6"', 'there is no "name5"']);
    expect(later.lines.map(({ topic }) => topic.findings.length)).toEqual([1, 1]);
  });

  test('stay in their comment, however few are left, and give nothing of it to others', () => {
    const [post] = planned({ findings: alike(4) }).lines as [Post];
    const old = { ...thread('x', 1), comment: { id: 7, body: bodyOfPost(post), mine: true } };
    const plan = planned({ findings: alike(1), threads: [old] });
    expect([posted(plan), plan.remove, plan.edit.map(({ comment }) => comment)]).toEqual([[], [], [7]]);
    expect(plan.edit[0]?.text).not.toContain('The same');
  });

  test('that have comments of their own keep these when more come, which are put together among themselves', () => {
    const threads = alike(2).map((one, index) => ({
      ...thread(one.fingerprint, 1 + index, { replies: 1 }),
      comment: { id: index, body: ownBody(one), mine: true },
    }));
    const plan = planned({ findings: alike(7), threads });
    expect([plan.edit, plan.remove, plan.kept]).toEqual([[], [], alike(2)]);
    expect(plan.lines.map(({ named }) => named.length)).toEqual([5]);
  });

  test('are shown once the comment names them', () => {
    const [post] = planned({ findings: alike(4) }).lines as [Post];
    const old = { ...thread('x', 1), comment: { id: 7, body: bodyOfPost(post), mine: true } };
    const { kept, edit } = planned({ findings: alike(5), threads: [old] });
    expect(kept).toEqual(alike(4));
    expect(edit.map(({ named }) => named)).toEqual([alike(5)]);
  });

  test('are named anew where one goes and another comes', () => {
    const [post] = planned({ findings: alike(5).slice(0, 4) }).lines as [Post];
    const old = { ...thread('x', 1), comment: { id: 7, body: bodyOfPost(post), mine: true } };
    const { kept, edit } = planned({ findings: alike(5).slice(1), threads: [old] });
    expect([kept, edit.map(({ named }) => named.length)]).toEqual([alike(4).slice(1), [4]]);
  });

  test('of more than there is room for the rest is not said to be there', () => {
    const long = alike(100).map((one, index) => ({ ...one, message: `there is no "${'`x'.repeat(400)}${index}"` }));
    const [post] = planned({ findings: long }).lines as [Post];
    expect(post.text.length).toBeLessThan(60_000);
    expect(post.named.length).toBeGreaterThan(10);
    for (const one of long) expect(post.text.includes(`${one.message.split('"')[1]} `)).toBe(post.named.includes(one));
    expect(post.text.slice(-300)).toContain(`- and ${100 - post.named.length} more`);
    const [many] = planned({ findings: alike(300) }).lines as [Post];
    expect(many.named).toHaveLength(201);
  });

  test('are not alike where rule, severity or sentence differ', () => {
    const findings = alike(4).map((one, index) => (index === 0 ? { ...one, message: 'there is "x" too much' } : one));
    expect(unsaid(planned({ findings }))).toBe(4);
  });
});
