/**
 * Names of files, which are bytes to git and to Linux. What is no path in everybody's eyes is refused: two readers that
 * disagree about a name see two different repositories.
 */
import { isUtf8 } from 'node:buffer';
import { UnreadableError } from '../core/unreadable.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The NUL-separated records of a `-z` output. Throws an `UnreadableError` where one is not UTF-8; `where` is for the message, and
 * `nameIn` gives a record's name, or undefined for a record that nobody wants.
 */
export function records(
  output: Buffer,
  where: string,
  nameIn: (record: Buffer) => Buffer | undefined = (record) => record,
): string[] {
  if (isUtf8(output)) return output.toString('utf8').split('\0').filter(Boolean);
  const found: string[] = [];
  for (let start = 0; start < output.length; ) {
    const zero = output.indexOf(0, start);
    const end = zero < 0 ? output.length : zero;
    const record = output.subarray(start, end);
    const name = nameIn(record);
    if (name !== undefined) decodeName(name, where);
    if (name !== undefined && record.length > 0) found.push(record.toString());
    start = end + 1;
  }
  return found;
}

/** Throws an `UnreadableError` for bytes that are not UTF-8. */
export function decodeName(bytes: Buffer, where: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableError(`the name "${escaped(bytes)}" in ${where} is not UTF-8; rename the file`);
  }
}

/** Throws an `UnreadableError` for a path that is none: it would lead elsewhere, or to git's own files. */
export function requirePath(path: string, where: string, windows = process.platform === 'win32'): void {
  const reason = reasonAgainst(path, windows);
  if (reason) throw new UnreadableError(`the name "${path}" in ${where} ${reason}; no repository may have it`);
}

/** A path as somebody has typed it, with the slashes of git. Elsewhere than on Windows a backslash is a character of a name. */
export function slashed(path: string, windows = process.platform === 'win32'): string {
  return windows ? path.replaceAll('\\', '/') : path;
}

/** No two entries may share a path, nor may a file be where others have a folder. */
export class Names {
  readonly #entries = new Set<string>();
  readonly #folders = new Set<string>();

  constructor(private readonly where: string) {}

  /** Throws an `UnreadableError` for what is no path, or is one already. */
  add(path: string): void {
    requirePath(path, this.where);
    if (this.#entries.has(path)) this.#refuse(path);
    this.#entries.add(path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
    }
  }

  /** To be called when all are added. */
  check(): void {
    for (const folder of this.#folders) if (this.#entries.has(folder)) this.#refuse(folder);
  }

  #refuse(path: string): never {
    throw new UnreadableError(`${this.where} has two entries of the name "${path}"`);
  }
}

function reasonAgainst(path: string, windows: boolean): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'holds a NUL';
  if (windows && /[\\:]/.test(path)) return 'holds a character that leads elsewhere on Windows';
  for (const segment of path.split('/')) {
    if (segment === '') return 'has an empty segment';
    if (segment === '.' || segment === '..') return `has the segment "${segment}"`;
    if (segment.split('\\').some(isDotGit)) return 'leads to the folder of git';
  }
  return undefined;
}

/** Characters that HFS+ leaves out of a name (git, utf8.c `next_hfs_char`). */
const leftOut = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** As `git fsck` decides (`hasDotgit`), which GitHub asks at every push: spellings that HFS+ or NTFS take for `.git` count. */
function isDotGit(segment: string): boolean {
  if (segment.replace(leftOut, '').toLowerCase() === '.git') return true;
  let name = segment.split(':', 1)[0] as string;
  while (name.endsWith('.') || name.endsWith(' ')) name = name.slice(0, -1);
  return ['.git', 'git~1'].includes(name.toLowerCase());
}

/** Bytes that are not printable ASCII as `\xff`. */
function escaped(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}
