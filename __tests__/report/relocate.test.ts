/** A run of a directory of a repository, told with the paths of the whole repository. */
import { expect, test } from '@jest/globals';
import type { ObjectDiff, Run } from '../../src/core/model.js';
import { relocated } from '../../src/report/relocate.js';
import { at, cleanRun, finding, sources } from './runs.js';

const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'b' };
const own = at('a.yaml', 1, 1, 2);
const changed: ObjectDiff = {
  ref,
  action: 'changed',
  at: own,
  fields: [
    { path: ['data', 'x'], before: '1', after: '2', ownersBefore: [], ownersAfter: [], at: own },
    { path: ['data', 'y'], before: '1', ownersBefore: [], ownersAfter: [] },
  ],
  dependents: [],
};
const one = finding({
  at: own,
  related: [{ message: 'there', at: own }],
  fix: () => ({ title: 'mend', safe: true, edits: [{ at: own, text: 'x' }] }),
});
const run = cleanRun({
  findings: [one],
  ignored: [{ finding: one, reason: 'known' }],
  diffs: [{ reconciles: [], objects: [changed] }] as unknown as Required<Run>['diffs'],
  sources: { ...sources({ 'a.yaml': 'a: 1\n' }), secrets: () => ({ whole: true }) },
});

/** The names of all files that something in it stands in. */
function filesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { file } = value as { file?: unknown };
  return [...(typeof file === 'string' ? [file] : []), ...Object.values(value).flatMap(filesIn)];
}

test('every place is below the directory', () => {
  const { findings, ignored, diffs } = relocated(run, 'clusters/one/');
  const fixes = [...findings, ...ignored.map((each) => each.finding)].map(({ fix }) => fix?.());
  expect(filesIn([findings, ignored, diffs, fixes])).toEqual(new Array(8).fill('clusters/one/a.yaml'));
});

test('a place keeps its side and its range', () => {
  const base = { ...one, at: at('a.yaml', 3, 4, 5, 'base') };
  const [found] = relocated({ ...run, findings: [base] }, 'x/').findings;
  expect(found?.at).toEqual(at('x/a.yaml', 3, 4, 5, 'base'));
});

test('what has no place, fix or simulation has none afterwards', () => {
  const { fix: _, ...plain } = one;
  const { at: __, ...gone } = changed;
  const bare = { ...run, findings: [plain], diffs: [{ reconciles: [], objects: [gone], notSimulated: [] }] };
  const moved = relocated(bare, 'x/');
  expect(moved.findings[0]).not.toHaveProperty('fix');
  expect(moved.diffs?.[0]?.objects[0]).not.toHaveProperty('at');
  expect(relocated(cleanRun(), 'x/')).not.toHaveProperty('diffs');
  expect(
    relocated({ ...run, findings: [{ ...one, fix: () => undefined }] }, 'x/').findings[0]?.fix?.(),
  ).toBeUndefined();
});

test('what is known of a file goes with it', () => {
  const { sources: there } = relocated(run, 'clusters/one/');
  expect(there.text('head', 'clusters/one/a.yaml')).toBe('a: 1\n');
  expect(there.has('head', 'clusters/one/a.yaml')).toBe(true);
  expect(there.secrets('head', 'clusters/one/a.yaml')).toEqual({ whole: true });
  expect(there.text('head', 'a.yaml')).toBeUndefined();
  expect(there.has('head', 'a.yaml')).toBe(false);
  expect(there.secrets('head', 'a.yaml')).toEqual({});
});

test('a run of the whole repository stays as it is', () => {
  expect(relocated(run, '')).toBe(run);
});
