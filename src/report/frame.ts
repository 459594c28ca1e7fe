/** Code frames: the line that a location names, and the mark that goes under it. */

import { unsafeSpots } from '../core/escape.js';
import type { KnownSecrets, Location, Run } from '../core/model.js';
import { kept } from '../core/rounds.js';
import { isShowable, linesOf, secretSpans } from '../secrets/file.js';
import { hidden, type MaskedSpan } from '../secrets/mask.js';

/** `pad` is as wide as the code before the mark, with its tabs, so that the mark stands right whatever a tab is. */
export type Frame = { line: number; code: string; pad: string; marks: number };

type ShownFile = { lines: string[]; spans: (line: number) => MaskedSpan[] };

/** By the text, and what is known of its secrets. */
const shownFiles = kept<ShownFile>();

function shownFile(text: string, secrets: KnownSecrets): ShownFile {
  const { whole, documents = [], patch, values = [] } = secrets;
  return shownFiles(
    () => `${JSON.stringify([whole, [...documents], patch, [...values]])}\n${text}`,
    () => ({ lines: linesOf(text), spans: remembered(secretSpans(text, secrets)) }),
  );
}

/** Frames of a run; `width` is the room for the code. Undefined where there is no such line, or it must not be shown. */
export function framesOf(run: Run, width: number): (at: Location) => Frame | undefined {
  const files = new Map<string, ShownFile>();
  return (at) => {
    if (!isShowable(at.file)) return undefined;
    const key = `${at.revision}:${at.file}`;
    let file = files.get(key);
    if (!file) {
      const text = run.sources.text(at.revision, at.file) ?? '';
      file = shownFile(text, run.sources.secrets(at.revision, at.file));
      files.set(key, file);
    }
    const { start, end } = at.range;
    const text = file.lines[start.line - 1];
    if (text === undefined || text.trim() === '') return undefined;
    const to = end.line > start.line ? text.trimEnd().length : end.column - 1;
    const cells = cellsOf(text, file.spans(start.line - 1), windowAround(start.column - 1, to, width));
    return frame(start.line, cells, start.column - 1, to, width);
  };
}

/** A long line may have many findings. */
function remembered(spansOf: (line: number) => MaskedSpan[]): (line: number) => MaskedSpan[] {
  const known = new Map<number, MaskedSpan[]>();
  return (line) => {
    const spans = known.get(line) ?? spansOf(line);
    known.set(line, spans);
    return spans;
  };
}

/** A piece of a line as it is shown: `from` and `to` in UTF-16 units of the source, `width` in columns of a terminal. */
type Cell = { from: number; to: number; text: string; width: number };

/** The part of a line that can be shown, and as much beside it that what is left out is known to be: lines may be of megabytes. */
function windowAround(from: number, to: number, width: number): MaskedSpan {
  const most = 4 * width;
  return { start: Math.max(from - most, 0), end: Math.min(Math.max(to, from), from + most) + most };
}

function cellsOf(text: string, secrets: MaskedSpan[], { start, end }: MaskedSpan): Cell[] {
  const masks = secrets.filter((mask) => mask.end > start && mask.start < end);
  // Neither a mask nor a character is cut in two.
  let first = masks.reduce((least, mask) => Math.min(least, mask.start), start);
  if (/[\udc00-\udfff]/.test(text.slice(first, first + 1)) && first > 0) first--;
  const shown = text.slice(first, end + 1);
  const spots = unsafeSpots(shown).filter(({ at }) => shown[at] !== '\t');
  const spotAt = new Map(spots.map((spot) => [first + spot.at, spot]));
  const maskAt = new Map(masks.map((mask) => [mask.start, mask]));
  const cells: Cell[] = [];
  for (let from = first; from < Math.min(text.length, end); ) {
    const mask = maskAt.get(from);
    const spot = spotAt.get(from);
    const char = String.fromCodePoint(text.codePointAt(from) ?? 0);
    const shown = mask ? hidden : (spot?.shown ?? char);
    const to = mask?.end ?? from + char.length;
    cells.push({ from, to, text: shown, width: displayWidth(shown) });
    from = to;
  }
  return cells;
}

function frame(line: number, cells: Cell[], from: number, to: number, width: number): Frame {
  const before = cells.filter((cell) => cell.to <= from);
  const marked = cells.filter((cell) => cell.to > from && cell.from < Math.max(to, from + 1));
  const after = cells.slice(before.length + marked.length);
  // The mark may take two thirds of the room; what stands before it gets most of the rest.
  const middle = takeWithin(marked, Math.floor((width * 2) / 3), 'start');
  const room = width - widthOf(middle);
  const left = takeWithin(before, Math.max(room - Math.min(widthOf(after), Math.floor(room / 3)), 0), 'end');
  const right = middle.at(-1) === ellipsis ? [] : takeWithin(after, Math.max(room - widthOf(left), 0), 'start');
  const code = [...left, ...middle, ...right].map((cell) => cell.text).join('');
  const pad = left.map((cell) => (cell.text === '\t' ? '\t' : ' '.repeat(cell.width))).join('');
  return { line, code: code.trimEnd(), pad, marks: Math.max(1, widthOf(middle)) };
}

const ellipsis: Cell = { from: -1, to: -1, text: '…', width: 1 };

/** As many cells from one end as there is room for, and an ellipsis where some are left out. */
function takeWithin(cells: Cell[], room: number, end: 'start' | 'end'): Cell[] {
  if (widthOf(cells) <= room) return cells;
  const ordered = end === 'start' ? cells : cells.toReversed();
  const taken: Cell[] = [];
  let left = room - 1;
  for (const cell of ordered) {
    if (cell.width > left) break;
    taken.push(cell);
    left -= cell.width;
  }
  taken.push(ellipsis);
  return end === 'start' ? taken : taken.reverse();
}

function widthOf(cells: Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/**
 * The columns that a text takes on a terminal: two for East Asian wide characters and emoji, none for combining marks.
 * The packages for this carry Unicode's whole table; a caret one column off under a rare script is not worth a runtime
 * dependency. A tab counts as four: it only matters for cutting.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) {
    if (char === '\t') width += 4;
    else if (/[\p{M}\u200d]/u.test(char)) width += 0;
    else width += wide.test(char) ? 2 : 1;
  }
  return width;
}
