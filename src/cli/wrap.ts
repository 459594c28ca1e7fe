/** Texts in lines that fit where they are printed. */
import type { Stream } from '../core/streams.js';

/** The columns that are used where nothing says how many there are. */
export const widest = 100;
/** A column for names and one for texts need so many. */
const narrowest = 60;

/** The columns of a terminal; `most` of a wider one, and where the output is none. */
export function columnsOf({ isTTY, columns }: Stream, most = Number.POSITIVE_INFINITY): number {
  const known = isTTY === true && columns !== undefined && columns > 0 ? columns : widest;
  return Math.max(narrowest, Math.min(known, most));
}

/** A word that is longer than a line has one of its own. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
