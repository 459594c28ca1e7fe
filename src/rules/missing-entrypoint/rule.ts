import type { Rule } from '../rule.js';

/** Reported where entrypoints are discovered. */
export default {
  id: 'missing-entrypoint',
  severity: 'error',
  summary: 'there is nothing to check: no directory that Flux applies was found, or one that is named is not there',
  wordsIn: ['src/discover/union.ts', 'src/lint/lint-revision.ts'],
} satisfies Rule;
