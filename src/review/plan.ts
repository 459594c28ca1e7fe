/**
 * What to do with a pull request's comments so that they say what was found: decided here, done elsewhere. Pure, so that any
 * history can be tried on it.
 */

import { type Finding, severities } from '../core/model.js';
import type { Anchor, Side, Thread } from '../github/types.js';
import { type Topic, topicsOf } from '../report/alike.js';
import type { DiffFile, ReviewableDiff } from './diff.js';
import { bodyHash, type Marker, markerId, memberOf, readMarker } from './marker.js';

/** What a comment says, without its marker, and which findings it names: there may be no room for all of a topic. */
export type CommentWords = { text: string; named: readonly Finding[] };

/** Without an anchor the comment does not stand on the line, or not any more. `taken`: characters that others need in it. */
type Words = (topic: Topic, anchor: Anchor | undefined, taken: number) => CommentWords;

export type Post = CommentWords & { topic: Topic; id: string; anchor: Anchor };

type Edit = CommentWords & {
  comment: number;
  id: string;
  /** What a person has added to it. */
  added: string;
  /** That of the words before, where a person has changed them: they are known for that on. */
  hash?: string;
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
  /** What a comment says already, or what people have settled. */
  kept: Finding[];
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
  readonly #open: readonly Own[];
  readonly #resolved: readonly Own[];
  readonly #topics: readonly Topic[];
  readonly #places: ReadonlyMap<Topic, readonly Place[]>;
  readonly #byId: ReadonlyMap<string, Topic>;
  /** Conversations on what has a newer comment. */
  readonly #left: ReadonlySet<string>;
  /** What has a comment that does not stand where it should. */
  readonly #astray = new Map<Topic, Own>();
  /** What has a comment, wherever it stands. */
  readonly #has = new Set<Topic>();
  #used = 0;
  #usedFiles = 0;

  constructor(private readonly input: PlanInput) {
    const own = ownOf(input);
    this.#open = own.filter(({ thread }) => !thread.resolved);
    this.#resolved = own.filter(({ thread }) => thread.resolved);
    this.#topics = this.#topicsOf(input.findings.filter(({ isNew }) => isNew !== false));
    this.#byId = new Map(this.#topics.map((topic) => [this.#idOf(topic.key), topic]));
    this.#left = new Set(this.#topics.map(({ key }) => this.#idOf(leftKey(key))));
    this.#places = new Map(this.#topics.map((topic) => [topic, placesOf(topic, input)]));
  }

  #idOf(key: string): string {
    return markerId(this.input.instance, key);
  }

  /**
   * What people have settled is said no more, as it was; what has a comment of its own keeps it; the rest may be put together, and
   * stays so.
   */
  #topicsOf(wanted: readonly Finding[]): Topic[] {
    const { suggested } = this.input;
    const settled = new Set(this.#resolved.filter((one) => !this.#isOver(one)).flatMap(({ marker }) => marker.members));
    const ids = new Set(this.#open.map(({ marker }) => marker.id));
    const answered = new Set(this.#open.filter(isAnswered).map(({ marker }) => marker.id));
    const hasOwn = ({ fingerprint }: Finding) => ids.has(this.#idOf(fingerprint));
    const isSettled = (finding: Finding) =>
      settled.has(memberOf(finding)) && !answered.has(this.#idOf(finding.fingerprint));
    this.plan.kept.push(...wanted.filter(isSettled));
    return topicsOf(
      wanted.filter((finding) => !isSettled(finding)),
      {
        isSuggested: (finding) => suggested(finding) !== undefined,
        isAlone: hasOwn,
        isOpen: (key) => ids.has(this.#idOf(key)),
      },
    );
  }

  /** It says that its finding is gone. */
  #isOver({ marker }: Own): boolean {
    return this.input.farewell(marker.text) === marker.text;
  }

  #placesOf(topic: Topic | undefined): readonly Place[] {
    return (topic && this.#places.get(topic)) ?? [];
  }

  lookAtThreads(): void {
    const open = this.#open.filter(({ marker }) => !this.#left.has(marker.id));
    const { best, superfluous } = bestOf(open, (id) => this.#placesOf(this.#byId.get(id)));
    this.plan.remove.push(...superfluous.map(({ thread }) => ({ comment: thread.comment.id })));
    for (const one of best) {
      const topic = this.#byId.get(one.marker.id);
      if (topic) this.#lookAt(topic, one);
      else this.#leave(one);
    }
  }

  #lookAt(topic: Topic, one: Own): void {
    const { thread, marker } = one;
    const here = this.#placesOf(topic).find(({ anchor }) => standsOn(thread, anchor));
    this.#use(thread.wholeFile);
    this.#has.add(topic);
    const isOutdated = thread.line === undefined && !thread.wholeFile;
    const hasLine = this.#placesOf(topic)[0]?.anchor.kind === 'line';
    // What people have written into a comment that says that it is over is not written over: there is a new one.
    const isKept = marker.isReworded && this.#isOver(one);
    const isAstray = hasLine && (isKept || (!here && (!isAnswered(one) || isOutdated)));
    const named = new Set(this.#isOver(one) ? [] : marker.members);
    // What is outdated GitHub folds away.
    if (!isAstray || !isOutdated)
      this.plan.kept.push(...topic.findings.filter((finding) => named.has(memberOf(finding))));
    if (isAstray) this.#astray.set(topic, one);
    else this.#reword(topic, one, here);
  }

  /** What a person has written into our words stays; only where there can be no other comment, it gives way to a finding that is back. */
  #reword(topic: Topic, one: Own, here: Place | undefined): void {
    const { thread, marker } = one;
    if (marker.isReworded && !this.#isOver(one)) return;
    const said = this.input.words(here ? ledBy(topic, here.first) : topic, here?.anchor, marker.added.length);
    const text = withLink(said.text, earlierIn(marker.text));
    // Compared by the marker's hash: a server may have changed white space.
    const isSame = marker.hash === bodyHash(text) && sameMembers(marker.members, said.named);
    if (!isSame) this.plan.edit.push({ comment: thread.comment.id, id: marker.id, ...said, text, added: marker.added });
  }

  /** The finding is gone. What people have answered to, or written into the comment, is not taken from them. */
  #leave(one: Own): void {
    const { thread, marker } = one;
    const { comment } = thread;
    if (!isAnswered(one)) this.plan.remove.push({ comment: comment.id });
    else if (!this.#isOver(one)) this.plan.edit.push(lastWords(one, marker.id, this.input.farewell(marker.text)));
  }

  #use(isFile: boolean): void {
    this.#used += 1;
    if (isFile) this.#usedFiles += 1;
  }

  /** On the right line; a conversation is left where it is, and led to. */
  sayAnew(): void {
    const { moved, link } = this.input;
    for (const [topic, one] of this.#astray) {
      const { thread, marker } = one;
      const { id } = thread.comment;
      const place = this.#placesOf(topic)[0] as Place;
      const post = this.#toPost(topic, place, isAnswered(one) ? link(id) : earlierIn(marker.text));
      this.plan.lines.push(post);
      const left = this.#idOf(leftKey(topic.key));
      if (isAnswered(one)) this.plan.edit.push({ ...lastWords(one, left, moved(marker.text)), insteadOf: post });
      else this.plan.remove.push({ comment: id, insteadOf: post });
    }
  }

  /** What has no comment yet, as far as there is room. */
  sayMore(): void {
    const { limits } = this.input;
    const known = [...this.plan.kept, ...[...this.#has].flatMap(({ findings }) => findings)];
    const spoken = new Set(known.filter(isAdvice).map(({ rule }) => rule));
    for (const topic of spread(this.#topics).filter((one) => !this.#has.has(one))) {
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
      (isFile ? this.plan.files : this.plan.lines).push(this.#toPost(topic, best, this.#settledBefore(topic)));
    }
  }

  /** Where people have settled the same, before it was gone for a time, or had other words. */
  #settledBefore({ key }: Topic): string | undefined {
    const id = this.#idOf(key);
    const before = this.#resolved.findLast(({ marker }) => marker.id === id);
    return before && this.input.link(before.thread.comment.id);
  }

  #toPost(topic: Topic, { anchor, first }: Place, earlier: string | undefined): Post {
    const said = this.input.words(ledBy(topic, first), anchor, 0);
    return { topic, id: this.#idOf(topic.key), anchor, ...said, text: withLink(said.text, earlier) };
  }
}

/** In a comment that names nothing any more. What a person has written into it is known for that on. */
function lastWords({ thread, marker }: Own, id: string, text: string): Edit {
  const { added, hash, isReworded } = marker;
  return { comment: thread.comment.id, id, text, named: [], added, ...(isReworded && { hash }) };
}

/** Of a conversation that has gone on in a newer comment. */
function leftKey(key: string): string {
  return `left ${key}`;
}

function withLink(text: string, earlier: string | undefined): string {
  return earlier === undefined ? text : `${text}\n\n<sub>[What was said so far](${earlier})</sub>`;
}

function earlierIn(text: string): string | undefined {
  return /\n\n<sub>\[What was said so far\]\((https?:\/\/[^\s()]+)\)<\/sub>$/.exec(text)?.[1];
}

function sameMembers(members: readonly string[], named: readonly Finding[]): boolean {
  const wanted = new Set(named.map(memberOf));
  return members.length === wanted.size && members.every((one) => wanted.has(one));
}

/** By a reply, or by words in the comment itself. */
function isAnswered({ thread, marker }: Own): boolean {
  return thread.replies > 0 || marker.added !== '' || marker.isReworded;
}

/** Advice may be said once for each rule: it hits what is allowed. */
function isAdvice({ severity }: Finding): boolean {
  return severity === 'notice';
}

/** The threads that the tool itself began. */
function ownOf({ instance, threads }: PlanInput): Own[] {
  return threads.flatMap((thread) => {
    const marker = thread.comment.mine ? readMarker(instance, thread.comment.body) : undefined;
    return marker ? [{ thread, marker }] : [];
  });
}

/** Of those on the same the best; of the others those that nobody has answered to are superfluous. */
function bestOf(own: readonly Own[], placesById: (id: string) => readonly Place[]) {
  const found = new Map<string, Own>();
  const superfluous: Own[] = [];
  const ranked = own.map((one) => ({ one, rank: rankOf(one, placesById(one.marker.id)) }));
  for (const { one } of ranked.toSorted((a, b) => compare(a.rank, b.rank))) {
    if (!found.has(one.marker.id)) found.set(one.marker.id, one);
    else if (!isAnswered(one)) superfluous.push(one);
  }
  return { best: found.values(), superfluous };
}

/** Of two, the one that is answered, or on the right line, or older. */
function rankOf(one: Own, places: readonly Place[]): number[] {
  const { thread } = one;
  const isHere = places.some(({ anchor }) => standsOn(thread, anchor));
  return [isAnswered(one) ? 0 : 1, isHere ? 0 : 1, thread.comment.id];
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
  // Neither side of the pull request has the line.
  if (at.revision === 'merge') return undefined;
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
