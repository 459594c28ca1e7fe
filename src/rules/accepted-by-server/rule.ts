import type { Rule } from '../rule.js';

/** Reported by the dry run. */
export default {
  id: 'accepted-by-server',
  severity: 'notice',
  summary: 'an API server that was asked accepts an object of which another rule says that it is refused',
  wordsIn: ['src/dry-run/dry-run.ts'],
  stages: ['dry-run'],
} satisfies Rule;
