import type { Rule } from '../rule.js';

/** Reported where entrypoints are discovered. */
export default {
  id: 'missing-entrypoint',
  group: 'configuration',
  severity: 'error',
  summary: 'no directory that Flux applies was found, one that is named does not exist, or one is no longer applied',
  wordsIn: [
    'src/discover/union.ts',
    'src/lint/lint-revision.ts',
    'src/render/build-failure.ts',
    'src/cluster/configured.ts',
  ],
} satisfies Rule;
