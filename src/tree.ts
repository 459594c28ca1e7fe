/**
 * A revision of the repository as files: what is (or would be) committed, read as data. Symbolic links are named, never
 * followed; submodules are named, never entered. Nothing outside the root is read.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { GitError, git, records } from './git.js';
import { type Revision, UsageError } from './model.js';

/** Bounds on what is taken from a repository. A file over `fileBytes` is known by name, but never read. */
export type TreeLimits = {
  files: number;
  fileBytes: number;
  totalBytes: number;
};
export const treeLimits: TreeLimits = {
  files: 50_000,
  fileBytes: 4 << 20,
  totalBytes: 256 << 20,
};

export type Tree = {
  revision: Revision;
  /** For a person: `the work tree`, `commit 1a2b3c4`. */
  description: string;
  /** Regular files, sorted by path. */
  files: readonly string[];
  links: readonly string[];
  submodules: readonly string[];
  /** Files that are there but were not taken, each with the reason. */
  refused: ReadonlyMap<string, string>;
  has(path: string): boolean;
  isDirectory(path: string): boolean;
  /** The content, or undefined where there is none (no such file, refused). */
  bytes(path: string): Uint8Array | undefined;
  /** The content as text; bytes that are not UTF-8 become U+FFFD. A byte order mark is kept. */
  text(path: string): string | undefined;
};

type Contents = {
  files: Map<string, Uint8Array | undefined>;
  links: string[];
  submodules: string[];
  refused: Map<string, string>;
};

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

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
  return {
    revision,
    description,
    files,
    links: contents.links.sort(),
    submodules: contents.submodules.sort(),
    refused: contents.refused,
    has: (path) => contents.files.has(path),
    isDirectory: (path) => directories.has(path),
    bytes,
    text: (path) => {
      const content = bytes(path);
      return content && utf8.decode(content);
    },
  };
}

/** The files of `directory` as they are on disk. In a git work tree those that git would commit: ignored ones are left out. */
export async function openWorkTree(directory: string, limits = treeLimits, revision: Revision = 'head'): Promise<Tree> {
  const root = existingDirectory(directory);
  const contents: Contents = {
    files: new Map(),
    links: [],
    submodules: [],
    refused: new Map(),
  };
  const budget = { files: limits.files, bytes: limits.totalBytes };
  const throughLink = linkedFolders(root);
  for (const path of (await trackedFiles(root)) ?? walk(root)) {
    const stats = lstat(join(root, path));
    if (!stats) continue; // deleted, but still in the index
    if (stats.isSymbolicLink() || throughLink(path)) contents.links.push(path);
    else if (stats.isDirectory()) contents.submodules.push(path.replace(/\/$/, ''));
    else if (stats.isFile()) admit(contents, path, stats.size, budget, limits);
    else contents.refused.set(path, 'is neither a regular file nor a link');
  }
  return makeTree(revision, revision === 'head' ? 'the work tree' : directory, contents, (path) =>
    readRegularFile(join(root, path), limits.fileBytes),
  );
}

/** The files of a commit, out of git's object store: no checkout, no filters, links as names only. */
export async function openCommit(
  directory: string,
  commit: string,
  revision: Revision,
  limits = treeLimits,
): Promise<Tree> {
  const root = existingDirectory(directory);
  const id = (await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`]))
    .toString()
    .trim();
  const prefix = (await git(root, ['rev-parse', '--show-prefix'])).toString().trim();
  const listing = records(await git(root, ['ls-tree', '-r', '-z', '--long', '--full-tree', id]));
  const contents: Contents = {
    files: new Map(),
    links: [],
    submodules: [],
    refused: new Map(),
  };
  const budget = { files: limits.files, bytes: limits.totalBytes };
  const blobs: { path: string; object: string }[] = [];
  for (const record of listing) {
    const [meta = '', full = ''] = record.split('\t', 2);
    if (!full.startsWith(prefix)) continue;
    const path = full.slice(prefix.length);
    const [mode, , object = '', size] = meta.split(/ +/);
    if (mode === '120000') contents.links.push(path);
    else if (mode === '160000') contents.submodules.push(path);
    else if (admit(contents, path, Number(size), budget, limits)) blobs.push({ path, object });
  }
  await readBlobs(root, blobs, contents);
  return makeTree(revision, `commit ${id.slice(0, 12)}`, contents, () => undefined);
}

/** A tree of what is handed in, file by file, within the limits. */
export function collectTree(revision: Revision, description: string, limits = treeLimits) {
  const contents: Contents = { files: new Map(), links: [], submodules: [], refused: new Map() };
  const budget = { files: limits.files, bytes: limits.totalBytes };
  return {
    link: (path: string) => void contents.links.push(path),
    /** Whether the file's content is wanted. */
    admit: (path: string, size: number) => admit(contents, path, size, budget, limits),
    file: (path: string, bytes: Uint8Array) => void contents.files.set(path, bytes),
    tree: () => makeTree(revision, description, contents, () => undefined),
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

/** What git would commit from `root`, relative to it; undefined where git does not know the directory. */
async function trackedFiles(root: string): Promise<string[] | undefined> {
  if (!insideRepository(root)) return undefined;
  try {
    const listed = records(await git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']));
    return listed.length > 0 ? [...new Set(listed)] : undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Saves a process where no parent folder holds a `.git`. */
function insideRepository(root: string): boolean {
  for (let folder = root; ; folder = join(folder, '..')) {
    if (lstat(join(folder, '.git'))) return true;
    if (folder === join(folder, '..')) return false;
  }
}

function* walk(root: string, folder = ''): Generator<string> {
  for (const entry of readdirSync(join(root, folder), {
    withFileTypes: true,
  })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) yield* walk(root, path);
    else yield path;
  }
}

/** Whether a tracked file lies behind a folder that has since become a link. Each folder is looked at once. */
function linkedFolders(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const end = path.lastIndexOf('/');
    if (end < 0) return false;
    const folder = join(root, path.slice(0, end));
    const linked = known.get(folder) ?? realpathSync(folder) !== folder;
    known.set(folder, linked);
    return linked;
  };
}

/** Reads a regular file without following a link that was put in its place, and no more than `limit` bytes. */
function readRegularFile(path: string, limit: number): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined; // gone, or not ours to read: the same as not there
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > limit) return undefined;
    const content = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < content.length) {
      const count = readSync(file, content, length, content.length - length, null);
      if (count === 0) break;
      length += count;
    }
    return content.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** One `git cat-file --batch` for all blobs: `<object> blob <size>\n<bytes>\n` each. */
async function readBlobs(root: string, blobs: { path: string; object: string }[], contents: Contents): Promise<void> {
  if (blobs.length === 0) return;
  const output = await git(root, ['cat-file', '--batch'], {
    input: `${blobs.map((blob) => blob.object).join('\n')}\n`,
  });
  let offset = 0;
  for (const { path, object } of blobs) {
    const end = output.indexOf(10, offset);
    const [, type, size] = output.toString('latin1', offset, end).split(' ');
    if (type !== 'blob') throw new GitError(`object ${object} of "${path}" is not to be had`);
    contents.files.set(path, output.subarray(end + 1, end + 1 + Number(size)));
    offset = end + 1 + Number(size) + 1;
  }
}

/** Whether two revisions have the same files below a folder, byte for byte. */
export function isSameFolder(folder: string, a: Tree, b: Tree): boolean {
  const below = (tree: Tree) => tree.files.filter((file) => folder === '.' || file.startsWith(`${folder}/`));
  const [ofA, ofB] = [below(a), below(b)];
  if (ofA.length !== ofB.length) return false;
  return ofA.every((file, index) => {
    const [one, other] = [a.bytes(file), b.bytes(file)];
    return file === ofB[index] && one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
  });
}
