/**
 * Where a text that go-yaml refuses is to be corrected. go-yaml names a line at most, that of what it was reading or that at which it
 * gave up; `yaml` knows the place, but refuses other texts. So the latter is believed where it fits to what the former says.
 */
import { type Document, isCollection, isScalar, parseDocument, visit, type YAMLParseError } from 'yaml';
import { SourceText } from './source-text.js';
import { depthExceeds, maxDepth } from './syntax.js';

export type Complaint = {
  /** Undefined where the text of the error was not kept. */
  reason?: string;
  /** As go-yaml names it, which names none for the first line. */
  line?: number;
  /** go-yaml 3 names where the map, list or text begins that it was reading, go-yaml 2 where it stopped. */
  names: 'begin' | 'stop';
};

/** Offsets in the text, on one line; undefined where nothing is known. */
export function mistakeIn(text: string, refusal: Complaint): { start: number; end: number } | undefined {
  const source = new SourceText(text);
  const character = unreadable(text, refusal.reason);
  if (character !== undefined) return { start: character, end: character + 1 };
  const line = lineOf(refusal);
  const tab = refusal.reason?.includes('tab character') ? firstTab(source, line ?? 1) : undefined;
  if (tab !== undefined) return contentOf(source, tab);
  const found = depthExceeds(text, maxDepth) ? undefined : ofParser(source, { ...refusal, ...(line && { line }) });
  if (found) return found;
  return line === undefined ? undefined : contentOf(source, Math.min(line, source.lineCount));
}

/** Of these the parser says nothing but the words. */
function unreadable(text: string, reason = ''): number | undefined {
  const pattern = /UTF-8/.test(reason)
    ? /\ufffd/u
    : /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
  const at = /UTF-8|^control characters/.test(reason) ? text.search(pattern) : -1;
  return at < 0 ? undefined : at;
}

/** The line is that of the text or list before it, or its own. */
function firstTab(source: SourceText, from: number): number | undefined {
  for (let line = from; line <= source.lineCount; line++) if (/^ *\t\s*\S/.test(source.line(line))) return line;
  return undefined;
}

/** What the parser finds wrong, unlike the scanner below it, go-yaml counts from 0. */
function lineOf({ reason = '', line }: Complaint): number | undefined {
  const isOfParser = /^did not find expected (?:key|'-' indicator|',' or|node content|<document start>)/.test(reason);
  return line === undefined ? undefined : line + (isOfParser ? 1 : 0);
}

/** Where it stopped is where it began: what is read is a single character. */
const isExact = (reason: string) =>
  /^(?:mapping values|block sequence entries|mapping keys) are not|^found character/.test(reason);

const isOfFlow = (reason: string) => /',' or |node content|end of stream|document indicator/.test(reason);

/** From which line to which `yaml` sees it, and whether it is a text or a list without an end. */
type Mistake = { start: number; end: number; first: number; last: number; isOpen?: true };

function ofParser(source: SourceText, { reason, line, names }: Complaint): { start: number; end: number } | undefined {
  const document = parseDocument(source.text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false });
  const errors = document.errors.filter(({ code }) => code !== 'MULTIPLE_DOCS');
  const fits = ({ first, last, isOpen }: Mistake) => {
    if (line === undefined) return true;
    const isBetween = first <= line && line <= last;
    if (reason !== undefined && isExact(reason)) return isBetween;
    // What is missing in a flow collection is named by where it stopped, and so is what is open since the first line.
    if (names === 'stop' || reason?.includes('node content')) return first <= line;
    return first >= line || (isOpen && first === 1) || (reason === undefined && isBetween);
  };
  for (const error of errors) {
    // go-yaml does not mind how a flow collection is indented; the errors behind come of that.
    if (isUnclosed(error) && reason !== undefined && !isOfFlow(reason)) return undefined;
    const mistake = mistakeOf(error, document, source, errors);
    if (fits(mistake)) return clipped(mistake, source);
  }
  return undefined;
}

const isUnclosed = ({ code, message }: YAMLParseError) =>
  (code === 'BAD_INDENT' || code === 'MISSING_CHAR') && message.startsWith('Flow ');

function mistakeOf(
  error: YAMLParseError,
  document: Document,
  source: SourceText,
  all: readonly YAMLParseError[],
): Mistake {
  const [from, to] = error.pos;
  const lines = { first: source.position(from).line, last: source.position(to).line };
  const at = (start: number) => ({ ...lines, first: source.position(start).line, start, end: source.text.length });
  // What is open is named where it begins, wherever it should have ended.
  if (isUnclosed(error)) return { ...at(lastBegun(document, from, isFlow) ?? from), isOpen: true };
  if (error.code === 'MISSING_CHAR' && error.message.startsWith('Missing closing'))
    return { ...at(lastBegun(document, from, isQuoted) ?? from), isOpen: true };
  const isSeparator = error.code === 'MISSING_CHAR' && error.message.startsWith('Missing ,');
  if (isSeparator) return at(source.text.slice(0, from).trimEnd().length - 1);
  // A value that goes on in the next line, and has a key there: that line is indented too far.
  const isContinued =
    error.code === 'MULTILINE_IMPLICIT_KEY' &&
    all.some(({ code, pos }) => code === 'BLOCK_AS_IMPLICIT_KEY' && pos[0] === from);
  if (isContinued) return { ...lines, start: source.lineSpan(lines.last)?.start ?? to, end: source.text.length };
  return { ...lines, start: from, end: error.code === 'BAD_DQ_ESCAPE' ? from + 2 : source.text.length };
}

/** A node as `visit` meets it. */
const isFlow = (node: unknown) => isCollection(node) && node.flow === true;
const isQuoted = (node: unknown) => isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');

/** The start of the last one before an offset. */
function lastBegun(document: Document, before: number, isWanted: (node: unknown) => boolean): number | undefined {
  let found: number | undefined;
  visit(document, {
    Node: (_, node) => {
      const start = node.range?.[0];
      if (start !== undefined && start <= before && isWanted(node)) found = Math.max(found ?? 0, start);
    },
  });
  return found;
}

/** What of it is on its first line, without the white space around it. */
function clipped({ start, end }: Mistake, source: SourceText): { start: number; end: number } {
  const content = contentOf(source, source.position(Math.min(start, source.text.trimEnd().length)).line);
  const from = Math.max(start, content.start);
  return from < content.end ? { start: from, end: Math.max(Math.min(end, content.end), from) } : content;
}

function contentOf(source: SourceText, line: number): { start: number; end: number } {
  const text = source.line(line);
  const { start } = source.lineSpan(line) ?? { start: 0 };
  const from = start + text.search(/\S|$/);
  return { start: from, end: Math.max(start + text.trimEnd().length, from) };
}
