import type { Rule } from '../rule.js';

/** Reported by the stage `charts`. */
export default {
  id: 'chart-deletes',
  group: 'pruning',
  severity: 'warning',
  summary: 'a value takes an object that holds data out of what the chart makes, so Helm deletes it',
  wordsIn: ['src/charts/dangers.ts'],
  stages: ['charts'],
  needsBase: true,
} satisfies Rule;
