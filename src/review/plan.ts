/**
 * What to do with a pull request's comments so that they say what was found: decided here, done elsewhere. Pure, so that any
 * history can be tried on it.
 */

import { defined } from '../core/defined.js';
import { type Finding, severities } from '../core/model.js';
import type { Anchor, Side, Thread } from '../github/types.js';
import { type Topic, topicsOf } from '../report/alike.js';
import type { DiffFile, ReviewableDiff } from './diff.js';
import { bodyHash, type Marker, markerId, readMarker } from './marker.js';

/** What a comment says, without its marker; without an anchor it does not stand on the line, or not any more. */
type Words = (topic: Topic, anchor: Anchor | undefined) => string;

export type Post = { topic: Topic; id: string; anchor: Anchor; text: string };

type Edit = {
  comment: number;
  /** Undefined where the comment is ours no longer: people have the last word in it. */
  id: string | undefined;
  text: string;
  /** What a person has added to it. */
  added: string;
  /** What it says only then, as it was gone in between. */
  topic?: Topic;
  /** Only when that is there. */
  insteadOf?: Post;
};

export type Plan = {
  /** In the order to post them: the last line of a file first, so that suggestions taken one by one still fit. */
  lines: Post[];
  files: Post[];
  /** New words for a comment that stays. */
  edit: Edit[];
  /** Comments whose finding is gone, or for which a better one was posted: only when that is there. */
  remove: { comment: number; insteadOf?: Post }[];
  /** What has a comment already. */
  kept: Topic[];
  /** What could have a comment, and gets none: there are too many. */
  left: number;
};

export type ReviewLimits = {
  /** Comments on lines and files together, those that stay counted in. */
  comments: number;
  /** On files: each of them is a notification of its own. */
  files: number;
  /** Whether advice is worth a comment, one for each rule. */
  notices?: boolean;
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
  /** Of a conversation on a line that has changed, whose finding gets a new comment. */
  moved(text: string): string;
  /** The address of a comment, to lead from the new one to what was said. */
  link(comment: number): string | undefined;
};

type Own = { thread: Thread; marker: Marker };
/** `first`: the finding that stands there. */
type Place = { anchor: Anchor; first: Finding };

export function planReview(input: PlanInput): Plan {
  const work = new Planning(input);
  work.lookAtThreads();
  work.sayAnew();
  work.sayMore();
  work.plan.lines.sort(lastLineFirst);
  return work.plan;
}

class Planning {
  readonly plan: Plan = { lines: [], files: [], edit: [], remove: [], kept: [], left: 0 };
  readonly #topics: readonly Topic[];
  readonly #places: ReadonlyMap<Topic, readonly Place[]>;
  readonly #byId: ReadonlyMap<string, Topic>;
  /** What has a comment that does not stand where it should. */
  readonly #astray = new Map<Topic, Own>();
  /** What people have settled, whether it is still as it was or not. */
  readonly #settled = new Set<Topic>();
  #used = 0;
  #usedFiles = 0;

  constructor(private readonly input: PlanInput) {
    const wanted = input.findings.filter((finding) => finding.isNew !== false);
    this.#topics = topicsOf(wanted, (finding) => input.suggested(finding) !== undefined);
    this.#byId = new Map(this.#topics.map((topic) => [markerId(input.instance, topic.key), topic]));
    this.#places = new Map(this.#topics.map((topic) => [topic, placesOf(topic, input)]));
  }

  #placesOf(topic: Topic | undefined): readonly Place[] {
    return (topic && this.#places.get(topic)) ?? [];
  }

  lookAtThreads(): void {
    const { threads, superfluous } = ownThreads(this.input, (id) => this.#placesOf(this.#byId.get(id)));
    this.plan.remove.push(...superfluous);
    for (const [id, one] of threads) {
      const topic = this.#byId.get(id);
      if (topic) this.#lookAt(topic, one);
      else leave(one, this.input, this.plan);
    }
  }

  #lookAt(topic: Topic, one: Own): void {
    const { thread, marker } = one;
    const here = this.#placesOf(topic).find(({ anchor }) => standsOn(thread, anchor));
    const text = this.input.words(here ? ledBy(topic, here.first) : topic, here?.anchor);
    if (thread.resolved) {
      this.#settled.add(topic);
      // Of several alike, people have settled those that it listed.
      if (topic.findings.length === 1 || marker.hash === bodyHash(text)) this.plan.kept.push(topic);
      return;
    }
    this.#use(thread.wholeFile);
    const isOutdated = thread.line === undefined && !thread.wholeFile;
    const hasLine = this.#placesOf(topic)[0]?.anchor.kind === 'line';
    const isAstray = hasLine && !here && (thread.replies === 0 || isOutdated);
    // What is outdated GitHub folds away.
    if (!isAstray || !isOutdated) this.plan.kept.push(topic);
    if (isAstray) this.#astray.set(topic, one);
    else {
      const isBack = this.input.farewell(marker.text) === marker.text;
      edit(one, { text, ...(isBack && { topic }) }, this.plan);
    }
  }

  #use(isFile: boolean): void {
    this.#used += 1;
    if (isFile) this.#usedFiles += 1;
  }

  /** On the right line; a conversation is left where it is, and led to. */
  sayAnew(): void {
    const { moved, link } = this.input;
    for (const [topic, { thread, marker }] of this.#astray) {
      const { id } = thread.comment;
      const isAnswered = thread.replies > 0 || marker.added !== '';
      const place = this.#placesOf(topic)[0] as Place;
      const post = toPost(topic, place, this.input, isAnswered ? link(id) : undefined);
      this.plan.lines.push(post);
      const old = { comment: id, id: undefined, text: moved(marker.text), added: marker.added };
      if (isAnswered) this.plan.edit.push({ ...old, insteadOf: post });
      else this.plan.remove.push({ comment: id, insteadOf: post });
    }
  }

  /** What has no comment yet, as far as there is room. */
  sayMore(): void {
    const { limits } = this.input;
    const has = new Set([...this.plan.kept, ...this.#astray.keys(), ...this.#settled]);
    const spoken = new Set(this.plan.kept.flatMap(({ findings }) => findings.filter(isAdvice).map(({ rule }) => rule)));
    for (const topic of spread(this.#topics).filter((one) => !has.has(one))) {
      const [first] = topic.findings;
      const [best] = this.#placesOf(topic);
      if (!best) continue;
      const isFile = best.anchor.kind === 'file';
      if (isAdvice(first)) {
        if (!limits.notices || isFile || spoken.has(first.rule)) continue;
        spoken.add(first.rule);
      }
      if (this.#used >= limits.comments || (isFile && this.#usedFiles >= limits.files)) {
        this.plan.left += topic.findings.length;
        continue;
      }
      this.#use(isFile);
      (isFile ? this.plan.files : this.plan.lines).push(toPost(topic, best, this.input));
    }
  }
}

/** Advice may be said once for each rule: it hits what is allowed. */
function isAdvice({ severity }: Finding): boolean {
  return severity === 'notice';
}

function toPost(topic: Topic, { anchor, first }: Place, { instance, words }: PlanInput, before?: string): Post {
  const text = words(ledBy(topic, first), anchor);
  const link = before === undefined ? '' : `\n\n<sub>[What was said so far](${before})</sub>`;
  return { topic, id: markerId(instance, topic.key), anchor, text: text + link };
}

function edit({ thread, marker }: Own, { text, topic }: { text: string; topic?: Topic }, plan: Plan): void {
  // Compared by the marker's hash: a server may have changed white space, and a person the words.
  const isSame = marker.hash === bodyHash(text) || isLinked(marker.text, text);
  if (!isSame)
    plan.edit.push({ comment: thread.comment.id, id: marker.id, text, added: marker.added, ...defined({ topic }) });
}

/** The same words with a link to an earlier conversation below them. */
function isLinked(old: string, text: string): boolean {
  return old.startsWith(`${text}\n\n<sub>[What was said so far](`);
}

/** The finding is gone. What people have answered to, or settled, or written into the comment, is not taken from them. */
function leave(one: Own, { farewell }: PlanInput, plan: Plan): void {
  const { thread, marker } = one;
  if (thread.resolved) return;
  if (thread.replies === 0 && marker.added === '') plan.remove.push({ comment: thread.comment.id });
  else {
    const text = farewell(marker.text);
    if (text !== marker.text) edit(one, { text }, plan);
  }
}

/** Our own by the topic they are about; what is there twice goes, first of all what nobody has answered to. */
function ownThreads({ instance, threads }: PlanInput, placesById: (id: string) => readonly Place[]) {
  const found = new Map<string, Own>();
  const superfluous: Plan['remove'] = [];
  const own = threads.flatMap((thread) => {
    const marker = thread.comment.mine ? readMarker(instance, thread.comment.body) : undefined;
    return marker ? [{ thread, marker, rank: rankOf(thread, placesById(marker.id)) }] : [];
  });
  for (const { thread, marker } of own.toSorted((a, b) => compare(a.rank, b.rank))) {
    if (!found.has(marker.id)) found.set(marker.id, { thread, marker });
    else if (thread.replies === 0 && !thread.resolved) superfluous.push({ comment: thread.comment.id });
  }
  return { threads: found, superfluous };
}

/** Of two, the one that is settled, or answered, or on the right line, or older. */
function rankOf(thread: Thread, places: readonly Place[]): number[] {
  const { resolved, replies, comment } = thread;
  const isHere = places.some(({ anchor }) => standsOn(thread, anchor));
  return [resolved ? 0 : 1, replies > 0 ? 0 : 1, isHere ? 0 : 1, comment.id];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, index) => value !== b[index]);
  return index < 0 ? 0 : (a[index] as number) - (b[index] as number);
}

function standsOn(thread: Thread, anchor: Anchor): boolean {
  if (thread.path !== anchor.path) return false;
  if (anchor.kind === 'file') return thread.wholeFile;
  return (
    !thread.wholeFile &&
    thread.side === anchor.side &&
    thread.line === anchor.line &&
    thread.startLine === anchor.startLine
  );
}

/** Where a topic can stand, the best place first: the line of any of its findings, then the file of any. */
function placesOf({ findings }: Topic, { diff, suggested }: PlanInput): Place[] {
  const isOne = findings.length === 1;
  const all = findings.flatMap((first): Place[] => {
    const anchor = anchorOf(first, diff, isOne ? suggested(first) : undefined);
    return anchor ? [{ anchor, first }] : [];
  });
  return [...all.filter(({ anchor }) => anchor.kind === 'line'), ...all.filter(({ anchor }) => anchor.kind === 'file')];
}

/** The comment is about what stands where it stands; the others are listed in it. */
function ledBy({ key, findings }: Topic, first: Finding): Topic {
  return { key, findings: [first, ...findings.filter((one) => one !== first)] };
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
function spread(topics: readonly Topic[]): Topic[] {
  return severities.flatMap((severity) => {
    const turns = new Map<string, number>();
    const turn = ({ findings: [{ at }] }: Topic) => {
      const count = turns.get(at.file) ?? 0;
      turns.set(at.file, count + 1);
      return count;
    };
    return topics
      .filter(({ findings: [first] }) => first.severity === severity)
      .map((topic) => ({ topic, turn: turn(topic) }))
      .sort((a, b) => a.turn - b.turn)
      .map(({ topic }) => topic);
  });
}

function lastLineFirst(a: Post, b: Post): number {
  if (a.anchor.path !== b.anchor.path) return a.anchor.path < b.anchor.path ? -1 : 1;
  return (b.anchor.kind === 'line' ? b.anchor.line : 0) - (a.anchor.kind === 'line' ? a.anchor.line : 0);
}
