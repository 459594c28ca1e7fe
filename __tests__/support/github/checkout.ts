/** Checkouts of a pull request, as actions/checkout makes them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { FakeGitHub } from './fake.js';

/** The merge with its base, and its own commit beside it. */
export async function checkOut(fake: FakeGitHub, number: number, workspace: string): Promise<void> {
  await fake.mergeCommit(number);
  git(workspace, 'init', '--quiet');
  git(workspace, 'fetch', '--quiet', urlOf(fake), `refs/pull/${number}/merge`, `refs/pull/${number}/head`);
  git(workspace, 'checkout', '--quiet', 'FETCH_HEAD');
}

/** Nothing but one commit, without its history, over what an earlier run left. */
export function checkOutOne(fake: FakeGitHub, commit: string, workspace: string): void {
  git(workspace, 'init', '--quiet');
  git(workspace, 'fetch', '--quiet', '--depth=1', urlOf(fake), `+${commit}:refs/remotes/pull/merge`);
  git(workspace, 'checkout', '--quiet', '--force', 'refs/remotes/pull/merge');
}

/** What is there of one commit, with all of its history, and that of the pull request. */
export function checkOutAll(fake: FakeGitHub, number: number, workspace: string): void {
  git(
    workspace,
    'fetch',
    '--quiet',
    '--unshallow',
    urlOf(fake),
    `refs/pull/${number}/merge`,
    `refs/pull/${number}/head`,
  );
}

function urlOf(fake: FakeGitHub): string {
  return `file://${fake.gitDirectory}`;
}

function git(folder: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_GLOBAL: join(folder, '.none') };
  execFileSync('git', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
}
