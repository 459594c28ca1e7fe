/** What reports may say of a fix, and what it makes of a file. */
import { structuredPatch } from 'diff';
import { printable } from '../core/escape.js';
import type { Fix, KnownSecrets, Run } from '../core/model.js';
import { isShowable, linesOf, secretSpans } from '../secrets/file.js';
import { hidden, replaceSpans } from '../secrets/mask.js';
import { applyEdits } from '../yaml/text-edits.js';

/** Characters: a larger file is not read once more for each fix in it, and all fixes of a report together read so many. */
const maxRead = { file: 1 << 18, report: 1 << 20 };
const read = new WeakMap<object, number>();

/** Whether what a fix writes looks like a secret where it comes to stand; masked it would be another fix, so it is not told. */
export function hasSecret({ edits }: Fix, run: Pick<Run, 'sources'>): boolean {
  const { sources } = run;
  return edits.some(({ at, text }) => {
    if (text === '') return false;
    const source = sources.text('head', at.file) ?? '';
    const size = (read.get(run) ?? 0) + source.length;
    read.set(run, size);
    const isRead = isShowable(at.file) && source.length < maxRead.file && size <= maxRead.report;
    const after = isRead ? applyEdits(source, [{ at, text }]) : undefined;
    if (after === undefined) return true;
    const spans = secretSpans(after, sources.secrets('head', at.file));
    return text.split(/\r?\n/).some((_, index) => spans(at.range.start.line - 1 + index).length > 0);
  });
}

/** A unified diff, its lines without line ends. What looks secret is hidden, so it is for reading only. */
export function differenceLines(
  file: string,
  before: string | undefined,
  after: string,
  known: KnownSecrets | undefined = undefined,
): string[] {
  const { hunks } = structuredPatch(file, file, before ?? '', after, undefined, undefined, { context: 3 });
  const shown = { old: shownLines(file, before ?? '', known), now: shownLines(file, after, known) };
  const name = printable(file);
  return [
    before === undefined ? '--- /dev/null' : `--- a/${name}`,
    `+++ b/${name}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => {
      let [old, now] = [oldStart - 1, newStart - 1];
      const body = lines.flatMap((line) => {
        const mark = line[0] ?? ' ';
        if (mark === '\\') return [line];
        const text = mark === '+' ? shown.now[now] : shown.old[old];
        if (mark !== '+') old += 1;
        if (mark !== '-') now += 1;
        return [`${mark}${text ?? ''}`];
      });
      const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
      return [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...body];
    }),
  ];
}

function shownLines(file: string, text: string, known: KnownSecrets | undefined): string[] {
  const spans = secretSpans(text, known);
  return linesOf(text).map((line, index) => {
    if (!isShowable(file)) return line.trim() === '' ? '' : hidden;
    return visible(replaceSpans(line, spans(index)));
  });
}

/** Tabs may stay as they are. */
function visible(line: string): string {
  return line.split('\t').map(printable).join('\t');
}
