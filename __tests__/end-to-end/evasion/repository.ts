/** A git repository as a workflow has it on a fork's pull request: the merge commit is checked out, both parents are there. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Evasion, History, Tree } from './generate.js';

export type PullRequest = {
  folder: string;
  base: string;
  head: string;
  merge: string;
  /** Commits for the reference: base and merge, or those of `truth`. */
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
  appendFileSync(join(folder, '.git/config'), '[remote "origin"]\n\turl = https://github.com/o/r.git\n');
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
  const pull = pullOf(folder, { ...named, isLinear: history === undefined, hasTruth: truth !== undefined });
  const shown = pull.event.merge ?? (history ? pull.head : pull.merge);
  git(folder, ['-c', 'core.longpaths=true', 'checkout', '-q', '--detach', shown]);
  return pull;
}

/** One commit on the base, and the merge, which has its files. */
function simple(base: Tree, head: Tree): History {
  const commits = {
    main: { parents: [], files: base },
    pull: { parents: ['main'], files: head },
    merge: { parents: ['main', 'pull'], files: head },
  };
  return { commits, base: 'main', head: 'pull', hasMerge: false };
}

type Names = Omit<History, 'commits'> & { isLinear: boolean; hasTruth: boolean };

function pullOf(folder: string, { base, head, oldBase, named, ...has }: Names): PullRequest {
  const truths = has.hasTruth ? ['refs/truth/base', 'refs/truth/head'] : [];
  const known = [base, head, oldBase ?? base, named ?? base, has.isLinear ? 'merge' : base, ...truths];
  const [tip = '', own = '', old = '', ofEvent = '', linear = '', ...plain] = git(folder, [
    'rev-parse',
    ...known,
  ]).split('\n');
  const merge = has.isLinear ? linear : mergeOf(folder, tip, own);
  const [plainBase = tip, plainHead = merge] = plain;
  const ofRunner = oldBase === undefined ? merge : mergeOf(folder, old, own);
  const event = { ...(has.hasMerge && { merge: ofRunner }), base: ofEvent, isRetargeted: oldBase !== undefined };
  return { folder, base: tip, head: own, merge, rendered: { base: plainBase, head: plainHead }, event };
}

/** Merges two commits as GitHub does. */
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
