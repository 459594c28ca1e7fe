/** Where a finding of the base can be shown to those who know the head alone. */
import { expect, test } from '@jest/globals';
import type { Finding } from '../../src/core/model.js';
import { headPlace } from '../../src/report/head-place.js';
import { at, finding, sources } from './runs.js';

function placeOf(change: Partial<Finding>, files: Record<string, string>): string {
  const run = { sources: { ...sources(files), has: (_: unknown, file: string) => file in files } };
  const { revision, file, range } = headPlace(run, finding({ at: at('apps/db.yaml', 7, 3, 4, 'base'), ...change }));
  return `${revision} ${file}:${range.start.line}:${range.start.column}-${range.end.column}`;
}

const seven = 'a: b\n'.repeat(7);

test.each<[string, Partial<Finding>, Record<string, string>, string]>([
  ['a place of the head is itself', { at: at('x.yaml', 7, 3, 4) }, {}, 'head x.yaml:7:3-4'],
  ['the same line where the file has it', {}, { 'apps/db.yaml': seven }, 'head apps/db.yaml:7:1-5'],
  ['the last line where it has fewer', {}, { 'apps/db.yaml': 'a: b\nc: d\n' }, 'head apps/db.yaml:2:1-5'],
  ['the last line where that has no end', {}, { 'apps/db.yaml': 'a: b\nc: de' }, 'head apps/db.yaml:2:1-6'],
  [
    'the kustomization beside it',
    {},
    { 'apps/kustomization.yaml': 'a', 'kustomization.yaml': '' },
    'head apps/kustomization.yaml:1:1-2',
  ],
  ['the kustomization above it', {}, { Kustomization: 'a' }, 'head Kustomization:1:1-2'],
  ['nothing but the base', {}, { 'other.yaml': 'a' }, 'base apps/db.yaml:7:3-4'],
  [
    'a related place that is there',
    {
      related: [
        { message: 'a', at: at('apps/db.yaml', 1, 1, 2, 'base') },
        { message: 'b', at: at('gone.yaml', 1, 1, 2) },
        { message: 'c', at: at('b.yaml', 3, 2, 4) },
      ],
    },
    { 'apps/db.yaml': seven, 'b.yaml': seven },
    'head b.yaml:3:2-4',
  ],
])('%s', (_, change, files, expected) => {
  expect(placeOf(change, files)).toBe(expected);
});
