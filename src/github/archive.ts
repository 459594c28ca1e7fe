/** The archive that GitHub makes of a commit, read as a tree without a file being written. */
import { Parser, type ReadEntry } from 'tar';
import type { Revision } from '../model.js';
import { collectTree, type Tree } from '../tree.js';

/**
 * All stands below one folder, which is left out; of the rest only what is below `prefix` counts. Throws where the bytes are no
 * such archive.
 */
export async function openArchive(
  archive: Uint8Array,
  { description, revision, prefix = '' }: { description: string; revision: Revision; prefix?: string },
): Promise<Tree> {
  const collected = collectTree(revision, description);
  const parser = new Parser({ strict: true });
  parser.on('entry', (entry: ReadEntry) => {
    const full = entry.path.replace(/^[^/]*\//, '');
    const path = full.slice(prefix.length);
    const isWanted = full.startsWith(prefix) && path !== '';
    if (isWanted && entry.type === 'SymbolicLink') collected.link(path);
    const isFile = entry.type === 'File' || entry.type === 'OldFile';
    if (!isWanted || !isFile || !collected.admit(path, entry.size)) return void entry.resume();
    const chunks: Buffer[] = [];
    entry.on('data', (chunk: Buffer) => chunks.push(chunk));
    entry.on('end', () => collected.file(path, Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve, reject) => {
    parser.on('end', resolve).on('error', reject);
    parser.end(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
  });
  return collected.tree();
}
