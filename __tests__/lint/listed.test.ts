/** Which findings are listed one by one, and that the rest is counted where it begins. */
import { expect, test } from '@jest/globals';
import type { Finding } from '../../src/core/model.js';
import { listed, maxListed } from '../../src/lint/listed.js';
import { at, finding } from '../report/runs.js';

const many = (count: number, more: Partial<Finding> = {}) =>
  Array.from({ length: count }, (_, index) => finding({ at: at('a.yaml', index + 1, 1, 2), ...more }));

test('two hundred of a rule, a severity and a file are listed', () => {
  expect(maxListed).toBe(200);
  const all = [
    ...many(200, { isNew: true }),
    ...many(200, { isNew: false }),
    ...many(200, { isNew: true, rule: 'dead-patch' }),
    ...many(200, { isNew: true, severity: 'notice' }),
    ...many(200, { isNew: true }).map((one, index) => ({ ...one, at: at('b.yaml', index + 1, 1, 2) })),
    ...many(200, { isNew: true }).map((one, index) => ({ ...one, at: at('a.yaml', index + 1, 1, 2, 'base') })),
  ];
  expect(listed(all)).toEqual(all);
});

test.each([
  [201, 1],
  [1000, 800],
])('of %i, %i are counted in one finding, where the first of them is', (count, rest) => {
  const all = many(count, { isNew: true, severity: 'warning', entrypoints: ['apps'] });
  const shown = listed(all);
  expect(shown.slice(0, 200)).toEqual(all.slice(0, 200));
  expect(shown.slice(200)).toEqual([
    {
      ...{ rule: all[0]?.rule, severity: 'warning', isNew: true, entrypoints: ['apps'], at: all[200]?.at },
      ...{ message: `This file has ${rest} more of these, from here on, which are not listed` },
      ...{ help: 'correct those that are listed first', precision: 'file', field: [], related: [], assumes: [] },
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
  const [other] = listed(all.map((one) => ({ ...one, rule: 'dead-patch' }))).slice(200);
  expect(other?.fingerprint).not.toBe(shown[200]?.fingerprint);
  // The rest is the same one however much it is.
  expect(listed(many(300, { severity: 'warning' }))[200]?.fingerprint).toBe(shown[200]?.fingerprint);
});

test('the rest is known by its rule, its severity, its revision and its file, the same in every release', () => {
  const restOf = (more: Partial<Finding>) => listed(many(201, more))[200]?.fingerprint;
  const prints = [
    restOf({}),
    restOf({ rule: 'dead-patch' }),
    restOf({ severity: 'notice' }),
    restOf({ at: at('a.yaml', 1, 1, 2, 'base') }),
    restOf({ at: at('b.yaml', 1, 1, 2) }),
  ];
  expect(new Set(prints).size).toBe(prints.length);
  expect(prints[0]).toBe('d0ff2ada6aa7c7312abb389b82e04d04');
});
