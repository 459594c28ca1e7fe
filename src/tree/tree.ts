/**
 * A revision of the repository as files: what is (or would be) committed, read as data. Symbolic links are named, never
 * followed; submodules are named, never entered. Nothing outside the root is read but GitHub's workflows, which stand above all.
 */
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { type Revision, type Tree, UsageError } from '../core/model.js';
import { oncePer } from '../core/once.js';
import { UnreadableError, unreadable } from '../core/unreadable.js';
import { GitError, git, NoGitError } from './git.js';
import { decodeName, Names, records, requirePath } from './names.js';
import { mayBeSparse, type Repository, repositoryAbove, repositoryOf } from './repository.js';

/** Bounds on what is taken from a repository. A file over `fileBytes` is known by name, but never read. */
export type TreeLimits = {
  files: number;
  fileBytes: number;
  totalBytes: number;
  /** Of all workflows together that stand above the root. */
  workflowBytes: number;
};
export const treeLimits: TreeLimits = {
  files: 50_000,
  fileBytes: 4 << 20,
  totalBytes: 256 << 20,
  workflowBytes: 16 << 20,
};

type Contents = {
  files: Map<string, Uint8Array | undefined>;
  links: string[];
  /** With the commit of each, where it is known. */
  submodules: Map<string, string | undefined>;
  refused: Map<string, string>;
  /** The blobs of refused files, by git's id. */
  blobs: Map<string, string>;
  workflowsAbove: Map<string, string> | undefined;
};

/** Of trees whose contents may be wanted again. */
const contentsOf = new WeakMap<Tree, Contents>();

const newContents = (): Contents => ({
  files: new Map(),
  links: [],
  submodules: new Map(),
  refused: new Map(),
  blobs: new Map(),
  workflowsAbove: new Map(),
});

/** Where GitHub looks for workflows, from the root of the repository. */
export const workflows = '.github/workflows/';
/** The way to them from a folder with this prefix. */
const upTo = (prefix: string, path: string) => '../'.repeat(prefix.split('/').length - 1) + path;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** The very same text each time, also in the next round of `check --watch`: many rules ask, it is looked up by, and is hashed once. */
const textOf = oncePer((bytes: Uint8Array) => utf8.decode(bytes));

function makeTree(
  revision: Revision,
  description: string,
  contents: Contents,
  read: (path: string) => Uint8Array | undefined,
): Tree {
  const files = [...contents.files.keys()].sort();
  const directories = new Set<string>(['.']);
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const directory = file.slice(0, end);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  const bytes = (path: string) => {
    if (!contents.files.has(path) || contents.refused.has(path)) return undefined;
    const known = contents.files.get(path) ?? read(path);
    if (known) contents.files.set(path, known);
    return known;
  };
  const tree: Tree = {
    revision,
    description,
    files,
    links: contents.links.sort(),
    submodules: [...contents.submodules.keys()].sort(),
    submoduleCommit: (path) => contents.submodules.get(path),
    refused: contents.refused,
    blob: (path) => contents.blobs.get(path),
    has: (path) => contents.files.has(path),
    isDirectory: (path) => directories.has(path),
    bytes,
    text: (path) => {
      const content = bytes(path);
      return content && textOf(content);
    },
    workflowsAbove: contents.workflowsAbove,
  };
  contentsOf.set(tree, contents);
  return tree;
}

/**
 * The files of `directory` as they are on disk. In a git work tree those that git would commit: ignored ones are left out. Where a file
 * has what it had in `earlier`, its bytes are the very same array.
 */
export async function openWorkTree(
  directory: string,
  limits = treeLimits,
  revision: Revision = 'head',
  earlier?: Tree,
): Promise<Tree> {
  const root = existingDirectory(directory);
  const contents = newContents();
  const budget = { files: limits.files, bytes: limits.totalBytes };
  const throughLink = linkedFolders(root);
  for (const { path, isLeftOut } of await listedFiles(root)) {
    requirePath(path, 'the work tree');
    const stats = statsOf(root, path);
    if (!stats && isLeftOut) throw leftOut(path);
    if (!stats) continue; // deleted, but still in the index
    if (stats.isSymbolicLink() || throughLink(path)) contents.links.push(path);
    else if (stats.isDirectory()) contents.submodules.set(path, undefined);
    else if (stats.isFile()) admit(contents, path, stats.size, budget, limits);
    else contents.refused.set(path, 'is neither a regular file nor a link');
  }
  for (const [path, commit] of await submoduleCommits(root, [...contents.submodules.keys()]))
    contents.submodules.set(path, commit);
  contents.workflowsAbove = revision === 'head' ? workflowsOnDisk(repositoryAbove(root), limits) : undefined;
  return makeTree(revision, revision === 'head' ? 'the work tree' : directory, contents, (path) => {
    const bytes = readRegularFile(root, path, limits.fileBytes);
    const before = earlier && contentsOf.get(earlier)?.files.get(path);
    return before && Buffer.compare(before, bytes) === 0 ? before : bytes;
  });
}

/**
 * The files of a commit, out of git's object store: no checkout, no filters, links as names only. The store is the one that the
 * directory belongs to, unless another one is named.
 */
export async function openCommit(
  directory: string,
  commit: string,
  revision: Revision,
  limits = treeLimits,
  store?: Repository,
): Promise<Tree> {
  const root = existingDirectory(directory);
  const where = store ?? root;
  const prefix = (store ?? repositoryOf(root))?.prefix ?? '';
  const id = (await git(where, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`]))
    .toString()
    .trim();
  const description = `commit ${id.slice(0, 12)}`;
  const output = await git(where, ['ls-tree', '-r', '-z', '--long', '--full-tree', id]);
  const contents = newContents();
  const budget = { files: limits.files, bytes: limits.totalBytes };
  const blobs: { path: string; object: string }[] = [];
  const names = new Names(description);
  for (const { meta, path } of entriesBelow(prefix, output, description)) {
    names.add(path);
    const [mode, , object = '', size] = meta.split(/ +/);
    if (mode === '120000') contents.links.push(path);
    else if (mode === '160000') contents.submodules.set(path, object);
    else if (admit(contents, path, Number(size), budget, limits)) blobs.push({ path, object });
    else contents.blobs.set(path, object);
  }
  names.check();
  await readBlobs(where, blobs, (path, bytes) => contents.files.set(path, bytes));
  await readBlobs(where, workflowsIn(prefix, output, description, limits), (path, bytes) =>
    contents.workflowsAbove?.set(path, utf8.decode(bytes)),
  );
  return makeTree(revision, description, contents, () => undefined);
}

/** What stands below a folder. The name begins behind a record's first tab, and may hold others. */
function* entriesBelow(prefix: string, output: Buffer, where: string): Generator<{ meta: string; path: string }> {
  const start = Buffer.from(prefix);
  const nameBelow = (record: Buffer) => {
    const name = record.subarray(record.indexOf('\t') + 1);
    return name.subarray(0, start.length).equals(start) ? name.subarray(start.length) : undefined;
  };
  for (const record of records(output, where, nameBelow)) {
    const tab = record.indexOf('\t');
    const full = record.slice(tab + 1);
    if (full.startsWith(prefix)) yield { meta: record.slice(0, tab), path: full.slice(prefix.length) };
  }
}

/** What a commit has as workflows above the folder; those that are no files or too large GitHub does not run either. */
function workflowsIn(prefix: string, output: Buffer, where: string, limits: TreeLimits) {
  if (prefix === '') return [];
  const count = workflowCounter(limits);
  return [...entriesBelow(workflows, output, where)].flatMap(({ meta, path }) => {
    const [mode, , object = '', size] = meta.split(/ +/);
    const isRead = mode?.startsWith('100') && Number(size) <= limits.fileBytes && !path.includes('/');
    if (!isRead) return [];
    count(Number(size));
    return [{ path: upTo(prefix, workflows + path), object }];
  });
}

/** Counts workflows by their sizes; throws an `UnreadableError` where they are too many bytes together. */
function workflowCounter({ workflowBytes }: TreeLimits): (size: number) => void {
  let total = 0;
  return (size) => {
    total += size;
    if (total > workflowBytes) throw new UnreadableError(`"${workflows}" holds more than ${workflowBytes} bytes`);
  };
}

/** The same of a work tree, whose files may be anything. */
function workflowsOnDisk(
  repository: ReturnType<typeof repositoryAbove>,
  limits: TreeLimits,
): Contents['workflowsAbove'] {
  if (!repository) return undefined;
  const { workTree, prefix } = repository;
  if (prefix === '') return new Map();
  const isFolder = ['.github', workflows].every((folder) => lstat(join(workTree, folder))?.isDirectory());
  const paths = isFolder
    ? entriesOf(workTree, workflows).map(({ name }) => workflows + decodeName(name, `"${workflows}"`))
    : [];
  const count = workflowCounter(limits);
  const isRead = (path: string) => {
    const stats = statsOf(workTree, path);
    if (!stats?.isFile() || stats.size > limits.fileBytes) return false;
    count(stats.size);
    return true;
  };
  const read = (path: string) => utf8.decode(readRegularFile(workTree, path, limits.fileBytes));
  return new Map(paths.filter(isRead).map((path) => [upTo(prefix, path), read(path)]));
}

/** Whether a path from the root of the repository is that of a workflow above a folder with this prefix. */
export function isWorkflowAbove(prefix: string, path: string): boolean {
  return prefix !== '' && path.startsWith(workflows) && !path.slice(workflows.length).includes('/');
}

/** A tree of what is handed in, file by file, within the limits. */
export function collectTree(revision: Revision, description: string, limits = treeLimits) {
  const contents = newContents();
  const budget = { files: limits.files, bytes: limits.totalBytes };
  const names = new Names(description);
  return {
    /** Throws an `UnreadableError` for a name that is none, or is there already; so does `admit`. */
    link: (path: string) => {
      names.add(path);
      contents.links.push(path);
    },
    submodule: (path: string, commit: string) => void contents.submodules.set(path, commit),
    /** Whether the file's content is wanted. */
    admit: (path: string, size: number) => {
      names.add(path);
      return admit(contents, path, size, budget, limits);
    },
    file: (path: string, bytes: Uint8Array) => void contents.files.set(path, bytes),
    /** Throws an `UnreadableError` where the workflows are too many bytes. */
    admitWorkflow: workflowCounter(limits),
    workflow: (prefix: string, path: string, bytes: Uint8Array) =>
      void contents.workflowsAbove?.set(upTo(prefix, path), utf8.decode(bytes)),
    tree: () => {
      names.check();
      return makeTree(revision, description, contents, () => undefined);
    },
  };
}

function existingDirectory(directory: string): string {
  const stats = lstat(directory);
  if (!stats) throw new UsageError(`there is no directory "${directory}"`);
  const root = realpathSync(directory);
  if (!lstat(root)?.isDirectory()) throw new UsageError(`"${directory}" is not a directory`);
  return root;
}

function lstat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Undefined where nothing is there; what the system does not tell is refused by name. */
function statsOf(root: string, path: string): Stats | undefined {
  try {
    return lstat(join(root, path));
  } catch (error) {
    return unreadable(path, error);
  }
}

/** Counts a file against the limits; one that does not fit is refused by name. */
function admit(
  contents: Contents,
  path: string,
  size: number,
  budget: { files: number; bytes: number },
  limits: TreeLimits,
): boolean {
  contents.files.set(path, undefined);
  const reason = reasonToRefuse(size, budget, limits);
  if (reason) {
    contents.refused.set(path, reason);
    return false;
  }
  budget.files -= 1;
  budget.bytes -= size;
  return true;
}

function reasonToRefuse(
  size: number,
  budget: { files: number; bytes: number },
  limits: TreeLimits,
): string | undefined {
  if (size > limits.fileBytes) return `is ${size} bytes, over the limit of ${limits.fileBytes}`;
  if (budget.files <= 0) return `is beyond the limit of ${limits.files} files`;
  if (size > budget.bytes) return `is beyond the limit of ${limits.totalBytes} bytes for the whole repository`;
  return undefined;
}

type Listed = {
  path: string;
  /** Git keeps it, but not in the work tree (`skip-worktree`, which a sparse checkout sets). */
  isLeftOut: boolean;
};

/**
 * What git would commit from `root`, relative to it; if git does not know the directory, what is on the disk. Of a file that is in conflict
 * git lists several versions, and the disk has one. A `node_modules` that git could commit but does not have is left out, as it was installed;
 * Flux sees one that is committed.
 */
async function listedFiles(root: string): Promise<Iterable<Listed>> {
  const repository = repositoryAbove(root);
  if (!repository) return walk(root, isInstalled);
  if (!repositoryOf(root)) return walkAll(root, repository, 'git does not trust the repository (safe.directory)');
  const args = ['ls-files', '-z', '-t', '--cached', '--others', '--exclude-standard'];
  let output: Buffer;
  try {
    output = await git(root, args, { onSaid: refuseClosedFolders });
  } catch (error) {
    if (!(error instanceof NoGitError)) throw error;
    return walkAll(root, repository, error.message);
  }
  // A tag and a space come before each name; a repository that git does not know as a submodule ends with a slash.
  const listed = records(output, 'the work tree', (record) => record.subarray(2)).map((record) => ({
    path: record.slice(2).replace(/\/$/, ''),
    isLeftOut: record.startsWith('S '),
    isUntracked: record.startsWith('? '),
  }));
  if (listed.length === 0) return walk(root, isInstalled);
  const counting = listed.filter(({ path, isUntracked }) => !isUntracked || !isInstalled(path));
  return [...new Map(counting.map((one) => [one.path, one])).values()];
}

function isInstalled(path: string): boolean {
  return path.split('/').includes('node_modules');
}

/** What git would commit of the submodules below `root`. */
async function submoduleCommits(root: string, paths: readonly string[]): Promise<[string, string][]> {
  if (paths.length === 0) return [];
  const output = await git(root, ['ls-files', '-z', '--stage']);
  const known = new Set(paths);
  // `<mode> <object> <stage>`, a tab and the name.
  return records(output, 'the work tree', (record) => record.subarray(record.indexOf('\t') + 1)).flatMap(
    (record): [string, string][] => {
      const [path, object] = [record.slice(record.indexOf('\t') + 1), record.split(' ')[1]];
      return known.has(path) && object !== undefined ? [[path, object]] : [];
    },
  );
}

/** Without git all that is on the disk counts, unless some of it was left out: `node_modules` may be committed. */
function walkAll(root: string, repository: Repository, why: string): Iterable<Listed> {
  if (mayBeSparse(repository)) throw new UnreadableError(`${why}; it is needed for a sparse checkout`);
  return walk(root, () => false);
}

/** Git lists what it can, and ends well. */
function refuseClosedFolders(said: string): void {
  const start = "warning: could not open directory '";
  const line = said.split('\n').find((one) => one.startsWith(start));
  const end = line?.lastIndexOf("/': ") ?? -1;
  if (!line || end < 0) return;
  throw new UnreadableError(`"${line.slice(start.length, end)}" cannot be read: ${line.slice(end + "/': ".length)}`);
}

function leftOut(path: string): UnreadableError {
  return new UnreadableError(
    `"${path}" is committed, but left out of the work tree (a sparse checkout); check it out with: git sparse-checkout disable`,
  );
}

function* walk(root: string, isLeftOut: (path: string) => boolean, folder = ''): Generator<Listed> {
  for (const entry of entriesOf(root, folder)) {
    const name = decodeName(entry.name, folder === '' ? 'the work tree' : `"${folder}"`);
    if (name === '.git') continue;
    const path = folder ? `${folder}/${name}` : name;
    if (isLeftOut(path)) continue;
    if (entry.isDirectory()) yield* walk(root, isLeftOut, path);
    else yield { path, isLeftOut: false };
  }
}

function entriesOf(root: string, folder: string): Dirent<Buffer>[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    return unreadable(folder || '.', error);
  }
}

/** Whether a tracked file lies behind a folder that has since become a link. Each folder is looked at once. */
function linkedFolders(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const end = path.lastIndexOf('/');
    if (end < 0) return false;
    const folder = join(root, path.slice(0, end));
    const linked = known.get(folder) ?? resolved(folder, path) !== folder;
    known.set(folder, linked);
    return linked;
  };
}

function resolved(folder: string, path: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    return unreadable(path, error);
  }
}

/**
 * Reads a regular file without following a link that was put in its place, and no more than `limit` bytes. Throws an
 * `UnreadableError` for what cannot be read whole: it was there when the files were listed.
 */
function readRegularFile(root: string, path: string, limit: number): Uint8Array {
  try {
    return readWhole(join(root, path), limit);
  } catch (error) {
    return unreadable(path, error);
  }
}

function readWhole(path: string, limit: number): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > limit) throw new Error('it changes while it is read');
    const content = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < content.length) {
      const count = readSync(file, content, length, content.length - length, null);
      if (count === 0) throw new Error('it changes while it is read');
      length += count;
    }
    return content;
  } finally {
    closeSync(file);
  }
}

/** One `git cat-file --batch` for all blobs: `<object> blob <size>\n<bytes>\n` each. */
async function readBlobs(
  where: string | Repository,
  blobs: readonly { path: string; object: string }[],
  keep: (path: string, bytes: Uint8Array) => void,
): Promise<void> {
  if (blobs.length === 0) return;
  const output = await git(where, ['cat-file', '--batch'], {
    input: `${blobs.map((blob) => blob.object).join('\n')}\n`,
  });
  let offset = 0;
  for (const { path, object } of blobs) {
    const end = output.indexOf(10, offset);
    const [, type, size] = output.toString('latin1', offset, end).split(' ');
    if (type !== 'blob') throw new GitError(`object ${object} of "${path}" is not to be had`);
    keep(path, output.subarray(end + 1, end + 1 + Number(size)));
    offset = end + 1 + Number(size) + 1;
  }
}

/** Whether two revisions have the same at a path, byte for byte: a file, or a folder with all files below it. */
export function isSameAt(path: string, a: Tree, b: Tree): boolean {
  const at = (tree: Tree) => (tree.isDirectory(path) ? filesBelow(tree, path) : [path]);
  const [ofA, ofB] = [at(a), at(b)];
  return ofA.length === ofB.length && ofA.every((file, index) => file === ofB[index] && isSameFile(file, a, b));
}

function filesBelow(tree: Tree, folder: string): string[] {
  return tree.files.filter((file) => folder === '.' || file.startsWith(`${folder}/`));
}

/** True if both have the file, byte for byte, or neither does. Of a file that was not taken, as it is too large, only git knows that. */
export function isSameFile(file: string, a: Tree, b: Tree): boolean {
  const [one, other] = [a.bytes(file), b.bytes(file)];
  if (one && other) return one === other || Buffer.compare(one, other) === 0;
  const blob = a.blob(file);
  return (blob !== undefined && blob === b.blob(file)) || (!a.has(file) && !b.has(file));
}
