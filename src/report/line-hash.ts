/**
 * The fingerprint by which GitHub's code scanning knows an alert again: `primaryLocationLineHash`. github/codeql-action computes
 * it where a file lacks it; who uploads through the API has to bring it. The algorithm is that of its `fingerprints.ts`: the
 * first 100 UTF-16 units from the begin of the line, without blanks and tabs and with every line end as a line feed, as a
 * polynomial in 37 modulo 2^64; the end of the file counts as U+FFFF and what is behind it as zeros. Lines that look the same
 * are numbered.
 */
import type { Location, Run } from '../core/model.js';
import { isShowable, secretSpans } from '../secrets/file.js';

const size = 100;

/** Of a larger file the upload action computes it. */
const maxText = 1 << 20;

/** `lines` are how many lines, the own one included, the hash tells something of. */
type LineHash = { hash: string; lines: number };

/** By the number of the line, from 1; undefined beyond the end. */
export function lineHashes(text: string): (line: number) => LineHash | undefined {
  const squeezed = text.replace(/\r\n?/g, '\n').replace(/[ \t]/g, '');
  const padded = `${squeezed}\uffff${'\0'.repeat(size)}`;
  const starts = [0, ...[...squeezed.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const seen = new Map<string, number>();
  const windows = starts.map((start) => {
    const window = padded.slice(start, start + size);
    const count = (seen.get(window) ?? 0) + 1;
    seen.set(window, count);
    return { window, count };
  });
  return (line) => {
    const found = windows[line - 1];
    if (!found) return undefined;
    const { window, count } = found;
    return { hash: `${polynomial(window)}:${count}`, lines: window.split('\n').length };
  };
}

function polynomial(window: string): string {
  let sum = 0n;
  for (let index = 0; index < window.length; index++)
    sum = BigInt.asUintN(64, sum * 37n + BigInt(window.charCodeAt(index)));
  return sum.toString(16);
}

/** None where there is no such line in the head, or where it would tell of a secret: the polynomial can be undone. */
export function fingerprintsOf({ sources }: Pick<Run, 'sources'>): (at: Location) => string | undefined {
  const files = new Map<string, ((line: number) => string | undefined) | undefined>();
  return ({ file, range: { start } }) => {
    if (!files.has(file)) {
      const text = isShowable(file) ? sources.text('head', file) : undefined;
      const isRead = text !== undefined && text.length <= maxText;
      files.set(file, isRead ? harmless(text, secretSpans(text, sources.secrets('head', file))) : undefined);
    }
    return files.get(file)?.(start.line);
  };
}

function harmless(text: string, spans: ReturnType<typeof secretSpans>): (line: number) => string | undefined {
  const hashes = lineHashes(text);
  return (line) => {
    const found = hashes(line);
    const told = Array.from({ length: found?.lines ?? 0 }, (_, index) => spans(line - 1 + index));
    return told.some((parts) => parts.length > 0) ? undefined : found?.hash;
  };
}
