/** For people, at a terminal and in a job's log. */

import { printable } from '../core/escape.js';
import type { Finding, Location, Run } from '../core/model.js';
import { findingLine } from './concise.js';
import { type Frame, framesOf } from './frame.js';
import type { ReportOptions } from './options.js';
import { type Paint, painter } from './paint.js';
import {
  brief,
  factWords,
  headline,
  messageWords,
  placeWords,
  type Section,
  sections,
  seenFrom,
  sideSuffix,
} from './summary.js';

const colors = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

export function text(
  run: Run,
  { color, quiet, verbose, lines, links, rules = [], width = 100 }: ReportOptions,
): string {
  const paint = painter(color === true);
  const frames = framesOf(run, Math.max(20, width - 10));
  const pages = new Map(links ? rules.map(({ id, url }) => [id, url]) : []);
  const blocks = lines
    ? [run.findings.map(findingLine).join('\n')].filter((block) => block !== '')
    : run.findings.map((finding) => findingBlock(run, finding, frames, { paint, page: pages.get(finding.rule) }));
  if (!quiet) blocks.push(closing(run, verbose ? sections(run) : brief(run), paint));
  return blocks.length > 0 ? `${blocks.join('\n\n')}\n` : '';
}

function findingBlock(
  run: Run,
  finding: Finding,
  frames: (at: Location) => Frame | undefined,
  { paint, page }: { paint: Paint; page: string | undefined },
): string {
  const tint = colors[finding.severity];
  const title = paint(`${finding.severity}[${linked(printable(finding.rule), page)}]`, tint, 'bold');
  const related = finding.related.map(({ at, message }) => ({ at, message, frame: frames(at) }));
  const frame = finding.precision === 'file' ? undefined : frames(finding.at);
  const last = Math.max(...[frame, ...related.map((one) => one.frame)].map((one) => one?.line ?? 1));
  const gutter = ' '.repeat(String(last).length + 1);
  const words = placeWords(run, finding);
  const suffix = words.length > 0 ? ` (${words.join('; ')})` : '';
  return [
    `${title}${paint(`: ${printable(messageWords(finding))}`, 'bold')}`,
    `${gutter}${paint('-->', 'blue')} ${place(finding.at, finding.precision === 'file')}${suffix}`,
    ...(frame ? frameLines(frame, gutter, paint, (marks) => paint('^'.repeat(marks), tint, 'bold')) : []),
    ...related.flatMap((one) => relatedLines(one, gutter, paint)),
    ...notes(run, finding).map(([word, note]) => `${gutter} ${paint('=', 'blue')} ${paint(word, 'bold')}: ${note}`),
  ].join('\n');
}

/** A link of the terminal (OSC 8). */
function linked(text: string, url: string | undefined): string {
  return url === undefined ? text : `\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`;
}

function relatedLines(
  { at, message, frame }: { at: Location; message: string; frame?: Frame | undefined },
  gutter: string,
  paint: Paint,
): string[] {
  const side = sideSuffix(at);
  const head = `${gutter}${paint('-->', 'blue')} ${place(at, false)}${side}`;
  if (!frame) return [`${head}: ${printable(message)}`];
  return [
    head,
    ...frameLines(frame, gutter, paint, (marks) => paint(`${'-'.repeat(marks)} ${printable(message)}`, 'blue')),
  ];
}

function frameLines(frame: Frame, gutter: string, paint: Paint, mark: (marks: number) => string): string[] {
  const bar = paint(`${gutter} |`, 'blue');
  const number = paint(`${String(frame.line).padStart(gutter.length)} |`, 'blue');
  return [bar, `${number} ${frame.code}`, `${bar} ${frame.pad}${mark(frame.marks)}`];
}

function place(at: Location, fileOnly: boolean): string {
  const file = printable(at.file);
  return fileOnly ? file : `${file}:${at.range.start.line}:${at.range.start.column}`;
}

function notes(run: Run, finding: Finding): [string, string][] {
  const seen = seenFrom(run, finding);
  return [
    ...(finding.help ? [['help', printable(finding.help)] as [string, string]] : []),
    ...(finding.upstream ? [[finding.upstream.program, printable(finding.upstream.text)] as [string, string]] : []),
    ...(seen.length > 0 ? [['seen from', printable(seen.join(', '))] as [string, string]] : []),
    ...finding.assumes.map((fact): [string, string] => ['assumes', printable(factWords(fact))]),
    ...(finding.isNew === false ? [['note', 'not new, the base has it too'] as [string, string]] : []),
  ];
}

function closing(run: Run, parts: readonly Section[], paint: Paint): string {
  const worst = (['error', 'warning', 'notice'] as const).find((one) => run.findings.some((it) => it.severity === one));
  const rendered = run.entrypoints.some((entrypoint) => entrypoint.rendered);
  const tint = worst ? colors[worst] : rendered ? 'green' : 'yellow';
  const width = Math.max(0, ...parts.map(({ title }) => title.length));
  const rows = parts.flatMap(({ title, items }) =>
    items.map((item, index) => {
      const label = (index === 0 ? title.toLowerCase() : '').padEnd(width);
      return `  ${paint(label, 'dim')}  ${printable(item)}`;
    }),
  );
  const more = run.findings.length > 0 ? '; customizer-lint rules ID explains a rule' : '';
  return [paint(printable(headline(run)), tint, 'bold') + more, ...(rows.length > 0 ? ['', ...rows] : [])].join('\n');
}
