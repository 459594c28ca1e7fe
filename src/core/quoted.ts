/** Names in quotes, in a sentence of ours: as JSON has them. */

/** One without an end goes to the end of the text, so that no text takes a square of the time. */
const quoted = /"((?:[^"\\]|\\.?)*)("|$)/gsu;

/** Without their quotes. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(quoted)].map(([, name = '']) => name);
}

/** With something else in the place of each, quotes and all. */
export function withNames(text: string, instead: string): string {
  return text.replace(quoted, () => instead);
}

/** Whether each of them ends. */
export function areNamesWhole(text: string): boolean {
  return [...text.matchAll(quoted)].every(([, , end]) => end === '"');
}

/** The text in order, in names with their quotes and what stands between them. */
export function partsOf(text: string): { text: string; isName: boolean }[] {
  const parts: { text: string; isName: boolean }[] = [];
  let from = 0;
  for (const { 0: name, index } of text.matchAll(quoted)) {
    parts.push({ text: text.slice(from, index), isName: false }, { text: name, isName: true });
    from = index + name.length;
  }
  return [...parts, { text: text.slice(from), isName: false }];
}
