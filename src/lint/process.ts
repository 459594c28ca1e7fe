/** What both edges promise of their process: a sentence and exit status 2 where the work, or saying what came of it, fails. */

import { printable } from '../core/escape.js';
import { sentenceOf } from './errors.js';

/** `status` 2, whatever else is decided later. */
export const cannot = 2;

/** `say` writes one failure for a person. To be called first of all. */
export function guardProcess(say: (error: unknown) => void): void {
  const failed = (error: unknown) => {
    process.once('exit', () => {
      process.exitCode = cannot;
    });
    say(error);
  };
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => {});
    // A reader that has seen enough (`| head`) is nobody's failure: the verdict stands.
    if (error.code !== 'EPIPE') failed(error);
  });
  process.stderr.on('error', () => {});
  process.once('uncaughtException', (error) => {
    failed(error);
    process.exit(cannot);
  });
}

/** Neither wrong usage nor a bug of ours may look like "clean" or like "findings", nor like each other. */
export function formatFatal(error: unknown, bug: () => string): string {
  const sentence = sentenceOf(error);
  if (sentence !== undefined) return printable(sentence);
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${bug()}\n${trace.split('\n').map(printable).join('\n')}`;
}
