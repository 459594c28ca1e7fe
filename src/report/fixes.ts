/** What reports may say of a fix, and what it makes of a file. */
import { structuredPatch } from 'diff';
import type { Fix } from '../model.js';
import { printable } from './escape.js';
import { hidden, replaceSpans } from './mask.js';
import { isShowable, secretSpans } from './secrets.js';

/** Whether what a fix writes looks like a secret; masked it would be another fix, so it is not told at all. */
export function hasSecret({ edits }: Fix): boolean {
  return edits.some(({ at, text }) => {
    const lines = text.split(/\r?\n/);
    const spans = secretSpans(lines);
    return (text !== '' && !isShowable(at.file)) || lines.some((_, index) => spans(index).length > 0);
  });
}

/** A unified diff, its lines without line ends. What looks secret is hidden, so it is for reading only. */
export function differenceLines(file: string, before: string | undefined, after: string): string[] {
  const { hunks } = structuredPatch(file, file, before ?? '', after, undefined, undefined, { context: 3 });
  const shown = { old: shownLines(file, before ?? ''), now: shownLines(file, after) };
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

function shownLines(file: string, text: string): string[] {
  const lines = text.split(/\r?\n/);
  const spans = secretSpans(lines);
  return lines.map((line, index) => {
    if (!isShowable(file)) return line.trim() === '' ? '' : hidden;
    return visible(replaceSpans(line, spans(index)));
  });
}

/** Tabs may stay as they are. */
function visible(line: string): string {
  return line.split('\t').map(printable).join('\t');
}
