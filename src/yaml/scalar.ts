/**
 * A document inside a scalar, such as an inline patch: its text, and where each of its characters stands outside.
 * A folded scalar, and a quoted or plain one of several lines, is not taken apart: undefined.
 */
import type { ScalarStyle } from './syntax.js';

export type Inner = {
  text: string;
  /** From an offset in `text` to one in the scalar as it is written. */
  outer(offset: number): number;
};

/** `written` is the scalar as it stands in the file, from its first character (`|`, a quote) to its last. */
export function innerText(written: string, style: ScalarStyle): Inner | undefined {
  if (style === 'BLOCK_LITERAL') return block(written);
  if (written.includes('\n')) return undefined;
  if (style === 'PLAIN') return { text: written, outer: (offset) => offset };
  if (style === 'QUOTE_SINGLE') return quoted(written, /''|[^']/gy, (piece) => piece.slice(0, 1));
  if (style === 'QUOTE_DOUBLE') return quoted(written, escapes, unescapePiece);
  return undefined;
}

/** Every line loses the same indentation: what the header says, or what the first line with text has. */
function block(written: string): Inner {
  const header = /^\|[^\n]*\n?/.exec(written)?.[0] ?? '';
  const lines = written.slice(header.length).split('\n');
  const explicit = /^\|[+-]?([1-9])/.exec(header)?.[1];
  const first = lines.find((line) => line.trim() !== '') ?? '';
  // An explicit indentation is relative to the parent's, which the scalar alone does not tell.
  const indent = explicit ? Math.min(...lines.filter((line) => line.trim()).map(indentOf)) : indentOf(first);
  const starts: { inner: number; outer: number }[] = [];
  let text = '';
  let outer = header.length;
  for (const [index, line] of lines.entries()) {
    const cut = Math.min(indent, line.length);
    starts.push({ inner: text.length, outer: outer + cut });
    text += line.slice(cut).replace(/\r$/, '') + (index < lines.length - 1 ? '\n' : '');
    outer += line.length + 1;
  }
  return {
    text,
    outer: (offset) => {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle]?.inner ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      const start = starts[low] ?? { inner: 0, outer: header.length };
      return start.outer + offset - start.inner;
    },
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** One piece of a double-quoted scalar: an escape sequence, or a character of its own. */
const escapes = /\\(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|.)|[^"\\]/giy;
const short: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

function unescapePiece(piece: string): string {
  if (!piece.startsWith('\\')) return piece;
  const code = /^\\[xuU]([\da-f]+)$/i.exec(piece)?.[1];
  if (code) return String.fromCodePoint(Number.parseInt(code, 16));
  return short[piece.charAt(1)] ?? piece.slice(1);
}

function quoted(written: string, pieces: RegExp, read: (piece: string) => string): Inner {
  const at: number[] = [];
  let text = '';
  for (const match of written.slice(1, -1).matchAll(new RegExp(pieces.source, pieces.flags.replace('y', '')))) {
    const piece = read(match[0]);
    for (let n = 0; n < piece.length; n++) at.push(1 + match.index);
    text += piece;
  }
  at.push(written.length - 1);
  return { text, outer: (offset) => at[Math.min(offset, at.length - 1)] ?? 0 };
}
