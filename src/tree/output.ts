/**
 * The files that the linter writes: reports, baselines, snapshots and edited manifests. A change can bring a symbolic link of any name, so
 * below the root of the repository none is followed.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { UsageError } from '../core/model.js';
import { reasonOf } from '../core/unreadable.js';
import { repositoryAbove } from './repository.js';

/** The folder below which files come from a change: the repository, or without git the current directory, if it holds the other. */
export function outputRoot(directory: string): string {
  const repository = repositoryAbove(directory)?.workTree;
  if (repository !== undefined) return repository;
  const [current, own] = [process.cwd(), resolve(directory)];
  return isBelow(realOf(own) ?? own, realOf(current) ?? current) ? current : own;
}

/**
 * Writes a file that the user has named. Below the root it is written beside and renamed, and a `UsageError` is thrown if a part of the
 * path is a link; elsewhere the path is the user's own, and may be a link or a device.
 */
export function writeOutput(file: string, text: string, root: string): void {
  try {
    // git has no devices and no pipes, so one that is there is the user's own.
    if (checkedParts(file, root).length === 0 || isSpecial(file)) writeFileSync(file, text);
    else replaceFile(resolve(file), text, modeOf(file));
  } catch (error) {
    if (error instanceof UsageError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`"${file}" cannot be written: ${reasonOf(error)}`);
  }
}

/** Throws a `UsageError` if a part of the path below the root is a link. */
export function requireNoLink(file: string, root: string): void {
  checkedParts(file, root);
}

/** What the name of a file ends with while it is written: random digits of this number, and this. */
const [randomLength, ending] = [12, '.customizer-lint'];

/** The path that a file beside it is renamed to; the path itself if it is none of those. */
export function finalPath(path: string): string {
  return path.endsWith(ending) ? path.slice(0, -ending.length - randomLength - 1) : path;
}

/** Writes a file that no other process sees in part. What its name was before is replaced, also if that was a link. */
export function replaceFile(path: string, text: string, mode = 0o644): void {
  const beside = `${path}.${randomBytes(randomLength / 2).toString('hex')}${ending}`;
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(beside, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode);
  try {
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** The parts of the path below the root, from the first; none if the path leads elsewhere. */
function checkedParts(file: string, root: string): string[] {
  const parts = partsBelow(resolve(file), realOf(root) ?? resolve(root));
  const link = parts.find((part) => lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link === undefined) return parts;
  const through = link === resolve(file) ? 'is a symbolic link' : `leads through the symbolic link "${nameOf(link)}"`;
  throw new UsageError(`"${file}" ${through}, so nothing is written there`);
}

/** Begins below the first folder on the way that is in the root: links above it are the user's own. */
function partsBelow(path: string, root: string): string[] {
  const all = [path];
  for (let at = path; dirname(at) !== at; at = dirname(at)) all.unshift(dirname(at));
  const first = all.findIndex((folder) => isBelow(realOf(folder) ?? '', root));
  return first < 0 ? [] : all.slice(first + 1);
}

function isSpecial(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink();
}

/** The mode of the file that is replaced. */
function modeOf(file: string): number | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw new UsageError(`"${file}" is not a regular file, so nothing is written there`);
  return stat && stat.mode & 0o777;
}

/** The path of the directory from the root of its repository, as git hosts know it; with a slash at its end unless it is the root. */
export function repositoryPrefix(directory: string): string {
  return wayTo(directory, outputRoot(directory));
}

/** The path of the directory from the current one; empty if it lies elsewhere. */
export function currentPrefix(directory: string): string {
  return wayTo(directory, process.cwd());
}

function wayTo(directory: string, from: string): string {
  const [start, end] = [from, directory].map((path) => realOf(path) ?? resolve(path)) as [string, string];
  return isBelow(end, start) && end !== start ? `${relative(start, end).split(sep).join('/')}/` : '';
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function nameOf(path: string): string {
  return relative('', path).split(sep).join('/');
}
