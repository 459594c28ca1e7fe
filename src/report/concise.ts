/** A line for each finding, as compilers and editors know it: `file:line:column: severity rule message`. */
import { printable } from '../core/escape.js';
import type { Finding, Run } from '../core/model.js';
import type { ReportOptions } from './options.js';
import { headline, messageWords, missedStages } from './summary.js';

export function concise(run: Run, { quiet }: ReportOptions): string {
  return [...run.findings.map(findingLine), ...(quiet ? [] : [headline(run), ...undone(run)].map(printable))]
    .map((line) => `${line}\n`)
    .join('');
}

export function findingLine(finding: Finding): string {
  const { at, precision, severity, rule } = finding;
  const { line, column } = at.range.start;
  const place = precision === 'file' ? '' : `:${line}:${column}`;
  return `${fileName(at.file)}${place}: ${severity} ${printable(rule)} ${printable(messageWords(finding))}`;
}

function undone(run: Run): string[] {
  const lost = run.entrypoints.flatMap(({ path, rendered }) => (rendered ? [] : [path]));
  return [...lost.map((path) => `not rendered: ${path}`), ...missedStages(run).map((stage) => `not run: ${stage}`)];
}

/** A runner of GitHub takes a line that begins with `::` or `##[` as a command. */
function fileName(file: string): string {
  return /^[\s:#]/.test(file) ? `./${printable(file)}` : printable(file);
}
