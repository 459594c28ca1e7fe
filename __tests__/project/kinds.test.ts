/** Another group may have a Package as well: which are those of cozystack.io is asked in one place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';

test('only cozystack/package.ts compares with the names of the kinds', () => {
  const src = join(root, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const compares = /[=!]== '(?:Package|PackageSource)'/;
  expect(files.filter((file) => compares.test(readFileSync(join(src, file), 'utf8')))).toEqual([
    'cozystack/package.ts',
  ]);
});
