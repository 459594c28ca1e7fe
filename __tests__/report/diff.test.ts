/** What a merge does, as it is printed: its colours, and how much of it a page holds. */
import { expect, test } from '@jest/globals';
import type { Diff, ObjectDiff } from '../../src/core/model.js';
import { diffMarkdown, diffText } from '../../src/report/diff.js';
import { factWords } from '../../src/report/summary.js';

const object = (action: ObjectDiff['action'], fields: ObjectDiff['fields'] = []): ObjectDiff => ({
  ...{ action, fields, dependents: [], ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: action } },
});
const diff = (...objects: ObjectDiff[]): Diff => ({ objects, reconciles: [], notSimulated: [] }) as unknown as Diff;
const field = (name: string, more: object) => ({ path: ['data', name], ownersBefore: [], ownersAfter: [], ...more });

test('what appears is green, what goes is red, what changes is yellow, and what stays is blue', () => {
  const changed = object('changed', [
    field('new', { after: 'x' }),
    field('gone', { before: 'x' }),
    field('other', { before: 'x', after: 'y' }),
  ]);
  const all = diff(object('created'), changed, object('deleted'), object('left'), object('refused'));
  // The code, the sign, the end.
  const parts = diffText([all], { color: true }).split('\u001b[');
  const signs = parts.flatMap((part) => /^(3\d)m(.)$/.exec(part)?.slice(1).join(' ') ?? []);
  expect(signs).toEqual(['32 +', '33 ~', '32 +', '31 -', '33 ~', '31 -', '36 ·', '31 !']);
  expect(diffText([all], { color: false })).not.toContain('\u001b');
});

test('a page holds as many lines as fit, and says how many do not', () => {
  const all = diff(...Array.from({ length: 100 }, () => object('created')));
  const lines = diffMarkdown([all], 1000);
  expect(Buffer.byteLength(lines.join('\n'))).toBeLessThan(1200);
  expect(lines.at(-1)).toMatch(/^\*\*\d+ more lines:\*\* run/);
  expect(diffMarkdown([all], 1_000_000).join('\n')).not.toContain('more line');
});

test('a value of a fact is cut that nobody would read to its end', () => {
  const wordsOf = (value: string) => factWords({ name: 'variant', value, source: 'config' }).split(' ').at(-1);
  expect(wordsOf('x'.repeat(100))).toBe('x'.repeat(100));
  expect(wordsOf('x'.repeat(101))).toBe(`${'x'.repeat(99)}…`);
});
