/** Why the work could not be done: what the edges say in one sentence, with exit status 2. */

import { ChangedFileError } from '../core/built.js';
import { UsageError } from '../core/model.js';
import { reasonOf, UnreadableError } from '../core/unreadable.js';
import { Stopped } from '../engine/host/stopped.js';
import { GitError } from '../tree/git.js';

/** Errors of which the message is a sentence. */
const own = [UsageError, GitError, UnreadableError, ChangedFileError];

/** The sentence for a person; undefined for what can only be a bug of the linter. */
export function sentenceOf(error: unknown): string | undefined {
  if (own.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof Stopped && error.limit) return error.message;
  return systemSentence(error);
}

/** What the operating system refuses (a full disk, no rights, too many open files) is nobody's bug here. */
function systemSentence(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || typeof syscall !== 'string') return undefined;
  const subject = path === undefined ? `the system call "${syscall}"` : `${syscall} of "${path}"`;
  return `${subject} fails: ${reasonOf(error)}`;
}
