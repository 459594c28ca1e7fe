/** The lines of a pull request that GitHub takes a comment on: those of the hunks of its own diff, and no others. */
import type { PullFile, Side } from '../github/types.js';

export type ReviewableDiff = {
  /** The file of the pull request that a path of the head, or of the base, belongs to. */
  file(side: Side, path: string): DiffFile | undefined;
};

export type DiffFile = {
  /** The path that comments name: that of the head, and of a deleted file the one it had. */
  path: string;
  /** In the base, where it had another name. */
  previous?: string;
  /** By line, the hunk that it stands in. */
  lines: Record<Side, ReadonlyMap<number, number>>;
  /** The lines that the change itself wrote, or took away. */
  changed: Record<Side, ReadonlySet<number>>;
};

export function readDiff(files: readonly PullFile[]): ReviewableDiff {
  const read = files.map(toDiffFile);
  const right = new Map(read.map((file) => [file.path, file]));
  const left = new Map(read.map((file) => [file.previous ?? file.path, file]));
  return { file: (side, path) => (side === 'RIGHT' ? right : left).get(path) };
}

function toDiffFile({ filename, previous_filename, status, patch }: PullFile): DiffFile {
  return {
    path: filename,
    ...(status === 'renamed' && previous_filename && { previous: previous_filename }),
    ...readPatch(patch ?? ''),
  };
}

/**
 * Counts of a hunk's head default to 1, and what they do not count is no line: `\ No newline at end of file` comes only where a side
 * has no more. An empty context line may come as "".
 */
export function readPatch(patch: string): Pick<DiffFile, 'lines' | 'changed'> {
  const lines = { LEFT: new Map<number, number>(), RIGHT: new Map<number, number>() };
  const changed = { LEFT: new Set<number>(), RIGHT: new Set<number>() };
  const next = { LEFT: 0, RIGHT: 0 };
  let left = { LEFT: 0, RIGHT: 0 };
  let hunk = -1;
  for (const line of patch.split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (head && left.LEFT <= 0 && left.RIGHT <= 0) {
      hunk += 1;
      next.LEFT = Number(head[1]);
      next.RIGHT = Number(head[3]);
      left = { LEFT: Number(head[2] ?? 1), RIGHT: Number(head[4] ?? 1) };
      continue;
    }
    const sides: Side[] = line.startsWith('+') ? ['RIGHT'] : line.startsWith('-') ? ['LEFT'] : ['LEFT', 'RIGHT'];
    if (sides.some((side) => left[side] <= 0)) continue;
    for (const side of sides) {
      lines[side].set(next[side], hunk);
      if (sides.length === 1) changed[side].add(next[side]);
      next[side] += 1;
      left[side] -= 1;
    }
  }
  return { lines, changed };
}
