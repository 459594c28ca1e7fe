/** The collected mistakes, each reported by the fixtures that are said to show it, or said to be somebody else's. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

type Mistake = { what: string; fixtures?: string[]; later?: string; beyond?: string };
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { mistakes } = JSON.parse(read('mistakes.json')) as { mistakes: Record<string, Mistake> };
const catalog = new URL('../../../shared/facts/cozystack.md', import.meta.url);
/** Held to be silent. */
const harmless = new Set(['R27']);

test.each(Object.entries(mistakes))('%s', (id, { fixtures = [], later, beyond }) => {
  expect(fixtures.length > 0 || later !== undefined || beyond !== undefined).toBe(true);
  for (const fixture of fixtures) {
    const report = read(`../rules/${fixture}.txt`);
    const rule = fixture.split('/')[0];
    if (harmless.has(id)) expect(report).not.toContain(`[${rule}]`);
    else expect(report).toMatch(new RegExp(`^(error|warning|notice)\\[${rule}\\]`, 'm'));
  }
});

(existsSync(catalog) ? test : test.skip)('every mistake that was collected is there', () => {
  const numbers = [...readFileSync(catalog, 'utf8').matchAll(/\bR(\d+)(?: [EWI] )/g)].map(([, number]) => `R${number}`);
  expect([...new Set(numbers)].sort()).toEqual(Object.keys(mistakes).sort());
});
