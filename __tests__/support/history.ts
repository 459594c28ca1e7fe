/** A git repository with the commit before a change and the one after it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRepo, type Files } from './trees.js';

export type History = { folder: string; base: string; head: string };

/** git in a folder, with a name to commit by; what it prints, trimmed. */
export const gitIn =
  (folder: string) =>
  (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();

/** `change` is what differs: a file with its new content, or null for one that goes. */
export function commitTwice(files: Files, change: { [path: string]: Files[string] | null }): History {
  const folder = createRepo(files);
  // One process each: a process of tests is large, and starting another from it takes long.
  const commit = (first = '') => {
    const git = 'git -c user.name=A -c user.email=a@example.org';
    const words = `${first}${git} add -A -f && ${git} commit -q --allow-empty -m x && ${git} rev-parse HEAD`;
    return execFileSync('sh', ['-c', words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  };
  const base = commit('git init -q -b main && ');
  for (const [path, content] of Object.entries(change)) {
    const file = join(folder, path);
    rmSync(file, { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content);
    else if ('link' in content) symlinkSync(content.link, file);
    else mkdirSync(file);
  }
  return { folder, base, head: commit() };
}

/** Both commits again, with a submodule at a path, at the commits that are named; `undefined` has none. The head is checked out. */
export function withSubmodule(
  { folder, base, head }: History,
  path: string,
  [before, after]: readonly (string | undefined)[],
): History {
  const git = gitIn(folder);
  const again = (commit: string, at: string | undefined, ...parents: string[]) => {
    git('read-tree', commit);
    if (at) git('update-index', '--add', '--cacheinfo', `160000,${at},${path}`);
    return git('commit-tree', git('write-tree'), '-m', 'x', ...parents.flatMap((parent) => ['-p', parent]));
  };
  const newBase = again(base, before);
  const newHead = again(head, after, newBase);
  git('reset', '-q', '--hard', newHead);
  return { folder, base: newBase, head: newHead };
}
