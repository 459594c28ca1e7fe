/** Writes what was edited: whole files, one after the other, each at once or not at all. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { UsageError } from '../core/model.js';
import { replaceFile } from '../tree/output.js';

/** `before` is undefined for a file that must not be there yet. */
export type Rewrite = { file: string; before: Uint8Array | undefined; after: string };

/**
 * Nothing is written where one of the files is not what was read, is no regular file, or lies behind a link: a `UsageError`
 * says which.
 */
export function writeAll(directory: string, rewrites: readonly Rewrite[]): void {
  const root = realpathSync(directory);
  const modes = rewrites.map((rewrite) => modeOf(root, rewrite));
  for (const [index, { file, after }] of rewrites.entries()) {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, after, modes[index]);
  }
}

/** The permissions to keep. */
function modeOf(root: string, { file, before }: Rewrite): number | undefined {
  const path = join(root, file);
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  if (realpathSync(folder) !== folder || !`${folder}${sep}`.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
    throw new UsageError(`"${file}" lies behind a symbolic link; nothing was written`);
  if (before === undefined) {
    if (lstatSync(path, { throwIfNoEntry: false })) throw changed(file);
    return undefined;
  }
  const { mode, content } = readRegular(path) ?? {};
  if (mode === undefined || !content || Buffer.compare(content, before) !== 0) throw changed(file);
  return mode;
}

function readRegular(path: string): { mode: number; content: Buffer } | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() ? { mode: stats.mode & 0o7777, content: readFileSync(file) } : undefined;
  } finally {
    closeSync(file);
  }
}

function changed(file: string): UsageError {
  return new UsageError(`"${file}" was changed by somebody else in the meantime; nothing was written`);
}
