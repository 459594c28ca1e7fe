/** The archive that GitHub makes of a commit, read as a tree without a file being written. */
import { createHash } from 'node:crypto';
import { Parser, type ReadEntry } from 'tar';
import type { Revision, Tree } from '../core/model.js';
import { UnreadableError } from '../core/unreadable.js';
import { collectTree, isWorkflowAbove, treeLimits } from '../tree/tree.js';

export type ArchiveOptions = {
  description: string;
  revision: Revision;
  prefix?: string;
  listed?: Listing;
};

/** What a commit has, by its path from the root: the blob of a file or a link, the commit of a submodule. */
export type Listing = ReadonlyMap<string, { object: string; isSubmodule: boolean }>;

/**
 * All stands below one folder, which is left out; of the rest only what is below `prefix` counts. Throws where the bytes are no
 * such archive, and an `UnreadableError` where its names cannot be trusted.
 */
export async function openArchive(
  archive: Uint8Array,
  { description, revision, prefix = '', listed }: ArchiveOptions,
): Promise<Tree> {
  const collected = collectTree(revision, description);
  const parser = new Parser({ strict: true });
  let failure: unknown;
  parser.on('entry', (entry: ReadEntry) => {
    try {
      take(entry, collected, { prefix, description });
    } catch (error) {
      failure ??= error;
      entry.resume();
    }
  });
  await new Promise<void>((resolve, reject) => {
    parser.on('end', resolve).on('error', reject);
    parser.end(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
  });
  if (failure !== undefined) throw failure;
  // An archive has an empty folder for a submodule.
  for (const [path, { object, isSubmodule }] of listed ?? [])
    if (isSubmodule && path.startsWith(prefix)) collected.submodule(path.slice(prefix.length), object);
  const tree = collected.tree();
  if (listed) requireWhole(tree, listed, prefix);
  return tree;
}

/**
 * What is committed decides what an archive leaves out and what it rewrites (`export-ignore` and `export-subst` in
 * `.gitattributes`); Flux takes neither into account.
 */
function requireWhole(tree: Tree, listed: Listing, prefix: string): void {
  const links = new Set(tree.links);
  for (const [full, { object, isSubmodule }] of listed) {
    if (!full.startsWith(prefix) || isSubmodule) continue;
    const path = full.slice(prefix.length);
    const content = tree.bytes(path);
    const isSame = content ? objectOf(content) === object : links.has(path) || tree.refused.has(path);
    if (!isSame)
      throw new UnreadableError(
        `"${full}" is not in the archive of ${tree.description} as it is committed; check out with fetch-depth: 0`,
      );
  }
  const added = tree.files.find((path) => !listed.has(prefix + path));
  if (added !== undefined)
    throw new UnreadableError(`"${prefix}${added}" is in the archive of ${tree.description}, but not in the commit`);
}

/** As git names a file's content. */
function objectOf(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function take(
  entry: ReadEntry,
  collected: ReturnType<typeof collectTree>,
  { prefix, description }: { prefix: string; description: string },
): void {
  const full = fullPath(entry, description);
  const path = full.slice(prefix.length);
  const isWanted = full.startsWith(prefix) && path !== '' && entry.type !== 'Directory';
  if (isWanted && entry.type === 'SymbolicLink') collected.link(path);
  const isFile = entry.type === 'File' || entry.type === 'OldFile';
  if (isFile && isWorkflowAbove(prefix, full) && entry.size <= treeLimits.fileBytes) {
    collected.admitWorkflow(entry.size);
    read(entry, (bytes) => collected.workflow(prefix, full, bytes));
  } else if (isWanted && isFile && collected.admit(path, entry.size))
    read(entry, (bytes) => collected.file(path, bytes));
  else entry.resume();
}

function read(entry: ReadEntry, keep: (bytes: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  entry.on('end', () => keep(Buffer.concat(chunks)));
}

/**
 * The path below the archive's folder. The parser puts U+FFFD where bytes are not UTF-8; and what lies beside the folder is a name
 * too long for a header, which git calls by its object then (archive-tar.c), and which the parser has not understood.
 */
function fullPath({ path }: ReadEntry, description: string): string {
  const slash = path.indexOf('/');
  if (slash < 1 || path.includes('\ufffd'))
    throw new UnreadableError(
      `the archive of ${description} has a name that cannot be told: "${path}"; rename the file`,
    );
  return path.slice(slash + 1);
}
