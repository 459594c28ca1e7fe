/** A fix as a reviewer can offer it: lines that take the place of other lines. */
import type { Fix } from '../core/model.js';
import { applyEdits } from '../yaml/text-edits.js';

/** Lines from 1, both ends included; an empty replacement where they are taken out. */
export type Suggestion = { file: string; startLine: number; endLine: number; replacement: string[] };

/**
 * Undefined where it takes more than one range of lines in one file, or a file that is not there (`source` is the text of the
 * file). What is only put in comes with the line before it, as a suggestion has to take the place of something.
 */
export function suggestionOf(fix: Fix, source: string | undefined): Suggestion | undefined {
  const [first, ...others] = fix.edits;
  if (!first || source === undefined || others.some(({ at }) => at.file !== first.at.file)) return undefined;
  const eol = /\r?\n/.exec(source)?.[0] ?? '\n';
  const lines = source.split(/\r?\n/);
  const ended = lines.at(-1) === '';
  const count = ended ? lines.length - 1 : lines.length;
  const touched = fix.edits.map(({ at: { range } }) => ({
    start: range.start.line,
    // An end at the begin of a line leaves that line as it is.
    end: range.end.column === 1 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line,
    isInsertion: range.start.line === range.end.line && range.start.column === 1 && range.end.column === 1,
  }));
  let { start, end } = { start: Number.POSITIVE_INFINITY, end: 0 };
  for (const one of touched) {
    const from = one.isInsertion ? Math.max(1, one.start - 1) : one.start;
    const to = one.isInsertion ? from : one.end;
    if (end > 0 && from > end + 1) return undefined;
    start = Math.min(start, from);
    end = Math.max(end, to);
  }
  const after = applyEdits(source, fix.edits)?.split(/\r?\n/);
  if (!after || start > end || end > count) return undefined;
  const replacement = after.slice(start - 1, after.length - (lines.length - end));
  if (eol === '\r\n' && after.join(eol) !== applyEdits(source, fix.edits)) return undefined;
  return { file: first.at.file, startLine: start, endLine: end, replacement };
}
