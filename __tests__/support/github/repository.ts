/** A real bare repository: commits by fast-import, diffs as GitHub makes them (three dots, renames, three lines around). */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dialogue } from './dialogue.js';

/** A file's new content, a link, the path that it is moved from, or null for a file that goes. */
export type Change = string | Uint8Array | { link: string } | { from: string } | { executable: string } | null;
export type Changes = Record<string, Change>;

export type DiffStatus = 'added' | 'removed' | 'modified' | 'renamed' | 'changed';
export type DiffFile = {
  path: string;
  previous?: string;
  status: DiffStatus;
  /** The blob in the head, or in the base where the file goes. */
  sha: string;
  additions: number;
  deletions: number;
  /** From the first `@@` on, without a line break at its end; none for binary files and for mere renames. */
  patch?: string;
};
export type TreeEntry = { mode: string; type: 'blob' | 'tree' | 'commit'; sha: string; size?: number; path: string };
/** Where a line of the one commit is in the other; null where it was changed or taken away. */
export type LineMap = (path: string, line: number) => number | null;
/** The tree is the first parent's, or the one that is given, with the changes. */
export type Commit = { parents: string[]; tree?: string; changes: Changes; refs: string[]; at: number };

const types: Record<string, TreeEntry['type']> = { '040000': 'tree', '160000': 'commit' };

const environment = {
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

// Packs as they are made, and no waiting for a disk: nobody needs this repository tomorrow.
const configuration = `
[uploadpack]
  allowAnySHA1InWant = true
  allowFilter = true
[gc]
  auto = 0
[core]
  fsync = none
[fastimport]
  unpackLimit = 0
`;

export class Repository {
  private readonly known = new Map<string, Promise<unknown>>();
  private readonly parents = new Map<string, string[]>();
  private readonly dialogues = new Map<string, Dialogue>();
  private constructor(readonly path: string) {}

  static async create(branch: string): Promise<Repository> {
    const path = mkdtempSync(join(tmpdir(), 'fake-github-'));
    const repository = new Repository(path);
    await repository.git(['init', '-q', '--bare', '--template=', `--initial-branch=${branch}`, '.']);
    // GitHub serves every commit that can be reached, by its SHA, too.
    appendFileSync(join(path, 'config'), configuration);
    return repository;
  }

  remove(): void {
    for (const dialogue of this.dialogues.values()) dialogue.stop();
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Makes a commit and points every one of `refs` at it. */
  async commit({ parents, tree, changes, refs, at }: Commit): Promise<string> {
    const [first = 'refs/heads/nowhere', ...others] = refs;
    const who = `A <a@example.org> ${Math.floor(at / 1000)} +0000`;
    const [parent, ...merged] = parents;
    const sha = await this.import([
      `commit ${first}\nmark :1\nauthor ${who}\ncommitter ${who}\n${data('change')}`,
      parent ? `from ${parent}\n` : '',
      ...merged.map((other) => `merge ${other}\n`),
      tree ? `M 040000 ${tree} \n` : '',
      ...Object.entries(changes).flatMap(([path, change]) => modify(path, change)),
      '\n',
      ...others.map((ref) => `reset ${ref}\nfrom :1\n\n`),
    ]);
    this.parents.set(sha, parents);
    return sha;
  }

  async point(ref: string, sha: string): Promise<void> {
    await this.import([`reset ${ref}\nfrom ${sha}\n\n`]);
  }

  /** Gives the commit that was marked, when it can be read and its refs are set. */
  private async import(commands: (string | Buffer)[]): Promise<string> {
    const input = [...commands, 'checkpoint\n', 'get-mark :1\n'].map((part) => Buffer.from(part as string));
    const importer = this.dialogue(['fast-import', '--quiet', '--force']);
    const answer = await importer.ask(Buffer.concat(input), (text) => (text.length >= 41 ? 41 : undefined));
    return answer.toString().trim();
  }

  /** The tree of both sides merged; null where they conflict. */
  async merged(ours: string, theirs: string): Promise<string | null> {
    try {
      return (await this.git(['merge-tree', '--write-tree', ours, theirs])).toString().split('\n')[0] ?? null;
    } catch (error) {
      if (error instanceof Error && error.message.includes('exited with 1:')) return null;
      throw error;
    }
  }

  /** The newest commit that both have: the fake made them all, so it knows their parents. */
  mergeBase(one: string, other: string): string {
    const others = this.ancestors(other);
    const common = [...this.ancestors(one)].filter((sha) => others.has(sha));
    const best = common.find((sha) => common.every((rival) => rival === sha || !this.ancestors(rival).has(sha)));
    if (!best) throw new Error(`${one} and ${other} have nothing in common`);
    return best;
  }

  /** The commits of `head` that `base` has not, newest first. */
  commitsBetween(base: string, head: string): string[] {
    const old = this.ancestors(base);
    return [...this.ancestors(head)].filter((sha) => !old.has(sha));
  }

  /** With the commit itself, which comes first. */
  private ancestors(sha: string): Set<string> {
    const found = new Set([sha]);
    for (const commit of found) for (const parent of this.parents.get(commit) ?? []) found.add(parent);
    return found;
  }

  /** The commit that a branch, a tag or a SHA stands for. */
  async resolve(word: string): Promise<string | undefined> {
    if (this.parents.has(word)) return word;
    try {
      return (await this.git(['rev-parse', '--verify', '-q', '--end-of-options', `${word}^{commit}`]))
        .toString()
        .trim();
    } catch {
      return undefined;
    }
  }

  diff(from: string, to: string): Promise<DiffFile[]> {
    return this.once(`diff ${from} ${to}`, async () => parseDiff(await this.compare(from, to, ['-M', '-U3'])));
  }

  /** Lines of `from` in `to`: a path that is renamed or gone has none. */
  lineMap(from: string, to: string): Promise<LineMap> {
    return this.once(`lines ${from} ${to}`, async () => {
      if (from === to) return (_, line) => line;
      const files = parseDiff(await this.compare(from, to, ['--no-renames', '-U0']));
      return lineMapOf(new Map(files.map((file) => [file.path, file])));
    });
  }

  private async compare(from: string, to: string, options: string[]): Promise<Buffer> {
    const form = ['-r', '--raw', '-z', '-p', '--full-index', '--no-abbrev', '--no-ext-diff', '--no-textconv'];
    const differ = this.dialogue(['diff-tree', '--stdin', '--no-commit-id', ...form, ...options]);
    // A line that is no name of a commit is repeated, which tells that the answer before is over.
    const end = Buffer.from('that is all\n');
    const whole = (text: Buffer) => (text.subarray(-end.length).equals(end) ? text.length : undefined);
    const answer = await differ.ask(`${to} ${from}\n${end}`, whole);
    return answer.subarray(0, -end.length);
  }

  private dialogue(args: string[]): Dialogue {
    const name = args.join(' ');
    const known = this.dialogues.get(name) ?? new Dialogue(args, { cwd: this.path, env: environment });
    this.dialogues.set(name, known);
    return known;
  }

  tree(word: string, recursive: boolean): Promise<TreeEntry[]> {
    return this.once(`tree ${word} ${recursive}`, async () =>
      this.entries(await this.object(`${word}^{tree}`), '', recursive),
    );
  }

  blob(sha: string): Promise<Buffer> {
    return this.once(`blob ${sha}`, () => this.object(sha));
  }

  /** Of each entry of a tree: its mode, a space, its name, NUL, its SHA of 20 bytes. */
  private async entries(tree: Buffer, folder: string, recursive: boolean): Promise<TreeEntry[]> {
    const found: TreeEntry[] = [];
    for (let at = 0, end = 0; at < tree.length; at = end + 21) {
      end = tree.indexOf(0, at);
      const [, digits = '', name = ''] = /^(\d+) (.*)$/s.exec(tree.toString('utf8', at, end)) ?? [];
      const [mode, path, sha] = [digits.padStart(6, '0'), folder + name, tree.toString('hex', end + 1, end + 21)];
      const type = types[mode] ?? 'blob';
      found.push({ mode, type, sha, path, ...(type === 'blob' && { size: (await this.blob(sha)).length }) });
      if (type === 'tree' && recursive) found.push(...(await this.entries(await this.blob(sha), `${path}/`, true)));
    }
    return found;
  }

  /** The content of an object, by any of its names. */
  private async object(name: string): Promise<Buffer> {
    const reader = this.dialogue(['cat-file', '--batch']);
    let start = 0;
    const answer = await reader.ask(`${name}\n`, (text) => {
      start = text.indexOf('\n') + 1;
      if (start === 0) return undefined;
      const size = / (\d+)\n$/.exec(text.toString('latin1', 0, start))?.[1];
      const length = size === undefined ? start : start + Number(size) + 1;
      return text.length < length ? undefined : length;
    });
    if (answer.length === start) throw new Error(`git cat-file: ${answer}`);
    return answer.subarray(start, -1);
  }

  archive(commit: string, prefix: string): Promise<Buffer> {
    return this.git(['archive', '--format=tar.gz', `--prefix=${prefix}/`, commit]);
  }

  git(args: string[], input?: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const child = spawn('git', args, { cwd: this.path, env: environment, stdio: 'pipe' });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.on('error', reject);
      child.on('close', (status) => {
        if (status === 0) resolve(Buffer.concat(out));
        else reject(new Error(`git ${args.join(' ')} exited with ${status}: ${Buffer.concat(err)}`));
      });
      child.stdin.on('error', () => {});
      child.stdin.end(input ?? '');
    });
  }

  /** What is asked of commits never changes, so it is asked once. */
  private once<Value>(question: string, ask: () => Promise<Value>): Promise<Value> {
    const answer = this.known.get(question) ?? ask();
    this.known.set(question, answer);
    return answer as Promise<Value>;
  }
}

/** Strings are written as UTF-8, bytes as they are. */
function data(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

function modify(path: string, change: Change): (string | Buffer)[] {
  if (change === null) return [`D ${quoted(path)}\n`];
  if (typeof change === 'string' || change instanceof Uint8Array) {
    return [`M 100644 inline ${quoted(path)}\n`, data(change)];
  }
  if ('link' in change) return [`M 120000 inline ${quoted(path)}\n`, data(change.link)];
  if ('executable' in change) return [`M 100755 inline ${quoted(path)}\n`, data(change.executable)];
  return [`R ${quoted(change.from)} ${quoted(path)}\n`];
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}

const statuses: Record<string, DiffStatus> = { A: 'added', D: 'removed', M: 'modified', R: 'renamed', T: 'changed' };

/** `--raw -z -p`: records that end in NUL, an empty one, the patches in the same order. */
function parseDiff(output: Buffer): DiffFile[] {
  const text = output.toString('utf8');
  const end = text.indexOf('\0\0');
  const fields = (end < 0 ? text : text.slice(0, end)).split('\0').filter(Boolean);
  const patches = end < 0 ? [] : text.slice(end + 2).split(/(?<=\n)(?=diff --git )/);
  const files: DiffFile[] = [];
  while (fields.length > 0) {
    const [oldMode, newMode, oldSha = '', newSha = '', letter = ''] = (fields.shift() ?? '').slice(1).split(' ');
    const first = fields.shift() ?? '';
    const renamed = letter.startsWith('R');
    const path = renamed ? (fields.shift() ?? '') : first;
    // A file that becomes a link is taken away and added: two patches.
    const sections = letter === 'T' ? patches.splice(0, 2) : patches.splice(0, 1);
    const patch = sections.map(hunksOf).filter(Boolean).join('\n');
    const status = oldSha === newSha && letter === 'M' && oldMode !== newMode ? 'changed' : statuses[letter[0] ?? ''];
    files.push({
      path,
      ...(renamed && { previous: first }),
      status: status ?? 'modified',
      sha: letter === 'D' ? oldSha : newSha,
      additions: count(patch, '+'),
      deletions: count(patch, '-'),
      ...(patch && { patch }),
    });
  }
  return files;
}

function hunksOf(section: string): string {
  const start = section.indexOf('\n@@ ');
  return start < 0 ? '' : section.slice(start + 1).replace(/\n$/, '');
}

function count(patch: string, mark: string): number {
  let found = 0;
  for (const line of patch.split('\n')) if (line.startsWith(mark)) found++;
  return found;
}

function lineMapOf(files: Map<string, DiffFile>): LineMap {
  const edits = new Map<string, { at: number; gone: number; came: number }[]>();
  return (path, line) => {
    const file = files.get(path);
    if (!file) return line;
    const same = file.status === 'changed' && !file.patch;
    if (file.status !== 'modified' && !same) return null;
    if (!edits.has(path)) edits.set(path, editsOf(file.patch ?? ''));
    let shift = 0;
    for (const { at, gone, came } of edits.get(path) ?? []) {
      if (line < at) break;
      if (line < at + gone) return null;
      shift += came - gone;
    }
    return line + shift;
  };
}

/** The hunks of a diff without context: from which line on how many went and came. */
function editsOf(patch: string): { at: number; gone: number; came: number }[] {
  return patch.split('\n').flatMap((line) => {
    const [, start, gone = '1', came = '1'] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    if (!start) return [];
    // Where nothing went, git names the line before.
    return [{ at: Number(start) + (gone === '0' ? 1 : 0), gone: Number(gone), came: Number(came) }];
  });
}
