/** Findings of a merge on the lines of the head. */
import { describe, expect, test } from '@jest/globals';
import type { Diff, Tree } from '../../src/core/model.js';
import { framesOf } from '../../src/report/frame.js';
import { github } from '../../src/report/github.js';
import { placed } from '../../src/report/placed.js';
import { text } from '../../src/report/text.js';
import { at, cleanRun, finding, sources } from './runs.js';

const merge = 'theirs: 1\na: 1\nb: 2\nboth: 3\nc: 4\n';
const head = 'a: 1\nb: 2\nboth: 0\nc: 4\n';

function treeOf(files: Record<string, string>): Tree {
  return {
    text: (file: string) => files[file],
    has: (file: string) => file in files,
    isDirectory: () => false,
    links: [],
  } as unknown as Tree;
}
const shown = treeOf({ 'a.yaml': head, 'same.yaml': 'x: 1\n' });
const runOf = (findings: ReturnType<typeof finding>[], more = {}) =>
  cleanRun({ findings, sources: sources({ 'a.yaml': merge, 'same.yaml': 'x: 1\n', 'new.yaml': 'y: 1\n' }), ...more });
const placeOf = (location: ReturnType<typeof at>, tree: Tree | undefined = shown) =>
  placed(runOf([finding({ at: location })]), 'head', tree).findings[0]?.at;

describe('a location of a merge', () => {
  test.each([
    ['moves with its line', at('a.yaml', 2, 1, 2), at('a.yaml', 1, 1, 2)],
    ['stays in an identical file', at('same.yaml', 1, 1, 2), at('same.yaml', 1, 1, 2)],
    ['stays if it is one of the base', at('a.yaml', 2, 1, 2, 'base'), at('a.yaml', 2, 1, 2, 'base')],
    ['is of the merge alone if the head has another line', at('a.yaml', 4, 1, 2), { revision: 'merge' }],
    ['is of the merge alone if the base branch has added the line', at('a.yaml', 1, 1, 2), { revision: 'merge' }],
    ['is of the merge alone if the head does not have the file', at('new.yaml', 1, 1, 2), { revision: 'merge' }],
  ])('%s', (_, location, expected) => {
    expect(placeOf(location)).toMatchObject(expected);
  });

  test('moves as a range if all of its lines move together', () => {
    const range = (start: number, end: number, column: number) => ({
      ...at('a.yaml', start, 1, 2),
      range: { start: { line: start, column: 1 }, end: { line: end, column } },
    });
    expect(placeOf(range(2, 3, 4))).toEqual(range(1, 2, 4));
    // The end excludes the line that it is at the start of.
    expect(placeOf(range(2, 4, 1))).toEqual(range(1, 3, 1));
    expect(placeOf(range(3, 5, 2))).toMatchObject({ revision: 'merge' });
  });

  test('is of the merge alone if the files of the head are not known', () => {
    const run = placed(runOf([finding({ at: at('same.yaml', 1, 1, 2) })]), 'head', undefined);
    expect([run.findings[0]?.at.revision, run.sources.has('head', 'same.yaml')]).toEqual(['merge', false]);
  });

  test('is of the merge alone if the files differ too much', () => {
    const lines = (from: number) => Array.from({ length: 1200 }, (_, index) => `k${from + index}: 1\n`).join('');
    const run = cleanRun({
      findings: [finding({ at: at('a.yaml', 1201, 1, 2) })],
      sources: sources({ 'a.yaml': `${lines(0)}same: 1\n` }),
    });
    const other = treeOf({ 'a.yaml': `${lines(5000)}same: 1\n` });
    expect(placed(run, 'head', other).findings[0]?.at.revision).toBe('merge');
  });

  test('keeps a finding of a whole file on the file of the head', () => {
    const whole = finding({ at: at('a.yaml', 1, 1, 1), precision: 'file' });
    expect(placed(runOf([whole]), 'head', shown).findings[0]?.at.revision).toBe('head');
  });
});

describe('the report of a merge', () => {
  const own = finding({ at: at('a.yaml', 3, 1, 2), related: [{ message: 'there', at: at('a.yaml', 1, 1, 2) }] });
  const run = placed(runOf([own]), 'head', shown);

  test('shows the code of the lines that it names', () => {
    const frames = framesOf(run, 80);
    const [found] = run.findings;
    expect(found && frames(found.at)).toMatchObject({ line: 2, code: 'b: 2' });
    expect(found?.related[0] && frames(found.related[0].at)).toMatchObject({ line: 1, code: 'theirs: 1' });
    const report = text(run, { color: false, quiet: true, verbose: false });
    expect(report).toContain('--> a.yaml:2:1');
    expect(report).toContain('--> a.yaml:1:1 (as merged with the base branch)');
  });

  test('has no annotation on a line that the head does not have', () => {
    const options = { color: false, quiet: false, verbose: false };
    const lines = github(placed(runOf([finding({ at: at('a.yaml', 4, 1, 2) })]), 'head', shown), options);
    expect(lines).not.toContain('file=');
    expect(lines).toContain('a.yaml:4; as merged with the base branch');
  });

  test('places fixes, and leaves out those of lines that the head does not have', () => {
    const fixOf = (line: number) =>
      finding({
        at: at('a.yaml', 2, 1, 2),
        fix: () => ({ title: 'x', safe: true, edits: [{ at: at('a.yaml', line, 1, 2), text: 'y' }] }),
      });
    const fixes = placed(runOf([fixOf(2), fixOf(4)]), 'head', shown).findings.map(({ fix }) => fix?.());
    expect([fixes[0]?.edits[0]?.at, fixes[1]]).toEqual([at('a.yaml', 1, 1, 2), undefined]);
  });

  test('places what the merge changes in a cluster, and what is ignored', () => {
    const object = { at: at('a.yaml', 2, 1, 2), fields: [{ at: at('a.yaml', 3, 1, 2) }, {}] };
    const moved = placed(
      runOf([], {
        ignored: [{ finding: own, reason: 'known' }],
        diffs: [{ objects: [object] }] as unknown as Diff[],
      }),
      'head',
      shown,
    );
    expect(moved.diffs?.[0]?.objects[0]).toMatchObject({
      at: { range: { start: { line: 1 } } },
      fields: [{ at: { range: { start: { line: 2 } } } }, {}],
    });
    expect(moved.ignored[0]?.finding.at.range.start.line).toBe(2);
  });

  test('hides the values of every document if the file of the head differs', () => {
    const known = {
      ...sources({ 'a.yaml': merge, 'same.yaml': 'x: 1\n' }),
      secrets: () => ({ documents: new Set([3]) }),
    };
    const hidden = placed(
      cleanRun({ sources: known }),
      'head',
      treeOf({ 'a.yaml': 'a: 1\n---\nb: 2\n', 'same.yaml': 'x: 1\n' }),
    );
    expect(hidden.sources.secrets('head', 'a.yaml').documents).toEqual(new Set([0, 1]));
    expect(hidden.sources.secrets('head', 'same.yaml').documents).toEqual(new Set([3]));
    expect(hidden.sources.secrets('merge', 'a.yaml').documents).toEqual(new Set([3]));
  });
});

test('a location of the base moves to the last shared commit', () => {
  const run = cleanRun({
    findings: [finding({ at: at('a.yaml', 2, 1, 2, 'base') }), finding({ at: at('a.yaml', 2, 1, 2) })],
    sources: sources({ 'base:a.yaml': merge, 'a.yaml': merge }),
  });
  const places = placed(run, 'base', treeOf({ 'a.yaml': head })).findings.map((one) => one.at.range.start.line);
  expect(places).toEqual([1, 2]);
});
