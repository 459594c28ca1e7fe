/** A checkout of a pull request, as actions/checkout makes it: the merge with its base, and its own commit beside it. */
import { execFileSync } from 'node:child_process';
import type { FakeGitHub } from './fake.js';

export async function checkOut(fake: FakeGitHub, number: number, workspace: string): Promise<void> {
  await fake.mergeCommit(number);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe' });
  git('init', '--quiet');
  git('fetch', '--quiet', `file://${fake.gitDirectory}`, `refs/pull/${number}/merge`, `refs/pull/${number}/head`);
  git('checkout', '--quiet', 'FETCH_HEAD');
}
