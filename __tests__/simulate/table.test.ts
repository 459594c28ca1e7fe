import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { table } from './table.js';

const tests = join(root, '__tests__');

/** The text of a title, in whichever quotes, as an argument or in a table. */
function isThere(file: string, title: string): boolean {
  const text = readFileSync(join(tests, file), 'utf8');
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
}

test.each(Object.entries(table))('%s: every outcome has its test', (_, outcomes) => {
  const missing = outcomes.filter((one) => {
    if ('none' in one) return one.none === '';
    return 'file' in one ? !isThere(one.file, one.test) : !existsSync(join(tests, 'rules', `${one.fixture}.txt`));
  });
  expect(missing).toEqual([]);
});

test('one has none', () => {
  const all = Object.values(table).flat();
  expect(all.length).toBeGreaterThan(90);
  expect(all.filter((one) => 'none' in one).length).toBeLessThan(2);
});
