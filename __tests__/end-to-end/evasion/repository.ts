/** A git repository as a workflow has it on a fork's pull request: the merge commit is checked out, both parents are there. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Evasion, History, Tree } from './generate.js';

export type PullRequest = {
  folder: string;
  base: string;
  head: string;
  merge: string;
  /** What the reference renders: the same two, or what they would be in plain text. */
  rendered: { base: string; head: string };
  /** The merge that the runner has, and the base that the event names. */
  event: { merge?: string; base: string; isRetargeted: boolean };
};

export function commitPullRequest({
  base,
  head,
  history,
  truth,
}: Pick<Evasion, 'base' | 'head' | 'history' | 'truth'>): PullRequest {
  const folder = mkdtempSync(join(tmpdir(), 'customizer-lint-'));
  git(folder, ['init', '-q', '-b', 'main']);
  git(folder, ['remote', 'add', 'origin', 'https://github.com/o/r.git']);
  const { commits, ...named } = history ?? simple(base, head);
  const names = Object.keys(commits);
  const markOf = (name: string) => names.indexOf(name) + 1;
  const parts = Object.entries(commits).map(([name, { parents, files }]) =>
    commit(markOf(name), `refs/heads/${name}`, files, parents.map(markOf)),
  );
  const truths = Object.entries(truth ?? {}).map(([name, files], n) =>
    commit(names.length + n + 1, `refs/truth/${name}`, files),
  );
  git(folder, ['fast-import', '--quiet'], Buffer.concat([...parts, ...truths].flat()));
  const pull = pullOf(folder, named, truth !== undefined);
  const shown = pull.event.merge ?? (history ? pull.head : pull.merge);
  git(folder, ['-c', 'core.longpaths=true', 'checkout', '-q', '--detach', shown]);
  return pull;
}

/** One commit on the base. */
function simple(base: Tree, head: Tree): History {
  const commits = { main: { parents: [], files: base }, pull: { parents: ['main'], files: head } };
  return { commits, base: 'main', head: 'pull', hasMerge: false };
}

function pullOf(folder: string, names: Omit<History, 'commits'>, hasTruth: boolean): PullRequest {
  const tip = (name: string) => git(folder, ['rev-parse', name]);
  const [base, head] = [tip(names.base), tip(names.head)];
  const merge = mergeOf(folder, base, head);
  const old = names.oldBase === undefined ? undefined : tip(names.oldBase);
  const rendered = hasTruth ? { base: tip('refs/truth/base'), head: tip('refs/truth/head') } : { base, head: merge };
  const ofRunner = old === undefined ? merge : mergeOf(folder, old, head);
  const event = {
    ...(names.hasMerge && { merge: ofRunner }),
    base: names.named === undefined ? base : tip(names.named),
    isRetargeted: old !== undefined,
  };
  return { folder, base, head, merge, rendered, event };
}

/** As GitHub makes it: of the files alone. */
function mergeOf(folder: string, base: string, head: string): string {
  const [tree = ''] = git(folder, ['merge-tree', '--write-tree', base, head]).split('\n');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  return git(folder, [...author, 'commit-tree', tree, '-m', 'x', '-p', base, '-p', head]);
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
