/** The bugs that somebody thought of (`npm run test:mutants:known`) can still be put into the source, and each names its suites. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';

type Known = { id: string; file: string; from: string; to: string; suites: string[] };

const read = (name: string) => JSON.parse(readFileSync(join(root, '__tests__/mutants', name), 'utf8'));
const known: Known[] = read('known.json');

test.each(known.map((one) => [one.id, one] as const))('%s is about a text that is in its file once', (_, one) => {
  expect(readFileSync(join(root, one.file), 'utf8').split(one.from)).toHaveLength(2);
  expect(one.to).not.toBe(one.from);
  expect(one.suites.filter((suite) => !existsSync(join(root, '__tests__', `${suite}.test.ts`)))).toEqual([]);
});

test('what changes nothing is about a line that is there, and says why', () => {
  const equivalents: { file: string; line: string; was: string; is: string; reason: string }[] =
    read('equivalent.json');
  const lost = equivalents.filter(({ file, line }) => {
    const path = join(root, file);
    return (
      !existsSync(path) ||
      !readFileSync(path, 'utf8')
        .split('\n')
        .some((one) => one.trim() === line)
    );
  });
  expect(lost.map(({ file, line }) => `${file}: ${line}`)).toEqual([]);
  expect(equivalents.filter(({ reason, was, is }) => reason.length < 20 || was === is)).toEqual([]);
});
