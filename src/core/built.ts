/**
 * What is run is what was built: `dist/checksums.sha256` has the SHA-256 of each file of `dist/`, as `sha256sum` prints it, and a file
 * is held against it before it is loaded. It finds a file that was damaged, left over or edited by hand, in an installation or in a clone. Whether
 * the list itself is that of a release is what the attestation of the package says (docs/releases.md).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const checksumsFile = 'checksums.sha256';

/** A file of the linter's own is not the one that was built: what it would say counts for nothing. The message is a sentence. */
export class ChangedFileError extends Error {
  override name = 'ChangedFileError';

  constructor(file: string, why: string) {
    super(
      `dist/${file} ${why}; install customizer-lint again, or in a clone run "git checkout -- dist" or "npm run build"`,
    );
  }
}

/** Why a stage could not do its work, which the report goes on without; a file that was changed ends the run. */
export function whyNotRun(error: unknown): string {
  if (error instanceof ChangedFileError) throw error;
  return (error as Error).message;
}

/** By the path of `dist`. */
const lists = new Map<string, ReadonlyMap<string, string>>();

/** The SHA-256 of what was built, by the path below `dist`, with slashes. Throws a `ChangedFileError` where there is no list. */
export function builtFiles(dist: string): ReadonlyMap<string, string> {
  const known = lists.get(dist);
  if (known) return known;
  const sums = new Map<string, string>();
  for (const line of textOf(dist).split('\n')) {
    const at = line.indexOf('  ');
    if (at > 0) sums.set(line.slice(at + 2), line.slice(0, at));
  }
  lists.set(dist, sums);
  return sums;
}

function textOf(dist: string): string {
  try {
    return readFileSync(join(dist, checksumsFile), 'utf8');
  } catch (error) {
    throw new ChangedFileError(checksumsFile, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The bytes of a file below `dist`, where they are those that were built. Throws a `ChangedFileError`, and what `readFileSync` throws. */
export function readBuilt(dist: string, file: string): Buffer {
  const bytes = readFileSync(join(dist, file));
  compare(dist, file, bytes);
  return bytes;
}

function compare(dist: string, file: string, bytes: Buffer): void {
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (builtFiles(dist).get(file) !== sum) throw new ChangedFileError(file, 'is not the file that was built');
}
