/**
 * What to do with a pull request's comments so that they say what was found: decided here, done elsewhere. Pure, so that any
 * history can be tried on it.
 */

import { defined } from '../core/defined.js';
import { type Finding, severities } from '../core/model.js';
import type { Anchor, Side, Thread } from '../github/types.js';
import type { DiffFile, ReviewableDiff } from './diff.js';
import { bodyHash, markerId, readMarker } from './marker.js';

/** What a comment says, without its marker; `outdated`: it does not stand on the line any more. */
type Words = (finding: Finding, anchor: Anchor | undefined) => string;

export type Post = { finding: Finding; id: string; anchor: Anchor; text: string };

export type Plan = {
  /** In the order to post them: the last line of a file first, so that suggestions taken one by one still fit. */
  lines: Post[];
  files: Post[];
  /** New words for a comment that stays. `finding`: what it says only then, as it was gone in between. */
  edit: { comment: number; id: string; text: string; finding?: Finding }[];
  /** Comments whose finding is gone, or for which a better one was posted: only when that is there. */
  remove: { comment: number; insteadOf?: Post }[];
  /** Findings that have a comment already. */
  kept: Finding[];
};

export type ReviewLimits = {
  /** Comments on lines and files together, those that stay counted in. */
  comments: number;
  /** On files: each of them is a notification of its own. */
  files: number;
};

export type PlanInput = {
  instance: string;
  findings: readonly Finding[];
  diff: ReviewableDiff;
  threads: readonly Thread[];
  limits: ReviewLimits;
  /** The lines, from and to, that a suggestion for the finding would replace; undefined for none. */
  suggested(finding: Finding): { file: string; startLine: number; endLine: number } | undefined;
  words: Words;
  /** Of a finding that is fixed, with the words that were there. */
  farewell(text: string): string;
};

export function planReview(input: PlanInput): Plan {
  const { instance, findings, diff, limits, words } = input;
  const wanted = findings.filter(({ isNew }) => isNew !== false);
  const byId = new Map(wanted.map((finding) => [markerId(instance, finding.fingerprint), finding]));
  const anchors = new Map(wanted.map((finding) => [finding, anchorOf(finding, diff, input.suggested(finding))]));
  const anchorById = new Map([...byId].map(([id, finding]) => [id, anchors.get(finding)]));
  const own = ownThreads(input, anchorById);
  const plan: Plan = { lines: [], files: [], edit: [], remove: [...own.superfluous], kept: [] };
  const moved = new Map<Finding, Thread>();

  let used = 0;
  let usedFiles = 0;
  for (const [id, thread] of own.threads) {
    const finding = byId.get(id);
    if (!finding) {
      leave(thread, id, input, plan);
      continue;
    }
    const anchor = anchors.get(finding);
    plan.kept.push(finding);
    if (thread.resolved) continue;
    used += 1;
    if (thread.wholeFile) usedFiles += 1;
    if (anchor?.kind === 'line' && thread.replies === 0 && !standsOn(thread, anchor)) moved.set(finding, thread);
    else {
      const isBack = input.farewell(thread.comment.body) === thread.comment.body;
      edit(
        thread,
        id,
        words(finding, standsOn(thread, anchor) ? anchor : undefined),
        plan,
        isBack ? finding : undefined,
      );
    }
  }
  for (const [finding, { comment }] of moved) {
    const post = toPost(finding, anchors.get(finding) as Anchor, input);
    plan.lines.push(post);
    plan.remove.push({ comment: comment.id, insteadOf: post });
  }
  const spoken = new Set(plan.kept.filter(isAdvice).map(({ rule }) => rule));
  for (const finding of spread(wanted).filter((one) => !plan.kept.includes(one))) {
    const anchor = anchors.get(finding);
    if (!anchor || used >= limits.comments) continue;
    if (isAdvice(finding)) {
      if (anchor.kind === 'file' || spoken.has(finding.rule)) continue;
      spoken.add(finding.rule);
    }
    if (anchor.kind === 'file' && usedFiles >= limits.files) continue;
    used += 1;
    if (anchor.kind === 'file') usedFiles += 1;
    (anchor.kind === 'file' ? plan.files : plan.lines).push(toPost(finding, anchor, input));
  }
  plan.lines.sort(lastLineFirst);
  return plan;
}

/** Advice may be said once for each rule: it hits what is allowed. */
function isAdvice({ severity }: Finding): boolean {
  return severity === 'notice';
}

function toPost(finding: Finding, anchor: Anchor, { instance, words }: PlanInput): Post {
  return { finding, id: markerId(instance, finding.fingerprint), anchor, text: words(finding, anchor) };
}

function edit(thread: Thread, id: string, text: string, plan: Plan, finding?: Finding): void {
  // Compared by the marker's hash: a server may have changed white space.
  if (!thread.comment.body.includes(` ${bodyHash(text)} -->`))
    plan.edit.push({ comment: thread.comment.id, id, text, ...defined({ finding }) });
}

/** The finding is gone. What people have answered to, or settled, is not taken from them. */
function leave(thread: Thread, id: string, { farewell }: PlanInput, plan: Plan): void {
  if (thread.resolved) return;
  if (thread.replies === 0) plan.remove.push({ comment: thread.comment.id });
  else {
    const text = farewell(thread.comment.body);
    if (text !== thread.comment.body) edit(thread, id, text, plan);
  }
}

/** Our own by the finding they are about; what is there twice goes, first of all what nobody has answered to. */
function ownThreads({ instance, threads }: PlanInput, anchors: ReadonlyMap<string, Anchor | undefined>) {
  const found = new Map<string, Thread>();
  const superfluous: Plan['remove'] = [];
  const own = threads.flatMap((thread) => {
    const marker = thread.comment.mine ? readMarker(instance, thread.comment.body) : undefined;
    return marker ? [{ id: marker.id, thread, rank: rankOf(thread, anchors.get(marker.id)) }] : [];
  });
  for (const { id, thread } of own.toSorted((a, b) => compare(a.rank, b.rank))) {
    if (!found.has(id)) found.set(id, thread);
    else if (thread.replies === 0 && !thread.resolved) superfluous.push({ comment: thread.comment.id });
  }
  return { threads: found, superfluous };
}

/** Of two, the one that is settled, or answered, or on the right line, or older. */
function rankOf(thread: Thread, anchor: Anchor | undefined): number[] {
  const { resolved, replies, comment } = thread;
  return [resolved ? 0 : 1, replies > 0 ? 0 : 1, standsOn(thread, anchor) ? 0 : 1, comment.id];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, index) => value !== b[index]);
  return index < 0 ? 0 : (a[index] as number) - (b[index] as number);
}

function standsOn(thread: Thread, anchor: Anchor | undefined): boolean {
  if (!anchor || thread.path !== anchor.path) return false;
  if (anchor.kind === 'file') return thread.wholeFile;
  return !thread.wholeFile && thread.side === anchor.side && thread.line === anchor.line;
}

/** The finding's own line, or the lines that its suggestion replaces, where GitHub takes a comment on them; else its file. */
function anchorOf(
  { at, precision }: Finding,
  diff: ReviewableDiff,
  suggested?: { file: string; startLine: number; endLine: number },
): Anchor | undefined {
  const side: Side = at.revision === 'base' ? 'LEFT' : 'RIGHT';
  const file = diff.file(side, at.file);
  if (!file) return undefined;
  const { path } = file;
  const fix = suggested && side === 'RIGHT' && suggested.file === at.file ? suggested : undefined;
  if (fix && inOneHunk(file, fix.startLine, fix.endLine)) {
    const range = fix.startLine < fix.endLine ? { startLine: fix.startLine } : {};
    return { kind: 'line', path, side, line: fix.endLine, ...range };
  }
  const { line } = at.range.start;
  // A context line counts on the head's side alone: on the other it is the same line.
  const takes = side === 'RIGHT' ? file.lines.RIGHT.has(line) : file.changed.LEFT.has(line);
  return precision !== 'file' && takes ? { kind: 'line', path, side, line } : { kind: 'file', path };
}

function inOneHunk({ lines }: DiffFile, from: number, to: number): boolean {
  const hunk = lines.RIGHT.get(from);
  return hunk !== undefined && lines.RIGHT.get(to) === hunk;
}

/** Worst first; of equals each file in turn, what is there already counted in, so that one file does not use up the room of all. */
function spread(findings: readonly Finding[]): Finding[] {
  return severities.flatMap((severity) => {
    const turns = new Map<string, number>();
    const turn = (finding: Finding) => {
      const count = turns.get(finding.at.file) ?? 0;
      turns.set(finding.at.file, count + 1);
      return count;
    };
    return findings
      .filter((finding) => finding.severity === severity)
      .map((finding) => ({ finding, turn: turn(finding) }))
      .sort((a, b) => a.turn - b.turn)
      .map(({ finding }) => finding);
  });
}

function lastLineFirst(a: Post, b: Post): number {
  if (a.anchor.path !== b.anchor.path) return a.anchor.path < b.anchor.path ? -1 : 1;
  return (b.anchor.kind === 'line' ? b.anchor.line : 0) - (a.anchor.kind === 'line' ? a.anchor.line : 0);
}
