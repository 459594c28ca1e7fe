/** What is written to. */

/** As much of a stream of node's as a command uses. `columns`: those of a terminal. */
export type Stream = {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  once?(event: 'error', listener: () => void): unknown;
};
