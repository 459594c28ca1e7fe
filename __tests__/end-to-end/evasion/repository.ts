/** A git repository as a workflow has it on a fork's pull request: the merge commit is checked out, both parents are there. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tree } from './generate.js';

export type PullRequest = { folder: string; base: string; head: string; merge: string };

export function commitPullRequest(base: Tree, head: Tree): PullRequest {
  const folder = mkdtempSync(join(tmpdir(), 'customizer-lint-'));
  git(folder, ['init', '-q', '-b', 'main']);
  git(folder, ['remote', 'add', 'origin', 'https://github.com/o/r.git']);
  const parts = [
    commit(1, 'refs/heads/main', base),
    commit(2, 'refs/heads/pull', head, [1]),
    commit(3, 'refs/heads/merge', head, [1, 2]),
  ];
  git(folder, ['fast-import', '--quiet'], Buffer.concat(parts.flat()));
  git(folder, ['-c', 'core.longpaths=true', 'checkout', '-q', '--detach', 'merge']);
  const [one = '', two = '', three = ''] = git(folder, ['rev-parse', 'main', 'pull', 'merge']).split('\n');
  return { folder, base: one, head: two, merge: three };
}

function git(cwd: string, args: string[], input?: Uint8Array): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout.trim();
}

/** The commands of git-fast-import(1) for a commit that has these files and no others. */
function commit(mark: number, ref: string, files: Tree, parents: number[] = []): Buffer[] {
  const [first, ...others] = parents;
  const header = [
    `commit ${ref}`,
    `mark :${mark}`,
    `committer A <a@example.org> ${1_700_000_000 + mark} +0000`,
    'data 1\nx',
    ...(first === undefined ? [] : [`from :${first}`]),
    ...others.map((parent) => `merge :${parent}`),
    'deleteall',
  ];
  const blobs = Object.entries(files).map(([path, content]) => {
    const bytes = Buffer.from(content as string);
    return Buffer.concat([
      Buffer.from(`M 100644 inline ${quoted(path)}\ndata ${bytes.length}\n`),
      bytes,
      Buffer.from('\n'),
    ]);
  });
  return [Buffer.from(`${header.join('\n')}\n`), ...blobs, Buffer.from('\n')];
}

/** A name as bytes; a surrogate U+DC80..DCFF that stands alone is the byte that it stands for. */
function quoted(path: string): string {
  const bytes = [...path].flatMap((char) => {
    const code = char.codePointAt(0) ?? 0;
    return code >= 0xdc80 && code <= 0xdcff ? [code - 0xdc00] : [...Buffer.from(char)];
  });
  return `"${bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
}
