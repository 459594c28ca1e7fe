/** What GitHub has of a pull request, in the terms of its REST and GraphQL APIs. */

/** A file of the pull request, as GitHub lists it. */
export type PullFile = {
  filename: string;
  previous_filename?: string | undefined;
  status: string;
  changes: number;
  /** Absent for what is binary, only renamed, or too large. */
  patch?: string | undefined;
};

/** A conversation on the pull request, as GitHub has it now. */
export type Thread = {
  resolved: boolean;
  path: string;
  /** Undefined where GitHub calls it outdated, and for a comment on a whole file. */
  line?: number | undefined;
  /** The first line of several; undefined where there is but one. */
  startLine?: number | undefined;
  side: Side;
  wholeFile: boolean;
  /** What others, or we, have answered to the first comment. */
  replies: number;
  comment: { id: number; body: string; mine: boolean };
};

/** Where a comment can stand: on lines of one hunk, or on a file as a whole. */
export type Anchor =
  | { kind: 'line'; path: string; side: Side; line: number; startLine?: number }
  | { kind: 'file'; path: string };

export type Side = 'LEFT' | 'RIGHT';
