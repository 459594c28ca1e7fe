/** The archive that GitHub makes of a commit, read as a tree without a file being written. */
import { Parser, type ReadEntry } from 'tar';
import type { Revision } from '../model.js';
import { collectTree, type Tree } from '../tree.js';
import { UnreadableError } from '../unreadable.js';

/**
 * All stands below one folder, which is left out; of the rest only what is below `prefix` counts. Throws where the bytes are no
 * such archive, and an `UnreadableError` where its names cannot be trusted.
 */
export async function openArchive(
  archive: Uint8Array,
  { description, revision, prefix = '' }: { description: string; revision: Revision; prefix?: string },
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
  return collected.tree();
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
  if (!isWanted || !isFile || !collected.admit(path, entry.size)) return void entry.resume();
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  entry.on('end', () => collected.file(path, Buffer.concat(chunks)));
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
