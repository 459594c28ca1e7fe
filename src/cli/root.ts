/** Where the repository begins, and which of its files are asked about. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { configFile } from '../config/config.js';
import { printable } from '../core/escape.js';
import { UsageError } from '../core/model.js';
import { slashed } from '../tree/names.js';
import { type Arguments, unknownCommand } from './arguments.js';
import { type CommandName, type CommandOptions, commands } from './options.js';
import type { Program } from './program.js';

/** What a command is called with. */
export type Call = Arguments & {
  /** The root of the repository. */
  directory: string;
  /** From the root, with slashes: the only files that are asked about; none stands for all. */
  files: string[];
};

/**
 * The root that is named, or the one that the files or the current directory are in. Of the latter standard error is told where it is
 * another directory. Throws a `UsageError` for a command that is misspelt.
 */
export function located(args: Arguments, program: Program): Call {
  const { command, directory, operands, values } = args;
  if (directory !== undefined) return { ...args, directory, files: [] };
  const [only = '', ...more] = command === 'check' ? operands : [];
  if (only !== '' && !existsSync(only)) throw new UsageError(notThere(args, only));
  if (only !== '' && isFolder(only)) {
    if (more.length > 0) throw new UsageError(`one directory at a time: "${only}" or "${more[0]}"?`);
    return { ...args, directory: only, files: [] };
  }
  const files = command === 'check' ? operands : [];
  const found = looksForRoot(command) ? rootOf(files) : undefined;
  const root = found?.directory ?? '.';
  if (found && root !== '.' && !values.quiet)
    program.stderr.write(`customizer-lint: the root is ${printable(root)}, ${found.why}\n`);
  return { ...args, directory: root, files: files.map((file) => below(root, file, found !== undefined)) };
}

/** `audit` may be run anywhere, and some commands read no repository. */
function looksForRoot(command: CommandName): boolean {
  const { renders }: CommandOptions = commands[command];
  return renders === true && command !== 'audit';
}

function notThere({ isNamed }: Arguments, word: string): string {
  if (!isNamed && /^[a-z]+$/.test(word)) return unknownCommand(word);
  return `"${word}" does not exist`;
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

/** Throws for a file that is not in the repository. */
function below(root: string, file: string, isRepository: boolean): string {
  const path = slashed(relative(resolve(root), resolve(file)));
  // On another drive it is as it was.
  if (!path.startsWith('../') && path !== slashed(resolve(file))) return path;
  throw new UsageError(
    isRepository
      ? `"${file}" is not in the repository, which begins at ${root}`
      : `"${file}" is in no repository; name the directory to check in its place`,
  );
}

/** From this directory, and how it is known. */
type Root = { directory: string; why: string };

/**
 * That of the files, wherever they are; without files, or where they are in none, that of the current directory; undefined where that is in
 * none either. Throws for what is no file, and for files of two repositories.
 */
function rootOf(files: readonly string[]): Root | undefined {
  let first: { file: string; root: Root } | undefined;
  for (const file of files) {
    if (!existsSync(file)) throw new UsageError(`"${file}" does not exist`);
    if (isFolder(file)) throw new UsageError(`a directory or files: "${file}" is a directory`);
    const root = rootAbove(dirname(resolve(file)));
    if (!root) continue;
    first ??= { file, root };
    const where = (one: string, { directory }: Root) => `"${one}" is in that which begins at ${directory}`;
    if (root.directory !== first.root.directory)
      throw new UsageError(`one repository at a time: ${where(first.file, first.root)}, ${where(file, root)}`);
  }
  return first?.root ?? rootAbove(process.cwd());
}

/** Undefined where it is in no repository. */
function rootAbove(start: string): Root | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    const why = signOf(directory);
    if (why !== undefined) return { directory: relative(process.cwd(), directory) || '.', why };
    if (dirname(directory) === directory) return undefined;
  }
}

/** A configuration counts only of a directory of the user's own, as anybody may write into one above. */
function signOf(directory: string): string | undefined {
  const { uid } = statSync(directory);
  const isOwn = uid === (process.getuid?.() ?? uid);
  if (isOwn && existsSync(join(directory, configFile))) return `which has ${configFile}`;
  return existsSync(join(directory, '.git')) ? 'of the git repository' : undefined;
}
