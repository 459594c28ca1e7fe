import type { Rule } from '../rule.js';

/** Reported by the simulation. */
export default {
  id: 'taken-field',
  group: 'ownership',
  compares: 'value',
  severity: 'warning',
  summary: 'Flux overwrites a field that another field manager has set in the cluster to another value',
  wordsIn: ['src/simulate/problems.ts'],
  stages: ['simulation'],
} satisfies Rule;
