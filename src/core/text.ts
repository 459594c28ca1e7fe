/** The text without the characters that are `character` at its end: in one pass, as `/x+$/` takes a square of the text's length. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** `a`, `a and b`, `a, b and c`; empty for none. */
export function inWords(items: readonly string[], last = 'and'): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

const mostNamed = 3;

/** As `inWords`, of many the first three and the number of the others: `a, b, c and 2 more`. */
export function firstInWords(items: readonly string[]): string {
  const more = items.length > mostNamed ? [`${items.length - mostNamed} more`] : [];
  return inWords([...items.slice(0, mostNamed), ...more]);
}

/** Where the match of a sticky expression from that place on ends; undefined where it does not match. */
export function matchEnd(expression: RegExp, text: string, from: number): number | undefined {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : undefined;
}

/** For sorting: numbers in the texts by their values, the rest by its characters. What the language has for it is loaded for 10 ms. */
export function byNumbers(a: string, b: string): number {
  const [first, second] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  const at = first.findIndex((part, index) => part !== second[index]);
  const [one, other] = [first[at] ?? '', second[at] ?? ''];
  if (at < 0) return first.length - second.length;
  const isNumber = at % 2 === 1 && other !== '';
  return (isNumber ? Number(one) - Number(other) : 0) || (one < other ? -1 : 1);
}
