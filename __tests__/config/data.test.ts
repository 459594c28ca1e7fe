/** The contract data that a repository brings along: as files in a folder, for as long as they are read. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Config } from '../../src/config/config.js';
import { type OwnData, ownDataOf } from '../../src/config/data.js';
import { treeOf } from '../support/tree-of.js';

const files = { 'data/cozystack/v1/catalog.json': '{}', 'data/a.yaml': 'a', 'database/b.yaml': 'b', 'c.yaml': 'c' };
const made: OwnData[] = [];
function open(data: string | undefined) {
  const own = ownDataOf({ cozystack: data === undefined ? {} : { data } } as Config, treeOf(files));
  if (own) made.push(own);
  return own;
}
afterEach(() => {
  for (const { directory } of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

test.each(['data', './data', 'data/'])('of %j are the files that stand there', (data) => {
  const { directory } = open(data) as OwnData;
  expect(readdirSync(directory).sort()).toEqual(['a.yaml', 'cozystack']);
  expect(readFileSync(join(directory, 'cozystack/v1/catalog.json'), 'utf8')).toBe('{}');
});

test('of a configuration that names none there are none', () => {
  expect(open(undefined)).toBeUndefined();
});

test('are gone when nobody needs them any more, also where somebody has removed them before', () => {
  const own = open('data') as OwnData;
  own.close();
  expect(existsSync(own.directory)).toBe(false);
  expect(own.close).not.toThrow();
});
