/** The job summary. */

import { codeSpan, fence, markdownText } from '../core/escape.js';
import { type Effects, type Finding, type Location, type Run, severities } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import { diffMarkdown, totals } from './diff.js';
import { type Frame, framesOf } from './frame.js';
import type { ReportOptions } from './options.js';
import {
  effectWords,
  factWords,
  headline,
  messageWords,
  placeWords,
  plural,
  sections,
  seenFrom,
  upstreamWords,
} from './summary.js';

type Files = NonNullable<ReportOptions['files']>;

/** GitHub drops a summary of more than 1 MiB as a whole (github/FACTS.md, Limits); the rest is left to others in the step. */
const maxBytes = 900 * 1024;
/** Of these, for what the merge would do. */
const maxEffects = 200 * 1024;
/** GitHub draws no larger picture. */
const maxGraph = 50_000;
const maxRelated = 20;

export function markdown(run: Run, options: ReportOptions): string {
  const words = run.untouched ? markdownText(headline(run)) : headline(run);
  const head = `## ${run.tool.name}: ${words}`;
  const rest = options.quiet ? [] : sections(run).map(({ title, items }) => list(title, items));
  const effects = run.diffs ? simulated(run) : allEffects(run.effects ?? []);
  if (run.findings.length === 0)
    return `${[head, ...effectLine(run), ...folded(run, [...effects, ...rest])].join('\n\n')}\n`;
  const tail = [...effects, ...rest];
  const fixed = [head, ...tail].reduce((sum, block) => sum + bytesOf(block), 0);
  const { blocks, left } = findingBlocks(run, options, maxBytes - fixed);
  const cut = left > 0 ? [`**${plural(left, 'more finding')} in the log.**`] : [];
  return `${[head, ...blocks, ...cut, ...tail].join('\n\n')}\n`;
}

/** A clean run is told in three lines; whoever wants to know more opens the last. */
function effectLine({ effects = [], diffs }: Run): string[] {
  if (diffs) return [`The merge: ${totals(diffs.flatMap(({ objects }) => objects)).replace('Nothing', 'nothing')}.`];
  const count = (kind: 'created' | 'changed' | 'deleted' | 'left') =>
    effects.reduce((sum, one) => sum + one[kind].length, 0);
  const kinds = ['created', 'changed', 'deleted'] as const;
  const words = kinds.flatMap((kind) => (count(kind) > 0 ? [`${count(kind)} ${kind}`] : []));
  const left = count('left') > 0 ? [`${count('left')} left behind`] : [];
  if (effects.length === 0) return [];
  return [`The merge: ${[...words, ...left].join(', ') || 'no object changes'}.`];
}

function folded(run: Run, blocks: string[]): string[] {
  if (blocks.length === 0) return [];
  const titles = sections(run).map(({ title, items }) => `${title.toLowerCase()} ${items.length}`);
  const summary = titles.length > 0 ? titles.join(' · ') : 'More';
  return [`<details><summary>${summary}</summary>\n\n${blocks.join('\n\n')}\n\n</details>`];
}

/** Worst first, each severity under a heading, until the room is used up. */
function findingBlocks(run: Run, options: ReportOptions, room: number): { blocks: string[]; left: number } {
  const frames = framesOf(run, options.width ?? 100);
  const urls = new Map((options.rules ?? []).map(({ id, url }) => [id, url]));
  const blocks: string[] = [];
  let used = 0;
  let shown = 0;
  const findings = worstFirst(run.findings);
  for (const severity of severities) {
    const group = findings.filter((finding) => finding.severity === severity);
    if (group.length > 0) blocks.push(`### ${plural(group.length, severity)}`);
    for (const finding of group) {
      const block = findingBlock(run, finding, frames, { url: urls.get(finding.rule), files: options.files ?? {} });
      used += bytesOf(block);
      if (used > room) return { blocks, left: findings.length - shown };
      blocks.push(block);
      shown += 1;
    }
  }
  return { blocks, left: 0 };
}

function findingBlock(
  run: Run,
  finding: Finding,
  frames: (at: Location) => Frame | undefined,
  { url, files }: { url: string | undefined; files: Files },
): string {
  const rule = url ? `[${codeSpan(finding.rule)}](${url})` : codeSpan(finding.rule);
  const wholeFile = finding.precision === 'file';
  const words = placeWords(run, finding).map((word) => `(${word})`);
  const state = finding.isNew === undefined ? [] : [finding.isNew ? 'new' : 'not new'];
  const where = [linked(finding.at, wholeFile, files), ...words].join(' ');
  const frame = wholeFile ? undefined : frames(finding.at);
  const others = finding.related.length - maxRelated;
  return [
    `**${markdownText(messageWords(finding))}**`,
    [where, rule, ...state].join(' · '),
    ...(frame ? [fence(frameLines(frame, '^'))] : []),
    ...finding.related.slice(0, maxRelated).map(({ at, message }) => relatedBlock(at, message, frames(at))),
    ...(others > 0 ? [`and ${plural(others, 'more place')}`] : []),
    ...(finding.help ? [`Help: ${markdownText(finding.help)}`] : []),
    ...upstreamWords(finding).map(markdownText),
    ...notes(run, finding),
  ].join('\n\n');
}

function relatedBlock(at: Location, message: string, frame: Frame | undefined): string {
  const side = at.revision === 'base' ? ' (before this change)' : '';
  const head = `${placeSpan(at, false)}${side}: ${markdownText(message)}`;
  return frame ? `${head}\n\n${fence(frameLines(frame, '-'))}` : head;
}

function notes(run: Run, finding: Finding): string[] {
  const seen = seenFrom(run, finding);
  const lines = [
    ...(seen.length > 0 ? [`Seen from ${seen.map(codeSpan).join(', ')}`] : []),
    ...finding.assumes.map((fact) => `Assumes ${markdownText(factWords(fact))}`),
  ];
  return lines.length > 0 ? [lines.join(' · ')] : [];
}

function placeSpan({ file, range }: Location, wholeFile: boolean): string {
  return codeSpan(wholeFile ? file : `${file}:${range.start.line}:${range.start.column}`);
}

/** To the line as it is shown on the web; a name from the repository stands in the address as codes alone. */
function linked(at: Location, wholeFile: boolean, files: Files): string {
  const root = files[at.revision];
  const span = placeSpan(at, wholeFile);
  if (root === undefined) return span;
  const path = at.file.split('/').map(encodeSegment).join('/');
  return `[${span}](${root}${path}${wholeFile ? '' : `#L${at.range.start.line}`})`;
}

function encodeSegment(name: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd')).replace(/[!'()*~]/g, hex);
}

function frameLines({ line, code, pad, marks }: Frame, mark: string): string[] {
  const gutter = ' '.repeat(String(line).length);
  return [`${line} | ${code}`, `${gutter} | ${pad}${mark.repeat(marks)}`];
}

/** By cluster, as many as there is room for. */
function allEffects(effects: Effects[]): string[] {
  const blocks: string[] = [];
  let used = 0;
  for (const [index, one] of effects.entries()) {
    const more = effectBlocks(one);
    used += more.reduce((sum, block) => sum + bytesOf(block), 0);
    if (used > maxEffects)
      return [
        ...blocks,
        `**What the merge would do** in ${plural(effects.length - index, 'more cluster')} is left out.`,
      ];
    blocks.push(...more);
  }
  return blocks;
}

/** And the Packages that are touched. */
function simulated({ diffs = [], effects = [] }: Run): string[] {
  return [...diffMarkdown(diffs, maxEffects), ...effects.flatMap(({ graph }) => picture(graph))];
}

function picture(graph: string | undefined): string[] {
  if (!graph || graph.length > maxGraph) return [];
  return [fence(graph.trimEnd().split('\n'), 'mermaid')];
}

/** What is taken from other managers of the same fields nobody can tell from files. */
function effectBlocks(effects: Effects): string[] {
  const lines = effectWords(effects);
  if (lines.length === 0) return [];
  const where = effects.cluster === undefined ? '' : ` in ${codeSpan(effects.cluster)}`;
  const head = `**What the merge would do**${where}`;
  const items = [
    ...lines.map(({ title, items }) => `- ${title}: ${items.map(codeSpan).join(', ')}`),
    '- what it takes from other field managers: not simulated',
  ];
  return [[head, items.join('\n')].join('\n\n'), ...picture(effects.graph)];
}

function list(title: string, items: string[]): string {
  return [`**${title}**`, items.map((item) => `- ${markdownText(item)}`).join('\n')].join('\n\n');
}

/** With the blank line that follows a block. */
function bytesOf(block: string): number {
  return Buffer.byteLength(block) + 2;
}
