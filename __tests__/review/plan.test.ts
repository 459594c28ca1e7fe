/** The plan of a review by itself, on pull requests that are written here: where comments are put, and which of them. */
import { expect, test } from '@jest/globals';
import type { Finding, Revision, Run } from '../../src/core/model.js';
import type { Suggestion } from '../../src/fix/suggestion.js';
import type { Thread } from '../../src/github/types.js';
import { commentText, farewellText } from '../../src/review/comment.js';
import { readDiff } from '../../src/review/diff.js';
import { markerId, withMarker } from '../../src/review/marker.js';
import { type Plan, planReview, type ReviewLimits } from '../../src/review/plan.js';

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
  threads?: Thread[];
  limits?: ReviewLimits;
  suggestion?: Suggestion;
};
function planned({ findings, threads = [], limits = { comments: 20, files: 10 }, suggestion }: Situation): Plan {
  const run: Run = {
    ...{ findings, ignored: [], policy: [], entrypoints: [], facts: [], worlds: [], stages: [], notChecked: [] },
    sources: { text: (_, file) => texts[file], has: (_, file) => file in texts, secrets: () => ({}) },
    tool: { name: 'customizer-lint', version: '0.1.0' },
  };
  const options = { url: () => undefined, suggestion: () => suggestion };
  return planReview({
    ...{ instance, findings, diff, threads, limits },
    suggested: options.suggestion,
    words: (finding, anchor) => commentText(run, finding, anchor, options),
    farewell: (body) => farewellText(body, 'c'.repeat(40)),
  });
}

/** A comment of ours on a line of a.yaml. */
function thread(name: string, line: number, more: Partial<Thread> = {}): Thread {
  return {
    ...{ resolved: false, path: 'a.yaml', line, side: 'RIGHT', wholeFile: false, replies: 0 },
    comment: { id: 7, body: withMarker(instance, markerId(instance, name), 'words'), mine: true },
    ...more,
  };
}

const places = ({ lines, files }: Plan) => [...lines, ...files].map(({ finding, anchor }) => [finding.message, anchor]);
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
  expect(plan.lines.map(({ finding }) => finding.message)).toEqual(posted);
  expect(plan.kept.map(({ message }) => message)).toEqual(['this is x']);
});

test('advice is said beside an error of its rule that has a comment already, and once', () => {
  const advice = (name: string, line: number): Finding => ({ ...found(name, line), severity: 'notice' });
  const findings = [found('x', 2), advice('y', 3), advice('z', 4)];
  const posted = (threads: Thread[]) => planned({ findings, threads }).lines.map(({ finding }) => finding.message);
  expect(posted([thread('x', 2)])).toEqual(['this is y']);
  expect(posted([thread('z', 4)])).toEqual(['this is x']);
});
