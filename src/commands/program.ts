/** What a command is given besides its arguments. */
export type Program = {
  /** Where `dist/` and `schemas/` lie. */
  home: string;
  stdout: Stream;
  stderr: Stream;
  env: NodeJS.ProcessEnv;
};

/** As much of a stream of node's as a command uses. */
export type Stream = { write(text: string): unknown; isTTY?: boolean | undefined };
