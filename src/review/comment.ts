/** What a review comment says. It stands on the line, so it shows no code of it. */

import { codeSpan, fence, markdownText } from '../core/escape.js';
import type { Finding, Run } from '../core/model.js';
import type { Suggestion } from '../fix/suggestion.js';
import type { Anchor } from '../github/types.js';
import { factWords, messageWords, seenFrom, upstreamWords } from '../report/summary.js';
import { isShowable, linesOf, secretSpans } from '../secrets/file.js';

/** GitHub refuses a body of more than 65,536 characters (github/FACTS.md, Limits); the marker needs some room as well. */
const maxBody = 60_000;
/** Each is cut to some hundred words at most. */
const most = { related: 8, assumed: 5 };

export type CommentOptions = {
  /** The page of a rule. */
  url(rule: string): string | undefined;
  suggestion(finding: Finding): Suggestion | undefined;
};

export function commentText(run: Run, finding: Finding, anchor: Anchor | undefined, options: CommentOptions): string {
  const { severity, rule, help, related } = finding;
  const url = options.url(rule);
  const seen = seenFrom(run, finding);
  const small = [
    url ? `[${codeSpan(rule)}](${url})` : codeSpan(rule),
    ...(seen.length > 0 ? [`seen from ${seen.map(codeSpan).join(', ')}`] : []),
    ...finding.assumes.slice(0, most.assumed).map((fact) => `assumes ${markdownText(factWords(fact))}`),
  ];
  const others = related.length - most.related;
  const places = [...related.slice(0, most.related).map(relatedLine), ...(others > 0 ? [`- and ${others} more`] : [])];
  const blocks = [
    `**${severity}:** ${markdownText(messageWords(finding))}`,
    ...(anchor?.kind === 'line' ? [] : [`At ${placeSpan(finding)}`]),
    ...(help ? [markdownText(sentence(help))] : []),
    ...upstreamWords(finding).map(markdownText),
    ...(places.length > 0 ? [places.join('\n')] : []),
  ];
  const last = `<sub>${small.join(' · ')}</sub>`;
  const text = [...blocks, last].join('\n\n');
  const suggestion = anchor?.kind === 'line' ? suggestionBlock(run, finding, anchor, options) : undefined;
  return suggestion && text.length + suggestion.length < maxBody ? [...blocks, suggestion, last].join('\n\n') : text;
}

/** For people who have answered to a comment whose finding is gone; `body` is the comment's, marker included. */
export function farewellText(body: string, head: string): string {
  const [text = ''] = body.replaceAll('\r\n', '\n').split('\n\n<!-- customizer-lint:1 ');
  if (text.startsWith(farewell)) return body;
  const said = withoutSuggestion(text);
  return `${farewell} at ${head.slice(0, 12)}.** It was:\n\n${said}`;
}

/** A suggestion for what is gone could still be taken. */
function withoutSuggestion(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line, index) => lines[index - 1] === '' && /^`{3,}suggestion$/.test(line));
  const fence = lines[start]?.slice(0, -'suggestion'.length);
  const end = lines.indexOf(fence as string, start);
  return end < 0 ? text : [...lines.slice(0, start - 1), ...lines.slice(end + 1)].join('\n');
}

const farewell = '**No longer reported';

/** A help is the rest of a sentence elsewhere. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function relatedLine({ message, at }: Finding['related'][number]): string {
  const side = at.revision === 'base' ? ' (before this change)' : '';
  return `- ${codeSpan(`${at.file}:${at.range.start.line}`)}${side}: ${markdownText(message)}`;
}

function placeSpan({ at, precision }: Finding): string {
  const side = at.revision === 'base' ? ' (before this change)' : '';
  return codeSpan(precision === 'file' ? at.file : `${at.file}:${at.range.start.line}`) + side;
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
