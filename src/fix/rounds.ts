/** Fixes one after the other: those that are not in each other's way at once, the rest when those are made. */
import { Source } from '../locate/source.js';
import type { Finding, Run } from '../model.js';
import { worstFirst } from '../report/summary.js';
import type { Tree } from '../tree.js';
import { applyEdits, collide, type Edit } from './edits.js';
import { overlaid } from './overlay.js';
import { Page } from './page.js';

/** Enough for fixes that bring forth others; a circle of them must end somewhere. */
const mostRounds = 10;

export type Fixed = {
  /** What was fixed, in the order in which it was. */
  fixed: Finding[];
  /** The files that are to be written, by path. */
  texts: ReadonlyMap<string, string>;
  /** What is found then. */
  run: Run;
};

export async function fixInRounds(
  tree: Tree,
  lint: (head: Tree) => Promise<Run>,
  isWanted: (finding: Finding) => boolean,
): Promise<Fixed> {
  const texts = new Map<string, string>();
  const fixed: Finding[] = [];
  for (let round = 1; ; round++) {
    const head = overlaid(tree, texts);
    const run = await lint(head);
    // What is still found after it was fixed is not fixed by that, and never will be.
    const tried = new Set(fixed.map(({ fingerprint }) => fingerprint));
    const wanted = run.findings.filter((one) => one.fix && isWanted(one) && !tried.has(one.fingerprint));
    const made = round > mostRounds ? [] : chosen(head, wanted);
    if (made.length === 0) return { fixed, texts, run };
    for (const [file, text] of textsAfter(head, made)) texts.set(file, text);
    fixed.push(...made);
  }
}

/** The worst first, what collides with an earlier one left for later. One edit that fixes several things is made once. */
function chosen(tree: Tree, findings: readonly Finding[]): Finding[] {
  const made: Finding[] = [];
  for (const finding of worstFirst([...findings])) {
    const edits = finding.fix?.edits ?? [];
    const isInTheWay = made.some(({ fix }) => collide(fix?.edits ?? [], edits) && !isSame(fix?.edits ?? [], edits));
    if (!isInTheWay && isSound(tree, [...made, finding])) made.push(finding);
  }
  return made;
}

/** Two edits may write the same key, though each for itself is right. */
function isSound(tree: Tree, findings: readonly Finding[]): boolean {
  return [...textsAfter(tree, findings)].every(([file, text]) => {
    const before = tree.text(file);
    return countSound(text) >= countSound(before ?? '') || before === undefined;
  });
}

function countSound(text: string): number {
  return new Source(text).documents.filter((document) => Page.read(document.text)).length;
}

function textsAfter(tree: Tree, findings: readonly Finding[]): Map<string, string> {
  const edits = new Map<string, Edit>();
  for (const edit of findings.flatMap(({ fix }) => fix?.edits ?? [])) edits.set(JSON.stringify(edit), edit);
  const files = new Set([...edits.values()].map(({ at }) => at.file));
  return new Map(
    [...files].map((file) => {
      const after = applyEdits(
        tree.text(file) ?? '',
        [...edits.values()].filter(({ at }) => at.file === file),
      );
      if (after === undefined) throw new Error(`the edits of ${file} do not fit together`);
      return [file, after];
    }),
  );
}

function isSame(one: readonly Edit[], other: readonly Edit[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
