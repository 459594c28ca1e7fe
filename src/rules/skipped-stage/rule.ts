import type { Rule } from '../rule.js';

/** Reported where the stages are known. */
export default {
  id: 'skipped-stage',
  group: 'configuration',
  severity: 'error',
  summary: 'a stage that the configuration requires did not run',
  wordsIn: ['src/lint/stages.ts'],
} satisfies Rule;
