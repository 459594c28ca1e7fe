/** What a command is given besides its arguments. */
import type { Stream } from '../core/streams.js';

export type Program = {
  /** Where `dist/` and `schemas/` lie. */
  home: string;
  stdout: Stream;
  stderr: Stream;
  env: NodeJS.ProcessEnv;
};
