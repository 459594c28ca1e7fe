/** Templates for the texts of errors: a regular expression with several gaps takes time that grows with a power of the text. */

/**
 * What stands in the gaps of the first place that a template fits; undefined where there is none. `%s` is a gap within one
 * line, as short as can be, `%d` a number, `%*s` a gap that is of no interest; a line break at the end of the template also
 * is the end of the text.
 */
export function matchText(template: string, text: string): string[] | undefined {
  const [first = '', ...rest] = template.split(/(%s|%d|%\*s)/);
  const ended = template.endsWith('\n') ? `${text}\n` : text;
  for (let at = ended.indexOf(first); at >= 0; at = ended.indexOf(first, at + 1)) {
    const found = gaps(rest, ended, at + first.length);
    if (found) return found;
  }
  return undefined;
}

/** `parts` are gaps, each with the text behind it. */
function gaps(parts: readonly string[], text: string, from: number): string[] | undefined {
  const found: string[] = [];
  let at = from;
  for (let index = 0; index < parts.length; index += 2) {
    const [gap, literal = ''] = parts.slice(index, index + 2);
    const end = gap === '%d' ? endOfNumber(text, at) : text.indexOf(literal, at);
    const words = end < 0 ? undefined : text.slice(at, end);
    if (words === undefined || words.includes('\n') || !text.startsWith(literal, end)) return undefined;
    if (gap !== '%*s') found.push(words);
    at = end + literal.length;
  }
  return found;
}

/** -1 where there is none. */
function endOfNumber(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== undefined && /^\d$/.test(text[end] as string)) end++;
  return end === from ? -1 : end;
}

/** The text without the first `start`, the last `end`, and what is between them. */
export function without(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = text.lastIndexOf(end);
  return from < 0 || to < from + start.length ? text : text.slice(0, from) + text.slice(to + end.length);
}
