/**
 * What a review comment says, in three parts: what is wrong, what comes of it, and what to do. It stands on the line, so it shows no
 * code of it.
 */

import { codeSpan, fence, markdownText, printable } from '../core/escape.js';
import type { Finding, Run } from '../core/model.js';
import type { Suggestion } from '../fix/suggestion.js';
import type { Anchor } from '../github/types.js';
import { hasClearNames, ownNames, type Topic } from '../report/alike.js';
import { folded } from '../report/folded.js';
import { type Files, placeLink } from '../report/links.js';
import { factWords, messageWords, plural, seenFrom, sideSuffix } from '../report/summary.js';
import { isShowable, linesOf, secretSpans } from '../secrets/file.js';
import { consequences } from './consequences.js';
import type { CommentWords } from './plan.js';
import { capital, clausesOf, helpLines, prose, sentence, withoutOptions } from './words.js';

/** GitHub refuses a body of more than 65,536 characters (github/FACTS.md, Limits); the marker needs some room as well. */
const maxBody = 60_000;
/** Where others have written so much into a comment that nothing fits; GitHub will refuse it. */
const minBody = 2000;
/** Of a list of findings that say the same, for what stands around it. */
const reserved = 4000;
/** Each is cut to some hundred words at most. A marker names as many findings as there are (some 13 characters each). */
const most = { related: 8, assumed: 5, alike: 200, upstream: 20 };

/** As GitHub draws them: red, yellow and blue. */
const alerts = { error: 'CAUTION', warning: 'WARNING', notice: 'NOTE' } as const;

export type CommentOptions = {
  /** The page of a rule. */
  url(rule: string): string | undefined;
  suggestion(finding: Finding): Suggestion | undefined;
  files?: Files;
};

/** `taken`: characters that others have written into the comment. */
export function commentText(
  run: Run,
  { findings }: Topic,
  anchor: Anchor | undefined,
  options: CommentOptions,
  taken = 0,
): CommentWords {
  const [finding, ...others] = findings;
  const { files = {} } = options;
  const { field } = finding;
  const message = others.length > 0 ? finding.message : messageWords(finding);
  const { what, outcome } = hasClearNames(finding) ? clausesOf(message) : { what: message };
  const effects = [
    ...(outcome ? [prose(sentence(outcome, field))] : []),
    ...(others.length > 0 ? [] : consequences(run, finding)),
  ];
  const isSame = others.every(({ help }) => help === finding.help);
  const head = [
    quoted([`[!${alerts[finding.severity]}]`, `**${prose(capital(what, field))}**`], effects),
    ...(anchor?.kind === 'line' ? [] : [`At ${place(finding, files)}`]),
  ];
  const last = smallPrint(run, finding, options);
  const room = Math.max(minBody, maxBody - taken) - last.length;
  const list = alikeList(findings, { files, isSame, room: room - lengthOf(head) - reserved });
  const suggestion =
    others.length === 0 && anchor?.kind === 'line' ? suggestionBlock(run, finding, anchor, options) : undefined;
  const blocks = [
    ...head,
    ...list.blocks,
    ...(finding.help && isSame ? helpLines(finding.help) : []),
    ...(others.length > 0 ? [] : relatedList(finding, files)),
    suggestion,
    upstreamBlock(finding),
  ];
  return { text: [...fitting(blocks, room), last].join('\n\n'), named: [finding, ...list.named] };
}

/** For people who have answered to a comment whose finding is gone; `text` is the comment's, without its marker. */
export function farewellText(text: string, head: string): string {
  if (text.startsWith(farewell)) return text;
  const said = text.startsWith(moved) ? text.slice(moved.length) : text;
  return `${farewell} at ${head.slice(0, 12)}.** It was:\n\n${withoutAlert(withoutSuggestion(said))}`;
}

/** For a conversation on a line that has changed: the finding is there still, and has a comment of its own. */
export function movedText(text: string): string {
  const said = text.startsWith(farewell) ? text.slice(text.indexOf('\n\n') + 2) : text;
  return `${moved}${withoutAlert(withoutSuggestion(said))}`;
}

/** A suggestion for what is gone could still be taken. */
function withoutSuggestion(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line, index) => lines[index - 1] === '' && /^`{3,}suggestion$/.test(line));
  const fence = lines[start]?.slice(0, -'suggestion'.length);
  const end = lines.indexOf(fence as string, start);
  return end < 0 ? text : [...lines.slice(0, start - 1), ...lines.slice(end + 1)].join('\n');
}

/** What is over is no longer marked in red. */
function withoutAlert(text: string): string {
  return text.replace(/^> \[![A-Z]+\]\n/, '');
}

const farewell = '**No longer reported';
const moved = '**Reported anew in a newer comment.** It was:\n\n';

/** A blank line between the paragraphs of a quotation. */
function quoted(head: readonly string[], paragraphs: readonly string[]): string {
  const lines = [...head, ...paragraphs.flatMap((one) => ['', one])];
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/** The blocks that there is room for, from the first on. */
function fitting(blocks: readonly (string | undefined)[], room: number): string[] {
  const shown: string[] = [];
  let left = room;
  for (const block of blocks) {
    if (block === undefined || block.length + 2 > left) continue;
    shown.push(block);
    left -= block.length + 2;
  }
  return shown;
}

function lengthOf(blocks: readonly string[]): number {
  return blocks.reduce((sum, block) => sum + block.length + 2, 0);
}

function smallPrint(run: Run, finding: Finding, { url: page }: CommentOptions): string {
  const { severity, rule } = finding;
  const url = page(rule);
  const seen = seenFrom(run, finding);
  const assumed = finding.assumes.slice(0, most.assumed).map((fact) => withoutOptions(factWords(fact)));
  const small = [
    severity,
    url ? `[${codeSpan(rule)}](${url})` : codeSpan(rule),
    ...(seen.length > 0 ? [`seen from ${seen.map(codeSpan).join(', ')}`] : []),
    ...assumed.map((words) => `assumes ${markdownText(words)}`),
  ];
  return `<sub>${small.join(' · ')}</sub>`;
}

/** The others that the same is true of, by the names in which they differ, as many as there is room for. */
function alikeList(
  [first, ...others]: Topic['findings'],
  { files, isSame, room }: { files: Files; isSame: boolean; room: number },
): { blocks: string[]; named: Finding[] } {
  if (others.length === 0) return { blocks: [], named: [] };
  const lines: string[] = [];
  let left = room;
  for (const finding of others.slice(0, most.alike)) {
    const names = ownNames(first, finding);
    // Each with its own help where that differs too.
    const help = finding.help && !isSame ? `: ${prose(withoutOptions(finding.help))}` : '';
    const line = `- ${[place(finding, files), names.map(codeSpan).join(', ')].filter(Boolean).join(' ')}${help}`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const named = others.slice(0, lines.length);
  const rest = others.length - named.length;
  const head = `The same of ${plural(others.length, 'other')}`;
  const all = [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])];
  const block = others.length > most.related ? folded(head, [all.join('\n')]) : [`${head}:`, '', ...all].join('\n');
  return { blocks: [block], named };
}

function relatedList({ related }: Finding, files: Files): string[] {
  if (related.length === 0) return [];
  const line = ({ message, at }: Finding['related'][number]) =>
    `- ${placeLink(at, false, files)}${sideSuffix(at)}: ${prose(message)}`;
  const others = related.length - most.related;
  const lines = [...related.slice(0, most.related).map(line), ...(others > 0 ? [`- and ${others} more`] : [])];
  return [lines.join('\n')];
}

function place({ at, precision }: Finding, files: Files): string {
  return placeLink(at, precision === 'file', files) + sideSuffix(at);
}

/** What Flux, or who else, says of it: long, and for those who look for it. */
function upstreamBlock({ upstream }: Finding): string | undefined {
  if (!upstream) return undefined;
  const lines = upstream.text.split('\n').slice(0, most.upstream).map(printable);
  return folded(`What Flux says`, [fence(lines)]);
}

/**
 * Exactly the lines of the comment are replaced. A line that holds what looks secret is not repeated, and what a person would
 * not see is not suggested.
 */
function suggestionBlock(
  run: Run,
  finding: Finding,
  anchor: Extract<Anchor, { kind: 'line' }>,
  { suggestion }: CommentOptions,
): string | undefined {
  const offered = suggestion(finding);
  if (!offered || anchor.side !== 'RIGHT' || offered.file !== finding.at.file) return undefined;
  if (offered.endLine !== anchor.line || offered.startLine !== (anchor.startLine ?? anchor.line)) return undefined;
  if (!isShowable(offered.file)) return undefined;
  const lines = linesOf(run.sources.text('head', offered.file) ?? '');
  lines.splice(offered.startLine - 1, offered.endLine - offered.startLine + 1, ...offered.replacement);
  const spans = secretSpans(lines.join('\n'), run.sources.secrets('head', offered.file));
  if (offered.replacement.some((_, index) => spans(offered.startLine - 1 + index).length > 0)) return undefined;
  if (offered.replacement.some((line) => /[^\P{C}\t]/u.test(line))) return undefined;
  return fence([...offered.replacement], 'suggestion');
}
