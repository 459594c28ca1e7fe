/** The job summary. */

import { codeSpan, fence, markdownText, printable } from '../core/escape.js';
import { type Effects, type Finding, type Location, type Run, severities } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import { ownNames, type Topic, topicsOf } from './alike.js';
import { chartsMarkdown } from './charts.js';
import { diffMarkdown } from './diff.js';
import { folded } from './folded.js';
import { type Frame, framesOf } from './frame.js';
import { type Files, placeLink } from './links.js';
import type { ReportOptions } from './options.js';
import {
  effectWords,
  factWords,
  headline,
  messageWords,
  placeWords,
  plural,
  sections,
  sectionsInWords,
  seenFrom,
  sensitiveWords,
  sideSuffix,
  upstreamWords,
  withoutCharts,
} from './summary.js';

/** GitHub drops a summary of more than 1 MiB as a whole (github/FACTS.md, Limits); the rest is left to others in the step. */
const maxBytes = 900 * 1024;
/** Of these, for what the merge would do, and again for what is to be looked at first. */
const maxEffects = 200 * 1024;
/** GitHub draws no larger picture. */
const maxGraph = 50_000;
const maxRelated = 20;
/** Of findings that say the same, in a list. */
const maxAlike = 500;

/** First the verdict, then what the merge does, then findings, then the small print. */
export function markdown(run: Run, options: ReportOptions): string {
  const words = run.untouched ? markdownText(headline(run)) : headline(run);
  const first = [
    `## ${run.tool.name}: ${words}`,
    ...sensitiveEffects(run.effects),
    ...(run.diffs ? simulated(run) : allEffects(run.effects)),
    ...chartsMarkdown(run.charts ?? [], maxEffects),
  ];
  const last = options.quiet ? [] : smallPrint(run);
  const fixed = [...first, ...last].reduce((sum, block) => sum + bytesOf(block), 0);
  return `${[...first, ...allFindings(run, options, maxBytes - fixed), ...last].join('\n\n')}\n`;
}

/** Who wants to know more opens it. */
function smallPrint(run: Run): string[] {
  const charts = withoutCharts(run);
  const said = [
    ...sections(run, { onWeb: true }),
    ...(charts.length > 0 ? [{ title: 'Not asked for', items: charts }] : []),
  ];
  const blocks = said.map(({ title, items }) => list(title, items));
  if (blocks.length === 0) return [];
  const words = sectionsInWords(run);
  return [folded(words === '' ? 'How this was checked' : `How this was checked: ${words}`, blocks)];
}

/** Those that the base has too are folded away behind the others, and get the room that these leave. */
function allFindings(run: Run, options: ReportOptions, room: number): string[] {
  const findings = worstFirst(run.findings);
  const [fresh, old] = [
    findings.filter(({ isNew }) => isNew !== false),
    findings.filter(({ isNew }) => isNew === false),
  ];
  const frames = framesOf(run, options.width ?? 100);
  const shown = findingBlocks(run, fresh, frames, options, room);
  const rest = room - shown.used - (old.length > 0 ? bytesOf(oldFindings(old, [])) : 0);
  const shownOld = findingBlocks(run, old, frames, options, rest);
  const left = shown.left + shownOld.left;
  return [
    ...shown.blocks,
    ...(shownOld.blocks.length > 0 ? [oldFindings(old, shownOld.blocks)] : []),
    ...(left > 0 ? [`**${plural(left, 'more finding')} in the log.**`] : []),
  ];
}

function oldFindings(findings: readonly Finding[], blocks: string[]): string {
  return folded(`${plural(findings.length, 'finding')} that the base has too`, blocks);
}

/** Each severity under a heading, until the room is used up. */
function findingBlocks(
  run: Run,
  findings: readonly Finding[],
  frames: (at: Location) => Frame | undefined,
  options: ReportOptions,
  room: number,
): { blocks: string[]; used: number; left: number } {
  const urls = new Map((options.rules ?? []).map(({ id, url }) => [id, url]));
  const blocks: string[] = [];
  let used = 0;
  let shown = 0;
  for (const severity of severities) {
    const group = findings.filter((finding) => finding.severity === severity);
    const heading = `### ${plural(group.length, severity)}`;
    for (const [index, { findings: same }] of topicsOf(group).entries()) {
      const links = { url: urls.get(same[0].rule), files: options.files ?? {} };
      const block = [findingBlock(run, same[0], frames, links), ...alikeBlocks(same, links.files)];
      const more = index === 0 ? [heading, ...block] : block;
      const size = more.reduce((sum, one) => sum + bytesOf(one), 0);
      if (used + size > room) return { blocks, used, left: findings.length - shown };
      used += size;
      blocks.push(...more);
      shown += same.length;
    }
  }
  return { blocks, used, left: 0 };
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
  const where = [placeLink(finding.at, wholeFile, files, placeOf(finding.at, wholeFile)), ...words].join(' ');
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

/** The others that say the same, a line each. */
function alikeBlocks([first, ...others]: Topic['findings'], files: Files): string[] {
  if (others.length === 0) return [];
  const left = others.length - maxAlike;
  const lines = others.slice(0, maxAlike).map((one) => {
    const wholeFile = one.precision === 'file';
    const side = sideSuffix(one.at);
    const help = one.help && one.help !== first.help ? `: ${markdownText(one.help)}` : '';
    const names = ownNames(first, one).map(codeSpan).join(', ');
    return `- ${placeLink(one.at, wholeFile, files, placeOf(one.at, wholeFile))}${side}${names && ` ${names}`}${help}`;
  });
  const more = left > 0 ? [`- and ${left} more in the log`] : [];
  return [folded(`The same of ${plural(others.length, 'other')}`, [[...lines, ...more].join('\n')])];
}

function relatedBlock(at: Location, message: string, frame: Frame | undefined): string {
  const side = sideSuffix(at);
  const head = `${codeSpan(placeOf(at, false))}${side}: ${markdownText(message)}`;
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

function placeOf({ file, range }: Location, wholeFile: boolean): string {
  return wholeFile ? file : `${file}:${range.start.line}:${range.start.column}`;
}

function frameLines({ line, code, pad, marks }: Frame, mark: string): string[] {
  const gutter = ' '.repeat(String(line).length);
  return [`${line} | ${code}`, `${gutter} | ${pad}${mark.repeat(marks)}`];
}

/** A list for each cluster: what a reviewer looks at before the rest of what changes. */
function sensitiveEffects(effects: readonly Effects[] = []): string[] {
  return byCluster('What to look at first', effects, (one) => {
    const lines = sensitiveWords(one).map(({ title, items }) => `- **${title}**: ${items.map(codeSpan).join(', ')}`);
    return lines.length > 0 ? [`### What to look at first${clusterWords(one)}`, lines.join('\n')] : [];
  });
}

function allEffects(effects: readonly Effects[] = []): string[] {
  const blocks = byCluster('What the merge would do', effects, effectBlocks);
  if (effects.length > 0 && blocks.length === 0) return ['### What the merge would do', 'No object changes.'];
  return blocks;
}

/** The blocks of as many clusters as there is room for. */
function byCluster(title: string, effects: readonly Effects[], blocksOf: (one: Effects) => string[]): string[] {
  const blocks: string[] = [];
  let used = 0;
  for (const [index, one] of effects.entries()) {
    const more = blocksOf(one);
    used += more.reduce((sum, block) => sum + bytesOf(block), 0);
    if (used > maxEffects)
      return [...blocks, `**${title}** in ${plural(effects.length - index, 'more cluster')} is left out.`];
    blocks.push(...more);
  }
  return blocks;
}

function clusterWords({ cluster }: Effects): string {
  return cluster === undefined ? '' : ` in ${codeSpan(cluster)}`;
}

/** And the Packages that come or go. */
function simulated({ diffs = [], effects = [] }: Run): string[] {
  return [...diffMarkdown(diffs, maxEffects), ...effects.flatMap(({ graph }) => picture(graph))];
}

function picture(graph: string | undefined): string[] {
  if (!graph || graph.length > maxGraph) return [];
  return [fence(graph.trimEnd().split('\n'), 'mermaid')];
}

/** Of more lines than these, only how many there are of a kind is shown at once. */
const maxOpen = 40;

/** GitHub colours the lines that begin with a plus or a minus. What is taken from other managers nobody can tell from files. */
function effectBlocks(effects: Effects): string[] {
  const all = effectWords(effects);
  if (all.length === 0) return [];
  const title = `### What the merge would do${clusterWords(effects)}`;
  const unknown = '  what it takes from other field managers: not simulated';
  const lines = all.flatMap(({ sign, title, items }) => [
    `  ${title}:`,
    ...items.map((item) => `${sign} ${printable(item)}`),
  ]);
  const whole = fence([...lines, unknown], 'diff');
  if (lines.length < maxOpen) return [title, whole, ...picture(effects.graph)];
  const kinds = all.map(({ sign, title }) => `${sign} ${title}`);
  return [title, fence(kinds, 'diff'), folded('Every object', [whole]), ...picture(effects.graph)];
}

function list(title: string, items: string[]): string {
  return [`**${title}**`, items.map((item) => `- ${markdownText(item)}`).join('\n')].join('\n\n');
}

/** With the blank line that follows a block. */
function bytesOf(block: string): number {
  return Buffer.byteLength(block) + 2;
}
