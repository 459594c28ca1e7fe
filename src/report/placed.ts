/** Findings of a merge, placed on the lines of the files that a pull request shows. */
import { diffArrays } from 'diff';
import { defined } from '../core/defined.js';
import type { Diff, Finding, Fix, Location, Revision, Run, Tree } from '../core/model.js';
import { once } from '../core/once.js';
import { linesOf } from '../secrets/file.js';

/** Lines that a file may differ in for its lines to be compared. */
const mostEdits = 1000;

/**
 * The run with the locations of a revision on the lines of another tree of it: the head in place of its merge, the last shared
 * commit in place of the merge's first parent. A line that `shown` does not have is one of the side `merge`. Without `shown` no
 * line is known.
 */
export function placed(run: Run, revision: Revision, shown: Tree | undefined): Run {
  const judged = (file: string) => run.sources.text(revision, file);
  const isSame = (file: string) => judged(file) === shown?.text(file);
  const linesIn = linesBetween(judged, (file) => shown?.text(file));
  const at = (location: Location): Location => {
    const { file, range } = location;
    if (location.revision !== revision || (shown && isSame(file))) return location;
    const { start, end } = range;
    // An end before the first character of a line excludes that line.
    const last = end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
    const shift = shiftOf(linesIn(file), start.line, last);
    if (shift === undefined) return { ...location, revision: 'merge' };
    const moved = (line: number) => line + shift;
    return {
      ...location,
      range: { start: { ...start, line: moved(start.line) }, end: { ...end, line: moved(end.line) } },
    };
  };
  const finding = (one: Finding): Finding => ({
    ...one,
    at: one.precision === 'file' && shown?.has(one.at.file) ? one.at : at(one.at),
    related: one.related.map((other) => ({ ...other, at: at(other.at) })),
    ...(one.fix && { fix: placedFix(one.fix, at) }),
  });
  return {
    ...run,
    findings: run.findings.map(finding),
    ignored: run.ignored.map((one) => ({ ...one, finding: finding(one.finding) })),
    ...defined({ diffs: run.diffs && placedDiffs(run.diffs, at) }),
    sources: {
      text: (side, file) => (side === revision ? shown?.text(file) : run.sources.text(judgedSide(side), file)),
      has: (side, file) =>
        side === revision
          ? shown !== undefined && (shown.has(file) || shown.isDirectory(file) || shown.links.includes(file))
          : run.sources.has(judgedSide(side), file),
      secrets: (side, file) => {
        const known = run.sources.secrets(judgedSide(side), file);
        // Documents are counted in the file of the merge.
        return side === revision && !isSame(file) && known.documents?.size
          ? { ...known, documents: allDocuments(shown?.text(file) ?? '') }
          : known;
      },
    },
  };

  /** The run has what was judged under the name of the revision. */
  function judgedSide(side: Location['revision']) {
    return side === 'merge' && revision === 'head' ? 'head' : side;
  }
}

/** Undefined for a fix of lines that cannot be placed. */
function placedFix(work: () => Fix | undefined, at: (location: Location) => Location): () => Fix | undefined {
  return once(() => {
    const fix = work();
    const edits = fix?.edits.map((edit) => ({ ...edit, at: at(edit.at) }));
    return fix && edits?.every((edit) => edit.at.revision !== 'merge') ? { ...fix, edits } : undefined;
  });
}

function placedDiffs(diffs: readonly Diff[], at: (location: Location) => Location): Diff[] {
  const moved = <Part extends { at?: Location }>(part: Part): Part => (part.at ? { ...part, at: at(part.at) } : part);
  return diffs.map((diff) => ({
    ...diff,
    objects: diff.objects.map((object) => ({ ...moved(object), fields: object.fields.map(moved) })),
  }));
}

type Lines = ReadonlyMap<number, number>;

/** By the name of a file: the line of the other text for each line of the first one that both have. */
function linesBetween(
  from: (file: string) => string | undefined,
  to: (file: string) => string | undefined,
): (file: string) => Lines {
  const known = new Map<string, Lines>();
  return (file) => {
    const lines = known.get(file) ?? sharedLines(from(file), to(file));
    known.set(file, lines);
    return lines;
  };
}

/** None for texts that differ too much to compare. */
function sharedLines(from: string | undefined, to: string | undefined): Lines {
  const shared = new Map<number, number>();
  if (from === undefined || to === undefined) return shared;
  const parts = diffArrays(linesOf(from), linesOf(to), { maxEditLength: mostEdits }) ?? [];
  let [one, other] = [1, 1];
  for (const { count, added, removed } of parts) {
    if (!added && !removed) for (let index = 0; index < count; index += 1) shared.set(one + index, other + index);
    if (!added) one += count;
    if (!removed) other += count;
  }
  return shared;
}

/** The distance that all lines of a range have moved by; undefined if they have not moved together. */
function shiftOf(lines: Lines, from: number, to: number): number | undefined {
  const first = lines.get(from);
  if (first === undefined) return undefined;
  const shift = first - from;
  for (let line = from; line <= to; line += 1) if (lines.get(line) !== line + shift) return undefined;
  return shift;
}

/** As many as the text can have, so that a value of any of them is hidden. */
function allDocuments(text: string): ReadonlySet<number> {
  return new Set(text.split(/^---/m).keys());
}
