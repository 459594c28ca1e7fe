/**
 * The files of a tar, with or without gzip, in memory: regular files and folders, as source-controller unpacks an artifact (fluxcd/pkg/tar
 * v0.17.0, `tar.go`). Symbolic links are passed over, and a name that leads elsewhere or another kind of entry is refused.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { UsageError } from '../core/model.js';

/** A folder by the names in it. */
export type ArchiveFolder = Map<string, ArchiveFolder | Uint8Array>;

/** The charts of a release are 4,000 files with 46 MB; a checkout of Cozystack has more beside them. */
const limits = { bytes: 256 << 20, entries: 50_000, path: 1024, depth: 64 };

/** Throws a `UsageError`; `what` is the archive's name for a person. */
export async function readArchive(bytes: Uint8Array, what: string): Promise<ArchiveFolder> {
  const tar = isGzip(bytes) ? await unzipped(bytes, what) : bytes;
  // The parser would unpack once more.
  if (isGzip(tar)) throw new UsageError(`${what} is packed with gzip twice`);
  const root: ArchiveFolder = new Map();
  let count = 0;
  let failure: Error | undefined;
  const parser = new Parser({ strict: true, brotli: false, zstd: false });
  parser.on('entry', (entry: ReadEntry) => {
    count += 1;
    try {
      if (failure === undefined && count > limits.entries)
        throw new UsageError(`${what} has more than ${limits.entries} entries`);
      if (failure === undefined) take(entry, root, what);
    } catch (error) {
      failure ??= error as Error;
    }
    entry.resume();
  });
  // The name of the next entry is in it.
  parser.on('ignoredEntry', ({ meta }: ReadEntry) => {
    if (meta) failure ??= new UsageError(`${what} has a name that is longer than 1 MiB`);
  });
  await new Promise<void>((resolve, reject) => {
    parser.on('end', resolve).on('error', reject);
    parser.end(Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength));
  }).catch(({ message }: Error) => {
    failure ??= new UsageError(`${what} is no tar that can be read (.tar, .tar.gz, .tgz): ${message}`);
  });
  if (failure !== undefined) throw failure;
  return root;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unzipped(bytes: Uint8Array, what: string): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: limits.bytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new UsageError(`${what} has more than ${limits.bytes >> 20} MiB unpacked`);
    throw new UsageError(`${what} is no gzip that can be read: ${(error as Error).message}`);
  }
}

function take(entry: ReadEntry, root: ArchiveFolder, what: string): void {
  const { type } = entry;
  const parts = partsOf(entry.path, what);
  const isFile = type === 'File' || type === 'OldFile' || type === 'ContiguousFile';
  if (type === 'SymbolicLink' || parts.length === 0) return;
  if (!isFile && type !== 'Directory' && type !== 'GNUDumpDir')
    throw new UsageError(`${what} has an entry that is neither file nor folder: "${entry.path}" (${type})`);
  const name = parts.at(-1) as string;
  let folder = root;
  for (const part of isFile ? parts.slice(0, -1) : parts) folder = below(folder, part, entry.path, what);
  if (!isFile) return;
  if (folder.get(name) instanceof Map) throw twoThings(entry.path, what);
  const pieces: Buffer[] = [];
  folder.set(name, new Uint8Array());
  entry.on('data', (piece: Buffer) => pieces.push(piece));
  // All is one buffer, so that a file is mostly one piece of it, which is not copied.
  entry.on('end', () => folder.set(name, pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
}

function below(folder: ArchiveFolder, part: string, path: string, what: string): ArchiveFolder {
  const found = folder.get(part);
  if (found !== undefined && !(found instanceof Map)) throw twoThings(path, what);
  const next: ArchiveFolder = found ?? new Map();
  folder.set(part, next);
  return next;
}

function twoThings(path: string, what: string): UsageError {
  return new UsageError(`${what} has "${path}" as a file and as a folder`);
}

/** The parser puts U+FFFD where bytes are not UTF-8, so that two names become one. */
function partsOf(path: string, what: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\\') || path.includes('\ufffd') || parts.includes('..'))
    throw new UsageError(`${what} has a name that is not allowed in an artifact: "${path}"`);
  if (path.length > limits.path || parts.length > limits.depth)
    throw new UsageError(`${what} has a path of more than ${limits.path} characters or ${limits.depth} folders`);
  return parts;
}
