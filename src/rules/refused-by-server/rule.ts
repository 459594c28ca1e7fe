import type { Rule } from '../rule.js';

/** Reported by the validation, the simulation and the dry run. */
export default {
  id: 'refused-by-server',
  group: 'schema',
  severity: 'error',
  summary: 'the API server refuses an object for a reason that no other rule reports',
  wordsIn: ['src/apiserver/refusals.ts'],
  stages: ['validation', 'simulation', 'dry-run'],
} satisfies Rule;
