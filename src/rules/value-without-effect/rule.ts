import type { Rule } from '../rule.js';

/** Reported by the stage `charts`. */
export default {
  id: 'value-without-effect',
  group: 'values',
  severity: 'warning',
  summary: 'a value of a Package changes nothing of what its chart makes',
  wordsIn: ['src/charts/effects.ts'],
  stages: ['charts'],
} satisfies Rule;
