/** Blocks of Markdown behind a line that opens them; `summary` is ours, and holds nothing that HTML would read. */
export function folded(summary: string, blocks: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...blocks, '</details>'].join('\n\n');
}
