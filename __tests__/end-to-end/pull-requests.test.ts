/**
 * The action through the life of pull requests: what the person who opened one, a reviewer and an administrator of the server do,
 * and what becomes of exit status, comments and requests. Each scenario is named by its row of the table that an independent run
 * of the action made. The fake GitHub holds every request and every answer against GitHub's own description.
 */
import { afterAll, expect, test } from '@jest/globals';
import { sampleOf } from '../support/sample.js';
import { scenarios } from './pull-requests/scenarios.js';
import { type Play, Site } from './pull-requests/site.js';

const { rows, description, passed } = sampleOf(scenarios, {
  ...{ name: 'pull-requests', seed: 3, size: 4 },
  key: ({ title }) => title,
});

const table: string[] = [];
afterAll(() => {
  if (process.env.SHOW) process.stderr.write(`${table.join('\n')}\n`);
});

test.concurrent.each(rows.map((row) => [row.title, row] as const))(
  `%s, of ${description}`,
  async (_, row) => {
    const site = await Site.open(row.opening);
    try {
      await (row.play as Play)(site);
      expect(site.problems()).toEqual([]);
      table.push(
        ...site.runs.map(({ row, status, requests, writes }) => `| ${row} | ${status} | ${requests} | ${writes} |`),
      );
      passed(row);
    } finally {
      await site.close();
    }
  },
  120_000,
);
