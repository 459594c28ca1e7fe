/** The verdict of a run as a number. */
import { expect, test } from '@jest/globals';
import type { Run, Severity } from '../../src/core/model.js';
import { exitStatus } from '../../src/lint/exit-status.js';

type Found = { severity: Severity; isNew?: boolean };
const run = (...findings: Found[]) => ({ findings }) as unknown as Run;
const error: Found = { severity: 'error' };
const warning: Found = { severity: 'warning' };
const notice: Found = { severity: 'notice' };

test.each<[string, Found[], Severity | 'never', 0 | 1]>([
  ['nothing', [], 'notice', 0],
  ['an error', [error], 'error', 1],
  ['an error that does not count', [error], 'never', 0],
  ['a warning where errors count', [warning], 'error', 0],
  ['a warning where warnings count', [warning], 'warning', 1],
  ['an error where warnings count', [error], 'warning', 1],
  ['a notice where warnings count', [notice], 'warning', 0],
  ['a notice where notices count', [notice], 'notice', 1],
  ['one of many', [notice, error, notice], 'error', 1],
])('%s', (_, findings, failOn, expected) => {
  expect(exitStatus(run(...findings), failOn, false)).toBe(expected);
});

test.each<[string, Found[], boolean, 0 | 1]>([
  ['an old one where only new ones count', [{ ...error, isNew: false }], true, 0],
  ['an old one where all count', [{ ...error, isNew: false }], false, 1],
  ['a new one', [{ ...error, isNew: true }], true, 1],
  ['one of which that is not known', [error], true, 1],
  [
    'a new one that is not bad, beside an old one that is',
    [
      { ...notice, isNew: true },
      { ...error, isNew: false },
    ],
    true,
    0,
  ],
])('%s', (_, findings, onlyNew, expected) => {
  expect(exitStatus(run(...findings), 'error', onlyNew)).toBe(expected);
});
