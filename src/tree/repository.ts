/**
 * The repository that a directory belongs to. It is looked for here and not by git: git takes every folder that holds `HEAD`,
 * `objects` and `refs` for a bare repository, also one that was committed, and then does as the `config` in it says.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { unreadable } from '../core/unreadable.js';
import { gitEnvironment } from './git-environment.js';

export type Repository = {
  /** Absolute. */
  gitDirectory: string;
  /** The root of its work tree; absent for a bare one. */
  workTree?: string;
  /** The way from the root to the directory, with a slash at its end unless it is the root. */
  prefix: string;
  /** Folders of objects of other repositories, to read. */
  alternates?: readonly string[];
};

/**
 * What a folder above has as `.git`, or what that file names: git never takes an entry of this name out of a commit, so neither
 * is a change's own. Undefined where there is none, or where git does not trust it (`safe.directory`).
 */
export function repositoryOf(directory: string): Repository | undefined {
  const found = repositoryAbove(directory);
  return found && isTrusted(found) ? found : undefined;
}

/** The same, whether git trusts it or not: nothing may be asked of it. */
export function repositoryAbove(directory: string): (Repository & { workTree: string }) | undefined {
  if (!existsSync(directory)) return undefined;
  const start = realpathSync(directory);
  for (let folder = start; ; folder = dirname(folder)) {
    const entry = lookAt(join(folder, '.git'));
    const gitDirectory = entry && gitDirectoryOf(folder, entry);
    if (gitDirectory !== undefined && isGitDirectory(gitDirectory)) {
      const way = relative(folder, start).split(sep).join('/');
      return { gitDirectory, workTree: folder, prefix: way === '' ? '' : `${way}/` };
    }
    // Past a file of this name git goes no further up either.
    if (entry?.isFile() || folder === dirname(folder)) return undefined;
  }
}

/** Whether some files may be left out of the work tree on purpose; for where git cannot be asked. */
export function mayBeSparse({ gitDirectory }: Repository): boolean {
  return lookAt(join(gitDirectory, 'info', 'sparse-checkout')) !== undefined;
}

/**
 * The folder itself, or what a file names as `gitdir: PATH`, as work trees and submodules have it (gitrepository-layout). Another
 * folder of the work tree is none: there the files of a commit are.
 */
function gitDirectoryOf(folder: string, entry: Stats): string | undefined {
  const own = join(folder, '.git');
  const target = entry.isFile() ? namedIn(own) : own;
  if (target === undefined || !orUnreadable(target, () => existsSync(target))) return undefined;
  const real = realpathSync(target);
  const isInside = real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  return isInside && real !== own ? undefined : real;
}

function namedIn(file: string): string | undefined {
  const line = orUnreadable(file, () => readFileSync(file, 'utf8')).split(/\r?\n/, 1)[0] as string;
  return line.startsWith('gitdir: ') ? resolve(dirname(file), line.slice('gitdir: '.length)) : undefined;
}

/** As git itself decides (setup.c, `is_git_directory`). */
function isGitDirectory(folder: string): boolean {
  const has = (name: string) => lookAt(join(folder, name)) !== undefined;
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}

/** Its owner is who runs this, as git asks for; else git is asked, which knows `safe.directory`. */
function isTrusted({ gitDirectory, workTree }: Repository & { workTree: string }): boolean {
  const user = process.geteuid?.();
  const owners = [workTree, join(workTree, '.git'), gitDirectory].map((path) => lookAt(path)?.uid);
  if (user === undefined || owners.every((owner) => owner === user)) return true;
  const asked = spawnSync('git', ['-c', 'core.fsmonitor=false', 'rev-parse', '--absolute-git-dir'], {
    cwd: workTree,
    env: { ...gitEnvironment(), ...(process.env.SUDO_UID && { SUDO_UID: process.env.SUDO_UID }) },
    encoding: 'utf8',
    timeout: 10_000,
  });
  const answer = asked.status === 0 ? asked.stdout.replace(/\n$/, '') : '';
  return answer !== '' && realpathSync(answer) === gitDirectory;
}

function lookAt(path: string): Stats | undefined {
  return orUnreadable(path, () => lstatSync(path, { throwIfNoEntry: false }));
}

function orUnreadable<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    return unreadable(path, error);
  }
}
