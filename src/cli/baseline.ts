/** `--baseline` and `--write-baseline`: the file of findings with which an old repository begins. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { printable } from '../core/escape.js';
import { UsageError } from '../core/model.js';
import { Baseline } from '../lint/baseline.js';
import type { RunOptions } from '../lint/run.js';
import { plural } from '../report/summary.js';
import { outputRoot, writeOutput } from '../tree/output.js';
import type { Program } from './program.js';
import type { Call } from './root.js';

/** Throws a `UsageError` for a file that is not there, or is no baseline. */
export function baselineIn(file: string | undefined): Pick<RunOptions, 'baseline'> {
  if (file === undefined) return {};
  try {
    return { baseline: Baseline.read({ file, text: readFileSync(file, 'utf8') }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist; --write-baseline writes it' : message;
    throw new UsageError(`--baseline ${file}: ${code === undefined ? `the file ${why}` : why}`);
  }
}

/**
 * `finish` writes what the run has given, once all of it is done. Throws a `UsageError` for options that leave findings out: what is
 * not in the file counts.
 */
export function startBaseline({ directory, files, values }: Call, { stdout }: Program) {
  const narrowing = (['select', 'ignore', 'severity', 'base'] as const).find((name) => values[name] !== undefined);
  if (narrowing !== undefined) throw new UsageError(`--write-baseline takes all findings: leave out --${narrowing}`);
  if (files.length > 0) throw new UsageError('--write-baseline takes all findings: name no files');
  let taken = { text: '', count: 0, configured: undefined as string | undefined };
  const writeBaseline: RunOptions['writeBaseline'] = (text, count, configured) => {
    taken = { text, count, configured };
  };
  const finish = (): number => {
    const { text, count, configured } = taken;
    const file = values.baseline ?? (configured === undefined ? undefined : below(directory, configured));
    if (file === undefined)
      throw new UsageError('--write-baseline needs --baseline FILE, or baseline: FILE in the configuration');
    writeOutput(file, text, outputRoot(directory));
    stdout.write(`${plural(count, 'finding')} written to ${printable(file)}\n`);
    if (configured === undefined)
      stdout.write('To have them accepted in every run, set baseline: FILE in .customizer-lint.yaml\n');
    return 0;
  };
  return { options: { writeBaseline }, finish };
}

function below(directory: string, file: string): string {
  const path = join(directory, file);
  if (relative(resolve(directory), resolve(path)).startsWith('..'))
    throw new UsageError(`baseline: "${file}" is not in the repository`);
  return path;
}
