import type { Rule } from '../rule.js';

/** Reported by the simulation. */
export default {
  id: 'lost-field',
  group: 'ownership',
  severity: 'error',
  summary:
    'a field that another owner has set in the cluster is removed, or becomes null, when Flux applies the change',
  wordsIn: ['src/simulate/problems.ts'],
  stages: ['simulation'],
} satisfies Rule;
