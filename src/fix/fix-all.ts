/** Fixes one after the other: those that are not in each other's way at once, the rest when those are made. */
import { isDeepStrictEqual } from 'node:util';
import type { Finding, Run, Tree } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import { overlaid } from '../tree/overlay.js';
import { YamlEditor } from '../yaml/editor.js';
import { SourceText } from '../yaml/source-text.js';
import { applyEdits, collide, type TextEdit } from '../yaml/text-edits.js';

/** Enough for fixes that bring forth others; a circle of them must end somewhere. */
const maxRounds = 10;

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
  for (let round = 1; ; round++) {
    const head = overlaid(tree, texts);
    const run = await lint(head);
    // What is still found after it was fixed is not fixed by that, and never will be.
    const tried = new Set(fixed.map(({ fingerprint }) => fingerprint));
    const wanted = run.findings.filter((one) => !tried.has(one.fingerprint) && isWanted(one));
    const next = chosen(head, round > maxRounds ? [] : wanted);
    const { made } = next;
    if (made.length === 0) return { fixed, texts, run };
    for (const [file, text] of next.texts) texts.set(file, text);
    fixed.push(...made);
  }
}

/** The worst first, what collides with an earlier one left for later. One edit that fixes several things is made once. */
function chosen(tree: Tree, findings: readonly Finding[]): { made: Finding[]; texts: Map<string, string> } {
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
