/** Between two texts of a file, and the edits that make the one of the other. */
import { diffLines } from 'diff';
import type { Fix, Location } from '../core/model.js';
import { SourceText } from './source-text.js';

export type TextEdit = Fix['edits'][number];

/** Whole lines; within one line that takes the place of one line, no more than what differs. */
export function editsBetween(file: string, before: string, after: string): TextEdit[] {
  const source = new SourceText(before);
  const edits: TextEdit[] = [];
  let offset = 0;
  let gone = '';
  let come = '';
  const close = () => {
    if (gone || come) edits.push(edit(file, source, { start: offset - gone.length, gone, come }));
    gone = '';
    come = '';
  };
  for (const { value, added, removed } of diffLines(before, after)) {
    if (added) come += value;
    else {
      if (!removed) close();
      else gone += value;
      offset += value.length;
    }
  }
  close();
  return edits;
}

function edit(file: string, source: SourceText, hunk: { start: number; gone: string; come: string }): TextEdit {
  let { start, gone, come } = hunk;
  if (lines(gone) === 1 && lines(come) === 1) {
    const shared = commonStart(gone, come);
    const tail = commonStart(reversed(gone.slice(shared)), reversed(come.slice(shared)));
    start += shared;
    gone = gone.slice(shared, gone.length - tail);
    come = come.slice(shared, come.length - tail);
  }
  const range = { start: source.position(start), end: source.position(start + gone.length) };
  return { at: { revision: 'head', file, range }, text: come };
}

/** The text after edits that do not overlap; undefined where one reaches beyond the text. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  const source = new SourceText(text);
  let result = '';
  let done = 0;
  for (const { at, text: put } of [...edits].sort(inOrder)) {
    const [start, end] = [offsetOf(source, at.range.start), offsetOf(source, at.range.end)];
    if (start === undefined || end === undefined || start < done || end < start) return undefined;
    result += text.slice(done, start) + put;
    done = end;
  }
  return result + text.slice(done);
}

/** Whether two sets of edits cannot be made together: they touch one line, or the place between two lines. */
export function collide(one: readonly TextEdit[], other: readonly TextEdit[]): boolean {
  return one.some((a) => other.some((b) => a.at.file === b.at.file && touch(a.at.range, b.at.range)));
}

function touch(a: Location['range'], b: Location['range']): boolean {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

function inOrder(a: TextEdit, b: TextEdit): number {
  const [left, right] = [a.at.range.start, b.at.range.start];
  return left.line - right.line || left.column - right.column;
}

function offsetOf(source: SourceText, { line, column }: { line: number; column: number }): number | undefined {
  const span = source.lineSpan(line);
  if (!span) return undefined;
  const offset = span.start + column - 1;
  return offset <= source.text.length ? offset : undefined;
}

function lines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}
