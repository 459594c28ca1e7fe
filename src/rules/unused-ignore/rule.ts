import type { Rule } from '../rule.js';

/** Reported where ignores are applied. */
export default {
  id: 'unused-ignore',
  group: 'configuration',
  severity: 'warning',
  summary: 'an ignore hides nothing, so it can go before it hides something else',
  wordsIn: ['src/lint/suppressions.ts'],
} satisfies Rule;
