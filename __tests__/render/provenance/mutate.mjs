/**
 * Another value at a place of a source: type, quotes and validity are kept. `changes` gives several edits to try, the best
 * first, as the meaning of a field may forbid one (a number that must be a port, a name that must be unique).
 */
export function offsetsOf(text, { line, column, endLine, endColumn }) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (row, col) => (starts[row - 1] ?? text.length) + col - 1;
  return { start: offset(line, column), end: offset(endLine, endColumn) };
}

/** Edits `{ start, end, text }` of the source that change the scalar at the place; none where there is nothing to change. */
export function changes(text, place, value) {
  return changesAt(text, offsetsOf(text, place), value);
}

/** The same, where the offsets are known. */
export function changesAt(text, span, value) {
  const region = contentOf(text, span);
  const written = text.slice(region.start, region.end);
  if (written.trim() === '') return [];
  if (written.startsWith('*')) return [{ ...region, text: literal(value) }];
  if (typeof value === 'boolean') {
    const flipped = flip(written);
    if (flipped) return [{ ...region, text: flipped }];
  }
  if (value === null && /^(null|Null|NULL|~)$/.test(written)) return [{ ...region, text: 'changed' }];
  const pattern = typeof value === 'number' ? /\d/g : /[A-Za-z0-9]/g;
  const found = characters(written, pattern);
  if (found.length === 0) return [added(region, written)];
  return found.map((at) => ({
    start: region.start + at,
    end: region.start + at + 1,
    text: other(written[at]),
  }));
}

export const apply = (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end);

/** A letter more, where there is none. */
function added({ start, end }, written) {
  const at = /^["']/.test(written) ? start + 1 : end;
  return { start: at, end: at, text: 'q' };
}

/** Without anchor and tag; of a block scalar its first line with text, as the place covers its header only. */
function contentOf(text, { start, end }) {
  const properties = /^(?:[&!]\S*\s+)+/.exec(text.slice(start, end))?.[0] ?? '';
  const from = start + properties.length;
  if (!/^[|>][-+\d]*[ \t]*(#.*)?\r?$/.test(text.slice(from, end))) return { start: from, end };
  const header = text.indexOf('\n', from) + 1;
  const blank = /^(?:[ \t]*\r?\n)*[ \t]*/.exec(text.slice(header))[0].length;
  const first = header + blank;
  const stop = text.indexOf('\n', first);
  return { start: first, end: stop < 0 ? text.length : stop };
}

function literal(value) {
  if (typeof value === 'number') return String(value + 1);
  if (typeof value === 'boolean') return String(!value);
  return 'changed';
}

const opposites = { true: 'false', True: 'False', TRUE: 'FALSE', yes: 'no', on: 'off' };
function flip(written) {
  const pairs = Object.entries(opposites).flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]);
  const [, opposite] = pairs.find(([word]) => word === written) ?? [];
  return opposite;
}

/** The last, the first and the middle character that may change; none of an escape sequence. */
function characters(written, pattern) {
  const escapes = written.startsWith('"') ? [...written.matchAll(/\\(?:x..|u....|U.{8}|.)/g)] : [];
  const escaped = (at) => escapes.some((match) => at >= match.index && at < match.index + match[0].length);
  const found = [...written.matchAll(pattern)].map((match) => match.index).filter((at) => !escaped(at));
  return [...new Set([found.at(-1), found[0], found[found.length >> 1]])].filter((at) => at !== undefined);
}

/** The neighbour of a letter or digit in its class. */
function other(character) {
  const code = character.charCodeAt(0);
  return String.fromCharCode(/[9zZ]/.test(character) ? code - 1 : code + 1);
}
