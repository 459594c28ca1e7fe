/**
 * Brings a pull request's comments to what was found. Whatever goes wrong on the way, nothing that was found is lost: what has
 * no comment is told to the caller, who says it elsewhere.
 */

import { defined } from '../core/defined.js';
import { type Finding, type Run, severities } from '../core/model.js';
import { ApiError, type GitHub } from '../github/client.js';
import type { Thread } from '../github/types.js';
import { type CommentOptions, commentText, farewellText, movedText } from './comment.js';
import { type ReviewableDiff, readDiff } from './diff.js';
import { memberOf, withMarker } from './marker.js';
import { overview } from './overview.js';
import { type Plan, type Post, planReview, type ReviewLimits } from './plan.js';
import { refusedApart } from './refused.js';

export type ReviewOptions = CommentOptions & {
  /** The page of the pull request, and that of this run, where there are any. */
  pullUrl?: string;
  runUrl?: string;
  instance: string;
  /** The pull request, and the commit of its head that was judged. */
  pull: { number: number; head: string };
  limits: ReviewLimits;
};

export type Review = {
  /** The fingerprints of the findings that a comment shows now. */
  shown: ReadonlySet<string>;
  /** What was done, and what could not be, each a sentence. */
  notes: string[];
};

/** `run` must be masked. Throws nothing that GitHub is to blame for. */
export async function review(run: Run, github: GitHub, options: ReviewOptions): Promise<Review> {
  const work = new Reviewer(run, github, options);
  const notes: string[] = [];
  // What GitHub refused in spite of all that is known may be a matter of seconds: look again once, then let it be.
  for (const isLast of [false, true]) {
    try {
      const problem = await work.round(isLast);
      if (problem === undefined) break;
      const isOver = isLast || problem.kind === 'denied' || problem.kind === 'limited';
      if (isOver) notes.push(`GitHub did not take it all: ${problem.message}${hintOf(problem)}`);
      if (isOver) break;
      // What broke on the way may have been done.
      if (problem.kind === 'unclear') await github.settle();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isLast || error.kind !== 'unclear') notes.push(`the pull request could not be read: ${error.message}`);
      if (error.kind !== 'unclear') break;
    }
  }
  return { shown: work.shown, notes: [...work.notes(), ...notes] };
}

/** What the token lacks, where GitHub says no more than that it may not. */
function hintOf({ message }: ApiError): string {
  if (!message.includes('not accessible by integration')) return '';
  return '; comments need pull-requests: write, which Dependabot and forks do not have';
}

/** Comments on files in the place of those on lines that GitHub does not take; each is a notification of its own. */
const mostOnFiles = 3;

class Reviewer {
  readonly shown = new Set<string>();
  #posted = 0;
  #edited = 0;
  #removed = 0;
  #moved = false;
  /** Of places that are known to be to blame. */
  #refusal: ApiError | undefined;

  constructor(
    private readonly run: Run,
    private readonly github: GitHub,
    private readonly options: ReviewOptions,
  ) {}

  /** The first refusal, where there was one; the rest of the work is done all the same. */
  async round(isLast: boolean): Promise<ApiError | undefined> {
    const { github, options } = this;
    const { number } = options.pull;
    const diff = readDiff(await github.files(number));
    const plan = this.#planOf(diff, await github.threads(number));
    this.shown.clear();
    this.#show(plan.kept);
    if (isIdle(plan) || (await this.#hasMoved())) return undefined;
    const problem = await this.#carryOut(plan, isLast);
    if (this.#posted > 0 && problem === undefined) await this.#removeDoubles(diff);
    return problem;
  }

  #planOf(diff: ReviewableDiff, threads: readonly Thread[]): Plan {
    const { options } = this;
    return planReview({
      ...{ instance: options.instance, findings: this.run.findings, diff, threads, limits: options.limits },
      suggested: options.suggestion,
      words: (topic, anchor, taken) => commentText(this.run, topic, anchor, options, taken),
      farewell: (text) => farewellText(text, options.pull.head),
      moved: movedText,
      link: (comment) => options.pullUrl && `${options.pullUrl}#discussion_r${comment}`,
    });
  }

  /** Another run of the same commit may have posted at the same time; who reads last sees both. */
  async #removeDoubles(diff: ReviewableDiff): Promise<void> {
    try {
      const { remove } = this.#planOf(diff, await this.github.threads(this.options.pull.number));
      for (const { comment, insteadOf } of remove) {
        if (insteadOf) continue;
        await this.github.deleteComment(comment);
        this.#removed += 1;
      }
    } catch (error) {
      // What is there twice the next run takes away.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #show(findings: Iterable<Finding>): void {
    for (const { fingerprint } of findings) this.shown.add(fingerprint);
  }

  /** A newer commit has a run of its own. */
  async #hasMoved(): Promise<boolean> {
    const { number, head } = this.options.pull;
    const pull = await this.github.pull(number);
    this.#moved = pull.head !== head || !pull.open;
    return this.#moved;
  }

  async #carryOut(plan: Plan, isLast: boolean): Promise<ApiError | undefined> {
    const { github } = this;
    const { number, head } = this.options.pull;
    const failed: ApiError[] = [];
    const attempt = async (work: () => Promise<void>): Promise<boolean> => {
      // Where the token may not write, every further request would only be refused as well.
      if (failed.some(({ kind }) => kind === 'denied' || kind === 'limited')) return false;
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failed.push(error);
        return false;
      }
    };
    const { done, refused } = await refusedApart(plan.lines, async (posts) => {
      if (await attempt(() => github.createReview(number, this.#reviewOf(posts, plan)))) return 'done';
      return failed.at(-1)?.kind === 'invalid' ? 'refused' : 'failed';
    });
    const posted = new Set<Post>(done);
    // Of several it is known by now which are to blame; one alone may be a matter of seconds.
    const isKnown = plan.lines.length > 1 || isLast;
    if (isKnown && refused.length > 0) {
      this.#refusal = failed.find(({ kind }) => kind === 'invalid');
      failed.splice(0, failed.length, ...failed.filter(({ kind }) => kind !== 'invalid'));
    }
    const worst = refused.toSorted((a, b) => rankOf(a) - rankOf(b));
    const onFiles = isKnown ? worst.flatMap((post) => this.#onFile(post, plan)).slice(0, mostOnFiles) : [];
    for (const post of [...plan.files, ...onFiles]) {
      const { path } = post.anchor;
      if (await attempt(() => github.commentOnFile(number, { head, path, body: this.#body(post) }))) posted.add(post);
    }
    for (const { named } of posted) this.#show(named);
    this.#posted += posted.size;
    for (const one of plan.edit) {
      if (one.insteadOf && !posted.has(one.insteadOf)) continue;
      if (!(await attempt(() => github.editComment(one.comment, this.#textOf(one))))) continue;
      this.#edited += 1;
      this.#show(one.named);
    }
    for (const { comment, insteadOf } of plan.remove) {
      if (insteadOf && !posted.has(insteadOf)) continue;
      if (await attempt(() => github.deleteComment(comment))) this.#removed += 1;
    }
    return failed[0];
  }

  /** Where its line is refused, a comment on the file says where it would stand; not again where one does so already. */
  #onFile(post: Post, { edit, remove }: Plan): Post[] {
    if ([...edit, ...remove].some(({ insteadOf }) => insteadOf === post)) return [];
    const { path } = post.anchor;
    return [{ ...post, anchor: { kind: 'file', path }, ...commentText(this.run, post.topic, undefined, this.options) }];
  }

  #reviewOf(posts: readonly Post[], plan: Plan): Parameters<GitHub['createReview']>[1] {
    const { pull, runUrl } = this.options;
    const comments = posts.flatMap((post) =>
      post.anchor.kind === 'line' ? [{ anchor: post.anchor, body: this.#body(post) }] : [],
    );
    const said = [...plan.kept, ...[...plan.lines, ...plan.files, ...plan.edit].flatMap(({ named }) => named)];
    return {
      head: pull.head,
      body: overview(this.run, new Set(said), runUrl),
      comments,
    };
  }

  #body({ id, text, named }: Post): string {
    return withMarker(this.options.instance, { id, text, members: named.map(memberOf) });
  }

  #textOf({ id, text, named, added, hash }: Plan['edit'][number]): string {
    return withMarker(this.options.instance, { id, text, added, members: named.map(memberOf), ...defined({ hash }) });
  }

  notes(): string[] {
    const done = [
      [this.#posted, 'posted'],
      [this.#edited, 'edited'],
      [this.#removed, 'removed'],
    ] as const;
    const words = done.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
    return [
      ...(words.length > 0 ? [`comments: ${words.join(', ')}`] : []),
      ...(this.#refusal ? [`GitHub did not take it all: ${this.#refusal.message}`] : []),
      ...(this.#moved ? ['the pull request has moved on while this ran, so nothing more was posted'] : []),
    ];
  }
}

/** The worst first. */
function rankOf({ topic }: Post): number {
  return severities.indexOf(topic.findings[0].severity);
}

function isIdle({ lines, files, edit, remove }: Plan): boolean {
  return lines.length + files.length + edit.length + remove.length === 0;
}
