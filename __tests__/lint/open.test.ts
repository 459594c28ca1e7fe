/** What a change is compared with. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openTrees } from '../../src/lint/open.js';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

let folder: string;
beforeEach(() => {
  folder = createRepo({ 'a.yaml': 'a: 1\n' });
  git('init', '-b', 'main');
  commit('a: 1\n');
});
afterEach(() => removeRepo(folder));

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

function commit(text: string): void {
  writeFileSync(join(folder, 'a.yaml'), text);
  git('add', '.');
  git('commit', '-m', 'x');
}

const baseOf = async (base: string) =>
  (await openTrees({ directory: folder, home: root, paths: [], remotes: [], base })).base?.text('a.yaml');

describe('a revision', () => {
  test('stands for the last commit that it shares with what is checked out', async () => {
    git('checkout', '-b', 'change');
    commit('a: 2\n');
    git('checkout', 'main');
    commit('a: 3\n');
    git('checkout', 'change');
    expect(await baseOf('main')).toBe('a: 1\n');
  });

  test('stands for itself where it shares none', async () => {
    git('checkout', '--orphan', 'other');
    commit('a: 2\n');
    expect(await baseOf('main')).toBe('a: 1\n');
    expect(await baseOf('other')).toBe('a: 2\n');
  });
});
