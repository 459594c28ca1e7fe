import type { Rule } from '../rule.js';

/** Reported by the stage `charts`. */
export default {
  id: 'chart-fails',
  group: 'values',
  severity: 'error',
  summary:
    'the chart of a component fails with the values that the repository gives it, or makes what the API server refuses',
  wordsIn: [
    'src/charts/fails.ts',
    'src/charts/refusal-problems.ts',
    'src/charts/schema-problems.ts',
    'src/charts/stage.ts',
  ],
  stages: ['charts'],
} satisfies Rule;
