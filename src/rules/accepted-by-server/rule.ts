import type { Rule } from '../rule.js';

/** Reported by the dry run. */
export default {
  id: 'accepted-by-server',
  group: 'schema',
  severity: 'notice',
  summary: 'the API server of the dry run accepts an object that another rule reports as refused',
  wordsIn: ['src/dry-run/dry-run.ts'],
  stages: ['dry-run'],
} satisfies Rule;
