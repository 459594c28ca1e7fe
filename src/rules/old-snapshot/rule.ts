import type { Rule } from '../rule.js';

/** Clusters change with every release of the platform, which comes about once a month. */
const days = 90;

const messages = {
  old: (taken: string, limit: number) =>
    `The snapshot was taken on ${taken}, more than ${limit} days ago, so it may be outdated`,
};

export default {
  id: 'old-snapshot',
  group: 'configuration',
  severity: 'notice',
  summary: 'the snapshot of a cluster is so old that it may be outdated',
  messages,
  options: {
    days: { type: 'integer', minimum: 1, description: 'The age in days from which a snapshot is old; 90 by default' },
  },
  check({ today, options, report, known: { snapshot } }) {
    if (!snapshot) return;
    const age = Math.floor((Date.parse(today) - Date.parse(snapshot.taken)) / 86_400_000);
    const limit = typeof options.days === 'number' ? options.days : days;
    if (!(age > limit)) return;
    report({
      message: messages.old(snapshot.taken, limit),
      help: 'take a new one; its first lines describe how',
      at: { file: snapshot.file, document: 0, path: ['taken'] },
    });
  },
} satisfies Rule;
