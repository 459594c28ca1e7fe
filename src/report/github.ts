/** Annotations, as workflow commands on standard output. */

import { escapeData, escapeProperty, printable, shorten } from '../core/escape.js';
import { type Finding, type Run, type Severity, severities } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import type { ReportOptions } from './options.js';
import { factWords, headline, messageWords, placeWords, plural, sections, seenFrom, upstreamWords } from './summary.js';

/** What the runner shows of each level for a step, and keeps of a message (github/FACTS.md, Limits). */
const perLevel = 10;
const maxMessage = 4096;
const maxTitle = 255;

export function github(run: Run, { annotationLimit = perLevel, shown: elsewhere, onlyNew }: ReportOptions): string {
  const counting = run.findings.filter(({ isNew }) => !onlyNew || isNew !== false);
  const ordered = worstFirst(counting).filter(({ fingerprint }) => !elsewhere?.has(fingerprint));
  const shown = severities.flatMap((severity) => {
    // The last notice is ours: it says what else there is.
    const room = severity === 'notice' ? annotationLimit - 1 : annotationLimit;
    return ordered.filter((finding) => finding.severity === severity).slice(0, Math.max(0, room));
  });
  const commands = [
    ...shown.map((finding) => annotation(run, finding)),
    ...lastNotice(run, ordered.length - shown.length),
  ];
  return commands.map((command) => `${command}\n`).join('');
}

function annotation(run: Run, finding: Finding): string {
  const seen = seenFrom(run, finding);
  const place = placeWords(run, finding);
  const { file, range } = finding.at;
  const where = isShown(finding.at) ? place : [`${file}:${range.start.line}`, ...place];
  const message = [
    where.length > 0 ? `${messageWords(finding)} (${where.join('; ')})` : messageWords(finding),
    ...(finding.help ? [`help: ${finding.help}`] : []),
    ...upstreamWords(finding),
    ...(seen.length > 0 ? [`seen from: ${seen.join(', ')}`] : []),
    ...finding.assumes.map((fact) => `assumes: ${factWords(fact)}`),
    ...finding.related.map(({ at, message }) => `${at.file}:${at.range.start.line}: ${message}`),
  ];
  return command(finding.severity, { ...properties(finding), title: finding.rule }, message);
}

/** A line of the base is in no file that GitHub shows, and a name that nobody sees in full is better said in words. */
function isShown({ revision, file }: Finding['at']): boolean {
  return revision === 'head' && printable(file) === file;
}

function properties({ at, precision }: Finding): Record<string, string | number> {
  if (!isShown(at)) return {};
  if (precision === 'file') return { file: at.file };
  const { start, end } = at.range;
  if (start.line === end.line) {
    return { file: at.file, line: start.line, endLine: end.line, col: start.column, endColumn: end.column };
  }
  // GitHub takes no columns for a range of several lines. An end before a line's first character excludes that line.
  return { file: at.file, line: start.line, endLine: end.column === 1 ? end.line - 1 : end.line };
}

/** What a reader must not take for checked; the rest is in the summary and the log. */
const missing = ['Not rendered', 'Not checked', 'Not run'];

/** None where every finding is shown and everything was checked. */
function lastNotice(run: Run, left: number): string[] {
  const more = left > 0 ? [`${plural(left, 'more finding')} in the job summary and the log`] : [];
  const unsaid = sections(run, { onWeb: true }).filter(({ title }) => missing.includes(title));
  if (left === 0 && unsaid.length === 0) return [];
  const said = unsaid.map(({ title, items }) => `${title}: ${items.join(' · ')}`);
  return [command('notice', { title: run.tool.name }, [headline(run), ...more, ...said])];
}

function command(level: Severity, properties: Record<string, string | number>, lines: string[]): string {
  const pairs = Object.entries(properties).map(([key, value]) => {
    const text = key === 'title' ? printable(shorten(String(value), maxTitle)) : String(value);
    return `${key}=${escapeProperty(text)}`;
  });
  const message = shorten(lines.map(printable).join('\n'), maxMessage);
  return `::${level} ${pairs.join(',')}::${escapeData(message)}`;
}
