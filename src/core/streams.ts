/** What is written to. */

/** As much of a stream of node's as a command uses. */
export type Stream = { write(text: string): unknown; isTTY?: boolean | undefined };
