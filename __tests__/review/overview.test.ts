/** The text of a review itself. */
import { expect, test } from '@jest/globals';
import type { Diff, Finding, ObjectDiff, Severity } from '../../src/core/model.js';
import { overview } from '../../src/review/overview.js';
import { runWith } from './run.js';

function found(severity: Severity, isNew?: boolean): Finding {
  return {
    ...{ rule: 'r', severity, message: 'm', precision: 'exact', field: [], related: [], entrypoints: [] },
    at: { revision: 'head', file: 'a.yaml', range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } },
    ...{ fingerprint: 'f', assumes: [], ...(isNew !== undefined && { isNew }) },
  };
}

test.each<[string, Finding[], string]>([
  ['compared with nothing', [found('error'), found('warning'), found('warning')], '**1 error, 2 warnings.**'],
  ['all new', [found('error', true), found('notice', true)], '**1 error, 1 notice, all new.**'],
  ['some of them new', [found('warning', true), found('error', false)], '**1 warning (1 more, not new).**'],
])('counts what is found, %s', (_, findings, words) => {
  expect(overview(runWith(findings), new Set(findings), undefined)).toBe(words);
});

test('says how many have a comment, where not all have, with a link to the rest', () => {
  const findings = [found('error', true), found('warning', true), found('warning', true)];
  const text = (page?: string) => overview(runWith(findings), new Set(findings.slice(0, 2)), page);
  expect(text()).toBe(
    '**1 error, 2 warnings, all new.** 2 of 3 findings have a comment here, the worst first; all are in the summary.',
  );
  expect(text('https://example.org/run')).toContain('all are in [the summary](https://example.org/run).');
});

test('says what the merge changes, without what is refused', () => {
  const object = (action: ObjectDiff['action']): ObjectDiff => ({
    ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c' },
    ...{ action, fields: [], dependents: [] },
  });
  const diffs = (...objects: ObjectDiff[]): Diff[] => [{ reconciles: [], objects, notSimulated: [] }];
  const text = (all: Diff[]) => overview({ ...runWith([found('error', true)]), diffs: all }, new Set(), 'https://p');
  expect(text(diffs(object('changed'), object('refused')))).toContain('The merge changes 1 object ([how](https://p)).');
  expect(text(diffs(object('refused')))).toContain('The merge changes nothing in the cluster ([why](https://p)).');
});
