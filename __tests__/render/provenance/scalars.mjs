/**
 * Every scalar of a source, found with a YAML parser of its own and not with the product's: values, list items and keys, of
 * documents within scalars too (inline patches), and of files that are no YAML the lines.
 */
import { isAlias, isMap, isPair, isScalar, isSeq, parseAllDocuments, parseDocument } from 'yaml';

const quiet = { uniqueKeys: false, strict: false, logLevel: 'silent', merge: true };

/** `{ start, end, value, path, kind, within? }`, `kind` being value, key, alias, line, file or holder (of a document); offsets in the text. */
export function scalarsOf(file, text) {
  if (/\.ya?ml$/.test(file))
    return parseAllDocuments(text, quiet).flatMap((document) => inNode(document.contents, [], text));
  if (/\.env$/.test(file)) return lines(text);
  if (/\.json$/.test(file)) return inNode(parseDocument(text, quiet).contents, [], text);
  return [{ start: 0, end: text.length, value: text, path: [], kind: 'file' }];
}

function inNode(node, path, text, within) {
  if (isMap(node)) return node.items.flatMap((pair) => inPair(pair, path, text, within));
  if (isSeq(node)) return node.items.flatMap((item, index) => inNode(item, [...path, index], text, within));
  if (isAlias(node)) return [scalar(node, undefined, path, 'alias', within)];
  if (!isScalar(node) || !node.range) return [];
  const one = scalar(node, node.value, path, 'value', within);
  const inner = within ? [] : innerOf(node, path, text);
  return inner.length > 0 ? [{ ...one, kind: 'holder' }, ...inner] : [one];
}

function inPair(pair, path, text, within) {
  if (!isPair(pair) || !isScalar(pair.key)) return [];
  const step = [...path, String(pair.key.value)];
  return [scalar(pair.key, pair.key.value, step, 'key', within), ...inNode(pair.value, step, text, within)];
}

function scalar(node, value, path, kind, within) {
  const [start, end] = node.range;
  return { start, end, value, path, kind, type: node.type, ...(within && { within }) };
}

const patches = /^((spec\.)?patches\.\d+\.patch|patchesJson6902\.\d+\.patch|patchesStrategicMerge\.\d+|patch)$/;

/** A patch in a scalar. One that is folded, or quoted over several lines, stays one scalar. */
function innerOf(node, path, text) {
  const [start, end] = node.range;
  if (!patches.test(path.join('.')) || typeof node.value !== 'string' || !/[:{[]/.test(node.value)) return [];
  const inner = textOf(node.type, text.slice(start, end));
  if (!inner) return [];
  const found = parseAllDocuments(inner.text, quiet).flatMap((document) =>
    inNode(document.contents, [], inner.text, path),
  );
  const outer = (offset) => start + inner.outer(offset);
  return found.map((one) => ({ ...one, start: outer(one.start), end: outer(one.end), quotes: inner.quotes }));
}

/** The text of a scalar with its way back; `quotes` says how text has to be put into it. */
function textOf(type, written) {
  if (type === 'BLOCK_LITERAL') {
    const from = written.indexOf('\n') + 1;
    return { text: written.slice(from), outer: (offset) => from + offset };
  }
  if (written.includes('\n')) return undefined;
  if (type === 'PLAIN') return { text: written, outer: (offset) => offset };
  if (type === 'QUOTE_SINGLE') return { ...unquoted(written, /''|[^']/g, (piece) => piece[0]), quotes: "'" };
  if (type === 'QUOTE_DOUBLE')
    return { ...unquoted(written, /\\u.{4}|\\.|[^\\]/g, (piece) => JSON.parse(`"${piece}"`)), quotes: '"' };
  return undefined;
}

function unquoted(written, pieces, read) {
  const at = [];
  let text = '';
  for (const match of written.slice(1, -1).matchAll(pieces)) {
    const piece = read(match[0]);
    for (let n = 0; n < piece.length; n++) at.push(1 + match.index);
    text += piece;
  }
  at.push(written.length - 1);
  return { text, outer: (offset) => at[Math.min(offset, at.length - 1)] };
}

/** Text as it must be written in the quotes around it. */
export function quotedIn(quotes, text) {
  if (quotes === '"') return JSON.stringify(text).slice(1, -1);
  return quotes === "'" ? text.replaceAll("'", "''") : text;
}

/** Of an env file the lines with an assignment. */
function lines(text) {
  return [...text.matchAll(/^[^#\r\n].*$/gm)].map((match) => {
    const at = match[0].indexOf('=') + 1;
    const start = match.index + at;
    return {
      start,
      end: match.index + match[0].length,
      value: match[0].slice(at),
      path: [match[0].slice(0, at - 1)],
      kind: 'line',
    };
  });
}

/**
 * Whether a place is a scalar (of one of several lines, its first line), or a part of one that cuts no word. A place of a
 * file that is no YAML is a part of it.
 */
export function fits(scalars, text, { start, end }) {
  const eol = (from, to) => {
    const stop = text.slice(from, to).search(/\r?\n/);
    return stop < 0 ? to : from + stop;
  };
  // A file can be the value of a key as a whole, even one that is YAML.
  if (start === 0 && end === eol(0, text.length)) return true;
  if (scalars.some((one) => one.start === start && eol(one.start, one.end) === end)) return true;
  if (/[\r\n]/.test(text.slice(start, end))) return false;
  const holder = scalars.find((one) => one.start <= start && end <= one.end);
  if (!holder) return /^[&!]\S+\s/.test(text.slice(start, end));
  const cut = (at) => at > holder.start && at < holder.end && /\w/.test(text[at - 1]) && /\w/.test(text[at]);
  return !cut(start) && !cut(end);
}
