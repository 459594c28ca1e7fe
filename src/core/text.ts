/** The text without the characters that are `character` at its end: in one pass, as `/x+$/` takes a square of the text's length. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
