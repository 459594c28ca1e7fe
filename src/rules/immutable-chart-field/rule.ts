import type { Rule } from '../rule.js';

/** Reported by the stage `charts`. */
export default {
  id: 'immutable-chart-field',
  group: 'values',
  severity: 'error',
  summary: 'a value changes a field that cannot be changed, so the upgrade of the chart fails',
  wordsIn: ['src/charts/dangers.ts'],
  stages: ['charts'],
  needsBase: true,
} satisfies Rule;
