/** Where a finding can be shown by what knows the files of one commit alone: code scanning and GitLab. */
import { posix } from 'node:path';
import { kustomizationsIn } from '../core/kustomization.js';
import type { Finding, Location, Run } from '../core/model.js';
import { linesOf } from '../secrets/file.js';

/**
 * The place itself where it is of the head. For one of the base: a related place of the head, else the line with that number in
 * the file, or its last one, else the first line of the nearest kustomization above the file, which listed it. Where none is there
 * it stays that of the base.
 */
export function headPlace({ sources }: Pick<Run, 'sources'>, { at, related }: Finding): Location {
  if (at.revision === 'head') return at;
  const other = related.find(({ at }) => at.revision === 'head' && sources.has('head', at.file));
  if (other) return other.at;
  if (sources.has('head', at.file)) return sameLine(at, sources.text('head', at.file));
  const listing = kustomizationsAbove(at.file).find((file) => sources.has('head', file));
  return listing === undefined ? at : lineOf(listing, 1, sources.text('head', listing));
}

function sameLine(at: Location, text: string | undefined): Location {
  if (text === undefined) return { ...at, revision: 'head' };
  // What follows the last line end is no line.
  const last = linesOf(text.replace(/\r?\n$/, '')).length;
  return lineOf(at.file, Math.min(at.range.start.line, last), text);
}

function lineOf(file: string, line: number, text: string | undefined): Location {
  const length = text === undefined ? 0 : (linesOf(text)[line - 1] ?? '').length;
  return { revision: 'head', file, range: { start: { line, column: 1 }, end: { line, column: length + 1 } } };
}

function kustomizationsAbove(file: string): string[] {
  const folder = posix.dirname(file);
  const here = kustomizationsIn(folder);
  return folder === '.' ? here : [...here, ...kustomizationsAbove(folder)];
}

/** `line 7 of apps/db.yaml before this change`: what the place shown does not say; nothing for one of the head. */
export function baseWords({ file, range, revision }: Location, shown: Location): string[] {
  if (revision === 'head') return [];
  const of = file === shown.file ? '' : ` of ${file}`;
  const when = revision === 'base' ? 'before this change' : 'as merged with the base branch';
  return [`line ${range.start.line}${of} ${when}`];
}
