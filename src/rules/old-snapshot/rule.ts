import type { Rule } from '../rule.js';

/** Clusters change with every release of the platform, which comes about once a month. */
const days = 90;

const messages = {
  old: (taken: string, limit: number) => `The snapshot is of ${taken}, more than ${limit} days ago`,
};

export default {
  id: 'old-snapshot',
  severity: 'notice',
  summary: 'the snapshot of a cluster is so old that what it says may not hold any more',
  messages,
  options: { days: { type: 'integer', minimum: 1, description: 'The age from which on it is old; 90 by default' } },
  check({ today, options, report, known: { snapshot } }) {
    if (!snapshot) return;
    const age = Math.floor((Date.parse(today) - Date.parse(snapshot.taken)) / 86_400_000);
    const limit = typeof options.days === 'number' ? options.days : days;
    if (!(age > limit)) return;
    report({
      message: messages.old(snapshot.taken, limit),
      help: 'make it anew; its first lines say how',
      at: { file: snapshot.file, document: 0, path: ['taken'] },
    });
  },
} satisfies Rule;
