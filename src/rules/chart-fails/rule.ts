import type { Rule } from '../rule.js';

/** Reported by the stage `charts`. */
export default {
  id: 'chart-fails',
  group: 'values',
  severity: 'error',
  summary: 'the chart of a component fails with the values that the repository gives it',
  wordsIn: ['src/charts/fails.ts', 'src/charts/schema-problems.ts', 'src/charts/stage.ts'],
  stages: ['charts'],
} satisfies Rule;
