import type { Rule } from '../rule.js';

/** Reported where the configuration is read. */
export default {
  id: 'invalid-config',
  group: 'configuration',
  severity: 'error',
  summary: 'the configuration file has a mistake, so nothing in it is used',
  wordsIn: ['src/config/config.ts', 'src/lint/ignore-comment.ts', 'src/lint/load.ts'],
} satisfies Rule;
