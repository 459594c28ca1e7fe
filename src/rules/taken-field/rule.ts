import type { Rule } from '../rule.js';

/** Reported by the simulation. */
export default {
  id: 'taken-field',
  compares: 'value',
  severity: 'warning',
  summary: 'Flux takes a field from somebody who has set it in the cluster, with another value',
  wordsIn: ['src/simulate/problems.ts'],
  stages: ['simulation'],
} satisfies Rule;
