import type { Rule } from '../rule.js';

/** Reported where ignores are applied. */
export default {
  id: 'expired-ignore',
  group: 'configuration',
  severity: 'warning',
  summary: 'an ignore was agreed until a day that has passed, so it does not count any more',
  wordsIn: ['src/lint/suppressions.ts'],
} satisfies Rule;
