/** A source file: its lines, and its documents as kustomize splits them. Positions are 1-based, columns in UTF-16 units. */
import type { Position, Range } from '../core/model.js';

export type SourceDocument = {
  text: string;
  /** Offset of the document's first character in the file. */
  offset: number;
};

/** How many code points are counted again at most for a column of a long line. */
const stride = 256;

export class SourceText {
  readonly #lineStarts: number[] = [0];
  #documents: SourceDocument[] | undefined;

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
  }

  get lineCount(): number {
    return this.#lineStarts.length;
  }

  /** A line without its end, or an empty string beyond the last one. */
  line(number: number): string {
    const start = this.#lineStarts[number - 1];
    if (start === undefined) return '';
    const end = this.#lineStarts[number] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, '');
  }

  /** The offsets of a line, its end left out; undefined where there is no such line. */
  lineSpan(number: number): { start: number; end: number } | undefined {
    const start = this.#lineStarts[number - 1];
    return start === undefined ? undefined : { start, end: start + this.line(number).length };
  }

  position(offset: number): Position {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return {
      line: low + 1,
      column: offset - (this.#lineStarts[low] as number) + 1,
    };
  }

  /** The offset of a column counted in code points, as go-yaml does; a byte order mark does not count. */
  offset(line: number, codePoint: number): number {
    const start = this.#lineStarts[line - 1] ?? this.text.length;
    let at = start + (start === 0 && this.text.startsWith('\uFEFF') ? 1 : 0);
    const marks = this.#marksFrom(at, codePoint);
    const passed = Math.min(Math.floor((codePoint - 1) / stride), marks.length - 1);
    at = marks[passed] ?? at;
    for (let n = passed * stride + 1; n < codePoint && at < this.text.length; n++)
      at += (this.text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    return at;
  }

  /** By the offset of a line's first character: the offsets of every so many code points, as far as somebody has asked. */
  readonly #marks = new Map<number, number[]>();

  #marksFrom(start: number, codePoint: number): readonly number[] {
    if (codePoint <= stride) return [start];
    const marks = this.#marks.get(start) ?? [start];
    this.#marks.set(start, marks);
    while (marks.length * stride < codePoint && (marks.at(-1) as number) < this.text.length) {
      let at = marks.at(-1) as number;
      for (let n = 0; n < stride && at < this.text.length; n++)
        at += (this.text.codePointAt(at) as number) > 0xffff ? 2 : 1;
      marks.push(at);
    }
    return marks;
  }

  /** Split at `\n---.*\n`, empty documents counted, as kustomize does; not at `...` nor at a `---` that ends the file. */
  get documents(): readonly SourceDocument[] {
    if (!this.#documents) {
      this.#documents = [];
      let start = 0;
      for (const separator of this.text.matchAll(/\r?\n---[^\n]*\n/g)) {
        if (separator.index < start) continue;
        this.#documents.push({
          text: this.text.slice(start, separator.index),
          offset: start,
        });
        start = separator.index + separator[0].length;
      }
      this.#documents.push({ text: this.text.slice(start), offset: start });
    }
    return this.#documents;
  }

  /** From `start` to `end`, but never beyond the line on which it starts: that is what a reader looks at. */
  firstLine(start: number, end: number): Range {
    const from = this.position(start);
    const lineEnd = from.column + this.text.slice(start, end).search(/\r?\n|$/);
    return {
      start: from,
      end: { line: from.line, column: Math.max(lineEnd, from.column) },
    };
  }
}
