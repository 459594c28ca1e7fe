import type { Rule } from '../rule.js';

/** Reported by the validation, the simulation and the dry run. */
export default {
  id: 'refused-by-server',
  severity: 'error',
  summary: 'an API server that was asked refuses an object of which no other rule says so',
  wordsIn: ['src/apiserver/refusals.ts'],
  stages: ['validation', 'simulation', 'dry-run'],
} satisfies Rule;
