/** Spans that can be told from a line of text, without parsing the document: most values are plain scalars on the line of their key. */
import { oncePer } from '../core/once.js';
import { matchEnd } from '../core/text.js';
import type { SourceDocument } from './source-text.js';
import type { Span } from './syntax.js';

/** A plain scalar of signs that mean nothing else. */
const value = /[\w./][\w./-]*/y;
const key = /[\w.][\w./-]*(?=:(?:[ ]|\r?\n|$))/y;
const before = /^[ ]*(?:-[ ]+)*(?:(?<key>[\w.][\w./-]*):[ ]+)?$/;

/**
 * The key or the scalar that starts at `offset`, or with `keyOfValue` the key on the line of that scalar; where go-yaml says that a node
 * starts at `offset`. Undefined where only a parser can tell: what has quotes, brackets, properties or more than one line.
 */
export function simpleSpan(document: SourceDocument, offset: number, keyOfValue: boolean): Span | undefined {
  // Within brackets other things end a scalar, and a line has no end.
  if (firstBracket(document) < offset) return undefined;
  const { text } = document;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const prefix = before.exec(text.slice(start, offset));
  if (!prefix) return undefined;
  const isKey = matchEnd(key, text, offset);
  if (isKey !== undefined) return keyOfValue ? undefined : spanFrom(offset, isKey);
  const end = matchEnd(value, text, offset);
  // What stands alone on its line may go on in the next one, as deep.
  if (end === undefined || !endsLine(text, end) || prefix[0].trim() === '' || goesOn(text, start, end))
    return undefined;
  if (!keyOfValue) return spanFrom(offset, end);
  const name = prefix.groups?.key;
  if (name === undefined) return undefined;
  const from = start + prefix[0].lastIndexOf(`${name}:`);
  return spanFrom(from, from + name.length);
}

function spanFrom(start: number, end: number): Span {
  return { start, end, style: 'PLAIN' };
}

/** Whether nothing but a comment follows on the line. */
function endsLine(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ') at += 1;
  const next = text[at];
  return next === undefined || next === '\n' || (next === '\r' && text[at + 1] === '\n') || (next === '#' && at > end);
}

/** Where the first bracket stands, which may be open from there on. */
const firstBracket = oncePer(({ text }: SourceDocument): number => {
  const at = text.search(/[[{]/);
  return at < 0 ? text.length : at;
});

/** Whether the scalar may have more lines: what is indented deeper belongs to it. */
function goesOn(text: string, lineStart: number, end: number): boolean {
  let at = text.indexOf('\n', end);
  // A comment ends it.
  if (at < 0 || text.slice(end, at).includes('#')) return false;
  const indent = indentAt(text, lineStart);
  for (;;) {
    const depth = indentAt(text, at + 1);
    const first = text[at + 1 + depth];
    if (first === undefined || first === '#') return false;
    if (first !== '\n' && first !== '\r') return depth > indent || first === '\t';
    at = text.indexOf('\n', at + 1);
    if (at < 0) return false;
  }
}

function indentAt(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at += 1;
  return at - start;
}
