/**
 * Brings a pull request's comments to what was found. Whatever goes wrong on the way, nothing that was found is lost: what has
 * no comment is told to the caller, who says it elsewhere.
 */

import type { Run } from '../core/model.js';
import { ApiError, type GitHub } from '../github/client.js';
import { plural } from '../report/summary.js';
import { type CommentOptions, commentText, farewellText } from './comment.js';
import { readDiff } from './diff.js';
import { withMarker } from './marker.js';
import { type Plan, type Post, planReview, type ReviewLimits } from './plan.js';

export type ReviewOptions = CommentOptions & {
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
      const problem = await work.round();
      if (problem === undefined) break;
      if (isLast || problem.kind === 'denied') notes.push(`GitHub did not take it all: ${problem.message}`);
      if (problem.kind === 'denied') break;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isLast || error.kind !== 'unclear') notes.push(`the pull request could not be read: ${error.message}`);
      if (error.kind !== 'unclear') break;
    }
  }
  return { shown: work.shown, notes: [...work.notes(), ...notes] };
}

class Reviewer {
  readonly shown = new Set<string>();
  #posted = 0;
  #edited = 0;
  #removed = 0;
  #moved = false;

  constructor(
    private readonly run: Run,
    private readonly github: GitHub,
    private readonly options: ReviewOptions,
  ) {}

  /** The first refusal, where there was one; the rest of the work is done all the same. */
  async round(): Promise<ApiError | undefined> {
    const { github, options } = this;
    const { number, head } = options.pull;
    if (await this.#hasMoved()) return undefined;
    const diff = readDiff(await github.files(number));
    const threads = await github.threads(number);
    const plan = planReview({
      instance: options.instance,
      findings: this.run.findings,
      diff,
      threads,
      limits: options.limits,
      suggested: options.suggestion,
      words: (finding, anchor) => commentText(this.run, finding, anchor, options),
      farewell: (body) => farewellText(body, head),
    });
    this.shown.clear();
    for (const finding of plan.kept) this.shown.add(finding.fingerprint);
    for (const { finding } of plan.edit) if (finding) this.shown.delete(finding.fingerprint);
    if (isIdle(plan) || (await this.#hasMoved())) return undefined;
    return this.#carryOut(plan);
  }

  /** A newer commit has a run of its own. */
  async #hasMoved(): Promise<boolean> {
    const { number, head } = this.options.pull;
    const pull = await this.github.pull(number);
    this.#moved = pull.head !== head || !pull.open;
    return this.#moved;
  }

  async #carryOut(plan: Plan): Promise<ApiError | undefined> {
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
    const posted = new Set<Post>();
    if (plan.lines.length > 0 && (await attempt(() => github.createReview(number, this.#reviewOf(plan.lines))))) {
      for (const post of plan.lines) posted.add(post);
    }
    for (const post of plan.files) {
      const { path } = post.anchor;
      if (await attempt(() => github.commentOnFile(number, { head, path, body: this.#body(post) }))) posted.add(post);
    }
    for (const { finding } of posted) this.shown.add(finding.fingerprint);
    this.#posted += posted.size;
    for (const { comment, id, text, finding } of plan.edit) {
      if (!(await attempt(() => github.editComment(comment, withMarker(this.options.instance, id, text))))) continue;
      this.#edited += 1;
      if (finding) this.shown.add(finding.fingerprint);
    }
    for (const { comment, insteadOf } of plan.remove) {
      if (insteadOf && !posted.has(insteadOf)) continue;
      if (await attempt(() => github.deleteComment(comment))) this.#removed += 1;
    }
    return failed[0];
  }

  #reviewOf(posts: readonly Post[]): Parameters<GitHub['createReview']>[1] {
    const { head } = this.options.pull;
    const comments = posts.flatMap((post) =>
      post.anchor.kind === 'line' ? [{ anchor: post.anchor, body: this.#body(post) }] : [],
    );
    const body = `${this.run.tool.name} at ${head.slice(0, 12)}: ${plural(posts.length, 'comment')}.`;
    return { head, body, comments };
  }

  #body({ id, text }: Post): string {
    return withMarker(this.options.instance, id, text);
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
      ...(this.#moved ? ['the pull request has moved on while this ran, so nothing more was posted'] : []),
    ];
  }
}

function isIdle({ lines, files, edit, remove }: Plan): boolean {
  return lines.length + files.length + edit.length + remove.length === 0;
}
