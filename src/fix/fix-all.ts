/**
 * Fixes one after the other: those that cannot change anything else first, then rule by rule, the worst first. What is in the way of
 * another waits until that is made, and everything is found anew after each round.
 */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../core/group.js';
import type { Finding, Run, Tree } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import { overlaid } from '../tree/overlay.js';
import { YamlEditor } from '../yaml/editor.js';
import { SourceText } from '../yaml/source-text.js';
import { applyEdits, collide, editsBetween, type TextEdit } from '../yaml/text-edits.js';

/** Enough for fixes that bring forth others, and for all rules that have some; a circle of them must end somewhere. */
const maxRounds = 30;

export type Fixed = {
  /** What was fixed, in the order in which it was. */
  fixed: Finding[];
  /** The files that are to be written, by path. */
  texts: ReadonlyMap<string, string>;
  /** What is found then. */
  run: Run;
};

export async function fixAll(
  tree: Tree,
  lint: (head: Tree) => Promise<Run>,
  isWanted: (finding: Finding) => boolean,
): Promise<Fixed> {
  const texts = new Map<string, string>();
  const fixed: Finding[] = [];
  const history = new History();
  for (let round = 1; ; round++) {
    const head = overlaid(tree, texts);
    const run = await lint(head);
    // What is still found after it was fixed is not fixed by that, and never will be.
    const tried = new Set(fixed.map(({ fingerprint }) => fingerprint));
    const wanted = run.findings.filter((one) => !tried.has(one.fingerprint) && isWanted(one));
    const next = round > maxRounds ? none : firstOf(wanted, (some) => chosen(head, some, history));
    if (next.made.length === 0) return { fixed, texts: changed(tree, texts), run };
    for (const [file, text] of next.texts) {
      history.add(file, head.text(file) ?? '');
      texts.set(file, text);
    }
    fixed.push(...next.made);
  }
}

type Chosen = { made: Finding[]; texts: ReadonlyMap<string, string> };
const none: Chosen = { made: [], texts: new Map() };

/** All that are safe; where nothing is left of those, the rest of one rule, as what that changes may be what another goes by. */
function firstOf(findings: readonly Finding[], choose: (some: readonly Finding[]) => Chosen): Chosen {
  const isSafe = (finding: Finding) => finding.fix?.()?.safe === true;
  const rest = worstFirst(findings.filter((one) => !isSafe(one)));
  const groups = [findings.filter(isSafe), ...groupBy(rest, ({ rule }) => rule).values()];
  for (const group of groups) {
    const next = choose(group);
    if (next.made.length > 0) return next;
  }
  return none;
}

/** What fixes have made of a file may be what it was before. */
function changed(tree: Tree, texts: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...texts].filter(([file, text]) => text !== tree.text(file)));
}

/** The texts that each file had. */
class History {
  readonly #texts = new Map<string, string[]>();

  add(file: string, text: string): void {
    this.#texts.set(file, [...(this.#texts.get(file) ?? []), text]);
  }

  /** Whether an edit takes back what was edited before: fewer lines than now are other ones than at some time. */
  isUndone(file: string, now: string, edits: readonly TextEdit[]): boolean {
    const before = this.#texts.get(file) ?? [];
    const then = before.length > 0 ? applyEdits(now, edits) : undefined;
    return then !== undefined && before.some((text) => linesBetween(text, then) < linesBetween(text, now));
  }
}

function linesBetween(before: string, after: string): number {
  const linesOf = ({ at: { range }, text }: TextEdit) => range.end.line - range.start.line + text.split('\n').length;
  return editsBetween('', before, after).reduce((sum, edit) => sum + linesOf(edit), 0);
}

/** The worst first, what collides with an earlier one left for later. One edit that fixes several things is made once. */
function chosen(tree: Tree, findings: readonly Finding[], history: History): Chosen {
  const made: Finding[] = [];
  const edits = new Map<string, TextEdit[]>();
  const texts = new Map<string, string>();
  for (const finding of worstFirst([...findings])) {
    const all = finding.fix?.()?.edits ?? [];
    const now = [...new Set(all.map(({ at }) => at.file))].map((file) => ({
      file,
      own: all.filter(({ at }) => at.file === file),
      before: edits.get(file) ?? [],
    }));
    const isMade = now.every(({ own, before }) =>
      own.every((edit) => before.some((other) => isDeepStrictEqual(edit, other))),
    );
    // Either all of it is there already, or none of it is in the way of anything.
    if (!isMade) {
      if (now.some(({ own, before }) => collide(before, own))) continue;
      const after = now.map(({ file, own, before }) => textAfter(tree, file, [...before, ...own]));
      if (!after.every((text) => text !== undefined)) continue;
      if (now.some(({ file, own }) => history.isUndone(file, tree.text(file) ?? '', own))) continue;
      for (const [index, { file, own, before }] of now.entries()) {
        edits.set(file, [...before, ...own]);
        texts.set(file, after[index] as string);
      }
    }
    made.push(finding);
  }
  return { made, texts };
}

/** Undefined where the edits do not fit together: two of them may write the same key, though each for itself is right. */
function textAfter(tree: Tree, file: string, edits: readonly TextEdit[]): string | undefined {
  const before = tree.text(file);
  const after = applyEdits(before ?? '', edits);
  return after !== undefined && countSound(after) >= countSound(before ?? '') ? after : undefined;
}

function countSound(text: string): number {
  return new SourceText(text).documents.filter((document) => YamlEditor.read(document.text)).length;
}
