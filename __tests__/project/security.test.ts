/** The promises of SECURITY.md name the tests that hold them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';

test('every promise names tests that are there', () => {
  const text = readFileSync(join(root, '.github/SECURITY.md'), 'utf8');
  const [, promises = ''] = text.split('## Promises, each with its test');
  const rows = promises.split('\n').filter((line) => /^\| [A-Z]/.test(line) && !line.startsWith('| Promise'));
  expect(rows.length).toBeGreaterThanOrEqual(12);
  for (const row of rows) {
    const named = [...row.matchAll(/`(__tests__\/[^`]+)`/g)].map(([, file = '']) => file);
    expect({ row, named: named.length }).not.toEqual({ row, named: 0 });
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  }
});
