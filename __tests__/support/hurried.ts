/** A clock of which nobody waits: who sleeps finds it later by as much. For the client of GitHub and for the fake alike. */
import type { Clock } from '../../src/github/client.js';

let slept = 0;

export const hurried: Clock = {
  now: () => Date.now() + slept,
  async sleep(milliseconds) {
    slept += Math.max(0, milliseconds);
  },
};

/** Milliseconds that a request may take there; a test of a server that never answers has less patience. */
export const patience = { request: 15_000 };
