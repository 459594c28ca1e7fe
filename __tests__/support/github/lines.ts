/** Which lines of a patch can be commented on, and where they stand in it. */

export type Side = 'LEFT' | 'RIGHT';
export type Place = { hunk: number; position: number; text: string };
export type PatchLines = {
  find(side: Side, line: number): Place | undefined;
  /** The line of a position as the API once counted: 1 is the line below the first `@@`. */
  at(position: number): { side: Side; line: number } | undefined;
  /** The hunk from its heading to the line, as a comment shows it. */
  excerpt(position: number): string;
};

/** Added and context lines are on the right, deleted and context lines on the left. */
export function patchLines(patch: string): PatchLines {
  const places = { LEFT: new Map<number, Place>(), RIGHT: new Map<number, Place>() };
  const positions = new Map<number, { side: Side; line: number; start: number }>();
  const lines = patch === '' ? [] : patch.split('\n');
  let hunk = -1;
  let start = 0;
  let left = 0;
  let right = 0;
  lines.forEach((text, position) => {
    const heading = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (heading) {
      hunk++;
      start = position;
      left = Number(heading[1]);
      right = Number(heading[2]);
      return;
    }
    if (text.startsWith('\\')) return;
    const place = { hunk, position, text };
    if (text.startsWith('-')) positions.set(position, { side: 'LEFT', line: left, start });
    else positions.set(position, { side: 'RIGHT', line: right, start });
    if (!text.startsWith('+')) places.LEFT.set(left++, place);
    if (!text.startsWith('-')) places.RIGHT.set(right++, place);
  });
  return {
    find: (side, line) => places[side].get(line),
    at: (position) => positions.get(position),
    excerpt: (position) => lines.slice(positions.get(position)?.start ?? 0, position + 1).join('\n'),
  };
}
